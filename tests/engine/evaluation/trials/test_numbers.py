"""Truths with numbers that move, and answers that are missing where another is high."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.evaluation.trials.group_difference import GROUP, GroupTrial
from engine.evaluation.trials.ordinal import OrdinalTrial
from engine.simulation.perturb import MOVED


def test_what_moves_is_higher_or_lower_given_its_parents() -> None:
    """By `MOVED` residual SDs in a regression on the true parents, and nothing else; the table has numbers."""
    pair, data = GroupTrial(kind="numbers", variables=6, draws=3, rows=20_000, seed=4).draw()
    assert set(pair.names) == set(data.numbers)
    second = (data.column(GROUP) == 1).astype(float)
    values = {name: data.values(name) for name in pair.names}
    for child, name in enumerate(pair.names):
        columns = [second, np.ones(len(second)), *(values[pair.names[x]] for x in pair.parents[child])]
        design = np.stack(columns, axis=1)
        fit, rest = np.linalg.lstsq(design, values[name], rcond=None)[:2]
        assert fit[0] / np.sqrt(rest[0] / len(second)) == pytest.approx(pair.moves[child], abs=0.04)
    assert 0 < pair.truth.sum() <= 3
    assert set(np.abs(pair.moves[pair.truth])) == {MOVED}


def test_numbers_are_compared_as_numbers() -> None:
    """The moved one of three is found, and said to differ."""
    trial = GroupTrial(kind="numbers", variables=3, neighbours=0, draws=1, rows=300, seed=1)
    outcome = trial.run(engine.GroupDifference(group=GROUP))
    assert outcome.among_first(0) == 1
    assert outcome.claimed is not None and outcome.claimed[outcome.truth].tolist() == ["differs"]
    assert "moved by 0.5 SD" in outcome.remark


def test_gaps_depend_on_the_variable_before() -> None:
    """About as many as asked, more where it is higher; the rest is what was drawn, and the method leaves them open."""
    whole, gaps = (OrdinalTrial(variables=4, neighbours=2, rows=600, gaps=share).draw()[1] for share in (0.0, 0.3))
    for place, name in enumerate(whole.names):
        known = gaps.column(name) < len(whole.levels[name])
        assert known.all() == (place % 2 == 0)
        assert np.array_equal(gaps.column(name)[known], whole.column(name)[known])
        if place % 2:
            before = whole.column(whole.names[place - 1])
            assert 0.2 < 1 - known.mean() < 0.35
            assert before[~known].mean() > before[known].mean() + 0.2
    outcome = OrdinalTrial(variables=4, neighbours=2, rows=300, gaps=0.3).run(engine.Ordinal(), "levels")
    assert outcome.method.missing == "latent"
    assert np.isfinite(outcome.scores[1].values).all()
