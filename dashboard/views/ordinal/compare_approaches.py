"""Other approaches and penalties on the same rows: their networks, and what each loses on rows held out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.job_queue import method_key
from dashboard.network.panel import Edge, Panel
from dashboard.session.keys import widget_key
from dashboard.session.labels import labelled_table
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.ordinal.networks import model_positions, nodes, words_of
from dashboard.views.shared.downloads import download_table, show_figure
from dashboard.views.shared.neighbourhood import part_view
from dashboard.views.shared.network_view import pick_node
from dashboard.views.shared.running import start_on_press
from engine.graphs.comparison import panels as statuses
from engine.methods.ordinal.approaches import BOTH, FIRST, SECOND, TURNED, agreement
from engine.methods.ordinal.held_out_loss import tuning
from engine.methods.ordinal.method import PENALTIES
from engine.methods.ordinal.result import SLUG
from engine.methods.ordinal.settings import APPROACHES
from engine.telling.ordinal.figures.tables import losses_figure, path_figure
from engine.words import count, listed, with_sign

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.ordinal.method import Ordinal
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
    return method.set_params(approach=approach, missing=missing, bootstrap=0)


def show_second_approach(result: OrdinalResult, data: Dataset) -> None:
    """The choice, the job, two networks and the table of where they agree."""
    st.markdown("**The same rows, read another way**")
    others = [approach for approach in APPROACHES if approach != result.method.approach]
    left, right = st.columns([3, 2], vertical_alignment="bottom", gap="medium")
    approach = left.selectbox(
        "Second approach",
        others,
        format_func=APPROACHES.__getitem__,
        key=widget_key(SLUG, "second", result.method.approach),
    )
    method = second_method(result.method, approach or others[0])
    pressed = right.button("Learn this one too", key=widget_key(SLUG, "second"), icon=":material/compare:")
    key = ("beside", *method_key(method, data))
    second = start_on_press(pressed, key, method.run, data)
    if session().job_queue.get(key) is None:
        st.caption(
            "Where two ways of reading the levels agree, a link does not hang on how they are read; it may still hang "
            "on the rows. Each has the settings on the left."
        )
    elif second is not None:
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
        st.dataframe(labelled_table(display), hide_index=True, height=min(420, 38 + 35 * max(len(display), 1)))
        st.caption(plain("a -> b: from the first column to the second; a -- b: without a direction."))
        download_table(display, "agreement")


def _sign(mark: str) -> str:
    return mark.replace("->", "→").replace("--", "–")


REPEATS = (5, 10, 20)
LOST = (
    "What it means where this approach predicts worse: cutting a normal scale does not describe these answers. Perhaps "
    "middle answers are linked in a way of their own, or a level is not between its neighbours. Its links may still "
    "be there; but read their sizes, and links that only it finds, with care."
)


def show_loss(result: OrdinalResult, data: Dataset) -> None:
    """Against whom, how often, the job, the differences."""
    st.markdown("**Which reading predicts rows it has not seen?**")
    own = result.method.approach
    rivals = [approach for approach in APPROACHES if approach != own]
    left, middle, right = st.columns([5, 3, 2], vertical_alignment="bottom", gap="medium")
    against = left.multiselect(
        "Against",
        rivals,
        default=[item for item in ("osem", "bge", "bde") if item != own],
        format_func=APPROACHES.__getitem__,
        key=widget_key(SLUG, "against", own),
    )
    repeats = middle.select_slider("Splits into 80 % and 20 %", REPEATS, value=10, key=widget_key(SLUG, "repeats"))
    pressed = right.button(
        "Hold rows out", key=widget_key(SLUG, "loss"), icon=":material/content_cut:", disabled=not against
    )
    key = ("loss", tuple(against), repeats, *method_key(result.method, data))
    table = start_on_press(pressed, key, hold_out, result.method, data, tuple(against), repeats)
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
        difference, low, high = (with_sign(value, 3) for value in (row.difference, row.low, row.high))
        ends = f"{difference} nats a row, 95 % interval {low} to {high}"
        name = called(row.approach)
        if row.low > 0:
            verdict = "predicts worse"
        elif row.high < 0:
            verdict = "predicts better"
            lost.append(name)
        else:
            verdict = "predict alike within the error"
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


VALUES = {
    "penalty": PENALTIES,
    "alpha": (0.001, 0.005, 0.01, 0.05, 0.1, 0.2),
    "ess": (0.1, 0.5, 1.5, 5.0, 20.0),
    "am": (0.005, 0.02, 0.05, 0.2, 1.0),
}
NAMES = {
    "penalty": "penalty (lambda)",
    "alpha": "significance (alpha)",
    "ess": "equivalent sample size (chi)",
    "am": "weight of the prior (am)",
}
SPLITS = (0, 5, 10, 20)


def values_of(method: Ordinal) -> tuple[float, ...]:
    """The values to try: the usual ones, and the one chosen."""
    name = tuning(method)
    return tuple(sorted({*map(float, VALUES[name]), float(getattr(method, name))}))


def show_path(result: OrdinalResult, data: Dataset) -> None:
    """The button, the job, the curves."""
    method = result.method
    name = tuning(method)
    st.markdown(f"**What another {NAMES[name]} would give**")
    left, right = st.columns([3, 4], vertical_alignment="bottom", gap="large")
    splits = left.select_slider(
        "Splits of the rows for the loss",
        SPLITS,
        value=5,
        key=widget_key(SLUG, "splits"),
        help="The rows are split so often into 80 % to learn from and 20 % to predict; 0 leaves the loss out.",
    )
    values = values_of(method)
    pressed = right.button(f"Try {len(values)} values", key=widget_key(SLUG, "path"), icon=":material/timeline:")
    table = start_on_press(
        pressed, ("path", splits, values, *method_key(method, data)), walk, method, data, values, splits
    )
    if table is None:
        st.caption(
            "Structure and prediction seldom want the same value: prediction gains from links that are too weak to be "
            "believed one by one. Both are shown, and none is chosen for you."
        )
        return
    _show_path(table, method, splits)


def walk(method: Ordinal, data: Dataset, values: tuple[float, ...], repeats: int, progress: Any) -> pd.DataFrame:
    """What the job does."""
    return method.lambda_path(data, values, repeats=repeats, progress=progress)


def path_words(table: pd.DataFrame, chosen: float, name: str) -> str:
    """Which value predicts best, and what it would change."""
    own = table[table["penalty"] == chosen].iloc[0]
    text = f"With {chosen:g}, the one chosen: {count(int(own['links']), 'link')}."
    with_loss = table[table["log_loss"].notna()]
    if not len(with_loss):
        return text
    best = with_loss.sort_values("log_loss", kind="stable").iloc[0]
    if best["penalty"] == chosen:
        return f"{text} None of the others predicts rows held out better."
    clear = best["high"] < own["log_loss"]
    return (
        f"{text} Rows held out are predicted best with {best['penalty']:g} ({count(int(best['links']), 'link')}; "
        f"{best['log_loss']:.3f} against {own['log_loss']:.3f} nats a row; "
        f"{'the interval of the difference leaves 0 out' if clear else 'the interval of the difference holds 0'}). "
        f"That is about prediction, and no reason by itself to change the {name.split(' ')[0]} for the structure."
    )


def _show_path(table: pd.DataFrame, method: Ordinal, splits: int) -> None:
    name = tuning(method)
    chosen = float(getattr(method, name))
    st.markdown(path_words(table, chosen, NAMES[name]))
    show_figure(
        path_figure(table, chosen, NAMES[name]),
        "path",
        alt=path_words(table, chosen, NAMES[name]),
        key=widget_key(SLUG, "path", "chart"),
        table=table,
    )
    loss = (
        f" Loss: minus the logarithm of the probability of a row held out, mean of {splits} splits; bars are 95 % "
        "intervals of its difference to the chosen value's, on the same splits."
        if splits
        else ""
    )
    st.caption(
        "Distance: links to add, take away or turn (a half for an arrow against a line) to get from that network to "
        f"the one shown above.{loss}"
    )
