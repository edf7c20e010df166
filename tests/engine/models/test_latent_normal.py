"""Normal vectors seen in levels: moments by integration, correlations by another maximiser, regressions, thresholds."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import ndtr, ndtri
from scipy.stats import multivariate_normal, norm

from engine.models.latent_normal import (
    LIFTED_FROM,
    UNKNOWN,
    Boxes,
    Chains,
    as_correlation,
    fitted,
    information,
    lifted,
    log_probabilities,
    thresholds,
)
from engine.models.polychoric import polychoric, polychoric_variances, rectangles
from tests.engine.models.test_normal_scores import LATENT, mixed

UNDER = np.array([[1.0, 0.6, -0.3], [0.6, 1.0, 0.2], [-0.3, 0.2, 1.0]])
CUTS = (np.array([-np.inf, 0.2, np.inf]), np.array([-np.inf, -0.8, 0.7, np.inf]), np.array([-np.inf, -0.1, np.inf]))


def drawn(correlation: np.ndarray, cuts: tuple[np.ndarray, ...], rows: int, seed: int) -> np.ndarray:
    """(p, rows) levels of normal rows."""
    values = np.random.default_rng(seed).multivariate_normal(np.zeros(len(correlation)), correlation, rows)
    return np.stack([np.searchsorted(cut[1:-1], values[:, i]) for i, cut in enumerate(cuts)])


def test_thresholds_are_quantiles_of_smoothed_shares() -> None:
    """(count + 1) / (N + L), so that a level without a row has its place too."""
    counts = np.array([7, 0, 12, 3])
    cuts = thresholds(counts)
    assert ndtr(cuts) == pytest.approx(np.array([0, 8, 9, 22, 26]) / 26, abs=1e-15)
    assert (np.diff(cuts) > 0).all()


def test_boxes_bound_known_answers_and_leave_unknown_ones_open() -> None:
    """Thresholds are counted from the answers that are there, or taken from other rows."""
    codes = np.array([[0, 1, UNKNOWN, 1], [2, 0, 1, UNKNOWN]])
    boxes = Boxes.of(codes, [2, 3])
    assert boxes.cuts[0] == pytest.approx(thresholds(np.array([1, 2])))
    low, high = boxes.bounds()
    assert low[0].tolist() == [-np.inf, boxes.cuts[0][1], -np.inf, boxes.cuts[0][1]]
    assert high[0].tolist() == [boxes.cuts[0][1], np.inf, np.inf, np.inf]
    assert (low[1, 3], high[1, 3]) == (-np.inf, np.inf) and boxes.n_rows == 4
    other = Boxes.of(codes, [2, 3], CUTS[:2])
    assert other.bounds()[0][0, 1] == 0.2


def moments(levels: tuple[int, ...]) -> np.ndarray:
    """(p + 1, p) second and first moments of one box, on a Gauss-Legendre grid."""
    p = len(levels)
    nodes, weights = np.polynomial.legendre.leggauss(48)
    sides, sizes = [], []
    for i, level in enumerate(levels):
        low, high = np.clip(CUTS[i][level : level + 2], -8, 8)
        sides.append(0.5 * (low + high) + 0.5 * (high - low) * nodes)
        sizes.append(0.5 * (high - low) * weights)
    points = np.stack([one.ravel() for one in np.meshgrid(*sides, indexing="ij")])
    density = np.exp(-0.5 * np.einsum("in,ij,jn->n", points, np.linalg.inv(UNDER[:p, :p]), points))
    density *= np.prod([one.ravel() for one in np.meshgrid(*sizes, indexing="ij")], axis=0)
    density /= density.sum()
    return np.vstack([(points * density) @ points.T, points @ density])


@pytest.mark.parametrize("p", [2, 3])
def test_expected_statistics_are_integrals(p: int) -> None:
    """Rows of every combination of levels; the draws' correlation is that of the boxes' exact moments."""
    combinations = list(product(*(range(len(cut) - 1) for cut in CUTS[:p])))
    codes = np.array(combinations * 200).T
    exact = np.mean([moments(one) for one in combinations], axis=0)
    exact = as_correlation(exact[:p] - np.outer(exact[p], exact[p]))
    sizes = [len(cut) - 1 for cut in CUTS[:p]]
    many = 1000 if p == 2 else 600
    chains = Chains(Boxes.of(codes, sizes, CUTS[:p]), seed=1)
    parts = [chains.correlation(UNDER[:p, :p], many // 10, 20) for _ in range(10)]
    error = np.std(parts, axis=0, ddof=1) / np.sqrt(len(parts))
    ours = np.mean(parts, axis=0)
    assert (np.abs(ours - exact) <= 4.5 * error + 1e-9).all()
    assert error.max() < 1e-3


def test_what_is_expected_of_levels_alone_is_what_was_there() -> None:
    """At the true correlation the expected statistic of many rows is the true correlation itself."""
    codes = drawn(UNDER, CUTS, 20_000, 3)
    chains = Chains(Boxes.of(codes, [2, 3, 2], CUTS), seed=0)
    assert chains.correlation(UNDER, 20, 10) == pytest.approx(UNDER, abs=0.015)


def test_a_missing_answer_is_drawn_as_the_others_tell() -> None:
    """Without bounds the latent value has its plain conditional distribution; alone it is a standard normal one."""
    rows = 3000
    open_codes = np.full((2, rows), UNKNOWN)
    under = UNDER[:2, :2]
    chains = Chains(Boxes.of(open_codes, [2, 3], CUTS[:2]), seed=2)
    assert chains.correlation(under, 60, 20) == pytest.approx(under, abs=0.01)
    half = np.stack([np.repeat([0, 1], rows // 2), np.full(rows, UNKNOWN)])
    statistic = Chains(Boxes.of(half, [2, 3], CUTS[:2]), seed=3).correlation(under, 60, 20)
    mean = np.array([-norm.pdf(0.2) / ndtr(0.2), norm.pdf(0.2) / ndtr(-0.2)])
    second = 1 + np.array([-0.2, 0.2]) * norm.pdf(0.2) / np.array([ndtr(0.2), ndtr(-0.2)])
    spread, centre = second.mean() - mean.mean() ** 2, mean.mean()
    own = 1 - 0.36 + 0.36 * second.mean() - (0.6 * centre) ** 2
    assert statistic[0, 1] == pytest.approx(0.6 * spread / np.sqrt(spread * own), abs=0.01)


def test_equal_seeds_give_equal_bits() -> None:
    """Another seed gives other draws; a chain that goes on gives others too."""
    boxes = Boxes.of(drawn(UNDER, CUTS, 100, 4), [2, 3, 2])
    one, same, other = (Chains(boxes, seed) for seed in (7, 7, 8))
    first = one.correlation(UNDER, 3, 2)
    assert (first == same.correlation(UNDER, 3, 2)).all()
    assert (first != other.correlation(UNDER, 3, 2)).any()
    second = one.correlation(UNDER, 3, 2)
    assert (second == same.correlation(UNDER, 3, 2)).all() and (second != first).any()


@pytest.mark.parametrize("p", [2, 3, 4])
def test_log_probabilities_are_those_of_scipy(p: int) -> None:
    """All combinations of levels: each within six of its standard errors (of eight shifts), their sum 1."""
    under, cuts = np.eye(4), (*CUTS, np.array([-np.inf, 1.1, np.inf]))
    under[:3, :3] = UNDER
    under[3, 2] = under[2, 3] = -0.5
    combinations = np.array(list(product(*(range(len(cut) - 1) for cut in cuts[:p])))).T
    boxes = Boxes.of(combinations, [len(cut) - 1 for cut in cuts[:p]], cuts[:p])
    logs, errors = log_probabilities(boxes, under[:p, :p], points=256)
    low, high = boxes.bounds()
    exact = [
        multivariate_normal.cdf(b, np.zeros(p), under[:p, :p], lower_limit=a, abseps=2e-6, rng=0)
        for a, b in zip(np.clip(low, -9, 9).T, np.clip(high, -9, 9).T, strict=True)
    ]
    assert (np.abs(logs - np.log(exact)) <= 6 * errors + 1e-4).all() and errors.max() < 0.01
    assert np.exp(logs).sum() == pytest.approx(1.0, abs=2e-3)


def test_log_probabilities_of_independent_variables() -> None:
    """The sum of the logarithms of each; a row that says nothing is certain."""
    codes = np.array([[0, 1, UNKNOWN], [2, UNKNOWN, UNKNOWN], [1, 1, UNKNOWN]])
    logs, errors = log_probabilities(Boxes.of(codes, [2, 3, 2], CUTS), np.eye(3))
    exact = [np.log(ndtr(0.2) * ndtr(-0.7) * ndtr(0.1)), np.log(ndtr(-0.2) * ndtr(0.1)), 0.0]
    assert logs == pytest.approx(exact, abs=1e-12) and errors == pytest.approx(np.zeros(3), abs=1e-12)


def test_rectangles_are_those_of_scipy() -> None:
    """Owen's T against SciPy's distribution, with cuts at 0, equal ones, and strong correlations."""
    first = np.array([[-np.inf, -1.3, 0.0, 0.8, np.inf]] * 4)
    second = np.array([[-np.inf, 0.0, 0.8, np.inf]] * 4)
    rho = np.array([-0.95, 0.0, 0.4, 0.999])
    ours = rectangles(first, second, rho)
    assert ours.sum(axis=(1, 2)) == pytest.approx(np.ones(4), abs=1e-12)
    for m, one in enumerate(rho):
        joint = multivariate_normal([0, 0], [[1, one], [one, 1]])
        upto = [[joint.cdf(np.clip([a, b], -20, 20)) for b in second[m]] for a in first[m]]
        assert ours[m] == pytest.approx(np.diff(np.diff(upto, axis=0), axis=1), abs=2e-9)


def maximised(one: np.ndarray, other: np.ndarray, cuts: tuple[np.ndarray, np.ndarray]) -> float:
    """The polychoric correlation by SciPy alone: Brent's method on its bivariate normal distribution."""
    counts = np.ones((len(cuts[0]) - 1, len(cuts[1]) - 1))
    np.add.at(counts, (one, other), 1)
    corners = [np.clip(cut, -20, 20) for cut in cuts]
    grid = np.stack(np.meshgrid(*corners, indexing="ij"), axis=-1)

    def loss(rho: float) -> float:
        upto = multivariate_normal.cdf(grid, np.zeros(2), [[1, rho], [rho, 1]])
        chance = np.diff(np.diff(upto, axis=0), axis=1)
        return -float((counts * np.log(np.maximum(chance, 1e-300))).sum())

    return float(minimize_scalar(loss, bounds=(-0.999, 0.999), method="bounded", options={"xatol": 1e-9}).x)


