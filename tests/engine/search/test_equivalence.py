"""GES against Chickering's theorem, brute force over all classes, the exact optimum, and reordering."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.execution import silent
from engine.graphs.pdag import Pdag, complete, extend
from engine.scores.local import BoundScore
from engine.search import class_moves
from engine.search.class_moves import Admitted, Candidates
from engine.search.equivalence import delete, ges, insert
from tests.engine.make import random_data
from tests.engine.search.classes import (
    Dag,
    all_classes,
    arcs,
    key_of,
    members,
    one_less,
    one_more,
    slow_ges,
    total,
    union,
    with_arcs,
)

FREE = {p: engine.Knowledge().constraints([f"v{i}" for i in range(p)]) for p in range(1, 31)}


class PerArc:
    """A score plus a constant for every arc, so that all additions gain (or all deletions)."""

    def __init__(self, score: BoundScore, bonus: float) -> None:
        self.score, self.bonus, self.n_variables = score, bonus, score.n_variables

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        return self.score.local(child, parents) + self.bonus * len(parents)

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        return self.score.additions(child, parents, among) + self.bonus * (len(parents) + 1)


def bdeu(data: engine.Dataset) -> BoundScore:
    """The score that most tests use, with its data."""
    return engine.BDeu(1.0).bind(data)


def dag_of(graph: Pdag) -> Dag:
    """One member of the class of a graph."""
    parents = extend(graph)
    assert parents is not None
    return tuple(map(frozenset, parents))


@pytest.mark.parametrize("inserting", [True, False])
def test_the_operators_are_chickerings_theorem(inserting: bool) -> None:
    """From each of the 185 classes of four variables the valid operators lead to exactly the classes one arc away, and
    gain what the score of the class gains."""
    plain = bdeu(random_data(150, 4, 5, seed=3))
    bonus = 1e4 if inserting else -1e4
    score = PerArc(plain, bonus)
    candidates = Candidates(score, FREE[4], Admitted(FREE[4]), False, silent)
    propose, make, far = (candidates.inserts, insert, one_more) if inserting else (candidates.deletes, delete, one_less)
    moves = 0
    for key, group in all_classes(4).items():
        graph = complete(group[0])
        reached = set()
        for move in propose(graph, range(4), lambda: None):
            after = make(graph, move)
            if after is None:
                continue
            dag = dag_of(after)
            assert complete(dag) == after  # it is a CPDAG
            assert move.gain == pytest.approx(total(score, dag) - total(score, group[0]), abs=1e-6)
            assert (move.x, move.y) not in arcs(graph) or not inserting
            reached.add(key_of(dag))
            moves += 1
        assert reached == far(all_classes(4)[key])
    assert moves > 500


@pytest.mark.parametrize("seed", range(12))
def test_ges_is_the_slow_definition_over_all_classes(seed: int) -> None:
    """Over four variables every step goes to the best of all classes one arc away, and where it ends no class one arc
    less scores higher; mostly it is the best class there is."""
    score = bdeu(random_data(200, 4, 5, seed))
    found = ges(score, FREE[4])
    group = slow_ges(score)
    assert arcs(found) == union(group)
    assert total(score, dag_of(found)) == pytest.approx(total(score, group[0]), rel=1e-12)


def test_ges_mostly_finds_the_best_of_all_classes() -> None:
    """Among twelve tables of four variables the best of all 185 classes is found in at least ten."""
    best = 0
    for seed in range(12):
        score = bdeu(random_data(200, 4, 5, seed))
        top = max(total(score, group[0]) for group in all_classes(4).values())
        reached = total(score, dag_of(ges(score, FREE[4])))
        assert reached <= top + 1e-6
        best += reached >= top - 1e-6
    assert best >= 10


@pytest.mark.parametrize("seed", range(6))
def test_eight_variables_reach_the_exact_optimum_or_a_proven_local_one(seed: int) -> None:
    """The score is the exact optimum's, or no class one arc away from any member, more or less, scores higher."""
    data = random_data(400, 8, 10, seed)
    score = bdeu(data)
    dag = dag_of(ges(score, FREE[8]))
    reached = total(score, dag)
    best = engine.log_score(data, engine.learn(data, engine.BDeu(1.0), search="exact"), engine.BDeu(1.0)).sum()
    assert reached <= best + 1e-6
    if reached < best - 1e-6:
        neighbours = 0
        for one in members(dag):
            for x, child in itertools.permutations(range(8), 2):
                other = with_arcs(one, removed=(x, child)) if x in one[child] else with_arcs(one, added=(x, child))
                if x in one[child] or nx.is_directed_acyclic_graph(nx.DiGraph(list(union([other])))):
                    assert total(score, other) <= reached + 1e-6
                    neighbours += 1
        assert neighbours > 28  # every pair, and most of them in several ways


