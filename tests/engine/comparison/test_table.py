"""Each word at its threshold, and the rows that the numbers become."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from engine.comparison.difference import Differences
from engine.comparison.scales import CORRELATION, MEANS, ODDS, PARTIAL, SCALES, ratio
from engine.comparison.table import COLUMNS, LinkTest, link_table
from engine.methods.verdicts import verdict_of
from engine.telling.comparison.wording import size_of
from engine.words import signed

WIDTH = 1.959963984540054
M = math.log(1.5)


def numbers(
    scale: str,
    values: list[list[float]],
    halves: list[list[float]],
    p: list[list[float]],
    levels: tuple[str, ...] = ("",),
    pairs: list[tuple[int, int]] | None = None,
) -> LinkTest:
    """Groups' numbers with half widths of their 95 % intervals, at many degrees of freedom."""
    value, variance = np.array(values, dtype=float), (np.array(halves) / WIDTH) ** 2
    k, q = value.shape
    between = k * (k - 1) // 2
    found = Differences(
        value,
        variance,
        np.zeros((between, q)),
        np.full(k, 10**9),
        np.zeros(q, dtype=bool),
        np.array(p, dtype=float).reshape(between, q),
        0.05,
        np.ones(3),
        np.ones(3),
    )
    return LinkTest(scale, ("a", "b", "c"), np.array(pairs or [(0, 1)] * q), levels * q, found, ())


def words(
    scale: str, a: tuple[float, float], b: tuple[float, float], levels: str = "", p_none: float = 0.5
) -> tuple[str, str]:
    """What is said of one link: estimates of two groups, each with the half width of its interval."""
    test = numbers(scale, [[a[0]], [b[0]]], [[a[1]], [b[1]]], [[0.5]], (levels,))
    row = link_table(test, "abc", ("A", "B"), [set(), set()], p_none).iloc[0]
    return str(row["word"]), str(row["what"])


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ((1.0, 0.5), (-1.0, 0.5), "turns its sign"),
        ((-1.0, 0.5), (0.6, 0.599), "turns its sign"),
        ((-1.0, 0.5), (0.6, 0.601), "stronger in A"),
        ((1.0, 1.001), (-1.1, 0.5), "stronger in B"),
        ((1.0, 0.2), (0.2, M - 0.201), "only in A"),
        ((1.0, 0.2), (0.2, M - 0.199), "stronger in A"),
        ((-0.2, M - 0.201), (-1.0, 0.2), "only in B"),
        ((-0.2, M - 0.199), (-1.0, 0.2), "stronger in B"),
        ((1.0, 0.2), (2.0, 0.2), "stronger in B"),
        ((1.0, (M - 0.101) / math.sqrt(2)), (0.9, (M - 0.101) / math.sqrt(2)), ""),
    ],
)
def test_what_each_difference_is(a: tuple[float, float], b: tuple[float, float], said: str) -> None:
    """Intervals that hold 0 or lie within the margin, and which is larger; nothing where none is called."""
    assert words(ODDS, a, b)[1] == said
    swapped = {"A": "B", "B": "A"}
    assert words(ODDS, b, a)[1] == (said[:-1] + swapped[said[-1]] if said and said[-1] in swapped else said)


def test_correlations_have_a_margin_of_their_own() -> None:
    """A tenth of a partial correlation; estimates come as Fisher's z."""
    assert words(PARTIAL, (0.8, 0.1), (0.0, math.atanh(0.0999)))[1] == "only in A"
    assert words(PARTIAL, (0.8, 0.1), (0.0, math.atanh(0.1001)))[1] == "stronger in A"
    assert words(PARTIAL, (0.0, 0.0706), (0.0, 0.0706), p_none=0.95)[0] == "same"
    assert words(PARTIAL, (0.0, 0.0712), (0.0, 0.0712), p_none=0.95)[0] == "no difference seen"


@pytest.mark.parametrize(("scale", "slab"), [(ODDS, 0.7), (PARTIAL, 0.2), (CORRELATION, 0.2), (MEANS, 0.5)])
def test_p_is_that_of_a_spike_against_a_slab(scale: str, slab: float) -> None:
    """Written out with SciPy: densities of the difference, the prior spread over three pairs, one of them of levels."""
    gaps, halves = [0.5, 0.2, 0.0, 0.1], [0.15, 0.2, 0.25, 0.3]
    pairs = [(0, 1), (0, 2), (1, 2), (1, 2)]
    test = numbers(scale, [[0.0] * 4, gaps], [halves, halves], [[0.5] * 4], ("",), pairs)
    test.differences.seen[:2] = True
    error = np.array(halves) / WIDTH * math.sqrt(2)
    factor = norm.pdf(gaps, 0, np.hypot(error, slab)) / norm.pdf(gaps, 0, error)
    factor[2:] = factor[2:].mean()
    same = 0.3 ** np.array([0.4, 0.4, 0.2, 0.2])
    expected = factor * (1 - same) / (factor * (1 - same) + same)
    assert test.probabilities(0.3)[0] == pytest.approx(expected, rel=1e-6)
    assert np.exp(test.log_bayes_factors[0]) == pytest.approx(factor, rel=1e-6)
    rows = link_table(test, "abc", ("A", "B"), [set(), set()], 0.3)
    assert rows["probability"].tolist() == pytest.approx([expected[0], expected[1], expected[3]], rel=1e-6)
    assert np.prod(np.exp(test.log_same(0.3)[:3])) == pytest.approx(0.3)


