"""Perturbed networks: what is different is what the truth says, and it differs as the notes say."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import DataError, SettingsError
from engine.graphs.dag import check_acyclic
from engine.models.network import Network, random_network
from engine.simulation import perturb
from engine.simulation.networks import random_dag

DRAWS = st.tuples(st.sampled_from(perturb.KINDS), st.integers(1, 5), st.integers(0, 10_000))


def network(seed: int, variables: int = 5, arcs: int = 4) -> Network:
    """A random network of 2 to 4 levels."""
    rng = np.random.default_rng(seed)
    return random_network(random_dag(variables, arcs, rng), rng.integers(2, 5, variables), rng)


def same_family(one: Network, two: Network, child: int) -> bool:
    """Whether a variable has the same parents and the same table in both."""
    return one.parents[child] == two.parents[child] and np.array_equal(one.tables[child], two.tables[child])


@settings(max_examples=60)
@given(DRAWS)
def test_what_is_perturbed_is_what_the_truth_says(drawn: tuple[str, int, int]) -> None:
    """Families outside the truth are untouched; the children of the changes are the truth; the network stays one."""
    kind, draws, seed = drawn
    pair = perturb.perturbed_pair(network(seed), kind, draws, np.random.default_rng(seed))
    assert len(pair.changes) == draws
    assert set(np.flatnonzero(pair.truth)) == {change.child for change in pair.changes}
    for child in range(5):
        if not pair.truth[child]:
            assert same_family(pair.original, pair.perturbed, child)
    check_acyclic(pair.perturbed.parents)
    for child, table in enumerate(pair.perturbed.tables):
        assert table.shape == (pair.perturbed.configurations(child), pair.perturbed.arities[child])
        assert np.allclose(table.sum(axis=1), 1.0) and (table >= 0).all()
    if kind == "parametric":
        assert pair.perturbed.parents == pair.original.parents
    if draws == 1:
        assert not same_family(pair.original, pair.perturbed, pair.changes[0].child)


@settings(max_examples=60)
@given(DRAWS)
def test_the_order_fits_both_networks_where_one_can(drawn: tuple[str, int, int]) -> None:
    """Every arc of either runs forward, always after one change; where two arcs are opposed, the original's do."""
    kind, draws, seed = drawn
    pair = perturb.perturbed_pair(network(seed), kind, draws, np.random.default_rng(seed))
    place = {variable: i for i, variable in enumerate(pair.order)}
    assert sorted(place) == list(range(5))

    def forward(net: Network) -> bool:
        return all(place[parent] < place[child] for child, family in enumerate(net.parents) for parent in family)

    assert forward(pair.original)
    both = nx.DiGraph()
    for net in (pair.original, pair.perturbed):
        both.add_edges_from((parent, child) for child, family in enumerate(net.parents) for parent in family)
    assert forward(pair.perturbed) or not nx.is_directed_acyclic_graph(both)
    assert draws > 1 or forward(pair.perturbed)


def test_an_arc_turned_leaves_the_order_of_the_original() -> None:
    """a -> b there, b -> a here: no order fits both."""
    rng = np.random.default_rng(0)
    one, two = (random_network(parents, [2, 2], rng) for parents in (((), (0,)), ((1,), ())))
    assert perturb.Pair(one, two, ()).order == (0, 1)
    assert perturb.Pair(two, one, ()).order == (1, 0)


@settings(max_examples=20)
@given(DRAWS)
def test_equal_seeds_give_equal_bits(drawn: tuple[str, int, int]) -> None:
    """And the original is left as it was."""
    kind, draws, seed = drawn
    original = network(seed)
    before = [table.copy() for table in original.tables]
    one, two = (perturb.perturbed_pair(original, kind, draws, np.random.default_rng(seed)) for _ in range(2))
    assert one.changes == two.changes
    assert all(same_family(one.perturbed, two.perturbed, child) for child in range(5))
    assert all(np.array_equal(a, b) for a, b in zip(before, original.tables, strict=True))


def test_one_row_is_permuted_and_never_by_the_identity() -> None:
    """All rows but one are as before; that one has the same numbers in another order; every variable and row comes."""
    original = network(3)
    seen = set()
    for seed in range(300):
        changed, change = perturb.permute_row(original, np.random.default_rng(seed))
        assert change.what == "permuted" and change.parent is None and change.configuration is not None
        old, new = original.tables[change.child], changed.tables[change.child]
        differing = np.flatnonzero((old != new).any(axis=1))
        assert differing.tolist() == [change.configuration]
        assert sorted(old[change.configuration]) == sorted(new[change.configuration])
        seen.add((change.child, change.configuration))
    assert {child for child, _ in seen} == set(range(5))
    assert len(seen) > 0.8 * sum(map(len, original.tables))


def test_variables_are_drawn_alike_whatever_their_tables() -> None:
    """A variable with one row is drawn as often as one with many: 1,000 draws, each about a fifth."""
    original = network(3)
    children = [perturb.permute_row(original, np.random.default_rng(seed))[1].child for seed in range(1000)]
    assert (np.abs(np.bincount(children, minlength=5) - 200) < 60).all()


