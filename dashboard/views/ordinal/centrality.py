"""How central the variables are: how far their order can be trusted, and two of them against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.labels import full_name, labelled
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.ordinal.stability import OrdinalState, dropping_key
from dashboard.views.shared.downloads import show_figure, show_with_file
from dashboard.views.shared.running import start_on_press
from engine.methods.ordinal.case_dropping import RUNS
from engine.methods.ordinal.partial_network import MEASURES
from engine.methods.ordinal.result import SLUG
from engine.telling.ordinal.figures.centrality import case_dropping_figure
from engine.telling.ordinal.figures.links import edge_accuracy_figure
from engine.telling.ordinal.wording import difference_words
from engine.words import in_percent

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.ordinal.partial_network import PartialNetwork
    from engine.methods.ordinal.result import OrdinalResult


def show_centrality(result: OrdinalResult, data: Dataset) -> None:
    """Accuracy of the lines, case dropping by one press, differences of two variables, and all figures as a table."""
    lines = result.lines
    if lines is None:
        st.markdown("No lines were estimated: there are too few rows for so many variables.")
        return
    for sentence in result.section("centrality").sentences:
        st.markdown(f"- {plain(labelled(sentence))}")
    _show_accuracy(lines)
    if result.determined:
        return
    _ask_dropping(result, data)
    if result.dropping is not None:
        show_figure(
            case_dropping_figure(result.dropping.frame(), dict(MEASURES)),
            "case-dropping",
            alt="How the variables' values correlate with those of all rows after rows were dropped.",
            key=widget_key(SLUG, "dropping"),
            table=result.dropping.frame(),
        )
    _show_difference(lines)
    with st.expander("All measures of all variables"):
        st.caption(
            "Closeness and betweenness take links for paths along which something flows, and change much between "
            "samples: read them with caution."
        )
        show_with_file(lines.centrality_table(), "centrality", most=420)


def _show_accuracy(lines: PartialNetwork) -> None:
    """How accurately the lines are estimated: all pairs by size, with their intervals."""
    st.markdown("**How accurate is each line?**")
    table = lines.line_table()
    shown = table.assign(a=table["a"].map(full_name), b=table["b"].map(full_name))
    show_figure(
        session().figures.of(edge_accuracy_figure, shown),
        "line-accuracy",
        alt=f"The partial correlations of {len(table)} pairs with their 95 % intervals, the largest first.",
        key=widget_key(SLUG, "accuracy"),
        table=table,
    )
    st.caption("Intervals are each pair's own; where many overlap, the order of the lines is uncertain.")


def _ask_dropping(result: OrdinalResult, data: Dataset) -> None:
    if result.dropping is not None:
        return
    left, right = st.columns([3, 2], vertical_alignment="center")
    whom = "subjects" if result.subjects else "rows"
    left.markdown(
        f"**Is the order of the variables stable?** {in_percent(0.05)} to {in_percent(0.75)} of the {whom} are dropped "
        f"at random, {RUNS} times each, and all variables measured again."
    )
    pressed = right.button("Run case-dropping", key=widget_key(SLUG, "drop"), icon=":material/casino:")
    scales = dict(result.lines.scales) if result.lines is not None else {}
    key = dropping_key(result.fingerprint, scales)
    found = start_on_press(pressed, key, result.method.case_dropping, data, scales, RUNS)
    if found is not None:
        session().state(OrdinalState).dropping[key] = found
        st.rerun(scope="app")


def _show_difference(lines: PartialNetwork) -> None:
    """Two variables, and whether they differ in a measure."""
    st.markdown("**Do two variables differ in centrality?**")
    columns = st.columns(3)
    measures = [name for name in MEASURES if name in lines.centralities]
    measure = columns[0].selectbox(
        "Measure", measures, format_func=MEASURES.__getitem__, key=widget_key(SLUG, "difference", "measure")
    )
    asked = [widget_key(SLUG, "difference", place) for place in ("first", "second")]
    names = [name for name in lines.names if name not in lines.covariates]
    first = columns[1].selectbox("Variable", names, format_func=full_name, key=asked[0])
    rest = [name for name in names if name != first]
    second = columns[2].selectbox("And variable", rest, format_func=full_name, key=asked[1])
    st.markdown(plain(labelled(difference_words(lines, measure, first, second))))
    with st.expander("All pairs of variables"):
        show_with_file(lines.difference_table(measure), f"differences-{measure}", most=420)