def test_polychoric_correlations_are_those_of_another_maximiser() -> None:
    """Tables of different shapes, some of whose cells are empty."""
    under = np.array([[1, 0.85, -0.5, 0.0], [0.85, 1, -0.3, 0.1], [-0.5, -0.3, 1, 0.6], [0, 0.1, 0.6, 1]])
    cuts = (*CUTS, np.array([-np.inf, -1.0, -0.2, 0.9, np.inf]))
    codes = drawn(under, cuts, 300, 6)
    boxes = Boxes.of(codes, [2, 3, 2, 4])
    ours = polychoric(boxes, imagined=1.0)
    assert (ours == ours.T).all() and (np.diag(ours) == 1).all()
    for i in range(4):
        for j in range(i):
            best = maximised(codes[i], codes[j], (boxes.cuts[i], boxes.cuts[j]))
            assert ours[i, j] == pytest.approx(best, abs=1e-6)


def test_polychoric_correlations_of_many_rows_are_the_true_ones() -> None:
    """Within four standard errors, which are about 0.01 at 20,000 rows; missing answers are left out pair by pair."""
    codes = drawn(UNDER, CUTS, 20_000, 7)
    assert polychoric(Boxes.of(codes, [2, 3, 2])) == pytest.approx(UNDER, abs=0.04)
    codes[np.random.default_rng(0).random(codes.shape) < 0.2] = UNKNOWN
    assert polychoric(Boxes.of(codes, [2, 3, 2])) == pytest.approx(UNDER, abs=0.05)


