"""Simulated networks: what the docstrings promise, against slow and obvious versions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from engine.errors import SettingsError
from engine.graphs.dag import check_acyclic
from engine.simulation import networks as simulate
from engine.simulation.networks import ContextNetwork, random_context_network


def network(seed: int = 0, variables: int = 12, arcs: int = 24) -> ContextNetwork:
    """A small network that has several contexts."""
    return random_context_network(variables, arcs, np.random.default_rng(seed))


def configurations(net: ContextNetwork, child: int) -> list[tuple[int, ...]]:
    """All values of a child's parents, in the order of the rows of its table."""
    return list(itertools.product(*(range(net.arities[parent]) for parent in net.parents[child])))


@pytest.mark.parametrize(("variables", "arcs"), [(2, 0), (2, 1), (10, 45), (50, 100)])
def test_dags_have_exactly_the_arcs_asked_for(variables: int, arcs: int) -> None:
    """No arc twice, no loop, no cycle."""
    parents = simulate.random_dag(variables, arcs, np.random.default_rng(3))
    assert sum(map(len, parents)) == arcs
    assert all(len(set(family)) == len(family) and child not in family for child, family in enumerate(parents))
    check_acyclic(parents)


def test_dags_do_not_follow_the_column_order() -> None:
    """Arcs run up and down the columns about equally often, and every pair has its turn."""
    up = down = 0
    pairs = set()
    for seed in range(200):
        for child, family in enumerate(simulate.random_dag(5, 4, np.random.default_rng(seed))):
            up += sum(parent < child for parent in family)
            down += sum(parent > child for parent in family)
            pairs |= {(parent, child) for parent in family}
    assert abs(up - down) < 120  # of 800: more than four standard deviations
    assert len(pairs) == 20


def test_too_many_arcs_are_refused() -> None:
    """The sentence says how many there is room for."""
    with pytest.raises(SettingsError, match="0 to 3 arcs"):
        simulate.random_dag(3, 4, np.random.default_rng(0))


def test_tables_are_what_a_loop_makes_of_the_same_random_numbers() -> None:
    """Row by row: the most uneven of 100, then five times the farthest from its own old value."""
    rows, levels = 6, 3
    rng = np.random.default_rng(11)
    table = [[0.0] * levels for _ in range(rows)]
    for turn in range(6):
        for row in range(rows):
            old, best, farthest = table[row], None, -1.0
            for trial in range(100):
                weights = [rng.random() for _ in range(levels)]
                new = [weight / sum(weights) for weight in weights]
                distance = sum((a - b) ** 2 for a, b in zip(new, old, strict=True))
                if distance > farthest and not (turn == 0 and row == 0 and trial > 0):
                    best, farthest = new, distance
            assert best is not None
            table[row] = best
    assert np.allclose(simulate.near_deterministic_table(rows, levels, np.random.default_rng(11)), table)


def test_tables_are_nearly_deterministic_only_where_there_are_parents() -> None:
    """The largest probability of a row is near 1 with parents, and ordinary without."""
    rng = np.random.default_rng(1)
    with_parents = np.concatenate([simulate.near_deterministic_table(4, 2, rng).max(axis=1) for _ in range(50)])
    without = np.concatenate([simulate.near_deterministic_table(1, 2, rng).max(axis=1) for _ in range(200)])
    assert with_parents.mean() > 0.97
    assert 0.6 < without.mean() < 0.8


def test_rows_of_a_context_are_equal_and_others_are_not() -> None:
    """Rows are equal exactly where the same context holds; a slow look at every pair of rows."""
    net = network()
    met = 0
    for child, family in enumerate(net.parents):
        assert np.allclose(net.tables[child].sum(axis=1), 1)
        assert len(net.tables[child]) == len(configurations(net, child))
        case = np.zeros(len(net.names), dtype=np.int64)
        labels = []
        for values in configurations(net, child):
            case[list(family)] = values
            labels.append(next((k for k, context in enumerate(net.contexts[child]) if context.holds(case)), None))
        for (i, a), (j, b) in itertools.combinations(enumerate(labels), 2):
            same = a is not None and a == b
            met += same
            assert np.array_equal(net.tables[child][i], net.tables[child][j]) == same
    assert met > 10


def test_contexts_are_nested_in_parents_and_no_case_is_in_two() -> None:
    """Keys grow by one parent, leave one out, and repeat no value of a parent."""
    sizes = set()
    for seed in range(20):
        net = network(seed)
        for child, family in enumerate(net.parents):
            contexts = net.contexts[child]
            assert bool(contexts) == (len(family) > 1)
            for size, context in enumerate(contexts, start=1):
                assert len(context.key) == size < len(family)
                assert set(context.parents) <= set(family)
                assert context.parents == tuple(sorted({parent for parent, _ in context.key}))
            for a, b in itertools.pairwise(contexts):
                assert set(a.parents) < set(b.parents)
            cells = [cell for context in contexts for cell in context.key]
            assert len(set(cells)) == len(cells)
            sizes.add(len(contexts))
    assert {0, 1, 2} <= sizes


def test_the_truth_for_a_case_drops_the_parents_that_its_rows_do_not_depend_on() -> None:
    """A dropped parent changes no probability of this case's row, a parent kept changes some row of it."""
    net = network(5)
    data = net.sample(200, np.random.default_rng(0))
    dropped = 0
    for case in data.codes.T.astype(np.int64):
        truth = net.instance_dag(case)
        changed = tuple(v for v in range(len(net.names)) if truth[v] != net.parents[v])
        assert changed == net.nodes_in_context(case)
        for child in changed:
            where = {values: row for row, values in enumerate(configurations(net, child))}
            own = where[tuple(case[list(net.parents[child])])]
            for parent in set(net.parents[child]) - set(truth[child]):
                dropped += 1
                for value in range(net.arities[parent]):
                    other = case.copy()
                    other[parent] = value
                    row = where[tuple(other[list(net.parents[child])])]
                    assert np.array_equal(net.tables[child][row], net.tables[child][own])
    assert dropped > 100


def test_frequencies_are_those_of_the_tables() -> None:
    """Rows counted one by one stand within four standard errors of every probability."""
    net = network(2, variables=6, arcs=8)
    data = net.sample(20_000, np.random.default_rng(7))
    assert data.names == net.names
    for child, family in enumerate(net.parents):
        for row, values in enumerate(configurations(net, child)):
            agree = np.all([data.codes[p] == v for p, v in zip(family, values, strict=True)], axis=0)
            agree = np.broadcast_to(agree, data.n_rows)
            n = int(agree.sum())
            if n < 50:
                continue
            for level in range(net.arities[child]):
                chance = net.tables[child][row, level]
                share = np.count_nonzero(data.codes[child][agree] == level) / n
                assert abs(share - chance) <= 4.5 * np.sqrt(max(chance * (1 - chance), 1 / n) / n)


def test_equal_seeds_give_equal_bits() -> None:
    """The network and its rows; another seed gives another network."""
    one, two, other = network(4), network(4), network(6)
    assert one.parents == two.parents and one.contexts == two.contexts
    assert all(np.array_equal(a, b) for a, b in zip(one.tables, two.tables, strict=True))
    first, again = (net.sample(50, np.random.default_rng(1)).fingerprint for net in (one, two))
    assert first == again
    assert one.parents != other.parents
