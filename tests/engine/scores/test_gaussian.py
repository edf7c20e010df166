"""Gaussian scores against regressions and published formulas written out, and BDe against BDeu."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import multivariate_t

import engine
from engine.scores.local import LocalScore
from engine.scores.ordinal import ExpectedGaussian
from tests.engine.make import random_data

SCORES: list[LocalScore] = [
    engine.GaussianBIC(2.0),
    engine.BGe(am=0.5),
    engine.BGe(aw=40.0),
    engine.BGe(am=2.0, prior_mean="zero"),
    engine.BDe(ess=2.0),
]


def table(seed: int = 0, rows: int = 80) -> engine.Dataset:
    """Rows of ten variables that hang together."""
    return random_data(rows, 10, 14, seed)


def columns(data: engine.Dataset, names: list[str]) -> np.ndarray:
    """(n, k) codes as numbers."""
    return np.array([data.column(name) for name in names], dtype=float).T.reshape(data.n_rows, len(names))


def slow_bic(data: engine.Dataset, child: str, parents: list[str], penalty: float) -> float:
    """Regress the standardised child on its parents, and score what is left."""
    y, x = columns(data, [child])[:, 0], columns(data, parents)
    y = (y - y.mean()) / y.std()
    design = np.column_stack([np.ones(len(y)), x])
    left = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    n = len(y)
    likelihood = -n / 2 * (math.log(left @ left / n) + 1 + math.log(2 * math.pi))
    return float(likelihood - penalty * math.log(n) / 2 * len(parents))


def slow_marginal(data: engine.Dataset, names: list[str], am: float, aw: float) -> float:
    """ln p of these columns under the normal-Wishart prior (Kuipers, Moffa & Heckerman 2014, equation 2)."""
    n, m, rows = data.n_variables, len(names), data.n_rows
    if not m:
        return 0.0
    x = columns(data, names)
    x = x - x.mean(axis=0)
    t = am * (aw - n - 1) / (am + 1)
    degrees = aw - n + m
    before, after = t * np.eye(m), t * np.eye(m) + x.T @ x
    steps = np.arange(m)
    gammas = (gammaln((degrees + rows - steps) / 2) - gammaln((degrees - steps) / 2)).sum()
    determinants = degrees * np.linalg.slogdet(before)[1] - (degrees + rows) * np.linalg.slogdet(after)[1]
    return float(-m * rows / 2 * math.log(math.pi) + m / 2 * math.log(am / (am + rows)) + gammas + determinants / 2)


@pytest.mark.parametrize("parents", [[], ["v01"], ["v01", "v04"], ["v02", "v03", "v05", "v09"]])
@pytest.mark.parametrize("penalty", [0.0, 1.0, 3.0])
def test_the_gaussian_bic_is_that_of_a_regression(parents: list[str], penalty: float) -> None:
    """What regression leaves of the standardised child, and so much less for every parent."""
    data = table()
    found = engine.GaussianBIC(penalty).family(data, "v00", parents)
    assert found == pytest.approx(slow_bic(data, "v00", parents, penalty), rel=1e-11)


def test_the_aic_takes_one_for_every_parent() -> None:
    """Its penalty is 2 / ln N, whatever N."""
    data = table()
    gain = engine.GaussianBIC(0.0).family(data, "v00", ["v01", "v02"]) - 2.0
    assert engine.GaussianBIC(2 / math.log(80)).family(data, "v00", ["v01", "v02"]) == pytest.approx(gain, rel=1e-12)


@pytest.mark.parametrize("parents", [[], ["v01"], ["v01", "v04"], ["v02", "v03", "v05", "v09"]])
@pytest.mark.parametrize(("am", "aw"), [(1.0, None), (0.05, None), (2.0, 14.0)])
def test_bge_is_a_ratio_of_marginal_likelihoods(parents: list[str], am: float, aw: float | None) -> None:
    """p(child and parents) over p(parents), each from the formula for a set of columns."""
    data = table()
    degrees = 10 + am + 1 if aw is None else aw
    whole, less = (slow_marginal(data, names, am, degrees) for names in (["v00", *parents], parents))
    assert engine.BGe(am, aw).family(data, "v00", parents) == pytest.approx(whole - less, rel=1e-11)


def slow_predictive(data: engine.Dataset, names: list[str], am: float, aw: float) -> float:
    """ln p of these columns under the normal-Wishart prior with mean 0, row by row: a product of Student's t densities.

    The posterior after each row is the prior of the next (DeGroot 1970, section 9.10), so no formula of a whole table,
    and no mean of the rows, is used.
    """
    n, m = data.n_variables, len(names)
    mean, weight, degrees = np.zeros(m), am, aw - n + m
    matrix = am * (aw - n - 1) / (am + 1) * np.eye(m)
    total = 0.0
    for row in columns(data, names):
        own = degrees - m + 1
        scale = matrix * (weight + 1) / (weight * own)
        total += float(multivariate_t(mean, scale, df=own).logpdf(row))
        away = row - mean
        matrix = matrix + weight / (weight + 1) * np.outer(away, away)
        mean, weight, degrees = (weight * mean + row) / (weight + 1), weight + 1, degrees + 1
    return total


@pytest.mark.parametrize("parents", [[], ["v01"], ["v02", "v03", "v05"]])
@pytest.mark.parametrize(("am", "aw"), [(1.0, None), (0.05, None), (3.0, 14.0)])
def test_bge_of_a_prior_mean_of_zero_predicts_row_by_row(parents: list[str], am: float, aw: float | None) -> None:
    """p(child and parents) over p(parents), each a product of what the rows before say of the next."""
    data = table(rows=40)
    degrees = 10 + am + 1 if aw is None else aw
    whole = slow_predictive(data, ["v00", *parents], am, degrees)
    less = slow_predictive(data, parents, am, degrees) if parents else 0.0
    result = engine.BGe(am, aw, prior_mean="zero").family(data, "v00", parents)
    assert result == pytest.approx(whole - less, rel=1e-9)
    assert abs(result - engine.BGe(am, aw).family(data, "v00", parents)) > 1e-3


def test_the_posterior_matrix_is_the_prior_the_rows_and_their_mean() -> None:
    """Its entries for a table of two variables, by hand; a mean of 0 adds what the rows' mean differs from it."""
    data = engine.Dataset.from_codes([[0, 1, 2, 1], [2, 2, 0, 0]], [3, 3], ["a", "b"])
    # t = 3 * 3 / 4; sums of products about the means (1, 1); 3 * 4 / 7 times the means' products
    rows = np.array([[2.25 + 2, -2.0], [-2.0, 2.25 + 4]])
    assert engine.BGe(am=3.0).posterior_matrix(data) == pytest.approx(rows)
    zero = engine.BGe(am=3.0, prior_mean="zero").posterior_matrix(data)
    assert zero == pytest.approx(rows + 12 / 7)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("parents", [(), (2,), (2, 3), (1, 4, 5, 7, 9)])
