"""Tests of independence against SciPy, a plain loop over pairs of rows, and regression."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import special
from scipy.stats import chi2, chi2_contingency, norm

import engine
from engine.graphs.dag import bits
from engine.search.constraint import skeleton
from engine.search.independence import ChiSquared, FisherZ, bound_test, chi_squared_parts
from engine.search.knowledge import Knowledge
from tests.engine.make import nominal_table, random_data

GROUPS = [(), (2,), (2, 3), (2, 3, 4)]


def table(rows: int = 150) -> engine.Dataset:
    """Rows of six variables that hang together, the codes of each in an order."""
    return random_data(rows, 6, 9, 5)


def strata(data: engine.Dataset, group: tuple[int, ...]) -> list[np.ndarray]:
    """The rows of every configuration that occurs."""
    rows = list(zip(*(data.codes[i].tolist() for i in group), strict=True)) if group else [()] * data.n_rows
    return [np.array([i for i, row in enumerate(rows) if row == one]) for one in sorted(set(rows))]


def p_value(name: str, data: engine.Dataset, group: tuple[int, ...]) -> float:
    """Ours, for the first two variables."""
    test = bound_test(name, data, engine.BDeu().bind(data))
    return float(test.p_values(0, 1, np.array([group], dtype=np.int64).reshape(1, len(group)))[0])


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(("name", "power"), [("chi_squared", "pearson"), ("g_squared", "log-likelihood")])
def test_chi_squared_is_the_sum_over_the_strata(name: str, power: str, group: tuple[int, ...]) -> None:
    """SciPy's statistic and degrees of freedom of each stratum, levels that it lacks left out."""
    data = table()
    statistic, degrees = 0.0, 0
    for rows in strata(data, group):
        counts = np.zeros((int(data.arity[0]), int(data.arity[1])))
        np.add.at(counts, (data.codes[0][rows], data.codes[1][rows]), 1)
        counts = counts[counts.any(axis=1)][:, counts.any(axis=0)]
        found = chi2_contingency(counts, correction=False, lambda_=power)
        statistic, degrees = statistic + found.statistic, degrees + found.dof
    assert p_value(name, data, group) == pytest.approx(chi2.sf(statistic, degrees), rel=1e-9, abs=0)


@pytest.mark.parametrize("group", GROUPS)
def test_jonckheere_is_the_loop_over_pairs_of_rows(group: tuple[int, ...]) -> None:
    """Pairs in the same order, half of those that tie in y, less the mean; its variance as the books print it."""
    data = table()
    excess, variance = 0.0, 0.0
    for rows in strata(data, group):
        x, y = data.codes[0][rows].tolist(), data.codes[1][rows].tolist()
        n, t, u = len(rows), np.bincount(x), np.bincount(y)
        for a, b in itertools.permutations(range(n), 2):
            if x[a] < x[b]:
                excess += 1.0 if y[a] < y[b] else 0.5 if y[a] == y[b] else 0.0
        excess -= (n**2 - (t**2).sum()) / 4
        one = n * (n - 1) * (2 * n + 5) - (t * (t - 1) * (2 * t + 5)).sum() - (u * (u - 1) * (2 * u + 5)).sum()
        variance += one / 72
        if n > 2:
            two = (t * (t - 1) * (t - 2)).sum() * (u * (u - 1) * (u - 2)).sum()
            variance += two / (36 * n * (n - 1) * (n - 2))
        if n > 1:
            variance += (t * (t - 1)).sum() * (u * (u - 1)).sum() / (8 * n * (n - 1))
    expected = 2 * norm.sf(abs(excess) / math.sqrt(variance))
    assert p_value("jonckheere", data, group) == pytest.approx(expected, rel=1e-9, abs=0)


