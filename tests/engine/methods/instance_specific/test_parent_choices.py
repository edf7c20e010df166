"""One patient in order-kept mode: contexts found, exact sums, a proper distribution, invariances."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import engine
from tests.engine.make import random_data
from tests.engine.methods.instance_specific.make import (
    ARCS,
    all_cases,
    all_patients,
    figure_one,
    log_probability,
    true_drops,
)

METHOD = engine.InstanceSpecific()


@pytest.fixture(scope="module")
def table() -> engine.Dataset:
    """800 rows after figure 1."""
    return figure_one()


def drops(result) -> set[tuple[str, str]]:
    """The arcs a result says do not apply."""
    arcs = result.arc_changes
    assert set(arcs["status"]) <= {"kept", "dropped"}
    return {(row.source, row.target) for row in arcs.itertuples() if row.status == "dropped"}


def test_contexts_of_figure_one_are_found_for_every_patient(table: engine.Dataset) -> None:
    """Exactly the arcs that the context switches off are dropped, for all 64 patients, at kappa 0.1."""
    population = METHOD.learn_population(table)
    for patient in all_patients():
        result = METHOD.run(table, patient, population=population)
        assert set(map(frozenset, result.population_dag.edges)) == set(map(frozenset, ARCS))
        assert drops(result) == true_drops(patient)
        assert set(result.instance.edges) == set(result.population.edges) - true_drops(patient)


@pytest.mark.parametrize("prior", ["union", "paper"])
@pytest.mark.parametrize("empty", ["population", "all_rows"])
def test_choice_is_the_best_of_all_subsets(prior: str, empty: str) -> None:
    """Every subset of the population's parents scored one by one gives the same parents, gains and arc posteriors."""
    data = random_data(300, 7, 12, seed=8)
    method = engine.InstanceSpecific(prior=prior, empty=empty, kappa=0.4)
    population = method.learn_population(data)
    for row in range(0, 40, 8):
        result = method.run(data, row, population=population)
        arcs = result.arc_changes.set_index(["source", "target"])
        for name in data.names:
            whole = tuple(sorted(result.population.predecessors(name)))
            subsets = [s for k in range(len(whole) + 1) for s in itertools.combinations(whole, k)]
            if empty == "population" and whole:
                subsets.remove(())  # that reading of no parents is the population's family itself

            patient = result.patient
            scores = {s: engine.instance_score(data, patient, name, s, whole, 1.0, prior, empty) for s in subsets}
            net = {s: scores[s] - scores[whole] + (len(whole) - len(s)) * math.log(0.4) for s in subsets}
            best = max(net, key=lambda s: net[s])
            family = result.families().loc[name]
            assert tuple(sorted(family.instance_parents)) == best
            assert family.net == pytest.approx(net[best], abs=1e-9)
            total = sum(math.exp(v) for v in net.values())
            posterior = math.exp(net[best]) / total if len(net) > 1 else math.nan  # one set alone was not weighed
            assert family.probability == pytest.approx(posterior, abs=1e-9, nan_ok=True)
            for x in whole:
                expected = sum(math.exp(v) for s, v in net.items() if x in s) / total
                if not any(x not in s for s in net):  # nothing without it could be chosen
                    assert math.isnan(arcs.at[(x, name), "probability"])
                    assert arcs.at[(x, name), "word"] == "not asked"
                    continue
                assert arcs.at[(x, name), "probability"] == pytest.approx(expected, abs=1e-9)
            alternatives = result.alternatives(name)
            assert alternatives["probability"].sum() == pytest.approx(1.0)
            assert {tuple(sorted(p)) for p in alternatives["parents"]} == set(subsets)


def test_sum_of_terms_is_the_ratio(table: engine.Dataset) -> None:
    """The log-likelihood ratio is the sum of its terms, of its parts, and the difference of whole scores."""
    result = METHOD.run(table, {"X0": "0", "X3": "1"})
    terms = result.log_ratio_terms
    assert result.log_likelihood_ratio == pytest.approx(terms.sum(), abs=1e-12)
    assert result.log_ratio_parts().sum() == pytest.approx(result.log_likelihood_ratio, abs=1e-9)
    families = result.families()
    total = sum(
        engine.instance_score(table, result.patient, name, f.instance_parents, f.population_parents)
        for name, f in families.iterrows()
        if f.changed
    ) - sum(
        engine.BDeu().family(table, name, list(f.population_parents)) for name, f in families.iterrows() if f.changed
    )
    assert total == pytest.approx(result.log_likelihood_ratio, abs=1e-9)
    assert terms["X2"] > 0
    assert terms["X0"] == 0


