"""How strong it all is: the log-likelihood ratio by variable, the patient foretold, and the target predicted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.shared.downloads import show_figure
from engine.methods.instance_specific.result import SLUG
from engine.telling.instance_specific.figures import strength_figure
from engine.words import odds_phrase, with_sign

if TYPE_CHECKING:
    from engine.methods.instance_specific.result import InstanceSpecificResult


def show_strength(result: InstanceSpecificResult) -> None:
    """The ratio as bars that add up, and the held-out gain beside it."""
    published = result.method.mode == "published"
    title = "Log-likelihood ratio, as in the paper" if published else "How much better the rows are explained"
    st.markdown(f"**{title}**")
    terms = result.log_ratio_terms
    total = result.log_likelihood_ratio
    if not (terms != 0).any():
        why = (
            "what changes leaves the rows as likely as before"
            if result.families()["changed"].any()
            else "nothing changes"
        )
        st.markdown(f"For this patient {why}, so the ratio is 1 (log 0).")
    else:
        weighed = "" if published else f", {odds_phrase(total)} the change before kappa is counted"
        st.markdown(f"Natural log of the ratio **{with_sign(total, 2)}**{plain(weighed)}. The bars add up to it.")
        show_figure(
            session().figures.of(strength_figure, terms),
            "strength-by-variable",
            alt="; ".join(f"{short(name, 30)} {with_sign(value, 2)}" for name, value in terms[terms != 0].items()),
            key=widget_key(SLUG, "strength"),
            table=result.table("Strength"),
        )
    if published:
        _show_parts(result)
    _show_held_out(result)


def _show_parts(result: InstanceSpecificResult) -> None:
    parts = result.log_ratio_parts()
    text = ", ".join(f"{with_sign(value, 1)} from {name}" for name, value in parts.items() if value)
    st.warning(
        plain(
            "This is equation 14 of the paper. Where the two networks disagree about a direction it counts the same "
            f"rows twice, so it says little about this patient: {text or 'nothing changes here'}."
        ),
        icon=":material/warning:",
    )


def _show_held_out(result: InstanceSpecificResult) -> None:
    evaluation = result.held_out
    if not evaluation.variables:
        return
    if math.isnan(evaluation.gain):
        st.caption("How well the networks predict this patient is not known: too many linked values are unknown.")
        return
    better = "better" if evaluation.gain > 0 else "worse" if evaluation.gain < 0 else "as well"
    than = "than" if evaluation.gain else "as"
    own = ", the patient's own row left out," if result.row is not None else ""
    st.markdown(
        f"The {evaluation.variables} known values of this patient{own} are foretold **{better}** by this patient's "
        f"network {than} by the population's: log probability {with_sign(evaluation.instance, 2)} against "
        f"{with_sign(evaluation.population, 2)}, "
        f"a gain of **{with_sign(evaluation.gain, 2)}**."
    )
    if not evaluation.exact:
        st.caption("In published mode the patient's network is no proper probability model; take this with care.")
