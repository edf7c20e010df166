"""Results on disk: what is not there is one sentence, what comes with the package is whole and small."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from engine.errors import DataError
from engine.evaluation.papers import (
    PROGRAM,
    RESULTS,
    SENTENCES,
    Agreement,
    agreements,
    every_paper,
    extremes,
    farthest,
    largest,
    of_cell,
    printed_share,
    read_results,
    repeats,
    scores_of,
)
from engine.measures.comparing import compare_curves
from engine.measures.curves import auc
from tests.contract.brings import OURS


def block() -> pd.DataFrame:
    """Three repeats of twelve variables; the second has no case."""
    rng = np.random.default_rng(1)
    truth = np.tile([True, False, False], 12)
    truth[12:24] = False
    return pd.DataFrame(
        {"repeat": np.repeat([0, 1, 2], 12), "truth": truth, "one": rng.normal(size=36), "two": rng.normal(size=36)}
    )


def test_a_line_a_repeat_that_has_a_curve() -> None:
    """Counted from 1; areas and p as the measures give them."""
    table = repeats(block(), ["one", "two"], "changed", "unchanged")
    assert table["repeat"].tolist() == [1, 3]
    assert table[["changed", "unchanged"]].to_numpy().tolist() == [[4, 8], [4, 8]]
    for line in table.to_dict("records"):
        here = scores_of(block(), int(line["repeat"]))
        assert set(here["repeat"]) == {line["repeat"] - 1}
        assert line["AUC, two"] == auc(here["two"], here["truth"]).value
        assert line["DeLong p"] == compare_curves(here["one"], here["two"], here["truth"]).p
    assert "DeLong p" not in repeats(block(), ["one"], "changed", "unchanged")


def test_cells_are_measured_by_their_numbers() -> None:
    """The largest size in any column, the farthest difference, the share that is printed, the range of runs."""
    nan = math.nan
    cells = pd.DataFrame(
        {"printed": [1.0, nan, -7.0, 2.0], "ours": [1.5, 3.0, nan, 1.0], "difference": [0.5, nan, nan, -1]}
    )
    assert largest(cells, ["printed", "ours"]) == 7.0
    assert largest(cells, ["difference"]) == 1.0
    assert math.isnan(largest(cells.iloc[1:2], ["difference"]))
    assert farthest(cells) == 3
    assert farthest(cells.iloc[1:3]) == 1
    assert printed_share(cells) == 0.75
    assert extremes(pd.DataFrame({"value": [3.0, -1.0, 2.0]})) == (-1.0, 3.0)


def test_lines_of_a_cell_share_its_keys_also_missing_ones() -> None:
    """Numbers by value whatever their type, texts as they are, none with none; line by line."""
    table = pd.DataFrame({"rows": [50, 50, 100, 50], "kappa": [0.1, math.nan, 0.1, 0.1], "search": list("aaab")})
    cells = table.astype(object)
    for _, cell in cells.iterrows():
        expected = [
            i
            for i, line in enumerate(table.itertuples(index=False))
            if line.rows == cell["rows"]
            and (line.kappa == cell["kappa"] or (line.kappa != line.kappa and cell["kappa"] != cell["kappa"]))
        ]
        assert list(of_cell(table, cell, ["rows", "kappa"]).index) == expected


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
