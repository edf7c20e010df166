"""From scores to probabilities (Platt 1999): the log-ratio of a long series is absurdly sure of itself."""

from __future__ import annotations

import numpy as np

ENOUGH_POINTS = 50
"""Fewer points say too little of how scores turn into probabilities."""


def fitted_probability(held: np.ndarray, truth: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """P(second class) for some scores, by a logistic curve through held-out ones.

    Parameters
    ----------
    held, truth : (n,) scores of points that nothing was learned from, and whether they are of the second class
    asked : (m,) scores

    Returns
    -------
    (m,) probabilities
    """
    from sklearn.linear_model import LogisticRegression

    centre, spread = float(held.mean()), float(held.std()) or 1.0
    curve = LogisticRegression(C=100.0).fit(((held - centre) / spread)[:, None], truth)
    return np.asarray(curve.predict_proba(((asked - centre) / spread)[:, None])[:, 1])
