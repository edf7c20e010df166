"""From scores to probabilities (Platt 1999): the log-ratio of a long series is absurdly sure of itself."""

from __future__ import annotations

import numpy as np


def fitted_probability(held: np.ndarray, truth: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """P(second class) for some scores, by a logistic curve through held-out ones.

    Parameters
    ----------
    held, truth : (n,) scores of points that nothing was learned from, and whether they are of the second class
    asked : (m,) scores

    Returns
    -------
    (m,) probabilities; not numbers where a class is absent
    """
    if truth.all() or not truth.any():
        return np.full(len(asked), np.nan)
    from sklearn.linear_model import LogisticRegression

    centre, spread = float(held.mean()), float(held.std()) or 1.0
    curve = LogisticRegression(C=100.0).fit(((held - centre) / spread)[:, None], truth)
    return np.asarray(curve.predict_proba(((asked - centre) / spread)[:, None])[:, 1])
