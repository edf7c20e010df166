"""Rows of one subject are one unit: what is said of them, and which rows of a family belong together.

Counts are divided by the design effect before anything is scored (`engine.scores.divided`), the mean over pairs of
variables (`engine.counting.design_effect`): one number for the data set.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine import words
from engine.counting import configuration_codes
from engine.counting.design_effect import design_effect_of
from engine.data.rows.relations import FEWEST
from engine.methods.instance_specific.contrasts import FamilyRows, Subjects
from engine.methods.result import RunRecord
from engine.scores.instance import PopulationFamily

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


def provenance_of(data: Dataset) -> RunRecord:
    """Where an answer comes from, with what the rows of a subject are worth."""
    provenance, counted = RunRecord.of(data), data.subject_count
    if counted is None:
        return provenance
    text = words.few_subjects(data.subject_column, counted.subjects, FEWEST)
    if not counted.too_few:
        effective_rows = data.n_rows / design_effect_of(data)
        text = words.together(data.subject_column, data.n_rows, counted.subjects, effective_rows, counted.alone)
    return replace(provenance, rows=(text, *provenance.rows))


def subjects_of_family(data: Dataset, child: int, parents: tuple[int, ...]) -> Subjects | None:
    """Which rows of a family belong together."""
    if data.clusters is None:
        return None
    code, _ = configuration_codes(data, parents)
    configuration = np.unique(code, return_inverse=True)[1].astype(np.int64)
    r = int(data.arity[child])
    cell = configuration * r + data.codes_of([child])[0].astype(np.int64)
    cells = int(cell.max(initial=-1)) + 1
    keys, count = np.unique(data.clusters.astype(np.int64) * cells + cell, return_counts=True)
    return Subjects(keys // cells, keys % cells // r, keys % cells % r, count)


def without_subject(family: PopulationFamily, subjects: Subjects, number: int) -> FamilyRows:
    """A family's rows of all other subjects."""
    counts, own = family.counts.copy(), subjects.number == number
    np.subtract.at(counts, (subjects.configuration[own], subjects.level[own]), subjects.count[own])
    return FamilyRows(replace(family, counts=counts), subjects.without(number))