def test_a_perfect_table_ends_at_the_edge_not_beyond() -> None:
    """The imagined row in every cell keeps a correlation below 1."""
    same = np.tile([0, 1, 2], 100)
    rho = polychoric(Boxes.of(np.stack([same, same]), [3, 3]), imagined=1.0)[0, 1]
    assert 0.9 < rho <= 0.999
    assert rho < polychoric(Boxes.of(np.stack([same, same]), [3, 3]))[0, 1] <= 0.999
    assert polychoric(Boxes.of(np.stack([same, 2 - same]), [3, 3]), imagined=1.0)[0, 1] == pytest.approx(-rho, abs=1e-8)


def test_a_correlation_matrix_is_left_as_it_is() -> None:
    """The same object, and nothing to tell."""
    found, was = lifted(UNDER)
    assert found is UNDER and was is False


def test_what_is_none_is_lifted() -> None:
    """Eigenvalues under 0.001 become 0.1 before the diagonal is 1 again; those above stay."""
    broken = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])
    found, was = lifted(broken)
    values, vectors = np.linalg.eigh(broken)
    assert was and values[0] < LIFTED_FROM < values[1]
    rule = (vectors * [0.1, *values[1:]]) @ vectors.T
    assert found == pytest.approx(rule / np.sqrt(np.outer(np.diag(rule), np.diag(rule))), abs=1e-14)
    assert (np.diag(found) == 1).all() and (found == found.T).all()
    assert np.linalg.eigvalsh(found)[0] > 0.05


