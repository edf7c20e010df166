"""Sentences that know what stands in them: text whose names, levels, counts and shares keep what they are.

A `Text` is a str, so that whatever takes a sentence takes it. What it is made of decides what is shown of it: labels go
in the place of names, and a count of people that is too small is hidden. Nothing reads a finished sentence again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Self, SupportsIndex

from engine import words

_NUMBERS = """
once twice thrice one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand dozen dozens pair
pairs couple single sole lone trio quartet handful half halves third thirds quarter quarters fifth fifths tenth tenths
both double triple
"""
_NUMBER_WORDS = frozenset(_NUMBERS.split())


class Part(str):
    """A piece of a sentence that is not part of its template."""

    @property
    def is_number(self) -> bool:
        """True of a piece with a figure."""
        return False


class Name(Part):
    """The name of a variable."""


class Level(Part):
    """A level of a variable."""


class Number(Part):
    """A figure that counts no people: an estimate, a probability, a quantity with its unit."""

    @property
    def is_number(self) -> bool:
        """True."""
        return True


class Count(Number):
    """A number of things that are no people, such as links or variables."""

    def __new__(cls, n: int | str, noun: str = "", many: str = "") -> Self:
        return super().__new__(cls, n if isinstance(n, str) else _counted(n, noun, many))


class People(Number):
    """A number of rows, patients or subjects, which is hidden where it is small.

    Attributes
    ----------
    n : how many
    of : of how many that a reader knows, 0 where they are no part of such a whole
    """

    n: int
    of: int

    def __new__(cls, n: int | str, noun: str = "", many: str = "", *, of: int = 0, written: str = "") -> Self:
        if isinstance(n, str):  # read back from a pickle, which brings the attributes
            return super().__new__(cls, n)
        part = super().__new__(
            cls, written or (f"{n:,} of {_counted(of, noun, many)}" if of else _counted(n, noun, many))
        )
        part.n, part.of = n, of
        return part


class Share(Number):
    """A share of people, which is hidden where it is of few, or stands for few or for all but few.

    Attributes
    ----------
    hits, n : how many of how many
    """

    hits: float
    n: float

    def __new__(cls, hits: float | str, n: float = 0, *, written: str = "", counts: bool = False) -> Self:
        if isinstance(hits, str):
            return super().__new__(cls, hits)
        among = f" ({hits:,.0f} of {n:,.0f})" if counts else ""
        part = super().__new__(cls, written or f"{words.in_percent(hits / n)}{among}")
        part.hits, part.n = hits, n
        return part


def _counted(n: int, noun: str, many: str) -> str:
    return words.count(n, noun, many) if noun else f"{n:,}"


class _Loose(Part):
    """A piece that nobody declared; a figure in it may be anything."""

    @property
    def is_number(self) -> bool:
        return has_number(self)


class Text(str):
    """A sentence, or a part of one, with what stands in it.

    Attributes
    ----------
    pieces : strings of the template and parts, in order, of which the text is made
    """

    pieces: tuple[str, ...]

    def __new__(cls, text: str = "", pieces: tuple[str, ...] = ()) -> Self:
        result = super().__new__(cls, text)
        result.pieces = pieces
        return result

    @property
    def parts(self) -> list[Part]:
        """The pieces that are no part of the template."""
        return [piece for piece in self.pieces if isinstance(piece, Part)]

    def shown(self, show: Callable[[Part], str]) -> str:
        """The text with something else in the place of its parts.

        Parameters
        ----------
        show : gives what is written for a part

        Returns
        -------
        str
        """
        return "".join(show(piece) if isinstance(piece, Part) else piece for piece in self.pieces)

    def __add__(self, other: str) -> Text:
        return _joined([*self.pieces, *_pieces_of(other)])

    def __radd__(self, other: str) -> Text:
        return _joined([*_pieces_of(other), *self.pieces])

    def __mod__(self, other: object) -> str:  # a plain str: what is filled in is not declared
        return str(self) % other

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        return str(self)[key]


def told(template: str, *parts: str) -> Text:
    """A sentence from its template and what is filled in.

    Parameters
    ----------
    template : a constant of the program, each `{}` the place of a part
    parts : `Name`, `Level`, `Count`, `People`, `Share`, `Number`, or a `Text` of such; a plain str may mean anything

    Returns
    -------
    `Text`

    Raises
    ------
    ValueError : there are not as many parts as places

    Examples
    --------
    >>> said = told("{} differs in {}.", Name("age"), People(3, "row", of=40))
    >>> str(said), said.parts[1].n
    ('age differs in 3 of 40 rows.', 3)
    """
    between = template.split("{}")
    if len(between) != len(parts) + 1:
        raise ValueError(f"{template!r} has {len(between) - 1} places for {len(parts)} parts")
    pieces = [between[0]]
    for part, literal in zip(parts, between[1:], strict=True):
        pieces += [*_pieces_of(part), literal]
    return _joined(pieces)


def joined(texts: Iterable[str], between: str = " ") -> Text:
    """Texts in a row.

    Parameters
    ----------
    texts : what is joined
    between : what stands between two of them

    Returns
    -------
    `Text`
    """
    pieces: list[str] = []
    for text in texts:
        pieces += [*([between] if pieces else []), *_pieces_of(text)]
    return _joined(pieces)


def listed(texts: Iterable[str]) -> Text:
    """'a', 'a and b', 'a, b and c', as `engine.words.listed` writes them.

    Parameters
    ----------
    texts : what is listed

    Returns
    -------
    `Text`; empty for none
    """
    *most, last = list(texts) or [""]
    return told("{} and {}", joined(most, ", "), last) if most else joined([last])


def first(texts: Iterable[str], most: int = 5, between: str = ", ") -> Text:
    """'a, b' or, of many, 'a, b, c, d, e and 7 more', as `engine.words.first` writes them.

    Parameters
    ----------
    texts : what is listed
    most : how many are named
    between : what stands between two of them

    Returns
    -------
    `Text`; empty for none
    """
    every = list(texts)
    result = joined(every[:most], between)
    return told("{} and {} more", result, Count(len(every) - most)) if len(every) > most else result


def decapitalized(text: str) -> Text:
    """A sentence that goes on from another: its first letter is small.

    Parameters
    ----------
    text : a sentence that begins with a word of its template

    Returns
    -------
    `Text`
    """
    begins, *rest = _pieces_of(text)
    small = begins[0].lower() + begins[1:]
    if small == begins:  # a figure, which stays what it is
        return _joined([begins, *rest])
    return _joined([_Loose(small) if isinstance(begins, Part) else small, *rest])


def has_number(text: str) -> bool:
    """True of words with a figure, or with a word for a number or a part.

    Parameters
    ----------
    text : plain words

    Examples
    --------
    >>> has_number("Only two rows"), has_number("No row")
    (True, False)
    """
    plain = "".join(letter if letter.isalpha() else " " for letter in text.lower()).split()
    return any(letter.isnumeric() for letter in text) or not _NUMBER_WORDS.isdisjoint(plain)


def _pieces_of(text: str) -> tuple[str, ...]:
    if isinstance(text, Text):
        return text.pieces
    return (text if isinstance(text, Part) else _Loose(text),) if text else ()


def _joined(pieces: Iterable[str]) -> Text:
    own = tuple(piece for piece in pieces if piece)
    return Text("".join(own), own)
