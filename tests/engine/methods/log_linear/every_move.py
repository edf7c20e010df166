"""Joint moves without the bound: every one is counted and offered."""

from __future__ import annotations

import math

import numpy as np

from engine.methods.log_linear.search import JointMoves, Search


class EveryMove(JointMoves):
    """Also those that can never pay."""

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self._lowest = -math.inf

    def _possible(self, x: np.ndarray, y: np.ndarray, z: np.ndarray, degrees: np.ndarray) -> np.ndarray:
        return np.ones(degrees.shape, dtype=bool)
