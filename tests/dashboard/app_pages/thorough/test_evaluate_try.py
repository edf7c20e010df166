"""Try it: every kind draws and looks, a null has no curve, settings wait for the button, many runs are a job."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.session.session import Session
from engine.evaluation.trials import every_trial
from engine.evaluation.trials.group_difference import GROUP, GroupTrial
from engine.evaluation.trials.instance_specific import InstanceTrial
from engine.evaluation.trials.log_linear import AssociationTrial
from engine.evaluation.trials.repeat import repeat
from engine.telling.charts.curves import area
from tests.dashboard.app_pages.running import finished

PAGE = str(Path(__file__).parents[4] / "dashboard" / "app_pages" / "evaluate.py")
TRY = "evaluate.try"


def opened(kind: int = 0, **widgets: Any) -> AppTest:
    """The page with nothing in the session but what widgets say."""
    at = AppTest.from_file(PAGE, default_timeout=60)
    at.session_state["diptych"] = Session()
    slug = list(every_trial())[kind]
    at.session_state[f"{TRY}.kind"] = slug
    for name, value in widgets.items():
        at.session_state[f"{TRY}.{slug}.{name.replace('__', '.')}"] = value
    return finished(at.run())


def text(at: AppTest) -> str:
    """All that the page says, without escapes."""
    shown = [*at.title, *at.markdown, *at.caption, *at.info, *at.error, *at.warning]
    return "\n".join(str(one.value) for one in shown).replace("\\", "")


def press(at: AppTest, label: str) -> AppTest:
    next(one for one in at.button if one.label == label).click()
    return finished(at.run())


@pytest.fixture(scope="module")
def group_page() -> AppTest:
    """A small group trial, drawn; tests leave it as it is."""
    return opened(truth__variables=6, truth__rows=200, second="chi-squared")


def test_the_first_try_runs_by_itself_and_is_the_engines(group_page: AppTest) -> None:
    """Without a table; the headline, the counts and the script are those of the engine."""
    method = engine.GroupDifference(group=GROUP)
    expected = GroupTrial(variables=6, rows=200).run(method, "chi-squared")
    said = text(group_page)
    assert expected.headline() in said
    assert expected.called_sentence() in said
    assert expected.remark in said
    verdicts = next(one.value for one in group_page.dataframe if list(one.value)[:1] == ["verdict"])
    assert verdicts["verdict"].tolist() == ["differs", "inconclusive", "no difference seen"]  # no line for others
    changed = int(expected.truth.sum())
    shown = [int(cell.split(":")[0]) for cell in verdicts[f"of {changed} changed"]]
    counted = expected.claim_counts().set_index("said")["changed"]
    assert shown == counted.loc[["differs", "cannot tell", "no difference seen"]].tolist()
    assert sum(shown) == changed
    assert "GroupTrial(variables=6, rows=200)" in group_page.code[0].value
    table = next(one.value for one in group_page.dataframe if "averaged odds" in one.value)
    assert table["averaged odds"].tolist() == sorted(expected.scores[0].values.tolist(), reverse=True)
    assert table.set_index("variable")["changed"].to_dict() == dict(
        zip(expected.labels, expected.truth.tolist(), strict=True)
    )


def test_settings_wait_for_the_button() -> None:
    """A changed setting leaves the answer, says so, and counts once the button is pressed."""
    at = opened(truth__variables=6, truth__rows=200, second=None)
    headline = at.title[0].value
    at.number_input(key=f"{TRY}.group_difference.truth.seed").set_value(4)
    at = finished(at.run())
    assert at.title[0].value == headline
    assert "The settings have changed; the result below has the old ones." in text(at)
    at = press(at, "Draw and look")
    expected = GroupTrial(variables=6, rows=200, seed=4).run(engine.GroupDifference(group=GROUP))
    assert expected.headline() in text(at)
    assert "The settings have changed; the result below has the old ones." not in text(at)


def test_without_differences_false_alarms_stand_in_for_the_curve() -> None:
    """The null: no curve and a sentence why; repeated, false alarms are counted."""
    at = opened(truth__variables=6, truth__rows=200, truth__draws=0, second=None)
    assert "There is no curve" in text(at)
    assert "False positives" in text(at)
    assert "separate true from false" not in text(at)
    assert not [one for one in at.slider if one.key and one.key.startswith(f"{TRY}.group_difference.curve")]
    at.selectbox(key=f"{TRY}.group_difference.repeat.times").set_value(10)
    at = press(finished(at.run()), "Repeat 10 times")
    trial = GroupTrial(variables=6, rows=200, draws=0)
    expected = repeat(trial, engine.GroupDifference(group=GROUP), times=10)
    assert expected.headline() in text(at)


def test_where_everything_is_changed_no_heading_stands_over_nothing() -> None:
    """Neither a curve nor false alarms; one sentence says why, and many runs say it too."""
    at = opened(
        truth__variables=2,
        truth__neighbours=0.0,
        truth__kind="structural",
        truth__draws=10,
        second=None,
        repeat__times=10,
    )
    assert "All 2 variables are changed" in text(at)
    assert "separate true from false" not in text(at)
    assert "False positives" not in text(at)
    assert "No run has variables that are unchanged" in text(press(at, "Repeat 10 times"))


def test_many_runs_are_a_job_with_a_mean_and_a_curve() -> None:
    """The engine's own numbers, every run in the table, and a curve of all runs."""
    at = opened(truth__variables=6, truth__rows=200, second="chi-squared", repeat__times=10)
    at = press(at, "Repeat 10 times")
    expected = repeat(GroupTrial(variables=6, rows=200), engine.GroupDifference(group=GROUP), "chi-squared", times=10)
    said = text(at)
    assert expected.headline() in said
    ahead, behind, equal = expected.ahead()
    assert f"ahead in {behind} run" in said
    assert f"behind in {ahead}, and equal in {equal}" in said
    assert "All runs as one" in said
    assert "95\u00a0% intervals, whole runs kept together (Jeffreys' for shares, resampled for an AUC)." in said
    assert f"is {area(expected.mean().value)} on average" in said
    table = next(one.value for one in at.dataframe if "seed" in one.value)
    assert table.equals(expected.table())


