"""Two groups whose truth is known: the truth by hand, every score from the public names, refusals, the null."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import engine
from engine.errors import SettingsError
from engine.evaluation.baselines import chi_squared, lasso_scores
from engine.evaluation.trials.group_difference import GROUP, GroupTrial
from engine.measures.curves import auc

METHOD = engine.GroupDifference(group=GROUP)
SMALL: dict[str, Any] = {"variables": 6, "rows": 150}


@pytest.mark.parametrize("kind", ["parametric", "structural"])
@pytest.mark.parametrize("draws", [1, 5])
@pytest.mark.parametrize("seed", range(4))
def test_the_truth_is_what_differs_between_the_networks(kind: str, draws: int, seed: int) -> None:
    """The changed variables, and no others, have another table or other parents."""
    trial = GroupTrial(kind=kind, draws=draws, seed=seed, **SMALL)
    pair, _ = trial.draw()
    differs = [
        one != two or not np.array_equal(a, b)
        for one, two, a, b in zip(
            pair.original.parents, pair.perturbed.parents, pair.original.tables, pair.perturbed.tables, strict=True
        )
    ]
    outcome = trial.run(METHOD)
    assert outcome.truth.tolist() == differs
    assert 1 <= sum(differs) <= draws
    assert outcome.labels == pair.original.names


def test_a_variable_that_was_swapped_back_is_unchanged() -> None:
    """Of two draws on two coins, some take the same coin twice: nothing differs then, and the remark says so."""
    trials = [GroupTrial(variables=2, neighbours=0, levels="binary", draws=2, rows=20, seed=i) for i in range(8)]
    outcomes = [trial.run(METHOD) for trial in trials]
    back = [len(pair.truth[pair.truth]) == 1 for pair, _ in (trial.draw() for trial in trials)]
    assert any(back)
    assert not all(back)
    assert [int(outcome.truth.sum()) for outcome in outcomes] == [0 if one else 2 for one in back]
    assert ["so unchanged" in outcome.remark for outcome in outcomes] == back


def test_the_odds_are_the_methods_own() -> None:
    """The data again, compared by the public names, give the scores and what is called."""
    trial = GroupTrial(seed=3, **SMALL)
    _, data = trial.draw()
    outcome = trial.run(METHOD)
    probability = METHOD.run(data).variables()["probability"][list(outcome.labels)].to_numpy()
    assert outcome.scores[0].name == "averaged odds"
    assert outcome.scores[0].values == pytest.approx(np.log10(probability / (1 - probability)), abs=1e-6)
    assert outcome.called.tolist() == (probability > 0.5).tolist()
    assert auc(outcome.scores[0].values, outcome.truth).value == pytest.approx(
        roc_auc_score(outcome.truth, outcome.scores[0].values)
    )
    assert (
        f"AUC of the score {roc_auc_score(outcome.truth, outcome.scores[0].values):.2f}" in outcome.ranking_sentence()
    )


def test_without_an_average_the_odds_are_the_papers() -> None:
    """Equation 10 over the single order, which is what the second score of that name is beside an average too."""
    trial = GroupTrial(seed=3, **SMALL)
    _, data = trial.draw()
    single = replace(METHOD, average="none")
    outcome, beside = trial.run(single), trial.run(METHOD, "published")
    expected = (single.run(data).log_odds / math.log(10))[list(outcome.labels)]
    assert outcome.scores[0].name == "posterior odds"
    assert outcome.scores[0].values.tolist() == beside.scores[1].values.tolist() == expected.tolist()
    assert outcome.called.tolist() == (expected > 0).tolist()
    assert not np.allclose(beside.scores[0].values, beside.scores[1].values)


def test_the_prior_of_the_average_moves_its_odds_only() -> None:
    """It may be opened on the page; another gives other averaged odds, and leaves the paper's."""
    assert "p_none" in GroupTrial.opened
    trial = GroupTrial(seed=3, **SMALL)
    even, sceptic = (trial.run(replace(METHOD, p_none=p), "published") for p in (0.5, 0.99))
    assert (sceptic.scores[0].values < even.scores[0].values).all()
    assert sceptic.scores[1].values.tolist() == even.scores[1].values.tolist()


