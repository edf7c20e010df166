"""Every answer of a session as a card: it stays when the next one comes, and when another table is opened."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from dashboard.jobs.job_queue import method_key
from dashboard.server.memory import memory
from engine import by_group
from engine.methods.registry import METHODS
from engine.telling.masking import hidden_counts

if TYPE_CHECKING:
    from engine import Dataset
    from engine.methods.result import Result

MOST_CARDS = 60
"""Cards of a session; the oldest goes first that nobody starred, named or noted."""
MOST_ALIKE = 8
"""Cards of one method that came by a click through patients, not by a press."""


@dataclass(frozen=True)
class ColumnNames:
    """Names of a table's columns on screen.

    Attributes
    ----------
    labels, scales : column -> label, and the scale that it is a part of
    backwards : columns whose levels run backwards
    """

    labels: dict[str, str] = field(default_factory=dict)
    scales: dict[str, str] = field(default_factory=dict)
    backwards: tuple[str, ...] = ()


@dataclass(eq=False)
class Card:
    """An answer, and what its reader made of it.

    Attributes
    ----------
    key : what was asked: no two cards of a session have the same
    result : the answer
    data : the data set it was made from; None where it came out of a file without its table
    source : name of the table (user text; escape it)
    created : when
    title : the reader's own name for it, "" where none was given
    note : what the reader wrote beside it
    starred : whether its reader wants it in the report, None as long as nobody has said
    group : what part of the table it is about, where it is one of several runs by group
    seconds : how long it took to compute, None where that is not known
    arguments : what `run` took beside the data
    pressed : somebody pressed a button for it
    number : of the card, for its widgets
    names : what the columns of its table are called; None as long as that is the open one
    """

    key: Hashable
    result: Result
    data: Dataset | None = None
    source: str = ""
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    title: str = ""
    note: str = ""
    starred: bool | None = None
    group: str = ""
    seconds: float | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    pressed: bool = True
    number: int = 0
    names: ColumnNames | None = None

    @property
    def slug(self) -> str:
        """Of the method."""
        return self.result.slug

    @property
    def own(self) -> bool:
        """Whether its reader did something to it, so that it is not thrown away to make room."""
        return bool(self.starred or self.title or self.note)

    def name(self) -> str:
        """What it is called on screen: the reader's name, else what sets it apart; its page is said beside it."""
        return self.title or self.group or self.result.short_title() or type(self.result.method).title

    def asked(self) -> str:
        """Its title on the page of results and in the report: the reader's name, else the question in plain words."""
        question = self.result.question()
        return self.title or (f"{self.group}: {question}" if self.group else question)

    def unusual(self) -> dict[str, Any]:
        """The settings that differ from those the method begins with."""
        method = self.result.method
        usual = {field.name: field.default for field in fields(method)}
        values = method.shown()
        return {name: value for name, value in values.items() if getattr(method, name, None) != usual.get(name)}


