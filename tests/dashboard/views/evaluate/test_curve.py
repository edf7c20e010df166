"""The curve on screen: what it says in counts, the points it draws, the interval that is none."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.views.evaluate.curve import (
    Items,
    Line,
    _compared,
    curve_table,
    pairs_sentence,
    rates_words,
    warnings,
)
from engine.measures.bootstrap import area_interval, bootstrap_interval
from engine.measures.comparing import compare_curves
from engine.measures.intervals import share_interval
from engine.telling.charts.curves import corners, curve_figure
from engine.words import in_percent

ITEMS = Items()


def line(seed: int = 1, n: int = 24) -> Line:
    """A score with ties that knows a little."""
    generator = np.random.default_rng(seed)
    truth = np.arange(n) % 3 == 0
    return Line("odds", np.round(truth + generator.normal(size=n), 0), truth, "log10 odds", own=0.0)


def page() -> None:
    """Two scores, as a page shows them."""
    import numpy as np

    from dashboard.views.evaluate.curve import Line, show_curve

    truth = [True, True, False, True, False, False]
    first = Line("odds", [5, 4, 3, 2, 1, 0], truth, "log10 odds", own=1.5)
    show_curve([first, Line("coin", np.zeros(6), truth)], "here")


def text(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in [*at.markdown, *at.caption, *at.info])


def counts(at: AppTest) -> list[int]:
    """Found, missed, false alarms, rightly left."""
    return [int(one.value.removeprefix("## ")) for one in at.markdown if one.value.startswith("## ")]


def test_the_sentence_counts_pairs() -> None:
    """All pairs of a case and another, one by one; a tie is half."""
    one = line()
    scores, truth = np.asarray(one.scores), np.asarray(one.truth)
    wins = sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in itertools.product(scores[truth], scores[~truth]))
    said = pairs_sentence(one, ITEMS)
    assert "Of 128 pairs of a changed and an unchanged variable" in said
    assert f"in {wins:g} (a tie counts half)" in said
    assert f"AUC {wins / 128:.2f}" in said


def test_a_single_pair_is_one() -> None:
    """One case and one other."""
    assert "Of 1 pair of a changed" in pairs_sentence(Line("x", [2, 1], [True, False]), ITEMS)


def test_an_interval_that_says_nothing_is_named() -> None:
    """A single case, few cases, and none that overlap."""
    single = Line("x", [3, 2, 1], [True, False, False])
    assert warnings(single, ITEMS) == ["With a single changed variable there is no interval."]
    apart = Line("x", list(range(30)), [False] * 15 + [True] * 15)
    assert "no width" in warnings(apart, ITEMS)[0]
    assert pairs_sentence(apart, ITEMS).startswith("**x: AUC 1.00.**")
    assert len(warnings(apart, ITEMS)) == 1
    wide = replace(apart, interval=area_interval(apart.scores, apart.truth))
    assert warnings(wide, ITEMS)[0].startswith("The order has no exception: its interval is Jeffreys', of the 15 pairs")
    few = Line("x", [1, 3, 2, 4] * 8, [True, True, True] + [False] * 29)
    assert warnings(few, ITEMS) == ["Only 3 changed variables: take the interval as a rough one."]


def test_the_table_has_every_point() -> None:
    """Thresholds fall; called is found and false alarms together; shares are of cases and of others."""
    one = line()
    table = curve_table([one])
    assert table["threshold"].is_monotonic_decreasing
    assert (table["called"] == table["found"] + table["false_alarms"]).all()
    for row in table.iloc[1:].itertuples():
        called = np.asarray(one.scores) >= row.threshold
        assert row.called == called.sum()
        assert row.found == (called & np.asarray(one.truth)).sum()
        assert row.share_found == pytest.approx(row.found / 8)


def test_points_left_out_lie_on_the_line() -> None:
    """The curve through the corners alone goes through every point."""
    found = line(n=90).curve
    kept = corners(found)
    assert len(kept) < len(found.thresholds) or len(found.thresholds) < 4
    again = np.interp(
        found.false_positive_rate + found.sensitivity * 1e-9,
        (found.false_positive_rate + found.sensitivity * 1e-9)[kept],
        found.sensitivity[kept],
    )
    assert again == pytest.approx(found.sensitivity, abs=1e-6)


@pytest.mark.parametrize("recall", [False, True])
def test_the_ring_is_at_the_operating_point(recall: bool) -> None:
    """In either picture, on the line it is asked for; lines differ by dash and sign; letters are large."""
    one, two = line(), line(seed=2)
    figure = curve_figure([one, two], ITEMS, 1, 3, recall)
    ring = next(trace for trace in figure.data if trace.name == "operating point")
    found = two.curve
    expected = (
        (found.sensitivity[3], found.precision[3]) if recall else (found.false_positive_rate[3], found.sensitivity[3])
    )
    assert (ring.x[0], ring.y[0]) == pytest.approx(expected)
    named = [trace for trace in figure.data if trace.showlegend is None]
    assert len({trace.line.dash for trace in named}) == len({trace.marker.symbol for trace in named}) == 2
    assert figure.layout.xaxis.tickfont.size >= 16
    assert figure.layout.xaxis.title.font.size >= 16


def test_the_slider_moves_the_counts() -> None:
    """It starts at as many as there are cases; each place is counted by hand."""
    at = AppTest.from_function(page, default_timeout=30).run()
    assert not at.exception
    assert counts(at) == [2, 1, 1, 2]
    at.slider[0].set_value(2).run()
    assert counts(at) == [2, 1, 0, 3]
    assert "at least **4** (log10 odds)" in text(at).replace("\\", "")
    at.slider[0].set_value(0).run()
    assert counts(at) == [0, 3, 0, 3]
    assert "No variable is called" in text(at)
    assert "calls 4: 3 of the 3 changed variables, and 1 by mistake" in text(at)


def test_the_other_score_has_its_own_points() -> None:
    """All its scores are tied, so nothing is called until all are."""
    at = AppTest.from_function(page, default_timeout=30).run()
    at.button_group(key="here.score").set_value(1).run()
    assert counts(at) == [0, 3, 0, 3]
    assert "tied" in text(at)
    at.slider[0].set_value(6).run()
    assert counts(at) == [3, 0, 3, 0]
    assert "is here ahead of" in text(at)


def test_without_cases_a_sentence_stands_in() -> None:
    """No curve, no traceback."""

    def empty() -> None:
        from dashboard.views.evaluate.curve import Line, show_curve

        show_curve([Line("odds", [1, 2], [False, False])], "here")

    at = AppTest.from_function(empty, default_timeout=30).run()
    assert not at.exception
    assert "no cases" in text(at)


def test_five_items_are_not_told_beyond_doubt() -> None:
    """DeLong's p would be 0; the sentence names the exact test and a p that five swaps can give."""
    truth = [True, True, False, False, False]
    lines = [Line("sure", [5, 4, 3, 2, 1], truth), Line("wrong", [1, 2, 3, 4, 5], truth)]
    said = _compared(lines)
    assert said.startswith(
        "*sure* is here ahead of *wrong* by 1.00, not clearly beyond chance (exact permutation test: p\u00a0="
    )
    assert compare_curves([5, 4, 3, 2, 1], [1, 2, 3, 4, 5], truth).p >= 2 / 2**5
    assert "<" not in said


