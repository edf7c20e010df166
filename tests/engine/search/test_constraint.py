"""PC-stable with an oracle, under knowledge, and whatever the order of the columns."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import engine
from engine.graphs.dag import Parents, to_networkx
from engine.graphs.pdag import complete
from engine.search.constraint import Skeleton, directed, separated_triples, skeleton
from engine.search.constraints import Constraints
from tests.engine.make import random_data
from tests.engine.search.normal import network, problem


class Oracle:
    """Knows the DAG: independent is what it separates."""

    def __init__(self, parents: Parents) -> None:
        self.n_variables = len(parents)
        self.graph = to_networkx(parents, range(len(parents)))

    def p_values(self, x: int, y: int, groups: np.ndarray) -> np.ndarray:
        return np.array([float(nx.is_d_separator(self.graph, {x}, {y}, set(group))) for group in groups.tolist()])


def free(p: int) -> Constraints:
    """Nothing is known."""
    return engine.Knowledge().constraints([str(i) for i in range(p)])


@pytest.mark.parametrize("seed", range(12))
def test_with_an_oracle_it_is_the_class_of_the_dag(seed: int) -> None:
    """The CPDAG, edge for edge."""
    parents = network(8, seed, neighbours=3.0)[1]
    found = skeleton(Oracle(parents), free(8))
    assert directed(found, free(8), separated_triples(found)) == complete(parents)


class CountingOracle(Oracle):
    """Notes the size of the set of every test."""

    def __init__(self, parents: Parents) -> None:
        super().__init__(parents)
        self.sizes: list[int] = []

    def p_values(self, x: int, y: int, groups: np.ndarray) -> np.ndarray:
        self.sizes += [groups.shape[1]] * len(groups)
        return super().p_values(x, y, groups)


def test_no_size_of_two_and_more_has_more_tests_than_asked_for() -> None:
    """Then links stay, and no later size is tested; given one other variable all are."""
    parents = network(10, 1, neighbours=4.0)[1]
    whole, bounded = CountingOracle(parents), CountingOracle(parents)
    links = skeleton(whole, free(10))
    most = whole.sizes.count(2) // 2
    more = skeleton(bounded, free(10), most_tests=most)
    assert max(whole.sizes) > 2 and whole.sizes.count(2) > most
    assert bounded.sizes == [size for size in whole.sizes if size < 2]
    assert all(few & many == few for few, many in zip(links.adjacent, more.adjacent, strict=True))
    assert skeleton(Oracle(parents), free(10), most_tests=1e9) == links


def test_on_the_true_correlations_of_many_rows_it_finds_the_class() -> None:
    """Fisher's z with a million rows is nearly an oracle."""
    for seed in range(4):
        matrix, parents = network(10, seed, neighbours=2.0)
        found = engine.PC(alpha=0.001).find(problem(matrix, rows=1_000_000))
        assert found.cpdag == complete(parents)


def test_claims_against_each_other_are_not_heard() -> None:
    """0 -> 1 <- 2 and 1 -> 2 <- 3 want the edge of 1 and 2 both ways; 0 -> 4 <- 3, which nobody contradicts, stands."""
    edges = [(0, 1), (1, 2), (2, 3), (0, 4), (3, 4)]
    adjacent = tuple(sum(1 << a + b - i for a, b in edges if i in (a, b)) for i in range(5))
    apart = {(0, 2): 0, (1, 3): 0, (0, 3): 0, (1, 4): 1 << 0, (2, 4): 1 << 3}
    given = Skeleton(adjacent, apart)
    found = directed(given, free(5), separated_triples(given))
    assert found.parents == [0, 0, 0, 0, 0b1001]
    assert found.neighbours == [0b00010, 0b00101, 0b01010, 0b00100, 0]


@pytest.mark.parametrize("test", ["chi_squared", "g_squared", "jonckheere", "fisher_z"])
def test_the_order_of_columns_changes_nothing(test: str) -> None:
    """The same edges by name, with every test."""
    data = random_data(300, 8, 10, 3)
    shuffled = data.select([data.names[i] for i in np.random.default_rng(0).permutation(8)])
    one, two = (engine.learn(each, search=engine.PC(test=test)) for each in (data, shuffled))
    assert set(one.edges) == set(two.edges)
    assert one.number_of_edges()


def test_knowledge_is_kept() -> None:
    """Forbidden both ways: no edge; one way: the other way; required: kept, whatever the tests say."""
    data = random_data(400, 6, 9, 8)
    plain = engine.learn(data, search="pc")
    a, b = next((a, b) for a, b in plain.edges)
    without = engine.learn(data, search="pc", forbidden=[(a, b), (b, a)])
    assert not without.has_edge(a, b)
    assert not without.has_edge(b, a)
    oneway = engine.learn(data, search="pc", forbidden=[(a, b)])
    assert oneway.has_edge(b, a)
    assert not oneway.has_edge(a, b)
    apart = next(pair for pair in nx.non_edges(plain.to_undirected()))
    kept = engine.learn(data, search="pc", required=[apart])
    assert kept.has_edge(*apart)
    assert not kept.has_edge(*apart[::-1])
    tiers = [data.names[3:], data.names[:3]]
    for source, target in engine.learn(data, search="pc", tiers=tiers).edges:
        assert not (source in tiers[1] and target in tiers[0])


def test_a_required_arc_is_in_the_skeleton_untested() -> None:
    """So that it counts among the neighbours that others are tested given."""
    parents = ((), (), ())
    known = engine.Knowledge(required=[("2", "0")]).constraints(["0", "1", "2"])
    assert skeleton(Oracle(parents), known).adjacent == (0b100, 0, 0b001)


@pytest.mark.parametrize("alpha", [0.0, 1.0, "some", True])
def test_a_level_that_cannot_be_is_refused(alpha: object) -> None:
    """It lies between 0 and 1."""
    with pytest.raises(engine.SettingsError, match="alpha is"):
        engine.PC(alpha=alpha)  # type: ignore[arg-type]
