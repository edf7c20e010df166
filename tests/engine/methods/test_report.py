"""The words, records and tables that the reports of all methods share."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from engine.methods import report


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (2.9, "hardly any evidence either way"),
        (1 / 2.9, "hardly any evidence either way"),
        (3.1, "positive evidence for it"),
        (1 / 19, "positive evidence against it"),
        (21, "strong evidence for it"),
        (1 / 151, "very strong evidence against it"),
    ],
)
def test_strength_in_the_bands_of_kass_and_raftery(factor: float, words: str) -> None:
    """Factors of 3, 20 and 150, on either side."""
    assert report.strength(math.log(factor), "it") == words


def test_a_chance_is_never_certain() -> None:
    """Next to 0 and 1 words take over."""
    assert [report.chance(p) for p in (0.0, 0.0009, 0.25, 0.9991, 1.0)] == [
        "below 0.001",
        "below 0.001",
        "0.250",
        "above 0.999",
        "above 0.999",
    ]


def test_a_record_is_plain_json() -> None:
    """No numpy scalars, no NaN or infinity, lists for tuples."""
    row = {"a": np.float64(1.5), "b": np.int64(2), "c": math.nan, "d": (1, 2), "e": math.inf, "f": np.bool_(True)}
    found = report.record(row)
    assert json.dumps(found, allow_nan=False) == '{"a": 1.5, "b": 2, "c": null, "d": [1, 2], "e": null, "f": true}'


def test_readable_tables_and_settings() -> None:
    """Tuples become words; the settings end with what repeats an analysis."""
    assert report.readable(pd.DataFrame({"a": [("x", "y"), ()]}))["a"].tolist() == ["x, y", ""]
    table = report.settings_table({"kappa": 0.1, "none": None}, {"rows": 7}, "abc").set_index("setting")["value"]
    assert table[["kappa", "none", "rows", "data fingerprint"]].tolist() == ["0.1", "", "7", "abc"]
