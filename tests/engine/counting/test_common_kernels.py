"""One common difference: scores against all deals written out, odds against sums, integrals and known tests."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import integrate
from scipy.special import logsumexp
from scipy.stats import norm
from statsmodels.stats.contingency_tables import StratifiedTable

from engine.counting.differences import common_kernels as kernels
from engine.methods.group_difference.numbers.scales import nodes, tables
from tests.engine.methods.group_difference.numbers.plain_evidence import (
    hypergeometric,
    information,
    log_likelihood,
    odds,
)

Table = tuple[int, int, int, int]


def evidence(blocks: list[Table], at: tuple[np.ndarray, ...] | None = None) -> tuple[float, float]:
    """Of the kernel, of blocks (hits, second, some, rows)."""
    columns = [np.array(column, dtype=np.int64) for column in zip(*blocks, strict=True)]
    whole = tables(max(row[3] for row in blocks))[1]
    return kernels.odds_evidence(*columns, len(blocks), nodes() if at is None else at, whole)


@pytest.mark.parametrize(("v", "j", "t"), [(12.0, 12.0, 0.5), (400.0, 400.0, 0.5), (9.0, 20.0, 0.5), (40.0, 25.0, 1.0)])
def test_scores_are_two_normal_densities(v: float, j: float, t: float) -> None:
    """N(u; 0, V + t^2 J^2) over N(u; 0, V); over N(0, V) its mean is 1."""

    def log(u: float) -> float:
        return float(kernels.score_evidence(u, v, j, 0.0, 0.0, t))

    for u in (-30.0, -2.0, 0.0, 5.5):
        wide = math.sqrt(v + t * t * j * j)
        assert log(u) == pytest.approx(norm.logpdf(u, scale=wide) - norm.logpdf(u, scale=math.sqrt(v)), abs=1e-10)
    reach = 12 * math.sqrt(v + t * t * j * j)
    mean = integrate.quad(lambda u: math.exp(norm.logpdf(u, scale=math.sqrt(v)) + log(u)), -reach, reach, limit=500)[0]
    assert mean == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("second", [2, 5, 8])
def test_cumulants_are_those_of_all_deals(second: int) -> None:
    """Variance, third and fourth cumulant of a sum of numbers drawn without replacement, every deal written out."""
    x = np.random.default_rng(second).exponential(size=11)
    x -= x.mean()
    sums = np.array([sum(deal) for deal in itertools.combinations(x.tolist(), second)])
    powers = [(x**k).sum() for k in (2, 3, 4)]
    found = kernels.cumulants_of_sum(len(x), second, *powers)
    v = (sums**2).mean()
    np.testing.assert_allclose(found, [v, (sums**3).mean(), (sums**4).mean() - 3 * v * v], rtol=1e-10)


BLOCKS: dict[str, list[Table]] = {
    "one small": [(4, 9, 6, 20)],
    "several, some empty": [(4, 9, 6, 20), (0, 3, 1, 4), (2, 2, 2, 8), (5, 5, 5, 5), (7, 40, 12, 90)],
    "rare": [(3, 20, 5, 400), (0, 10, 2, 300)],
    "many values of the count": [(70, 150, 130, 300)],
    "a full sum and one with steps": [(95, 200, 170, 420), (3, 8, 9, 20)],
    "beyond the fixed nodes": [(560, 1000, 1000, 2000), (60, 200, 150, 500)],
    "far beyond": [(1100, 2000, 2000, 4000)],
    "unequal": [(190, 400, 4000, 9000)],
}


@pytest.mark.parametrize("case", BLOCKS)
def test_odds_equal_sums_written_out(case: str) -> None:
    """Noncentral hypergeometric chances given both margins, integrated over a log odds ratio that is normal (0, 1)."""
    blocks = BLOCKS[case]
    large = information(blocks) > kernels.LARGE
    assert large or case not in ("beyond the fixed nodes", "far beyond")
    assert evidence(blocks)[0] == pytest.approx(odds(blocks), abs=2e-3 if large else 1e-9)


def test_fixed_nodes_are_near_the_integral_where_they_are_used() -> None:
    """31 nodes against a fine sum, up to the information from which nodes follow the likelihood."""
    for n, z in itertools.product((40, 160, 320, 500), (0.0, 2.0, 4.0)):
        hits = round(n / 2 + z * math.sqrt(n / 4))
        blocks = [(hits, n, n, 2 * n)]
        theta = np.linspace(-6, 6, 6001)
        fine = logsumexp(norm.logpdf(theta) + math.log(theta[1] - theta[0]) + log_likelihood(blocks, theta))
        assert evidence(blocks)[0] == pytest.approx(fine, abs=0.1), (n, z)


@pytest.mark.parametrize("case", ["several, some empty", "many values of the count"])
def test_near_no_effect_it_is_cochrans_mantel_and_haenszels_test(case: str) -> None:
    """The slope and the curve of the exact likelihood at 0 make the statistic that statsmodels has."""
    slope = curve = 0.0
    counted = []
    for hits, second, some, rows in BLOCKS[case]:
        low, high = max(0, some - rows + second), min(some, second)
        if low < high:
            mean, variance = kernels._tilted(low, high, rows - second, second, some, 0.0, tables(rows)[1])[1:]
            slope, curve = slope + hits - mean, curve + variance
            counted.append([[hits, second - hits], [some - hits, rows - second - some + hits]])
    known = StratifiedTable([np.array(table, dtype=float) for table in counted]).test_null_odds(correction=False)
    assert slope**2 / curve == pytest.approx(known.statistic, rel=1e-6)


@pytest.mark.parametrize(
    "margins",
    [
        [(9, 6, 20)],
        [(20, 5, 400)],
        [(9, 6, 20), (30, 12, 90)],
        [(150, 130, 300)],
        [(1050, 1050, 2100)],
        [(200, 900, 4000)],
    ],
)
def test_the_mean_under_no_difference_is_one(margins: list[tuple[int, int, int]]) -> None:
    """Summed over everything that the counts can be given both margins."""
    spread = [hypergeometric(n - b, b, s) for b, s, n in margins]
    whole = []
    for hits in itertools.product(*(range(len(x)) for x, _ in spread)):
        chance = sum(ways[i] for i, (_, ways) in zip(hits, spread, strict=True))
        blocks = [(int(x[i]), *own) for i, (x, _), own in zip(hits, spread, margins, strict=True)]
        whole.append(chance + evidence(blocks)[0])
    assert logsumexp(whole) == pytest.approx(0.0, abs=1e-6)
