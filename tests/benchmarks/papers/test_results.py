"""Results on disk: what is not there is one sentence, what comes with the package is whole and small."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from benchmarks.papers.results import (
    PROGRAM,
    RESULTS,
    SENTENCES,
    Agreement,
    agreements,
    every_paper,
    read_results,
)
from engine.errors import DataError
from engine.measures.curves import auc
from tests.contract.brings import OURS


def test_what_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    """The sentence has the command that makes it."""
    with pytest.raises(DataError, match=r"python -m benchmarks\.papers group_difference --out FOLDER"):
        read_results("group_difference", tmp_path)


@pytest.mark.parametrize("content", [b"", b"no zip", (RESULTS / "ordinal.zip").read_bytes()[:-100]])
def test_a_damaged_file_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    """One that is cut off too."""
    (tmp_path / "ordinal.zip").write_bytes(content)
    with pytest.raises(DataError, match="can't be read; make them again"):
        read_results("ordinal", tmp_path)


def test_every_method_has_a_paper_and_its_file_is_small() -> None:
    """In the order of the methods, what is about all of them last; at most 300 kB each."""
    assert every_paper() == [*OURS, "calibration"]
    assert all(file.stat().st_size <= 300_000 for file in RESULTS.iterdir())


@pytest.mark.parametrize("name", list(OURS))
def test_the_runs_of_the_package_are_whole(name: str) -> None:
    """The full size; every cell is the mean of its runs, and differences are what they are called."""
    run = read_results(name)
    assert "--full" in run.command and run.seconds > 60
    assert set(run.keys) < set(run.compared) and set(run.keys) < set(run.runs)
    means = run.runs.groupby([*run.keys, "quantity"], dropna=False)["value"].mean()
    cells = run.compared.set_index([*run.keys, "quantity"])["ours"]
    assert len(means) == len(cells)
    assert (means.sort_index() - cells.sort_index()).abs().max() < 1e-9
    apart = run.compared["ours"] - run.compared["printed"] - run.compared["difference"]
    assert apart.abs().max() < 1e-9
    assert run.compared["printed"].notna().any()
    assert set(run.verdicts["verdict"]) <= {"within", "outside", "no verdict"}
    assert {run.by, run.along} <= set(run.keys)
    assert str(Path.home()) not in run.page + run.command


def test_shipped_scores_give_the_shipped_areas() -> None:
    """Short scores keep the order within a block, but for what single precision lost before."""
    run = read_results("group_difference")
    assert run.scores is not None
    here = run.scores.query(
        "data == 'nursery' and kind == 'parametric' and draws == 3 and rows == 1000 and repeat == 0"
    )
    told = run.runs.query("data == 'nursery' and kind == 'parametric' and draws == 3 and rows == 1000")
    for score in ("odds", "lasso"):
        value = told[(told["run"] == "repeat 1") & (told["quantity"] == score)]["value"].iloc[0]
        assert auc(here[score], here["truth"]).value == pytest.approx(value, abs=1e-3)


def test_the_calibration_of_the_package_is_whole() -> None:
    """Five hundred tables of every kind; each share is of its blocks' tables; what is outside its bar is known."""
    run = read_results("calibration")
    assert "--full" in run.command and run.plan["tables"] == 500
    assert set(run.compared["method"]) == {*OURS, "related_rows", "numbers"}
    assert run.compared["ours"].between(0, 1).all()
    means = run.runs.groupby([*run.keys, "quantity"])["value"].mean()
    ours = run.compared.set_index([*run.keys, "quantity"])["ours"]
    assert set(means.index) == set(ours.index)
    outside = run.verdicts.loc[run.verdicts["verdict"] == "outside", "what"]
    assert len(run.verdicts) > 80
    assert sum("15 points between other levels in every context" in one for one in outside) == 1
    assert sum(one.startswith("another 'differs'") and "collider, its effect" in one for one in outside) == 1
    assert sum("null tables with any false link, smt; 100 rows" in one for one in outside) == 1
    assert sum("any family called; 120 rows" in one for one in outside) == 1
    assert sum("another is called beside it; 20 clinics" in one for one in outside) == 1
    assert sum("one level of four +10 points" in one or "four contexts" in one for one in outside) == 2
    assert len(outside) == 7


def test_a_sentence_that_is_read_in_several_ways_counts_once() -> None:
    """Under all, under some, under none; lines without a verdict count nowhere, sources stay apart."""
    lines = [
        ("one, first", "one", "within", SENTENCES),
        ("one, second", "one", "within", SENTENCES),
        ("two, first", "two", "within", SENTENCES),
        ("two, second", "two", "outside", SENTENCES),
        ("two, third", "two", "no verdict", SENTENCES),
        ("three", "three", "outside", SENTENCES),
        ("four", "four", "no verdict", SENTENCES),
        ("five", "five", "within", PROGRAM),
    ]
    table = pd.DataFrame(lines, columns=["what", "sentence", "verdict", "held to"])
    assert agreements(table) == [Agreement(SENTENCES, 1, 1, 1, True), Agreement(PROGRAM, 1, 0, 0, False)]
    assert [(one.supported, one.total) for one in agreements(table)] == [(2, 3), (1, 1)]
    apart = agreements(table.drop(columns="sentence"))
    assert [(one.supported, one.total, one.readings) for one in apart] == [(3, 5, False), (1, 1, False)]
    assert agreements(table.head(0)) == []
