"""What an export declares about its right reading, and how a reading is judged by it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import engine
from engine.data.preparing.deciding.decision import Decision, Option
from engine.data.preparing.deciding.table_view import view_table
from engine.data.preparing.levels import coded
from engine.data.preparing.roles import propose_roles
from engine.errors import DataError

MOST_PRESSES = 12
OUT = "ignore"
"""The kind of what is no variable: identifiers, dates, constants, free text."""


@dataclass(frozen=True)
class Right:
    """The right reading of one column.

    Attributes
    ----------
    kind : "nominal", "ordinal", "continuous" or "ignore"; several that are all right are parted by a bar
    levels : of a nominal column in any order, of an ordinal one from either end; None where it does not matter
    missing : cells without a value; None where it does not matter
    subject : whether it says whose row each is, where persons have several: then it has that role, or a card offers it
    """

    kind: str
    levels: Sequence[str] | None = None
    missing: int | None = None
    subject: bool = False


@dataclass(frozen=True)
class Export:
    """A file as a program writes it.

    Attributes
    ----------
    program, switch : what wrote it, and which of its quirks it has
    name, content : of the file
    rows : of data that are in it
    columns : name -> its right reading, of all columns that are read
    group : the column that says who is in which group, "" where that is open
    subtracted : its level with which the other is compared, "" where that is open
    presses : most presses until all of it is right
    """

    program: str
    switch: str
    name: str
    content: bytes
    rows: int
    columns: Mapping[str, Right]
    group: str = ""
    subtracted: str = ""
    presses: int = 2

    def __str__(self) -> str:
        return f"{self.program}, {self.switch}"


@dataclass
class Verdict:
    """How an export was read: its columns by whether they were right unasked, right after a press, or neither.

    Attributes
    ----------
    right, asked : names of columns
    wrong : column -> what it was read as instead, without a word
    refused : the sentence of a file that is not read; then no column is any of these
    cards : open ones at first
    presses : until no press made more right
    """

    right: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    wrong: dict[str, str] = field(default_factory=dict)
    refused: str = ""
    cards: int = 0
    presses: int = 0


def every_export() -> Iterator[Export]:
    """The switches of all programs."""
    package = importlib.import_module("tests.exports")
    for module in sorted(item.name for item in pkgutil.iter_modules(package.__path__)):
        yield from getattr(importlib.import_module(f"tests.exports.{module}"), "exports", lambda: ())()


def judge(export: Export) -> Verdict:
    """Read an export as a new user would: press whatever makes more of it right, until nothing does."""
    verdict = Verdict()
    try:
        engine.read_table(export.content, name=export.name)
    except DataError as error:
        return Verdict(refused=str(error))
    state = _State.of(export, {}, {})
    verdict.right = [name for name, why in state.wrong.items() if not why]
    verdict.cards = len(state.open)
    while verdict.presses < MOST_PRESSES and any(state.wrong.values()):
        better = [_pressed(export, state, card, way) for card in state.open for way in card.options]
        best = max(better, key=lambda item: item.score, default=state)
        if best.score <= state.score:
            break
        state, verdict.presses = best, verdict.presses + 1
    verdict.asked = [name for name, why in state.wrong.items() if not why and name not in verdict.right]
    verdict.wrong = {name: why for name, why in state.wrong.items() if why}
    return verdict


@dataclass
class _State:
    choices: dict[str, Any]
    reading: dict[str, Any]
    open: list[Decision]
    wrong: dict[str, str]

    @property
    def score(self) -> int:
        return sum(not why for why in self.wrong.values())

    @classmethod
    def of(cls, export: Export, choices: dict[str, Any], reading: dict[str, Any]) -> _State:
        """What is right and what is asked with these choices."""
        table = engine.read_table(export.content, name=export.name, **reading)
        recipe = engine.Recipe(**choices)
        cards = [card for card in engine.decisions(table, recipe) if card.key not in recipe.settled]
        return cls(choices, reading, cards, _wrong_columns(export, table, recipe))


def _pressed(export: Export, state: _State, card: Decision, way: Option) -> _State:
    arguments = engine.settle({**state.choices, "reading": state.reading}, card, way)
    reading = dict(arguments.pop("reading", {}))
    try:
        return _State.of(export, arguments, reading)
    except DataError:  # nothing is left: no reading at all
        return _State(arguments, reading, [], dict.fromkeys(export.columns, "nothing left"))


def _wrong_columns(export: Export, table: Any, recipe: engine.Recipe) -> dict[str, str]:
    """Column -> what is wrong with it, "" where nothing is; those that nobody expects are among them."""
    seen = view_table(table, recipe)
    result = dict.fromkeys(export.columns, "the table lacks it")
    rows = "" if len(table) == export.rows else f"{len(table)} rows instead of {export.rows}"
    roles = {**propose_roles(table), **recipe.roles}
    for name, kind in seen.kinds.items():
        right, variable = export.columns.get(name), seen.now[name]
        if right is None:
            result[name] = rows or f"nobody expects it ({kind})"
            continue
        whose = roles.get(name) in ("subject", "identifier", "time")
        kind = OUT if whose else kind
        why = rows
        if kind not in right.kind.split("|"):
            why = why or f"{kind} instead of {right.kind}"
        elif right.subject and roles.get(name) != "subject":
            why = why or "no subject"
        elif right.missing is not None and variable.n_missing != right.missing:
            why = why or f"{variable.n_missing} missing instead of {right.missing}"
        elif kind in ("nominal", "ordinal") and right.levels is not None:
            levels = coded(variable, kind, None, recipe).levels
            same = (
                sorted(map(str.casefold, levels)) == sorted(map(str.casefold, right.levels))
                if kind == "nominal"
                else list(levels) in (list(right.levels), list(right.levels)[::-1])
            )
            why = why or ("" if same else f"levels {list(levels)}")
        result[name] = why
    return result
