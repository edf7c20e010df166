"""The calibration study: its truths worked out apart, its blocks and bars, and a small part that may not get worse."""

from __future__ import annotations

from functools import partial
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
import pytest

from benchmarks.calibration.cell import Cell
from benchmarks.calibration.methods import changes, related_rows
from benchmarks.calibration.methods import group_difference as groups
from benchmarks.calibration.study import CalibrationStudy
from benchmarks.papers.results import OUTSIDE, WITHIN


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four kinds of small tables in place of all."""
    small = [
        Cell("none", partial(groups._null, 200, 5)),
        Cell("shift", partial(groups._changed, 1000, partial(changes.shifted, 10, 0.15)), share=0.5),
        Cell("chain", partial(groups._chain, 500), share=0.5),
        Cell("prior", partial(groups._of_prior, 0.5), share=0.5),
    ]
    monkeypatch.setattr(groups, "cells", lambda: small)


@pytest.mark.usefixtures("few")
def test_blocks_add_up_and_no_sentence_gets_worse() -> None:
    """Thirty tables are two blocks; equal seeds give equal rows; what is barred holds on a fixed seed."""
    study = CalibrationStudy.run(tables=30, only="group_difference", seed=1)
    rows = study.rows
    assert list(rows.loc[rows["quantity"] == groups.FALSE, "of"]) == [25, 5]
    assert list(rows.loc[rows["quantity"] == groups.FOUND.format(1000), "of"]) == [15]
    some = CalibrationStudy.run(tables=5, only="group_difference", seed=1).rows
    assert some["of"].sum() < rows["of"].sum()
    alone = groups._null(200, 5, np.random.default_rng([1, crc32(b"group_difference: none"), 27]))
    assert alone == groups._null(200, 5, np.random.default_rng([1, crc32(b"group_difference: none"), 27]))
    held = study.verdicts()
    assert set(held["verdict"]) <= {WITHIN, OUTSIDE}
    assert len(held) == len(study.tables()["Held to a bar"])
    total = rows.groupby("quantity")[["hits", "of"]].sum()
    share = total["hits"] / total["of"]
    assert share[groups.FALSE] <= 0.02 and share[groups.CALLED_FALSELY] <= 0.07
    assert share[groups.FOUND.format(1000)] >= 0.9 and share[groups.OTHERS.format(1000)] <= 0.1
    assert share[groups.HEAD] == 1 and share[groups.FOLLOWERS] <= 0.04
    assert 0.9 <= share[groups.COVERED] <= 1.0
    assert share[groups.DIFFERS_IN.format(0.0, 0.1)] < 0.1 and share[groups.DIFFERS_IN.format(0.9, 1.0)] > 0.8
    assert total.at[groups.LINKED_IN.format(0.9, 1.0), "of"] > 100
    assert share[groups.LINKED_IN.format(0.0, 0.1)] < 0.1 and share[groups.LINKED_IN.format(0.9, 1.0)] > 0.9
    assert study.compared()["ours"].between(0, 1).all()
    assert set(study.runs().columns) == {"method", "cell", "quantity", "run", "value"}


@pytest.mark.usefixtures("few")
def test_a_false_sentence_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every variable is said to differ, the study's own bars are missed: it is no rubber stamp."""
    compared = groups._compared

    def careless(*given: Any) -> Any:
        result = compared(*given)
        table = result.variables().assign(verdict="differs", probability=0.97)
        return Careless(result, table)

    monkeypatch.setattr(groups, "_compared", careless)
    broken = CalibrationStudy.run(tables=50, only="group_difference")
    outside = broken.verdicts().query("verdict == @OUTSIDE")["what"]
    for quantity in (groups.FALSE, groups.CALLED_FALSELY, groups.OTHERS.format(1000), groups.FOLLOWERS):
        assert outside.str.startswith(quantity).any()
    assert outside.str.startswith(groups.DIFFERS_IN.format(0.9, 1.0)).any()


class Careless:
    """A result that says of every variable that it differs."""

    def __init__(self, result: Any, table: pd.DataFrame) -> None:
        self.result, self.table = result, table

    def variables(self) -> pd.DataFrame:
        return self.table

    def __getattr__(self, name: str) -> Any:
        return getattr(self.result, name)


def test_related_rows_are_no_difference_on_a_fixed_seed() -> None:
    """Ten tables of each of six kinds: hardly any called with the role, most without it; clinics and gaps are seen."""
    total: dict[str, np.ndarray] = {}
    chosen = ("clinics of 100 rows, ICC", "two variables constant", "copied 1 to 6", "not said", "codes", "gaps that")
    for cell in related_rows.cells():
        if any(words in cell.name for words in chosen):
            for number in range(10):
                for quantity, counted in cell.measure(np.random.default_rng([3, number])).items():
                    total[quantity] = total.get(quantity, np.zeros(2)) + counted
    share = {quantity: hits / of for quantity, (hits, of) in total.items()}
    assert share[related_rows.CALLED] <= 0.07 and share[related_rows.IGNORED] >= 0.6
    assert share[related_rows.COVERED] >= 0.9
    assert share[related_rows.FOUND] >= 0.8 and share[related_rows.SILENT] <= 0.1 and share[related_rows.GAPS] == 1
