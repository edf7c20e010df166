"""The two scales of a link: log odds ratios of counts, and partial correlations of ratings."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

ODDS, PARTIAL = "odds", "partial"
"""Names of the scales, as `Result.link_scale` has them."""


@dataclass(frozen=True)
class Scale:
    """What the number of a link is, how large a difference matters, and how it is written.

    Attributes
    ----------
    name : `ODDS` or `PARTIAL`
    number, short : what the number is called, whole and in a column
    margin : the difference within which two links agree
    """

    name: str
    number: str
    short: str
    margin: float

    def shown(self, value: np.ndarray) -> np.ndarray:
        """Estimates as they are shown: log odds ratios as they are, Fisher's z as a correlation."""
        return np.tanh(value) if self.name == PARTIAL else np.asarray(value)

    def difference(
        self, a: np.ndarray, a_ends: np.ndarray, b: np.ndarray, b_ends: np.ndarray, between: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The difference of two correlations with its interval, from the two intervals (Zou 2007)."""
        low = (a - a_ends[0]) ** 2 + (b_ends[1] - b) ** 2 - 2 * between * (a - a_ends[0]) * (b_ends[1] - b)
        high = (a_ends[1] - a) ** 2 + (b - b_ends[0]) ** 2 - 2 * between * (a_ends[1] - a) * (b - b_ends[0])
        return a - b, a - b - np.sqrt(np.maximum(low, 0)), a - b + np.sqrt(np.maximum(high, 0))

    def text(self, value: float) -> str:
        """One estimate: '+.48', or an odds ratio '4.5'."""
        return signed(value) if self.name == PARTIAL else ratio(value)

    def interval(self, value: float, low: float, high: float) -> str:
        """An estimate with its interval: '+.48 (+.38 to +.57)'."""
        return f"{self.text(value)} ({self.text(low)} to {self.text(high)})"

    def size(self, difference: float) -> str:
        """How large a difference is: 'a difference of .30', 'odds ratios 2.5 times apart'."""
        if self.name == PARTIAL:
            return f"a difference of {signed(abs(difference)).lstrip('+')}"
        return f"odds ratios {ratio(abs(difference))} times apart"


SCALES = {
    ODDS: Scale(ODDS, "log odds ratio a step", "odds ratio", math.log(1.5)),
    PARTIAL: Scale(PARTIAL, "partial correlation given all others", "partial correlation", 0.1),
}


def signed(value: float) -> str:
    """A correlation as one reads it: '+.48', '−.51', '0'."""
    text = f"{abs(value):.2f}"
    text = text[1:] if text.startswith("0") else text
    return "0" if text == ".00" else f"{'−' if value < 0 else '+'}{text}"


def ratio(log_value: float) -> str:
    """exp(log_value) with two figures: '4.5', '0.22', 'above 100', 'below 0.01'."""
    if abs(log_value) > math.log(100):
        return "above 100" if log_value > 0 else "below 0.01"
    value = math.exp(log_value)
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.95 else f"{value:.2f}"
