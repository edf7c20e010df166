"""Blocks of rows for tests."""

from __future__ import annotations

import numpy as np

from engine.data.planes import build_planes
from engine.data.store import Block


def block_of(codes: np.ndarray, arity: np.ndarray) -> Block:
    """A block of (p, n) codes, as planes; the codes are not kept."""
    return Block(build_planes(codes, arity), arity, codes.shape[1])
