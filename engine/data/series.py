"""Series: which rows follow each other, inside each subject only, and never over a hole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.data.dataset import Dataset
from engine.data.reading.naming import shown_value
from engine.errors import InputError
from engine.text import Count, People, first, told
from engine.words import short


@dataclass(frozen=True, eq=False)
class Series:
    """The series of a data set.

    Attributes
    ----------
    transitions : (m, 2) rows of the data set, a step and the one that follows it at once
    subjects : names of the subjects that have rows, in the order of their first row
    gaps : pairs of steps that are neighbours here but were not in the table (a step between them was left out)
    single : names of the subjects with one step only, which make no transition
    """

    transitions: np.ndarray
    subjects: tuple[str, ...]
    gaps: int
    single: tuple[str, ...]

    def sentences(self) -> list[str]:
        """Say how many steps follow each other, and what was passed over."""
        size = Count(len(self.transitions), "transitions", "transitions"), People(len(self.subjects))
        words: list[str] = [told("{} in the series of {} subjects.", *size)]
        if self.gaps:
            gaps = "{} inside a series: the steps on both sides are kept, but are not taken for neighbours."
            words.append(told(gaps, Count(self.gaps, "gap")))
        if self.single:
            named = first(told("'{}'", shown_value(name)) for name in self.single)
            words.append(told("Only {} is known of {}.", People(len(self.single), written="one step"), named))
        return words


def series(data: Dataset) -> Series:
    """The transitions of a data set whose roles name a subject (and a time).

    A step follows another only where it did in the table that was read: a row that was left out because a value was
    missing never joins the steps before and after it.

    Parameters
    ----------
    data : made with `roles={"patient": "subject", "visit": "time"}`; without a time the order of the rows counts

    Returns
    -------
    Series

    Raises
    ------
    DataError : no subject is named, or a step of a subject stands in two rows

    Examples
    --------
    >>> import engine, pandas
    >>> table = pandas.DataFrame({"who": [1, 1, 1, 1], "visit": [1, 2, 3, 4], "pain": ["a", None, "b", "a"]})
    >>> data = engine.Dataset.from_frame(table, roles={"who": "subject", "visit": "time"})
    >>> series(data).transitions.tolist(), series(data).gaps
    ([[1, 2]], 1)
    """
    if data.steps is None:
        raise InputError("This table has no series: say whose row each is, with roles={'column': 'subject'}.")
    subject, step = data.steps.subject, data.steps.step
    rows = np.flatnonzero(subject >= 0)
    rows = rows[np.lexsort((step[rows], subject[rows]))]
    item, next_one = rows[:-1], rows[1:]
    same = subject[item] == subject[next_one]
    ahead = (step[next_one] - step[item])[same]
    if (ahead == 0).any():
        name = data.steps.subjects[subject[item[same][ahead == 0][0]]]
        raise InputError(f"A step of subject '{short(name, 60)}' stands in two rows; take every row once.")
    pairs = np.column_stack([item[same], next_one[same]])
    present, first, counts = np.unique(subject[subject >= 0], return_index=True, return_counts=True)
    order = np.argsort(first)
    names = [data.steps.subjects[i] for i in present[order]]
    alone = tuple(name for name, count in zip(names, counts[order], strict=True) if count == 1)
    return Series(pairs[ahead == 1], tuple(names), int((ahead > 1).sum()), alone)
