"""Each word at its threshold, and the rows that the numbers become."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.comparison.difference import Differences
from engine.comparison.table import COLUMNS, ODDS, PARTIAL, SCALES, LinkTest, link_table, ratio, signed

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


def word(scale: str, a: tuple[float, float], b: tuple[float, float], p: float, levels: str = "") -> str:
    """What is said of one link: estimates of two groups, each with the half width of its interval."""
    test = numbers(scale, [[a[0]], [b[0]]], [[a[1]], [b[1]]], [[p]], (levels,))
    return str(link_table(test, "abc", ("A", "B"), [set(), set()])["word"].iloc[0])


@pytest.mark.parametrize(
    ("a", "b", "p", "said"),
    [
        ((1.0, 0.5), (-1.0, 0.5), 0.0499, "turns its sign"),
        ((1.0, 0.5), (-1.0, 0.5), 0.05, "cannot tell"),
        ((-1.0, 0.5), (0.6, 0.599), 0.01, "turns its sign"),
        ((-1.0, 0.5), (0.6, 0.601), 0.01, "stronger in A"),
        ((1.0, 1.001), (-1.1, 0.5), 0.01, "stronger in B"),
        ((1.0, 0.2), (0.2, M - 0.201), 0.01, "only in A"),
        ((1.0, 0.2), (0.2, M - 0.199), 0.01, "stronger in A"),
        ((-0.2, M - 0.201), (-1.0, 0.2), 0.01, "only in B"),
        ((-0.2, M - 0.199), (-1.0, 0.2), 0.01, "stronger in B"),
        ((1.0, 0.2), (2.0, 0.2), 0.01, "stronger in B"),
        ((0.3, 0.1), (0.05, 0.1), 0.01, "stronger in A"),
        ((0.3, 0.1), (-0.2, 0.1), 0.01, "turns its sign"),
        ((1.0, (M - 0.101) / math.sqrt(2)), (0.9, (M - 0.101) / math.sqrt(2)), 0.05, "agrees"),
        ((1.0, (M - 0.099) / math.sqrt(2)), (0.9, (M - 0.099) / math.sqrt(2)), 0.9, "cannot tell"),
        ((0.9, (M - 0.099) / math.sqrt(2)), (1.0, (M - 0.099) / math.sqrt(2)), 0.9, "cannot tell"),
    ],
)
def test_each_word_at_its_threshold(a: tuple[float, float], b: tuple[float, float], p: float, said: str) -> None:
    """p below .05, intervals that hold 0 or lie within the margin, and which is larger."""
    assert word(ODDS, a, b, p) == said
    swapped = {"A": "B", "B": "A"}
    assert word(ODDS, b, a, p) == (said[:-1] + swapped[said[-1]] if said[-1] in swapped else said)


@pytest.mark.parametrize(
    ("a", "b", "p", "said"),
    [
        ((0.5, 0.1), (-0.5, 0.1), 0.01, "turns its sign"),
        ((0.5, 0.1), (0.0, math.atanh(0.0999)), 0.01, "only in A"),
        ((0.5, 0.1), (0.0, math.atanh(0.1001)), 0.01, "stronger in A"),
        ((0.0, 0.0706), (0.0, 0.0706), 0.5, "agrees"),
        ((0.0, 0.0712), (0.0, 0.0712), 0.5, "cannot tell"),
    ],
)
def test_words_of_correlations_have_a_margin_of_their_own(
    a: tuple[float, float], b: tuple[float, float], p: float, said: str
) -> None:
    """A tenth of a partial correlation; estimates come as Fisher's z."""
    assert word(PARTIAL, a, b, p) == said


def test_levels_without_an_order_never_turn_their_sign() -> None:
    """Of some levels only, the larger one is named."""
    assert word(ODDS, (2.0, 0.5), (-1.0, 0.5), 0.01, "y v x") == "stronger in A"
    assert word(ODDS, (2.0, 0.5), (-1.0, 0.5), 0.01) == "turns its sign"


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
    assert table["p"].tolist() == sorted(table["p"]) and table["p"].iloc[0] == 0.02
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
    assert SCALES[PARTIAL].size(-value) == f"a difference of {text.lstrip('+−')}"


@pytest.mark.parametrize(
    ("odds", "text"),
    [(4.5, "4.5"), (0.224, "0.22"), (1, "1.0"), (12.4, "12"), (130, "above 100"), (0.005, "below 0.01")],
)
def test_odds_ratios_are_written_with_two_figures(odds: float, text: str) -> None:
    """Beyond a hundred there is no number."""
    assert ratio(math.log(odds)) == text
