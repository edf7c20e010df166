"""The column that says which rows belong together, read some rows at a time: every row gets a number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.shaping import shape_columns
from engine.data.preparing.variables import Variable
from engine.data.store import Store
from engine.data.stored.sources import RowSource
from engine.data.subjects import BITS, MOST_SUBJECTS, CountedSubjects
from engine.errors import InputError
from engine.lazy import pa, pc, pd
from engine.words import short

_MISSING = -1


@dataclass
class SubjectColumn:
    """Numbers the values of a column in the order of the rows that are used.

    Attributes
    ----------
    name : of the column
    source : what it is of
    recipe : whose choices say what counts as missing
    """

    name: str
    source: RowSource
    recipe: FrameChoices
    _place: dict[Any, int] = field(default_factory=dict)
    _values: list[Any] = field(default_factory=list)
    _sizes: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def bits(self, cells: pa.ChunkedArray, rows: np.ndarray) -> np.ndarray:
        """(BITS, m) the bits of the numbers of those rows that are flagged."""
        numbers = self._numbers(cells.filter(pa.array(rows)))
        return (numbers[None] >> np.arange(BITS)[:, None] & 1).astype(np.uint8)

    def _numbers(self, cells: pa.ChunkedArray) -> np.ndarray:
        """(m,) numbers; a value seen for the first time gets the next one, and so does every row without one."""
        dictionary = cells.type if pa.types.is_dictionary(cells.type) else None
        plain = cells.cast(dictionary.value_type) if dictionary is not None else cells
        packed = plain.combine_chunks().dictionary_encode()
        packed = packed.combine_chunks() if isinstance(packed, pa.ChunkedArray) else packed
        values = packed.dictionary.to_pylist()
        known = np.array([self._place.get(value, len(self._values)) for value in values], dtype=np.int64)
        new = np.flatnonzero(known == len(self._values))
        if len(new):
            lacking = new[self._variable(packed.dictionary.take(pa.array(new))).codes == _MISSING]
            known[lacking] = _MISSING
            new = np.setdiff1d(new, lacking)
        place = pc.fill_null(packed.indices, len(values)).to_numpy(zero_copy_only=False).astype(np.int64)
        alone = np.append(known, _MISSING)[place] == _MISSING
        first = np.full(len(values) + 1, len(place), dtype=np.int64)
        first[place[::-1]] = np.arange(len(place))[::-1]
        events = np.sort(np.concatenate([first[new], np.flatnonzero(alone)]))  # rows that get a number of their own
        begin = len(self._values)
        if begin + len(events) > MOST_SUBJECTS:
            raise InputError(
                f"'{short(self.name, 60)}' has more than {MOST_SUBJECTS:,} values, each row without one counted, and "
                "rows that are only counted may have no more. Read the table into memory, or make the recipe without "
                "this role.",
                column=self.name,
            )
        known[new] = begin + np.searchsorted(events, first[new])
        result = np.append(known, _MISSING)[place]
        result[alone] = begin + np.searchsorted(events, np.flatnonzero(alone))
        self._values += [None] * len(events)
        for k in new.tolist():
            self._place[values[k]] = int(known[k])
            self._values[int(known[k])] = values[k]
        self._sizes = np.append(self._sizes, np.zeros(len(events), dtype=np.int64))
        self._sizes += np.bincount(result, minlength=len(self._sizes))
        return result

    def _variable(self, values: pa.Array) -> Variable:
        """Different values as a table in memory would have them."""
        frame = pd.DataFrame({self.name: self.source.series(values)})
        return shape_columns(frame, self.recipe, [self.name])[self.name]

    def subjects(self, store: Store, names: tuple[str, ...]) -> CountedSubjects:
        """The subjects of all rows: values that a table in memory takes for the same one are one."""
        named = [place for place, value in enumerate(self._values) if value is not None]
        number = np.arange(len(self._values))
        texts: list[str | None] = [None] * len(self._values)
        if named:
            variable = self._variable(pa.array([self._values[place] for place in named]))
            levels = variable.level_names()
            first: dict[int, int] = {}
            for place, code in zip(named, variable.codes.tolist(), strict=True):
                if code != _MISSING:
                    number[place] = first.setdefault(code, place)
                    texts[place] = levels[code]
        kept, number = np.unique(number, return_inverse=True)
        sizes = np.bincount(number, self._sizes, minlength=len(kept)).astype(np.int64)
        return CountedSubjects(store, names, number.astype(np.int64), tuple(texts[k] for k in kept.tolist()), sizes)
