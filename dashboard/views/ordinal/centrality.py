"""How central the items are: a plot beside the picture, and how far their order can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.labels import full_name, labelled
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.ordinal.picture import item_labels, picked_items
from dashboard.views.ordinal.stability import OrdinalState, dropping_key
from dashboard.views.shared.downloads import show_figure, show_with_file
from dashboard.views.shared.running import start_on_press
from engine.methods.ordinal.case_dropping import RUNS
from engine.methods.ordinal.partial_network import MEASURES
from engine.methods.ordinal.result import SLUG
from engine.telling.ordinal.figures import networks
from engine.telling.ordinal.figures.centrality import case_dropping_figure, centrality_figure, edge_accuracy_figure
from engine.telling.ordinal.wording import difference_words, no_ranking, not_counted
from engine.words import in_percent

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.ordinal.partial_network import PartialNetwork
    from engine.methods.ordinal.result import OrdinalResult

HEIGHT = 500
MOST = 30
"""Items that the plot shows; of more, those that come first."""
SHOWN = {
    "expected_influence": "Influence",
    "strength": "Strength",
    "bridge_expected_influence": "Bridge",
}
ABOUT = {
    "expected_influence": "Expected influence: the sum of an item's partial correlations with their signs.",
    "strength": "Strength: the sum of the sizes of lines whose interval excludes 0; it comes out somewhat too high.",
    "bridge_expected_influence": "Bridge expected influence: the same over items of other scales.",
}


def show_plot(lines: PartialNetwork, result: OrdinalResult, measure: str) -> None:
    """One measure of all items with its intervals, or why it is not given."""
    if why := no_ranking(result):
        st.markdown(plain(labelled(why)))
        return
    table = lines.centrality_table()
    labels = item_labels(lines.names)
    table = table.assign(label=[labels[name] for name in table["variable"]])
    shown = (
        table[~table["variable"].isin(lines.covariates)].sort_values(measure, kind="stable", ascending=False).head(MOST)
    )
    show_figure(
        centrality_figure(shown, measure, networks.scale_names(result), picked_items(), HEIGHT),
        f"centrality-{measure.replace('_', '-')}",
        alt=f"{MEASURES[measure]} of each item with its 95 % interval.",
        key=widget_key(SLUG, "centrality"),
        table=shown.drop(columns="label"),
    )
    items = len(table) - len(lines.covariates)
    more = f" The first {MOST} of {items} items." if items > MOST else ""
    st.caption(plain(labelled(f"{ABOUT[measure]} 95 % bootstrap intervals.{more} {not_counted(lines)}")))


def measures_shown(lines: PartialNetwork) -> dict[str, str]:
    """The measures that this network has, and what they are called."""
    return {name: label for name, label in SHOWN.items() if name in lines.centralities}


def show_centrality(result: OrdinalResult, data: Dataset) -> None:
    """Accuracy of the lines, case dropping by one press, differences of two items, and all figures as a table."""
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
            alt="How the items' values correlate with those of all rows after rows were dropped.",
            key=widget_key(SLUG, "dropping"),
            table=result.dropping.frame(),
        )
    _show_difference(lines)
    with st.expander("All measures of all items"):
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
        f"**Is the order of the items stable?** {in_percent(0.05)} to {in_percent(0.75)} of the {whom} are dropped at "
        f"random, {RUNS} times each, and all items measured again."
    )
    pressed = right.button("Drop cases", key=widget_key(SLUG, "drop"), icon=":material/casino:")
    scales = dict(result.lines.scales) if result.lines is not None else {}
    key = dropping_key(result.fingerprint, scales)
    found = start_on_press(pressed, key, result.method.case_dropping, data, scales, RUNS)
    if found is not None:
        session().state(OrdinalState).dropping[key] = found
        st.rerun(scope="app")


def _show_difference(lines: PartialNetwork) -> None:
    """Two items, and whether they differ in a measure."""
    st.markdown("**Do two items differ?**")
    columns = st.columns(3)
    measures = [name for name in MEASURES if name in lines.centralities]
    measure = columns[0].selectbox(
        "Measure", measures, format_func=MEASURES.__getitem__, key=widget_key(SLUG, "difference", "measure")
    )
    asked = [widget_key(SLUG, "difference", place) for place in ("first", "second")]
    items = [name for name in lines.names if name not in lines.covariates]
    first = columns[1].selectbox("Item", items, format_func=full_name, key=asked[0])
    rest = [name for name in items if name != first]
    second = columns[2].selectbox("And item", rest, format_func=full_name, key=asked[1])
    st.markdown(plain(labelled(difference_words(lines, measure, first, second))))
    with st.expander("All pairs of items"):
        show_with_file(lines.difference_table(measure), f"differences-{measure}", most=420)
