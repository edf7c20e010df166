"""GES against Chickering's theorem, brute force over all classes, the exact optimum, and reordering."""

from __future__ import annotations

import numpy as np

from engine.execution import silent
from engine.graphs.pdag import complete
from engine.search import class_moves
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
