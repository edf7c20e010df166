"""Running the method for one patient: the population network once, as a job; the patient at once, in the page."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from dashboard.jobs.job_queue import method_key, timed
from dashboard.session.keys import widget_key
from dashboard.session.session import Analysis, session
from dashboard.text import capital, plain, short
from dashboard.views.shared.running import (
    AT_ONCE,
    PATIENCE,
    await_job,
    compute_here,
    in_background,
    may_begin,
    refuse_remote,
)
from engine.methods.cost import Size
from engine.methods.instance_specific.population import RUNS, origin_of
from engine.methods.instance_specific.result import SLUG

if TYPE_CHECKING:
    from dashboard.pages import MethodPage
    from dashboard.session.caches import Point
    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.method import InstanceSpecific
    from engine.methods.instance_specific.population import LinkSupport, Population
    from engine.methods.instance_specific.result import InstanceSpecificResult


@dataclass(frozen=True)
class Patient:
    """The patient chosen.

    Attributes
    ----------
    known : (variable, level) of all that is known
    row : row of the data set (from 0), None when typed
    title : for headings and the network ("row 17", "this patient"); user text
    identifier : the cell of the column that identifies rows, "" without one; on the page only, in no file
    """

    known: tuple[tuple[str, str], ...]
    row: int | None = None
    title: str = "this patient"
    identifier: str = ""

    @property
    def heading(self) -> str:
        """The identifier with the row, or the title alone, as it begins a line."""
        return f"Patient {short(self.identifier, 24)} ({self.title})" if self.identifier else capital(self.title)

    @property
    def instance(self) -> int | dict[str, str]:
        """As the engine takes the patient."""
        return dict(self.known) if self.row is None else self.row


@dataclass(frozen=True)
class CohortRequest:
    """The patients and settings that a cohort was asked for; `rows` is None for all of them."""

    method: Any
    fingerprint: str
    rows: tuple[int, ...] | None


@dataclass
class PatientState:
    """Everything the two views of the page keep.

    Attributes
    ----------
    fingerprint : of the table that networks were asked for
    populations : the networks of the population, the one used last at the end
    seconds : what learning one took the last time, None before the first
    following : place on the page -> the job that it follows
    cohort : the patients asked for
    named : title of the patient typed last, and the values it stands for
    searched : what was looked for in a column, and the rows that have it
    matched : key of the list of rows that was on screen last
    places : where boxes of bars stand, the latest at the end
    supported : the answer drawn last, how sure its links are, and the answer that says so
    """

    fingerprint: str = ""
    populations: dict[Hashable, Population] = field(default_factory=dict)
    seconds: float | None = None
    following: dict[str, Hashable] = field(default_factory=dict)
    cohort: CohortRequest | None = None
    named: tuple[str, dict[str, str]] = ("", {})
    searched: tuple[Hashable, list[int]] | None = None
    matched: str = ""
    places: dict[Hashable, dict[str, Point]] = field(default_factory=dict)
    supported: tuple[InstanceSpecificResult, LinkSupport, InstanceSpecificResult] | None = None


QUICK = 0.5
"""Seconds: a population network that was learned faster is learned in the page the next time."""
REMEMBERED = 4
"""Population networks, and patients, that are kept: each population network holds the table's codes once more."""

Answer = TypeVar("Answer")


def networks_requested(page: MethodPage, data: Dataset, method: InstanceSpecific | None) -> bool:
    """Whether networks of this table were asked for, or are learned so quickly that nobody need ask; else a button.

    It is asked once a table: from then on every patient and every setting answers by itself.
    """
    state = session().state(PatientState)
    at_once = method is not None and session().has_time(method, data, AT_ONCE)
    if session().page(page.slug).take_run() or at_once:
        state.fingerprint = data.fingerprint
    if state.fingerprint == data.fingerprint:
        return True
    if st.button(page.action, width="stretch", disabled=method is None):
        state.fingerprint = data.fingerprint
        st.rerun()
    if method is not None:
        say_nothing_compared(method, data)
    return False


def nothing_compared(method: InstanceSpecific, data: Dataset) -> str:
    """Why a run will compare no link, where that is known beforehand; "" where it may."""
    known = session().state(PatientState).populations.get(("population", *origin_of(method, data, None)))
    return method.compares_nothing(data, known)


