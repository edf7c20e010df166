"""Models of associated variables: sizes, true graphs and frequencies against slow and obvious versions."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import numpy as np
import pytest

from engine.errors import SettingsError
from engine.simulation import associations
from engine.simulation.associations import (
    AssociationModel,
    conditional_information,
    health_survey,
    independent,
    many_variables,
    nine_variables,
)


def generator(seed: int = 0) -> np.random.Generator:
    """A seeded generator."""
    return np.random.default_rng(seed)


def moral_graph(model: AssociationModel) -> nx.Graph:
    """The true graph another way: arcs from all members before a new one to it, then parents married."""
    dag = nx.DiGraph()
    dag.add_nodes_from(range(len(model.names)))
    for one in model.interactions:
        for place in range(one.shared, len(one.members)):
            dag.add_edges_from((earlier, one.members[place]) for earlier in one.members[:place])
    return nx.relabel_nodes(nx.moral_graph(dag), dict(enumerate(model.names)))


MODELS = {
    "D1": (independent, 3, 0),
    "D2": (nine_variables, 9, 11),
    "D3": (many_variables, 150, 232),
}


@pytest.mark.parametrize("levels", ["binary", "ternary", "mixed"])
@pytest.mark.parametrize("data", list(MODELS))
def test_sizes_of_the_papers_data(data: str, levels: str) -> None:
    """Variables, edges, levels; every variable is new exactly once; the graph is chordal and the moral graph."""
    make, variables, edges = MODELS[data]
    model = make(levels, generator(3))
    assert len(model.names) == variables == len(set(model.names))
    assert model.graph.number_of_edges() == edges == len(model.edges)
    assert set(model.arities) <= {"binary": {2}, "ternary": {3}, "mixed": {2, 3, 4}}[levels]
    new = [x for one in model.interactions for x in one.members[one.shared :]]
    assert sorted(new) == list(range(variables))
    assert nx.is_chordal(model.graph)
    assert nx.utils.graphs_equal(model.graph, moral_graph(model))


def test_the_interactions_of_d3_are_the_papers() -> None:
    """24 5-ways in three groups of eight, three 4-ways, two 3-ways, three 2-ways, 55 alone, as maximal cliques."""
    model = many_variables("binary", generator(1))
    sizes = [len(clique) for clique in nx.find_cliques(model.graph)]
    assert {k: sizes.count(k) for k in set(sizes)} == {5: 24, 4: 3, 3: 2, 2: 3, 1: 55}
    assert sorted(map(len, nx.connected_components(model.graph)))[-3:] == [23, 24, 24]
    shared = [one.shared for one in model.interactions if len(one.members) == 5]
    assert sorted(shared) == [0] * 3 + [2] * 14 + [3] * 7


def test_d2_has_three_of_each_interaction() -> None:
    """Three 3-ways and three 2-ways."""
    sizes = [len(clique) for clique in nx.find_cliques(nine_variables("ternary", generator()).graph)]
    assert sorted(sizes) == [2, 2, 2, 3, 3, 3]


@pytest.mark.parametrize("copies", [2, 7])
def test_several_d3_side_by_side(copies: int) -> None:
    """300 and 1,050 variables; nothing joins the copies."""
    model = many_variables("binary", generator(1), copies)
    assert len(model.names) == 150 * copies
    assert len(model.edges) == 232 * copies
    assert nx.number_connected_components(model.graph) == (3 + 8 + 55) * copies


def test_columns_are_shuffled() -> None:
    """Neighbours of the plan do not stand beside each other in the table."""
    model = many_variables("binary", generator(1))
    places = {name: i for i, name in enumerate(model.names)}
    distances = [abs(places[a] - places[b]) for a, b in model.edges]
    assert np.mean(distances) > 30  # 50 where all pairs are equally likely, below 8 unshuffled


def test_shared_variables_have_one_distribution() -> None:
    """Interactions agree on what they share, so the model is one distribution: tables sum to 1 and to each other."""
    model = many_variables("mixed", generator(2))
    for one in model.interactions:
        assert one.joint.shape == tuple(model.arities[list(one.members)])
        assert one.joint.sum() == pytest.approx(1)
        for other in model.interactions:
            both = [x for x in one.members if x in other.members]
            if both and one is not other:
                margins = []
                for each in (one, other):
                    axes = [each.members.index(x) for x in both]
                    rest = tuple(i for i in range(each.joint.ndim) if i not in axes)
                    margins.append(each.joint.sum(axis=rest).transpose(np.argsort(np.argsort(axes))))
                assert np.allclose(*margins)


def test_every_new_pair_is_detectable_given_its_interaction() -> None:
    """At 10^6 rows the expected saving of the message is above zero; the saving by a loop over all cells."""
    model = many_variables("mixed", generator(4))
    for one in model.interactions:
        for a, b in itertools.combinations(range(len(one.members)), 2):
            if b >= one.shared:
                information = slow_information(one.joint, a, b)
                assert information == pytest.approx(conditional_information(one.joint, a, b), rel=1e-9, abs=1e-15)
                r, s = one.joint.shape[a], one.joint.shape[b]
                degrees = (r - 1) * (s - 1) * one.joint.size / (r * s)
                assert 10**6 * information > degrees / 2 * math.log(10**6) + math.log(150 * 149 / 2)


def slow_information(joint: np.ndarray, a: int, b: int) -> float:
    """Conditional mutual information, cell by cell, in nats."""

    def margin(cell: tuple[int, ...], keep: set[int]) -> float:
        index = tuple(cell[i] if i in keep else slice(None) for i in range(joint.ndim))
        return float(np.sum(joint[index]))

    found = 0.0
    everything = set(range(joint.ndim))
    for cell in itertools.product(*map(range, joint.shape)):
        p = float(joint[cell])
        rest, with_a, with_b = (margin(cell, everything - drop) for drop in ({a, b}, {b}, {a}))
        found += p * math.log(p * rest / (with_a * with_b)) if p else 0.0
    return found


def test_frequencies_are_the_probabilities() -> None:
    """Every cell of every interaction within five standard deviations, and their spread as it should be."""
    model = many_variables("mixed", generator(5))
    rows = 150_000  # more than two blocks
    codes = model.sample_codes(rows, generator(6))
    scores = []
    for one in model.interactions:
        flat = np.ravel_multi_index([codes[x] for x in one.members], one.joint.shape)
        counts = np.bincount(flat, minlength=one.joint.size)
        expected = one.joint.ravel() * rows
        large = expected > 5
        scores.append(((counts - expected) / np.sqrt(np.maximum(expected * (1 - expected / rows), 1e-9)))[large])
    everything = np.concatenate(scores)
    assert np.abs(everything).max() < 5.5
    assert everything.std() == pytest.approx(1, abs=0.05)


def test_independent_variables_are_independent() -> None:
    """The joint frequencies of D1 are the products of its margins."""
    model = independent("ternary", generator(1))
    codes = model.sample_codes(200_000, generator(2)).astype(int)
    joint = np.bincount(codes[0] * 9 + codes[1] * 3 + codes[2], minlength=27).reshape(3, 3, 3) / 200_000
    margins = [joint.sum(axis=tuple(set(range(3)) - {i})) for i in range(3)]
    assert np.abs(joint - np.einsum("i,j,k->ijk", *margins)).max() < 0.005


def test_equal_seeds_equal_bits() -> None:
    """Model and rows; another seed gives others."""
    one, two, other = (many_variables("mixed", generator(seed)) for seed in (1, 1, 2))
    assert one.edges == two.edges != other.edges
    assert all(np.array_equal(a.joint, b.joint) for a, b in zip(one.interactions, two.interactions, strict=True))
    rows = [model.sample_codes(500, generator(seed)) for model, seed in ((one, 7), (two, 7), (one, 8))]
    assert np.array_equal(rows[0], rows[1]) and not np.array_equal(rows[0], rows[2])


def test_rows_take_one_byte_a_cell_and_are_not_copied() -> None:
    """What bounds the memory of 150 x 10^6."""
    model = many_variables("mixed", generator(1))
    codes = model.sample_codes(100, generator(1))
    assert codes.dtype == np.uint8 and codes.shape == (150, 100) and not codes.flags.writeable
    data = model.sample(100, generator(1))
    assert np.array_equal(data.codes, codes)
    assert [len(data.levels[name]) for name in data.names] == model.arities.tolist()


def test_the_survey_is_small_and_mixed() -> None:
    """24 variables of 2 to 5 levels, chordal, some interaction of four."""
    model = health_survey(generator(1))
    assert len(model.names) == 24 and set(model.arities) <= {2, 3, 4, 5} and len(set(model.arities)) > 1
    assert nx.is_chordal(model.graph)
    assert max(len(clique) for clique in nx.find_cliques(model.graph)) == 4


def test_unknown_levels_are_refused() -> None:
    """One sentence that names the choices."""
    with pytest.raises(SettingsError, match="'binary', 'ternary', 'mixed'"):
        independent("quaternary", generator())


def test_a_table_too_weak_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are asked for until all new pairs pass, and only new pairs are asked about."""
    answers = iter([False, True, False, True, True, True])
    asked = []

    def detectable(joint: np.ndarray, a: int, b: int, rows: int, variables: int) -> bool:
        asked.append((a, b))
        return next(answers)

    monkeypatch.setattr(associations, "_detectable", detectable)
    associations.association_model([((), 2), ((0,), 2)], (2, 2), generator())
    assert asked == [(0, 1), (0, 1), (0, 1), (0, 1), (0, 2), (1, 2)]
