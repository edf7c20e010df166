"""Other approaches on the same rows: their network beside the first one's, and what each loses on rows held out."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.ordinal import losses_figure
from dashboard.jobs.job_queue import method_key
from dashboard.network.panel import Edge, Panel
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.ordinal.networks import model_positions, nodes, words_of
from dashboard.views.shared.downloads import download_table, show_figure
from dashboard.views.shared.neighbourhood import part_view
from dashboard.views.shared.network_view import pick_node
from dashboard.views.shared.running import await_job
from engine.graphs.compare import panels as statuses
from engine.methods.ordinal.link_tables import BOTH, FIRST, SECOND, TURNED, agreement
from engine.methods.ordinal.result import SLUG
from engine.methods.ordinal.settings import APPROACHES
from engine.words import count, listed

if TYPE_CHECKING:
    import pandas as pd

    from engine.data import Dataset
    from engine.methods import Ordinal
    from engine.methods.ordinal.result import OrdinalResult

WORDS = {
    "same": "in both, the same way",
    "only_a": "only on the left",
    "only_b": "only on the right",
    "reversed": "in both, direction differs",
}


def called(approach: str) -> str:
    """The short name of an approach, as it stands in titles and pictures."""
    return APPROACHES[approach].split(": ", 1)[0]


def second_method(method: Ordinal, approach: str) -> Ordinal:
    """The same settings read another way; a rival cannot leave answers open."""
    missing = method.missing if approach == method.approach else "refuse"
    return replace(method, approach=approach, missing=missing, bootstrap=0)


def show_second_approach(result: OrdinalResult, data: Dataset) -> None:
    """The choice, the job, two networks and the table of where they agree."""
    st.markdown("##### The same rows, read another way")
    others = [approach for approach in APPROACHES if approach != result.method.approach]
    left, right = st.columns([3, 2], vertical_alignment="bottom", gap="medium")
    with left:
        approach = st.selectbox(
            "Second approach",
            others,
            format_func=lambda item: APPROACHES[item],
            key=widget_key(SLUG, "second", result.method.approach),
        )
    method = second_method(result.method, approach or others[0])
    job_queue, key = session().job_queue, ("beside", *method_key(method, data))
    with right:
        if st.button("Learn this one too", key=widget_key(SLUG, "beside"), icon=":material/compare:"):
            job_queue.start(key, method.run, data)
    job = job_queue.get(key)
    if job is None:
        st.caption(
            "Where two ways of reading the levels agree, a link does not hang on how they are read; it may still hang "
            "on the rows. Each has the settings on the left."
        )
        return
    second = await_job(job)
    if second is not None:
        _show(result, second)


def agreement_words(table: pd.DataFrame) -> str:
    """How many links both have, and what the others are."""
    how = table["how"].tolist()
    if not how:
        return "Neither network has a link."
    both, turned = how.count(BOTH), how.count(TURNED)
    if both == len(how):
        return f"**Both have the same network: {count(both, 'link')}.**"
    return (
        f"**{count(both, 'link')} in both, the same way; {turned} in both, direction differs; {how.count(FIRST)} only "
        f"on the left, {how.count(SECOND)} only on the right.**"
    )


def approach_panels(first: OrdinalResult, second: OrdinalResult) -> list[Panel]:
    """Both networks; what differs is marked in both."""
    ours, theirs = statuses(first.graph, second.graph)
    return [
        Panel(
            called(item.method.approach),
            count(len(arcs), "link"),
            nodes(item),
            [Edge(arc.source, arc.target, arc.status, words=WORDS[arc.status], directed=arc.directed) for arc in arcs],
        )
        for item, arcs in ((first, ours), (second, theirs))
    ]


def _show(first: OrdinalResult, second: OrdinalResult) -> None:
    table = agreement(first, second)
    st.markdown(agreement_words(table))
    part_view(
        widget_key(SLUG, "beside"),
        approach_panels(first, second),
        first.names,
        partial(model_positions, first),
        widget_key(SLUG, "beside", "networks"),
        picked=session().picked.get(SLUG),
        words=WORDS | words_of(first),
        clicked=pick_node(SLUG),
        scope="app",
    )
    st.caption(
        f"Both from the same {count(first.n_rows, 'row')}. How sure the second network's links are has not been asked. "
        "'Direction differs' also counts an arrow against a line."
    )
    display = table.assign(
        in_first=[_sign(item) for item in table["in_first"]], in_second=[_sign(entry) for entry in table["in_second"]]
    ).rename(columns={"in_first": "on the left", "in_second": "on the right"})
    with st.expander(f"All {count(len(table), 'link')} of the two, as a table"):
        st.dataframe(display, hide_index=True, height=min(420, 38 + 35 * max(len(display), 1)))
        st.caption(plain("a -> b: from the first column to the second; a -- b: without a direction."))
        download_table(display, "agreement")


def _sign(mark: str) -> str:
    return mark.replace("->", "→").replace("--", "–")


REPEATS = (5, 10, 20)
LOST = (
    "What it means where this approach predicts worse: cutting a normal scale does not describe these answers. Perhaps "
    "middle answers hang together in a way of their own, or a level is not between its neighbours. Its links may still "
    "be there; but read their sizes, and links that only it finds, with care."
)


def show_loss(result: OrdinalResult, data: Dataset) -> None:
    """Against whom, how often, the job, the differences."""
    st.markdown("##### Which reading predicts rows it has not seen?")
    own = result.method.approach
    rivals = [approach for approach in APPROACHES if approach != own]
    left, middle, right = st.columns([5, 3, 2], vertical_alignment="bottom", gap="medium")
    with left:
        against = st.multiselect(
            "Against",
            rivals,
            default=[item for item in ("osem", "bge", "bde") if item != own],
            format_func=lambda item: APPROACHES[item],
            key=widget_key(SLUG, "against", own),
        )
    with middle:
        repeats = st.select_slider("Splits into 80 % and 20 %", REPEATS, value=10, key=widget_key(SLUG, "repeats"))
    job_queue, key = session().job_queue, ("loss", tuple(against), repeats, *method_key(result.method, data))
    with right:
        pressed = st.button(
            "Hold rows out", key=widget_key(SLUG, "loss"), icon=":material/content_cut:", disabled=not against
        )
    if pressed:
        job_queue.start(key, hold_out, result.method, data, tuple(against), repeats)
    job = job_queue.get(key)
    table = None if job is None else await_job(job)
    if table is None:
        st.caption(
            "Every approach learns from the same 80 % of the rows and gives each row of the other 20 % a probability; "
            "the loss is minus its logarithm, in nats a row."
        )
        return
    _show_losses(table, repeats)


def hold_out(method: Ordinal, data: Dataset, against: tuple[str, ...], repeats: int, progress: Any) -> pd.DataFrame:
    """What the job does."""
    rivals = [second_method(method, item) for item in against]
    return method.log_loss(data, against=rivals, repeats=repeats, progress=progress)


def loss_sentences(table: pd.DataFrame, repeats: int) -> list[str]:
    """The first one's loss, each difference with its interval, and what it means where the first loses."""
    first = table.iloc[0]
    sentences = [
        f"{called(first['approach'])}: {first['log_loss']:.2f} nats a row, over {count(repeats, 'split')} with "
        f"{count(int(first['n']), 'row')} held out each."
    ]
    lost = []
    for row in table.iloc[1:].itertuples():
        ends = f"{row.difference:+.3f} nats a row, 95 % interval {row.low:+.3f} to {row.high:+.3f}"
        name = called(row.approach)
        if row.low > 0:
            verdict = "predicts worse"
        elif row.high < 0:
            verdict = "predicts better"
            lost.append(name)
        else:
            verdict = "cannot be told apart in prediction"
        sentences.append(f"{name} {verdict} ({ends}; it lost more on {row.better} of {repeats} splits).")
    if lost and first["approach"] == "osem":
        sentences.append(f"{LOST} (Better here: {listed(lost)}.)")
    return sentences


def _show_losses(table: pd.DataFrame, repeats: int) -> None:
    sentences = loss_sentences(table, repeats)
    st.markdown("\n".join(f"- {item}" for item in sentences))
    show_figure(
        losses_figure(table, {entry: called(entry) for entry in table["approach"]}),
        "log-loss",
        alt=" ".join(sentences),
        key=widget_key(SLUG, "loss", "chart"),
        table=table,
    )
    st.caption(
        "Intervals allow for splits that share rows (Nadeau and Bengio 2003). Each approach has the settings on the "
        "left; to move these by hand until one wins is to tune it on these very rows."
    )