def test_jonckheeres_variance_is_that_of_shuffled_rows() -> None:
    """The p-value is about the share of shuffles of y that are as far from none."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 3, 60), rng.integers(0, 4, 60)
    y[:12] = x[:12]
    ours = p_value("jonckheere", engine.Dataset.from_codes([x, y], [3, 4], ["x", "y"]), ())

    def trend(y: np.ndarray) -> float:
        return float(np.sum(np.sign(x[:, None] - x) * np.sign(y[:, None] - y)))

    shuffled = [abs(trend(rng.permutation(y))) >= abs(trend(y)) for _ in range(2000)]
    assert ours == pytest.approx(np.mean(shuffled), abs=0.03)


@pytest.mark.parametrize("group", GROUPS)
def test_fishers_z_is_that_of_regression(group: tuple[int, ...]) -> None:
    """The correlation of what regressions on the others leave."""
    data = table()
    design = np.column_stack([np.ones(data.n_rows), *(data.codes[i].astype(float) for i in group)])
    left = [(y := data.codes[i].astype(float)) - design @ np.linalg.lstsq(design, y, rcond=None)[0] for i in (0, 1)]
    r = float(np.corrcoef(left)[0, 1])
    expected = 2 * norm.sf(math.sqrt(data.n_rows - len(group) - 3) * abs(math.atanh(r)))
    assert p_value("fisher_z", data, group) == pytest.approx(expected, rel=1e-7, abs=0)


def test_what_others_determine_is_independent_and_few_rows_tell_nothing() -> None:
    """Given its copy a variable is tied to nobody, and without degrees of freedom the p-value is 1."""
    matrix = np.array([[1.0, 0.5, 1.0], [0.5, 1.0, 0.5], [1.0, 0.5, 1.0]])
    assert FisherZ(matrix, 100).p_values(0, 1, np.array([[2]]))[0] == 1.0
    assert FisherZ(np.eye(3), 4).p_values(0, 1, np.array([[2]]))[0] == 1.0
    one = engine.Dataset.from_codes([[0, 0, 0], [0, 1, 0]], [2, 2], ["a", "b"])
    assert p_value("chi_squared", one, ()) == p_value("jonckheere", one, ()) == 1.0


def test_auto_follows_the_score() -> None:
    """Fisher's z on a Gaussian score's own correlations, else chi-squared."""
    data = table()
    given = np.array([[2]])
    auto = bound_test("auto", data, engine.BGe().bind(data)).p_values(0, 1, given)
    assert auto[0] == pytest.approx(p_value("fisher_z", data, (2,)), rel=1e-9, abs=0)
    assert p_value("auto", data, (2,)) == p_value("chi_squared", data, (2,))


def test_an_unknown_test_is_refused() -> None:
    """With the names that there are."""
    with pytest.raises(engine.SettingsError, match="'jonckheere'"):
        engine.PC(test="jt")


@pytest.mark.parametrize("seed", range(20))
def test_few_rows_are_independent_as_in_pcalg(seed: int) -> None:
    """Links and separating sets of a plain PC-stable with the rule written out: n < 10 (r-1)(s-1) prod of levels."""
    data = nominal_table(seed)
    codes, levels = data.codes, [int(size) for size in data.arity]

    def plain(x: int, y: int, group: tuple[int, ...]) -> float:
        """G-squared over every stratum, all degrees of freedom, 1 where the rows are few."""
        degrees = (levels[x] - 1) * (levels[y] - 1) * math.prod(levels[z] for z in group)
        if 10 * degrees > 180:
            return 1.0
        g = 0.0
        for stratum in itertools.product(*(range(levels[z]) for z in group)):
            same = [codes[z] == code for z, code in zip(group, stratum, strict=True)]
            inside = codes[:, np.logical_and.reduce([np.ones(180, bool), *same])]
            for i, j in itertools.product(range(levels[x]), range(levels[y])):
                both = ((inside[x] == i) & (inside[y] == j)).sum()
                if both:
                    g += 2 * both * math.log(both * inside.shape[1] / ((inside[x] == i).sum() * (inside[y] == j).sum()))
        return float(chi2.sf(g, degrees))

    near = {x: set(range(6)) - {x} for x in range(6)}
    apart: dict[tuple[int, int], set[int]] = {}
    for size in range(5):
        before = {x: set(others) for x, others in near.items()}
        for x, y in itertools.combinations(range(6), 2):
            groups = {*itertools.combinations(sorted(before[x] - {y}), size)}
            groups |= {*itertools.combinations(sorted(before[y] - {x}), size)}
            if y in before[x] and groups:
                likeliest = max(groups, key=lambda group: plain(x, y, group))
                if plain(x, y, likeliest) > 0.05:
                    near[x].discard(y), near[y].discard(x)
                    apart[x, y] = {*likeliest}
    test = bound_test("g_squared", data, None, "independent")  # type: ignore[arg-type]
    found = skeleton(test, Knowledge().constraints(data.names))
    assert [{*bits(mask)} for mask in found.adjacent] == [near[x] for x in range(6)]
    assert {*found.separators} == {*apart}
    for pair, separator in found.separators.items():
        assert plain(*pair, tuple(bits(separator))) == pytest.approx(plain(*pair, tuple(sorted(apart[pair]))), abs=1e-9)
    pattern = engine.learn(data, search=engine.PC(0.05, "g_squared", "independent"))
    assert {frozenset(edge) for edge in pattern.edges} == {
        frozenset((data.names[x], data.names[y])) for x in near for y in near[x]
    }


def test_the_rule_is_for_g_squared_alone() -> None:
    """And what becomes of few rows has two names."""
    with pytest.raises(engine.SettingsError, match="for the test 'g_squared'"):
        engine.PC(test="chi_squared", few="independent")
    with pytest.raises(engine.SettingsError, match="few is 'some'"):
        engine.PC(few="some")


@pytest.mark.parametrize("test", ["chi_squared", "g_squared"])
@pytest.mark.parametrize("given", [[], ["v00"], ["v01", "v00"]])
def test_parts_of_a_test_sum_to_its_statistic(test: str, given: list[str]) -> None:
    """Strata add up to the statistic whose p is the test's, and the counts are all rows."""
    data = random_data(150, 4, 4, 3)
    parts = chi_squared_parts(data, ("v02", "v03"), given, test)
    bound = ChiSquared(data, likelihood=test == "g_squared")
    (p,) = bound.p_values(2, 3, np.array([[data.index(name) for name in given]], dtype=np.int64).reshape(1, len(given)))
    degrees = int(parts.source.split()[0])
    assert special.chdtrc(degrees, parts.total) == pytest.approx(p, rel=1e-9)
    assert engine.words.p_value(p) in parts.source
    assert parts.table.filter(like="v03 = ").to_numpy().sum() == data.n_rows
