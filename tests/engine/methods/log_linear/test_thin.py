"""Tests on thin tables: against all tables with the same margins, written out; and what alpha is kept."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import engine
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.thin_tables import drawn_log_p, is_thin, seed_of, strata, thin_pairs
from tests.engine.methods.log_linear.make import groups, named


def tables_like(rows: list[int], columns: list[int]) -> list[tuple[tuple[int, ...], ...]]:
    """Every table of whole counts with these margins."""
    if len(rows) == 1:
        return [(tuple(columns),)]
    found = []
    for line in itertools.product(*[range(k + 1) for k in columns]):
        if sum(line) == rows[0]:
            left = [k - x for k, x in zip(columns, line, strict=True)]
            found += [(line, *rest) for rest in tables_like(rows[1:], left)]
    return found


def exact_p(tables: list[np.ndarray]) -> float:
    """Over all combinations of tables with these margins: how probable a statistic at least as large is."""
    lists = []
    for one in tables:
        known = tables_like(one.sum(axis=1).tolist(), one.sum(axis=0).tolist())
        weight = [math.exp(-sum(math.lgamma(k + 1) for line in table for k in line)) for table in known]
        value = [sum(k * math.log(k) for line in table for k in line if k) for table in known]
        lists.append([(w / math.fsum(weight), v) for w, v in zip(weight, value, strict=True)])
    observed = sum(float(k) * math.log(k) for one in tables for k in one.ravel() if k)
    return math.fsum(
        math.prod(w for w, _ in chosen)
        for chosen in itertools.product(*lists)
        if sum(v for _, v in chosen) >= observed - 1e-9
    )


@pytest.mark.parametrize(
    "tables",
    [
        [[[3, 0], [1, 4]]],
        [[[2, 1, 0], [0, 3, 2]]],
        [[[1, 2], [2, 1]]],
        [[[3, 0], [0, 2]], [[2, 1], [1, 3]]],
    ],
)
def test_p_is_that_of_all_tables_with_these_margins(tables: list[list[list[int]]]) -> None:
    """Within the sampling error of many draws, with one configuration of the separator and with two."""
    arrays = [np.array(one) for one in tables]
    exact = exact_p(arrays)
    drawn = math.exp(drawn_log_p(arrays, np.random.default_rng(0), hits=20_000, most=20_000))
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact / 20_000))


def test_draws_stop_where_enough_are_as_far_off() -> None:
    """Besag and Clifford: hits over draws, whatever was drawn after; nearly unbiased over seeds."""
    table = [np.array([[3, 2], [2, 4]])]
    exact = exact_p(table)
    found = [math.exp(drawn_log_p(table, np.random.default_rng(seed), hits=20)) for seed in range(100)]
    assert np.mean(found) == pytest.approx(exact, rel=0.1)
    assert len(set(found)) > 10


def test_far_beyond_the_draws_p_goes_on_falling() -> None:
    """A gamma tail, never above one in the draws: stronger links have smaller p, near the chi-squared one at last."""
    found = [drawn_log_p([np.array([[k, 4], [4, k]])], np.random.default_rng(1)) for k in (30, 60, 120)]
    assert found == sorted(found, reverse=True)
    assert found[0] < math.log(1 / 2001)
    g = 2 * sum(k * math.log(k / 62) for k in (120, 120)) + 2 * sum(k * math.log(k / 62) for k in (4, 4))
    assert found[-1] == pytest.approx(-g / 2, rel=0.3)


def test_nothing_to_tell_is_p_of_one() -> None:
    """No line, or one line only."""
    data = named(np.array([[0, 0, 0], [0, 1, 1]]), [2, 2])
    assert strata(Counts(data).margin((0, 1))) == []
    assert drawn_log_p([], np.random.default_rng(0)) == 0.0


@pytest.mark.parametrize("seed", range(12))
def test_thin_is_cochrans_rule_or_a_g_too_large(seed: int) -> None:
    """Cell by cell with the formulas written out; all pairs at once say the same."""
    data = groups([40, 120, 600][seed % 3], 5, seed)
    counts = Counts(data)
    margins = [counts.margins[i] for i in counts.column]
    whole = thin_pairs(margins, data.n_rows)
    for a, b in itertools.combinations(range(5), 2):
        n = data.n_rows
        rows, columns = ([k for k in margins[x].tolist() if k] for x in (a, b))
        small = sum(r * c / n < 5 for r in rows for c in columns)
        df = (len(rows) - 1) * (len(columns) - 1)
        above = (n * sum(1 / r for r in rows) - 1) * (n * sum(1 / c for c in columns) - 1) / (6 * n)
        slow = df > 0 and (small > 0.2 * len(rows) * len(columns) or above > 0.05 * math.sqrt(2 * df))
        assert whole[a, b] == whole[b, a] == slow
        assert (df > 0 and is_thin(strata(counts.margin((a, b))))) == slow


def test_the_seed_hangs_on_names_only() -> None:
    """The order of columns changes nothing; another pair, or another seed, draws otherwise."""
    one, same = (seed_of(3, ["a", "b"]).random() for _ in range(2))
    assert one == same
    assert one != seed_of(3, ["a", "c"]).random()
    assert one != seed_of(4, ["a", "b"]).random()


@pytest.mark.parametrize("criterion", ["smt", "chi2"])
def test_a_strong_link_shows_in_a_thin_table(criterion: str) -> None:
    """Drawing takes no true link away: a noisy copy with ten levels in 100 rows is found; its p is the drawn one."""
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 10, (4, 100))
    codes[1] = np.where(rng.random(100) < 0.5, codes[0], codes[1])
    result = engine.LogLinear(criterion=criterion).run(named(codes, [10] * 4))
    assert set(result.graph.edges) == {("a", "b")}
    table = Counts(named(codes, [10] * 4)).margin((0, 1))
    assert result.steps.log10_p[0] == pytest.approx(drawn_log_p(strata(table), seed_of(0, ["a", "b"])) / math.log(10))


@pytest.mark.parametrize("criterion", ["smt", "chi2"])
def test_ten_rows_may_choose_otherwise_than_the_papers_test(criterion: str) -> None:
    """Two columns that are 1 in the same one of ten rows: p is .10 over all shuffles, .011 by the paper's test."""
    data = named(np.array([[0] * 9 + [1]] * 2), [2, 2])
    g = 2 * (10 * math.log(10) - 9 * math.log(9))
    published = engine.LogLinear(criterion=criterion, thin_tables="published").run(data)
    assert set(published.graph.edges) == {("a", "b")}
    assert published.steps["log10_p"][0] == pytest.approx(math.log10(math.erfc(math.sqrt(g / 2))), rel=1e-9)
    drawn = engine.LogLinear(criterion=criterion).run(data)
    assert not drawn.graph.edges
    log_p = drawn_log_p(strata(Counts(data).margin((0, 1))), np.random.default_rng(0), hits=20_000, most=20_000)
    assert math.exp(log_p) == pytest.approx(0.1, abs=0.01)