@pytest.mark.parametrize("additions", [False, True])
@pytest.mark.parametrize("prior", ["union", "paper"])
@pytest.mark.parametrize("empty", ["population", "all_rows"])
def test_probabilities_of_all_cells_sum_to_one(additions: bool, prior: str, empty: str) -> None:
    """The patient's network is a proper distribution, contexts and extra parents included."""
    data = random_data(150, 5, 7, seed=3)
    method = engine.InstanceSpecific(additions=additions, prior=prior, empty=empty, kappa=0.9)
    changed = 0
    for row in range(12):
        result = method.run(data, row)
        changed += int(result.families()["changed"].sum())
        assert np.exp(log_probability(result, data, all_cases(data))).sum() == pytest.approx(1.0, abs=1e-9)
    assert changed > 5


def test_additions_keep_the_order_and_never_lose(table: engine.Dataset) -> None:
    """Extra parents come earlier in the population's order, and the net gain is at least that of deletions alone."""
    data = random_data(250, 8, 14, seed=21)
    plain = engine.InstanceSpecific(kappa=0.9, max_parents=2)
    wide = engine.InstanceSpecific(kappa=0.9, max_parents=2, additions=True)
    population = plain.learn_population(data)
    place = {population.names[x]: i for i, x in enumerate(population.order)}
    added = 0
    for row in range(30):
        few, more = plain.run(data, row, population=population), wide.run(data, row, population=population)
        assert (more.families()["net"] >= few.families()["net"] - 1e-9).all()
        assert max(map(len, more.families()["instance_parents"])) <= 2
        new = more.arc_changes[more.arc_changes["status"] == "added"]
        added += len(new)
        assert all(place[row.source] < place[row.target] for row in new.itertuples())
        for name, family in more.families().iterrows():
            score = engine.instance_score(
                data, more.patient, name, family.instance_parents, family.population_parents
            ) - engine.BDeu().family(data, name, list(family.population_parents))
            assert family.score_gain == pytest.approx(score if family.changed else 0.0, abs=1e-9)
    assert added


def test_kappa_one_drops_what_helps_and_small_kappa_less(table: engine.Dataset) -> None:
    """A smaller kappa never drops more arcs; kappa is charged once an arc."""
    population = METHOD.learn_population(table)
    counts = []
    for kappa in (1e-4, 0.01, 0.1, 1.0):
        result = engine.InstanceSpecific(kappa=kappa).run(table, {"X0": "0", "X3": "1"}, population=population)
        dropped = (result.arc_changes["status"] == "dropped").sum()
        assert result.families()["kappa_cost"].sum() == pytest.approx(dropped * math.log(kappa))
        counts.append(dropped)
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_similar_rows_and_their_counts(table: engine.Dataset) -> None:
    """Similar cases share the context; their counts, shares and intervals are those of a Dirichlet."""
    from scipy.stats import beta

    result = METHOD.run(table, {"X0": "0"})
    rows = result.similar_rows(table, "X2")
    assert rows.tolist() == np.flatnonzero(table.column("X0") == 0).tolist()
    family = result.families().loc["X2"]
    assert (family.cases, family.rows, family.few_cases) == (len(rows), 800, False)
    first = result.distributions("X2").iloc[:2]
    assert first["who"].tolist() == ["similar cases"] * 2
    counts = np.bincount(table.column("X2")[rows], minlength=2)
    assert first["count"].tolist() == counts.tolist()
    a = counts + 1.0 / 2 / 2  # ess over two configurations of X0, two levels
    assert first["share"].tolist() == pytest.approx((a / a.sum()).tolist())
    assert first["low"].tolist() == pytest.approx([beta.ppf(0.025, a[0], a[1]), beta.ppf(0.025, a[1], a[0])])
    assert result.distributions("X2")["who"].nunique() == 3  # and the two population rows these replace
    own = METHOD.run(table, 5)
    assert 5 not in own.similar_rows(table, "X2")


