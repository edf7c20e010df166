"""The whole answer for one patient on screen: sentence, sliders, networks, evidence, strength, exports."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.forms.settings_form import live_settings
from dashboard.pages import page_title
from dashboard.session.keys import widget_key
from dashboard.session.labels import labelled
from dashboard.session.masking import rows_shown
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.instance_specific.beliefs import show_belief_bars
from dashboard.views.instance_specific.evidence import show_evidence
from dashboard.views.instance_specific.networks import changes_words, longest_values, overlaid, side_by_side
from dashboard.views.instance_specific.patient_cards import show_cards, show_strip
from dashboard.views.instance_specific.running import (
    known_support,
    population_of,
    result_of,
    support_of,
    with_support,
)
from dashboard.views.instance_specific.strength import show_strength
from dashboard.views.instance_specific.verdicts import show_every_link, show_verdict
from dashboard.views.shared.downloads import show_with_file
from dashboard.views.shared.exports import GraphFile, WebPage, export_menu, network_of
from dashboard.views.shared.neighbourhood import part_drawn, part_view, strengths
from dashboard.views.shared.network_view import pick_clicked, positions_of
from dashboard.views.shared.page_parts import page_head, show_sentence
from dashboard.views.shared.sections import show_settings, warn_dropped
from engine.methods.instance_specific.result import SLUG
from engine.telling.instance_specific.links import points
from engine.telling.instance_specific.wording import WARNING_PUBLISHED, method_sentences
from engine.words import with_sign

if TYPE_CHECKING:
    from dashboard.views.instance_specific.patient import Patient
    from engine.data.dataset import Dataset
    from engine.methods.instance_specific.method import InstanceSpecific
    from engine.methods.instance_specific.result import InstanceSpecificResult


@st.fragment
def show_patient(method: InstanceSpecific, data: Dataset, patient: Patient, target: str | None) -> None:
    """The whole page of one patient; a fragment, so that moving a slider draws nothing else again."""
    head, body, waiting = st.container(gap="xsmall"), st.container(gap="xsmall"), st.container()
    every_link, why, side_by_side_networks = st.container(), st.container(), st.container()
    details = st.expander("Details of the method")
    with details:
        method, _ = live_settings(method)
    leave_out = patient.row if target is not None else None
    with waiting:
        population = population_of(method, data, leave_out)
        result = None if population is None else result_of(method, data, patient, target, population)
    if result is None:
        head.title(method.question)
        return
    order_kept = result.method.mode == "order_kept"
    known = known_support(method, data) if order_kept else None
    if known is not None:  # before anything is drawn, so that each link is weighed once
        result = with_support(result, known)
    with waiting:
        support = support_of(method, data) if order_kept and known is None else None
    if support is not None:
        result = with_support(result, support)
    with head:
        rows = rows_shown(result.n_rows, max(result.n_rows, result.made.rows_given))
        with page_head(SLUG, page_title(SLUG), f"{short(patient.heading, 40)}, compared with {rows}", of_table=True):
            menu = st.container(width="content")
        show_sentence(SLUG, result.headline(), " ".join(result.how_sure()))
        warn_dropped(data)
        _show_warnings(result)
    with body:
        if result.patient:
            show_strip(result, data)
        show_cards(result, data)
        with st.container(border=True, gap="small", key=widget_key(SLUG, "bars")):
            show_belief_bars(result, data)
    with every_link:
        show_every_link(result)
    with why, st.expander("One variable: why, and the nearest cases"):
        show_evidence(result, data)
    with side_by_side_networks, st.expander("The patient's network beside the population's"):
        overlay = st.toggle("In one picture", key=widget_key(SLUG, "overlay"), persist_state="session")
        _show_networks(result, patient.title, overlay)
    with details:
        _show_method(result)
    with menu:
        show_exports(result, data, patient.title)


def _show_warnings(result: InstanceSpecificResult) -> None:
    """What makes the answer worth less: values that were never seen, the published mode."""
    if result.unseen:
        st.warning(plain(" ".join(result.notes())), icon=":material/warning:")
    if result.method.mode == "published":
        st.warning(plain(WARNING_PUBLISHED), icon=":material/warning:")


def _show_networks(result: InstanceSpecificResult, title: str, overlay: bool) -> None:
    graphs = list(result.graphs().values())
    part_view(
        SLUG,
        overlaid(result, title) if overlay else side_by_side(result, title),
        result.names,
        lambda names: positions_of(names, graphs, longest_values(result)),
        widget_key(SLUG, "networks", "one" if overlay else "two"),
        picked=session().picked.get(SLUG),
        words=changes_words(published=result.network.cpdag is not None),
        clicked=pick_clicked(SLUG),
        by="with the links that differ for this patient",
    )
    st.caption(plain(result.caution))


def _show_method(result: InstanceSpecificResult) -> None:
    """What the answer rests on, how it is computed, its own measure of strength, settings."""
    show_verdict(result)
    rests = (
        f"{len(result.patient)} of {len(result.names)} values known; margin {points(result.method.margin)} percentage "
        f"points, kappa {result.method.kappa:g}, equivalent sample size {result.method.ess:g}."
    )
    st.markdown(plain(labelled(" ".join([rests, *([] if result.unseen else result.notes())]))))
    _show_prediction_in_full(result)
    show_strength(result)
    st.markdown(
        "The population's network is learned from all rows with the BDeu score. For this patient every "
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
    st.markdown(plain(labelled(" ".join(method_sentences(result)))))
    st.markdown(
        "A link is judged among the rows with the patient's values of everything else the variable depends on: "
        "how far it shifts a share there, and how far among the others, averaged over their values "
        "(Mantel-Haenszel). It matters *more*, *less* or *the other way round* when the difference is sure, in "
        "percentage points and in odds ratios; it *no longer* matters when the shift here also lies within the margin. "
        "p is corrected (Holm) for every link and every patient of the table, and intervals of differences are as "
        "wide as that asks for. *No difference seen*: they lie within the margin; else it is inconclusive."
    )
    st.markdown(
        "**Unusual values**: P of each known value given all the other known ones, under the population's network with "
        "tables from all rows but the patient's own; the surprise adds up all levels as improbable. **Bars**: the same "
        "network, exact sums."
    )
    show_settings(result)


def _show_prediction_in_full(result: InstanceSpecificResult) -> None:
    """Every level of the outcome under both networks, and how well each predicts what was observed."""
    if result.prediction is None:
        return
    shares = result.prediction.reset_index(names=str(result.target))
    show_with_file(shares, "prediction-by-level")
    if logs := result.log_probability_of_observed:
        own, shared = logs
        st.markdown(
            f"Log probability of what was observed: {with_sign(own, 3)} with this patient's network, "
            f"{with_sign(shared, 3)} with the "
            "population's. The patient's row was left out of everything learned."
        )


def show_exports(result: InstanceSpecificResult, data: Dataset, title: str) -> None:
    """Tables, networks, the whole result, and the Python that repeats it."""
    names = part_drawn(SLUG, result.names, lambda: strengths(overlaid(result, title)))
    positions = dict(positions_of(names, list(result.graphs().values()), longest_values(result)))

    pages = [
        WebPage(
            label,
            stem,
            "One patient beside the population",
            partial(panels, result, title),
            positions,
            changes_words(published=result.network.cpdag is not None),
            names=names,
        )
        for label, stem, panels in (
            ("Web page, side by side", "patient-networks", side_by_side),
            ("Web page, in one picture", "patient-overlay", overlaid),
        )
    ]
    graphs = [
        GraphFile(words, f"network-{which}", partial(network_of, result, which))
        for which, words in (("population", "The population"), ("patient", "This patient"))
    ]
    export_menu(
        result,
        data,
        stem="patient",
        pages=pages,
        graphs=graphs,
        printed="result.families()",
        run=_run_arguments(result),
    )


def _run_arguments(result: InstanceSpecificResult) -> dict[str, Any]:
    """What `run` took beside the data."""
    arguments: dict[str, Any] = {"instance": result.patient if result.row is None else result.row}
    return arguments if result.target is None else arguments | {"target": result.target}
