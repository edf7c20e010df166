"""A patient's numbers: percentiles among all rows and given all else, and the outcome by logistic regression."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.data.dataset import Dataset
from engine.data.item_scales import added_up, items_alike, level_steps, lowest_code
from engine.data.table_rows import far_out, number_values
from engine.measures.multiple import holm
from engine.methods.fitting import check_that
from engine.methods.instance_specific.unusual import UNUSUAL, level_shares
from engine.methods.storing import storable
from engine.models.conditional_percentiles import ConditionalPercentiles
from engine.scores.instance import UNKNOWN

OUTER = 0.15
"""Share of rows as high or higher, as low or lower, up to which a value is among the outer ones."""
MOST_REGRESSED = 20_000
"""Rows that a regression is fitted to, evenly spaced."""


@storable
@dataclass(frozen=True)
class PatientNumber:
    """A number of the patient's.

    Attributes
    ----------
    name, value, unit : of it, the unit "" where none is known
    rows : that have a number
    overall : share of them below it, half of those at it included
    given : the same of rows with all of the patient's other values; NaN where that is not known
    p_overall, p_given : how often so far out on either side, corrected for all numbers, both ways (Holm)
    as_far : rows whose number is as far out on its side, where it is (`engine.data.table_rows.far_out`), else 0
    ties : rows with this very number
    """

    name: str
    value: float
    unit: str
    rows: int
    overall: float
    given: float
    p_overall: float
    p_given: float
    as_far: int
    ties: int = 0

    @property
    def beyond(self) -> float:
        """Share of rows that it is higher than; where it lies in the lower half, lower than."""
        return max(self.overall, 1 - self.overall) - self.ties / (2 * self.rows)

    @property
    def tail_given(self) -> float:
        """Two-sided tail probability of the number, given the patient's other values; NaN where not known."""
        return _tail(self.given, self.rows)

    @property
    def far(self) -> bool:
        """True where it is extreme among all rows."""
        return self.as_far > 0 or self.p_overall < UNUSUAL

    @property
    def extreme(self) -> bool:
        """True where it is extreme among all rows, or given the patient's other values."""
        return self.far or self.p_given < UNUSUAL

    def _check_read(self) -> None:
        check_that(0 <= self.overall <= 1 and not self.given < 0 and not self.given > 1, "a percentile is none")


def patient_numbers(
    data: Dataset, patient: Any, row: int | None, codes: Mapping[str, int], target: str | None
) -> tuple[PatientNumber, ...]:
    """The numbers of a patient that are known, the most extreme first; none where the rows are only counted.

    Parameters
    ----------
    data : the table
    patient, row : the patient as `run` takes one, and its row if it is one
    codes : name -> code of the patient's level, `UNKNOWN` where it is not known
    target : a variable that counts as unknown
    """
    if not data.in_memory or not data.numbers:
        return ()
    values = {name: x for name, x in number_values(data, patient, row).items() if name != target}
    lacking = {name: data.levels[name].index(level) for name in data.names if (level := data.missing_level(name))}
    known = {name: k for name, k in codes.items() if k != UNKNOWN and k != lacking.get(name) and name != target}
    found = ConditionalPercentiles.of(data).percentiles(values, known)
    sizes = {name: int((~np.isnan(data.numbers[name].column)).sum()) for name in found}
    tails = [
        _tail(share, sizes[name])
        for name, place in found.items()
        for share in (place.overall, 0.5 if math.isnan(place.given) else place.given)
    ]
    corrected = iter(holm(np.array(tails)).tolist())
    result = [
        PatientNumber(
            name, place.value, data.units.get(name, ""), sizes[name], place.overall, place.given, next(corrected),
            next(corrected), far_out(data.numbers[name].column, place.value),
            int((data.numbers[name].column == place.value).sum()),
        )
        for name, place in found.items()
    ]  # fmt: skip
    return tuple(
        sorted(result, key=lambda number: (not number.extreme, min(number.p_overall, number.p_given), number.name))
    )


def outer_values(
    data: Dataset, numbers: Sequence[PatientNumber], codes: Mapping[str, int]
) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """A patient's numbers and ordered levels among the highest of all, among the lowest, and how many there are.

    Parameters
    ----------
    data : the table
    numbers : of the patient
    codes : name -> code of the patient's level, `UNKNOWN` where it is not known
    """
    sides = {
        number.name: (1 - number.overall + tied, number.overall + tied)  # as high or higher, as low or lower
        for number in numbers
        for tied in [number.ties / (2 * number.rows)]
    }
    for name, code in codes.items():
        lacking = data.missing_level(name)
        kept = [k for k, level in enumerate(data.levels[name]) if level != lacking]
        if data.kinds[name] == "ordinal" and code in kept:
            shares, place = level_shares(data, name)[kept], kept.index(code)
            whole = float(shares.sum())
            sides[name] = float(shares[place:].sum()) / whole, float(shares[: place + 1].sum()) / whole
    high, low = (tuple(name for name, side in sides.items() if side[end] <= OUTER) for end in (0, 1))
    return high, low, len(sides)


