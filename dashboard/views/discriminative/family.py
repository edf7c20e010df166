"""One family: its tables in both classes, their difference, its counts and what chance would show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.keys import begin_with, set_value, value_of, widget_key
from dashboard.text import plain, short
from dashboard.views.shared.downloads import show_figure, show_with_file
from engine.methods.discriminative.figures import MOST_ROWS, configurations, is_stacked, tables_alt, tables_figure
from engine.methods.discriminative.result import SLUG
from engine.methods.discriminative.wording import family_sentence

if TYPE_CHECKING:
    from engine.methods.discriminative.result import DiscriminativeResult

FAMILY = widget_key(SLUG, "family")
P = "p, corrected"
LINKS = {
    "source": "from",
    "target": "to",
    "status": "in networks",
    "strength": "gain",
    "shift_own": "shift here",
    "low_own": "low here",
    "high_own": "high here",
    "shift_other": "shift in the other",
    "low_other": "low in the other",
    "high_other": "high in the other",
    "more": "shifts more in",
}
"""Column of the links -> its heading."""


def family_label(row: Any) -> str:
    """A family in a list."""
    parents = ", ".join(short(name, 26) for name in row["parents"]) or "no parent"
    return f"{parents} → {short(row['child'], 26)} ({short(row['network'], 20)})"


def choose_family(result: DiscriminativeResult, ends: tuple[str, str], network: str = "") -> bool:
    """Put the family of an arc that was clicked into the panel; whether that changes anything."""
    ranked = result.families()
    for place, row in ranked[ranked["network"] == network if network else ranked["gain"].notna()].iterrows():
        arcs = {(result.earlier(parent), result.later(row["child"])) for parent in row["parents"]}
        if tuple(ends) in arcs:
            changed = value_of(FAMILY) != place
            set_value(FAMILY, place)
            return bool(changed)
    return False


def show_family(result: DiscriminativeResult) -> None:
    """The panel beside the networks."""
    ranked = result.families()
    begin_with(FAMILY, 0)
    if value_of(FAMILY) not in ranked.index:
        set_value(FAMILY, 0)
    place = st.selectbox(
        "Family, the largest gain first",
        list(ranked.index),
        format_func=lambda i: family_label(ranked.loc[i]),
        key=FAMILY,
        label_visibility="collapsed",
    )
    row = ranked.loc[place]
    own, other = result.titles_of(*result.place_of(row["network"]))
    st.markdown(plain(family_sentence(row, result.held_out.noun)))
    table = result.cpt(row["network"], row["child"])
    child = result.later(row["child"])
    figure = tables_figure(table, own, other, child)
    fits = len(set(table[child])) <= 2 or is_stacked(table, child)  # beside the networks on a small screen, too
    with st.container(key=widget_key(SLUG, "narrow" if fits else "matrices")):
        show_figure(
            figure,
            "family-tables",
            alt=tables_alt(table, own, other),
            key=widget_key(SLUG, "tables", place),
            table=table,
        )
    if configurations(table, child) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS} configurations of the parents; all are in the CSV.")
    step = "steps" if result.series else "rows"
    st.caption(f"Small numbers count {step}. Probabilities are in the CSV.")


def show_ranking(result: DiscriminativeResult) -> None:
    """All families, then all links with the networks that have them, as tables."""
    ranked = result.families()
    display = (
        ranked.assign(parents=[", ".join(item) for item in ranked["parents"]])
        .drop(columns="shift")
        .rename(columns={"pacl": "PACL", "added": "parameters added", "recurrence": "folds", "chance": P})
    )
    number = st.column_config.NumberColumn
    show_with_file(
        display,
        "families",
        most=420,
        probabilities=[P],
        column_config={
            "gain": number(format="%+.1f"),
            "worth": number(format="%+.1f"),
            "PACL": number(format="%.1f"),
            "folds": number(format="percent"),
            "effect": number(format="percent"),
            "low": number(format="percent"),
            "high": number(format="percent"),
        },
    )
    links = result.links().drop(columns="mark").rename(columns=LINKS)
    if len(links):
        st.caption(
            "Links: which networks have them, and the largest shift of a level of the child in either class with its "
            "95 % interval."
        )
        show_with_file(
            links,
            "links",
            most=420,
            column_config={"gain": number(format="%+.1f")}
            | {name: number(format="percent") for name in links.columns[5:11]},
        )
