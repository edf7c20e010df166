"""How probable a box is: products where variables are independent, SciPy's rectangles, and a slow transcription."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import multivariate_normal

from engine import execution
from engine.counting.latent_kernels import box_probabilities, box_rows

UNDER = np.array([[1.0, 0.6, -0.2, 0.1], [0.6, 1.0, 0.3, 0.0], [-0.2, 0.3, 1.0, 0.5], [0.1, 0.0, 0.5, 1.0]])


def found(
    low: np.ndarray, high: np.ndarray, under: np.ndarray, points: int = 64, shifts: int = 8, seed: int = 0
) -> np.ndarray:
    """(n, shifts) by the kernel."""
    p, n = low.shape
    lattice = np.sqrt([2, 3, 5, 7, 11][:p]) % 1.0
    out = np.empty((n, shifts))
    box_probabilities(low, high, under, lattice, np.random.default_rng(seed).random((shifts, p)), points, out)
    return out


def boxes(p: int, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Bounds, a quarter of them infinite."""
    generator = np.random.default_rng(seed)
    low = generator.normal(-0.7, 0.6, (p, n))
    high = low + 0.2 + 2 * generator.random((p, n))
    return np.where(generator.random((p, n)) < 0.25, -np.inf, low), np.where(
        generator.random((p, n)) < 0.25, np.inf, high
    )


def slow(low: np.ndarray, high: np.ndarray, under: np.ndarray, points: int, moved: np.ndarray) -> float:
    """Genz's algorithm for one row and one shift, with NumPy and the textbook's order of steps."""
    bounded = [i for i in range(len(low)) if np.isfinite(low[i]) or np.isfinite(high[i])]
    bounded.sort(key=lambda i: ndtr(high[i]) - ndtr(low[i]))
    root = np.linalg.cholesky(under[np.ix_(bounded, bounded)])
    lattice = np.sqrt([2, 3, 5, 7, 11]) % 1.0
    values = []
    for point in range(1, points + 1):
        y: list[float] = []
        product = 1.0
        for k, i in enumerate(bounded):
            centre = root[k, :k] @ y
            a, b = ndtr((low[i] - centre) / root[k, k]), ndtr((high[i] - centre) / root[k, k])
            product *= b - a
            spot = abs(2 * ((point * lattice[k] + moved[k]) % 1.0) - 1)
            y.append(float(ndtri(a + spot * (b - a))))
        values.append(product)
    return float(np.mean(values))


def test_independent_variables_have_the_product() -> None:
    """Then the integrand is flat, and every shift gives the same."""
    low, high = boxes(4, 30, 1)
    ours = found(low, high, np.eye(4), points=2)
    exact = (ndtr(high) - ndtr(low)).prod(axis=0)
    assert ours == pytest.approx(np.broadcast_to(exact[:, None], ours.shape), rel=1e-12)


def test_it_is_genzs_algorithm() -> None:
    """Shift by shift, as a slow transcription has it."""
    low, high = boxes(4, 12, 2)
    ours = found(low, high, UNDER, points=7, shifts=3, seed=5)
    moved = np.random.default_rng(5).random((3, 4))
    theirs = [[slow(low[:, row], high[:, row], UNDER, 7, one) for one in moved] for row in range(12)]
    assert ours == pytest.approx(np.array(theirs), rel=1e-9)


@pytest.mark.parametrize("p", [2, 3, 4])
def test_boxes_are_as_probable_as_scipy_has_them(p: int) -> None:
    """The mean over many shifts within 4.5 of its standard errors: a shifted lattice has no bias."""
    low, high = boxes(p, 12, p)
    under = np.ascontiguousarray(UNDER[:p, :p])
    ours = found(low, high, under, points=31, shifts=400)
    for row in range(12):
        bounds = np.clip(low[:, row], -9, 9), np.clip(high[:, row], -9, 9)
        exact = multivariate_normal.cdf(bounds[1], np.zeros(p), under, lower_limit=bounds[0], abseps=2e-6, rng=0)
        error = ours[row].std(ddof=1) / 20
        assert abs(ours[row].mean() - exact) <= 4.5 * error + 4e-6
        assert error <= 2e-4


def test_a_variable_without_bounds_is_as_if_it_were_not_there() -> None:
    """The others have what they have without it."""
    low, high = boxes(4, 6, 3)
    low[1], high[1] = -np.inf, np.inf
    rest = [0, 2, 3]
    left = found(low[rest], high[rest], np.ascontiguousarray(UNDER[np.ix_(rest, rest)]), points=512).mean(axis=1)
    assert found(low, high, UNDER, points=512).mean(axis=1) == pytest.approx(left, rel=2e-3)
    assert found(np.full((4, 1), -np.inf), np.full((4, 1), np.inf), UNDER).tolist() == [[1.0] * 8]


@pytest.mark.parametrize("sign", [-1, 1])
def test_probabilities_far_out_keep_their_digits(sign: int) -> None:
    """A corner eight deviations out, either side: 1e-30, not 0."""
    ends = np.array([[8.0], [8.0]]), np.array([[np.inf], [np.inf]])
    low, high = ends if sign > 0 else (-ends[1], -ends[0])
    ours = found(low, high, np.eye(2))
    assert ours == pytest.approx(np.full((1, 8), ndtr(-8.0) ** 2), rel=1e-12, abs=0)


def test_two_variables_that_are_one() -> None:
    """A correlation of 1 does not stop it: the box is as probable as its narrower side."""
    low, high = np.array([[-1.0], [-0.5]]), np.array([[1.0], [np.inf]])
    ours = found(low, high, np.ones((2, 2)), points=2048)
    assert ours.mean() == pytest.approx(ndtr(1.0) - ndtr(-0.5), rel=2e-3)


@pytest.mark.parametrize("n", [0, 1, 33, 500])
def test_threads_change_no_bit(n: int) -> None:
    """The rows one by one, and all of them on any number of threads."""
    low, high = boxes(4, n, 7)
    lattice, moved = np.sqrt([2, 3, 5, 7]) % 1.0, np.random.default_rng(0).random((3, 4))
    slow = np.full((n, 3), np.nan)
    for row in reversed(range(n)):
        box_rows(low, high, UNDER, lattice, moved, 5, row, row + 1, slow)
    for number in (1, 2, 5):
        out = np.full((n, 3), np.nan)
        with execution.using(number):
            box_probabilities(low, high, UNDER, lattice, moved, 5, out)
        assert out.tobytes() == slow.tobytes()
