"""A table goes to another process and comes back the same to the last type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.data.reading import foreign
from engine.data.reading.foreign import _streamed, column_stream, frame

COLUMNS: dict[str, Any] = {
    "Int64": pd.array([1, None, -(2**63), 2**63 - 1], "Int64"),
    "Int8": pd.array([1, None, -128, 127], "Int8"),
    "float64": np.array([1.5, np.nan, -1e308, 5e-324]),
    "boolean": pd.array([True, None, False, True], "boolean"),
    "str": pd.array(["a", None, "ä\u0000", ""], "str"),
    "category": pd.Categorical(["b", None, "a", "b"], categories=pd.Index(["b", "a", "never"], dtype="str")),
    "ordered": pd.Categorical(["b", "a", "a", "b"], categories=pd.Index(["b", "a"], dtype="str"), ordered=True),
    "no_levels": pd.Categorical([None] * 4, categories=pd.Index([], dtype="str")),
    "days": pd.to_datetime(pd.Series(["2020-01-01", None, "9999-12-31", "0001-01-01"])).astype("datetime64[us]"),
    "zone": pd.Series(pd.to_datetime(["2020-01-01", None] * 2))
    .astype("datetime64[us]")
    .dt.tz_localize("Europe/Berlin"),
    "many": pd.Categorical.from_codes(np.arange(40_000), categories=pd.Index(map(str, range(40_000)), dtype="str")),
    "none": pd.array([], "Int64"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_comes_back(name: str) -> None:
    """Values, gaps, type, order of levels; and it can be written to."""
    series = pd.Series(COLUMNS[name])
    back = frame([_streamed(bytearray(column_stream(series)))], ["x"])["x"].rename(None)
    pd.testing.assert_series_equal(back, series, check_exact=True)
    if len(back):
        back.iloc[0] = back.iloc[-1]
        assert pd.isna(back.iloc[0]) or back.iloc[0] == series.iloc[-1]


def test_a_large_table_is_made_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the table that one part makes: types, names and values."""
    names = [name for name in COLUMNS if len(COLUMNS[name]) == 4]
    arrays = {name: _streamed(bytearray(column_stream(pd.Series(COLUMNS[name])))) for name in names}
    whole = frame(list(arrays.values()), names)
    monkeypatch.setattr(foreign, "_PART", 60)
    given = list(arrays.values())
    pd.testing.assert_frame_equal(frame(given, names), whole)
    assert whole.shape == (4, len(names))
    assert not given  # let go one after the other
