"""Another criterion beside the one used: links of both, links of one only, on one layout."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain, visible
from dashboard.views.log_linear.graph import SHORT, Pair
from dashboard.views.log_linear.story import number_formats
from dashboard.views.log_linear.what_if import show_sides, side_panels
from dashboard.views.shared.downloads import download_table
from dashboard.views.shared.running import await_job
from engine.methods.log_linear.result import SLUG
from engine.methods.log_linear.settings import CRITERIA, WITH_ALPHA
from engine.methods.log_linear.wording import false_links_of
from engine.words import count, first

if TYPE_CHECKING:
    import pandas as pd

    from engine.data import Dataset
    from engine.methods import LogLinear
    from engine.methods.log_linear.result import LogLinearResult

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
    st.dataframe(
        display, hide_index=True, height=min(420, 38 + 35 * len(display)), column_config=number_formats(display)
    )
    download_table(display, "two-criteria")


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
    with left:
        criterion = st.selectbox(
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
        with right:
            alpha = st.select_slider(
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
