"""The words, records and tables that the reports of all methods share."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd

from engine.methods import frames
from engine.telling.tables import readable, settings_table


def test_a_record_is_plain_json() -> None:
    """No numpy scalars, no NaN or infinity, lists for tuples."""
    row = {"a": np.float64(1.5), "b": np.int64(2), "c": math.nan, "d": (1, 2), "e": math.inf, "f": np.bool_(True)}
    found = frames.record(row)
    assert json.dumps(found, allow_nan=False) == '{"a": 1.5, "b": 2, "c": null, "d": [1, 2], "e": null, "f": true}'


def test_readable_tables_and_settings() -> None:
    """Tuples become words; the settings end with what repeats an analysis."""
    assert readable(pd.DataFrame({"a": [("x", "y"), ()]}))["a"].tolist() == ["x, y", ""]
    table = settings_table({"kappa": 0.1, "none": None}, {"rows": 7}, "abc", {"numpy": "2.0"}).set_index("setting")[
        "value"
    ]
    assert table[["kappa", "none", "rows", "data fingerprint"]].tolist() == ["0.1", "", "7", "abc"]