def weak_alone(rows: int = 2000) -> engine.Dataset:
    """c follows a; b only says how closely, and alone says nothing about c."""
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 2, (2, rows))
    c = rng.random(rows) < np.array([[0.02, 0.4], [0.98, 0.6]])[a, b]
    return engine.Dataset.from_codes(np.array([a, b, c], dtype=np.uint8), [2, 2, 2], ["a", "b", "c"])


def test_the_shortcut_misses_what_is_weak_alone() -> None:
    """The full search finds both causes, the shortcut only the one that shows by itself."""
    data = weak_alone()
    assert set(engine.learn(data, search="ges").edges) == {("a", "c"), ("b", "c")}
    assert set(engine.learn(data, search="ges", fast=True).edges) == {("a", "c"), ("c", "a")}


def test_the_shortcut_joins_only_what_shows_alone() -> None:
    """Both ends of every edge of the shortcut's graph gain from the other alone, and on most tables nothing is lost."""
    for seed in range(5):
        data = random_data(300, 10, 14, seed)
        score = bdeu(data)
        found = arcs(ges(score, FREE[10], fast=True))
        assert found
        assert all(score.local(child, (x,)) > score.local(child, ()) for x, child in found)


def exclusive_or(rows: int = 400) -> engine.Dataset:
    """c is a xor b, seen through five wrong rows in a hundred: no pair shows anything."""
    rng = np.random.default_rng(1)
    a, b, wrong = rng.integers(0, 2, rows), rng.integers(0, 2, rows), rng.random(rows) < 0.05
    return engine.Dataset.from_codes(np.array([a, b, a ^ b ^ wrong], dtype=np.uint8), [2, 2, 2], ["a", "b", "c"])


def test_the_search_goes_on_from_its_start() -> None:
    """An exclusive or is not found from the empty graph and is kept from the complete one, less no edge that helps."""
    score = bdeu(exclusive_or())
    assert arcs(ges(score, FREE[3])) == set()
    full = complete(((), (0,), (0, 1)))
    found = ges(score, FREE[3], start=full)
    assert arcs(found) == union(slow_ges(score, start=(frozenset(), frozenset({0}), frozenset({0, 1}))))
    assert len(arcs(found)) == 2
    assert ges(score, FREE[3], start=found) == found


def test_a_score_that_is_not_equivalent_is_only_asked_for_numbers() -> None:
    """K2 runs from a given start too, ends in a CPDAG, and does not change the graph it was given."""
    data = random_data(300, 8, 12, seed=2)
    start = ges(bdeu(data), FREE[8])
    kept = start.copy()
    found = ges(engine.K2().bind(data), FREE[8], start=start)
    assert start == kept
    assert complete(extend(found)) == found