def test_patients_are_tried_one_by_one() -> None:
    """The second kind: a list of patients, links switched off in the words."""
    at = opened(1, truth__variables=8, truth__arcs=10, truth__rows=400, truth__patients=5)
    trial = InstanceTrial(variables=8, arcs=10, rows=400, patients=5)
    expected = trial.run(engine.InstanceSpecific(), "weak")
    assert expected.headline() in text(at)
    assert expected.remark in text(at)
    box = at.selectbox(key=f"{TRY}.instance_specific.picture")
    assert list(box.options) == [picture.title for picture in expected.pictures] and len(box.options) == 5
    box.set_value(3)
    assert expected.headline() in text(finished(at.run()))


def test_associations_are_tried_pair_by_pair() -> None:
    """The third kind; a setting that the criterion does not use is not offered."""
    at = opened(2, truth__shape="nine", truth__rows=4000)
    expected = AssociationTrial(shape="nine", rows=4000).run(engine.LogLinear(), "chi-squared")
    assert expected.headline() in text(at)
    assert "comparisons of a linked and an unlinked pair" in text(at)
    assert not [one for one in at.number_input if one.key == f"{TRY}.log_linear.method.alpha"]
    at.selectbox(key=f"{TRY}.log_linear.method.criterion").set_value("smt")
    at = finished(at.run())
    assert [one for one in at.number_input if one.key == f"{TRY}.log_linear.method.alpha"]


def test_what_would_take_minutes_is_refused_in_a_sentence() -> None:
    """Too large a table, and the lasso for many variables: at once, beside the settings."""
    at = opened(2, truth__shape="many", truth__rows=1_000_000)
    assert "would take minutes" in at.error[0].value.replace("\\", "")
    assert next(one for one in at.button if one.label == "Draw and look").disabled
    at = opened(truth__variables=40, second="lasso")
    assert "The lasso would take minutes for 40 variables" in at.warning[0].value
    assert next(one for one in at.button if one.label == "Draw and look").disabled
    assert not at.exception


def test_every_kind_keeps_its_own_answer() -> None:
    """Going to another kind and back draws nothing again."""
    at = opened(2, truth__shape="nine", truth__rows=1000)
    first = at.title[0].value
    at.radio(key=f"{TRY}.kind").set_value("group_difference")
    at = finished(at.run())
    jobs = len(at.session_state["diptych"].job_queue._jobs)
    at.radio(key=f"{TRY}.kind").set_value("log_linear")
    at = finished(at.run())
    assert at.title[0].value == first
    assert len(at.session_state["diptych"].job_queue._jobs) == jobs
