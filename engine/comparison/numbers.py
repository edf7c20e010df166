"""Links of numbers: read as they stand, and compared by correlations and differences of means of normal scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from engine.comparison.estimates import UNKNOWN, USED, Estimates, GroupRows
from engine.data.dataset import Dataset
from engine.data.rows.recording import recording_sentence, recording_steps, rounded
from engine.models.latent_normal import standard_scores
from engine.models.normal_scores import (
    Scores,
    mean_difference,
    partial_correlation,
    scores_of_level,
    scores_of_number,
    scores_of_rating,
)
from engine.models.partial_correlations import boxes_of, influences
from engine.text import Name, told
from engine.words import short

FEWEST = 3
"""Distinct values of a number, from which it is more than levels."""
LEAST_LEVELS = 3
"""Levels of an ordered variable, from which it has a latent value; of fewer means are compared."""


def read_numbers(
    parts: Sequence[Dataset], names: Sequence[str], labels: Sequence[str]
) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
    """The numbers of all groups' rows, rounded to the coarsest group's step, and a sentence for each that was."""
    result, notes = {}, []
    for name in names:
        if not all(part.kinds[name] == "continuous" and name in part.numbers for part in parts):
            continue
        columns = [part.numbers[name].column for part in parts]
        if any(len(np.unique(column[~np.isnan(column)])) < FEWEST for column in columns):
            continue
        recording = recording_steps(columns)
        if recording.differed:
            columns = [rounded(column, recording.step) for column in columns]
            said = recording_sentence(recording, labels, parts[0].units.get(name, ""))
            notes.append(told("{}: {}", Name(short(name, 60)), said))
        result[name] = np.concatenate(columns)
    return result, tuple(notes)


def number_pairs(
    sides: Sequence[Sequence[tuple[int, int]]], scored: Sequence[bool], numbers: Mapping[int, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The contrasts of pairs with a number: (q, 2) variables, (q, 2, 2) levels set against each other, (q,) of scores.

    Parameters
    ----------
    sides : what is asked of the levels of each variable
    scored : whether each variable is a number, or has three levels in order
    numbers : by their places
    """
    pairs, levels, by_scores = [], [], []
    for u, v in combinations(range(len(sides)), 2):
        if u in numbers or v in numbers:
            both = scored[u] and scored[v]
            for side in [(-1, -1)] if both else sides[v if u in numbers else u]:
                pairs.append((u, v))
                levels.append([(-1, -1), side] if u in numbers else [side, (-1, -1)])
                by_scores.append(both)
    return np.array(pairs).reshape(-1, 2), np.array(levels).reshape(-1, 2, 2), np.array(by_scores, dtype=bool)


def estimate_number_links(
    rows: GroupRows, scored: Sequence[bool], asked: tuple[np.ndarray, np.ndarray, np.ndarray], given: np.ndarray,
    absent: Sequence[int],
) -> Estimates:  # fmt: skip
    """Fisher's z of correlations, and differences of means in SD, of one group given what separates each pair.

    Parameters
    ----------
    rows : of the group
    scored : as of `number_pairs`
    asked : of `number_pairs`
    given : (q, p) flags of what is held
    absent : code of each variable that means missing, -1 where none does
    """
    scores = [_scores(rows, place, scored[place], absent[place]) for place in range(len(scored))]
    values, influence = np.zeros(len(given)), np.zeros((len(given), rows.n_rows))
    for q, ((u, v), sides, by_scores, held) in enumerate(zip(*asked, given, strict=True)):
        others = [column for place in np.flatnonzero(held) for column in scores[place]]
        if by_scores:
            r, own = partial_correlation(scores[u][0], scores[v][0], others)
            values[q], influence[q] = np.arctanh(r), own / (1 - r**2)
        else:
            number, level = (u, 1) if u in rows.numbers else (v, 0)
            low, high = sides[level]
            against = (int(low), int(high)) if low >= 0 else (0, 1)
            values[q], influence[q] = mean_difference(scores[number][0], rows.codes[v if level else u], against, others)
        if not influence[q].any():
            influence[q] = np.sqrt(UNKNOWN / rows.n_rows)
    return Estimates.of(values, rows.by_unit(influence), rows, USED)


def _scores(rows: GroupRows, place: int, scored: bool, absent: int) -> list[Scores]:
    """The columns of a variable: its scores, or its levels but the first."""
    codes = rows.codes[place].astype(np.int64)
    if place in rows.numbers:
        return [scores_of_number(rows.numbers[place])]
    if scored:
        codes = np.where(codes == absent, -1, codes - (codes > absent)) if absent >= 0 else codes
        return [scores_of_rating(codes, int(rows.levels[place]) - (absent >= 0))]
    there = np.unique(codes)
    return [scores_of_level(codes, level, np.ones(len(codes), dtype=bool)) for level in there[1:]]


# -- partial correlations of latent values, given all others ----------------------------------------------------------


def estimate_partial_correlations(rows: GroupRows) -> Estimates:
    """Fisher's z of the partial correlation of every pair of one group.

    Two-step polychoric correlations of ratings; a number is its own latent value, by its normal score.
    """
    numbers = {place: standard_scores(values) for place, values in rows.numbers.items()}
    boxes, unit = boxes_of(rows.codes, rows.levels, numbers), np.searchsorted(rows.units, rows.unit)
    estimates, influence, _ = influences(boxes, unit, len(rows.units))
    return Estimates.of(estimates.z, influence, rows, len(rows.levels) + 1)
