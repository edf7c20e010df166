"""Columns as codes: in as few bytes as hold them, and counted once."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.data.preparing.variables import days_in, layout_of, look_at, make_variable, narrow, numbers_of
from engine.data.reading.numbers import is_date

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


@pytest.mark.parametrize(
    "text",
    [
        "3. Mar. 2021", "3-Mar-21", "03MAR2021", "03mar21", "Mar 3, 2021", "March 3rd, 2021", "3 March 2021",
        "3.Mrz.2021", "03-MAR-2021 10:12", "03MAR2021:10:12:00", "2021-Mar-03", "3. Mär 2021", "3. MÄRZ 2021",
        "3 mars 2021", "3 de marzo de 2021", "3 marzo 2021", "3 maart 2021", "3 de março de 2021", "3 mrt. 2021",
    ],
)  # fmt: skip
def test_a_date_may_name_its_month(text: str) -> None:
    """In seven languages, as people, SAS and Excel write it; beside ISO dates too."""
    assert is_date(text)
    for words in ([text], ["2021-03-02", text]):
        assert layout_of(words) == "named"
        assert days_in(words, "named")[-1] == np.datetime64("2021-03-03").astype(int)


@pytest.mark.parametrize(
    "text",
    [
        "3 mango 2021", "12 weeks 2021", "10 Main 20", "Marlene 3, 2021", "3DEC10", "SEP2", "MARCH1", "1-Mar", "May 12",
        "Dec", "3 Marble 2021", "mayor 3, 2021", "٣ Mar 2021", "2021-13", "2021-1", "13/2021", "Mar 21", "03/21",
    ],
)  # fmt: skip
def test_words_that_begin_like_months_are_no_dates(text: str) -> None:
    """A gene, a street, a span of time, a month without a day or a year."""
    assert not is_date(text)


@pytest.mark.parametrize(
    "text", ["Mar 2021", "mars 2021", "März 2021", "marzo de 2021", "2021-03", "3/2021", "03.2021"]
)
def test_a_month_begins_on_its_first(text: str) -> None:
    """It is a date among values; among names of columns it is a name."""
    found = make_variable(pd.Series([text, "2021-04"] * 9), "x").as_days()
    assert found is not None and found.level_names() == ("2021-03-01", "2021-04-01")
    assert not is_date(text, months=False)


def test_a_year_of_two_digits_is_of_the_last_hundred() -> None:
    """A birth in '56 is none of 2056; whoever was born this year is a baby, with named months too."""
    year = datetime.date.today().year
    words = ["28.07.56", f"28.07.{year % 100:02d}", f"28.07.{(year + 1) % 100:02d}", "28JUL56", "28.07.1956"]
    years = days_in(words, "day").astype("datetime64[D]").astype("datetime64[Y]").astype(int) + 1970
    assert years.tolist() == [1956, year, year - 99, 1956, 1956]


def test_what_comes_first_beside_a_named_month_stays_open() -> None:
    """03/04/2021 beside 4 Jan 2021 may be March or April; a day that does not exist is none."""
    assert layout_of(["03/04/2021", "4 Jan 2021"]) == ""
    (one,) = look_at(pd.DataFrame({"x": ["31 Feb 2021", "1 Jan 2021", "2 Jan 2021"]}))
    assert one.as_days() is None
