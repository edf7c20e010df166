"""Classes whose series differ in known links: rows against networks, scores and calls, chi-squared, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

import engine
from engine.errors import SettingsError
from engine.evaluation.trials.discriminative import CLASSES, STEP, TARGET, WHO, ClassTrial, _threshold
from engine.evaluation.trials.outcome import Outcome
from engine.methods.discriminative.families import chance_of

METHOD = engine.Discriminative(TARGET, shuffles=39)
SMALL = {"variables": 5, "changed": 2, "subjects": 6, "steps": 80}


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    """A try with everything that a page shows."""
    return ClassTrial(**SMALL, seed=3).run(METHOD, "chi-squared")


def test_the_rows_are_series_of_subjects_in_their_classes() -> None:
    """Subject and time are kept beside, the class is a variable; equal seeds give equal rows."""
    trial = ClassTrial(**SMALL, seed=3)
    drawn = trial.draw()
    data = drawn.data
    assert data.names == (TARGET, *drawn.networks[0].names) and data.levels[TARGET] == CLASSES
    assert data.roles == {WHO: "subject", STEP: "time"} and data.steps is not None
    assert np.bincount(data.steps.subject).tolist() == [80] * 12
    assert np.bincount(data.column(TARGET)).tolist() == [480, 480]
    assert data.fingerprint == trial.draw().data.fingerprint != ClassTrial(**SMALL, seed=4).draw().data.fingerprint


def test_the_changed_tables_are_the_truth(outcome: Outcome) -> None:
    """Of both networks; the changed link is the weaker parent of its variable."""
    drawn = ClassTrial(**SMALL, seed=3).draw()
    one, two = drawn.networks
    differ = [not np.array_equal(a, b) for a, b in zip(one.tables, two.tables, strict=True)]
    assert outcome.labels == one.names and outcome.truth.tolist() == differ and sum(differ) == 2
    for parent, child in drawn.links:
        place = one.names.index(child)
        assert one.parents[place][1] == one.names.index(parent)
        for m, same in ((0, True), (1, False)):
            pairs = [table.mean(axis=1 - m) for table in (one.tables[place], two.tables[place])]
            assert np.allclose(*pairs, atol=1e-9) == same


def test_what_is_called_is_worth_more_than_shuffled_classes_show(outcome: Outcome) -> None:
    """Score, threshold, chance and claims of one answer."""
    result = METHOD.run(ClassTrial(**SMALL, seed=3).draw().data)
    families = result.families()
    gain = families.groupby("child")["gain"].max()[list(outcome.labels)].to_numpy()
    score = outcome.scores[0]
    assert np.array_equal(score.values, gain)
    assert outcome.called.tolist() == [chance_of(result.chance, one) <= 0.05 for one in gain]
    assert outcome.called.tolist() == (score.values > score.usual).tolist()
    assert outcome.claimed is not None
    assert (outcome.claimed == "separates the classes").tolist() == outcome.called.tolist()
    assert set(outcome.claimed) <= {*ClassTrial.claim_words.values(), ClassTrial.unclaimed}


@pytest.mark.parametrize("shuffles, rank", [(19, 1), (39, 2), (99, 5)])
def test_the_threshold_is_the_chance_of_one_in_twenty(shuffles: int, rank: int) -> None:
    """Ties are no excess; with fewer than 19 shuffles nothing can be called."""
    chance = np.random.default_rng(0).permutation(shuffles).astype(float)
    threshold = _threshold(chance)
    assert threshold == shuffles - rank
    assert (1 + (chance >= threshold).sum()) / (1 + shuffles) > 0.05
    assert (1 + (chance > threshold).sum()) / (1 + shuffles) <= 0.05
    assert _threshold(chance[:18]) is None


def test_chi_squared_is_pearsons_test_after_each_level_of_the_parent(outcome: Outcome) -> None:
    """SciPy's, table by table, summed over the levels; the best parent of each variable."""
    data = ClassTrial(**SMALL, seed=3).draw().data
    codes = np.array([data.column(name) for name in outcome.labels]).reshape(5, 12, 80)
    before, after = codes[:, :, :-1].reshape(5, -1), codes[:, :, 1:].reshape(5, -1)
    group = np.repeat([0, 1], before.shape[1] // 2)
    score = outcome.scores[1]
    for child in range(5):
        best = 0.0
        for parent in range(5):
            statistic = 0.0
            for level in range(4):
                table = np.zeros((2, 4))
                here = before[parent] == level
                np.add.at(table, (group[here], after[child][here]), 1)
                statistic += chi2_contingency(table, correction=False).statistic
            best = max(best, -chi2.logsf(statistic, 12) / math.log(10))
        assert score.values[child] == pytest.approx(best, rel=1e-6)
    assert score.usual == pytest.approx(-math.log10(0.05 / 25))


def test_pictures_have_the_links_over_two_steps(outcome: Outcome) -> None:
    """Those that differ, then each class's; the found ones stand over the same nodes."""
    drawn = ClassTrial(**SMALL, seed=3).draw()
    assert [one.title for one in outcome.pictures] == ["Links that differ", "Class one", "Class two"]
    differ, first, _ = outcome.pictures
    assert set(differ.truth.edges) == {(f"{a} (t)", f"{b} (t+1)") for a, b in drawn.links}
    assert first.truth.number_of_edges() == 10
    for one in outcome.pictures:
        assert list(one.truth.nodes) == list(one.found.nodes) and len(one.truth) == 10
    called = {name for name, yes in zip(outcome.labels, outcome.called, strict=True) if yes}
    assert {target.removesuffix(" (t+1)") for _, target in differ.found.edges} == called
    assert all(f"{a} → {b}" in outcome.remark for a, b in drawn.links)


def test_of_equal_classes_nothing_is_changed() -> None:
    """The null of this kind."""
    outcome = ClassTrial(**SMALL | {"changed": 0}).run(METHOD)
    assert not outcome.truth.any() and outcome.remark.startswith("Both classes were drawn from the same network.")
    assert not outcome.pictures[0].truth.edges


@pytest.mark.parametrize(
    "wrong, words",
    [({"changed": 6, "variables": 5}, "at most 5 can be changed"), ({"subjects": 200, "steps": 2000}, "at most 500")],
)
def test_what_cannot_be_drawn_in_seconds_is_refused(wrong: dict[str, int], words: str) -> None:
    """With what can."""
    with pytest.raises(SettingsError, match=words):
        ClassTrial(**wrong)
