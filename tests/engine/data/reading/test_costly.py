"""Small files that would cost very much: each is refused, or read in a time that grows with its size alone."""

from __future__ import annotations

import gzip
import io
import time
import zipfile
from typing import Any

import pandas as pd
import pytest

from engine import DataError, read_table
from engine.data.preparing.proposals import propose
from engine.data.reading import parse, scales
from engine.data.reading.foreign import last_read
from engine.data.reading.limits import MEGABYTE, Limits
from engine.data.reading.numbers import GROUPED, LONGEST_NUMBER, PERCENT, PLAIN, is_number
from engine.data.reading.scales import LONGEST_WORD, known_order, natural_order, scale_with_none


def test_a_long_level_is_no_word_of_a_scale() -> None:
    """It is not looked up letter by letter, and stands in the order of the alphabet."""
    long = "mild" + " " * LONGEST_WORD
    assert known_order(["severe", "mild"])[1]
    assert known_order(["severe", "mild", long]) == (sorted(["severe", "mild", long]), "")
    assert not scale_with_none(["mild", long])
    digits = "7" * 5_000  # more than Python makes a number of
    assert natural_order([digits, "9", "10"]) == ["9", "10", digits]


def test_long_levels_are_looked_up_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proposals for a column of long texts ask no letter of them."""
    (proposal,) = propose(pd.DataFrame({"x": ["Low", "low", "high"] * 5}))
    assert proposal.twins == (("Low", "low"),)

    def asked(level: str) -> str:
        raise AssertionError("a long text was looked up")

    monkeypatch.setattr(scales, "folded", asked)
    long = [letter * (LONGEST_WORD + 1) for letter in "abc"]
    (proposal,) = propose(pd.DataFrame({"x": long * 5}))
    assert (proposal.levels, proposal.suspicious) == (tuple(long), ())
    (proposal,) = propose(pd.DataFrame({"x": [long[0], long[0].upper(), "999"] * 5}))
    assert (proposal.twins, proposal.suspicious) == ((), ())


@pytest.mark.parametrize("pattern", [*PLAIN.values(), *GROUPED.values(), *PERCENT.values()])
@pytest.mark.parametrize("run", ["1", "1.", "1,234", ".5", "1e"])
def test_a_long_row_of_digits_is_no_number_at_once(pattern: Any, run: str) -> None:
    """A hundred thousand characters that begin like a number: a pattern that goes back would take minutes."""
    text = run * (120_000 // len(run)) + "x"
    assert pattern.fullmatch(text) is None


def test_the_longest_number() -> None:
    """Which texts are numbers is as it was, up to four hundred characters."""
    for decimal, good, bad in (
        (".", "1 1. 1.5 .5 +1 -1e5 1.e+3 .5E-2", ". e 1,5 1.2.3 1e +-1"),
        (",", "1 1, 1,5 ,5 -1e5 1,e+3", ", 1.5 1,2,3"),
    ):
        assert all(is_number(text, decimal) for text in good.split())
        assert not any(is_number(text, decimal) for text in ["", "1\n", *bad.split()])
    assert is_number("1" * LONGEST_NUMBER, ".")
    assert not is_number("1" * (LONGEST_NUMBER + 1), ".")


def test_very_many_members_of_a_gzip_file() -> None:
    """Each is found where the one before it ends; all that follows is not copied for each."""
    content = gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"") * 80_000 + gzip.compress(b"3,4\n")
    seconds = []
    for _ in range(3):  # a busy machine makes one of them slow
        begun = time.process_time()
        assert parse.unpacked(content, Limits()) == b"a,b\n1,2\n3,4\n"
        seconds.append(time.process_time() - begun)
    assert min(seconds) < 0.6  # 0.08; 1.2 where the rest is copied each time


def test_members_that_unpack_to_more_than_is_taken_at_once() -> None:
    """Where the next one begins is known however often the one before was held back."""
    texts = [(letter * 99 + b"\n") * 50_000 for letter in (b"a", b"b", b"c")]
    assert parse.unpacked(b"".join(map(gzip.compress, texts)), Limits()) == b"".join(texts)


def test_members_of_all_sizes_and_the_padding_of_tapes() -> None:
    """What a file holds does not depend on how it is cut; one that is cut off is no file."""
    texts = [b"x" * size for size in (0, 1, 5_000, 70_000, 3_000_000)]
    content = b"".join(gzip.compress(text, 0) + b"\0" * place for place, text in enumerate(texts))
    assert parse.unpacked(b"" + content, Limits()) == b"".join(texts)
    for broken in (content[:-100_000], content + b"\x1f\x8b", content + b"rest"):
        with pytest.raises(DataError, match="cut off or damaged"):
            parse.unpacked(broken, Limits())
    with pytest.raises(DataError, match="unpacks to more than 2 MB"):
        parse.unpacked(content, Limits(unpacked_bytes=2_000_000))


def test_a_text_of_very_many_lines_is_refused_before_it_is_read() -> None:
    """Two megabytes of gzip that hold 400 MB of lines: refused as soon as there are too many."""
    with pytest.raises(DataError, match="has at least 20,500,000 lines; the limit is 20,000,000 rows"):
        read_table(gzip.compress(b"0\n" * 500_000) * 400, name="zeros.csv.gz")
    used = last_read()
    assert used is not None
    assert used.cpu_seconds < 1
    for line in ("\n", "\r", "\r\n"):
        text = ("0,1" + line) * 40 + line * 1_020
        assert len(read_table(text.encode(), limits=Limits(rows=60), header=None)) == 40
        with pytest.raises(DataError, match=r"at least 1,061 lines; the limit is 60 rows"):
            read_table((text + line).encode(), limits=Limits(rows=60), header=None)


@pytest.mark.parametrize("letters", [b"a,", b"\0\1"])
def test_a_text_blown_up_is_refused_while_it_is_unpacked(letters: bytes) -> None:
    """A quarter of a megabyte that holds 200 MB without a line: not unpacked to its end, nor looked through."""
    content = gzip.compress(letters * (50_000_000 // len(letters))) * 4
    with pytest.raises(DataError, match=r"times its size|not a table"):
        read_table(content, name="a.csv.gz")
    used = last_read()
    assert used is not None
    assert used.peak_bytes < 250 * MEGABYTE  # 500 where it is unpacked whole
    wide = b"\n".join([b",".join([b"column"] * 12_000)] * 500)  # the widest table, and nothing new in it
    assert parse.unpacked(gzip.compress(wide), Limits()) == wide


def test_a_sheet_of_cells_without_end_is_refused_while_it_is_unpacked() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as whole:
        whole.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        whole.writestr("META-INF/manifest.xml", "<m/>")
        whole.writestr("content.xml", b"<table:table-cell/>" * 2_500_000)
    with pytest.raises(DataError, match=r"would take about 20. MB of memory"):
        read_table(content.getvalue(), name="a.ods", limits=Limits(memory_bytes=200 * MEGABYTE))
