"""The scales of a link: what its number is, how large a difference matters, and how it is written."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine import words
from engine.lazy import pd

ODDS, PARTIAL, CORRELATION, MEANS, MIXED = "odds", "partial", "correlation", "means", "mixed"
"""Names of the scales; the first two as `Result.link_scale` has them, the last of a table of several."""


@dataclass(frozen=True)
class Scale:
    """The number of a link: its name, how large a difference matters, and how it is written.

    Attributes
    ----------
    name : one of the names above
    number, short : what the number is called, whole and in a column
    margin : the difference within which two links are equivalent
    slab : standard deviation of differences where a link differs, of Fisher's z of a correlation
    weight : what it counts beside links of other scales, about as a correlation
    """

    name: str
    number: str
    short: str
    margin: float
    slab: float
    weight: float = 1.0

    @property
    def ratios(self) -> bool:
        """True of one that is read as a ratio."""
        return self.name == ODDS

    @property
    def correlations(self) -> bool:
        """True where estimates are Fisher's z."""
        return self.name in (PARTIAL, CORRELATION)

    def shown(self, value: np.ndarray) -> np.ndarray:
        """Estimates as they are shown: log odds ratios and SD as they are, Fisher's z as a correlation."""
        return np.tanh(value) if self.correlations else np.asarray(value)

    def text(self, value: float) -> str:
        """One estimate: '+.48', an odds ratio '4.5', a difference of means '+.30 SD'."""
        text = ratio(value) if self.ratios else words.signed(value)
        return f"{text}{words.NO_BREAK}SD" if self.name == MEANS else text

    def difference_text(self, value: float) -> str:
        """A difference of two estimates, or the ratio of two odds ratios: '× 2.5'."""
        return f"× {ratio(value)}" if self.ratios else self.text(value)

    def interval(self, value: float, low: float, high: float) -> str:
        """An estimate with its interval: '+.48 (+.38 to +.57)'."""
        return f"{self.text(value)} ({self.text(low)} to {self.text(high)})"


SCALES = {
    scale.name: scale
    for scale in (
        Scale(ODDS, "log odds ratio a step", "odds ratio", math.log(1.5), 0.7, math.sqrt(3) / (2 * math.pi)),
        Scale(PARTIAL, "partial correlation given all others", "partial correlation", 0.1, 0.2),
        Scale(CORRELATION, "correlation of normal scores", "correlation", 0.1, 0.2),
        Scale(MEANS, "difference of means in SD", "difference of means", 0.2, 0.5, 0.5),
        Scale(
            MIXED,
            "correlation, difference of means in SD, or log odds ratio a step",
            "size, as a correlation",
            0.1,
            0.2,
        ),
    )
}


def correlation_difference(
    a: np.ndarray, a_ends: np.ndarray, b: np.ndarray, b_ends: np.ndarray, between: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The difference of two correlations with its interval, from the two intervals (Zou 2007)."""
    low = (a - a_ends[0]) ** 2 + (b_ends[1] - b) ** 2 - 2 * between * (a - a_ends[0]) * (b_ends[1] - b)
    high = (a_ends[1] - a) ** 2 + (b - b_ends[0]) ** 2 - 2 * between * (a_ends[1] - a) * (b - b_ends[0])
    return a - b, a - b - np.sqrt(np.maximum(low, 0)), a - b + np.sqrt(np.maximum(high, 0))


def on_axis(rows: pd.DataFrame, scale: Scale, columns: list[str]) -> pd.DataFrame:
    """The numbers of links as they stand on one axis: of several scales about as correlations."""
    if scale.name != MIXED:
        return rows[columns]
    return rows[columns].mul(rows["scale"].map(lambda name: SCALES[name].weight), axis=0)


def ratio(log_value: float) -> str:
    """exp(log_value) with two figures: '4.5', '0.22', 'above 100', 'below 0.01'."""
    if abs(log_value) > math.log(100):
        return "above 100" if log_value > 0 else "below 0.01"
    value = math.exp(log_value)
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.95 else f"{value:.2f}"
