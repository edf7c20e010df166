"""Numbers of two groups before they are compared: one recording step for both, and columns that others determine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.data.dataset import Dataset
from engine.data.memory_store import MemoryStore, locked
from engine.data.preparing.binning import interval_codes
from engine.data.preparing.variables import Numbers
from engine.data.rows.recording import recording_sentence, recording_steps, rounded
from engine.text import Name, Number, first, told
from engine.words import short

LEAST_LEFT = 1e-3
"""Share of a number's variance that the others leave it, below which they determine it."""
_NAMED = 3
_LEAST_WEIGHT = 0.01


class Recorded(NamedTuple):
    """Rows of both groups as they are compared.

    Attributes
    ----------
    data : with numbers in the step of the group that recorded more coarsely
    notes : a sentence for every number whose groups recorded otherwise
    set_aside : column that others determine -> a sentence; it is not in `data`
    """

    data: Dataset
    notes: tuple[str, ...]
    set_aside: Mapping[str, str]


def record_alike(data: Dataset, inside: np.ndarray, labels: Sequence[str]) -> Recorded:
    """Round numbers to the coarser step of the groups, and set aside copies and sums.

    Parameters
    ----------
    data : rows of both groups in memory
    inside : (n,) which are the first group's
    labels : of the groups
    """
    columns = {name: data.numbers[name].column if name in data.numbers else _ratings(data, name) for name in data.names}
    aside = determined({name: column for name, column in columns.items() if column is not None})
    if aside:
        data = data.select(name for name in data.names if name not in aside)
    codes, numbers, notes = None, dict(data.numbers), []
    for name in data.names:
        if name not in numbers or name not in data.cuts:
            continue
        column = numbers[name].column
        recording = recording_steps([column[inside], column[~inside]])
        if not recording.differed:
            continue
        column = rounded(column, recording.step)
        known = ~np.isnan(column)
        values, places = np.unique(column[known], return_inverse=True)
        all_places = np.full(len(column), len(values), dtype=np.uint32)
        all_places[known] = places
        numbers[name] = Numbers(np.append(values, np.nan), all_places)
        codes = data.codes.copy() if codes is None else codes
        codes[data.index(name), known] = interval_codes(column[known], data.cuts[name])
        sentence = recording_sentence(recording, labels, data.units.get(name, ""))
        notes.append(told("{}: {}", Name(short(name, 60)), sentence))
    if codes is not None:
        data = data._with(store=MemoryStore.of(locked(codes), data.arity), numbers=numbers)
    return Recorded(data, tuple(notes), aside)


def _ratings(data: Dataset, name: str) -> np.ndarray | None:
    """Values of each row of levels in order that are numbers; None for other variables."""
    try:
        levels = np.array(
            [np.nan if level == data.missing_level(name) else float(level) for level in data.levels[name]]
        )
    except ValueError:
        return None
    return np.asarray(levels[data.column(name)]) if len(levels) > 2 else None


def determined(columns: Mapping[str, np.ndarray]) -> dict[str, str]:
    """Numbers that a line through others determines (R^2 above .999), with a sentence each.

    Of columns that determine each other the one that varies most goes, as a total does among its items; of equal ones
    the last by name.
    """
    result: dict[str, str] = {}
    with np.errstate(invalid="ignore", over="ignore"):
        scale = {name: float(np.nanstd(column)) for name, column in columns.items() if np.isfinite(column).sum() > 2}
    names = sorted(name for name, sd in scale.items() if np.isfinite(sd) and sd > 0)
    if len(names) < 2:
        return result
    table = np.column_stack([columns[name] for name in names])
    table = table[np.isfinite(table).all(axis=1)]
    if len(table) <= len(names) + 2:
        return result
    spread = table.std(axis=0)
    kept = [i for i in range(len(names)) if spread[i] > 0]
    table = (table - table.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    while len(kept) > 1:
        among = table[:, kept].T @ table[:, kept] / len(table)
        inverse = np.linalg.pinv(among + 1e-12 * np.eye(len(kept)), hermitian=True, rcond=1e-14)
        left = 1.0 / np.maximum(np.diag(inverse), 1e-300)
        redundant = [place for place in range(len(kept)) if left[place] < LEAST_LEFT]
        if not redundant:
            return result
        gone = max(redundant, key=lambda place: (round(scale[names[kept[place]]], 12), names[kept[place]]))
        weights = -inverse[gone] / inverse[gone, gone]
        others = [names[kept[place]] for place in np.argsort(-np.abs(weights)) if place != gone]
        strong = sum(abs(weights[place]) > _LEAST_WEIGHT for place in range(len(kept)) if place != gone)
        by = first((Name(short(other, 40)) for other in others[:strong]), _NAMED)
        name = names[kept.pop(gone)]
        follows = "{} follows from {} (R² above {}), so it is not compared beside them."
        result[name] = told(follows, Name(short(name, 40)), by, Number(".999"))
    return result
