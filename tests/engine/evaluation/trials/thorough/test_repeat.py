"""Many seeds: equal to single runs, whatever the number of workers; means, intervals, counts; the script."""

from __future__ import annotations

import contextlib
import io
import math

import numpy as np
import pytest
from scipy import stats

import engine
from engine.errors import SettingsError
from engine.evaluation.trials.group_difference import GROUP, GroupTrial
from engine.evaluation.trials.outcome import script
from engine.evaluation.trials.repeat import Repeated, repeat
from engine.measures.curves import auc

TRIAL = GroupTrial(variables=6, rows=120, seed=11)
METHOD = engine.GroupDifference(group=GROUP, score=engine.BDeu(ess=2.0))


@pytest.fixture(scope="module")
def repeated() -> Repeated:
    return repeat(TRIAL, METHOD, "chi-squared", times=6)


def test_every_run_is_the_single_run_of_its_seed(repeated: Repeated) -> None:
    """The first has the trial's own seed; truth, calls and scores to the bit."""
    assert [run.trial.seed for run in repeated.runs] == list(range(11, 17))
    for run in repeated.runs[::2]:
        alone = GroupTrial(variables=6, rows=120, seed=run.trial.seed).run(METHOD, "chi-squared")
        assert run.truth.tolist() == alone.truth.tolist()
        assert run.case_claims.tolist() == alone.case_claims.tolist()
        assert run.claimed.tolist() == alone.claimed.tolist()
        for mine, theirs in zip(run.scores, alone.scores, strict=True):
            assert np.array_equal(mine.values, theirs.values)


def test_workers_change_no_bit(repeated: Repeated) -> None:
    """Two processes give what one gives, intervals included."""
    again = repeat(TRIAL, METHOD, "chi-squared", times=6, jobs=2)
    assert np.array_equal(again.areas, repeated.areas, equal_nan=True)
    assert again.intervals == repeated.intervals
    assert again.table().equals(repeated.table())


def test_the_mean_has_students_interval(repeated: Repeated) -> None:
    """SciPy's, over the runs' areas, cut off at 1."""
    areas = [auc(run.scores[0].values, run.truth).value for run in repeated.runs]
    low, high = stats.t.interval(0.95, 5, loc=np.mean(areas), scale=stats.sem(areas))
    found = repeated.mean()
    assert (found.value, found.deviation) == pytest.approx((np.mean(areas), np.std(areas, ddof=1)))
    assert (found.low, found.high) == pytest.approx((max(low, 0), min(high, 1)))
    assert found.runs == 6


def test_who_is_ahead_is_counted_run_by_run(repeated: Repeated) -> None:
    """First, second, and equal make all the runs."""
    gaps = [
        auc(run.scores[0].values, run.truth).value - auc(run.scores[1].values, run.truth).value for run in repeated.runs
    ]
    assert repeated.ahead() == (sum(g > 0 for g in gaps), sum(g < 0 for g in gaps), sum(g == 0 for g in gaps))


def test_pooled_scores_are_all_items(repeated: Repeated) -> None:
    """End to end, and the interval holds the pooled area."""
    scores, truth, _ = repeated.pooled(1)
    assert len(scores) == len(truth) == 36
    assert int(truth.sum()) == sum(int(run.truth.sum()) for run in repeated.runs)
    low, high = repeated.intervals[1]
    assert low <= auc(scores, truth).value <= high


def test_of_nothing_to_find_the_false_alarms_are_counted() -> None:
    """No curve; the headline counts runs and items called."""
    found = repeat(GroupTrial(variables=6, rows=120, draws=0), METHOD, times=5)
    wrong = [int(run.case_claims.sum()) for run in found.runs]
    assert not found.has_curve
    assert f"In {sum(count > 0 for count in wrong)} of 5 runs" in found.headline()
    assert f"calls {sum(wrong)} of 30 unchanged variables" in found.headline()
    assert not any(column.startswith("AUC") for column in found.table())


def test_calls_are_no_false_alarms_where_everything_is_changed() -> None:
    """Two variables that are both changed in every run: what is called is there, and the headline says no other."""
    found = repeat(GroupTrial(variables=2, neighbours=0.0, kind="structural", draws=10, rows=200), METHOD, times=3)
    assert all(run.truth.all() and run.case_claims.any() for run in found.runs)
    assert found.headline() == "No run has variables that are unchanged, so there is no AUC."
    assert found.table()["false alarms"].sum() == 0


def test_one_run_has_no_spread() -> None:
    """Neither an interval nor a deviation, and no sentence speaks of either."""
    found = repeat(TRIAL, METHOD, times=1)
    assert math.isnan(found.mean().deviation)
    assert found.headline() == f"The AUC of the one run that has one is {found.mean().value:.2f}."


def test_progress_counts_runs_and_times_have_bounds() -> None:
    """A run done is a step; no run and too many are refused."""
    seen: list[float] = []
    repeat(TRIAL, METHOD, times=2, progress=lambda fraction, words: seen.append(fraction))
    assert seen == [0.0, 0.5, 1.0]
    with pytest.raises(SettingsError, match="1 to 200"):
        repeat(TRIAL, METHOD, times=0)


def test_the_script_makes_the_same_try() -> None:
    """Run as it is written, but with two runs in place of twenty."""
    source = script(TRIAL, METHOD, "chi-squared")
    scope: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source.replace("times=20", "times=2"), "script", "exec"), scope)  # noqa: S102
    assert scope["trial"] == TRIAL
    assert scope["method"] == METHOD
    outcome = scope["outcome"]
    alone = TRIAL.run(METHOD, "chi-squared")
    assert outcome.headline() == alone.headline()  # type: ignore[attr-defined]
