"""Networks to draw from: tables against counts by loops, rows against tables, random DAGs of two kinds."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import DataError, SettingsError
from engine.graphs.dag import check_acyclic
from engine.models.network import MAX_CELLS, Network, check_size, fitted, random_network
from engine.simulation import networks as simulate
from tests.engine.make import random_data
from tests.notebooks import frame_document

COLLIDER = ((), (), (0, 1))


def test_tables_are_posterior_means() -> None:
    """Row by row and level by level: (rows of it + 1) / (rows of the configuration + levels)."""
    data = random_data(60, 4, 4, seed=1)
    parents = ((), (0,), (0, 1), (2,))
    network = fitted(data, parents)
    for child, family in enumerate(parents):
        levels = int(data.arity[child])
        for row, values in enumerate(itertools.product(*(range(data.arity[x]) for x in family))):
            here = [r for r in range(60) if all(data.codes[x][r] == v for x, v in zip(family, values, strict=True))]
            for level in range(levels):
                count = sum(data.codes[child][r] == level for r in here)
                assert network.tables[child][row, level] == pytest.approx((count + 1) / (len(here) + levels))


def test_rows_come_from_the_tables() -> None:
    """Chi-squared of every variable given its parents is what chance allows, and levels keep their names."""
    from scipy.stats import chi2

    network = fitted(random_data(300, 4, 5, seed=2), ((), (0,), (0, 1), (1, 2)))
    data = network.sample(40_000, np.random.default_rng(1))
    assert data.names == network.names and tuple(data.levels.values()) == network.levels
    for child, family in enumerate(network.parents):
        statistic = degrees = 0.0
        for row, values in enumerate(itertools.product(*(range(network.arities[x]) for x in family))):
            here = np.all([data.codes[x] == v for x, v in zip(family, values, strict=True)], axis=0) | (not family)
            seen = np.bincount(data.codes[child][np.broadcast_to(here, data.n_rows)], minlength=network.arities[child])
            expected = seen.sum() * network.tables[child][row]
            statistic += ((seen - expected) ** 2 / expected).sum() if seen.sum() else 0
            degrees += len(seen) - 1
        assert chi2.sf(statistic, degrees) > 1e-3


def test_random_tables_are_distributions_and_seeded() -> None:
    """Shapes by family, rows that sum to one, unevenness by concentration, equal bits from equal seeds."""
    network = random_network(COLLIDER, [2, 3, 4], np.random.default_rng(0))
    assert [table.shape for table in network.tables] == [(1, 2), (1, 3), (6, 4)]
    assert all(np.allclose(table.sum(axis=1), 1) for table in network.tables)
    again = random_network(COLLIDER, [2, 3, 4], np.random.default_rng(0))
    assert all(np.array_equal(a, b) for a, b in zip(network.tables, again.tables, strict=True))
    big = ((), *[(0,)] * 200)
    uneven, even = (random_network(big, [3] * 201, np.random.default_rng(1), c) for c in (0.1, 10.0))
    assert np.vstack(uneven.tables).max(axis=1).mean() > np.vstack(even.tables).max(axis=1).mean() + 0.3


def test_networks_that_cannot_be_are_refused() -> None:
    """A circle, a table of another family, numbers that are no distribution, priors that are not above 0."""
    levels = (("a", "b"),) * 2
    even = np.full((2, 2), 0.5)
    with pytest.raises(DataError, match="circle"):
        Network(("x", "y"), levels, ((1,), (0,)), (even, even))
    with pytest.raises(DataError, match="'x' has shape"):
        Network(("x", "y"), levels, ((), (0,)), (even, even))
    with pytest.raises(DataError, match="'y' is no distribution"):
        Network(("x", "y"), levels, ((), (0,)), (even[:1], even + 0.1))
    with pytest.raises(SettingsError, match="alpha"):
        fitted(random_data(10, 2, 1, 0), ((), ()), alpha=0)
    with pytest.raises(SettingsError, match="concentration"):
        random_network(((),), [2], np.random.default_rng(0), 0.0)


@settings(max_examples=25)
@given(st.integers(1, 12), st.floats(0, 1), st.integers(0, 1000))
def test_erdos_renyi_dags_are_acyclic(variables: int, share: float, seed: int) -> None:
    """For any number of expected neighbours; none and all are exact."""
    neighbours = share * (variables - 1)
    check_acyclic(simulate.expected_neighbours_dag(variables, neighbours, np.random.default_rng(seed)))
    most = simulate.expected_neighbours_dag(variables, variables - 1, np.random.default_rng(seed))
    assert sum(map(len, most)) == variables * (variables - 1) // 2
    assert not sum(map(len, simulate.expected_neighbours_dag(variables, 0, np.random.default_rng(seed))))


def test_expected_neighbours_are_expected() -> None:
    """Mean of 200 DAGs of 20 variables with 3 expected neighbours; arcs run up and down the columns."""
    dags = [simulate.expected_neighbours_dag(20, 3.0, np.random.default_rng(seed)) for seed in range(200)]
    arcs = [(parent, child) for dag in dags for child, family in enumerate(dag) for parent in family]
    assert 2 * len(arcs) / 20 / 200 == pytest.approx(3.0, abs=0.15)
    assert np.mean([parent < child for parent, child in arcs]) == pytest.approx(0.5, abs=0.05)
    with pytest.raises(SettingsError, match="0 to 4"):
        simulate.expected_neighbours_dag(5, 4.5, np.random.default_rng(0))


@settings(max_examples=25)
@given(st.integers(2, 14), st.integers(1, 13), st.integers(0, 1000))
def test_scale_free_dags_have_their_arcs(variables: int, links: int, seed: int) -> None:
    """Acyclic and connected; a star of links + 1, then `links` parents each."""
    import networkx as nx

    links = min(links, variables - 1)
    dag = simulate.scale_free_dag(variables, links, np.random.default_rng(seed))
    check_acyclic(dag)
    assert sorted(map(len, dag)) == [0, *[1] * links, *[links] * (variables - 1 - links)]
    graph = nx.Graph((parent, child) for child, family in enumerate(dag) for parent in family)
    assert len(graph) == variables and nx.is_connected(graph)


def test_scale_free_dags_have_hubs() -> None:
    """The best connected variable of 200 has far more arcs than in an Erdos-Renyi DAG of as many."""
    largest = {"scale-free": [], "plain": []}
    for seed in range(10):
        grown = simulate.scale_free_dag(200, 2, np.random.default_rng(seed))
        plain = simulate.random_dag(200, sum(map(len, grown)), np.random.default_rng(seed))
        for name, dag in (("scale-free", grown), ("plain", plain)):
            degrees = [len(family) for family in dag]
            for family in dag:
                for parent in family:
                    degrees[parent] += 1
            largest[name].append(max(degrees))
    assert np.mean(largest["scale-free"]) > 2 * np.mean(largest["plain"])
    with pytest.raises(SettingsError, match="1 to 2"):
        simulate.scale_free_dag(3, 3, np.random.default_rng(0))


@given(st.integers(0, 10_000))
@settings(max_examples=30)
def test_the_probability_of_a_row_is_the_product_of_its_cells(seed: int) -> None:
    """Over all rows there can be they sum to 1, and each is what a loop over the tables says."""
    network = random_small(seed)
    rows = list(itertools.product(*(range(arity) for arity in network.arities)))
    found = np.exp(network.log_probability(np.array(rows).T))
    assert found.sum() == pytest.approx(1)
    assert found.tolist() == pytest.approx([slow_probability(network, row) for row in rows])


@given(st.integers(0, 10_000), st.data())
@settings(max_examples=30)
def test_a_query_is_a_sum_over_all_rows_that_agree(seed: int, data: st.DataObject) -> None:
    """Whatever is asked and whatever is known."""
    network = random_small(seed)
    wanted = data.draw(st.sampled_from(network.names))
    others = data.draw(st.lists(st.sampled_from(network.names), unique=True, max_size=3))
    given_ = {name: data.draw(st.sampled_from(network.levels[network.names.index(name)])) for name in others}
    totals = np.zeros(len(network.levels[network.names.index(wanted)]))
    for row in itertools.product(*(range(arity) for arity in network.arities)):
        said = dict(zip(network.names, (levels[c] for levels, c in zip(network.levels, row, strict=True)), strict=True))
        if all(said[name] == level for name, level in given_.items()):
            totals[row[network.names.index(wanted)]] += slow_probability(network, row)
    assert network.query(wanted, given_).tolist() == pytest.approx((totals / totals.sum()).tolist())


def test_what_cannot_be_asked_is_one_sentence() -> None:
    """Unknown names and levels, and knowledge that the tables rule out; a row that cannot be has no probability."""
    sure = Network(("a", "b"), (("no", "yes"),) * 2, ((), (0,)), (np.array([[1.0, 0.0]]), np.array([[0.5, 0.5]] * 2)))
    assert sure.log_probability(np.array([[1], [0]])).tolist() == [-np.inf]
    for wanted, known, says in (
        ("c", {}, "no variable 'c'"),
        ("a", {"c": "no"}, "no variable 'c'"),
        ("a", {"b": "maybe"}, "'b' has no level 'maybe'; it has 'no', 'yes'"),
        ("b", {"a": "yes"}, "has probability 0"),
        ("a", {"a": "yes"}, "has probability 0"),
    ):
        with pytest.raises(DataError, match=says):
            sure.query(wanted, known)
    assert sure.query("a", {"a": "no"}).tolist() == [1.0, 0.0]


def random_small(seed: int) -> Network:
    """Four variables of two or three levels, any arcs forward."""
    rng = np.random.default_rng(seed)
    parents = tuple(tuple(x for x in range(child) if rng.random() < 0.5) for child in range(4))
    return random_network(parents, rng.integers(2, 4, 4), rng)


def slow_probability(network: Network, row: tuple[int, ...]) -> float:
    """The cells of a row, one by one."""
    product = 1.0
    for child, family in enumerate(network.parents):
        shape = [len(network.levels[x]) for x in (*family, child)]
        product *= network.tables[child].reshape(shape)[tuple(row[x] for x in (*family, child))]
    return product


def test_a_graph_by_names_gives_the_same_tables() -> None:
    """Parents by position or as a graph over the names, whatever the order in which it lists them."""
    data = random_data(60, 3, 2, seed=1)
    by_place = fitted(data, ((), (0,), (0, 1)))
    graph = nx.DiGraph([(data.names[1], data.names[2]), (data.names[0], data.names[2]), (data.names[0], data.names[1])])
    by_name = fitted(data, graph)
    assert by_name.parents == by_place.parents
    assert all(np.array_equal(a, b) for a, b in zip(by_name.tables, by_place.tables, strict=True))


def test_a_table_may_have_just_as_many_cells_as_there_is_room_for() -> None:
    """One more is refused, with the numbers in words."""
    check_size("x", (MAX_CELLS,))
    check_size("x", (2, MAX_CELLS // 2))
    with pytest.raises(DataError, match="fewer parents or levels"):
        check_size("x", (MAX_CELLS + 1,))


def test_a_notebook_sees_a_network() -> None:
    """A line of text, and the picture in a frame in which a hostile name is text."""
    tables = (np.array([[0.9, 0.1]]), np.array([[0.8, 0.2], [0.1, 0.9]]))
    network = Network(("<script>x</script>", "wet"), (("no", "yes"),) * 2, ((), (0,)), tables)
    bundle = network._repr_mimebundle_()
    document = frame_document(bundle)
    assert bundle["text/plain"] == "Network(2 variables, 1 arc)"
    assert "<script" not in document and document.count("<rect") == 2 and document.count("<line") == 1