def test_words_are_those_of_group_differences() -> None:
    """P from .95 and .5, below .05 and half the prior, the margin."""
    said = [verdict_of(p, 0.2, False) for p in (0.95, 0.949, 0.5, 0.499, 0.05, 0.049)]
    assert said == [
        "differs",
        "probably differs",
        "probably differs",
        "cannot tell",
        "cannot tell",
        "no difference seen",
    ]
    assert [verdict_of(p, 0.5, False) for p in (0.751, 0.749)] == ["probably differs", "cannot tell"]
    assert [verdict_of(p, 0.02, True) for p in (0.011, 0.009)] == ["cannot tell", "same"]


def test_levels_without_an_order_never_turn_their_sign() -> None:
    """Of some levels only, the larger one is named."""
    assert words(ODDS, (2.0, 0.5), (-1.0, 0.5), "y v x") == ("differs", "stronger in A")
    assert words(ODDS, (2.0, 0.5), (-1.0, 0.5)) == ("differs", "turns its sign")


def test_correlations_are_shown_with_intervals_of_zous() -> None:
    """Ends of the difference from those of both, worked out for one pair."""
    test = numbers(PARTIAL, [[0.6], [0.1]], [[0.2], [0.3]], [[0.2]])
    row = link_table(test, "abc", ("A", "B"), [set(), set()]).iloc[0]
    a, b = np.tanh([0.6, 0.4, 0.8]), np.tanh([0.1, -0.2, 0.4])
    assert row[["a", "a_low", "a_high", "b", "b_low", "b_high"]].tolist() == pytest.approx([*a, *b])
    assert row["difference"] == pytest.approx(b[0] - a[0])
    assert row["low"] == pytest.approx(b[0] - a[0] - math.hypot(b[0] - b[1], a[2] - a[0]))
    assert row["high"] == pytest.approx(b[0] - a[0] + math.hypot(b[2] - b[0], a[0] - a[1]))


def test_rows_stand_as_they_are_shown() -> None:
    """The levels of least p, ends in the order of columns, groups two by two, and the least p of any two."""
    test = numbers(
        ODDS,
        [[1, 2, 0, 0], [0, 0, 0, 0], [0, 0, 3, 0]],
        [[1, 1, 1, 1]] * 3,
        [[0.2, 0.4, 0.9, 1], [0.5, 0.3, 0.02, 1], [1, 1, 0.03, 1]],
        ("",),
        [(0, 1), (0, 1), (0, 2), (1, 2)],
    )
    test = LinkTest(test.scale, test.variables, test.pairs, ("y v x", "z v x", "", ""), test.differences, ())
    drawn = [{frozenset("ab")}, {frozenset("ab"), frozenset("ac")}, set()]
    table = link_table(test, "cba", ("A", "B", "C"), drawn)
    assert tuple(table.columns) == COLUMNS and len(table) == 9
    rows = {(row["source"], row["target"], row["group_a"], row["group_b"]): row for _, row in table.iterrows()}
    called = table["what"] != ""
    assert called.tolist() == sorted(called, reverse=True) and table[~called]["p"].is_monotonic_increasing
    assert rows["b", "a", "A", "B"][["levels", "p", "a"]].tolist() == ["y v x", 0.2, 1.0]
    assert rows["b", "a", "A", "C"][["levels", "p", "a"]].tolist() == ["z v x", 0.3, 2.0]
    assert {rows["b", "a", *one]["p_any"] for one in ("AB", "AC", "BC")} == {0.2}
    assert {rows["c", "a", *one]["p_any"] for one in ("AB", "AC", "BC")} == {0.02}
    assert [rows["b", "a", *one]["drawn"] for one in ("AB", "AC", "BC")] == ["both", "A", "B"]
    assert [rows["c", "a", *one]["drawn"] for one in ("AB", "AC", "BC")] == ["B", "", "B"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.484, "+.48"), (-0.506, "−.51"), (0.004, "0"), (-0.001, "0"), (1.0, "+1.00"), (-0.999, "−1.00")],
)
def test_correlations_are_written_as_one_reads_them(value: float, text: str) -> None:
    """Two places, no zero before the point, and no sign for none."""
    assert signed(value) == text
    assert size_of(SCALES[PARTIAL], -value) == f"partial correlations {text.lstrip('+−')} apart"


@pytest.mark.parametrize(
    ("odds", "text"),
    [(4.5, "4.5"), (0.224, "0.22"), (1, "1.0"), (12.4, "12"), (130, "above 100"), (0.005, "below 0.01")],
)
def test_odds_ratios_are_written_with_two_figures(odds: float, text: str) -> None:
    """Beyond a hundred there is no number."""
    assert ratio(math.log(odds)) == text
