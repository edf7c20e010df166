"""The lessons, in the order in which a class takes them, each with what draws its exercise."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from engine.classroom.exercise import Exercise
from engine.classroom.exercises.groups import draw_simpson
from engine.classroom.exercises.paths import draw_collider

LESSONS: Mapping[str, Callable[[np.random.Generator], Exercise]] = {
    "simpson": draw_simpson,
    "collider": draw_collider,
}
"""Name in an address -> exercise; the text stands in `lessons/<name>.md`."""
