"""What is called at a threshold of a curve: which threshold that is, and how the calls fall out."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.measures.comparing import Comparison, compare
from engine.measures.curves import Auc, Curve

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike


class Called(NamedTuple):
    """Cases and others, called or not.

    Attributes
    ----------
    found, missed : cases called, and not
    alarms, spared : others called, and not
    """

    found: int
    missed: int
    alarms: int
    spared: int

    @property
    def number(self) -> int:
        """How many are called."""
        return self.found + self.alarms


def called_at(curve: Curve, place: int) -> Called:
    """What the threshold at a place of the curve calls."""
    result, alarms = int(curve.called_cases[place]), int(curve.called_others[place])
    return Called(result, curve.cases - result, alarms, curve.others - alarms)


def size(curve: Curve) -> int:
    """Cases and others together."""
    return curve.cases + curve.others


def place_for(curve: Curve, most: int) -> int:
    """The last threshold that calls no more than so many; equal scores are called together or not at all."""
    return int(np.searchsorted(curve.called_cases + curve.called_others, most, side="right") - 1)


def place_above(curve: Curve, threshold: float) -> int:
    """The threshold that calls just the scores above this one."""
    return int(np.sum(curve.thresholds > threshold)) - 1


def points(curve: Curve) -> pd.DataFrame:
    """Every point: threshold, called, found, false_alarms, share_found, share_false_alarms, precision."""
    import pandas as pd

    return pd.DataFrame(
        {
            "threshold": curve.thresholds,
            "called": curve.called_cases + curve.called_others,
            "found": curve.called_cases,
            "false_alarms": curve.called_others,
            "share_found": curve.sensitivity,
            "share_false_alarms": curve.false_positive_rate,
            "precision": curve.precision,
        }
    )


def pairs_won(area: Auc) -> tuple[int, float]:
    """Pairs of a case and another, and in how many of them the case has the higher score (a tie counts half)."""
    pairs = area.cases * area.others
    return pairs, round(area.value * pairs * 2) / 2


def paired(
    first: ArrayLike,
    second: ArrayLike,
    truth_of_first: ArrayLike,
    truth_of_second: ArrayLike,
    clusters: Sequence[Hashable] | np.ndarray | None = None,
) -> Comparison | None:
    """The paired test of two scores; None where they are not of the same items, as far as their truth tells."""
    if not np.array_equal(np.asarray(truth_of_first), np.asarray(truth_of_second)):
        return None
    return compare(first, second, truth_of_first, clusters=clusters)
