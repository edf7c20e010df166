"""Before a run, and what stands out in one clique: against counting by hand."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest

import engine
from engine.methods.log_linear.edge_tables import deviation_of, held_fast, parts_of
from engine.methods.log_linear.method import least_stable
from engine.methods.log_linear.power import (
    level_table,
    refusal,
    share_of_yes,
    smallest_shift,
)
from engine.telling.log_linear.power import pays_from, power_sentence


@pytest.mark.parametrize("odds_ratio", [1.0, 1.5, 7.3, 900.0])
def test_the_share_makes_the_odds_ratio(odds_ratio: float) -> None:
    """p yes in one half of the rows and 1 - p in the other have that odds ratio."""
    p = share_of_yes(odds_ratio)
    assert (p / (1 - p)) / ((1 - p) / p) == pytest.approx(odds_ratio)


def test_the_sentence_names_both_shares() -> None:
    """They add up to one."""
    said = pays_from(1000, 10)
    shares = [int(word) for word in re.findall(r"(\d+)\u00a0%", said)]
    assert sum(shares) == 100
    assert "odds ratio of about" in said
    assert pays_from(3, 100) == ""


MARGINS: list[tuple[str, tuple[float, ...], tuple[float, ...], int]] = [
    ("mml", (0.5, 0.5), (0.5, 0.5), 400),
    ("mml", (0.8, 0.2), (0.7, 0.3), 1000),
    ("bic", (0.8, 0.2), (0.5, 0.5), 400),
    ("smt", (0.5, 0.3, 0.2), (0.6, 0.4), 600),
    ("chi2", (0.9, 0.1), (0.6, 0.4), 600),
]


@pytest.mark.parametrize(("criterion", "one", "other", "rows"), MARGINS)
def test_links_so_strong_show_in_four_of_five_tables(
    criterion: str, one: tuple[float, ...], other: tuple[float, ...], rows: int
) -> None:
    """Tables drawn with that shift, and two variables beside: the whole search finds the link in .7 to .9 of them."""
    counts = [np.round(rows * np.array(shares)).astype(int) for shares in (one, other)]
    shift = smallest_shift(counts[0], counts[1], 6, criterion)
    rng = np.random.default_rng(8)
    p, q = one[0], other[0]
    with_it = q + shift * (1 - p)  # so that the share over all rows stays q
    found = 0
    for _ in range(200):
        a = rng.choice(len(one), rows, p=one)
        first = rng.random(rows) < np.where(a == 0, with_it, with_it - shift)
        rest = 1 + rng.choice(len(other) - 1, rows, p=np.array(other[1:]) / (1 - q))
        codes = np.array([a, np.where(first, 0, rest), rng.integers(0, 2, rows), rng.integers(0, 2, rows)])
        data = engine.Dataset.from_codes(codes.astype(np.uint8), [len(one), len(other), 2, 2], list("abcd"))
        found += engine.LogLinear(criterion=criterion).run(data).graph.has_edge("a", "b")
    assert 0.7 <= found / 200 <= 0.9


def test_power_is_said_of_this_tables_margins() -> None:
    """The same rows with a rare level need a larger shift; too few rows no link; other criteria do not say."""
    even = [(name, ("no", "yes"), np.array([200, 200])) for name in "abcdef"]
    rare = [*even[:5], ("f", ("no", "yes"), np.array([340, 60]))]
    assert "weaker links show less often" in power_sentence(even, 400)
    said = power_sentence(rare, 400)
    points = [int(number) for number in re.findall(r"(\d+) percentage points", said)]
    assert points[1] > 1.2 * points[0]
    hopeless = [*even[:5], ("f", ("no", "yes"), np.array([397, 3]))]
    assert "not even a perfect link would do" in power_sentence(hopeless, 400)
    assert "not even a perfect link" in power_sentence([(n, ("no", "yes"), np.array([2, 2])) for n in "abcd"], 4)
    assert power_sentence(even, 400, "kl") == ""
    assert power_sentence(even[:1], 400) == ""


def test_refusals_say_what_to_do() -> None:
    """One variable, no rows, too many variables; the method says the same."""
    codes = np.zeros((12001, 4), dtype=np.uint8)
    one = engine.Dataset.from_codes(codes[:1], [2], ["a"])
    none = engine.Dataset.from_codes(codes[:2, :0], [2, 2], ["a", "b"])
    many = engine.Dataset.from_codes(codes, [2] * 12001, [f"v{i}" for i in range(12001)])
    assert refusal(one).startswith("Only 'a' is in use.")
    assert refusal(none) == "The table has no rows; choose another."
    assert refusal(many).startswith("12,001 variables are more than the 8,000")
    assert [engine.LogLinear.unfit(data) for data in (one, none, many)] == [refusal(x) for x in (one, none, many)]
    assert refusal(engine.Dataset.from_codes(codes[:2], [2, 2], ["a", "b"])) == ""


def test_levels_are_counted() -> None:
    """Declared, observed, and the share of the commonest, as counting cell by cell finds them."""
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 3, (4, 50)).astype(np.uint8)
    data = engine.Dataset.from_codes(codes, [3, 4, 5, 3], list("abcd"))
    table = level_table(data).set_index("variable")
    for i, name in enumerate("abcd"):
        seen = {code: sum(1 for one in codes[i] if one == code) for code in codes[i]}
        assert list(table.loc[name]) == [len(data.levels[name]), len(seen), max(seen.values()) / 50]


def residuals() -> pd.DataFrame:
    """A clique whose variables bear the names of the columns beside them."""
    rng = np.random.default_rng(5)
    a = rng.integers(0, 3, 90)
    codes = np.array([a, np.where(rng.random(90) < 0.7, a, 0), rng.integers(0, 2, 90)], dtype=np.uint8)
    names = ["expected", "adjusted", "c"]
    data = engine.Dataset.from_codes(codes, [3, 3, 2], names)
    forced = tuple(itertools.combinations(names, 2))
    return engine.LogLinear(forced=forced).run(data).residuals(names, ("expected", "adjusted"))


def test_what_stands_out_is_what_one_sees_reading_line_by_line() -> None:
    """Cells far off, the farthest of them, cells with too few rows expected."""
    table = residuals()
    found = deviation_of(table)
    lines = [list(line) for line in table.itertuples(index=False)]
    farthest = max(lines, key=lambda line: abs(line[6]))
    assert (found.far, found.cells) == (sum(abs(line[6]) > 2 for line in lines), 18)
    assert found.far > 0
    assert list(found.levels.items()) == list(zip(("expected", "adjusted", "c"), farthest[:3], strict=True))
    assert (found.observed, found.expected) == (farthest[3], farthest[4])
    assert found.thin == sum(line[4] < 5 for line in lines) > 0


def test_parts_come_by_their_squared_residuals() -> None:
    """Every combination of levels once, that with the largest sum first."""
    table = residuals()
    held, rest = held_fast(table, ["c", "expected", "adjusted"], 9)
    assert (held, rest) == (["c"], ["expected", "adjusted"])
    assert held_fast(table, ["c", "expected", "adjusted"], 18) == ([], ["c", "expected", "adjusted"])
    assert held_fast(table, ["c", "expected", "adjusted"], 1) == (["c"], ["expected", "adjusted"])
    sums = {level: sum(row[6] ** 2 for row in table.itertuples(index=False) if row[2] == level) for level in ("0", "1")}
    assert parts_of(table, held) == [(level,) for level in sorted(sums, key=lambda level: -sums[level])]


def test_the_least_sure_edge_is_of_the_model() -> None:
    """Of equals the first; an edge outside the model does not count."""
    rows = [("a", "b", 0.9, True), ("a", "c", 0.6, True), ("b", "c", 0.6, True), ("b", "d", 0.1, False)]
    table = pd.DataFrame(rows, columns=["a", "b", "share", "in_model"])
    assert tuple(least_stable(table)[["a", "b"]]) == ("a", "c")
