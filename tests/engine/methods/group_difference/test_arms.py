"""Three and more groups: every arm against the control in one answer, the shared prior, and the trend."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import engine
from engine.methods.group_difference.arms import ArmsResult
from engine.methods.group_pair import dose_order
from engine.methods.masked import Masked
from tests.engine.make import ARMS, trial


@pytest.fixture(scope="module")
def result() -> ArmsResult:
    """As a user gets it who names the group column alone."""
    found = engine.GroupDifference(group="arm").run(trial())
    assert isinstance(found, ArmsResult)
    return found


def test_every_arm_is_the_comparison_of_two_under_its_share_of_the_prior(result: ArmsResult) -> None:
    """To the last bit that of the pair alone; what is said first is of the pair that differs most surely."""
    assert (result.labels, sum(result.n)) == (ARMS, 360)
    for arm in ARMS[1:]:
        alone = engine.GroupDifference(group="arm", groups=("placebo", arm), p_none=0.5**0.5).run(trial())
        assert result.pair(arm) == alone
    assert result.headline() == result.pair("20 mg").headline() and "placebo" in result.headline()
    assert result.variables().index[0] == "cure" and result.variables().at["cure", "arm"] == "20 mg"
    assert "50\u00a0%, is of all 2 arms together: 71\u00a0% for each" in " ".join(result.notes())
    moved = result.with_prior(0.25)
    assert [pair.method.p_none for pair in moved.pairs] == [0.5, 0.5]
    assert engine.GroupDifference.propose(trial()).groups == ARMS
    with pytest.raises(engine.DataError, match="no arm 'nobody'"):
        result.pair("nobody")


def test_the_trend_is_that_of_ranks(result: ArmsResult) -> None:
    """Against SciPy's rank correlation, corrected by Holm; none for words without an order, or arms without."""
    data = trial()
    dose = np.array([ARMS.index(data.levels["arm"][code]) for code in data.column("arm")])
    for name in ("cure", "pain", "sex"):
        r = stats.spearmanr(dose, data.column(name))[0]
        assert result.variables().at[name, "trend"] == pytest.approx(r, abs=1e-12)
    assert result.variables()["p_trend"].isna().to_dict() == {"cure": False, "pain": False, "sex": False, "ward": True}
    p = stats.chi2.sf(359 * stats.spearmanr(dose, data.column("cure"))[0] ** 2, 1)
    assert result.variables().at["cure", "p_trend"] == pytest.approx(3 * p, rel=1e-9)
    assert "A trend along the arms (Holm): cure (rises)" in " ".join(result.sentences())
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"arm": np.array(ARMS)[dose], "x": rng.normal(0.2 * dose, 1), "y": rng.random(360) < 0.5})
    number = engine.GroupDifference(group="arm").run(engine.Dataset.from_frame(frame, kinds={"x": "continuous"}))
    assert number.variables().at["x", "trend"] == pytest.approx(stats.spearmanr(dose, frame["x"])[0], abs=1e-12)
    unordered = engine.GroupDifference(group="ward").run(data)
    assert not unordered.ordered and "trend" not in unordered.summary()


@pytest.mark.parametrize(
    ("arms", "ordered", "expected"),
    [
        (("placebo", "20 mg", "5 mg"), False, (0, 2, 1)),
        (("0", "0.5", "2"), False, (0, 1, 2)),
        (("control", "high", "low"), False, (0, 2, 1)),
        (("placebo", "high dose", "low dose"), False, (0, 2, 1)),
        (("none", "a", "b"), True, (0, 1, 2)),
        (("placebo", "drug A", "drug B"), False, ()),
        (("control", "treatment 1", "treatment 2"), False, ()),
        (("north", "low", "high"), False, ()),
    ],
)
def test_arms_have_an_order_where_they_are_doses(arms: tuple[str, ...], ordered: bool, expected: tuple) -> None:
    """Numbers, with a unit or a control that has none, and known words; a number behind a noun is a name."""
    assert dose_order(arms, ordered) == expected


def test_arms_stand_in_the_order_in_which_they_are_compared() -> None:
    """The control first, of two as of three, and doses in their order."""
    arms = np.array(["high dose", "low dose", "placebo"])[np.arange(90) % 3]
    for levels, expected in (
        (arms, ("placebo", "low dose", "high dose")),
        (arms[arms != "low dose"], ("placebo", "high dose")),
    ):
        frame = pd.DataFrame({"arm": levels, "x": np.arange(len(levels)) % 2})
        assert engine.GroupDifference.propose(engine.Dataset.from_frame(frame)).groups == expected
    frame = pd.DataFrame({"time": np.array(["after", "before"])[np.arange(60) % 2], "sex": np.arange(60) // 2 % 2})
    method = engine.GroupDifference.propose(engine.Dataset.from_frame(frame[["sex", "time"]]))
    assert (method.group, method.groups) == ("time", ("before", "after"))


def test_it_is_saved_reported_and_drawn_as_any_answer(result: ArmsResult) -> None:
    """Through JSON and back; one row a variable and arm; a network an arm; sections hold what there is."""
    again = ArmsResult.from_dict(json.loads(json.dumps(result.to_dict(), allow_nan=False)))
    assert again == result and again.to_json() == result.to_json()
    assert list(result.graphs()) == [f"arm = {arm}" for arm in ARMS]
    table = result.table("Arms")
    assert len(table) == 2 * len(result.names) and list(table["variable"][:2]) == ["cure", "cure"]
    assert set(result.tables()) == {title for section in result.sections() for title in section.tables}
    assert {name for section in result.sections() for name in section.figures} <= set(result.figures())
    assert list(result.claims()["about"]) == list(result.variables().index)
    damaged = result.to_dict() | {"pairs": result.to_dict()["pairs"][:1]}
    with pytest.raises(engine.DataError, match="one arm only"):
        ArmsResult.from_dict(damaged)
    assert replace(result, trend=result.trend[:1]) != result


def test_what_looks_at_rows_again_asks_for_two(result: ArmsResult) -> None:
    """Bootstrap and permutations are of a pair; a run of arms tells its time as that of all."""
    with pytest.raises(engine.DataError, match="3 groups are named"):
        replace(result.method, groups=ARMS).stability(trial(), 1)
    seen: list[tuple[float, str]] = []
    engine.GroupDifference(group="arm").run(trial(90), progress=lambda *step: seen.append(step))
    fractions = [fraction for fraction, _ in seen]
    assert fractions == sorted(fractions) and fractions[-1] == 1.0
    assert {words.split(":")[0] for _, words in seen} == {"10 mg v placebo", "20 mg v placebo"}


def test_small_counts_of_any_arm_are_hidden_in_all(result: ArmsResult) -> None:
    """A level of few rows takes its shares out of the table of arms, and the others keep theirs."""
    counts = {name: int(pair.marginal[i].counts.min()) for pair in result.pairs for i, name in enumerate(pair.names)}
    least = min(counts.values()) + 1
    rare = {name for pair in result.pairs for i, name in enumerate(pair.names) if pair.marginal[i].counts.min() < least}
    masked = Masked(result, least)
    written = masked.written("Arms")
    hidden = written["first"] == "hidden"
    assert set(written["variable"][hidden]) == rare == masked.unsure and not hidden.all()
    assert (written.loc[hidden, ["second", "effect", "level"]] == "hidden").all(axis=None)


def test_several_comparisons_are_compared_with_nothing(result: ArmsResult) -> None:
    """One sentence in place of networks that no two arms share."""
    with pytest.raises(engine.DataError, match="several comparisons; choose two groups"):
        engine.compare(result, result.pair("20 mg"))
