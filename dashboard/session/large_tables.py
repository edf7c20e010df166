"""What walks through all cells of a table: here where it is small, in a process that may die where it is large.

A large one is handed to the process as it lies in memory. What comes back is small, or the codes.
"""

from __future__ import annotations

import hashlib
import json
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.runner import Budget
from dashboard.jobs.table_work import call
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from engine import DataError
from engine.data.reading.limits import Limits
from engine.words import duration

if TYPE_CHECKING:
    import pandas as pd

    from dashboard.jobs.runner import Job

LARGE_CELLS = 2_000_000
"""Cells of a table from which on a process of its own looks at it: here numbers would take a third of a second."""
LARGE_TEXTS = 1_000_000
"""Bytes of its texts, each level of a column of categories once, from which on too: half a second here."""
BUDGET = Budget(Limits().memory_bytes, Limits().seconds)
"""As much as reading its file may take."""
POLL_SECONDS = 0.5
STOPPED = "Stopped. Change a choice, or open the table again."


class Unanswered(DataError):
    """The process that looked at a table ended before it had a result."""


def is_large(table: pd.DataFrame) -> bool:
    """True where a table has so many cells, or so much text, that no page walks through it."""
    return _known(table)[1]


_KNOWN: dict[int, tuple[int, bool]] = {}
_NUMBERS = count()


def _known(table: pd.DataFrame) -> tuple[int, bool]:
    """A number that no other table has, and whether it is a large one."""
    place = id(table)
    if place not in _KNOWN:
        _KNOWN[place] = next(_NUMBERS), table.size >= LARGE_CELLS or _text_bytes(table) >= LARGE_TEXTS
        weakref.finalize(table, _KNOWN.pop, place, None)
    return _KNOWN[place]


def _text_bytes(table: pd.DataFrame) -> int:
    columns = [table.iloc[:, place] for place, kind in enumerate(table.dtypes) if kind.kind == "O"]
    return sum(int(getattr(column.array, "categories", column.array).nbytes) for column in columns)


@contextmanager
def opening() -> Iterator[None]:
    """A table is being opened: whoever waits for it meanwhile is not interrupted."""
    state = session()
    earlier, state.opening = state.opening, True
    try:
        yield
    finally:
        state.opening = earlier


def ask_table(words: str, function: Callable[..., Any], table: pd.DataFrame, *more: Any) -> Any:
    """What `function(table, *more)` gives; the page says `words` and waits.

    While a page is drawn, a press interrupts the waiting, not the work: the next look at the page goes on with it.
    While a table is opened, it cannot.

    Raises
    ------
    DataError : the function's own; `Unanswered` where its process ended, which is not begun anew by itself
    """
    if not is_large(table):
        return function(table, *more)
    queue = session().job_queue
    key = ("table", _known(table)[0], getattr(function, "__qualname__", ""), _digest(function, more))
    job = queue.get(key) or queue.start(key, call, function, table, more, place=f"table.{words}", budget=BUDGET)
    _wait(job, words)
    if job.state == "done":
        queue.forget(key)
        return job.result
    if job.refused or job.ended is None or session().opening:  # what a limit stopped has not begun: it may do so later
        queue.forget(key)
    if job.refused:
        raise DataError(job.error or "", column=job.column)
    raise Unanswered(STOPPED if job.state == "cancelled" else job.error or "")


def _digest(function: Callable[..., Any], more: tuple[Any, ...]) -> str:
    """What else the result depends on."""
    owner = getattr(function, "__self__", None)
    asked = [_plain(item) for item in (owner, *more)]
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()


def _plain(item: Any) -> Any:
    return item.to_dict() if hasattr(item, "to_dict") else dict(item) if isinstance(item, Mapping) else item


def _wait(job: Job, words: str) -> None:
    """Wait for a job with how long it takes on screen; with a button to stop it, where a press can be heard."""
    if session().opening:
        with st.spinner(words, show_time=True):
            job.wait()
        return
    if job.wait(POLL_SECONDS):
        return
    place = st.empty()
    with place.container():
        bar, button = st.columns([6, 1], vertical_alignment="center")
        button.button("Cancel", key=widget_key("cancel", id(job)), on_click=job.cancel, width="stretch")
        while job.active:  # the bar is where Streamlit hears of a press
            bar.progress(job.fraction, text=f"{words} ({duration(job.elapsed)})")
            job.wait(POLL_SECONDS)
    place.empty()
