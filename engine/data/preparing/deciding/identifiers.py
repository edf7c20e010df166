"""The card for columns that may or may not be identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding, key_of
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.proposals import MOST_LEVELS
from engine.data.preparing.roles import names_group
from engine.data.preparing.variables import Variable

_NUMBERED = re.compile(
    r"(?:^|[_\W])(?:nr|no|num|number|code|key|ref|reference|serial|zip|postcode|plz)(?:$|[_\W])", re.IGNORECASE
)
_FEWEST_ROWS = 20


def identifiers(view: TableView) -> Iterator[Finding]:
    """One card for names of identifiers that repeat, and one for numbers that are used though they tell rows apart."""
    free = [name for name in view.now if name not in view.choices.roles]
    few = [name for name in free if _may_be_levels(view, name)]
    if few:
        use: Change = {"kinds": dict.fromkeys(few, "nominal")}
        yield from _card(view, few, use, "left out")
    odd = [name for name in free if _may_be_identifier(view, name)]
    if odd:
        leave: Change = {"kinds": dict.fromkeys(odd, "ignore")}
        yield from _card(view, odd, leave, "used")


def _may_be_levels(view: TableView, name: str) -> bool:
    """Left out as an identifier, though it has few values that many rows share."""
    item = view.proposals[name]
    shared = item.distinct <= min(MOST_LEVELS, (view.n - item.missing) / 10)
    left_out = item.kind == "ignore" and item.reason.startswith("it looks like an identifier")
    return left_out and shared and names_group(name)


def _may_be_identifier(view: TableView, name: str) -> bool:
    """Used as a number, though its whole numbers differ and are a shuffled list or are called a number."""
    variable = view.now[name]
    if view.proposals[name].kind != "continuous" or not variable.whole or view.n < _FEWEST_ROWS:
        return False
    present = int((variable.codes >= 0).sum())
    named = _NUMBERED.search(name) is not None and variable.n_distinct > present / 2
    return named or (variable.n_distinct == present and _is_shuffled_list(variable))


def _is_shuffled_list(variable: Variable) -> bool:
    numbers = variable.numbers
    return numbers is not None and bool(np.isclose(numbers[-1] - numbers[0], len(numbers) - 1))


def _card(view: TableView, columns: list[str], change: Change, value: str) -> Iterator[Finding]:
    by_hand = any(name in view.choices.kinds for name in columns)
    if key_of("identifier", columns, value) in view.choices.settled or not by_hand:
        changes: dict[str, Change] = {"drop": change, "keep": {}} if value == "used" else {"use": change, "leave": {}}
        cost = view.n * len(columns) / 8
        yield Finding("identifier", columns, {}, changes, cost, value=value, rule=f"identifier {value}")
