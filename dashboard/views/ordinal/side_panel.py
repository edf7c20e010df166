"""What stands beside the picture: its largest links, how central variables are, or what was clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import set_value, widget_key
from dashboard.session.labels import labelled
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.ordinal.card import show_card
from dashboard.views.ordinal.picture import SidePanel, item_labels, picked_items
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.page_parts import choose_option
from engine.methods.ordinal.partial_network import MEASURES
from engine.methods.ordinal.result import SLUG
from engine.telling.ordinal.figures.centrality import centrality_figure
from engine.telling.ordinal.figures.links import largest_links, largest_words, links_figure
from engine.telling.ordinal.figures.networks import scale_names
from engine.telling.ordinal.wording import no_ranking, not_counted

if TYPE_CHECKING:
    from engine.methods.ordinal.partial_network import PartialNetwork
    from engine.methods.ordinal.result import OrdinalResult

HEIGHT, FEW, LOWER = 500, 5, 260
"""Pixels, and up to how many links a figure of them is lower."""
MOST = 30
"""Variables that the plot of a measure shows; of more, those that come first."""
LINKS, SELECTED = "links", "selected"
SHOWN = {"expected_influence": "Influence", "bridge_expected_influence": "Bridge"}
ABOUT = {
    "expected_influence": "Expected influence: the sum of a variable's partial correlations with their signs.",
    "bridge_expected_influence": "Bridge expected influence: the same over variables of other scales.",
}


def show_side_panel(result: OrdinalResult) -> None:
    """The largest links, one measure of all variables, or what is known of the link or variable that was clicked."""
    options = {SELECTED: "Selected"}
    if result.lines is not None:
        options = measures_shown(result.lines) | options
    if not result.undecided and len(largest_links(result)):
        options = {LINKS: "Links"} | options
    key = widget_key(SLUG, "beside")
    if session().state(SidePanel).clicked:
        session().state(SidePanel).clicked = False
        set_value(key, SELECTED)
    shown = choose_option("Show", options, key, format_func=options.__getitem__)
    if shown == SELECTED:
        show_card(result)
    elif shown == LINKS:
        show_links(result)
    elif result.lines is not None:
        show_plot(result.lines, result, shown)


def measures_shown(lines: PartialNetwork) -> dict[str, str]:
    """The measures that this network has, and what they are called."""
    return {name: label for name, label in SHOWN.items() if name in lines.centralities}


def show_links(result: OrdinalResult) -> None:
    """The largest links with their intervals, those that are clear filled."""
    table = largest_links(result)
    show_figure(
        links_figure(table, item_labels(result.names), result, HEIGHT if len(table) > FEW else LOWER),
        "largest-links",
        alt=f"Partial correlations of the {len(table)} largest links with their 95 % intervals.",
        key=widget_key(SLUG, "largest"),
        table=table,
    )
    st.caption(plain(labelled(largest_words(result))))


def show_plot(lines: PartialNetwork, result: OrdinalResult, measure: str) -> None:
    """One measure of all variables with its intervals, or why it is not given."""
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
        centrality_figure(shown, measure, scale_names(result), picked_items(), HEIGHT),
        f"centrality-{measure.replace('_', '-')}",
        alt=f"{MEASURES[measure]} of each variable with its 95 % interval.",
        key=widget_key(SLUG, "centrality"),
        table=shown.drop(columns="label"),
    )
    many = len(table) - len(lines.covariates)
    more = f" The first {MOST} of {many} variables." if many > MOST else ""
    st.caption(plain(labelled(f"{ABOUT[measure]} 95 % bootstrap intervals.{more} {not_counted(lines)}")))
