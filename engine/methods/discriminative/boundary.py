"""From two log-likelihoods to a verdict: class 1 where c1 + c2 l(own) + c3 l(others) is above 0 (section 4.3)."""

from __future__ import annotations

import numpy as np

RATIO = np.array([0.0, 1.0, -1.0])


def fit_boundary(likelihoods: np.ndarray, side: np.ndarray, way: str, *, balance: bool) -> np.ndarray:
    """c1, c2, c3.

    Least squares of +1 and -1 on both log-likelihoods, which are large and nearly collinear and so standardised first.
    Where classes are balanced, both weigh alike, however many points they have.

    Parameters
    ----------
    likelihoods : (S, 2) log-likelihood of each point by the others' network and by the class's
    side : (S,) 1 for the class, 0 for the others, below 0 for what is left out
    way : "least_squares", "midpoint" (c2 = 1, c3 = -1) or "ratio" (c1 = 0 too)
    balance : whether both classes weigh alike
    """
    if way == "ratio":
        return RATIO
    inside = side >= 0
    others, own = likelihoods[inside].T
    of = side[inside] == 1
    if way == "midpoint":
        gap = own - others
        return np.array([-(gap[of].mean() + gap[~of].mean()) / 2, 1.0, -1.0])
    weight = (
        np.where(of, 0.5 / max(of.sum(), 1), 0.5 / max((~of).sum(), 1)) if balance else np.full(len(of), 1 / len(of))
    )
    both = np.stack([own, others], axis=1)
    centre = weight @ both
    spread = np.sqrt(weight @ (both - centre) ** 2)
    spread = np.where(spread > 1e-12 * np.maximum(1.0, np.abs(centre)), spread, 1.0)
    design = np.column_stack([np.ones(len(of)), (both - centre) / spread])
    root = np.sqrt(weight)
    result = np.linalg.lstsq(design * root[:, None], np.where(of, 1.0, -1.0) * root, rcond=1e-9)[0]
    slopes = result[1:] / spread
    return np.array([result[0] - slopes @ centre, *slopes])


def scores_of(likelihoods: np.ndarray, boundary: np.ndarray) -> np.ndarray:
    """(S,) c1 + c2 l(own) + c3 l(others); above 0 for the class."""
    result: np.ndarray = boundary[0] + likelihoods @ boundary[[2, 1]]
    return result
