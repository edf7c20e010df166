"""The study of Petitjean et al. (2014), very small: measures against a slow version, claims, and the command line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks.papers.blocks import SECONDS, Running
from benchmarks.papers.log_linear.plan import SMALL_SIZES
from benchmarks.papers.log_linear.study import LogLinearStudy
from tests.benchmarks.papers.test_log_linear import SMALL, study

__all__ = ["study"]


def test_every_method_is_measured_on_every_size(study: LogLinearStudy) -> None:
    """One row each; counts that agree with each other."""
    rows = study.rows
    assert len(rows) == 3 * (3 + 2 + 2)
    assert not rows.duplicated(["data", "levels", "set", "rows", "method"]).any()
    assert (rows["true"] == rows["data"].map({"D1": 0, "D2": 11, "D3": 232})).all()
    assert (rows["edges"] - rows["false"] + rows["missed"] == rows["true"]).all()
    some = rows[rows["edges"] > 0]
    assert np.allclose(some["fdr"], some["false"] / some["edges"])
    there = rows[rows["true"] > 0]
    recall = 1 - there["missed"] / there["true"]
    precision = 1 - there["fdr"]
    assert np.allclose(there["recall"], recall)
    found = there[there["edges"] > 0]
    assert np.allclose(found["f"], (2 * precision * recall / (precision + recall))[found.index])
    assert rows[rows["true"] == 0]["recall"].isna().all()


def test_equal_seeds_equal_edges_on_any_number_of_workers(
    study: LogLinearStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs with one seed are alike but for the seconds; another seed gives other tables."""
    monkeypatch.setitem(SMALL_SIZES, "D1", (10, 100, 1_000))
    monkeypatch.setitem(SMALL_SIZES, "D2", (1_000, 30_000))
    again = LogLinearStudy.run(**SMALL, running=Running(jobs=2))  # type: ignore[arg-type]
    times = ["seconds", SECONDS]
    pd.testing.assert_frame_equal(again.rows.drop(columns=times), study.rows.drop(columns=times))
    other = LogLinearStudy.run(**SMALL, seed=1)  # type: ignore[arg-type]
    assert not other.rows["edges"].equals(study.rows["edges"])
