"""The whole answer for one patient on screen: sentence, sliders, networks, evidence, strength, exports."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.forms.live import live_settings
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.instance_specific.evidence import show_evidence
from dashboard.views.instance_specific.exports import show_exports
from dashboard.views.instance_specific.networks import changes_words, in_one, side_by_side
from dashboard.views.instance_specific.running import population_of, result_of
from dashboard.views.instance_specific.strength import show_prediction, show_strength
from dashboard.views.shared.network_view import network_view, pick_clicked, places_of
from dashboard.views.shared.sections import method_part, show_settings
from engine.methods.instance_specific.result import SLUG
from engine.methods.instance_specific.tell import WARNING_PUBLISHED
from engine.words import count, percent

if TYPE_CHECKING:
    import pandas as pd

    from dashboard.views.instance_specific.patient import Patient
    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.method import InstanceSpecific
    from engine.methods.instance_specific.result import InstanceSpecificResult

SENTENCES = 3
LIVE_WIDTHS = (4, 4, 2)
"""Of the columns: kappa, equivalent sample size, and a switch beside them."""


@st.fragment
def show_patient(method: InstanceSpecific, data: Dataset, patient: Patient, target: str | None) -> None:
    """Everything below the picker; a fragment, so that moving a slider draws nothing else again."""
    answer = st.container()
    method, (switch,) = live_settings(method, LIVE_WIDTHS)
    with switch:
        overlay = st.toggle("In one picture", key=widget_key(SLUG, "overlay"), persist_state="session")
    leave_out = patient.row if target is not None else None
    population = population_of(method, data, leave_out)
    result = None if population is None else result_of(method, data, patient, target, population)
    if result is None:
        return
    with answer:
        _show_words(result)
    _show_networks(result, patient.title, overlay)
    show_evidence(result, data)
    if result.target is None:
        show_strength(result)
    else:
        left, right = st.columns(2, gap="large")
        with left:
            show_prediction(result)
        with right:
            show_strength(result)
    show_exports(result, data, patient.title)
    _show_method(result)


def _show_words(result: InstanceSpecificResult) -> None:
    """The answer in a sentence, what changes, what limits it, and what it was computed on."""
    st.markdown(f"#### {plain(result.headline())}")
    families = result.families()
    changed = result.relinked()
    said = [f"{result.sentence(name).rstrip('.')}{how_sure(families.loc[name])}" for name in changed[:SENTENCES]]
    if more := changed[SENTENCES:]:
        said.append(f"{count(len(more), 'more variable changes', 'more variables change')}.")
    if said:
        st.markdown(plain(" ".join(said)))
    own = ", this row left out" if result.row is not None and result.target is not None else ""
    rests = (
        f"{len(result.patient)} of {len(result.names)} values known; compared with {result.n_rows:,} rows{own}; "
        f"kappa {result.method.kappa:g}, equivalent sample size {result.method.ess:g}."
    )
    notes = result.notes() if result.patient else []
    st.caption(plain(" ".join([rests, *([] if result.unseen else notes)])))
    if result.unseen:
        st.warning(plain(" ".join(notes)), icon=":material/warning:")
    if result.method.mode == "published":
        st.warning(plain(WARNING_PUBLISHED), icon=":material/warning:")


def how_sure(family: pd.Series) -> str:
    """What stands behind a sentence: the probability of the parents chosen, and the cases like the patient."""
    likely = "" if math.isnan(family["probability"]) else f"probability {percent(family['probability'])}, "
    cases = family["cases"]
    return f" ({likely}{count(cases, 'similar case')})."


def _show_networks(result: InstanceSpecificResult, title: str, overlay: bool) -> None:
    network_view(
        in_one(result, title) if overlay else side_by_side(result, title),
        places_of(result.names, list(result.graphs().values())),
        widget_key(SLUG, "networks", "one" if overlay else "two"),
        picked=session().picked.get(SLUG),
        words=changes_words(),
        clicked=pick_clicked(SLUG),
    )
    st.caption(plain(result.caution))


def _show_method(result: InstanceSpecificResult) -> None:
    with method_part(result):
        st.markdown(
            "The population's network is learned from all rows (GES with the BDeu score). For this patient every "
            "variable X then weighs which parents matter. For parents Pa with the patient's values j, the rows that "
            "agree on j share one distribution, all other rows keep the population's; both parts are marginal "
            "likelihoods with a Dirichlet prior, and each arc that differs costs a factor kappa:"
        )
        st.latex(
            r"\log S(X) = \log\frac{\Gamma(\alpha_j)}{\Gamma(\alpha_j+N_j)}\prod_k"
            r"\frac{\Gamma(\alpha_{jk}+N_{jk})}{\Gamma(\alpha_{jk})} + \log S_{pop}(X \mid D_{-j}) + \delta\log\kappa"
        )
        st.markdown(
            "(Equations 6 to 12 of Jabbari, Visweswaran and Cooper 2018.) With the order kept, all sets of parents of "
            "a variable are weighed, so the probabilities shown are exact sums."
        )
        show_settings(result)
