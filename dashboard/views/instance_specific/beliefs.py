"""The population's network with this patient's values known: how probable every level then is, and what if."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.network.beliefs import Belief, BeliefArc, belief_positions, show_beliefs
from dashboard.session.caches import cached
from dashboard.session.keys import of_names, widget_key
from dashboard.session.labels import labelled
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.instance_specific.networks import JUDGED
from dashboard.views.instance_specific.running import PatientState, latest
from engine import DataError
from engine.methods.instance_specific.result import SLUG
from engine.methods.instance_specific.unusual import MOST_SUMMED, level_shares, shares_given
from engine.telling.instance_specific.strip import unexpected_values
from engine.telling.instance_specific.wording import named_links, which_network

if TYPE_CHECKING:
    import numpy as np

    from dashboard.session.caches import Point
    from engine import Dataset
    from engine.methods.instance_specific.result import InstanceSpecificResult
    from engine.models.network import Network

MOST_DRAWN = 14
"""Variables up to which all of them are drawn at once."""
VALUES_SET = "Bars and % hold for the values set here; the sentence and the cards above, for this patient's own values."
"""What stands below the bars once a value was set by hand."""


def everybody(data: Dataset, name: str) -> np.ndarray:
    """(levels,) shares of a variable's levels among all rows."""
    return cached(data, level_shares, name)


@st.fragment
def show_belief_bars(result: InstanceSpecificResult, data: Dataset) -> None:
    """The network, a bar a level; a click sets or clears what is known, and every bar moves."""
    evidence = _evidence(result, data)
    network = result.population_network
    if network is None:
        st.caption("A table of the population's network is too large to work with; give fewer parents.")
        return
    changed, some = evidence != result.patient, len(evidence) < len(result.names)
    whose = "values set here" if changed else "this patient's values"
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="xsmall"):
        heading = st.empty()
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            names = _names_on_screen(result)
            if len(names) < len(result.names):
                st.caption(plain(labelled(f"{len(names)} drawn: {why_drawn(result)}")), width="content")
            if st.button("Reset", disabled=not changed, key=widget_key(SLUG, "evidence", "reset")):
                evidence.clear()
                evidence.update(result.patient)
                st.rerun(scope="fragment")
    arcs = _arcs(result, names)
    click = "a bar to set it" if some else "a value for all its levels"
    caution = " An arrow is not a cause." if any(arc.directed for arc in arcs) else ""
    heading.markdown(
        f"**Population network with {whose}** :gray[{len(evidence)} of {len(result.names)} known"
        f"{' (lock)' if some else ''}. Click {click}.{caution}]",
        width="content",
    )
    unexpected = set() if changed else unexpected_values(result)
    beliefs = [_belief(result, data, network, name, evidence, name in unexpected) for name in names]
    clicked = show_beliefs(
        beliefs,
        arcs,
        _positions(result, names),
        key=widget_key(SLUG, "beliefs", of_names(names)),
        words="differs for this patient: ✕ no longer, − less, + more, ⇄ the other way round",
    )
    if note := VALUES_SET if changed else which_network(result):
        st.caption(plain(labelled(note)))
    if any(item.p is None and item.known is None for item in beliefs):
        st.caption("Some probabilities need too large a table; set more values.")
    if clicked is not None:
        name, level = clicked
        if level is None:
            evidence.pop(name, None)
        else:
            evidence[name] = level
        st.rerun(scope="fragment")


def _evidence(result: InstanceSpecificResult, data: Dataset) -> dict[str, str]:
    """What is known on screen: of this patient in this table, or begun anew; a level that is gone is not known."""
    held, of = session().choices.setdefault(widget_key(SLUG, "evidence"), {}), (data.fingerprint, result.patient)
    if held.get("of") != of:
        held.update(of=of, known=dict(result.patient))
    known: dict[str, str] = held["known"]
    return known


def _belief(
    result: InstanceSpecificResult,
    data: Dataset,
    network: Network,
    name: str,
    evidence: Mapping[str, str],
    unexpected: bool,
) -> Belief:
    """The box of a variable: P of its levels, of a known one given the others."""
    p: np.ndarray | None = None
    known = evidence.get(name)
    if known is not None or len(result.names) - len(evidence) <= MOST_SUMMED:
        with suppress(DataError):  # a table on the way would be too large
            p = network.query(name, evidence) if known is None else shares_given(network, name, evidence)
    said = "set here"
    if known == result.patient.get(name):
        said = next((f"{item.value:.6g}" for item in result.numbers if item.name == name), "")
    return Belief(
        name,
        data.levels[name],
        p,
        everybody(data, name),
        known,
        said,
        outcome=name == result.target,
        unexpected=unexpected,
    )


def _names_on_screen(result: InstanceSpecificResult) -> list[str]:
    """All variables where they are few or wanted, else those that matter most."""
    n = len(result.names)
    if n <= MOST_DRAWN:
        return list(result.names)
    wanted = n <= MOST_SUMMED and st.toggle(f"All {n} variables", key=widget_key(SLUG, "evidence", "all"))
    return list(result.names) if wanted else drawn_names(result)


def drawn_names(result: InstanceSpecificResult) -> list[str]:
    """Of many variables the outcome, or the link that is named, with parents and children; else what is linked."""
    dag, centre = result.population_dag, _centre(result)
    near = {name for item in centre for name in (item, *dag.predecessors(item), *dag.successors(item))}
    shown = near or {name for name in result.names if dag.degree(name)} or set(result.names[:MOST_DRAWN])
    return [name for name in result.names if name in shown]


def _centre(result: InstanceSpecificResult) -> list[str]:
    """The variable that those drawn are about: of many that are linked, without outcome and link, the most linked."""
    dag = result.population_dag
    linked = sorted((name for name in result.names if dag.degree(name)), key=dag.degree, reverse=True)
    named = [result.name(link.child) for link in named_links(result)]
    return ([] if result.target is None else [result.target]) or named[:1] or linked[: len(linked) > MOST_DRAWN]


def why_drawn(result: InstanceSpecificResult) -> str:
    """'cough and what it is linked to', 'the most linked, cough, and what it is linked to', 'the linked ones'."""
    centre = _centre(result)
    if centre:
        asked = result.target is not None or bool(named_links(result))
        return (
            f"{short(centre[0], 24) if asked else f'the most linked, {short(centre[0], 24)},'} and what it is linked to"
        )
    return "the linked ones" if result.population_dag.edges else "the first ones"


def _arcs(result: InstanceSpecificResult, names: list[str]) -> list[BeliefArc]:
    """The population's arcs; those that differ for the patient with their sign."""
    changes = result.arc_changes
    words = {(row.source, row.target): row.word for row in changes.itertuples()} if "word" in changes else {}
    return [
        BeliefArc(a, b, JUDGED.get(words.get((a, b), ""), ""), result.has_direction(a, b))
        for a, b in result.population_dag.edges
        if a in names and b in names
    ]


def _positions(result: InstanceSpecificResult, names: list[str]) -> dict[str, Point]:
    """Where the boxes stand; laid out once for these variables."""
    places: dict[Hashable, dict[str, Point]] = session().state(PatientState).places
    key = (*names, *result.population_dag.edges)
    if key not in places:
        dag = result.population_dag.subgraph(names).copy()
        places[key] = belief_positions(dag, {name: len(result.levels[name]) for name in names})
    return latest(places, key, places.pop(key))
