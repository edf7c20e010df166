"""Ways of links from ring to ring: straight, or drawn a little aside where they would run behind a third."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.graphs.drawing.layout import Point

_ASIDE = np.array([0.0, *(side * size for size in (20, 32, 48, 70, 100) for side in (1, -1))])
"""Pixels beside its middle towards which a line may be drawn."""
_SHARES = np.linspace(0, 1, 9)[:, None]
"""Shares of a line at which its way is measured."""


class Course(NamedTuple):
    """A curve of Bezier: from a ring's middle to another's, towards what is halfway where the line is straight."""

    start: Point
    aside: Point
    end: Point


def course(start: Point, end: Point, others: Sequence[Point], free: float) -> Course:
    """The straight way where it passes all others so far away, else one drawn aside as little as that takes.

    Parameters
    ----------
    start, end : middles of its rings
    others : middles of other rings
    free : pixels
    """
    a, b = np.array(start), np.array(end)
    across = np.array([a[1] - b[1], b[0] - a[0]]) / max(math.dist(start, end), 1e-9)
    asides = (a + b) / 2 + _ASIDE[:, None] * across
    ways = np.array([_way(a, aside, b) for aside in asides])
    passed = _distances(ways, np.array(others).reshape(-1, 2)).min(axis=1, initial=free)
    x, y = asides[int(np.argmax(passed - np.abs(_ASIDE) / 1000))]
    return Course(start, (float(x), float(y)), end)


def pieces(courses: Sequence[Course]) -> np.ndarray:
    """(courses, pieces, 4) straight pieces, x and y of both ends, by which a curve is measured.

    Parameters
    ----------
    courses : the curves
    """
    ways = np.array([_way(*map(np.array, one)) for one in courses]).reshape(-1, len(_SHARES), 2)
    return np.concatenate([ways[:, :-1], ways[:, 1:]], axis=2)


def towards(start: Point, end: Point, pixels: float) -> Point:
    """The place so far from the start on the way to the end.

    Parameters
    ----------
    start, end : two places
    pixels : how far
    """
    share = pixels / (math.dist(start, end) or 1.0)
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _way(a: np.ndarray, aside: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(shares, 2) places on the curve."""
    return np.asarray((1 - _SHARES) ** 2 * a + 2 * _SHARES * (1 - _SHARES) * aside + _SHARES**2 * b)


def _distances(ways: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(ways, points) pixels from the nearest place of each way, (ways, shares, 2), to each point."""
    start, step = ways[:, :-1, None], (ways[:, 1:] - ways[:, :-1])[:, :, None]
    along = ((points - start) * step).sum(axis=-1) / np.maximum((step**2).sum(axis=-1), 1e-9)
    nearest = start + np.clip(along, 0, 1)[..., None] * step
    return np.asarray(np.linalg.norm(nearest - points, axis=-1).min(axis=1))
