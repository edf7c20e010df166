"""Runs on disk: what was written is read, what is not there is one sentence, what comes with the package is whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import DataError, SettingsError
from engine.evaluation import studies
from engine.evaluation.studies.calibration import related_rows
from engine.evaluation.studies.stored import SHIPPED
from engine.evaluation.trials.group_difference import GroupTrial
from engine.evaluation.trials.instance_specific import InstanceTrial
from engine.evaluation.trials.log_linear import AssociationTrial
from engine.measures.curves import auc
from engine.methods import METHODS
from tests.contract.brings import OURS


def test_what_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    """The sentence has the command that makes it; an unknown name lists the known ones."""
    with pytest.raises(DataError, match="diptych study group_difference --out FOLDER"):
        studies.stored("group_difference", tmp_path)
    with pytest.raises(SettingsError, match="'group_difference', 'instance_specific', 'log_linear'"):
        studies.stored("iris")


def test_a_folder_written_under_the_old_name_is_still_read(tmp_path: Path) -> None:
    """By either name; where both are there, the one of today."""
    for file in SHIPPED.glob("log_linear*"):
        (tmp_path / file.name.replace("log_linear", "associations")).write_bytes(file.read_bytes())
    for name in ("associations", "log_linear"):
        run = studies.stored(name, tmp_path)
        assert run.slug == "log_linear" and len(run.runs) == len(studies.stored(name).runs)
    (tmp_path / "log_linear.json").write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match="can't be read; make it again"):
        studies.stored("associations", tmp_path)


def test_a_damaged_run_is_one_sentence(tmp_path: Path) -> None:
    """A file that is no JSON, and one with other things in it."""
    for text in ("{", '{"made": "today"}'):
        for ending in (".md", "-compared.csv", "-runs.csv", "-verdicts.csv"):
            (tmp_path / f"group_difference{ending}").write_text("a\n1\n", encoding="utf-8")
        (tmp_path / "group_difference.json").write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match="can't be read; make it again"):
            studies.stored("group_difference", tmp_path)


@pytest.mark.parametrize("name", [one for one in studies.every_study() if one in METHODS])
def test_the_runs_of_the_package_are_whole(name: str) -> None:
    """The full size; every cell is the mean of its runs, and differences are what they are called."""
    run = studies.stored(name)
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
    assert str(Path.home()) not in run.page + run.command
    assert not (SHIPPED / f"{name}.csv").exists()  # the tidy table is large, and made again by the command


def test_shipped_scores_give_the_shipped_areas() -> None:
    """Single precision keeps the order within a block, but for what no curve shows."""
    run = studies.stored("group_difference")
    assert run.scores is not None
    here = run.scores.query(
        "data == 'nursery' and kind == 'parametric' and draws == 3 and rows == 1000 and repeat == 0"
    )
    told = run.runs.query("data == 'nursery' and kind == 'parametric' and draws == 3 and rows == 1000")
    for score in ("odds", "lasso"):
        value = told[(told["run"] == "repeat 1") & (told["quantity"] == score)]["value"].iloc[0]
        assert auc(here[score], here["truth"]).value == pytest.approx(value, abs=1e-3)


def test_studies_and_trials_are_called_as_their_methods() -> None:
    """One slug a method: studies come in the order of the methods, and no two share a name of before."""
    there = studies.every_study()
    assert list(there) == [*(slug for slug in METHODS if slug in there), "calibration"]
    former = [study.former for slug, study in there.items() if slug in METHODS]
    assert len({*former, *there}) == 2 * len(there) - 1
    for trial in (GroupTrial, InstanceTrial, AssociationTrial):
        assert trial.slug in METHODS


def test_the_calibration_of_the_package_is_whole() -> None:
    """Five hundred tables of every kind; each share is of its blocks' tables; what is outside its bar is known."""
    run = studies.stored("calibration")
    assert "--full" in run.command and run.plan["tables"] == 500
    assert set(run.compared["method"]) == {*OURS, related_rows.SLUG}
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
    assert len(outside) == 5
