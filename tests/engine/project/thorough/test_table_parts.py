"""A table in a file: what comes back is seen as it was, column by column, and makes the same data set."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
import sample_data
from engine.data.preparing.variables import make_variable
from tests.engine.project.test_table_parts import through
from tests.hostile.make import READ

N = 60


def times(values: list[Any]) -> list[Any]:
    """Values over and over, N of them."""
    return (values * N)[:N]


OBJECTS: dict[str, list[Any]] = {
    "texts": ["a", "b", None],
    "one is true": [1, "1", True],
    "true is one": [True, 1, 0.0],
    "numbers and texts": [1.0, "a", None],
    "whole and broken": [1, 1.5, np.nan],
    "flags with gaps": [True, None, False],
    "numpy's own": [np.int64(3), np.float64(0.5), np.bool_(True)],
    "dates": [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1), None],
    "moments": [pd.Timestamp("2020-01-01"), "x", pd.NaT],
    "times": [datetime.datetime(2020, 1, 1, 5), datetime.datetime(2021, 1, 1), pd.NA],
    "decimals": [decimal.Decimal("1.20"), decimal.Decimal("2"), 1],
    "lists": [[1], [2], [3]],
    "bytes": [b"a", b"b", b"c"],
    "tuples": [(1, 2), (3, 4), (1, 2)],
    "half letters": ["\ud800x", "b", "c"],
    "huge": [10**40, 5, 10**40],
    "infinite": [np.inf, -np.inf, "x"],
    "spaces": [" a", "a ", "a"],
    "nothing": [None, None, None],
    "classes": [object, int, "text"],
}


COLUMNS: dict[str, Any] = {
    **{name: pd.Series(times(values), dtype=object) for name, values in OBJECTS.items()},
    "whole": np.arange(N) % 3,
    "whole with gaps": pd.Series(times([1, 2, None]), dtype="Int64"),
    "small with gaps": pd.Series(times([1, 2, None]), dtype="UInt8"),
    "floats with gaps": pd.Series(times([1.5, None, 2.5]), dtype="Float64"),
    "floats": times([1.5, np.nan, -0.0]),
    "flags": times([True, False, True]),
    "gappy flags": pd.Series(times([True, None, False]), dtype="boolean"),
    "categories": pd.Categorical(times(["lo", "hi", None]), categories=["lo", "mid", "hi"], ordered=True),
    "whole categories": pd.Categorical(times([3, 1, 2])),
    "float categories": pd.Categorical(times([3.5, 1, 2])),
    "flag categories": pd.Categorical(times([True, False, True])),
    "day categories": pd.Categorical(pd.to_datetime(times(["2020-01-01", "2021-01-01", "2022-01-01"]))),
    "intervals": pd.cut(pd.Series(range(N)), 3),
    "days": pd.to_datetime(times(["2020-01-01", "2021-01-01", None])),
    "zone": pd.to_datetime(times(["2020-01-01", "2021-01-01", "2022-03-01"])).tz_localize("Asia/Tokyo"),
    "spans": pd.to_timedelta(times([1, 2, 3]), unit="D"),
    "complex": np.array(times([1j, 2, 3])),
    "strings": pd.Series(times(["a", "b", None]), dtype="string"),
    "periods": pd.Series(times(pd.period_range("2020-01", periods=3, freq="M").tolist())),
    "half precision": np.array(times([1, 2, 3]), dtype="f2"),
    "other end first": np.array(times([1, 2, 3]), dtype=">i4"),
    "arrow": pd.Series(times([1, 2, None]), dtype="int64[pyarrow]"),
    "sparse": pd.arrays.SparseArray(times([0, 0, 1])),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_seen_as_it_was(name: str) -> None:
    """Sort, codes, words, numbers and order, as the preparation of a data set sees them."""
    table = pd.DataFrame({name: COLUMNS[name]})
    one, other = (make_variable(frame[name], name) for frame in (table, through(table)))
    assert (one.sort, one.words, one.ordered, one.trouble) == (other.sort, other.words, other.ordered, other.trouble)
    assert np.array_equal(one.codes, other.codes)
    nothing = np.zeros(0)
    assert np.array_equal(*(nothing if here.numbers is None else here.numbers for here in (one, other)), equal_nan=True)


@pytest.mark.parametrize("name", sample_data.CATALOG)
def test_every_sample_makes_the_same_data_set(name: str) -> None:
    """To the last bit, with the numbers behind intervals; how it was read comes along, and types stay."""
    table = sample_data.load(name)
    again = through(table)
    one, other = (engine.Dataset.from_frame(frame) for frame in (table, again))
    assert one.fingerprint == other.fingerprint
    assert one.numbers_digest == other.numbers_digest
    assert dict(again.attrs.get("reading", {})) == dict(table.attrs.get("reading", {}))
    pd.testing.assert_frame_equal(again, table.reset_index(drop=True), check_column_type=False)


@pytest.mark.parametrize("name", READ)
def test_hostile_tables_come_back_too(name: str) -> None:
    """Whatever can be read as a table can be kept."""
    table = engine.read_table(READ[name].make(), name=READ[name].safe_file)
    again = through(table)
    assert list(again.columns) == list(table.columns)
    for place in range(table.shape[1]):
        one, other = (make_variable(frame.iloc[:, place], "x") for frame in (table, again))
        assert (one.sort, one.words) == (other.sort, other.words)
        assert np.array_equal(one.codes, other.codes)
