"""Other models beside the one found: the price of one link, a model made by hand, and that of another criterion."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.forms.settings_form import set_pairs
from dashboard.network.panel import Edge, Panel
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain, visible
from dashboard.views.log_linear.clique import AssociationState
from dashboard.views.log_linear.graph import (
    BITS,
    MOST_EDGES,
    SHORT,
    Pair,
    edge_words,
    model_positions,
    nodes,
    subtitle,
    weights,
)
from dashboard.views.log_linear.story import number_formats
from dashboard.views.shared.downloads import show_figure, show_with_file
from dashboard.views.shared.neighbourhood import is_wide, part_view
from dashboard.views.shared.running import await_job
from engine import DiptychError
from engine.methods.log_linear.result import SLUG
from engine.methods.log_linear.settings import CRITERIA, WITH_ALPHA, continue_from, demand_edge
from engine.telling.log_linear.figures import message_figure
from engine.telling.log_linear.wording import false_links_of, p_words
from engine.words import count, first, with_sign

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.log_linear.method import LogLinear
    from engine.methods.log_linear.result import LogLinearResult
    from engine.methods.log_linear.what_if import WhatIf


VISIBLE = 0.6
"""Least width of a link that only one of two models has."""
SIDES = {"same": "in both", "only_a": "only in the model found", "only_b": "only in the one by hand"}


@st.fragment
def show_what_if(result: LogLinearResult, data: Dataset) -> None:
    """Choose two variables, read the price, and act on it."""
    by_hand = manual_models(result)
    model = by_hand[-1] if by_hand else result
    left, right = st.columns([9, 11], gap="large")
    with left:
        _show_pair(result, model, data)
        _show_history(result, data, len(by_hand))
    with right:
        _show_message(result, by_hand[-1] if by_hand else None)
    if by_hand:
        _show_both(result, by_hand[-1])


def manual_models(result: LogLinearResult) -> list[LogLinearResult]:
    """The models made by hand from this one, in order; forgotten when another model is found."""
    state = session().state(AssociationState)
    if state.origin is not result:
        state.origin, state.by_hand = result, []
    return state.by_hand


def _show_pair(result: LogLinearResult, model: LogLinearResult, data: Dataset) -> None:
    st.markdown("**Two variables**")
    a, b = _choose(result)
    try:
        price = model.what_if(data, a, b)
        which = "the model found" if model is result else "the model by hand"
        st.markdown(f"In {which}: {plain(model.independence(a, b))}")
    except DiptychError as error:
        st.info(plain(error))
        return
    st.markdown(price_words(price))
    saved = {"data": price.data_bits, "parameters": price.parameter_bits, "graph": price.graph_bits}
    parts = ", ".join(f"{name} {with_sign(bits, 1)}" for name, bits in saved.items())
    test = (
        f" G = {price.statistic:,.1f} on {price.degrees:,.0f} degrees of freedom, {p_words(price.log10_p)}."
        if math.isfinite(price.statistic)
        else ""
    )
    st.caption(f"Saved bits by part: {parts}.{test}")
    adding = price.action == "add"
    with st.container(horizontal=True):
        if st.button("Add the link" if adding else "Take the link away", key=widget_key(SLUG, "apply"), type="primary"):
            change = {"add": [(a, b)]} if adding else {"remove": [(a, b)]}
            manual_models(result).append(model.edited(data, **change))
            st.rerun(scope="fragment")
        if adding and st.button("Search again with it forced", key=widget_key(SLUG, "force")):
            ask(demand_edge(result.method, (a, b), there=True), data)
        if not adding and st.button("Search again with it forbidden", key=widget_key(SLUG, "forbid")):
            ask(demand_edge(result.method, (a, b), there=False), data)


def _choose(result: LogLinearResult) -> Pair:
    """Two different variables; at first the weakest link of the model, whose price is the closest call."""
    names = list(result.names)
    known = list(result.edge_values)
    first = known[-1] if known else (names[0], names[1])
    left, right = st.columns(2)
    a = left.selectbox("One", names, index=names.index(first[0]), key=widget_key(SLUG, "a"), persist_state="session")
    others = [name for name in names if name != a]
    start = others.index(first[1]) if first[1] in others else 0
    b = right.selectbox("and another", others, index=start, key=widget_key(SLUG, "b"), persist_state="session")
    a = a if a in names else names[0]
    return a, b if b is not None and b != a else next(name for name in names if name != a)


def price_words(price: WhatIf) -> str:
    """What the change costs or saves, and what comes with it."""
    adding, bits = price.action == "add", price.saving_bits
    verb = "Adding the link" if adding else "Taking the link away"
    gain_words = f"would **{'save' if bits >= 0 else 'cost'} {abs(bits):,.1f} bits**"
    words = f"{verb} {gain_words}."
    if price.fill_in:
        pairs = ", ".join(f"{visible(x)} - {visible(y)}" for x, y in price.fill_in)
        item = len(price.fill_in) == 1
        verb = ("comes" if item else "come") if adding else "goes" if item else "go"
        words += f" It does not go alone: {plain(pairs)} {verb} with it, so that every group stays whole; "
        words += "the price is for all together."
    elif adding and price.separator:
        words += f" Counted given {plain(', '.join(price.separator))}."
    return words


def ask(method: LogLinear, data: Dataset) -> None:
    """Run these settings next; the form on the left takes up their pairs."""
    session().ask(method, data)
    for name in ("forced", "forbidden", "start"):
        set_pairs(SLUG, name, data, getattr(method, name))
    st.rerun()


def _show_history(result: LogLinearResult, data: Dataset, changes: int) -> None:
    """Undo, start again, and search on, once something was changed by hand."""
    by_hand = manual_models(result)
    if not changes:
        st.caption("A link added or taken away makes a model by hand; the one found stays beside it.")
        return
    st.markdown(f"**By hand: {count(changes, 'change')}.**")
    with st.container(horizontal=True):
        if st.button("Undo the last", key=widget_key(SLUG, "undo"), icon=":material/undo:"):
            by_hand.pop()
            st.rerun(scope="fragment")
        if st.button("Search on from here", key=widget_key(SLUG, "continue_from"), icon=":material/search:"):
            ask(continue_from(result.method, tuple(by_hand[-1].edge_values)), data)
        if st.button("Back to the model found", key=widget_key(SLUG, "reset")):
            by_hand.clear()
            st.rerun(scope="fragment")


def _show_message(result: LogLinearResult, by_hand: LogLinearResult | None) -> None:
    st.markdown("**Message length: shorter is better**", help=BITS)
    table, titles = message_table(result, by_hand)
    show_figure(
        message_figure(table, titles),
        "message-length",
        alt="; ".join(
            f"{title}: {row['total']:,.1f} bits" for title, (_, row) in zip(titles, table.iterrows(), strict=True)
        ),
        key=widget_key(SLUG, "message"),
    )
    display = table.assign(model=titles)[["model", "data", "parameters", "graph", "total"]]
    number = st.column_config.NumberColumn(format="%.1f")
    show_with_file(display, "message-length", column_config=dict.fromkeys(display.columns[1:], number))


def message_table(result: LogLinearResult, by_hand: LogLinearResult | None) -> tuple[pd.DataFrame, list[str]]:
    """The three messages in bits, a row each, with their titles."""
    import pandas as pd

    table, titles = result.message, ["no links", "the model found"]
    if by_hand is not None:
        table, titles = pd.concat([table, by_hand.message.iloc[1:]]), [*titles, "by hand"]
    return table.reset_index(drop=True), titles


def _show_both(result: LogLinearResult, by_hand: LogLinearResult) -> None:
    """The model found and the one by hand on one layout."""
    show_sides(result, side_panels(result, by_hand, ("The model found", "The model by hand")), "both", SIDES)


def show_sides(result: LogLinearResult, panels: Sequence[Panel], key: str, words: Mapping[str, str]) -> None:
    """Two models side by side on one layout; of wide ones a part."""
    part_view(
        widget_key(SLUG, key),
        panels,
        [node.name for node in panels[0].nodes],
        partial(model_positions, result),
        widget_key(SLUG, key),
        picked=session().picked.get(SLUG),
        words=words,
    )


def side_panels(log_linear_result: LogLinearResult, other: LogLinearResult, titles: tuple[str, str]) -> list[Panel]:
    """Two models over the same variables: links of both, and of one only, drawn apart."""
    wide = is_wide(log_linear_result.names)
    edges = [list(model.edge_values)[: None if wide else MOST_EDGES] for model in (log_linear_result, other)]
    sets = [set(map(frozenset, model.edge_values)) for model in (log_linear_result, other)]
    drawn = nodes(log_linear_result, *edges)
    panels = []
    for model, title, mine, theirs, status in zip(
        (log_linear_result, other), titles, edges, reversed(sets), ("only_a", "only_b"), strict=True
    ):
        width = weights(model)
        lines = [
            Edge(a, b, "same", width[a, b], edge_words(model, a, b), directed=False)
            if frozenset((a, b)) in theirs
            else Edge(a, b, status, max(width[a, b], VISIBLE), edge_words(model, a, b), directed=False)
            for a, b in mine
        ]
        panels.append(Panel(title, subtitle(model, model.edge_values), drawn, lines))
    return panels


ALPHAS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
NAMED = 8


@st.fragment
def show_comparison(result: LogLinearResult, data: Dataset) -> None:
    """The dial, two panels, and the links that only one of them has."""
    method = _other_method(result)
    other = await_job(session().job_queue.run(method, data))
    if other is None:
        return
    here, there = criterion_title(result.method), criterion_title(other.method)
    for item in (result, other):
        if rate := false_links_of(item):
            st.caption(plain(rate))
    table = result.compare(other)
    st.markdown(f"{comparison_words(table, here, there)}{given_words(result.method)}")
    words = {"same": "in both", "only_a": f"only with {here}", "only_b": f"only with {there}"}
    show_sides(result, side_panels(result, other, (here, there)), "criteria", words)
    display = comparison_table(table, here, there)
    st.caption(
        "Bits: what the link saves. None: not in that model, or in several groups of it, "
        "so that it cannot be taken away alone."
    )
    show_with_file(display, "two-criteria", most=420, column_config=number_formats(display))


def criterion_title(method: LogLinear) -> str:
    """The criterion as one says it, with its alpha and its extra move."""
    extra = f", alpha {method.alpha:g}" if method.criterion in WITH_ALPHA else ""
    return SHORT[method.criterion] + (" with two links at once" if method.joint else "") + extra


def _other_method(result: LogLinearResult) -> LogLinear:
    """The same settings under another criterion, from no link at all: links to start from would be in both."""
    own = result.method.criterion
    others = [item for item in CRITERIA if item != own]
    first = "mml" if own == "smt" else "smt"
    left, right = st.columns(2, gap="large")
    criterion = left.selectbox(
        "Beside it",
        others,
        index=others.index(first),
        format_func=CRITERIA.__getitem__,
        key=widget_key(SLUG, "other", own),
        help="SMT tests each link and keeps the chance of any false one below alpha; MML asks whether the link "
        "shortens the message. Links that both find are the safest.",
    )
    criterion = criterion or first
    alpha = result.method.alpha
    if criterion in WITH_ALPHA:
        alpha = right.select_slider(
            "Accepted chance of any false link (alpha)",
            ALPHAS,
            value=0.05,
            key=widget_key(SLUG, "other", "alpha"),
        )
    return replace(result.method, criterion=criterion, joint=False, alpha=float(alpha), start=())


def comparison_words(table: pd.DataFrame, here: str, there: str) -> str:
    """How far the two agree, and the links they do not share."""
    both = len(table[table["in_this"] & table["in_other"]])
    if both == len(table):
        return f"**{here} and {there} find the same {count(both, 'link')}.**"
    words = [f"**{count(both, 'link')} in both.**"]
    for title, mine, theirs in ((here, "in_this", "in_other"), (there, "in_other", "in_this")):
        only = [(str(row["a"]), str(row["b"])) for _, row in table[table[mine] & ~table[theirs]].iterrows()]
        if only:
            words.append(f"Only {title}: {_pairs(only)}.")
    return " ".join(words)


def given_words(method: LogLinear) -> str:
    """What of an agreement is no finding: links that were forced; and where links to start from went."""
    words = ""
    if method.start:
        words += " The links that this search started from were not given to the other."
    if forced := len(method.forced):
        words += f" {count(forced, 'link is', 'links are')} forced and so in both."
    return words


def _pairs(pairs: list[Pair]) -> str:
    return plain(first((f"{visible(a)} - {visible(b)}" for a, b in pairs), NAMED, "; "))


def comparison_table(table: pd.DataFrame, here: str, there: str) -> pd.DataFrame:
    """The links that differ first; what each is worth in either model."""
    where = [
        "both" if item and two else here if item else there
        for item, two in zip(table["in_this"], table["in_other"], strict=True)
    ]
    display = table.assign(found_by=where).rename(
        columns={"found_by": "found by", "bits_here": f"bits in {here}", "bits_there": f"bits in {there}"}
    )
    display = display.drop(columns=["in_this", "in_other"])
    order = sorted(range(len(display)), key=lambda i: where[i] == "both")
    return display.iloc[order][
        ["a", "b", "found by", *[name for name in display.columns if name.startswith("bits in")]]
    ]
