"""Try it: draw data from a known truth, let a method look for it, and see what it found."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from dashboard.forms.settings_form import settings_form
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.views.evaluate.try_kinds import KINDS, Kind
from dashboard.views.evaluate.try_result import show_outcome
from dashboard.views.shared.running import await_job
from engine.data.dataset import Dataset
from engine.evaluation.trials.group_difference import GroupTrial

if TYPE_CHECKING:
    from engine.evaluation.trials.outcome import Trial

PAGE = "evaluate.try"


class Asked(NamedTuple):
    """A try that was asked for."""

    trial: Trial
    method: Any
    second: str | None

    @property
    def key(self) -> tuple[str, ...]:
        """What makes two tries equal."""
        return "try", repr(self.trial), repr(self.method), str(self.second)


def show_try() -> None:
    """The choices on the left, the try on the right; the first one runs by itself."""
    kept = session().choices.setdefault(PAGE, {})
    with st.sidebar:
        kind = _kind()
        wanted = _form(kind)
        pressed = st.button("Draw and look", type="primary", width="stretch", disabled=wanted is None)
    if wanted is not None and (pressed or kind.key not in kept):
        kept[kind.key] = wanted
        session().desk.start(wanted.key, wanted.trial.run, wanted.method, wanted.second)
    asked: Asked | None = kept.get(kind.key)
    job = session().desk.get(asked.key) if asked is not None else None
    st.markdown(f":gray[{kind.story}]")
    if asked is None or job is None:
        return
    outcome = await_job(job)
    if outcome is not None:
        if wanted is not None and wanted != asked:
            st.info("The settings on the left have changed; press *Draw and look* to use them.", icon=":material/sync:")
        show_outcome(kind, asked.trial, asked.method, asked.second, outcome)


def _kind() -> Kind:
    place = st.radio(
        "What to try",
        range(len(KINDS)),
        format_func=lambda i: KINDS[i].title,
        key=widget_key(PAGE, "kind"),
        persist_state="session",
    )
    return KINDS[place or 0]


def _form(kind: Kind) -> Asked | None:
    """The truth, the method, and the score to compare with; None where a setting does not fit."""
    key = widget_key(PAGE, kind.key)
    st.markdown("##### The truth")
    trial = settings_form(kind.trial, _no_table(), widget_key(key, "truth"), first=kind.open_trial, words=kind.words)
    st.markdown("##### The method")
    method = settings_form(
        kind.method,
        _no_table(),
        widget_key(key, "method"),
        kind.given,
        without=kind.closed,
        first=kind.open_method,
        words=kind.words,
    )
    known = kind.trial.seconds
    keys: list[str | None] = [*known, None]
    second = st.selectbox(
        "Compare with",
        keys,
        index=keys.index(kind.second),
        format_func=lambda one: "nothing" if one is None else known[one],
        key=widget_key(key, "second"),
        help="A second score of the same items, on the same data.",
        persist_state="session",
    )
    if isinstance(trial, GroupTrial) and (words := trial.too_slow(second)):
        st.warning(words)
        return None
    return None if trial is None or method is None else Asked(trial, method, second)


@cache
def _no_table() -> Dataset:
    """A form asks for a table whose variables it offers; here nothing offers any."""
    import pandas as pd

    return Dataset.from_frame(pd.DataFrame({"none": ["-"]}), kinds={"none": "nominal"})
