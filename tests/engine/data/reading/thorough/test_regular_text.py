"""The fast reader of regular text against the careful one, on generated files."""

from __future__ import annotations

import csv
from itertools import cycle, islice
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data.reading import regular_text
from engine.data.reading.limits import Choices
from tests.engine.data.reading.test_regular_text import POOLS, same, written

oddities = st.sampled_from(
    ["", "NA", "nan", "None", "none", "inf", "-Infinity", "1e999", "1e-999", "+5", "+.5", "5.", "-0", "-0.0", "0x1F",
     "1_0", "12%", "1,234", "1.234,5", " 7 ", "7\u00a0", "\ufeff7", "٣", "9" * 18, "9" * 19, "9" * 30, "0" * 20,
     "1" * 5_000, "mild", "absent", "Größe", "cafe\u0301", "caf\u00e9", "a\u200bb", "-9", "2021-03-04", "true", "=1+1",
     "'5", "\x1f5"]
)  # fmt: skip


@settings(max_examples=120)
@given(
    kinds=st.lists(st.sampled_from(sorted(POOLS)), min_size=2, max_size=5),
    n=st.sampled_from([2, 6, 40, 520, 1_300]),
    odd=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1_299), oddities), max_size=4),
    gaps=st.sampled_from([0, 3, 50]),
    mark=st.sampled_from(",;\t|"),
    end=st.sampled_from(["\n", "\r\n"]),
    last=st.booleans(),
    quoted=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]),
    padded=st.sampled_from(["", " "]),
    choices=st.sampled_from(
        [Choices(), Choices(header=1), Choices(header=None), Choices(decimal=","), Choices(missing=("0", "mild")),
         Choices(skip_rows=2), Choices(missing=())]
    ),
)  # fmt: skip
def test_tables_written_in_any_way(
    kinds: list[str], n: int, odd: list[tuple[int, int, str]], gaps: int, mark: str, end: str, last: bool, quoted: int,
    encoding: str, padded: str, choices: Choices,
) -> None:  # fmt: skip
    """Numbers, words and oddities at any place, in any separator, quotes, line end, encoding."""
    columns = [list(islice(cycle(POOLS[kind]), n)) for kind in kinds]
    for position, column in enumerate(columns):
        for row in range(position, n if gaps else 0, gaps or 1):
            column[row] = ("", "NA", " ")[row % 3]
    for position, row, text in odd:
        columns[position % len(columns)][row % n] = text
    rows = [[f"v{i}" for i in range(len(columns))], *zip(*columns, strict=True)]
    same(written(rows, mark, end, last, quoted, encoding, padded), choices)


@settings(max_examples=200)
@given(st.text(st.sampled_from('aab1,,"""\n\n\r '), max_size=60), st.sampled_from([8, 1 << 22]))
def test_quotes_and_line_ends_anywhere(text: str, piece: int) -> None:
    """Any arrangement of quotes, separators and line ends, also across the border of two pieces."""
    with patch.object(regular_text, "_PIECE", piece):
        same(("x,y\nu,v\n" + text).encode(), Choices(delimiter=",", header=1))
