"""Tails of distributions that never underflow."""

from __future__ import annotations

import numpy as np

from engine.lazy import special


def log_chi2_tail(statistic: np.ndarray, degrees: np.ndarray) -> np.ndarray:
    """ln P(chi-squared with `degrees` > statistic), never underflowing.

    SciPy's incomplete gamma function where it is representable, else the continued fraction of its tail (Legendre;
    evaluated by Lentz's method).
    """
    x, a = np.broadcast_arrays(np.asarray(statistic, dtype=float) / 2, np.asarray(degrees, dtype=float) / 2)
    x = np.maximum(x, 0.0)
    with np.errstate(divide="ignore"):
        result = np.log(special.gammaincc(a, x))
    extreme = result < -600.0
    if extreme.any():
        x, a = x[extreme], a[extreme]
        b = x + 1 - a
        c = np.full_like(b, 1e300)
        d = 1 / b
        h = d.copy()
        for i in range(1, 500):
            step = -i * (i - a)
            b = b + 2
            d = 1 / (step * d + b)
            c = b + step / c
            h *= c * d
            if np.abs(c * d - 1).max() < 1e-15:
                break
        result[extreme] = -x + a * np.log(x) - special.gammaln(a) + np.log(h)
    return np.asarray(np.where(np.asarray(degrees) > 0, result, 0.0))
