"""How wide a line is drawn that stands for a strength."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeVar

Key = TypeVar("Key")
LEAST = 0.05


def widths(strengths: Mapping[Key, float]) -> dict[Key, float]:
    """From `LEAST` to 1: by the logarithm, since bits run from one to thousands; nothing and less are thinnest."""
    sizes = {key: math.log1p(max(value, 0.0)) for key, value in strengths.items()}
    top = max(sizes.values(), default=1.0) or 1.0
    return {key: max(LEAST, size / top) ** 2 for key, size in sizes.items()}


def of_share(share: float) -> float:
    """Of a share of networks: squared, so that a link in all of them stands out from one in half."""
    return max(LEAST, share * share)


def of_correlation(size: float) -> float:
    """Of a partial correlation of either sign: by its size, and 0.6 is as wide as can be."""
    return max(LEAST, min(1.0, abs(size) / 0.6))


def certainty_of(p: float, absent: float, there: float) -> float:
    """How dark a line is that is there with probability p: full from `there` on, palest at `absent`."""
    return 1.0 if p >= there else max(0.0, 0.8 * (p - absent) / (there - absent))


def of_estimate(size: float, *, odds: bool) -> float:
    """Pixels of a partial correlation, or of a log odds ratio by Yule's coefficient, of either sign."""
    share = math.tanh(abs(size) / 4) if odds else min(abs(size), 1.0)
    return round(1.0 + 12.0 * share**1.2, 2)
