"""Running the method for one patient: the population network once, as a job; the patient at once, in the page."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from dashboard.jobs.job_queue import method_key, timed
from dashboard.session.keys import widget_key
from dashboard.session.session import Analysis, session
from dashboard.views.instance_specific.state import PatientState
from dashboard.views.shared.running import at_once, await_job, in_background, may_begin
from engine.methods.instance_specific.population import RUNS, origin_of
from engine.methods.instance_specific.result import SLUG
from engine.methods.method import Size

if TYPE_CHECKING:
    from dashboard.pages import MethodPage
    from dashboard.views.instance_specific.patient import Patient
    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.method import InstanceSpecific
    from engine.methods.instance_specific.population import LinkSupport, Population
    from engine.methods.instance_specific.result import InstanceSpecificResult

QUICK = 0.5
"""Seconds: a population network that was learned faster is learned in the page the next time."""
REMEMBERED = 4
"""Population networks, and patients, that are kept: each population network holds the table's codes once more."""

Kept = TypeVar("Kept")


def asked_for(page: MethodPage, data: Dataset, method: InstanceSpecific | None) -> bool:
    """Whether networks of this table were asked for; a button until then.

    It is asked once a table: from then on every patient and every setting answers by itself.
    """
    state = session().state(PatientState)
    if session().page(page.slug).take_run():
        state.asked = data.fingerprint
    if state.asked == data.fingerprint:
        return True
    if st.button(page.action, type="primary", width="stretch", disabled=method is None):
        state.asked = data.fingerprint
        st.rerun()
    return False


def population_of(method: InstanceSpecific, data: Dataset, leave_out: int | None) -> Population | None:
    """The population network: one that fits, else a new one; None while it is being learned or when it cannot be."""
    state = session().state(PatientState)
    key = ("population", *origin_of(method, data, leave_out))
    result = state.populations.pop(key, None)
    if result is None:
        result = _learned(method, data, leave_out, key)
    return None if result is None else _latest(state.populations, key, result)


def _learned(method: InstanceSpecific, data: Dataset, leave_out: int | None, key: Hashable) -> Population | None:
    """In the page where the last one was quick, else as a job."""
    state = session().state(PatientState)
    if state.seconds is not None and state.seconds < QUICK:
        result, state.seconds = timed(partial(at_once, partial(method.learn_population, data, leave_out)))
        return result
    result = follow("population", key, method.learn_population, data, leave_out)
    if result is not None:
        job = session().job_queue.get(key)
        state.seconds = QUICK if job is None else job.elapsed
    return result


def result_of(
    method: InstanceSpecific, data: Dataset, patient: Patient, target: str | None, population: Population
) -> InstanceSpecificResult | None:
    """The patient's result; None while it is computed, or when it cannot be, which is then on the page."""
    key = ("patient", *method_key(method, data, patient.known, patient.row, target))
    held = session().analysis(key)
    if held is None:
        run = partial(method.run, target=target, population=population)
        if method.mode == "published":
            result = follow("patient", key, run, data, patient.instance)
        else:
            result = at_once(partial(run, data, patient.instance))
        if result is None:
            return None
        held = Analysis(method, key, {"instance": patient.instance, "target": target}, answer=result, data=data)
    session().keep(held, REMEMBERED)
    return held.answer  # type: ignore[return-value]


def support_of(method: InstanceSpecific, data: Dataset) -> LinkSupport | None:
    """How sure the population's links are; None while that is being worked out, beside an answer that is there."""
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
    job = session().job_queue.get(("support", *origin_of(method, data, None)))
    return None if job is None else job.result


def follow(place: str, key: Hashable, function: Callable[..., Any], *args: Any) -> Any | None:
    """The result of a job, started when it is new; one that ended otherwise is started again by a button only.

    `place` holds one job at a time: a new one takes the place of one that still runs.
    """
    state = session()
    following = state.state(PatientState).following
    before = state.job_queue.get(following.get(place)) if following.get(place) != key else None
    if before is not None and before.active:
        before.cancel()
    following[place] = key
    job = state.job_queue.get(key) or state.job_queue.start(key, function, *args)
    result = await_job(job)
    if job.state in ("failed", "cancelled") and st.button("Start it again", key=widget_key(SLUG, "again", place)):
        state.job_queue.start(key, function, *args)
        st.rerun()
    return result


def _latest(held: dict[Hashable, Kept], key: Hashable, result: Kept) -> Kept:
    """Put this last; only the latest few are kept."""
    held[key] = result
    for old in list(held)[:-REMEMBERED]:
        del held[old]
    return result
