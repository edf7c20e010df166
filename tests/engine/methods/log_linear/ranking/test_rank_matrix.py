"""The matrix of ranks against one that is looked through whole, and how often a search asks the rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graphs.chordal import DecomposableGraph
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import CRITERIA
from engine.methods.log_linear.search import JointMoves, RankMatrix, Search
from tests.engine.methods.log_linear.make import groups


def check(matrix: RankMatrix, plain: np.ndarray) -> None:
    """The best edge, how many there are, partners and best rows are those of the plain matrix."""
    upper = np.triu(np.ones(plain.shape, dtype=bool), k=1)
    near = np.argwhere(upper & (plain > -np.inf) & (plain >= plain.max() - 1e-9)).tolist()
    assert matrix.best() == ((*near[0], plain[tuple(near[0])]) if near else None)
    assert matrix.count == np.count_nonzero(upper & (plain > -np.inf))
    assert matrix.ranks.tolist() == plain.tolist()
    for a, row in enumerate(plain):
        assert matrix.partners(a).tolist() == np.flatnonzero(row > -np.inf).tolist()
    pairs = sorted(np.argwhere(upper & (plain > -np.inf)).tolist(), key=lambda pair: (-plain[tuple(pair)], pair))
    for most in (1, 3, 40):
        low, high, ranks = matrix.best_rows(most)
        there = set(zip(low.tolist(), high.tolist(), ranks.tolist(), strict=True))
        assert {(a, b, plain[a, b]) for a, b in pairs[:most]} <= there


@settings(max_examples=80)
@given(st.integers(2, 8), st.integers(0, 10_000), st.integers(1, 12))
def test_the_best_edge_after_every_change(n: int, seed: int, changes: int) -> None:
    """Ranks that rise, fall, come and are struck, many of them equal."""
    rng = np.random.default_rng(seed)
    plain = np.triu(rng.choice([-np.inf, 0.0, 1.0, 2.0, 3.5], (n, n)), k=1)
    plain[np.tril_indices(n)] = -np.inf
    plain = np.maximum(plain, plain.T)
    matrix = RankMatrix(plain.copy(), 1e-9)
    check(matrix, plain)
    for _ in range(changes):
        if rng.random() < 0.5:
            a = int(rng.integers(n))
            others = np.setdiff1d(rng.choice(n, int(rng.integers(1, n))), [a])
            ranks = rng.choice([0.0, 1.0, 2.0, 4.0], len(others))
            plain[a, others] = plain[others, a] = ranks
            matrix.replace(a, others, ranks)
        else:
            side = rng.random(n) < 0.5
            one, other = np.flatnonzero(side), np.flatnonzero(~side)[: int(rng.integers(1, n))]
            if not len(one) or not len(other):
                continue
            plain[np.ix_(one, other)] = plain[np.ix_(other, one)] = -np.inf
            matrix.strike(sum(1 << int(x) for x in one), sum(1 << int(x) for x in other))
        check(matrix, plain)


@pytest.mark.parametrize("rows", [150, 400])
def test_what_was_refused_is_the_best_of_what_is_left(rows: int) -> None:
    """After the run: by rank, ties in alphabetical order, each with its separator and its counts."""
    counts = Counts(groups(rows, 9, 4))
    search = Search(counts, CRITERIA["bic"](counts, 0.05), DecomposableGraph(9))
    search.run()
    low, high = np.nonzero(np.triu(search.candidates.ranks > -np.inf, k=1))
    ranks = search.candidates.ranks[low, high]
    order = np.lexsort((high, low, -np.round(ranks, 6)))
    for most in (1, 4, 40):
        refused = search.refused(most)
        assert [(one.a, one.b) for one in refused] == [(low[x], high[x]) for x in order[:most]]
        for step in refused:
            assert step.separator == search.graph.neighbours[step.a] & search.graph.neighbours[step.b]
            assert step.table.variables[-2:] == (step.a, step.b) and step.table.counts.sum() == rows


@pytest.mark.parametrize("joint", [False, True])
def test_a_step_asks_the_rows_once(joint: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows may be far away: all pairs once, then no more than one question a step; two more a round of two at once."""
    data = groups(3000, 9, 5)
    asked = []
    totals = type(data.store).totals
    monkeypatch.setattr(
        type(data.store), "totals", lambda self, *rest: asked.append(rest[0].__name__) or totals(self, *rest)
    )
    counts = Counts(data)
    search = Search(counts, CRITERIA["bic"](counts, 0.05), DecomposableGraph(9))
    assert asked == ["rows_of_pairs"]
    asked.clear()
    rounds = []
    together = JointMoves(search).take_best
    search.run((lambda: rounds.append(1) or together()) if joint else None)
    assert len(search.steps) > 6
    assert len(asked) <= len(search.steps) + 2 * len(rounds)
    asked.clear()
    search.refused(20)
    assert len(asked) <= 1