def test_unknown_values_are_no_condition(table: engine.Dataset) -> None:
    """A context never rests on an unknown value, and with nothing known nothing changes."""
    nothing = METHOD.run(table, {})
    assert drops(nothing) == set()
    assert "No value of this patient is known" in nothing.summary()
    some = METHOD.run(table, {"X1": "1", "X4": "0", "X3": "1"})
    assert drops(some) == {("X4", "X5")}
    assert some.families().at["X5", "context"] == "X3 = 1"
    arcs = some.arc_changes.set_index(["source", "target"])
    assert not arcs.at[("X0", "X2"), "known"]
    assert "X0 is unknown" in some.sentence("X2")


@pytest.mark.usefixtures("searched_anew")
def test_equal_runs_give_equal_bits(table: engine.Dataset) -> None:
    """Two runs, and a run with the population handed over, are the same text."""
    first, again = METHOD.run(table, 17), METHOD.run(table, 17)
    handed = METHOD.run(table, 17, population=METHOD.learn_population(table))
    assert first.to_json() == again.to_json() == handed.to_json()


@pytest.mark.parametrize(("empty", "candidates"), [("population", 1), ("all_rows", 2)])
def test_one_parent_is_no_context_of_its_own(empty: str, candidates: int) -> None:
    """Of a single parent nothing is asked with 'population'; with 'all_rows' dropping it is weighed too."""
    rng = np.random.default_rng(0)
    x = rng.random(60) < 0.5
    y = np.where(rng.random(60) < 0.9, x, ~x)
    data = engine.Dataset.from_codes(np.array([x, y]).astype(int), [2, 2], ["x", "y"])
    result = engine.InstanceSpecific(empty=empty).run(data, {"x": "1", "y": "0"})
    ((source, target),) = result.population.edges
    assert len(result.alternatives(target)) == candidates
    probability = result.arc_changes["probability"].iloc[0]
    if empty == "population":
        assert math.isnan(probability)
        assert result.claims()["kind"].tolist() == ["not asked"]
    else:
        gain = engine.instance_score(data, result.patient, target, [source], [source]) - engine.instance_score(
            data, result.patient, target, [], [source], empty="all_rows"
        )
        assert probability == pytest.approx(1 / (1 + 0.1 * math.exp(-gain)))
        assert probability < 1


@pytest.mark.parametrize("additions", [False, True])
@pytest.mark.parametrize("prior", ["union", "paper"])
@pytest.mark.parametrize("empty", ["population", "all_rows"])
def test_gains_beside_an_unknown_parent_are_over_plain_bdeu(additions: bool, prior: str, empty: str) -> None:
    """Where a parent's value is unknown the population's family scores plain BDeu, under the paper's prior too."""
    data = random_data(300, 7, 12, seed=8)
    method = engine.InstanceSpecific(prior=prior, empty=empty, kappa=0.9, additions=additions)
    population = method.learn_population(data)
    seen = 0
    for row in range(0, 40, 8):
        patient = {name: data.levels[name][data.codes[i, row]] for i, name in enumerate(data.names) if i % 3}
        result = method.run(data, patient, population=population)
        for name in data.names:
            whole = tuple(result.population.predecessors(name))
            if set(whole) <= set(patient):
                continue
            plain = engine.BDeu(1.0).family(data, name, list(whole))
            for one in result.alternatives(name).itertuples():
                if set(one.parents) != set(whole):
                    score = engine.instance_score(data, patient, name, one.parents, whole, 1.0, prior, empty)
                    assert one.score_gain == pytest.approx(score - plain, abs=1e-9)
                    seen += 1
    assert seen > 5


def test_nothing_is_added_where_no_row_is_like_her() -> None:
    """A level that no row has adds no parent, though the prior that its row takes away would gain something."""
    data = random_data(300, 7, 12, seed=8)
    wide = engine.Dataset.from_codes(data.codes, [int(levels) + 2 for levels in data.arity], data.names)
    patient = {name: wide.levels[name][-1] for name in wide.names}
    result = engine.InstanceSpecific(additions=True, kappa=1.0).run(wide, patient)
    assert set(result.arc_changes["status"]) == {"kept"}
    gains = [
        engine.instance_score(wide, patient, y, [x], []) - engine.instance_score(wide, patient, y, [], [])
        for x, y in itertools.permutations(wide.names, 2)
    ]
    assert max(gains) > 0
    for row in range(0, 60, 3):
        found = engine.InstanceSpecific(additions=True, kappa=1.0).run(wide, row).families()
        assert (found["cases"][found["changed"]] > 0).all()
