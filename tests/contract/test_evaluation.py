"""Every trial and every study keeps its promises, and so do those that a test makes up; no list of them is edited."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import engine
from benchmarks.papers.__main__ import main
from benchmarks.papers.catalog import every_study, study_called
from benchmarks.papers.results import every_paper, read_results
from engine.evaluation.trials import every_trial, module_called
from engine.evaluation.trials.outcome import Outcome, script
from engine.evaluation.trials.repeat import repeat
from engine.methods.registry import METHODS
from tests.contract.checks import FEWER
from tests.contract.made_up import ChowLiu
from tests.contract.made_up_truth import CoinsStudy, register

SLUGS = list(dict.fromkeys([*METHODS, ChowLiu.slug]))

SMALL = {"variables": 5, "arcs": 6, "rows": 100, "patients": 2, "shape": "nine"}
"""Of the settings of trials, those that make one small."""

OF_ALL = "calibration"
"""The study that is no single method's; it comes last."""


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the made-up method."""
    register(monkeypatch)


def looked(slug: str, second: str | None = None, seed: int = 0) -> Outcome:
    """A small trial of this method, which asks chance a few times only."""
    kind = every_trial()[slug]
    given = {name: FEWER.get(name, value) for name, value in kind.given.items()}
    wanted = {one.name: SMALL[one.name] for one in fields(kind) if one.name in SMALL}  # type: ignore[arg-type]
    return kind(**wanted, seed=seed).run(METHODS[slug](**given), second)


def test_what_a_method_brings_is_found_by_its_slug(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the registry; a method that brings nothing is not there."""
    assert list(every_trial()) == list(METHODS)
    assert list(every_study()) == [*METHODS, OF_ALL]
    monkeypatch.setitem(METHODS, "brings_nothing", ChowLiu)
    bring = [slug for slug in METHODS if slug != "brings_nothing"]
    assert list(every_trial()) == bring
    assert list(every_study()) == [*bring, OF_ALL]


def test_what_is_wrong_inside_a_file_is_not_taken_for_its_absence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trial that imports what is not installed says so."""
    (tmp_path / "asks_for_more.py").write_text("import what_nobody_has\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="what_nobody_has"):
        module_called("asks_for_more")
    assert module_called("what_nobody_has") is None


@pytest.mark.parametrize("slug", SLUGS)
def test_a_trial_says_what_it_is(slug: str) -> None:
    """Words for the screen, a second score that it has, and settings that the method has."""
    kind = every_trial()[slug]
    assert kind.slug == slug
    assert kind.title and kind.story.endswith(".") and kind.nothing.endswith(".")
    assert kind.first_second in (None, *kind.seconds)
    there = {one.name for one in fields(METHODS[slug])}  # type: ignore[arg-type]
    assert {*kind.opened, *kind.given} <= there


@pytest.mark.parametrize("slug", SLUGS)
def test_a_trial_gives_truth_and_scores_of_the_same_items(slug: str) -> None:
    """With every second score; equal seeds give equal bits, many seeds are a mean."""
    for second in (None, *every_trial()[slug].seconds):
        found = looked(slug, second)
        assert len(found.scores) == (1 if second is None else 2)
        sizes = {len(one) for one in (found.labels, found.truth, found.called, *(one.values for one in found.scores))}
        assert sizes == {len(found.labels)}
        assert found.headline().endswith(".")
    one, again = looked(slug), looked(slug)
    assert np.array_equal(one.scores[0].values, again.scores[0].values)
    assert np.array_equal(one.truth, again.truth)
    many = repeat(one.trial, one.method, times=2)
    assert np.array_equal(many.runs[0].scores[0].values, one.scores[0].values)
    assert np.array_equal(many.runs[1].truth, looked(slug, seed=1).truth)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_trial_refuses_scores_that_it_does_not_have(slug: str) -> None:
    """In a sentence that names those that it has."""
    with pytest.raises(engine.SettingsError, match="second is 'nonsense'; it can be"):
        looked(slug, "nonsense")


@pytest.mark.parametrize("slug", list(METHODS))
def test_a_trial_can_be_made_again_from_its_script(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The script that the page offers says the same."""
    found = looked(slug)
    source = script(found.trial, found.method, None)
    exec(source[: source.index("\nagain = ")], {})  # noqa: S102
    assert capsys.readouterr().out.splitlines()[0] == found.headline()


@pytest.mark.parametrize("slug", SLUGS)
def test_a_study_says_what_it_is(slug: str) -> None:
    """Words for the screen, and the command that runs it, which the command line takes."""
    study = study_called(slug)
    assert study.slug == slug
    assert study.title and study.paper and study.asked.endswith("?")
    assert study.command().startswith(f"python -m benchmarks.papers {slug} --full ")
    assert {study.by, study.along} <= set(study.keys)


def test_a_made_up_study_runs_from_the_command_line_and_is_read_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its page, its cells and what they are held to, without a line in any file of ours."""
    assert main(["chow_liu", "--full", "--seed", "5", "--out", str(tmp_path)]) == 0
    run, expected = read_results("chow_liu", tmp_path), CoinsStudy.run(times=3, seed=5)
    assert run.command == "python -m benchmarks.papers chow_liu --full --seed 5 --out FOLDER"
    assert run.page == capsys.readouterr().out == expected.markdown()
    assert run.compared["ours"].tolist() == expected.compared()["ours"].tolist()
    assert run.done == "Seed 5." and every_paper(tmp_path) == ["chow_liu"]
    with pytest.raises(engine.DataError, match="There are no results of 'chow_liu'"):
        read_results("chow_liu", tmp_path / "elsewhere")