@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_reordering_changes_nothing(seed: int, rng) -> None:
    """Columns, rows and levels may come in any order, also where a column stands there twice and everything ties."""
    data = random_data(120, 6, 8, seed)
    twice = np.vstack([data.codes, data.codes[:1]])
    sizes = [*map(int, data.arity), int(data.arity[0])]
    names = [*data.names, "copy"]
    found = engine.learn(engine.Dataset.from_codes(twice, sizes, names), search="ges", structure_prior=1.0)
    columns = rng.sample(range(7), 7)
    rows = rng.sample(range(120), 120)
    codes = twice[columns][:, rows]
    for place, column in enumerate(columns):
        codes[place] = np.array(rng.sample(range(sizes[column]), sizes[column]), dtype=np.uint8)[codes[place]]
    other = engine.Dataset.from_codes(codes, [sizes[c] for c in columns], [names[c] for c in columns])
    assert set(engine.learn(other, search="ges", structure_prior=1.0).edges) == set(found.edges)


def test_equal_runs_give_equal_graphs() -> None:
    """The same data twice give the same edges in the same order, and the shortcut does too."""
    data = random_data(300, 12, 18, seed=9)
    for fast in (False, True):
        first, second = (engine.learn(data, search="ges", fast=fast) for _ in range(2))
        assert list(first.edges) == list(second.edges)
        assert list(first.nodes) == list(data.names)


def test_ties_go_to_the_lowest_names() -> None:
    """With a column and its two copies the first two names are joined first, and the third to the lowest of them."""
    column = np.random.default_rng(0).integers(0, 2, 200).astype(np.uint8)
    data = engine.Dataset.from_codes(np.array([column] * 3), [2, 2, 2], ["c", "a", "b"])
    found = engine.learn(data, search="ges", structure_prior=0.01)
    assert set(map(frozenset, found.edges)) == {frozenset("ab"), frozenset("ac")}


@given(st.integers(0, 10_000))
@settings(max_examples=30)
def test_cliques_are_all_complete_sets_over_a_root(seed: int) -> None:
    """Every complete set that holds a root comes once, smaller additions first, and none above the size."""
    rng = np.random.default_rng(seed)
    near = np.triu(rng.random((6, 6)) < 0.6, 1)
    near |= near.T
    touching = {i: int(sum(1 << j for j in range(6) if near[i, j])) for i in range(6)}
    roots = [0b1, 0b110] if seed % 2 else [0]
    expected = {
        mask
        for mask in range(64)
        if any(mask & root == root for root in roots)
        and mask.bit_count() <= 4
        and all(near[i, j] for i, j in itertools.combinations([i for i in range(6) if mask >> i & 1], 2))
    }
    found = list(class_moves._cliques(touching, roots, 0b111111, 4))
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_progress_rises_to_its_end_and_cancelling_travels() -> None:
    """Fractions never fall and stay within 0..1; Cancelled comes out of any call."""
    data = random_data(200, 8, 12, seed=1)
    heard: list[float] = []
    engine.learn(data, search="ges", progress=lambda fraction, words: heard.append(fraction))
    assert heard == sorted(heard)
    assert heard[0] >= 0
    assert heard[-1] <= 1
    assert len(heard) > 10
    for call in (0, 9, len(heard) - 1):
        left = iter(range(call))

        def stop(fraction: float, words: str, left=left) -> None:
            if next(left, None) is None:
                raise engine.Cancelled

        with pytest.raises(engine.Cancelled):
            engine.learn(data, search="ges", progress=stop)


def test_the_smallest_tables_have_their_graph() -> None:
    """One variable, a column of one level that never varies, and a limit of no parents need no special care."""
    one = engine.Dataset.from_codes(np.zeros((1, 10), dtype=np.uint8), [2], ["a"])
    assert list(engine.learn(one, search="ges", structure_prior=1.0).nodes) == ["a"]
    pair = [0, 1] * 10
    three = engine.Dataset.from_codes(np.array([[0] * 20, pair, pair], dtype=np.uint8), [1, 2, 2], ["a", "b", "c"])
    assert set(engine.learn(three, search="ges").edges) == {("b", "c"), ("c", "b")}
    assert not engine.learn(three, search="ges", max_parents=0, fast=True).edges
