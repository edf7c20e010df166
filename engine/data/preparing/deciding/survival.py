"""The card for a time until an event and whether the event came: rows that were followed for different lengths."""

from __future__ import annotations

from collections.abc import Iterator

from engine.data.preparing.deciding.decision import Change, Finding, key_of, quoted
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.roles import name_words
from engine.data.preparing.variables import Variable
from engine.words import listed

_FEWEST_TIMES = 10
_PLAIN_TIMES = {
    "time",
    "days",
    "months",
    "years",
    "weeks",
    "duration",
    "t",
    "stime",
    "dtime",
    "rtime",
    "ttime",
    "etime",
}
_SURE_TIMES = {
    "survival", "surv", "survtime", "survtimes", "futime", "fu", "followup", "follow", "os", "pfs", "dfs", "rfs", "efs",
    "ttp", "tte", "lifetime", "failtime", "eventtime", "timetoevent",
}  # fmt: skip
_EVENTS = {
    "event", "events", "dead", "death", "died", "deceased", "cens", "censor", "censors", "censored", "censoring",
    "uncensored", "fustat", "vitalstatus", "fail", "failure", "failed", "delta", "osstatus", "alive", "recur",
}  # fmt: skip
_STATES = {"status", "stat", "state", "relapse", "recurrence", "progression"}
"""Words that tell of an event only beside a time."""


def survival(view: TableView) -> Iterator[Finding]:
    """One card for all times and states of events, where names and values agree."""
    free = [name for name in view.now if name not in view.choices.roles]
    times = {name: rank for name in free if (rank := _time_rank(name)) and _is_time(view.raw[name])}
    states = {name: rank for name in free if (rank := _state_rank(name)) and _is_state(view.raw[name])}
    # both by plain names ('days', 'state') say nothing; one that is sure is enough
    if not times or not states or max(times.values()) + max(states.values()) < 3:
        return
    least = 3 - max(states.values())
    when = [name for name, rank in times.items() if rank >= least]
    events = [name for name, rank in states.items() if rank + max(times.values()) >= 3]
    columns = [*when, *events]
    key = key_of("survival", columns)
    if key not in view.choices.settled and any(view.kinds[name] == "ignore" for name in columns):
        return
    no_time: Change = {"kinds": dict.fromkeys(when, "ignore")}
    neither: Change = {"kinds": dict.fromkeys(columns, "ignore")}
    yield Finding(
        "survival",
        columns,
        {"both": listed([quoted(when), quoted(events)])},
        {"drop": neither, "status": no_time, "keep": {}},
        view.n / 2,
        effects={"status": "as if all had been followed equally long"},
    )


def _time_rank(name: str) -> int:
    words = name_words(name)
    if words == ["time"] or _SURE_TIMES & {*words, "".join(words)}:
        return 2
    return 1 if words and _PLAIN_TIMES.issuperset([words[0]] if len(words) == 1 else words[-1:]) else 0


def _state_rank(name: str) -> int:
    words = name_words(name)
    if _EVENTS & {*words, "".join(words)}:
        return 2
    return 1 if len(words) <= 2 and _STATES & set(words) else 0


def _is_time(variable: Variable) -> bool:
    numbers = variable.numbers
    return variable.sort == "number" and numbers is not None and len(numbers) >= _FEWEST_TIMES and numbers[0] >= 0


def _is_state(variable: Variable) -> bool:
    return variable.sort in ("number", "words", "flag") and variable.n_distinct == 2