def test_additions_are_the_single_families(score: LocalScore, parents: tuple[int, ...]) -> None:
    """One factorisation scores every candidate as `local` does; who is not asked about has none."""
    bound = score.bind(table())
    among = np.ones(10, dtype=bool)
    among[6] = False
    every, some = bound.additions(0, parents), bound.additions(0, parents, among)
    for x in range(10):
        if x in (0, *parents):
            assert every[x] == some[x] == -np.inf
        else:
            assert every[x] == pytest.approx(bound.local(0, tuple(sorted((*parents, x)))), rel=1e-11)
            assert some[x] == (-np.inf if x == 6 else every[x])


@pytest.mark.parametrize("score", SCORES)
def test_equivalent_dags_score_the_same(score: LocalScore) -> None:
    """Turning a covered arc, here below two common parents, changes nothing."""
    data = table(3)
    one = score.family(data, "v05", ["v01", "v02"]) + score.family(data, "v06", ["v01", "v02", "v05"])
    two = score.family(data, "v06", ["v01", "v02"]) + score.family(data, "v05", ["v01", "v02", "v06"])
    assert score.equivalent
    assert one == pytest.approx(two, rel=1e-12)


def test_bde_is_bdeu_less_ln_2_for_every_parent() -> None:
    """Nothing else is different, in single families and in additions."""
    data = table()
    for parents in ([], ["v03"], ["v03", "v04", "v07"]):
        expected = engine.BDeu(1.5).family(data, "v00", parents) - len(parents) * math.log(2)
        assert engine.BDe(1.5).family(data, "v00", parents) == pytest.approx(expected, rel=1e-14)
    ours, theirs = engine.BDe(1.5).bind(data), engine.BDeu(1.5).bind(data)
    expected = theirs.additions(0, (3, 4)) - 3 * math.log(2)
    assert ours.additions(0, (3, 4))[1:3] == pytest.approx(expected[1:3], rel=1e-14)


