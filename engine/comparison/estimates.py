"""One signed number a pair of variables and group, with what every row or subject adds to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.comparison.groups import GroupRows

LEAST_VARIANCE = 1e-8


@dataclass(frozen=True, eq=False)
class Estimates:
    """The numbers of one group.

    Attributes
    ----------
    value : (q,) the estimates
    influence : (q, u) what each unit adds, times units / (units - used) in squares: a draw of the error is its product
        with u standard normals
    units : (u,) the units, numbered over all groups
    freedom : units that are left once the estimates have used theirs
    """

    value: np.ndarray
    influence: np.ndarray
    units: np.ndarray
    freedom: int

    @classmethod
    def of(cls, value: np.ndarray, influence: np.ndarray, rows: GroupRows, used: int) -> Estimates:
        """From the influences of units."""
        units = len(rows.units)
        freedom = max(units - used, 1)
        return cls(value, influence * np.sqrt(units / freedom), rows.units, freedom)

    @property
    def variance(self) -> np.ndarray:
        """(q,) of the estimates."""
        found: np.ndarray = np.maximum(np.einsum("qu,qu->q", self.influence, self.influence), LEAST_VARIANCE)
        return found