class Cards:
    """The cards of a session, the latest last; the one deleted last can be had back."""

    def __init__(self) -> None:
        self._cards: list[Card] = []
        self._deleted: tuple[int, Card] | None = None
        self._numbers = 0
        self.version = 0
        """Grows with every change."""
        self.saved = 0
        """The version that was saved last."""

    def __len__(self) -> int:
        return len(self._cards)

    def __iter__(self) -> Any:
        return iter(list(self._cards))

    def get(self, key: Hashable) -> Card | None:
        """The card of what was asked."""
        return next((card for card in self._cards if card.key == key), None)

    def numbered(self, number: int | None) -> Card | None:
        """The card of this number."""
        return next((card for card in self._cards if card.number == number), None)

    def add(self, card: Card) -> Card:
        """Put a card last; the one that is there already for the same question stays, with the later result."""
        present = self.get(card.key)
        if present is not None:
            self.change(present, result=card.result)
            return present
        self._numbers += 1
        card.number = self._numbers
        self._cards.append(card)
        if not card.pressed:
            self._thin([item for item in self._cards if item.slug == card.slug and not item.pressed], MOST_ALIKE)
        self._thin(self._cards, MOST_CARDS)
        self.version += 1
        return card

    def _thin(self, among: list[Card], most: int) -> None:
        surplus = [item for item in among if not item.own][: max(0, len(among) - most)]
        self._cards = [card for card in self._cards if card not in surplus]

    def change(self, card: Card, **changes: Any) -> None:
        """Name, note or star a card, or give it a result to which something was added."""
        for name, value in changes.items():
            if getattr(card, name) != value:
                setattr(card, name, value)
                self.version += 1

    def delete(self, card: Card) -> None:
        """Take a card away; `undo` brings it back until the next is deleted."""
        self._deleted = (self._cards.index(card), card)
        self._cards.remove(card)
        self.version += 1

    @property
    def deleted(self) -> Card | None:
        """The card that was deleted last, while it can be had back."""
        return None if self._deleted is None else self._deleted[1]

    def undo(self) -> None:
        """Bring back the card that was deleted last, where it stood."""
        if self._deleted is None:
            return
        place, card = self._deleted
        self._deleted = None
        newer = self.get(card.key)
        if newer is not None:  # asked again meanwhile: the one with what its reader wrote stays
            self._cards.remove(newer)
        self._cards.insert(place, card)
        self.version += 1

    def for_good(self) -> None:
        """What was deleted cannot be had back any more."""
        self._deleted = None

    @property
    def in_report(self) -> list[Card]:
        """The cards with a star: all that nobody took it from, but a group alone and a patient only passed by."""
        whole = [card for card in self._cards if not card.group]
        passed = [card for card in whole if not card.pressed and card.result.whose == "person"][:-1]
        usual = [card for card in whole if card not in passed]
        return (
            [card for card in self._cards if card.starred or (card.starred is None and card in usual)]
            or usual
            or [*self]
        )

    def put_in_report(self, card: Card, wanted: bool = True) -> None:
        """Give a card its star, or take it."""
        self.change(card, starred=wanted)

    @property
    def unsaved(self) -> bool:
        """True where something changed since the last saving."""
        return self.version > self.saved and bool(self._cards)

    def clear(self) -> None:
        """Nothing is left."""
        self.__init__()  # type: ignore[misc]


MOST_GROUPS = 6
"""Levels of a column that the same question is put to one by one."""
LEAST_ROWS = 2
"""Rows that a group needs to be asked."""


def asked_levels(data: Dataset, column: str) -> list[str]:
    """The levels of a column that have rows enough; where small counts are hidden, those whose counts are shown."""
    rows = np.bincount(data.column(column), minlength=len(data.levels[column])).tolist()
    small, others = hidden_counts(rows, memory().smallest_cell)
    return [
        level
        for place, (level, number) in enumerate(zip(data.levels[column], rows, strict=True))
        if number >= LEAST_ROWS and place not in small | others
    ]


def group_name(column: str, level: str) -> str:
    """What a group is called on its card."""
    return f"{column} = {level}"


def parts_of(data: Dataset, column: str) -> dict[str, Dataset]:
    """Name of a group -> its rows, of the groups that have rows enough."""
    asked = asked_levels(data, column)
    return {group_name(column, level): part for level, part in by_group(data, column).items() if level in asked}


def too_small(data: Dataset, column: str) -> list[str]:
    """The levels of a column that have too few rows to be asked."""
    asked = asked_levels(data, column)
    return [level for level in data.levels[column] if level not in asked]


def column_of(group: str, data: Dataset) -> str | None:
    """The column that a group's name is about; None where the table has none such."""
    return next(
        (name for name in data.names if group in {group_name(name, level) for level in data.levels[name]}), None
    )


def rows_behind(result: Any, group: str, data: Dataset | None) -> Dataset | None:
    """The data of an answer: the open table, or its rows of that group; None where it is neither."""
    if data is None:
        return None
    if not group:
        return data if data.is_of(result.fingerprint) else None
    column = column_of(group, data)
    part = None if column is None else parts_of(data, column).get(group)
    return part if part is not None and part.is_of(result.fingerprint) else None


def needs_no_arguments(result: Any, own: Dataset | None) -> bool:
    """Whether its method's page asks for it by its settings alone."""
    return own is not None and result.slug in METHODS and not METHODS[result.slug].first_asked(own)


def give(card: Card, data: Dataset) -> bool:
    """Give a card the rows it was made from, where this table has them; whether it has them."""
    card.data = rows_behind(card.result, card.group, data)
    if card.data is None:
        return False
    if isinstance(card.key, tuple) and card.key[:1] == ("kept",):
        card.pressed = needs_no_arguments(card.result, card.data)
        if card.pressed:
            card.key = method_key(card.result.method, card.data)
    return True
