"""The numbers behind a column that was cut into intervals, kept so that it can be cut again: by the rows of a fold."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine.data.preparing.variables import Variable

_NOTHING = np.nan


class Numbers(NamedTuple):
    """A column of numbers as its distinct values and where each row has which.

    Attributes
    ----------
    values : (d,) distinct numbers, rising, the last one NaN
    places : (n,) unsigned position among them; that of NaN where a row has no number
    """

    values: np.ndarray
    places: np.ndarray

    def rows(self, which: np.ndarray) -> Numbers:
        """The same column with these rows only."""
        return Numbers(self.values, self.places[which])

    @property
    def column(self) -> np.ndarray:
        """(n,) the number of every row, NaN where it has none."""
        return self.values[self.places]


def numbers_of(variable: Variable) -> Numbers:
    """The numbers of a column that has some; dates are days since 1970."""
    known = variable.numbers if variable.numbers is not None else np.zeros(0)
    kind = np.uint8 if len(known) < 256 else np.uint16 if len(known) < 65536 else np.uint32
    positions = np.where(variable.codes < 0, len(known), variable.codes).astype(kind)
    return Numbers(np.append(known, _NOTHING), positions)


def digest(numbers: Mapping[str, Numbers]) -> str:
    """Hexadecimal digest of all numbers; empty where there are none."""
    result = hashlib.sha256()
    for name in sorted(numbers):
        for part in (name.encode(), numbers[name].values, numbers[name].places):  # no column of numbers is made for it
            result.update(np.ascontiguousarray(part).data if isinstance(part, np.ndarray) else part)
    return result.hexdigest() if numbers else ""
