"""What chance alone and another score show, in the background; and how far the answer holds on other rows."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.job_queue import method_key
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.downloads import show_with_file
from dashboard.views.shared.running import follow_together, may_begin, refuse_remote, start_on_press
from engine.methods.cost import Size, about
from engine.methods.group_difference.result import SLUG
from engine.methods.group_difference.verdicts import SURE, Verdict
from engine.words import first, in_percent, listed

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.resampling import Null, ScoreCheck, Stability
    from engine.methods.group_difference.result import GroupDifferenceResult

SHUFFLES, DEALS = 20, 99
"""Tables with shuffled labels that are compared again while the reader looks at the answer; where rows belong together,
deals of whole clusters."""
MOST_DEALT = 12
"""Variables beyond which deals of clusters are asked for."""
MORE = 200
"""As many when the reader asks for more."""
_HEADINGS = {
    "share_differs": "runs: differs",
    "share_probable": "runs: P of 50 % and more",
    "p_lowest": "lowest P",
    "p_median": "median P",
    "p_highest": "highest P",
    "lowest": "paper: lowest log10 odds",
    "median": "paper: median",
    "highest": "paper: highest",
    "share_above_even": "paper: runs above even",
}


def seconds_of(learned: GroupDifferenceResult, data: Dataset, runs: int) -> float:
    """About how long so many more comparisons take."""
    result: float = learned.method.cost(Size.of(data)).times(runs).seconds
    return result


def show_background(learned: GroupDifferenceResult, data: Dataset) -> None:
    """What runs by itself below the picture: permutations of the labels, and the comparison under the other score."""
    keys, method = _keys(learned, data), learned.method
    waiting: list[tuple[str, str, float, Any, tuple[int, ...]]] = []
    runs = _shuffles(learned)
    few = learned.clusters is None or len(learned.names) <= MOST_DEALT
    if has_chance(learned) and few and data.in_memory and known_shuffles(learned, data) is None:
        words = f"{runs} permutations of the labels"
        waiting.append((words, "shuffles", seconds_of(learned, data, runs), method.null, (runs,)))
    if has_score(learned) and known_score(learned, data) is None:
        waiting.append(
            ("the table under the other score", "score", seconds_of(learned, data, 1), method.check_score, ())
        )
    if waiting:
        st.caption(f"In the background: {listed(words for words, *_ in waiting)}.")
    follow_together(
        [
            session().quietly(keys[name], function, data, *more)
            for words, name, seconds, function, more in waiting
            if may_begin(keys[name], seconds, f"Compare {words}")
        ]
    )


def _keys(learned: GroupDifferenceResult, data: Dataset) -> dict[str, Hashable]:
    of = method_key(learned.method, data)
    return {"shuffles": ("null", _shuffles(learned), *of), "more": ("null", MORE, *of), "score": ("score", *of)}


def _shuffles(learned: GroupDifferenceResult) -> int:
    """How often labels are shuffled by themselves."""
    return SHUFFLES if learned.clusters is None else DEALS


def has_chance(learned: GroupDifferenceResult) -> bool:
    """Whether P(differs) of shuffled tables can be held against it: where it was worked out, and carries a verdict."""
    if learned.clusters is not None and learned.clusters.too_few:
        return False
    return learned.posterior is not None or learned.method.average == "none"


def has_score(learned: GroupDifferenceResult) -> bool:
    """Whether another score can be looked at: where orders are averaged."""
    return learned.posterior is not None


def known_shuffles(learned: GroupDifferenceResult, data: Dataset) -> Null | None:
    """The shuffled tables where they are there already; the larger number of them."""
    keys = _keys(learned, data)
    results = (session().job_queue.result(keys[name]) for name in ("more", "shuffles"))
    return next((null for null in results if null is not None), None)


def known_score(learned: GroupDifferenceResult, data: Dataset) -> ScoreCheck | None:
    """What the other score gives, where it is there already."""
    return session().job_queue.result(_keys(learned, data)["score"])


def same_prior(learned: GroupDifferenceResult, result: GroupDifferenceResult) -> bool:
    """Whether verdicts still rest on the prior under which other tables were compared."""
    names = ("p_none",) if learned.average is not None else ("p_same", "p_level", "alignment")
    return all(getattr(learned.method, name) == getattr(result.method, name) for name in names)


def checked(learned: GroupDifferenceResult, result: GroupDifferenceResult, data: Dataset) -> list[str]:
    """What permuted labels and the other score show, as far as it is known; under the prior of the run alone."""
    null = known_shuffles(learned, data) if has_chance(learned) else None
    score = known_score(learned, data)
    if null is None and score is None:
        return []
    if not same_prior(learned, result):
        return ["The permutation test and the other score hold under the prior of the run only."]
    sentences = [] if null is None else [null.sentence(result), *null.deal_sentences(result)]
    return sentences + ([] if score is None else score.sentences(result.variables()["probability"]))


def show_resampling(learned: GroupDifferenceResult, result: GroupDifferenceResult, data: Dataset) -> None:
    """Rows drawn again: in how many runs each variable differs; and more permutations of the labels."""
    with st.expander("Stability (bootstrap) and chance"):
        if refuse_remote("Resampling", learned.method.stability, data):
            return
        st.markdown(
            "**Bootstrap (rows resampled).** Each run draws as many rows again, with replacement, and compares the "
            "groups anew. The table counts the runs in which a variable differs."
        )
        runs = st.select_slider("Runs", (20, 50, 100, 200), value=50, key=widget_key(SLUG, "orders"))
        of = method_key(learned.method, data)
        stability = _job(
            ("stability", runs, *of),
            "stability",
            "Resample the rows",
            seconds_of(learned, data, runs),
            learned.method.stability,
            data,
            runs,
        )
        if stability is not None:
            _show_stability(stability.with_settings(result.method), result)
        if not has_chance(learned):
            return
        st.markdown(
            "**Permutation test (labels shuffled).** Tables in which nothing can differ. Their largest P(differs) is "
            "what chance alone reaches."
        )
        key = _keys(learned, data)["more"]
        null = _job(
            key,
            "null",
            f"Permute the labels {MORE} times",
            seconds_of(learned, data, MORE),
            learned.method.null,
            data,
            MORE,
        )
        if null is not None:
            st.markdown(plain(" ".join([null.sentence(result), *null.deal_sentences(result)])))


def _show_stability(stability: Stability, result: GroupDifferenceResult) -> None:
    table = stability.table()
    matches = result.variables()
    called = list(matches.index[matches["verdict"].isin([Verdict.DIFFERS, Verdict.PROBABLY])])
    if called:
        sentences = [f"{name} {in_percent(table.at[name, 'share_differs'])}" for name in called]
        st.markdown(plain(f"Runs with P(differs) of at least {in_percent(SURE)}: {first(sentences, most=6)}."))
    display = table.loc[matches.index].rename(columns=_HEADINGS)
    display.insert(0, "variable", list(display.index))
    of = "P(differs) under the prior of the run" if has_chance(result) else "what the paper's odds make of it"
    st.caption(f"P is {of}; the last four columns are the paper's own odds.")
    probabilities = [name for name in display.columns if name.endswith(" P")]
    percents = [name for name in display.columns if "runs" in name]
    signed = dict.fromkeys([*display.columns.drop(["variable", *probabilities, *percents])], 2)
    show_with_file(display, "stability", probabilities=probabilities, percents=percents, signed=signed)


def _job(key: Hashable, name: str, label: str, seconds: float, function: Any, *args: Any) -> Any | None:
    """What a job gives that a button starts; the button says how long it takes."""
    return start_on_press(st.button(f"{label}: {about(seconds)}", key=widget_key(SLUG, name)), key, function, *args)
