"""The lessons, in the order in which a class takes them, each with what draws its exercise."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from engine.classroom.exercise import Exercise
from engine.classroom.exercises.case_mix import draw_case_mix
from engine.classroom.exercises.causes import draw_adjustment, draw_bad_control, draw_missing
from engine.classroom.exercises.choosing import draw_cut_points, draw_held_out
from engine.classroom.exercises.evidence import draw_doubt, draw_false_links, draw_prior
from engine.classroom.exercises.groups import draw_context, draw_simpson
from engine.classroom.exercises.paths import draw_collider, draw_equivalence, draw_explaining_away

LESSONS: Mapping[str, Callable[[np.random.Generator], Exercise]] = {
    "simpson": draw_simpson,
    "case-mix": draw_case_mix,
    "adjustment": draw_adjustment,
    "collider": draw_collider,
    "bad-control": draw_bad_control,
    "explaining-away": draw_explaining_away,
    "equivalence": draw_equivalence,
    "missing": draw_missing,
    "doubt": draw_doubt,
    "false-links": draw_false_links,
    "prior": draw_prior,
    "context": draw_context,
    "cut-points": draw_cut_points,
    "held-out": draw_held_out,
}
"""Name in an address -> exercise; the text stands in `lessons/<name>.md`."""
