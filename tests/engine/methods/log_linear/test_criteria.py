"""When an edge pays: exact tails, thresholds of the two tests, and what independent data give."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import gammaln, log_ndtr, logsumexp
from scipy.stats import binom, chi2

import engine
from engine.graphs.chordal import DecomposableGraph
from engine.measures.tails import log_chi2_tail
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import CRITERIA, SearchState, graph_term
from engine.methods.log_linear.search import Search
from tests.engine.methods.log_linear.make import chain, groups, named


def tail(x: float, degrees: float) -> float:
    """The logarithm for single numbers."""
    return float(log_chi2_tail(np.array([x]), np.array([degrees]))[0])


def test_tail_equals_scipy_where_that_is_representable() -> None:
    """Over degrees of freedom 1 to 5,000, in the body and in the tail down to e^-700."""
    for degrees in (1, 2, 3, 4, 7, 16, 50, 333, 5000):
        for factor in (0.01, 0.5, 1.0, 1.5, 3.0, 10.0, 100.0):
            x = degrees * factor
            expected = chi2.logsf(x, degrees)
            if expected > -700:
                assert tail(x, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-13), (degrees, factor)


def exact_even(x: Fraction, degrees: int) -> float:
    """ln Q for even degrees of freedom in whole numbers: exp(-x/2) sum of (x/2)^j / j! below degrees / 2."""
    half, term, total = x / 2, Fraction(1), Fraction(0)
    for j in range(degrees // 2):
        total += term
        term = term * half / (j + 1)
    return float(-half) + math.log(total.numerator) - math.log(total.denominator)


@pytest.mark.parametrize("degrees", [2, 4, 6, 20, 100, 700])
@pytest.mark.parametrize("x", [1300, 3000, 20_000, 10**6])
def test_far_tails_equal_exact_sums(degrees: int, x: int) -> None:
    """Below 1e-300, where nothing else is representable: finite sums in whole numbers."""
    expected = exact_even(Fraction(x), degrees)
    assert tail(x, degrees) == pytest.approx(expected, rel=1e-12)
    if degrees <= 20:
        assert expected < math.log(1e-250)


@pytest.mark.parametrize("degrees", [1, 3, 37, 501, 20_001])
def test_far_tails_of_odd_degrees(degrees: int) -> None:
    """ln Q for odd degrees: the normal tail and a finite sum of positive terms, added up as logarithms."""
    for x in (1500, 5000, 40_000, 10**6):
        k = np.arange((degrees - 1) // 2)
        terms = -x / 2 + (k + 0.5) * math.log(x / 2) - gammaln(k + 1.5)
        expected = logsumexp([math.log(2) + log_ndtr(-math.sqrt(x)), *terms])
        assert tail(x, degrees) == pytest.approx(expected, rel=1e-10, abs=1e-10), x


def test_tail_is_one_without_degrees_or_without_a_statistic() -> None:
    """No degrees of freedom and no statistic both give p = 1; rounding below zero counts as zero."""
    with np.errstate(all="raise"):
        assert tail(5.0, 0.0) == 0.0
        assert tail(0.0, 0.0) == 0.0
        assert tail(5000.0, 0.0) == 0.0
        assert tail(0.0, 3.0) == 0.0
        assert tail(-1e-12, 3.0) == 0.0


def test_tail_falls_all_the_way() -> None:
    """No jump and no plateau where one way of evaluation hands over to the other."""
    x = np.linspace(1100, 1700, 4000)
    for degrees in (1, 4, 40):
        found = log_chi2_tail(x, np.full_like(x, degrees))
        steps = np.diff(found)
        assert (steps < 0).all()
        assert np.abs(np.diff(steps)).max() < 1e-6


def test_thresholds_of_the_tests() -> None:
    """chi2: p < alpha / 2^step / candidates; smt: p < what is left / candidates, and it spends p times candidates."""
    counts = Counts(chain(50, 3))
    layered, sub = CRITERIA["chi2"](counts, 0.05), CRITERIA["smt"](counts, 0.05)
    for p, step, candidates, spent in [
        (1e-4, 1, 10, 0.0),
        (1e-4, 9, 10, 0.01),
        (0.004, 1, 10, 0.02),
        (1e-3, 3, 5, 0.06),
    ]:
        rank, moment = -math.log(p), SearchState(step, candidates, 45, step - 1, spent)
        assert (layered.margin(rank, moment) > 0) == (p < 0.05 / 2**step / candidates)
        assert (sub.margin(rank, moment) > 0) == (p < (0.05 - spent) / candidates)
        assert sub.spend(rank, moment) == pytest.approx(p * candidates)
        assert layered.spend(rank, moment) == 0.0


def test_smt_spends_alpha_step_by_step() -> None:
    """The whole course of a run, written again from its table of steps."""
    data = groups(900, 8, 4)
    counts = Counts(data)
    search = Search(counts, CRITERIA["smt"](counts, 0.05), DecomposableGraph(8))
    left = 0.05
    while (best := search.best()) is not None:
        pair = best[:2]
        candidates, p = search.candidates.count, math.exp(-search.candidates.ranks[pair])
        moment = search.state()
        accepted = search.criterion.margin(float(search.candidates.ranks[pair]), moment) > 0
        assert accepted == (p < left / candidates)
        if not accepted:
            break
        search.spent += search.criterion.spend(float(search.candidates.ranks[pair]), moment)
        search.add(*pair, 0.0)
        left -= p * candidates
        assert left == pytest.approx(0.05 - search.spent)
    own = Search(counts, CRITERIA["smt"](counts, 0.05), DecomposableGraph(8))
    own.run()  # spends by itself what was spent by hand above
    assert own.spent == pytest.approx(0.05 - left)
    assert own.spent > 0
    assert [(step.a, step.b) for step in own.steps] == [(step.a, step.b) for step in search.steps]
    result = engine.LogLinear(criterion="smt").run(data)
    assert len(result.steps) == len(search.steps) > 3


def test_steps_of_the_tests_come_by_log_p() -> None:
    """Strong edges whose p underflows are still ranked: more than e^-745, the first one the strongest."""
    data = chain(20_000, 5, keep=0.9, levels=3)
    result = engine.LogLinear(criterion="chi2").run(data)
    logs = result.steps.log10_p.tolist()
    assert len(logs) >= 4
    assert all(value < -400 for value in logs[:4])
    assert logs[:4] == sorted(logs[:4])
    assert len(set(logs)) == len(logs)


def test_graph_term_is_paid_back_in_a_dense_graph() -> None:
    """Three variables: the third edge is paid ln 3 = 1.1 nats."""
    assert graph_term(3, 0) == pytest.approx(math.log(3))
    assert graph_term(3, 1) == 0.0
    assert graph_term(3, 2) == pytest.approx(-math.log(3))


def false_families(criterion: str, sets: int, rows: int, variables: int, levels: int, seed: int) -> int:
    """How many independent data sets get any edge at all."""
    rng = np.random.default_rng(seed)
    names = [f"x{i}" for i in range(variables)]
    method = engine.LogLinear(criterion=criterion)
    found = 0
    for _ in range(sets):
        data = named(rng.integers(0, levels, (variables, rows)), [levels] * variables, names)
        counts = Counts(data)
        search = Search(counts, CRITERIA[criterion](counts, method.alpha), DecomposableGraph(variables))
        search.run()
        found += bool(search.steps)
    return found


@pytest.mark.parametrize("rows", [100, 1000])
def test_independent_ternary_variables(rows: int) -> None:
    """500 sets of three: no edge by mml, and by the tests in no more sets than alpha allows.

    At 100 and 1,000 rows: mml 0 and 0, smt 5.2 and 4.0, chi2 2.0 and 2.0 % of the sets; the bound is binomial, 1 in
    1,000 for a correct method.
    """
    for criterion in ("mml", "smt", "chi2"):
        found = false_families(criterion, 500, rows, 3, 3, seed=rows)
        assert found <= (0 if criterion == "mml" else binom.ppf(0.999, 500, 0.05)), (criterion, found / 500)


def test_wide_sets_of_independent_binary_variables() -> None:
    """40 sets of 40 variables, 500 rows: the family-wise rate is 0 (mml), 5 (smt) and 0 % (chi2)."""
    for criterion in ("mml", "smt", "chi2"):
        found = false_families(criterion, 40, 500, 40, 2, seed=3)
        assert found <= binom.ppf(0.999, 40, 0.05), (criterion, found / 40)


def test_smt_uses_its_alpha() -> None:
    """With alpha 0.5 a fair share of independent sets gets an edge, so the rates above are not those of a dead test."""
    rng = np.random.default_rng(8)
    found = 0
    for _ in range(100):
        data = named(rng.integers(0, 2, (5, 400)), [2] * 5)
        found += engine.LogLinear(criterion="smt", alpha=0.5).run(data).chosen.n_edges > 0
    assert binom.ppf(0.001, 100, 0.25) <= found <= binom.ppf(0.999, 100, 0.5)


@pytest.mark.parametrize("criterion", ["kl", "ah"])
def test_the_older_methods_find_what_is_not_there(criterion: str) -> None:
    """On independent data, as the paper says of kl; both say so in their notes."""
    data = named(np.random.default_rng(0).integers(0, 2, (6, 60)), [2] * 6)
    result = engine.LogLinear(criterion=criterion).run(data)
    assert "finds links that are not there" in " ".join(result.notes())
    if criterion == "kl":
        assert result.chosen.n_edges > 6
