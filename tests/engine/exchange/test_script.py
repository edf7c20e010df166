"""The Python of an analysis runs and gives the same numbers."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import engine
import sample_data
from engine.exchange.script import analysis_script
from engine.project.report.write import script_of
from tests.engine.make import two_groups


def test_the_script_of_a_file_gives_the_same_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Run as it is, it prints the summary of the analysis it was made from."""
    path = tmp_path / "odd 'name' \\ here.csv"
    two_groups(120, 4, 5, seed=3, changed=True).to_frame().to_csv(path, index=False)
    preparing = {"kinds": {"v00": "nominal", "v01": "nominal"}, "missing": "level"}
    data = engine.Dataset.from_frame(engine.read_table(path), **preparing)
    method = engine.GroupDifference(group="group", score=engine.BDeu(2.5), p_same=0.9, max_parents=2)
    source = analysis_script(method, data.fingerprint, file=str(path), preparing=preparing)
    exec(compile(source, "script", "exec"), {})  # noqa: S102
    assert method.run(data).summary() in capsys.readouterr().out


def test_the_script_notices_another_table(tmp_path: Path) -> None:
    """A table with other rows stops the script with a sentence."""
    path = tmp_path / "table.csv"
    pd.DataFrame({"group": ["a", "b"] * 30, "x": ["u", "u", "v"] * 20}).to_csv(path, index=False)
    source = analysis_script(engine.GroupDifference(group="group"), "not this one", file=str(path))
    with pytest.raises(AssertionError, match="another table"):
        exec(compile(source, "script", "exec"), {})  # noqa: S102


def test_the_script_of_fixed_levels_makes_the_same_data(tmp_path: Path) -> None:
    """Coded by the recipe of another table, as when everything was asked again."""
    path = tmp_path / "second.csv"
    first = pd.DataFrame({"age": range(20, 80), "x": ["u", "u", "v"] * 20})
    first.iloc[:30].to_csv(path, index=False)
    recipe = engine.Dataset.from_frame(first, kinds={"age": "continuous"}).recipe
    again = recipe.apply(engine.read_table(path))
    preparing = {"columns": recipe.to_dict()["columns"]}
    source = analysis_script(
        engine.LogLinear(), again.fingerprint, file=str(path), preparing=preparing, shown="data.head()"
    )
    names: dict[str, object] = {}
    exec(compile(source, "script", "exec"), names)  # noqa: S102
    assert names["data"].fingerprint == again.fingerprint  # type: ignore[attr-defined]


def test_the_script_of_a_comparison_gives_the_same_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Groups, methods and settings of each are in it; another order of the groups is another comparison."""
    table = sample_data.load("two_hospitals")
    table.to_csv(tmp_path / "hospitals.csv", index=False)
    data = engine.Dataset.from_frame(engine.read_table(tmp_path / "hospitals.csv"))
    parts = engine.by_group(data, "hospital")
    pair = [parts["South"], parts["North"]]
    answers = [engine.LogLinear(criterion=name).run(part) for name, part in zip(("mml", "bic"), pair, strict=True)]
    found = engine.compare(*answers, data=pair, draws=499, seed=3)
    text = script_of(found, str(tmp_path / "hospitals.csv"))
    assert "draws=499" in text and "seed=3" in text and "criterion='bic'" in text
    exec(text, {})  # noqa: S102  the text is ours
    assert found.summary() in capsys.readouterr().out


def test_lines_that_go_on_with_the_result_stand_before_it_is_printed() -> None:
    """Between the call and the summary."""
    lines = analysis_script(engine.LogLinear(), "abc", sample="x", then=["result = result.changed()"]).splitlines()
    assert lines.index("result = method.run(data)") + 1 == lines.index("result = result.changed()")
    assert lines.index("result = result.changed()") < lines.index("print(result.summary())")