def test_the_verdicts_are_those_of_the_methods_page() -> None:
    """The data again, compared by the public names: the verdict of every variable as it is, counted by truth."""
    trial = GroupTrial(seed=2, variables=8, rows=1500, draws=4)
    words = METHOD.run(trial.draw()[1]).variables()["verdict"]
    assert set(words) - {"differs", "alike", "cannot tell"}, "a verdict that is neither a claim nor its opposite"
    verdicts = words.map(str)
    outcome = trial.run(METHOD)
    assert outcome.claimed.tolist() == verdicts[list(outcome.labels)].tolist()
    assert len(set(outcome.claimed)) > 1
    table = outcome.claim_counts().set_index("said")
    for kind, which in (("changed", True), ("unchanged", False)):
        names = [name for name, truth in zip(outcome.labels, outcome.truth, strict=True) if truth == which]
        assert {word: n for word, n in table[kind].items() if n} == verdicts[names].value_counts().to_dict()
    assert outcome.case_claims.tolist() == (verdicts[list(outcome.labels)] == "differs").tolist()


def averaged(result: engine.Result) -> pd.Series:
    """log10 odds of a difference by variable, averaged over the orders that are allowed."""
    return pd.Series(result.posterior.log_odds / math.log(10), index=list(result.names))


@pytest.mark.parametrize("second", list(GroupTrial.seconds))
def test_the_second_score_is_what_it_is_called(second: str) -> None:
    """Each from the engine's own functions on the same data."""
    trial = GroupTrial(seed=5, **SMALL)
    pair, data = trial.draw()
    names = list(pair.original.names)
    order = [names[i] for i in pair.order]
    ordered = engine.GroupDifference(group=GROUP, order=tuple(order))
    expected = {
        "lasso": lambda: lasso_scores(data, GROUP, order)[names],
        "chi-squared": lambda: -chi_squared(data, GROUP).loc[names, "log_p"] / math.log(10),
        "published": lambda: METHOD.run(data).log_odds / math.log(10),
        "alignment": lambda: engine.GroupDifference(group=GROUP, alignment="common").run(data).log_odds / math.log(10),
        "order": lambda: averaged(ordered.run(data)),
    }[second]()
    first, score = trial.run(METHOD, second).scores
    assert score.values.tolist() == pytest.approx(expected[names].tolist(), rel=1e-12)
    assert score.name != first.name and not np.allclose(score.values, first.values)


def test_told_the_order_the_method_has_parents_first() -> None:
    """The order handed over fits the arcs of both networks; the pictures are then DAGs."""
    trial = GroupTrial(tell_order=True, kind="structural", draws=1, seed=1, **SMALL)
    pair, _ = trial.draw()
    outcome = trial.run(METHOD)
    place = {name: i for i, name in enumerate(outcome.method.order)}
    names = pair.original.names
    for network in (pair.original, pair.perturbed):
        for child, family in enumerate(network.parents):
            assert all(place[names[parent]] < place[names[child]] for parent in family)
    truth = outcome.pictures[1].truth
    assert set(truth.edges) == {
        (names[parent], names[child]) for child, family in enumerate(pair.perturbed.parents) for parent in family
    }


def test_without_differences_there_is_no_curve() -> None:
    """No draws: one network for both groups, no case, and a headline that counts false alarms."""
    trial = GroupTrial(draws=0, **SMALL)
    pair, _ = trial.draw()
    outcome = trial.run(METHOD, "chi-squared")
    assert pair.original is pair.perturbed
    assert not outcome.truth.any()
    assert not outcome.has_curve
    verdicts = METHOD.run(trial.draw()[1]).variables()["verdict"]
    wrong = int((verdicts == "differs").sum()) or "none"
    assert outcome.headline() == f'No variable is changed, and "differs" is said of {wrong} of 6.'
    assert outcome.called_sentence() == ""


def test_equal_seeds_equal_bits() -> None:
    """Twice the same, another seed something else."""
    one, same, other = (GroupTrial(seed=seed, **SMALL).run(METHOD, "lasso") for seed in (7, 7, 8))
    assert all(np.array_equal(a.values, b.values) for a, b in zip(one.scores, same.scores, strict=True))
    assert one.truth.tolist() == same.truth.tolist()
    assert not np.array_equal(one.scores[0].values, other.scores[0].values)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"neighbours": 3.0, "variables": 3}, "at most 2"),
        ({"draws": -1}, "from 0 to 10"),
        ({"levels": "many"}, "binary"),
        ({"rows": 10**9}, "from 10 to 20000"),
    ],
)
def test_what_cannot_be_is_refused(settings: dict[str, object], said: str) -> None:
    """One sentence with the bound."""
    with pytest.raises(SettingsError, match=said):
        GroupTrial(**settings)  # type: ignore[arg-type]


def test_a_second_score_that_cannot_be_is_refused() -> None:
    """An unknown one, and the lasso where it would take minutes."""
    with pytest.raises(SettingsError, match="it can be 'lasso'"):
        GroupTrial(**SMALL).run(METHOD, "oracle")
    with pytest.raises(SettingsError, match="minutes"):
        GroupTrial(variables=40).run(METHOD, "lasso")
