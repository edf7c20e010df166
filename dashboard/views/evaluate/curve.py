"""How well scores tell cases from others, on screen: the curve, a sentence with counts, an operating point to slide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.guide import explain
from dashboard.session.keys import widget_key
from dashboard.text import plain
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.page_parts import choose_option
from engine import DiptychError
from engine.measures.comparing import paired
from engine.measures.curves import called_at, pairs_won, place_above, place_for, points, size
from engine.telling.charts.curves import Items, Line, curve_figure, with_interval
from engine.words import NO_BREAK, count, p_value, with_minus

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Items", "Line", "curve_table", "pairs_sentence", "show_curve"]

FEW_CASES = 10
SIGNIFICANCE = 0.05
ROC, RECALL = "ROC", "Precision and recall"


@st.fragment
def show_curve(
    lines: Sequence[Line],
    key: str,
    items: Items = Items(),  # noqa: B008
    *,
    stem: str = "curve",
    usual: bool = False,
    begins: int | None = None,
    beside: str = "",
) -> None:
    """The curves of one or two scores with their areas, and an operating point that moves with a slider.

    A fragment: the slider draws only this again. Without cases or without others it says so and draws nothing.

    Parameters
    ----------
    lines : one or two scores; the paired test is shown where both have the same truth
    key : prefix of the widgets' keys
    items : what is scored, in words
    stem : of the downloaded files' names
    usual : the slider begins at the usual threshold of the score; else where as many are called as there are cases
    begins : how many are called at first, in place of either
    beside : a sentence above the counts
    """
    try:
        for line in lines:
            line.curve  # worked out here, where a refusal is told  # noqa: B018
    except DiptychError as error:
        st.info(plain(error))
        return
    left, right = st.columns([11, 9], gap="medium")
    with right:
        picked = _pick(lines, key)
        line = lines[picked]
        st.markdown(f"{pairs_sentence(line, items)} {_compared(lines)} {plain(line.meaning)}")
        place = _slide(line, key, items, usual, begins)
        with st.container(key=widget_key(key, "counts")):
            if beside:
                st.markdown(plain(beside))
            _show_counts(line, place, items)
        if begins is None:
            _own_words(line, items)
        for warning in warnings(line, items):
            st.caption(f":material/info: {plain(warning)}")
    with left:
        kind = choose_option("Curve", (ROC, RECALL), widget_key(key, "kind"))
        figure = curve_figure(lines, items, picked, place, kind == RECALL)
        show_figure(
            figure,
            stem,
            alt=_alt(lines, items),
            key=widget_key(key, "figure"),
            table=curve_table(lines),
            width="content",
        )


def pairs_sentence(line: Line, items: Items) -> str:
    """What the area means, with counts, as Markdown."""
    result = line.auc
    pairs, won = pairs_won(result)
    wins = f"{won:,.1f}".removesuffix(".0")
    noun = "comparison" if items.one == "pair" else "pair"  # or it would speak of pairs of pairs
    area = with_interval(result.value, *line.limits)
    return (
        f"**{plain(line.name)}: AUC {area}.** Of {count(pairs, noun)} of {plain(_a(items.case))} and "
        f"{plain(_a(items.other))} {items.one}, the {plain(items.case)} one has the higher score in {wins} "
        "(a tie counts half)."
    )


def warnings(line: Line, items: Items) -> list[str]:
    """What the interval does not say, in words."""
    result, sentences = line.auc, []
    fewest = min(result.cases, result.others)
    few = items.case if result.cases <= result.others else items.other
    low, high = line.limits
    if math.isnan(low) and fewest > 1:
        sentences.append("All belong together, so there is no interval.")
    elif math.isnan(low):
        sentences.append(f"With a single {few} {items.one} there is no interval.")
    elif low == high:
        why = (
            f" because no {items.other} {items.one} has a score above {_a(items.case)} one's"
            if result.value == 1
            else ""
        )
        sentences.append(
            f"There is no interval{why}: it would have no width. That is no certainty, only too little to tell."
        )
    elif result.value in (0, 1):
        sentences.append(
            f"The order has no exception: its interval is Jeffreys', of the {fewest} pairs without an item in common."
        )
    if 1 < fewest < FEW_CASES:
        sentences.append(f"Only {fewest} {few} {items.many}: take the interval as a rough one.")
    return sentences


def curve_table(lines: Sequence[Line]) -> pd.DataFrame:
    """Every point of the curves: score, threshold, called, found, false_alarms and the shares drawn."""
    import pandas as pd

    return pd.concat({line.name: points(line.curve) for line in lines}, names=["score", None]).reset_index(0)


def _a(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def _pick(lines: Sequence[Line], key: str) -> int:
    """Which score the slider is for."""
    if len(lines) == 1:
        return 0
    names = [plain(line.name) for line in lines]
    return int(choose_option("Score", range(len(lines)), widget_key(key, "score"), format_func=names.__getitem__))


def _compared(lines: Sequence[Line]) -> str:
    """Which of two is ahead, and whether that could be chance."""
    if len(lines) < 2:
        return ""
    first, second = lines
    result = paired(first.scores, second.scores, first.truth, second.truth, first.clusters)
    if result is None:
        return ""
    gap, p = result.difference, result.p
    if abs(gap) < 1e-12:
        return "The two areas are equal."
    ahead, behind = (first, second) if gap > 0 else (second, first)
    words = f"*{plain(ahead.name)}* is here ahead of *{plain(behind.name)}* by {abs(gap):.2f}"
    together = f", whole {first.whole} kept together" if first.clusters is not None else ""
    doubt = "" if p < SIGNIFICANCE else ", not clearly beyond chance"
    return f"{words}{doubt} ({result.test}{together}: {p_value(p)})."


def _slide(line: Line, key: str, items: Items, usual: bool, begins: int | None) -> int:
    """The threshold chosen: the last one that calls no more than the slider says."""
    result = line.curve
    total = size(result)
    wanted = st.slider(
        f"How many {items.many} to call {items.case}",
        0,
        total,
        value=called_at(result, _first_place(line, usual)).number if begins is None else begins,
        key=widget_key(key, "called", total, result.cases),
        help="Those with the highest scores are called. Equal scores are called together or not at all.",
    )
    place = place_for(result, wanted)
    st.markdown(_threshold_words(line, called_at(result, place).number, wanted, place, items))
    return place


def _first_place(line: Line, usual: bool) -> int:
    """Where the slider begins."""
    result = line.curve
    return place_above(result, line.own) if usual and line.own is not None else place_for(result, result.cases)


def _threshold_words(line: Line, called: int, wanted: int, place: int, items: Items) -> str:
    threshold = float(line.curve.thresholds[place])
    unit = f" ({plain(line.unit)})" if line.unit else ""
    if not called:
        words = f"No {items.one} is called"
    else:
        least = (
            "any score" if threshold == -math.inf else f"a score of at least **{with_minus(f'{threshold:.3g}')}**{unit}"
        )
        words = f"**{called:,} called**: {least}"
    return words + ("; the next ones are tied, so they come together." if called < wanted else ".")


def _show_counts(line: Line, place: int, items: Items) -> None:
    """Called or not, by truth."""
    called = called_at(line.curve, place)
    cells = (
        ("True positives (found)", called.found, f"{items.case}, called"),
        ("False negatives (missed)", called.missed, f"{items.case}, not called"),
        ("False positives", called.alarms, f"{items.other}, called"),
        ("True negatives", called.spared, f"{items.other}, not called"),
    )
    for pair in (cells[:2], cells[2:]):
        for cell, (title, number, words) in zip(st.columns(2, gap="small"), pair, strict=True):
            with cell, st.container(border=True, gap=None):
                st.markdown(f"**{title}**")
                st.markdown(f"## {number:,}")
                st.markdown(f":gray[:small[{plain(words)}]]")
    st.markdown(rates_words(line, place), help=explain("sensitivity, specificity"))


def rates_words(line: Line, place: int) -> str:
    """Sensitivity, specificity and predictive values with 95 % intervals, and how these were found."""
    found, how = line.rates(place)
    words = ", ".join(f"{rate.name} {rate.percent} ({rate.low:.0f} to {rate.high:.0f})" for rate in found)
    return f"{words} (95{NO_BREAK}% intervals: {how})."


def _own_words(line: Line, items: Items) -> None:
    """What the usual threshold would call."""
    if line.own is None:
        return
    result = line.curve
    called = called_at(result, place_above(result, line.own))
    unit = f" {plain(line.unit)}" if line.unit else ""
    st.markdown(
        f"The usual threshold (above {with_minus(f'{line.own:.3g}')}{unit}) calls {called.number:,}: "
        f"{called.found:,} of the {result.cases:,} {plain(items.case)} {items.many}, and {called.alarms:,} by mistake."
    )


def _alt(lines: Sequence[Line], items: Items) -> str:
    areas = ", ".join(f"{line.name} {line.auc.value:.2f}" for line in lines)
    return f"Share of the {items.case} {items.many} found against share of the others called; AUC: {areas}."
