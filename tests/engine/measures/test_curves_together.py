"""Rates of items that belong together: the design effect by loops, Jeffreys' ends from the distribution itself."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

from engine.measures.curves import rates_together


def test_rates_of_items_that_belong_together_have_jeffreys_interval_of_their_effective_number() -> None:
    """Twelve clusters of unlike sizes: variance of a ratio by Taylor's series, cluster by cluster."""
    rng = np.random.default_rng(3)
    cluster = np.repeat(np.arange(12), rng.integers(2, 9, size=12))
    own = rng.normal(size=12)[cluster]
    truth, called = own + rng.normal(size=len(own)) > 0.3, own + rng.normal(size=len(own)) > 0.2
    among = {"Sensitivity": truth, "specificity": ~truth, "PPV": called, "NPV": ~called}
    hits = {"Sensitivity": called, "specificity": ~called, "PPV": truth, "NPV": ~truth}
    narrower = 0
    for rate in rates_together(called, truth, cluster.tolist()):
        part, hit = among[rate.name], hits[rate.name]
        n, k = int(part.sum()), int((part & hit).sum())
        assert (rate.of, rate.hits) == (n, k)
        p = k / n
        off = [
            sum(float(h) - p for h, c in zip(hit[part], cluster[part], strict=True) if c == one) for one in range(12)
        ]
        effective = min(n, p * (1 - p) * n**2 / sum(x**2 for x in off))
        narrower += effective < n
        ends = beta.ppf([0.025, 0.975], p * effective + 0.5, (1 - p) * effective + 0.5)
        assert (rate.low, rate.high) == pytest.approx(tuple(100 * ends))
    assert narrower >= 2