def test_what_belongs_together_is_swapped_and_drawn_together() -> None:
    """The sentence says so, and the interval is that of whole clusters; a single one has none."""
    rng = np.random.default_rng(0)
    truth = np.tile([True, False], 30)
    scores = [rng.normal(size=60) + truth * much for much in (2, 0)]
    clusters = np.repeat(np.arange(6), 10)
    lines = [Line(name, values, truth, clusters=clusters) for name, values in zip("ab", scores, strict=True)]
    assert "(exact permutation test, whole clusters kept together: p\u00a0=\u00a0" in _compared(lines)
    assert lines[0].limits == bootstrap_interval(scores[0], truth, clusters=clusters, runs=1000)
    one = Line("a", scores[0], truth, clusters=np.zeros(60))
    assert np.isnan(one.limits).all()
    assert warnings(one, ITEMS) == ["All belong together, so there is no interval."]


def called_so(found: int, missed: int, alarms: int, spared: int) -> tuple[Line, int]:
    """A score whose threshold calls so many cases and others, and that threshold's place."""
    truth = np.repeat([True, False], [found + missed, alarms + spared])
    one = Line("", np.repeat([1.0, 0.0, 1.0, 0.0], [found, missed, alarms, spared]), truth)
    return one, 1 if found + alarms and missed + spared else int(found + alarms > 0)


def test_rates_are_shares_of_the_right_margins() -> None:
    """Four rates whose numerators and margins all differ, each with the interval of its own counts."""
    words = rates_words(*called_so(found=9, missed=3, alarms=8, spared=40))
    for name, hits, of in (("Sensitivity", 9, 12), ("specificity", 40, 48), ("PPV", 9, 17), ("NPV", 40, 43)):
        low, high = share_interval(hits, of)
        assert f"{name} {in_percent(hits / of)} ({100 * float(low):.0f} to {100 * float(high):.0f})" in words
    assert words.endswith(" (95\u00a0% intervals: Jeffreys').")


def test_rates_of_what_belongs_together_keep_clusters_whole_and_nobody_called_has_no_value() -> None:
    """Each row ten times tells no more than once; PPV of nobody is no number, and so is NPV where all are called."""
    line, place = called_so(9, 3, 8, 40)
    alone = rates_words(line, place)
    ten = Line("", np.repeat(line.scores, 10), np.repeat(line.truth, 10), whole="patients")
    together = rates_words(replace(ten, clusters=np.repeat(np.arange(60), 10)), place)
    assert together == alone.replace("Jeffreys')", "Jeffreys', whole patients kept together)")
    assert rates_words(ten, place) != alone, "as 600 rows their intervals are narrower"
    none = rates_words(*called_so(0, 12, 0, 48))
    assert "PPV" not in none and "Sensitivity 0\u00a0%" in none
    every = rates_words(*called_so(12, 0, 48, 0))
    assert "NPV" not in every and "PPV 20\u00a0%" in every
