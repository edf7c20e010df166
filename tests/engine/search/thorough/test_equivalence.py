"""GES against Chickering's theorem, brute force over all classes, the exact optimum, and reordering."""

from __future__ import annotations

import numpy as np
import pytest

from engine.execution import silent
from engine.graphs.pdag import complete
from engine.search import class_moves, equivalence
from engine.search.class_moves import Admitted, Candidates
from engine.search.equivalence import ges
from tests.engine.make import random_data
from tests.engine.search.classes import (
    union,
)
from tests.engine.search.test_equivalence import FREE, PerArc, bdeu, dag_of


def test_a_hub_of_sixteen_mutual_neighbours_ends_soon() -> None:
    """Looking at no more than MOST_CLIQUES cliques keeps a complete graph of sixteen variables within reach."""
    score = PerArc(bdeu(random_data(60, 18, 0, seed=1, levels=(2, 2))), 0.0)
    graph = complete(tuple(tuple(range(i)) if i < 16 else () for i in range(18)))
    candidates = Candidates(score, FREE[18], Admitted(FREE[18]), False, silent)
    families = set()

    def noted(child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        families.add(parents)
        return PerArc.additions(score, child, parents, among)

    score.additions = noted  # type: ignore[method-assign]
    assert all(move.clique.bit_count() <= 4 for move in candidates.inserts(graph, [0], lambda: None))
    assert len(families) == class_moves.MOST_CLIQUES - 1  # no parents at all: known since the beginning
    found = ges(score, FREE[18], start=graph)
    assert len(union([dag_of(found)])) < 60


class Drawn:
    """Every family has a score drawn from a hat: rugged, so that long and odd ways are gone."""

    def __init__(self, p: int, seed: int) -> None:
        self.n_variables, self.seed = p, seed

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        return float(np.random.default_rng([self.seed, child, len(parents), *parents]).normal())

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        return np.array(
            [
                self.local(child, tuple(sorted((*parents, x)))) if x != child and x not in parents else -np.inf
                for x in range(self.n_variables)
            ]
        )


@pytest.mark.parametrize("seed", range(30))
def test_looking_only_where_something_changed_loses_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Going through all variables anew after every move makes the same moves, upwards and down from a full graph."""
    score = Drawn(7, seed)
    start = complete(tuple(tuple(range(i)) for i in range(7))) if seed % 2 else None
    found = ges(score, FREE[7], start=start)
    monkeypatch.setattr(equivalence, "_changed", lambda before, after, move: list(range(7)))
    assert ges(score, FREE[7], start=start) == found