def test_a_row_without_its_parent_is_the_mean_over_the_parent() -> None:
    """X2 given X0 and X1; without X1 the rows are means over its levels, by hand."""
    table = np.array([[0.1, 0.9], [0.3, 0.7], [0.8, 0.2], [0.2, 0.8], [0.5, 0.5], [0.8, 0.2]])
    levels = (("a", "b"), ("a", "b", "c"), ("a", "b"))
    tables = (np.array([[0.2, 0.8]]), np.array([[0.2, 0.3, 0.5]]), table)
    original = Network(("X0", "X1", "X2"), levels, ((), (), (0, 1)), tables)
    found = perturb.without_arc(original, 1, 2)
    assert found.parents == ((), (), (0,))
    assert np.allclose(found.tables[2], [[0.4, 0.6], [0.5, 0.5]])
    assert np.allclose(perturb.without_arc(original, 0, 2).tables[2], [[0.15, 0.85], [0.4, 0.6], [0.8, 0.2]])


@pytest.mark.parametrize(("parent", "axis"), [(0, 0), (2, 1)])
def test_one_level_of_a_new_parent_keeps_the_rows(parent: int, axis: int) -> None:
    """X3 had the parent X1: a slice at the kept level is the old table, the others are new; all levels have a turn."""
    original = random_network(((), (), (), (1,)), [3, 2, 3, 4], np.random.default_rng(0))
    kept = set()
    for seed in range(40):
        found = perturb.with_arc(original, parent, 3, np.random.default_rng(seed))
        assert found.parents[3] == tuple(sorted((1, parent)))
        shape = [int(found.arities[x]) for x in found.parents[3]]
        slices = np.moveaxis(found.tables[3].reshape(*shape, 4), axis, 0)
        same = [bool(np.array_equal(part, original.tables[3])) for part in slices]
        assert sum(same) == 1
        kept.add(same.index(True))
    assert kept == {0, 1, 2}
    with pytest.raises(DataError, match="circle"):
        perturb.with_arc(original, 3, 1, np.random.default_rng(0))


def test_arcs_come_and_go_alike() -> None:
    """About half of 400 draws remove an arc; every arc there is and every arc that could be has its turn."""
    original = network(8)
    removed, added = [], []
    for seed in range(400):
        changed, change = perturb.change_arc(original, np.random.default_rng(seed))
        assert change.parent is not None
        has = change.parent in original.parents[change.child], change.parent in changed.parents[change.child]
        assert has == ((True, False) if change.what == "removed" else (False, True))
        (removed if change.what == "removed" else added).append((change.parent, change.child))
    assert 160 <= len(removed) <= 240
    arcs = {(parent, child) for child, family in enumerate(original.parents) for parent in family}
    assert set(removed) == arcs
    possible = set()
    for parent, child in ((a, b) for a in range(5) for b in range(5) if a != b and (a, b) not in arcs):
        families = [set(family) | ({parent} if i == child else set()) for i, family in enumerate(original.parents)]
        try:
            check_acyclic(families)
        except DataError:
            continue
        possible.add((parent, child))
    assert set(added) == possible


def test_without_arcs_one_is_added_and_with_all_one_is_removed() -> None:
    """Whatever the coin says."""
    for arcs, what in ((0, "added"), (3, "removed")):
        found = [perturb.change_arc(network(1, 3, arcs), np.random.default_rng(seed))[1].what for seed in range(20)]
        assert set(found) == {what}


def test_both_groups_come_from_their_own_network() -> None:
    """As many rows of each, a group column at the end, shares near each network's own; equal seeds equal rows."""
    plain = random_network(((), (0,)), [2, 2], np.random.default_rng(4))
    other = Network(plain.names, plain.levels, plain.parents, (plain.tables[0][:, ::-1].copy(), plain.tables[1]))
    pair = perturb.Pair(plain, other, (perturb.Change("permuted", 0, configuration=0),))
    data = pair.sample(20_000, np.random.default_rng(0), group="arm")
    assert data.names == (*plain.names, "arm") and data.levels["arm"] == ("original", "perturbed")
    groups = data.split("arm")
    for label, net in (("original", plain), ("perturbed", other)):
        assert groups[label].n_rows == 20_000
        assert np.mean(groups[label].column(plain.names[0]) == 0) == pytest.approx(net.tables[0][0, 0], abs=0.015)
    assert np.array_equal(data.codes, pair.sample(20_000, np.random.default_rng(0), group="arm").codes)
    with pytest.raises(SettingsError, match="group column"):
        pair.sample(10, np.random.default_rng(0), group=plain.names[1])


def test_what_cannot_be_is_said() -> None:
    """Kinds, draws, and networks in which nothing can change."""
    rng = np.random.default_rng(0)
    with pytest.raises(SettingsError, match="'structural'"):
        perturb.perturbed_pair(network(0), "both", 1, rng)
    with pytest.raises(SettingsError, match="from 1 up"):
        perturb.perturbed_pair(network(0), "parametric", 0, rng)
    with pytest.raises(SettingsError, match="two levels"):
        perturb.permute_row(random_network(((),), [1], rng), rng)
    with pytest.raises(SettingsError, match="single variable"):
        perturb.change_arc(random_network(((),), [2], rng), rng)
