"""Families weighed many at once against the two questions of a score, to the bit; and how often rows are counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.counting import climbing
from engine.counting.climbing.rows import NOTED
from engine.counting.climbing.table import REQUIRED
from engine.scores import dirichlet_weigher
from engine.scores.local import Family, weighed
from engine.scores.structure_prior import with_structure_prior
from tests.engine.make import random_data

pytest.importorskip("numba", reason="there is no compiler")
SCORES = [engine.K2(), engine.BDeu(1.0), engine.BDe(3.0)]


@pytest.fixture(autouse=True, scope="module")
def compiler() -> None:
    """Small scores too are compiled here."""
    climbing.prepare()


def families(data: engine.Dataset, seed: int, many: int) -> list[Family]:
    """Random families: some full, some that nothing may join, some whose configurations outnumber the rows."""
    generator = np.random.default_rng(seed)
    p, found = data.n_variables, []
    for _ in range(many):
        child = int(generator.integers(p))
        others = [x for x in range(p) if x != child]
        group = tuple(sorted(generator.choice(others, int(generator.integers(0, p)), replace=False).tolist()))
        among = generator.random(p) < generator.choice([0.0, 0.5, 1.0]) if generator.random() < 0.7 else None
        found.append(Family(child, group, (generator.random(p) < 0.3).astype(np.uint8) * REQUIRED, among))
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(SCORES), st.sampled_from([3, 80, 2_000]), st.booleans())
def test_every_family_weighs_the_same(seed: int, score: Any, rows: int, prior: bool) -> None:
    """Score, removals and additions, with and without a prior over structures."""
    data = random_data(rows, 7, 10, seed, levels=(2, 4))
    bound: Any = with_structure_prior(score.bind(data), 1.5) if prior else score.bind(data)
    asked = families(data, seed, 12)
    found = list(bound.weigher().weighed(asked))
    assert len(found) == len(asked)
    for family, one in zip(asked, found, strict=True):
        expected = weighed(bound, family)
        assert one.local == expected.local
        np.testing.assert_array_equal(one.removals, expected.removals)
        np.testing.assert_array_equal(one.additions, expected.additions)


def test_no_two_lngammas_share_a_key() -> None:
    """At the most rows that are weighed here, tables of many and of few cells beside each other."""
    from engine.counting.climbing.run import _score

    n = 2**30 - 1  # what comes first in the key of the greater would be shifted out of 64 bits
    assert dirichlet_weigher.fits(n) and not dirichlet_weigher.fits(10**11)
    assert dirichlet_weigher.most_cells(n) >= 2**23

    def score(q: int, keys: np.ndarray, noted: np.ndarray) -> float:
        table = np.zeros(2 * q, np.int64)
        table[:2] = 30, 70
        return float(_score(table, 0, q, 1, 2, 1, 0, 1.0, n, keys, noted))

    alone = [score(q, np.zeros(NOTED, np.uint64), np.zeros(NOTED)) for q in (2**21, 2**22)]
    keys, noted = np.zeros(NOTED, np.uint64), np.zeros(NOTED)
    assert [score(q, keys, noted) for q in (2**21, 2**22)] == alone
    assert alone[0] != alone[1]


def test_many_families_are_counted_in_few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """One round where the tables fit into the memory that is meant for them, more where they do not."""
    rounds: list[int] = []
    count = dirichlet_weigher.many_addition_counts

    def counted(data: engine.Dataset, requests: Any) -> Any:
        rounds.append(len(requests))
        return count(data, requests)

    monkeypatch.setattr(dirichlet_weigher, "many_addition_counts", counted)
    data = random_data(500, 9, 12, seed=2)
    asked = [Family(child, (), np.zeros(9, np.uint8), np.ones(9, dtype=bool)) for child in range(9)]
    list(engine.K2().bind(data).weigher().weighed(asked))  # type: ignore[union-attr]
    assert rounds == [9]
    rounds.clear()
    monkeypatch.setattr(dirichlet_weigher, "_MOST_CELLS", 1)
    list(engine.K2().bind(data).weigher().weighed(asked))  # type: ignore[union-attr]
    assert rounds == [1] * 9


def test_a_hill_climb_outside_counts_once_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """All children at the beginning, then one round for each move, of one child or of two."""
    rounds: list[int] = []
    count = dirichlet_weigher.many_addition_counts

    def counted(data: engine.Dataset, requests: Any) -> Any:
        rounds.append(len(requests))
        return count(data, requests)

    monkeypatch.setattr(dirichlet_weigher, "many_addition_counts", counted)
    monkeypatch.setattr(dirichlet_weigher, "_INSIDE", 0)
    data = random_data(800, 12, 20, seed=13)
    engine.learn(data, engine.BDeu(1.0), search="hill_climbing")
    assert rounds[0] == 12
    assert set(rounds[1:]) == {1, 2}


def test_levels_beyond_a_byte_have_no_weigher() -> None:
    """Their codes are wider than the kernels read."""
    codes = np.arange(600).reshape(2, 300) % np.array([[300], [2]])
    data = engine.Dataset.from_codes(codes, [300, 2], ["many", "two"])
    assert engine.K2().bind(data).weigher() is None
    assert engine.learn(data).number_of_nodes() == 2
