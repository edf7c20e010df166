"""The values of one column of the open table, all its rows, as far as a filter or a new column asks for them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from dashboard.session.session import session
from dashboard.session.work import work
from engine.data.dataset import Recipe
from engine.data.preparing.conditions import OF_GAPS, OF_NUMBERS, OF_VALUES
from engine.data.preparing.shaping import shape_columns
from engine.data.preparing.variables import Variable
from engine.errors import DataError

MOST_LISTED = 500
_SHAPING = ("missing_tokens", "limits", "derive")


@dataclass(frozen=True)
class Values:
    """What a column holds.

    Attributes
    ----------
    sort : "number", "date" or "words": what it can be compared by
    listed : value -> rows, where there are few enough to list
    ends : the lowest and the highest in words, of numbers and dates
    missing : cells without a value
    """

    sort: str
    listed: dict[str, int]
    ends: tuple[str, str] = ("", "")
    missing: int = 0

    def conditions(self) -> list[str]:
        """What can be said of it, the likeliest first."""
        named = list(OF_VALUES) if self.listed else []
        ordered = list(OF_NUMBERS) if self.sort != "words" else []
        few = self.sort == "words" or len(self.listed) <= 10
        both = [*named, *ordered] if few else [*ordered, *named]
        return [*both, *(OF_GAPS if self.missing else ())]


@dataclass
class _Looked:
    """The columns that were looked at while the choices that shape them stood so."""

    key: str = ""
    found: dict[str, Values] = field(default_factory=dict)


def values_of(name: str) -> Values:
    """The values of a column, new ones included; of all rows, whatever the filter says."""
    state, current = session(), work()
    if state.table is None:
        return Values("words", {})
    shaping = {what: current.chosen[what] for what in _SHAPING if current.chosen.get(what)}
    key, seen = json.dumps(shaping, default=str), state.state(_Looked)
    if seen.key != key:
        seen.key, seen.found = key, {}
    if name not in seen.found:
        try:
            result = shape_columns(state.table, Recipe(**shaping), [name]).get(name)
        except DataError:  # the page says why these choices cannot be used
            result = None
        seen.found[name] = Values("words", {}) if result is None else summed_up(result)
    return seen.found[name]


def summed_up(variable: Variable) -> Values:
    """A column's values in short."""
    if variable.sort == "unusable":
        return Values("words", {}, missing=variable.n_missing)
    seen = variable if variable.numbers is not None else variable.as_numbers() or variable.as_days() or variable
    names = seen.level_names()
    sort = "words" if seen.numbers is None else "date" if seen.sort == "date" else "number"
    listed = variable.n_distinct <= MOST_LISTED
    counts = dict(zip(variable.level_names(), variable.counts().tolist(), strict=True)) if listed else {}
    return Values(sort, counts, (names[0], names[-1]) if names and sort != "words" else ("", ""), seen.n_missing)
