"""The study of Luo, Moffa & Kuipers (2021), very small: tables, readings, claims against hand-made rows, commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.papers.__main__ import main
from benchmarks.papers.blocks import SECONDS
from benchmarks.papers.ordinal.plan import (
    BGE,
    DRAWN,
    GAPS,
    GPC,
    NPC,
    OPC,
    OSEM,
    PUBLISHED,
)
from benchmarks.papers.ordinal.study import OrdinalStudy
from benchmarks.papers.results import read_results
from tests.benchmarks.papers.test_ordinal import cheap, folder

__all__ = ["cheap", "folder"]


@pytest.fixture(scope="module")
def study(cheap: None, folder: Path) -> OrdinalStudy:
    """Two networks of twelve variables, and two splits of a table, on cheap grids."""
    return OrdinalStudy.run(2, 1, (12,), (100, 500), (3,), splits=2, folder=folder)


def test_runs_do_not_depend_on_what_else_is_run(study: OrdinalStudy) -> None:
    """A smaller plan has the same figures for what both have."""
    alone = OrdinalStudy.run(1, 1, (12,), (100,), (3,)).rows
    both = alone.merge(study.rows, on=[*study.keys, "run"], suffixes=("", " there"))
    assert len(both) == len(alone)
    for one in ("TPR", "FPRp", "SHD", "true links"):
        assert (both[one] == both[f"{one} there"]).all()
    assert SECONDS in alone


def test_every_cell_has_its_runs_and_figures(study: OrdinalStudy) -> None:
    """Tables, cells beside anchors, and verdicts that say the same as the claims."""
    rows = study.rows
    assert not rows.duplicated([*study.keys, "run"]).any()
    assert rows.groupby("data")["run"].nunique().to_dict() == {DRAWN: 2, GAPS: 2, "cmc": 2}
    assert set(rows.loc[rows["data"] == "cmc", "rows"]) == {60, 30}
    assert len(rows[rows["data"] == DRAWN]) == (2 + 1) * 10 and len(rows[rows["data"] == GAPS]) == 2
    assert set(study.seconds) == {"structure", "prediction"}
    means = study.runs().groupby([*study.keys, "quantity"])["value"].mean()
    cells = study.compared().set_index([*study.keys, "quantity"])["ours"]
    assert len(means) == len(cells) and (means.sort_index() - cells.sort_index()).abs().max() < 1e-9
    anchored = study.compared().dropna(subset="printed")
    assert set(anchored["approach"]) == {OSEM, PUBLISHED, BGE, GPC, OPC, NPC} and set(anchored["rows"]) == {500}
    at = anchored.set_index(["approach", "setting", "quantity"])["printed"]
    assert at[OSEM, 3.0, "SHD"] == at[PUBLISHED, 3.0, "SHD"] == 5.5
    tables = study.tables()
    assert len(study.verdicts()) == len(tables["Claims and bars"]) > 10
    assert tables["Patterns at the best setting"].shape == (3, 9)
    assert tables["Log loss of rows held out, nats a row"].index.tolist() == ["cmc, 60 rows", "cmc, 30 rows"]
    assert (tables["Skeletons at the same settings"][OSEM] != "").all()
    assert "2 networks of every cell with 500 rows and 3 levels, 1 of the others" in study.markdown()
    assert "2 splits of each of 1 table" in OrdinalStudy.done(vars(study.plan))


def test_the_command_writes_a_folder(
    tmp_path: Path, folder: Path, cheap: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is read back, and says with what it was made; the folder of data is not spelled out."""
    monkeypatch.setattr(OrdinalStudy, "quick", {"repeats": 1, "others": 1, "sizes": (12,), "rows": (100,), "splits": 1})
    out = tmp_path / "out"
    assert main(["ordinal", "--data", str(folder), "--out", str(out)]) == 0
    assert "Claims and bars" in capsys.readouterr().out
    run = read_results("ordinal", out)
    assert run.command == "python -m benchmarks.papers ordinal --quick --seed 0 --data FOLDER --out FOLDER"
    assert run.plan["data"] == ["cmc"] and run.done.startswith("Here: 1 network of every cell")
    assert str(tmp_path) not in run.page + run.command
