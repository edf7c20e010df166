"""The paper's own search: where it starts, what its ratio is made of, and why it carries a warning."""

from __future__ import annotations

import math

import numpy as np
import pytest

import engine
from engine.graphs.pdag import member
from engine.methods.instance_specific.parent_choices import PARTS, NodeChoice, ratio_part, search_network
from engine.scores.instance import InstanceScore, InstanceTables
from tests.engine.make import random_data
from tests.engine.methods.instance_specific.make import all_cases, figure_one, log_probabilities

METHOD = engine.InstanceSpecific(mode="published")


def total(tables: InstanceTables, values: np.ndarray, parents, log_kappa: float) -> float:
    """The objective of GES2 for one DAG: IS-Score with kappa on every difference."""
    score = InstanceScore(tables, values, log_kappa)
    return sum(score.local(child, group) for child, group in enumerate(parents))


def test_search_improves_on_the_population_it_starts_from() -> None:
    """Every step gains, and with kappa next to 0 a class without free edges stays as it is."""
    data = random_data(300, 6, 8, seed=3)
    population = METHOD.learn_population(data)
    tables = population.tables(METHOD, data)
    for row in range(0, 60, 12):
        values = data.codes[[data.index(x) for x in population.names], row].astype(np.int64)
        free = engine.Knowledge().constraints(population.names)
        _, parents = search_network(tables, population, values, math.log(0.1), free, lambda f, w: None)
        start = total(tables, values, member(population.cpdag), math.log(0.1))
        assert total(tables, values, parents, math.log(0.1)) >= start - 1e-9
    data = figure_one()
    population = METHOD.learn_population(data)
    assert not any(population.cpdag.neighbours)
    values = data.codes[:, 0].astype(np.int64)
    found, _ = search_network(
        population.tables(METHOD, data),
        population,
        values,
        -1e6,
        engine.Knowledge().constraints(population.names),
        lambda f, w: None,
    )
    assert found == population.cpdag


def test_population_parents_are_the_directed_part() -> None:
    """As in the authors' program, only arcs with a direction count as population parents."""
    data = figure_one()
    result = METHOD.run(data, 0)
    cpdag = result.population_cpdag
    for name, family in result.families().iterrows():
        directed = {a for a in cpdag.predecessors(name) if not cpdag.has_edge(name, a)}
        assert set(family.population_parents) == directed
    assert set(result.population.edges) == set(cpdag.edges)


def test_contexts_are_dropped_here_too() -> None:
    """On figure 1 the context arcs are dropped; the ratio is the sum of its terms and of its parts."""
    data = figure_one()
    population = METHOD.learn_population(data)
    result = METHOD.run(data, dict.fromkeys(data.names, "0"), population=population)
    statuses = result.arc_changes.set_index(["source", "target"])["status"]
    assert statuses[("X1", "X2")] == "dropped"
    assert result.arc_changes["probability"].isna().all()
    assert result.log_ratio_terms.sum() == pytest.approx(result.log_likelihood_ratio, abs=1e-9)
    parts = result.log_ratio_parts()
    assert list(parts.index) == list(PARTS)
    assert parts.sum() == pytest.approx(result.log_likelihood_ratio, abs=1e-9)
    assert "as the paper published it" in result.summary()
    assert not result.held_out.exact


def test_ratio_is_equation_14_against_the_directed_parents() -> None:
    """IS-Scores of one DAG of the patient's class minus those of one of the population's."""
    data = random_data(200, 6, 8, seed=5)
    result = engine.InstanceSpecific(mode="published", kappa=0.9).run(data, 4)
    families = result.families()
    population = result.population_dag
    expected = 0.0
    for name, family in families.iterrows():
        own = engine.instance_score(data, result.patient, name, family.instance_parents, family.population_parents)
        dag = list(population.predecessors(name))
        expected += own - engine.instance_score(data, result.patient, name, dag, family.population_parents)
    assert result.log_likelihood_ratio == pytest.approx(expected, abs=1e-9)