def say_nothing_compared(method: InstanceSpecific, data: Dataset) -> None:
    """Before a run, that it will compare no link, where that is known."""
    if why := nothing_compared(method, data):
        st.caption(plain(why))


def population_of(method: InstanceSpecific, data: Dataset, leave_out: int | None) -> Population | None:
    """The population network: one that fits, else a new one; None while it is being learned or when it cannot be."""
    state = session().state(PatientState)
    key = ("population", *origin_of(method, data, leave_out))
    result = state.populations.pop(key, None)
    if result is None:
        result = _learned(method, data, leave_out, key)
    return None if result is None else latest(state.populations, key, result)


def _learned(method: InstanceSpecific, data: Dataset, leave_out: int | None, key: Hashable) -> Population | None:
    """In the page where the last one was quick, else as a job."""
    state = session().state(PatientState)
    if state.seconds is not None and state.seconds < QUICK:
        result, state.seconds = timed(partial(compute_here, partial(method.learn_population, data, leave_out)))
        return result
    # the first time the page does not wait: what invited to press would stand below a part of the answer meanwhile
    patience = PATIENCE if state.populations else 0.0
    result = follow("population", key, method.learn_population, data, leave_out, patience=patience)
    if result is not None:
        job = session().job_queue.get(key)
        state.seconds = QUICK if job is None else job.elapsed
    return result


def result_of(
    method: InstanceSpecific, data: Dataset, patient: Patient, target: str | None, population: Population
) -> InstanceSpecificResult | None:
    """The patient's result; None while it is computed, or when it cannot be, which is then on the page."""
    key = ("patient", *method_key(method, data, patient.known, patient.row, target))
    analysis = session().analysis(key)
    if analysis is None:
        run = partial(method.run, target=target, population=population)
        if method.mode == "published":
            result = follow("patient", key, run, data, patient.instance)
        else:
            result = compute_here(partial(run, data, patient.instance))
        if result is None:
            return None
        analysis = Analysis(method, key, {"instance": patient.instance, "target": target}, answer=result, data=data)
    session().keep(analysis, REMEMBERED)
    return analysis.answer  # type: ignore[return-value]


def support_of(method: InstanceSpecific, data: Dataset) -> LinkSupport | None:
    """How sure the population's links are; None while that is being worked out, beside an answer that is there."""
    if refuse_remote("The bootstrap of the population's links", method.link_support, data):
        return None
    key = ("support", *origin_of(method, data, None))
    seconds = replace(method, search="ges").cost(Size.of(data)).times(RUNS).seconds  # which these are learned by
    if not may_begin(key, seconds, "How sure the population's links are"):
        return None
    link_support: LinkSupport | None = in_background(key, method.link_support, data)
    return link_support


def with_support(result: InstanceSpecificResult, support: LinkSupport) -> InstanceSpecificResult:
    """The answer that says how sure the links are; the one drawn last is kept, since each link is weighed once."""
    state = session().state(PatientState)
    if state.supported is None or state.supported[0] is not result or state.supported[1] is not support:
        state.supported = (result, support, result.with_support(support))
    return state.supported[2]


def known_support(method: InstanceSpecific, data: Dataset) -> LinkSupport | None:
    """The same where it is there already."""
    return session().job_queue.result(("support", *origin_of(method, data, None)))


def follow(
    place: str, key: Hashable, function: Callable[..., Any], *args: Any, patience: float = PATIENCE
) -> Any | None:
    """The result of a job, started when it is new; one that ended otherwise is started again by a button only.

    `place` holds one job at a time: a new one takes the place of one that still runs.
    """
    state = session()
    following = state.state(PatientState).following
    earlier = state.job_queue.get(following.get(place)) if following.get(place) != key else None
    if earlier is not None and earlier.active:
        earlier.cancel()
    following[place] = key
    job = state.job_queue.get(key) or state.job_queue.start(key, function, *args, opened=True)
    result = await_job(job, patience)
    if job.state in ("failed", "cancelled") and st.button("Start it again", key=widget_key(SLUG, "again", place)):
        state.job_queue.start(key, function, *args)
        st.rerun()
    return result


def latest(answers: dict[Hashable, Answer], key: Hashable, result: Answer) -> Answer:
    """Put this last; only the latest few are kept."""
    answers[key] = result
    for old in list(answers)[:-REMEMBERED]:
        del answers[old]
    return result