def random_dag(p: int, generator: np.random.Generator) -> tuple[tuple[int, ...], ...]:
    order = generator.permutation(p)
    place = np.argsort(order)
    return tuple(tuple(j for j in range(p) if place[j] < place[i] and generator.random() < 0.5) for i in range(p))


@settings(max_examples=25)
@given(p=st.integers(1, 6), seed=st.integers(0, 10_000))
def test_a_fitted_dag_implies_what_its_equations_do(p: int, seed: int) -> None:
    """(I - B)^-1 V (I - B)^-T of regressions by least squares, as a correlation; families keep their own."""
    generator = np.random.default_rng(seed)
    statistic = as_correlation(np.cov(generator.normal(size=(p, 3 * p + 3))).reshape(p, p))
    parents = random_dag(p, generator)
    order, left = [], set(range(p))
    while left:
        order.append(min(i for i in left if not left & set(parents[i])))
        left -= {order[-1]}
    arcs, noise = np.zeros((p, p)), np.zeros(p)
    for i, family in enumerate(parents):
        own = list(family)
        arcs[i, own] = np.linalg.lstsq(statistic[np.ix_(own, own)], statistic[own, i], rcond=None)[0]
        noise[i] = statistic[i, i] - arcs[i, own] @ statistic[own, i]
    spread = np.linalg.inv(np.eye(p) - arcs)
    ours = fitted(statistic, parents, order)
    assert ours == pytest.approx(as_correlation(spread @ np.diag(noise) @ spread.T), abs=1e-9)
    full = tuple(tuple(order[: order.index(i)]) for i in range(p))
    assert fitted(statistic, full, order) == pytest.approx(statistic, abs=1e-9)


def test_a_fitted_dag_is_what_a_large_sample_shows() -> None:
    """A chain drawn by its own equations has the correlations that are fitted to it."""
    generator = np.random.default_rng(0)
    x = generator.normal(size=200_000)
    y = 0.8 * x + 0.6 * generator.normal(size=len(x))
    z = -0.5 * y + np.sqrt(0.75) * generator.normal(size=len(x))
    ours = fitted(np.corrcoef([x, y, z]), ((), (0,), (1,)), (0, 1, 2))
    assert ours == pytest.approx(np.array([[1, 0.8, -0.4], [0.8, 1, -0.5], [-0.4, -0.5, 1]]), abs=0.01)


def test_information_has_its_closed_forms() -> None:
    """Halves keep (2 / pi)^2; very fine levels keep everything; a rare level tells little."""
    halves = np.array([-np.inf, 0.0, np.inf])
    fine = ndtri(np.linspace(0, 1, 2001))
    rare = np.array([-np.inf, 3.0, np.inf])
    codes = np.zeros((2, 2), dtype=int)
    assert information(Boxes(codes, (halves, halves))) == pytest.approx((2 / np.pi) ** 2, rel=1e-12)
    assert information(Boxes(codes, (fine, fine))) == pytest.approx(1.0, abs=2e-3)
    own = norm.pdf(3.0) ** 2 / (ndtr(3.0) * ndtr(-3.0))
    assert information(Boxes(codes, (rare, halves))) == pytest.approx(own * 2 / np.pi, rel=1e-9)
    three = information(Boxes(np.zeros((3, 2), dtype=int), (rare, halves, fine)))
    one, two, last = own, 2 / np.pi, np.sqrt(information(Boxes(codes, (fine, fine))))
    assert three == pytest.approx((one * two + one * last + two * last) / 3, rel=1e-9)


