"""How sentences about a table call its columns, cells and rows: cut where they are long."""

from __future__ import annotations

from collections.abc import Sequence

from engine.text import Level, Name, Number, People, Text, first, joined, listed, told
from engine.words import distinct

_NAMED = 3
_LETTERS = 28


def shown_name(column: object, most: int = 60) -> Name:
    """The name of a column, at most so many letters of it."""
    return Name(distinct([str(column)], most)[0])


def shown_value(text: object, most: int = 40) -> Level:
    """A value of a column, at most so many letters of it."""
    return Level(distinct([str(text)], most)[0])


def quoted(columns: Sequence[str]) -> Text:
    """Names of columns in quotes: three at most, and how many more there are."""
    names = [told("'{}'", Name(name)) for name in distinct(columns, _LETTERS)]
    return listed(names) if len(names) <= _NAMED else first(names, most=_NAMED)


def quoted_values(texts: Sequence[str], between: str = ", ", most: int = 0) -> Text:
    """Values in quotes, in a row; where at most so many are named, an ellipsis stands for the others."""
    shown = texts[:most] if most else texts
    values = joined((told("'{}'", shown_value(text)) for text in shown), between)
    return told("{}, ...", values) if len(shown) < len(texts) else values


def in_row(row: int) -> People:
    """The place of a cell: whoever knows the row knows of one that has it."""
    return People(1, written=f"row {row}")


def uncounted(sentence: str) -> Text:
    """A sentence whose figures count no people, whatever they are."""
    return told("{}", Number(sentence))