def test_a_matrix_that_is_handed_in_scores_as_the_data_it_is_of() -> None:
    """By name, whatever the order and selection of the variables."""
    data = table()
    matrix = np.corrcoef(columns(data, list(data.names)).T)
    order = np.random.default_rng(0).permutation(10)
    score = ExpectedGaussian(matrix[np.ix_(order, order)], tuple(data.names[i] for i in order), data.n_rows, 2.0)
    few = data.select(["v07", "v00", "v04"])
    expected = slow_bic(data, "v00", ["v04", "v07"], 2.0)
    assert score.family(few, "v00", ["v07", "v04"]) == pytest.approx(expected, rel=1e-11)
    assert score.bind(few).correlation[0, 2] == matrix[7, 4]


def test_copies_and_constants_have_finite_scores() -> None:
    """A copy explains all, a second copy adds nothing, and a constant is tied to nobody."""
    codes = np.random.default_rng(1).integers(0, 3, (2, 50))
    data = engine.Dataset.from_codes([codes[0], codes[0], codes[0], codes[1], codes[0] * 0], [3] * 5, list("abcde"))
    for score in (engine.GaussianBIC(), engine.BGe()):
        bound = score.bind(data)
        for child in range(5):
            for parents in ((), (0,) if child else (1,), (1, 2) if child in (0, 3, 4) else (0, 3)):
                values = bound.additions(child, parents)
                assert np.isfinite(bound.local(child, parents))
                assert np.isfinite(np.delete(values, [child, *parents])).all()
    bound = engine.GaussianBIC(0.0).bind(data)
    assert bound.local(0, (1, 2)) == pytest.approx(bound.local(0, (1,)))
    assert bound.local(4, (0, 3)) == pytest.approx(bound.local(4, ()))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: engine.GaussianBIC(-1.0), "penalty is -1.0"),
        (lambda: engine.BGe(am=0.0), "am is 0.0"),
        (lambda: engine.BGe(prior_mean="median"), "prior_mean is 'median'; it can be 'rows', 'zero'"),
        (lambda: engine.BGe(aw=11.0).bind(table()), "with 10 variables it must be above 11"),
        (lambda: engine.BDe(ess=0), "ess is 0"),
        (lambda: ExpectedGaussian(np.eye(2), ("a", "b"), 9, float("nan")), "penalty is nan"),
        (lambda: ExpectedGaussian(np.eye(2), ("a",), 9), "1 names"),
        (lambda: ExpectedGaussian(np.eye(1), ("a",), 9).bind(table()), "no row for 'v00'"),
    ],
)
def test_what_cannot_be_is_refused(make: object, words: str) -> None:
    """Each with a sentence that names it."""
    with pytest.raises(engine.DiptychError, match=words):
        make()  # type: ignore[operator]
