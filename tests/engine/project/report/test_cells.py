"""Numbers as people write them."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from engine.project.report.tables import NOTHING, format_interval, format_value
from engine.telling.tables import Kind


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (0.1 + 0.2, "number", "0.3"),
        (0.30000000000000004, "probability", "30\u00a0%"),
        (1234567.89, "number", "1,234,568"),
        (-0.0302, "number", "−0.0302"),
        (0.0, "number", "0"),
        (1e-9, "number", "1.0e−09"),
        (99.96, "number", "100"),
        (0.99999, "probability", ">\u00a099.9\u00a0%"),
        (1.0, "probability", ">\u00a099.9\u00a0%"),
        (0.0784, "share", "7.8\u00a0%"),
        (0.99999, "share", ">\u00a099.9\u00a0%"),
        (1.0, "share", "100\u00a0%"),
        (-0.0834, "points", "−8"),
        (-0.0001, "points", "0"),
        (3.7, "log_odds", "40 to 1 for"),
        (-22.0, "log10_odds", "10^22 to 1 against"),
        (0.001, "log_odds", "1 to 1"),
        (-644.4, "log10_p", "10^−644"),
        (-1.0, "log10_p", ".10"),
        (0.0123, "p", ".012"),
        (0.0, "p", "<\u00a0.001"),
        (1.0, "p", ">\u00a0.999"),
        (1276, "count", "1,276"),
        (np.int64(1276), "count", "1,276"),
        (np.bool_(True), "flag", "yes"),
        (False, "flag", "no"),
        (0.654, "signed", "+0.65"),
        (-0.001, "signed", "0.00"),
        (0.0049, "signed", "0.00"),
        (0.0051, "signed", "+0.01"),
        (0.0004, "points", "0"),
        (0.0736, "size", "0.07"),
        (-0.0004, "size", "0.00"),
        (-2.9, "log10_p", ".001"),
        (-3.0, "log10_p", "10^−3"),
        (2.0, "log10_odds", "100 to 1 for"),
        (7.5, "count", "7.5"),
        (0.0, "share", "0\u00a0%"),
        (0.0, "probability", "<\u00a00.1\u00a0%"),
        (999.94, "number", "1,000"),
        (12.34, "number", "12.3"),
        (1.0, "number", "1"),
        (0.0001, "number", "0.0001"),
        (True, "number", "yes"),
        (math.inf, "signed", "∞"),
        (-math.inf, "signed", "−∞"),
        (("a", "b"), "text", "a, b"),
        ("two\nlines\u202e", "text", "two lines"),
    ],
)
def test_a_value_is_written_by_its_kind(value: object, kind: Kind, text: str) -> None:
    """Three figures at most, no certainty, a true minus, words for odds."""
    assert format_value(value, kind) == text


@pytest.mark.parametrize("value", [None, "", math.nan, np.float64("nan"), pd.NA])
def test_nothing_is_a_dash(value: object) -> None:
    """What was not asked is no zero."""
    assert format_value(value, "share") == NOTHING


def test_an_interval_needs_all_its_parts() -> None:
    """Ends without a middle tell nothing, and a middle without ends stands alone."""
    assert format_interval("0.5", "0.4", "0.6") == "0.5 (0.4 to 0.6)"
    assert format_interval("0.5", NOTHING, "0.6") == "0.5"
    assert format_interval(NOTHING, "0.0", "1.0") == NOTHING


def test_a_long_text_is_shortened() -> None:
    """A cell is no page."""
    assert len(format_value("x" * 5000, "text")) == 160
