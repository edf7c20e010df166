"""What the three tries draw unless told otherwise, how far they may go, and what their scores call."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import engine
from engine.evaluation.examples import RESAMPLES, example_networks
from engine.evaluation.trials.group_difference import GROUP, GroupTrial
from engine.evaluation.trials.instance_specific import InstanceTrial
from engine.evaluation.trials.log_linear import AssociationTrial
from engine.evaluation.trials.repeat import repeat
from tests.engine.methods.bounds import bounds, check_ends

SEED = (0, 0, None)
EXPECTED: dict[type, Any] = {
    GroupTrial: {
        "variables": (12, 2, 60),
        "neighbours": (2.0, 0.0, 6.0),
        "draws": (3, 0, 10),
        "rows": (500, 10, 20_000),
        "seed": SEED,
    },
    InstanceTrial: {
        "variables": (20, 3, 50),
        "arcs": (30, 1, 100),
        "rows": (1000, 20, 20_000),
        "patients": (20, 1, 100),
        "seed": SEED,
    },
    AssociationTrial: {"rows": (2000, 20, 1_000_000), "seed": SEED},
}


@pytest.mark.parametrize("kind", list(EXPECTED))
def test_numbers_have_their_defaults_and_bounds(kind: type) -> None:
    """A try that takes a second or two, and nothing beyond what can be waited for."""
    assert bounds(kind) == EXPECTED[kind]
    plain = kind()
    assert plain.levels == "mixed"
    assert {name: getattr(plain, name) for name in EXPECTED[kind]} == {n: one[0] for n, one in EXPECTED[kind].items()}


def test_ends_are_taken_and_what_lies_beyond_is_refused() -> None:
    """Where no other setting stands in the way."""
    ends = {GroupTrial: ("draws", "rows", "seed"), InstanceTrial: ("rows", "patients", "seed")}
    for kind, names in ends.items():
        check_ends(kind, {name: EXPECTED[kind][name] for name in names})
    check_ends(AssociationTrial, EXPECTED[AssociationTrial], shape="nine")


@pytest.mark.parametrize(
    ("second", "usual"), [("lasso", None), ("chi-squared", 2.0), ("alignment", 0.0), ("order", 0.0)]
)
def test_scores_have_their_usual_thresholds(second: str, usual: float | None) -> None:
    """Odds are called above even, chi-squared below alpha shared among the variables, the lasso has none."""
    trial = GroupTrial(variables=5, rows=80, seed=2)
    outcome = trial.run(engine.GroupDifference(group=GROUP), second)
    assert outcome.scores[0].usual == 0.0
    assert outcome.scores[1].usual == (None if usual is None else pytest.approx(usual))
    assert math.log10(5 / 0.05) == 2.0
    assert [picture.title for picture in outcome.pictures] == ["Group original", "Group perturbed"]


@pytest.mark.parametrize("arcs", [4, 9])
def test_a_patients_try_has_the_size_it_was_asked_for(arcs: int) -> None:
    """Variables, links, rows and test patients, none for another."""
    network, data, patients = InstanceTrial(variables=7, arcs=arcs, rows=50, patients=3, levels="ternary").draw()
    assert (len(network.names), sum(map(len, network.parents))) == (7, arcs)
    assert (data.n_rows, patients.n_rows, data.n_variables) == (50, 3, 7)
    assert set(network.arities.tolist()) == {3}


def test_one_run_has_no_spread_and_two_have_one() -> None:
    """The mean of one area is that area; its interval and deviation are not known; of two runs they are."""
    method = engine.GroupDifference(group=GROUP)
    trial = GroupTrial(variables=6, rows=120, seed=11)
    one, two = (repeat(trial, method, None, times=times).mean() for times in (1, 2))
    assert one.runs == 1
    assert math.isnan(one.deviation)
    assert math.isnan(one.low)
    assert two.runs == 2
    areas = repeat(trial, method, None, times=2).areas[:, 0]
    assert two.deviation == pytest.approx(abs(areas[0] - areas[1]) / math.sqrt(2))
    assert 0.0 <= two.low <= two.value <= two.high <= 1.0


def test_example_links_are_scored_by_how_often_they_came() -> None:
    """A share of the resamples, both directions together: above 0, at most 1, never a difference."""
    truth, found = example_networks()
    assert len(truth.graph) == len(found.graph) == 12
    assert found.scores
    for score in found.scores.values():
        assert 0 < score <= 1
        assert score * RESAMPLES == pytest.approx(round(score * RESAMPLES))
    assert all(found.scores[frozenset(arc)] > 0 for arc in found.graph.edges)
    assert np.mean(list(found.scores.values())) > 0.3