@storable
@dataclass(frozen=True)
class PatientScale:
    """A patient's score over items that share their levels and go together.

    Attributes
    ----------
    items : that are added up;  against : those left out, since they go against the rest
    ends : the numbers of the lowest and the highest level
    total : sum of the numbers of the patient's levels
    rows : with all items;  lower, higher : those with a lower total, and with a higher
    """

    items: tuple[str, ...]
    against: tuple[str, ...]
    ends: tuple[int, int]
    total: float
    rows: int
    lower: int
    higher: int

    def _check_read(self) -> None:
        check_that(len(self.items) > 0 and self.rows > 0, "a score has no items")


def patient_scales(data: Dataset, codes: Mapping[str, int]) -> tuple[PatientScale, ...]:
    """The patient's score on every scale of which all items are known.

    Parameters
    ----------
    data : the table
    codes : name -> code of the patient's level, `UNKNOWN` where it is not known
    """
    if not data.in_memory:
        return ()
    levels = {
        name: tuple(level for level in data.levels[name] if level != data.missing_level(name))
        for name in data.names
        if data.kinds[name] == "ordinal" and name not in data.numbers
    }
    scales = []
    for items in items_alike({name: own for name, own in levels.items() if len(own) > 2}):
        steps = level_steps(levels[items[0]], lowest_code(data, items[0], levels[items[0]]))
        numbers = dict(zip(levels[items[0]], steps.tolist(), strict=True))
        by_code = [np.array([numbers.get(level, np.nan) for level in data.levels[name]]) for name in items]
        scores = np.array([own[data.column(name)] for own, name in zip(by_code, items, strict=True)])
        if (kept := added_up(scores)) is None:
            continue
        some = [place for place in range(len(items)) if kept[place]]
        own_codes = [codes.get(items[place], UNKNOWN) for place in some]
        totals = scores[some].sum(axis=0)
        totals = totals[np.isfinite(totals)]
        own = sum(float(by_code[place][code]) for place, code in zip(some, own_codes, strict=True) if code != UNKNOWN)
        if UNKNOWN in own_codes or math.isnan(own):
            continue
        against = tuple(name for name, is_kept in zip(items, kept, strict=True) if not is_kept)
        ends = int(steps[0]), int(steps[-1])
        lower, higher = int((totals < own).sum()), int((totals > own).sum())
        names = tuple(items[place] for place in some)
        scales.append(PatientScale(names, against, ends, own, len(totals), lower, higher))
    return tuple(scales)


def _tail(share: float, rows: int) -> float:
    """Twice the smaller side of a percentile, never less than one of so many rows and one more."""
    return min(2 * max(min(share, 1 - share), 0.5 / (rows + 1)), 1.0)


def regressed(
    data: Dataset, target: str, own: np.ndarray, codes: Mapping[str, int], numbers: Mapping[str, float]
) -> np.ndarray | None:
    """(r,) probabilities of the target's levels by logistic regression on numbers and levels (scikit-learn's penalty).

    Parameters
    ----------
    data : the table
    target : what is predicted
    own : rows that are left out, the patient's own
    codes, numbers : what is known of the patient

    Returns
    -------
    None where the rows have one level of the target
    """
    from sklearn.linear_model import LogisticRegression

    rows = np.setdiff1d(np.arange(data.n_rows), own)
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), MOST_REGRESSED)).round().astype(np.int64))]
    outcome = data.column(target)[rows]
    columns, patient = [np.zeros(len(rows))], [0.0]
    for name in (name for name in data.names if name != target and codes.get(name, UNKNOWN) != UNKNOWN):
        if name in numbers:
            column = data.numbers[name].column[rows]
            centre, spread = np.nanmean(column), np.nanstd(column) or 1.0
            columns.append(np.nan_to_num((column - centre) / spread))
            patient.append((numbers[name] - centre) / spread)
        else:
            flags = np.arange(1, len(data.levels[name]))[:, None] == data.column(name)[rows]
            columns += [*flags.astype(float)]
            patient += [float(code == codes[name]) for code in range(1, len(data.levels[name]))]
    if len(np.unique(outcome)) < 2:
        return None
    model = LogisticRegression(max_iter=1000).fit(np.stack(columns, axis=1), outcome)
    result = np.zeros(len(data.levels[target]))
    result[model.classes_] = model.predict_proba(np.array([patient]))[0]
    return result
