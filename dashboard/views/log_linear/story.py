"""How the model was built: a slider that replays it link by link, what each saves, and what was not taken."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.network.panel import Edge, Panel, widths
from dashboard.session.keys import widget_key
from dashboard.session.labels import full_name, labelled, shown_names
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.log_linear.graph import (
    MOST_EDGES,
    Pair,
    crowded,
    legend,
    linked,
    model_positions,
    nodes,
    rows_words,
    strengths,
    within,
)
from dashboard.views.shared.downloads import show_figure, show_with_file
from dashboard.views.shared.neighbourhood import part_drawn
from dashboard.views.shared.network_view import network_view
from engine.methods.log_linear.pair_evidence import held_fixed
from engine.methods.log_linear.result import SLUG
from engine.methods.log_linear.settings import WITH_ALPHA
from engine.telling.log_linear.figures import link_worths, worth_alt, worth_figure
from engine.telling.log_linear.wording import NEAR, links_counted, p_words
from engine.words import count, listed

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.log_linear.result import LogLinearResult

MENTIONED = 3
"""Links that were nearly taken and are named."""


@st.fragment
def show_story(result: LogLinearResult, _data: Dataset) -> None:
    """A fragment, so that the slider draws nothing else again."""
    steps = result.steps
    if len(steps):
        at = _slider(len(steps))
        st.markdown(_step_words(result, steps, at))
        wide = crowded(result)
        if wide:
            _show_replay(result, steps, at)
        named = link_worths(result).replace({end: dict(shown_names()) for end in ("a", "b")})
        left, right = st.columns(2, gap="large")
        with left:
            show_figure(
                session().figures.of(worth_figure, named, at),
                "search-steps",
                alt=worth_alt(named),
                key=widget_key(SLUG, "savings"),
            )
            st.caption("Strongest first, as in the table of links. Step: when a link was taken, given those before.")
        with right if wide else left:
            _show_refused(result)
        if not wide:
            with right:
                _show_replay(result, steps, at)
        with st.expander("Steps as a table"):
            _table(result.table("Steps"), "steps")
    else:
        st.markdown("No link paid: the search stopped where it began.")
        _show_refused(result)


def _slider(steps: int) -> int:
    key = widget_key(SLUG, "step", steps)
    if steps == 1:
        return 1
    return int(
        st.slider(
            "Replay: links taken so far",
            0,
            steps,
            steps,
            key=key,
            help="The search starts without links (or from those you gave) and each time takes the link that pays "
            "most. Drag to see the model grow; the arrow keys go step by step. Bits stand in the table of steps.",
        )
    )


def _step_words(result: LogLinearResult, steps: pd.DataFrame, at: int) -> str:
    """The step on the slider as a sentence."""
    if at == 0:
        given = count(len(_begun(result)), "link")
        return (
            f"**Before the first step** the model has {given}, given beforehand."
            if _begun(result)
            else ("**Before the first step** no two variables are linked.")
        )
    row = steps.iloc[at - 1]
    given = f", with {plain(listed(map(full_name, row['separator'])))} held fixed" if row["separator"] else ""
    both = " It came as one of two links taken at once, which pay together." if row["joint"] else ""
    saves = "" if row["saving_bits"] >= 0 else ", saves nothing by itself"
    both_ends = plain(f"{full_name(row['a'])} with {full_name(row['b'])}")
    return f"**Step {at}: {both_ends}**{given}: {p_words(row['log10_p'])} when taken{saves}.{both}"


def _show_replay(result: LogLinearResult, steps: pd.DataFrame, at: int) -> None:
    """The model after so many steps, on the layout of the whole; the newest link stands out."""
    newest = set() if at == 0 else {steps.iloc[at - 1]["a"], steps.iloc[at - 1]["b"]}
    taken = [*_begun(result), *((row["a"], row["b"]) for _, row in steps.head(at).iterrows())]
    everything = list(result.edge_values)
    names = part_drawn(SLUG, linked(result), partial(strengths, result))
    drawable = within(everything, names)[:MOST_EDGES]
    there = {frozenset(edge) for edge in drawable}
    drawn_edges = [edge for edge in taken if frozenset(edge) in there]
    width = widths({(row["a"], row["b"]): row["saving_bits"] for _, row in steps.iterrows()})
    held = set(map(frozenset, held_fixed(result)))
    drawn = [Edge(*edge, _kind(edge, newest, held), width.get(edge, 0.1), directed=False) for edge in drawn_edges]
    some = f", {len(drawn_edges)} of them drawn" if len(drawn_edges) < len(taken) else ""
    panel = Panel(
        f"After step {at}",
        f"{labelled(links_counted(result, taken))}{some}",
        nodes(result, drawable),
        drawn,
    )
    placed = model_positions(result, names)
    network_view(
        [panel],
        placed,
        widget_key(SLUG, "replay"),
        picked=session().picked.get(SLUG),
        words={**legend(result), "link": "taken before", "new": "the newest"},
    )


def _kind(edge: Pair, newest: set[str], held: set[frozenset[str]]) -> str:
    return "new" if {*edge} == newest else "alike" if frozenset(edge) in held else "link"


def _begun(result: LogLinearResult) -> list[Pair]:
    """The links that were there from the start."""
    return [(a, b) for a, b in result.replay(0).edges]


def _show_refused(result: LogLinearResult) -> None:
    """The links just below the line, with what they lack."""
    refused = result.refused
    st.markdown("**Links that were nearly taken**")
    if not len(refused):
        everything = len(result.edge_values) == result.pairs
        st.markdown("Every link was taken." if everything else "The search was held by its limits, not by the data.")
        return
    near = refused[refused["log10_p"] <= NEAR].head(MENTIONED)
    if near.empty:
        st.markdown(f"None came near: the best has {p_words(refused['log10_p'].iloc[0])}.")
    lines, charged = [], result.method.criterion not in WITH_ALPHA
    for _, row in near.iterrows():
        given = f", given {', '.join(row['separator'])}" if row["separator"] else ""
        about = f"{row['a']} with {row['b']}{given}"
        costs = f", too weak for the {count(round(row['df']), 'parameter')} it adds" if charged else ""
        lines.append(
            f"- {plain(labelled(about))}: {p_words(row['log10_p'])}{costs}; "
            f"{plain(rows_words(row['rows_factor'], row['G']))}."
        )
    if lines:
        st.caption("Rows: how many this criterion would need for the link, were all shares as here.")
    st.markdown("\n".join(lines))
    with st.expander(f"The {len(refused)} best of those not taken, as a table"):
        _table(result.table("Not taken"), "links-not-taken")


def _table(table: pd.DataFrame, stem: str) -> None:
    display = table.rename(columns=lambda name: name.replace("_", " "))
    show_with_file(display, stem, column_config=number_formats(display))


def number_formats(table: pd.DataFrame) -> dict[str, Any]:
    """One decimal for numbers that have any."""
    number = st.column_config.NumberColumn
    return {
        name: number(format="%d" if name == "df" else "%.1f") for name in table.columns if table[name].dtype.kind == "f"
    }
