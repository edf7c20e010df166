"""A table of any size has the manners of a pandas table; names of levels."""

from __future__ import annotations

import numpy as np
import pytest

from engine.data.coded_table import level_names
from engine.data.dataset import Dataset
from engine.errors import DataError


def test_len_brackets_and_in() -> None:
    """As of a pandas table."""
    data = Dataset.from_codes(np.array([[0, 1, 1], [0, 0, 1]]), {"a": ["x", "y"], "b": 2}, ["a", "b"])
    assert (len(data), data.shape, list(data)) == (3, (3, 2), ["a", "b"])
    assert "a" in data and "c" not in data
    assert data["a"].tolist() == ["x", "y", "y"] and data.head(1).to_dict("records") == [{"a": "x", "b": "0"}]


def test_level_names_are_given_or_counted() -> None:
    """A number stands for "0", "1", ...; no name comes twice."""
    assert level_names("a", 3) == ("0", "1", "2") == level_names("a", np.int64(3))  # type: ignore[arg-type]
    assert level_names("a", ["x", 2]) == ("x", "2")
    with pytest.raises(DataError, match="'a' lists the same level twice"):
        level_names("a", [1, "1"])