def test_parts_are_told_apart() -> None:
    """A turned arc is found at both of its ends, before free edges, drops and additions."""
    data = figure_one()
    population = METHOD.learn_population(data)
    parents = [list(group) for group in population.parents]
    names = population.names
    x2, x3, x5 = names.index("X2"), names.index("X3"), names.index("X5")
    assert x2 in parents[x3]
    turned = [list(group) for group in parents]
    turned[x3].remove(x2)
    turned[x2].append(x3)
    frozen = tuple(tuple(sorted(group)) for group in turned)
    assert [ratio_part(x, frozen, population) for x in (x2, x3)] == [PARTS[0], PARTS[0]]
    fewer = tuple(tuple(x for x in g if child != x5) for child, g in enumerate(population.parents))
    assert ratio_part(x5, fewer, population) == PARTS[2]


def test_published_mode_need_not_be_a_distribution() -> None:
    """Three variables, one arc turned for the patient: the probabilities of all cells do not sum to one."""
    rng = np.random.default_rng(0)
    x = rng.random(200) < 0.5
    y = rng.random(200) < np.where(x, 0.9, 0.2)
    z = rng.random(200) < np.where(y, 0.8, 0.3)
    data = engine.Dataset.from_codes(np.array([x, y, z]).astype(int), [2] * 3, ["x", "y", "z"])
    tables = InstanceTables(data, ((), (0,), (1,)), 1.0, "union", "all_rows")
    values = np.array([1, 1, 1])

    def choice(child: int, parents: tuple[int, ...]) -> NodeChoice:
        cases = InstanceScore(tables, values).matched(child, parents).sum(axis=0)
        return NodeChoice(child, tables.parents[child], parents, 0.0, 0.0, cases)

    kept = [choice(0, ()), choice(1, (0,)), choice(2, (1,))]
    turned = [choice(0, (1,)), choice(1, (2,)), choice(2, (1,))]
    cells = all_cases(data).codes
    assert np.exp(log_probabilities(tables, kept, values, cells)).sum() == pytest.approx(1.0)
    assert abs(np.exp(log_probabilities(tables, turned, values, cells)).sum() - 1.0) > 0.05


def test_unknown_variables_gain_no_arc() -> None:
    """No arc is added at a variable whose value is not known."""
    data = random_data(250, 7, 9, seed=9)
    method = engine.InstanceSpecific(mode="published", kappa=1.0)
    patient = {name: data.levels[name][data.codes[i, 3]] for i, name in enumerate(data.names) if i not in (2, 5)}
    result = method.run(data, patient)
    added = result.arc_changes[result.arc_changes["status"] == "added"]
    assert not {"v02", "v05"} & ({*added["source"]} | {*added["target"]})


def test_links_without_direction_that_stay_are_no_change_in_words() -> None:
    """The score counts such a link as an added parent; the sentences do not tell it as a change."""
    rng = np.random.default_rng(0)
    x = rng.random(300) < 0.5
    y = np.where(rng.random(300) < 0.9, x, ~x)
    data = engine.Dataset.from_codes(np.array([x, y]).astype(int), [2, 2], ["x", "y"])
    result = METHOD.run(data, 0)
    assert result.arc_changes["status"].tolist() == ["kept"]
    (changed,) = result.families().query("changed").index
    assert "no link changes" in result.sentence(changed)
    assert f"{changed} depends on" not in result.summary()


@pytest.mark.parametrize("kappa", [0.001, 0.9])
def test_with_nothing_known_nothing_differs(kappa: float) -> None:
    """An edge that says nothing of the patient is not dropped to save its kappa, directed or not."""
    undirected = 0
    for seed in range(4):
        data = random_data(300, 8, 12, seed=seed)
        result = engine.InstanceSpecific(mode="published", kappa=kappa).run(data, {})
        undirected += (~result.arc_changes["directed"]).sum()
        assert set(result.arc_changes["status"]) == {"kept"}
        assert result.families()["kappa_cost"].tolist() == [0.0] * 8
        assert "nothing can differ" in result.summary()
    assert undirected


def test_a_level_never_seen_counts_as_unknown() -> None:
    """Without a row like the patient the prior alone would choose; nothing is dropped or added for such a value."""
    data = figure_one(400)
    wide = engine.Dataset.from_codes(data.codes, [3] * 6, data.names)
    result = METHOD.run(wide, dict.fromkeys(data.names, "2"))
    assert set(result.arc_changes["status"]) == {"kept"}
    assert result.log_likelihood_ratio == pytest.approx(0.0, abs=1e-9)
