"""Everything one user's session keeps, in one typed place."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from dashboard.jobs.job_queue import JobQueue, method_key, server_runner
from dashboard.server.memory import garbage
from dashboard.session.budget import session_bytes
from dashboard.session.caches import Figures, Layouts
from dashboard.session.cards import Card, Cards, ColumnNames, give, needs_no_arguments
from dashboard.session.private_parts import this_run
from engine import SavedResult
from engine.methods.registry import METHODS

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from dashboard.jobs.runner import Job
    from engine import Dataset
    from engine.methods.method import Method
    from engine.methods.result import Result

_KEY = "diptych"
_drawn = threading.local()
"""Of each thread that draws pages: for what, and whose session it shows; neither is held."""
MOST_ANALYSES = 16
"""Analyses that a session keeps with their answers; the oldest goes first."""

State = TypeVar("State")


@dataclass
class Rerun:
    """What asking everything again of another table led to.

    Attributes
    ----------
    words : on what of the table did not fit
    new_keys : number of a card -> key of the card that its new answer will be
    refused : number of a card -> why it was not asked
    """

    words: tuple[str, ...] = ()
    new_keys: dict[int, Hashable] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)


@dataclass
class Waiting:
    """A file that would take the place of what is open: kept until its reader says so.

    Attributes
    ----------
    content, name : of the file
    rerun : everything is to be asked of it, in place of opening it as a project
    """

    content: bytes
    name: str = ""
    rerun: bool = False


@dataclass(eq=False)
class Analysis:
    """One question that was put to a table.

    Attributes
    ----------
    method : the settings
    key : what makes two of them equal
    arguments : what `run` took beside the data, such as instance and target
    job : that computes it, None where the answer was there at once
    answer : the answer that was there at once
    data : what it was asked of
    group : what part of the table that is, where the same is asked of several
    """

    method: Method
    key: Hashable
    arguments: Mapping[str, Any] = field(default_factory=dict)
    job: Job | None = None
    answer: Result | None = None
    data: Dataset | None = None
    group: str = ""
    carded: Result | None = field(default=None, repr=False)

    @property
    def slug(self) -> str:
        """Of the method."""
        return self.method.slug

    @property
    def result(self) -> Any | None:
        """The answer; None until it is there."""
        return self.answer if self.job is None else self.job.result


@dataclass
class PageState:
    """State of a method's page.

    Attributes
    ----------
    settings : setting -> the value its form begins with, in place of what the method proposes
    run : it shall run as soon as the page is seen, without a press
    method : the settings it was last asked to run with
    opened : number of the card that it shows in place of what the table is asked
    """

    settings: dict[str, Any] = field(default_factory=dict)
    run: bool = False
    method: Method | None = None
    opened: int | None = None

    def ask_run(self) -> None:
        """Let it run as soon as the page is drawn."""
        self.run = True

    def take_run(self) -> bool:
        """Whether it shall run now; asked once, answered once."""
        run, self.run = self.run, False
        return run


@dataclass
class Session:
    """One user's work. It lives in memory only; `dashboard.server.memory` says until when.

    Attributes
    ----------
    table : the table as it was read, None before an upload and where it was opened by its path
    source : its name for the screen (user text; escape it)
    dataset : the prepared table the methods run on, None before preparing
    place : slug of the page on screen
    choices : page or editor -> what the user chose there, for pages that are no method's
    picked : page -> the variable in the spotlight
    analyses : what was asked of the open table, the latest last
    cards : every answer, of this table and of those before
    layouts : where variables stand
    figures : those drawn last
    pictures : stem -> the figure of that name on the page, and its numbers
    job_queue : the session's jobs and their remembered results
    touched : when its pages were drawn last
    notes : what its user wrote about it as a whole; `write_notes` changes them
    rerun : what asking everything again of another table led to
    waiting : a file that would take the place of what is open
    warnings : sentences on what could not be opened of the file that was opened last
    locked : since when its page shows nothing, None while it does
    opening : a table is being opened, which no press may interrupt halfway
    wanted : the sample that a page without a table asked for; the frame opens it before the next page
    names : what columns are called on the page, where it shows results of other tables than the open one
    """

    table: pd.DataFrame | None = None
    source: str = ""
    dataset: Dataset | None = None
    place: str = ""
    choices: dict[str, dict[str, Any]] = field(default_factory=dict)
    picked: dict[str, str | None] = field(default_factory=dict)
    analyses: list[Analysis] = field(default_factory=list)
    cards: Cards = field(default_factory=Cards)
    layouts: Layouts = field(default_factory=Layouts)
    figures: Figures = field(default_factory=Figures)
    pictures: dict[str, tuple[go.Figure, pd.DataFrame | None]] = field(default_factory=dict)
    job_queue: JobQueue = field(default_factory=lambda: JobQueue(server_runner()))
    touched: float = field(default_factory=time.monotonic)
    notes: str = ""
    rerun: Rerun | None = None
    waiting: Waiting | None = None
    warnings: tuple[str, ...] = ()
    wanted: str = ""
    locked: float | None = None
    opening: bool = False
    names: ColumnNames | None = None
    _looked: tuple[str, int] | None = None
    _quiet: list[tuple[str, Job]] = field(default_factory=list)
    _pages: dict[str, PageState] = field(default_factory=dict)
    _states: dict[type, Any] = field(default_factory=dict)

    def go(self, place: str) -> None:
        """A page is on screen; what ran in the background of another one ends."""
        self.place, self.touched, self.names = place, time.monotonic(), None
        self.pictures.clear()
        self.collect()
        self.give_data()
        for where, job in self._quiet:
            if where != place:
                self.job_queue.withdraw(job)
        self._quiet = [(where, job) for where, job in self._quiet if where == place and job.active]

    def quietly(self, key: Hashable, function: Callable[..., Any], *args: Any) -> Job:
        """A job that nobody pressed a button for: begun once, and ended when the page is left; taken up again then."""
        earlier = self.job_queue.get(key)
        if earlier is not None and (earlier.state != "failed" or earlier.ended):  # cancelled: the user wants it so
            return earlier
        for _, other in self._quiet:  # of the same kind, for settings that are no longer those on screen
            if isinstance(key, tuple) and isinstance(other.key, tuple) and other.key[0] == key[0]:
                self.job_queue.withdraw(other)
        job = self.job_queue.start(key, function, *args, quiet=True)
        self._quiet.append((self.place, job))
        return job

    def page(self, slug: str) -> PageState:
        """State of a method's page, made on first use."""
        return self._pages.setdefault(slug, PageState())

    def begin(self, slug: str, settings: Mapping[str, Any], *, run: bool = True) -> None:
        """Let a method's page begin with these settings and run at once."""
        self._pages[slug] = PageState(dict(settings), run)

    def forget(self, slug: str) -> None:
        """Let a method's page begin as if nobody had seen it."""
        self._pages.pop(slug, None)

    def state(self, kind: type[State]) -> State:
        """What else a page keeps, as a value of its own type; made on first use.

        It goes with the table, unless its type says `OUTLASTS_TABLE`; then at the end of the session.
        """
        if kind not in self._states:
            self._states[kind] = kind()
        state: State = self._states[kind]
        return state

    # -- analyses -----------------------------------------------------------------------------------------------------

    def ask(
        self,
        method: Method,
        data: Dataset,
        *more: Any,
        arguments: Mapping[str, Any] | None = None,
        opened: bool = False,
    ) -> Analysis:
        """Run these settings as a job, and let them be what the method's page shows; `opened` without a press, until
        the page is left.
        """
        page = self.page(method.slug)
        page.method, page.opened = method, None
        key = method_key(method, data, *more)
        job = self.job_queue.start(key, method.run, data, *more, place=method.slug, opened=opened)
        self._quiet = [item for item in self._quiet if item[1] is not job] + ([(self.place, job)] if opened else [])
        return self.keep(Analysis(method, job.key, arguments or {}, job, data=data))

    def begins_at_once(self, method: Method, data: Dataset, seconds: float, *more: Any) -> bool:
        """Whether these settings are asked without a press: what takes so long at most, and was not stopped before."""
        key = method_key(method, data, *more)
        job, analysis = self.job_queue.get(key), self.analysis(key)
        if self.page(method.slug).method == method and analysis is not None and (job or analysis.result is not None):
            return False  # it is on the page, or was stopped there
        if job is not None:
            return job.active or job.state == "done"
        return self.has_time(method, data, seconds)

    def has_time(self, method: Method, data: Dataset, seconds: float) -> bool:
        """Whether these settings are estimated to take so long at most, and the server has room for an unasked run."""
        return 0 < method.cost_of(data).seconds <= seconds and self.job_queue.has_room  # 0: never measured

    def ask_group(self, method: Method, data: Dataset, group: str) -> Analysis:
        """Run these settings on a part of the table; the method's page goes on showing the whole."""
        place = f"{method.slug}.{group}"
        job = self.job_queue.start(method_key(method, data), method.run, data, place=place)
        return self.keep(Analysis(method, job.key, job=job, data=data, group=group))

    def leave_groups(self, slug: str, stay: Collection[Hashable] = ()) -> None:
        """What still runs of a method's groups ends, but for those of these keys: something else is asked now."""
        for analysis in self.analyses:
            if (
                analysis.slug == slug
                and analysis.group
                and analysis.job is not None
                and analysis.job.active
                and analysis.key not in stay
            ):
                analysis.job.cancel()

    def rerun_card(self, card: Card) -> Hashable:
        """Put a card's question to the open table as a job; the key of the card that its answer will be.

        Raises
        ------
        DataError : the table lacks a variable that the question is about
        """
        if self.dataset is None:
            raise ValueError("there is no table to ask")
        result, data = card.result, self.dataset
        SavedResult(result).check(data)
        key = (
            method_key(result.method, data)
            if card.pressed and needs_no_arguments(result, data)
            else ("again", *method_key(result.method, data), card.number)
        )
        job = self.job_queue.start(key, result.rerun, data, place=f"{card.slug}.again.{card.number}")
        self.keep(Analysis(result.method, key, card.arguments, job, data=data))
        return key

    def keep(self, analysis: Analysis, most: int = MOST_ANALYSES) -> Analysis:
        """Put an analysis last; `most` is how many of its method are kept. What still runs stays beyond that."""
        self.collect()  # before any goes: an answer that came just now has its card
        self.analyses = [item for item in self.analyses if item.key != analysis.key]
        free = [item for item in self.analyses if item.job is None or not item.job.active]
        mine = [item for item in free if item.slug == analysis.slug]
        dropped = {id(item) for item in mine[: max(0, len(mine) - most + 1)]}
        dropped |= {id(item) for item in free[: max(0, len(self.analyses) - MOST_ANALYSES + 1)]}
        self.analyses = [*(item for item in self.analyses if id(item) not in dropped), analysis]
        self.collect()
        return analysis

    def collect(self) -> bool:
        """Make a card of every answer that has come since; whether somebody had pressed a button for one of them."""
        awaited = False
        for analysis in self.analyses:
            if analysis.result is not None and analysis.carded is not analysis.result:
                analysis.carded = analysis.result
                took = None if analysis.job is None else analysis.job.worked
                pressed = analysis.job is not None
                awaited |= pressed
                self.cards.add(
                    Card(
                        analysis.key,
                        analysis.result,
                        analysis.data,
                        self.source,
                        group=analysis.group,
                        seconds=took,
                        arguments=analysis.arguments,
                        pressed=pressed,
                    )
                )
        return awaited

    def analysis(self, key: Hashable) -> Analysis | None:
        """The analysis of this key."""
        return next((analysis for analysis in self.analyses if analysis.key == key), None)

    def answered(self, slug: str) -> Analysis | None:
        """The latest analysis of a method that has its answer."""
        return next(
            (analysis for analysis in reversed(self.analyses) if analysis.slug == slug and analysis.result is not None),
            None,
        )

    def give_data(self) -> None:
        """Cards that came without their table have it, once that is open and prepared as it was; groups too."""
        if self.dataset is None or self._looked == (self.dataset.fingerprint, self.cards.version):
            return
        self._looked = (self.dataset.fingerprint, self.cards.version)
        for card in self.cards:
            if card.data is None:
                give(card, self.dataset)

    def show(self, card: Card) -> None:
        """Let the page of a card's method show it: as its own answer where its table is open and it was pressed."""
        page, data = self.page(card.slug), card.data
        here = data is not None and self.dataset is not None and data.fingerprint == self.dataset.fingerprint
        if not (here and card.pressed) or card.slug not in METHODS:
            page.opened = card.number
            return
        method = card.result.method
        if self.analysis(card.key) is None:
            self.keep(Analysis(method, card.key, card.arguments, answer=card.result, data=data))
        page.method, page.opened = method, None
        page.settings = {field.name: getattr(method, field.name) for field in fields(method)}

    def touch(self) -> None:
        """Something changed that a saved file would hold."""
        self.cards.version += 1

    def write_notes(self, text: str) -> None:
        """What its user wrote; a change of it is not saved yet."""
        if text != self.notes:
            self.notes = text
            self.touch()

    @property
    def replaceable(self) -> bool:
        """True where another project can take the place of all this without a question."""
        return not self.has_table and not self.cards.unsaved and not self._has_page_work

    @property
    def has_table(self) -> bool:
        """True where a table is open, be it only as a data set whose rows were never held as they were read."""
        return self.table is not None or self.dataset is not None

    @property
    def has_work(self) -> bool:
        """True where anything was done here."""
        return self.has_table or len(self.cards) > 0

    @property
    def is_resumable(self) -> bool:
        """True where a reload comes back to it: for its work, or for what a page keeps without a table."""
        return self.has_work or self._has_page_work

    @property
    def _has_page_work(self) -> bool:
        return any(getattr(state, "is_resumable", False) for state in self._states.values())

    def saved_states(self) -> dict[str, Any]:
        """What pages put into a file beside tables and results, by their slugs."""
        savable = [state for state in self._states.values() if getattr(state, "is_resumable", False)]
        return {state.SLUG: state.to_plain() for state in savable if hasattr(state, "to_plain")}

    def counts(self) -> dict[str, int]:
        """Counts of what is held, for whoever wants to see that it is gone."""
        results = len(self.analyses) + len(self.cards)
        tables, size = int(self.has_table), session_bytes(self)
        return {"tables": tables, "results": results, "jobs": self.job_queue.active, "bytes": size}

    @property
    def idle(self) -> float:
        """Seconds since its pages were drawn last."""
        return time.monotonic() - self.touched

    def lock_after(self, seconds: float) -> bool:
        """True where its page shows nothing, since nobody has used it for so long."""
        if self.locked is None and self.idle >= seconds:
            self.locked = time.monotonic()
        return self.locked is not None

    def unlock(self) -> None:
        """Its page is used again."""
        self.locked, self.touched = None, time.monotonic()

    def resume(self) -> None:
        """Its pages are drawn by a new tab: their forms begin with what they were last asked to run with."""
        for page in self._pages.values():
            if page.method is not None:
                page.settings = {field.name: getattr(page.method, field.name) for field in fields(page.method)}  # type: ignore[arg-type]

    def end(self) -> None:
        """Nothing is left: no table, no answer, no process."""
        for about in self.choices.values():
            for item in about.values():
                if callable(getattr(item, "let_go", None)):
                    item.let_go()
        self.load(None, "")
        self._states.clear()
        self.cards.clear()
        self.notes = ""

    def load(self, table: pd.DataFrame | None, source: str) -> None:
        """A new table takes the place of the old one and of all that was chosen for it; the cards stay."""
        self.collect()
        if self.has_work:
            garbage().soon()
        current = self.choices.get("data", {}).get("work")
        for card in self.cards:
            if card.names is None:
                card.names = ColumnNames() if current is None else current.column_names
        self.job_queue.close()
        lasting = {kind: state for kind, state in self._states.items() if getattr(kind, "OUTLASTS_TABLE", False)}
        self.table, self.source, self.dataset = table, source, None
        self.rerun, self.waiting, self.warnings, self._looked = None, None, (), None
        for part in (
            self.choices,
            self.picked,
            self.analyses,
            self.layouts,
            self.figures,
            self.pictures,
            self._pages,
        ):
            part.clear()
        self._states = lasting

    def load_coded(self, data: Dataset, source: str) -> None:
        """`load` of a table of which only the codes are there."""
        self.load(None, source)
        self.dataset = data


def _nothing() -> None:
    """Stands for what is gone."""


def session() -> Session:
    """This user's session, made on first use; `dashboard.session.arrival` brings one back that is there already."""
    run = this_run()
    drawn, known = _drawn.__dict__.get("last", (_nothing, _nothing))
    if run is not None and drawn() is run and (current := known()) is not None:
        return current  # a page asks a hundred times, and Streamlit takes long to answer
    try:
        state: Session = st.session_state[_KEY]
    except KeyError:
        state = st.session_state[_KEY] = Session()
    if run is not None:
        _drawn.last = weakref.ref(run), weakref.ref(state)
    return state


def set_session(state: Session) -> None:
    """Let this tab show a session."""
    st.session_state[_KEY] = state
    _drawn.__dict__.clear()
