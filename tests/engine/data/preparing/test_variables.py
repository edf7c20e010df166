"""Columns as codes: in as few bytes as hold them, and counted once."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.data.preparing.variables import look_at, narrow, numbers_of

WORDS = [f"w{i:05d}" for i in range(40_000)]


@given(st.lists(st.integers(-1, 70_000), max_size=30), st.integers(0, 70_000))
def test_narrow_codes_are_the_same_codes(codes: list[int], most: int) -> None:
    """In the smallest signed type that also holds one more than the highest, which stands for no value."""
    given_codes = np.array([min(code, most) for code in codes], dtype=np.int64)
    found = narrow(given_codes, most)
    assert (found == given_codes).all()
    assert np.iinfo(found.dtype).max >= most
    smaller = {2: np.int8, 4: np.int16, 8: np.int32}.get(found.dtype.itemsize)
    assert smaller is None or np.iinfo(smaller).max < max(most, 1)


@pytest.mark.parametrize(("distinct", "kind"), [(3, np.int8), (127, np.int8), (128, np.int16), (40_000, np.int32)])
def test_a_column_takes_no_more_than_it_needs(distinct: int, kind: type) -> None:
    """Eight bytes a cell of thousands of columns would be gigabytes."""
    codes = np.arange(max(300, 2 * distinct)) % distinct
    column = pd.Categorical.from_codes(codes, WORDS[:distinct])
    (one,) = look_at(pd.DataFrame({"a": column}))
    assert one.codes.dtype == kind
    assert [one.words[code] for code in one.codes[:9]] == list(column[:9])  # type: ignore[index]


def test_what_is_counted_once_cannot_be_changed() -> None:
    """Counts are shared by all that ask for them; rows of it have counts of their own."""
    (one,) = look_at(pd.DataFrame({"a": ["x", "y", None, "x"]}))
    assert one.n_missing == 1
    assert list(one.counts()) == [2, 1]
    with pytest.raises(ValueError, match="read-only"):
        one.counts()[0] = 5
    some = one.rows(np.array([True, False, False, True]))
    assert (list(some.counts()), some.n_missing) == ([2], 0)


def test_the_numbers_behind_a_column_are_those_of_its_rows() -> None:
    """Each row has its own, and one without a number none; distinct ones rise."""
    given = [3.5, None, 1.0, 3.5, 2.0, None]
    (one,) = look_at(pd.DataFrame({"a": given}))
    found = numbers_of(one)
    assert np.array_equal(found.column, np.array(given, dtype=float), equal_nan=True)
    assert found.values[:-1].tolist() == [1.0, 2.0, 3.5]
    assert np.array_equal(found.rows(np.array([1, 2])).column, [np.nan, 1.0], equal_nan=True)


@pytest.mark.parametrize("gaps", [(), (7,), (5_000, 5_001)])
def test_many_different_numbers_have_the_codes_of_pandas(gaps: tuple[int, ...]) -> None:
    """Sorted once in place of hashed: equal numbers, the two zeros and gaps wherever they stand are as there."""
    values = np.random.default_rng(0).normal(size=6_000)
    values[5_500:5_600] = values[:100]
    values[[10, 5_700]] = 0.0, -0.0
    values[list(gaps)] = np.nan
    found = look_at(pd.DataFrame({"x": values}))[0]
    codes, distinct = pd.factorize(values + 0.0, sort=True)
    assert np.array_equal(found.codes, codes)
    assert np.array_equal(found.numbers, distinct)
    assert not np.signbit(found.numbers[found.codes[5_700]])
