"""Candidates in lists against the plain matrix: the same steps, counts and refusals under every rule."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.graphs.chordal import DecomposableGraph
from engine.methods.log_linear import criteria
from engine.methods.log_linear import search as search_module
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import CRITERIA, MML, graph_term
from engine.methods.log_linear.ranking.candidates import Candidates
from engine.methods.log_linear.ranking.joint_moves import JointMoves
from engine.methods.log_linear.ranking.kept import KeptCandidates
from engine.methods.log_linear.ranking.matrix import MatrixCandidates
from engine.methods.log_linear.search import Search, Step
from tests.engine.methods.log_linear.make import groups, named

LOCAL = ("mml", "smt", "chi2", "bic", "kl")


class Plain(Search):
    """The same search over a matrix of all candidates, whatever their ranks."""

    def _listed(self) -> Candidates:
        return self._matrix()


def told(steps: list[Step]) -> list[tuple[Any, ...]]:
    """What a step is, but for the last digits of its margin."""
    return [
        (one.a, one.b, one.separator, one.edges, one.joint, round(one.margin, 6), one.table.cells.tolist(),
         one.table.counts.tolist())
        for one in steps
    ]  # fmt: skip


def random_start(variables: int, rng: np.random.Generator, share: float) -> DecomposableGraph:
    """A chordal graph with about this share of all edges."""
    graph = DecomposableGraph(variables)
    for a, b in itertools.combinations(range(variables), 2):
        if rng.random() < share and graph.separator(a, b) is not None:
            graph.add(a, b)
    return graph


def both(kind: type[Search], criterion: str, seed: int, case: tuple[float, float, int | None], drawn: bool) -> Search:
    """A search that has run, from a random start with some pairs forbidden."""
    share, forbidden, most = case
    rng = np.random.default_rng(seed)
    data = groups(150, 8, seed)
    if seed % 3 == 0:  # one variable with a single level, one that comes twice
        codes = np.vstack([data.codes[:-2], data.codes[0], np.zeros((1, 150), int)])
        data = named(codes, [*data.arity[:-2].tolist(), int(data.arity[0]), 1])
    graph = random_start(8, rng, share)
    barred = [pair for pair in itertools.combinations(range(8), 2) if rng.random() < forbidden]
    counts = Counts(data)
    search = kind(counts, CRITERIA[criterion](counts, 0.05, 1 if drawn else None), graph, barred, most)
    search.run(JointMoves(search).take_best if criterion in ("mml", "bic") and seed % 2 else None)
    return search


CASES = st.tuples(st.sampled_from([0.0, 0.2, 0.5]), st.sampled_from([0.0, 0.3]), st.sampled_from([None, 2, 3]))


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.sampled_from(LOCAL), CASES, st.booleans(), st.booleans())
def test_lists_find_what_the_matrix_finds(
    seed: int, criterion: str, case: tuple[float, float, int | None], drawn: bool, wide: bool
) -> None:
    """Steps, what was refused, and how many could still come; also with the floor of very many variables."""
    plain = both(Plain, criterion, seed, case, drawn)
    with pytest.MonkeyPatch.context() as patch:
        if wide and plain.graph.n_edges < plain.pairs // 4 and not (drawn and criterion in ("smt", "chi2")):
            patch.setattr(search_module, "MANY_PAIRS", 0)
            patch.setattr(criteria, "MANY_PAIRS", 0)
        listed = both(Search, criterion, seed, case, drawn)
        assert isinstance(listed.candidates, KeptCandidates) and isinstance(plain.candidates, MatrixCandidates)
        assert told(listed.steps) == told(plain.steps)
        assert listed.n_candidates == plain.n_candidates
        assert listed.spent == pytest.approx(plain.spent)
        for most in (1, 4, 40):
            assert told(listed.refused(most)) == told(plain.refused(most))


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.sampled_from(LOCAL))
def test_ranks_that_are_not_kept_are_never_taken(seed: int, criterion: str) -> None:
    """With everything kept, and with what is above the floor only, to the last bit."""
    found = []
    for everything in (True, False):
        counts = Counts(groups(150, 8, seed))
        search = Search(counts, CRITERIA[criterion](counts, 0.05), DecomposableGraph(8), everything=everything)
        search.run()
        found.append((search, [one.margin for one in search.steps]))
    (whole, margins), (part, others) = found
    assert margins == others
    assert told(whole.steps) == told(part.steps)
    kept, there = (len(one.candidates.listed()[2]) for one in (part, whole))
    assert kept <= there == whole.n_candidates == part.n_candidates


def test_the_floor_drops_most_of_what_cannot_pay() -> None:
    """Unrelated variables: of hundreds of pairs hardly any is kept, and yet as many are counted as there are."""
    rng = np.random.default_rng(0)
    counts = Counts(named(rng.integers(0, 4, (26, 4000)), [4] * 26))
    search = Search(counts, CRITERIA["bic"](counts, 0.05), DecomposableGraph(26))
    assert len(search.candidates.listed()[2]) < 5
    assert search.n_candidates == 325
    assert len(search.refused(20)) == 20


@pytest.mark.parametrize("edges", [0, 3, 10, 44])
def test_the_graph_term_is_never_below_the_floor(edges: int) -> None:
    """For every number of edges up to the one that is asked for; above 0 below half of all pairs."""
    counts = Counts(groups(50, 10, 0))
    floor = MML(counts, 0.05).floor(45, edges)
    assert floor == min(graph_term(45, before) for before in range(edges + 1))
    assert (floor > 0) == (2 * edges < 44)


def test_more_links_than_half_of_all_pairs_of_very_many_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then ranks would have to come back that were dropped: refused, with what to do."""
    monkeypatch.setattr(search_module, "MANY_PAIRS", 0)
    codes = np.repeat(np.random.default_rng(0).integers(0, 2, (1, 2000)), 6, axis=0)
    counts = Counts(named(codes, [2] * 6))
    search = Search(counts, CRITERIA["kl"](counts, 0.05), DecomposableGraph(6))
    with pytest.raises(engine.DataError, match="half of all pairs of 6 variables would be linked; choose fewer"):
        for a, b in itertools.combinations(range(6), 2):
            search.add(a, b, 1.0)
    assert search.graph.n_edges == 7


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