def test_the_information_is_that_of_a_polychoric_correlation() -> None:
    """Nearly independent halves: the variance of their correlation is 1 / (n f) over many tables."""
    cuts = (np.array([-np.inf, 0.0, np.inf]),) * 2
    found = [polychoric(Boxes.of(drawn(np.eye(2), cuts, 400, seed), [2, 2]))[0, 1] for seed in range(400)]
    assert np.var(found) * 400 == pytest.approx(1 / information(Boxes(np.zeros((2, 2)), cuts)), rel=0.25)


def test_variances_of_correlations_are_those_over_many_tables() -> None:
    """Three levels and two, tied by .5: the spread of 400 estimates, and nothing for a variable with itself."""
    generator = np.random.default_rng(4)
    found, told = [], []
    for _ in range(400):
        values = generator.normal(size=(2, 500))
        values[1] = 0.5 * values[0] + np.sqrt(0.75) * values[1]
        codes = np.array([np.searchsorted([-0.5, 0.8], values[0]), values[1] > 0.4]).astype(int)
        boxes = Boxes.of(codes, [3, 2])
        rho = polychoric(boxes)
        found.append(rho[0, 1])
        told.append(polychoric_variances(boxes, rho))
    assert np.mean(told, axis=0)[0, 1] == pytest.approx(np.var(found), rel=0.2)
    assert (np.diag(told[0]) == 0).all()
    holed = Boxes(np.array([[0, 1, -1, -1], [-1, -1, 0, 1]]), boxes.cuts[1:] * 2)
    assert np.isinf(polychoric_variances(holed, np.eye(2))[0, 1])


def test_known_values_condition_the_others() -> None:
    """Two numbers and two ratings: moments of the E step are those of 10^6 draws given the numbers, inside the box."""
    under = np.array([[1, 0.6, 0.5, -0.4], [0.6, 1, 0.3, 0.2], [0.5, 0.3, 1, 0.1], [-0.4, 0.2, 0.1, 1]])
    known, levels, rows = np.array([1.3, -0.8]), np.array([1, 0]), 640
    codes = np.repeat(np.array([[0], [0], [1], [0]]), rows, axis=1)
    cuts = (*CUTS[:1] * 2, np.array([-np.inf, -0.3, 0.9, np.inf]), np.array([-np.inf, -0.5, 0.2, np.inf]))
    boxes = Boxes(codes, cuts, {i: np.full(rows, value) for i, value in enumerate(known)})
    slopes = under[2:, :2] @ np.linalg.inv(under[:2, :2])
    left = under[2:, 2:] - slopes @ under[:2, 2:]
    values = np.random.default_rng(0).multivariate_normal(slopes @ known, left, 1_000_000)
    inside = np.all([np.searchsorted(cuts[i + 2][1:-1], values[:, i]) == levels[i] for i in (0, 1)], axis=0)
    values = values[inside]
    expected = np.empty((4, 4))
    expected[:2, :2], expected[2:, 2:] = np.outer(known, known), values.T @ values / len(values)
    expected[:2, 2:] = np.outer(known, values.mean(axis=0))
    expected[2:, :2] = expected[:2, 2:].T
    chains = Chains(boxes, 1)
    drawn = [chains.moments(under) / rows for _ in range(220)]
    assert np.mean(drawn[20:], axis=0) == pytest.approx(expected, abs=0.006)
    assert (chains.latent[:2] == known[:, None]).all()


def test_a_row_of_numbers_and_levels_has_a_density_times_a_chance() -> None:
    """Against SciPy's integral of the four-dimensional density over the two ratings' box."""
    boxes = mixed(12, 3, 0.15)
    own, _ = log_probabilities(boxes, LATENT, points=512)
    low, high = boxes.bounds()
    for row in range(12):
        seen = low[:, row] == high[:, row]
        box = np.flatnonzero(~seen & (np.isfinite(low[:, row]) | np.isfinite(high[:, row])))
        expected = 0.0
        if seen.any():
            expected += multivariate_normal(np.zeros(seen.sum()), LATENT[np.ix_(seen, seen)]).logpdf(low[seen, row])
        if len(box):
            slopes = LATENT[np.ix_(box, seen)] @ np.linalg.pinv(LATENT[np.ix_(seen, seen)])
            left = LATENT[np.ix_(box, box)] - slopes @ LATENT[np.ix_(seen, box)]
            ends = np.clip(high[box, row], -9, 9), np.clip(low[box, row], -9, 9)
            expected += np.log(multivariate_normal(slopes @ low[seen, row], left).cdf(ends[0], lower_limit=ends[1]))
        assert own[row] == pytest.approx(expected, abs=2e-3)
