"""What is wrong in the last rows of a large text is found before its careful reader begins, and nothing else is."""

from __future__ import annotations

import random

import pytest

from engine import DataError
from engine.data.reading import odd_rows, text_tables
from engine.data.reading.limits import Choices, Limits
from engine.data.reading.report import ReadingReport


def _outcome(data: bytes, monkeypatch: pytest.MonkeyPatch, piece: int) -> tuple[str, bool]:
    """The sentence on a text ("" where it is read), and whether it was said before the careful reader began."""
    begun = []
    careful = text_tables._filled_frame
    monkeypatch.setattr(odd_rows, "_PIECE", piece)
    monkeypatch.setattr(text_tables, "_filled_frame", lambda *a: (begun.append(1), careful(*a))[1])
    try:
        text_tables.read_text(data, Choices(delimiter=","), Limits(), ReadingReport("t.csv", "text"))
    except DataError as error:
        return str(error), not begun
    finally:
        monkeypatch.undo()
    return "", False


_BODY = 'a,b,c\n1,"x, y",2\n3,"he said ""no""\nand left",4\n5,6" tube,7\n'


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ('"x,1,2\n', "Line 1206 opens a double quote"),
        ('1,2,"', "Line 1206 opens a double quote"),
        ('1,"x"y,2\n', "Line 1206: a value in double quotes is followed"),
        ("1,2,3,4\n", "line 1206 has 4, the header has 3"),
        ("1,2,3,4", "line 1206 has 4, the header has 3"),
        (f"1,{'x' * 140_000},3\n", "Line 1206 has a cell of more than"),
        (f'1,"{"x" * 900_000}\n', "Line 1206 has a cell of more than"),
        ("1,2,3,,\n", ""),
        ("1\n\n", ""),
    ],
)
@pytest.mark.parametrize("piece", [50, 10_000])
def test_what_is_wrong_at_the_end(end: str, words: str, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said with its line, as the careful reader would, before that begins."""
    rows = _BODY.partition("\n")[2]
    text = ("a,b,c\n" + rows * 301 + end).encode()
    said, early = _outcome(text, monkeypatch, piece)
    assert (words in said) if words else not said
    assert early == bool(words)


def test_the_careful_reader_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random texts of quotes, separators, blanks and line breaks: the same refusal or none, with and without a look."""
    rng = random.Random(5)
    refused = found = 0
    for _ in range(60):
        odd = "".join(rng.choice(['"', '""', ",", ", ", "x", "1", "\n", '"a"', " "]) for _ in range(rng.randint(1, 14)))
        text = ("a,b,c\n" + '1,"2",3\n' * 520 + odd + '\n4,"5",6\n').encode()
        plain, _ = _outcome(text, monkeypatch, 1 << 30)
        said, early = _outcome(text, monkeypatch, rng.choice((200, 900, 4_000)))
        assert bool(said) == bool(plain)
        refused += bool(said)
        found += early
        assert said == plain
    assert 12 < refused < 58 and found == refused
