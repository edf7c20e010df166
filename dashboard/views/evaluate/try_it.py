"""Try it: draw data from a known truth, let a method look for it, and see what it found."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from dashboard.forms.settings_form import settings_form
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.views.evaluate.try_result import show_outcome
from dashboard.views.shared.running import await_job
from engine import Dataset
from engine.evaluation import every_trial
from engine.methods import METHODS

if TYPE_CHECKING:
    from engine.evaluation import Trial
    from engine.methods import Method

PAGE = "evaluate.try"
OF_A_TABLE = ("variable", "levels", "order", "pairs")
"""Roles of settings that name variables or levels."""


class TryRequest(NamedTuple):
    """A truth, the method that looks for it, and the score to compare with."""

    trial: Trial
    method: Any
    rival: str | None

    @property
    def key(self) -> tuple[str, ...]:
        """What makes two tries equal."""
        return "try", repr(self.trial), repr(self.method), str(self.rival)


def show_try() -> None:
    """The choices on the left, the try on the right; the first one runs by itself."""
    requests = session().choices.setdefault(PAGE, {})
    with st.sidebar:
        kind = _kind()
        wanted = _form(kind)
        pressed = st.button("Draw and look", type="primary", width="stretch", disabled=wanted is None)
    if wanted is not None and (pressed or kind.slug not in requests):
        requests[kind.slug] = wanted
        session().job_queue.start(wanted.key, wanted.trial.run, wanted.method, wanted.rival)
    request: TryRequest | None = requests.get(kind.slug)
    job = session().job_queue.get(request.key) if request is not None else None
    st.markdown(f":gray[{kind.story}]")
    if request is None or job is None:
        return
    outcome = await_job(job)
    if outcome is not None:
        if wanted is not None and wanted != request:
            st.info("The settings on the left have changed; press *Draw and look* to use them.", icon=":material/sync:")
        show_outcome(request.trial, request.method, request.rival, outcome)


def _kind() -> type[Trial]:
    """Which truth, of the methods that have one to be tried on."""
    trials = every_trial()
    chosen = st.radio(
        "What to try",
        list(trials),
        format_func=lambda slug: trials[slug].title,
        key=widget_key(PAGE, "kind"),
        persist_state="session",
    )
    return trials.get(chosen or "", next(iter(trials.values())))


def _form(kind: type[Trial]) -> TryRequest | None:
    """The truth, the method, and the score to compare with; None where a setting does not fit."""
    key = widget_key(PAGE, kind.slug)
    st.markdown("##### The truth")
    trial: Trial | None = settings_form(kind, _no_table(), widget_key(key, "truth"))
    st.markdown("##### The method")
    kind_of_method = METHODS[kind.slug]
    method = settings_form(
        kind_of_method,
        _no_table(),
        widget_key(key, "method"),
        kind.given,
        without=omitted_settings(kind_of_method),
        first=kind.opened,
    )
    keys: list[str | None] = [*kind.seconds, None]
    rival = st.selectbox(
        "Compare with",
        keys,
        index=keys.index(kind.first_second),
        format_func=lambda item: "nothing" if item is None else kind.seconds[item],
        key=widget_key(key, "second"),
        help="A second score of the same items, on the same data.",
        persist_state="session",
    )
    if trial is not None and (words := trial.too_slow(rival)):
        st.warning(words)
        return None
    return None if trial is None or method is None else TryRequest(trial, method, rival)


def omitted_settings(method: type[Method]) -> list[str]:
    """Settings that name what is in a table, which a trial draws itself; and the seed, which is the truth's here."""
    return [field.name for field in fields(method) if field.name == "seed" or field.metadata.get("role") in OF_A_TABLE]  # type: ignore[arg-type]


@cache
def _no_table() -> Dataset:
    """A form asks for a table whose variables it offers; here nothing offers any."""
    import pandas as pd

    return Dataset.from_frame(pd.DataFrame({"none": ["-"]}), kinds={"none": "nominal"})
