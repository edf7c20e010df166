"""Running the method for one patient: the population network once, as a job; the patient at once, in the page."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.runner import method_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.running import await_job
from engine.errors import DiptychError

if TYPE_CHECKING:
    from dashboard.views.instance_specific.patient import Patient
    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.method import InstanceSpecific
    from engine.methods.instance_specific.population import Population
    from engine.methods.instance_specific.result import InstanceSpecificResult

PAGE = "instance_specific"
QUICK = 0.5
"""Seconds: a population network that was learned faster is learned in the page the next time."""
PATIENCE = 0.3
"""Seconds the page waits for a job before it shows a progress bar instead."""
REMEMBERED = 4
"""Population networks, and patients, that are kept: each population network holds the table's codes once more."""


def population_of(method: InstanceSpecific, data: Dataset, leave_out: int | None) -> Population | None:
    """The population network: one that fits, else a new one; None while it is being learned or when it cannot be."""
    kept = session().choices.setdefault(PAGE, {})
    held: list[Population] = kept.setdefault("populations", [])
    found = next((one for one in held if one.fits(method, data, leave_out)), None)
    if found is None:
        if kept.get("seconds", QUICK) < QUICK:
            start = time.perf_counter()
            found = _at_once(partial(method.learn_population, data, leave_out))
            kept["seconds"] = time.perf_counter() - start
        else:
            key = ("population", data.fingerprint, method.ess, method.structure_prior, method.max_parents, leave_out)
            found = follow("population_job", key, method.learn_population, data, leave_out)
            if found is not None:
                kept["seconds"] = getattr(session().desk.get(key), "elapsed", QUICK)
        if found is not None:
            held.append(found)
            del held[:-REMEMBERED]
    return found


def result_of(
    method: InstanceSpecific, data: Dataset, patient: Patient, target: str | None, population: Population
) -> InstanceSpecificResult | None:
    """The patient's result; None while it is computed, or when it cannot be, which is then on the page."""
    kept = session().choices.setdefault(PAGE, {})
    key = ("patient", *method_key(method, data), patient.known, patient.row, target)
    held: dict[Hashable, InstanceSpecificResult] = kept.setdefault("results", {})
    if key not in held:
        run = partial(method.run, target=target, population=population)
        if method.mode == "published":
            found = follow("patient_job", key, run, data, patient.instance)
        else:
            found = _at_once(partial(run, data, patient.instance))
        if found is None:
            return None
        held[key] = found
        for old in list(held)[:-REMEMBERED]:
            del held[old]
    held[key] = held.pop(key)  # the one looked at last is forgotten last
    return held[key]


def follow(place: str, key: Hashable, function: Callable[..., Any], *args: Any) -> Any | None:
    """The result of a job, started when it is new; one that ended otherwise is started again by a button only.

    `place` holds one job at a time: a new one takes the place of one that still runs.
    """
    state = session()
    kept = state.choices.setdefault(PAGE, {})
    before = state.desk.get(kept.get(place)) if kept.get(place) != key else None
    if before is not None and before.active:
        before.cancel()
    kept[place] = key
    job = state.desk.get(key) or state.desk.start(key, function, *args)
    job.wait(PATIENCE)
    found = await_job(job)
    if job.state in ("failed", "cancelled") and st.button("Start it again", key=f"{PAGE}.again.{place}"):
        state.desk.start(key, function, *args)
        st.rerun()
    return found


def _at_once(function: Callable[[], Any]) -> Any | None:
    try:
        return function()
    except DiptychError as error:
        st.error(plain(error), icon=":material/error:")
        return None
