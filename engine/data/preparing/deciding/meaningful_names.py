"""Cards for columns whose names and values tell their role: identifiers or none; times until an event, and events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.proposals import MOST_LEVELS
from engine.data.preparing.variables import Variable
from engine.data.reading.name_words import name_words, names_group
from engine.data.reading.naming import quoted
from engine.text import listed

_NUMBERED = re.compile(
    r"(?:^|[_\W])(?:nr|no|num|number|code|key|ref|reference|serial|zip|postcode|plz)(?:$|[_\W])", re.IGNORECASE
)
_FEWEST_ROWS = 20


def identifiers(view: TableView) -> Iterator[Finding]:
    """One card for names of identifiers that repeat, and one for numbers that are used though they tell rows apart."""
    free = [name for name in view.now if name not in view.choices.roles]
    few = [name for name in free if _may_be_levels(view, name)]
    if few:
        yield _identifier_card(view, few, "left out", {"use": {"kinds": dict.fromkeys(few, "nominal")}, "leave": {}})
    odd = [name for name in free if _may_be_identifier(view, name)]
    if odd:
        yield _identifier_card(view, odd, "used", {"drop": {"kinds": dict.fromkeys(odd, "ignore")}, "keep": {}})


def _identifier_card(view: TableView, columns: list[str], value: str, changes: Mapping[str, Change]) -> Finding:
    chosen = any(name in view.choices.kinds for name in columns)
    cost, rule = view.n * len(columns) / 8, f"identifier {value}"
    return Finding("identifier", columns, {}, changes, cost, value=value, rule=rule, chosen=chosen)


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
    first = name == next(iter(view.now))
    unique = variable.n_distinct == present
    return named or (unique and (_is_shuffled_list(variable) or _differ_on_purpose(variable, first=first)))


def _is_shuffled_list(variable: Variable) -> bool:
    numbers = variable.numbers
    return numbers is not None and bool(np.isclose(numbers[-1] - numbers[0], len(numbers) - 1))


_BY_CHANCE = 7.0
"""Pairs of equal numbers to be expected, from which on it is no chance that there is none."""
_DIGITS = 3


def _differ_on_purpose(variable: Variable, *, first: bool) -> bool:
    """True where whole numbers lie so close that some measures would be equal, or lead the table with equal digits."""
    numbers = variable.known_numbers
    low, high, n = float(numbers[0]), float(numbers[-1]), len(numbers)
    if n * n / (2 * (high - low + 1)) >= _BY_CHANCE:
        return True
    digits = {len(str(int(abs(value)))) for value in (low, high)}
    rounded = (numbers % 5 == 0).mean() > 0.5
    return first and low >= 0 and digits == {max(digits)} and max(digits) >= _DIGITS and not rounded


_FEWEST_TIMES = 10
_PLAIN_TIMES = {
    "time", "days", "months", "years", "weeks", "duration", "t", "stime", "dtime", "rtime", "ttime", "etime",
}  # fmt: skip
_SURE_TIMES = {
    "survival", "surv", "survtime", "survtimes", "futime", "fu", "followup", "follow", "os", "pfs", "dfs", "rfs", "efs",
    "ttp", "tte", "lifetime", "failtime", "eventtime", "timetoevent",
}  # fmt: skip
_AGES = {"age", "alter", "edad", "âge", "birth"}
"""Words of times since birth, in which nobody is followed."""
_EVENTS = {
    "event", "events", "dead", "death", "died", "deceased", "cens", "censor", "censors", "censored", "censoring",
    "uncensored", "fustat", "vitalstatus", "fail", "failure", "failed", "delta", "osstatus", "alive", "recur",
}  # fmt: skip
_STATES = {"status", "stat", "state", "relapse", "recurrence", "progression"}
"""Words that tell of an event only beside a time."""
_LATE = (_SURE_TIMES - {"os"}) | {
    "dead", "death", "died", "deceased", "alive", "stay", "los", "discharge", "discharged",
}  # fmt: skip
"""Words of what is known only when a stay or a follow-up ends; "os" is the left eye too."""
_EARLY = {"prior", "previous", "history", "family", "baseline", "admission"}


def known_late(names: Iterable[str]) -> tuple[str, ...]:
    """Which variables are known only when a stay or a follow-up ends, by their names: a guess.

    Parameters
    ----------
    names : of variables

    Returns
    -------
    those whose name says so, in their order

    Examples
    --------
    >>> from engine.data.preparing.deciding.meaningful_names import known_late
    >>> known_late(["age", "length of stay (days)", "futime", "previous hospital stay"])
    ('length of stay (days)', 'futime')
    """
    words = {name: set(name_words(name)) for name in names}
    return tuple(name for name, own in words.items() if own & _LATE and not own & (_EARLY | _AGES))


def survival(view: TableView) -> Iterator[Finding]:
    """One card for all times and states of events, where names and values agree."""
    free = [name for name in view.now if name not in view.choices.roles]
    times = {name: rank for name in free if (rank := _time_rank(name)) and _values_can_be_times(view.raw[name])}
    states = {name: rank for name in free if (rank := _state_rank(name)) and _values_can_be_states(view.raw[name])}
    # both by plain names ('days', 'state') say nothing; one that is sure is enough
    if not times or not states or max(times.values()) + max(states.values()) < 3:
        return
    least = 3 - max(states.values())
    when = [name for name, rank in times.items() if rank >= least]
    events = [name for name, rank in states.items() if rank + max(times.values()) >= 3]
    columns = [*when, *events]
    no_time: Change = {"kinds": dict.fromkeys(when, "ignore")}
    neither: Change = {"kinds": dict.fromkeys(columns, "ignore")}
    yield Finding(
        "survival",
        columns,
        {"both": listed([quoted(when), quoted(events)])},
        {"drop": neither, "status": no_time, "keep": {}},
        view.n / 2,
        effects={"status": "as if all had been followed equally long"},
        chosen=view.any_left_out(columns),
    )


def _time_rank(name: str) -> int:
    words = name_words(name)
    if not _AGES.isdisjoint(words):
        return 0
    if words == ("time",) or _SURE_TIMES & {*words, "".join(words)}:
        return 2
    return 1 if words and words[-1] in _PLAIN_TIMES and "age" not in words else 0


def _state_rank(name: str) -> int:
    words = name_words(name)
    if _EVENTS & {*words, "".join(words)}:
        return 2
    return 1 if len(words) <= 2 and _STATES & set(words) else 0


def _values_can_be_times(variable: Variable) -> bool:
    numbers = variable.numbers
    return variable.sort == "number" and numbers is not None and len(numbers) >= _FEWEST_TIMES and numbers[0] >= 0


def _values_can_be_states(variable: Variable) -> bool:
    return variable.sort in ("number", "words", "flag") and variable.n_distinct == 2
