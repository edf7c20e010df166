"""Families weighed many at once against the two questions of a score; and how often rows are counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.scores import dirichlet
from engine.scores.divided import Divided
from engine.scores.local import Family, weigh, weigh_one
from engine.scores.structure_prior import with_structure_prior
from tests.engine.make import random_data

SCORES = [engine.K2(), engine.BDeu(1.0), engine.BDe(3.0), Divided(engine.BDeu(1.0), 3.5), Divided(engine.BDe(3.0), 3.5)]


def families(data: engine.Dataset, seed: int, many: int) -> list[Family]:
    """Random families: some full, some that nothing may join, some whose configurations outnumber the rows."""
    generator = np.random.default_rng(seed)
    p, drawn = data.n_variables, []
    for _ in range(many):
        child = int(generator.integers(p))
        others = [x for x in range(p) if x != child]
        group = tuple(sorted(generator.choice(others, int(generator.integers(0, p)), replace=False).tolist()))
        among = generator.random(p) < generator.choice([0.0, 0.5, 1.0]) if generator.random() < 0.7 else None
        drawn.append(Family(child, group, set(np.flatnonzero(generator.random(p) < 0.3).tolist()), among))
    return drawn


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(SCORES), st.sampled_from([3, 80, 2_000]), st.booleans())
def test_every_family_weighs_the_same(seed: int, score: Any, rows: int, prior: bool) -> None:
    """Score, removals and additions, with and without a prior over structures."""
    data = random_data(rows, 7, 10, seed, levels=(2, 4))
    bound: Any = with_structure_prior(score.bind(data), 1.5) if prior else score.bind(data)
    asked = families(data, seed, 12)
    for family, weighed in zip(asked, weigh(bound, asked), strict=True):
        for value, expected in zip(weighed, weigh_one(bound, family), strict=True):
            np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-8)


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many families each pass over the rows counted."""
    passes: list[int] = []
    count = dirichlet.many_addition_counts

    def counted(data: engine.Dataset, requests: Any) -> Any:
        passes.append(len(requests))
        return count(data, requests)

    monkeypatch.setattr(dirichlet, "many_addition_counts", counted)
    return passes


def test_many_families_are_counted_in_few_rounds(rounds: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """One round where the tables fit into the memory that is meant for them, more where they do not."""
    data = random_data(500, 9, 12, seed=2)
    asked = [Family(child, (), (), np.ones(9, dtype=bool)) for child in range(9)]
    list(weigh(engine.K2().bind(data), asked))
    assert rounds == [9]
    rounds.clear()
    monkeypatch.setattr(dirichlet, "_MOST_CELLS", 1)
    list(weigh(engine.K2().bind(data), asked))
    assert rounds == [1] * 9


def test_a_hill_climb_outside_counts_once_a_step(rounds: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """All children at the beginning, then one round for each move, of one child or of two."""
    monkeypatch.setattr(dirichlet, "_MOST_CLIMBED", 0)
    engine.learn(random_data(800, 12, 20, seed=13), engine.BDeu(1.0), search="hill_climbing")
    assert rounds[0] == 12
    assert set(rounds[1:]) == {1, 2}


def test_levels_beyond_a_byte_are_not_climbed_compiled() -> None:
    """Their codes are wider than the kernels read."""
    codes = np.arange(600).reshape(2, 300) % np.array([[300], [2]])
    data = engine.Dataset.from_codes(codes, [300, 2], ["many", "two"])
    assert engine.K2().bind(data).climbing_rows() is None
    assert engine.learn(data).number_of_nodes() == 2
