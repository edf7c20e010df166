"""The study of Luo, Moffa & Kuipers (2021), very small: tables, readings, claims against hand-made rows, commands."""

from __future__ import annotations

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
from tests.benchmarks.papers.test_ordinal import cheap, folder, study

__all__ = ["cheap", "folder", "study"]


def test_every_cell_has_its_runs_and_figures(study: OrdinalStudy) -> None:
    """Tables, cells beside anchors, and verdicts that say the same as the claims."""
    rows = study.rows
    assert not rows.duplicated([*study.keys, "run"]).any()
    assert rows.groupby("data")["run"].nunique().to_dict() == {DRAWN: 2, GAPS: 2, "cmc": 2}
    assert len(rows[rows["data"] == DRAWN]) == (2 + 1) * 8 and len(rows[rows["data"] == GAPS]) == 2
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
    assert tables["Patterns at the best setting"].shape == (3, 7)
    assert tables["Log loss of rows held out, nats a row"].index.tolist() == ["cmc"]
    assert "2 networks of every cell with 500 rows and 3 levels, 1 of the others" in study.markdown()
    assert "2 splits of each of 1 table" in OrdinalStudy.done(vars(study.plan))
