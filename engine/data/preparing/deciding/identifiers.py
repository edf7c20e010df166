"""The card for columns that may or may not be identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from engine.data.preparing.deciding.decision import Change, Decision, Option, key_of, quoted
from engine.data.preparing.deciding.look import Look
from engine.data.preparing.proposals import MOST_LEVELS
from engine.data.preparing.roles import names_group
from engine.data.preparing.variables import Variable

_NUMBERED = re.compile(
    r"(?:^|[_\W])(?:nr|no|num|number|code|key|ref|reference|serial|zip|postcode|plz)(?:$|[_\W])", re.IGNORECASE
)
_FEWEST_ROWS = 20


def identifiers(look: Look) -> Iterator[Decision]:
    """One card for names of identifiers that repeat, and one for numbers that are used though they tell rows apart."""
    free = [name for name in look.now if name not in look.choices.roles]
    few = [name for name in free if _may_be_levels(look, name)]
    if few:
        use: Change = {"kinds": dict.fromkeys(few, "nominal")}
        yield from _card(look, key_of("identifier", few, "left out"), few, use, used=False)
    odd = [name for name in free if _may_be_identifier(look, name)]
    if odd:
        leave: Change = {"kinds": dict.fromkeys(odd, "ignore")}
        yield from _card(look, key_of("identifier", odd, "used"), odd, leave, used=True)


def _may_be_levels(look: Look, name: str) -> bool:
    """Left out as an identifier, though it has few values that many rows share."""
    one = look.proposals[name]
    shared = one.distinct <= min(MOST_LEVELS, (look.n - one.missing) / 10)
    left_out = one.kind == "ignore" and one.reason.startswith("it looks like an identifier")
    return left_out and shared and names_group(name)


def _may_be_identifier(look: Look, name: str) -> bool:
    """Used as a number, though its whole numbers differ and are a shuffled list or are called a number."""
    variable = look.now[name]
    if look.proposals[name].kind != "continuous" or not variable.whole or look.n < _FEWEST_ROWS:
        return False
    present = int((variable.codes >= 0).sum())
    named = _NUMBERED.search(name) is not None and variable.n_distinct > present / 2
    return named or (variable.n_distinct == present and _is_shuffled_list(variable))


def _is_shuffled_list(variable: Variable) -> bool:
    numbers = variable.numbers
    return numbers is not None and bool(np.isclose(numbers[-1] - numbers[0], len(numbers) - 1))


def _card(look: Look, key: str, columns: list[str], change: Change, *, used: bool) -> Iterator[Decision]:
    by_hand = key not in look.choices.settled and any(name in look.choices.kinds for name in columns)
    if by_hand:
        return
    named = quoted(columns)
    one = len(columns) == 1
    reason = (
        f"{'Its' if one else 'Their'} whole numbers tell nearly every row from every other."
        if used
        else f"{'Its' if one else 'Their'} name says so, but many rows share each value."
    )
    as_it_is = "it is a measure" if one else "they are measures"
    act, stay = ("Leave out", f"Keep, {as_it_is}") if used else ("Use as levels", "Leave out")
    yield from look.ask(
        key,
        columns,
        f"{named} {'looks like an identifier' if one else 'look like identifiers'}: "
        + (f"leave {'it' if one else 'them'} out?" if used else f"use {'its' if one else 'their'} values as levels?"),
        reason,
        (
            Option("drop" if used else "use", act, "", change),
            Option("keep" if used else "leave", stay, "", {}),
        ),
        look.n * len(columns) / 8,
    )
