"""Every displayed figure of a patient's network against the plainest way to work it out from the rows."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta

import engine
from tests.engine.make import random_data
from tests.engine.methods.instance_specific.make import all_patients, figure_one, log_probability

SIMILAR = "similar cases"


def agreeing(data: engine.Dataset, values: dict[str, str]) -> np.ndarray:
    """(n,) bool, the rows that have these values."""
    found = np.ones(data.n_rows, dtype=bool)
    for name, level in values.items():
        found &= data.column(name) == data.levels[name].index(level)
    return found


def patient_of(data: engine.Dataset, row: int) -> dict[str, str]:
    """A row's values by name."""
    return {name: data.levels[name][data.codes[i, row]] for i, name in enumerate(data.names)}


def slow_blocks(result: Any, data: engine.Dataset, name: str) -> dict[str, tuple[np.ndarray, float]]:
    """Who -> counts and pseudo-counts of a whole row: her similar cases, and the population rows they stand for."""
    family, method = result.families().loc[name], result.method
    population, own = family["population_parents"], family["instance_parents"]
    possible = math.prod(len(data.levels[x]) for x in population)
    joint = math.prod(len(data.levels[x]) for x in own)
    paper = method.prior == "paper" and family["changed"]

    def counts(values: dict[str, str]) -> np.ndarray:
        return np.bincount(data.column(name)[agreeing(data, values)], minlength=len(data.levels[name]))

    blocks = {}
    if family["changed"]:
        known = {x: result.patient[x] for x in own if x in result.patient}
        blocks[SIMILAR] = counts(known), method.ess / (possible + 1 if paper else joint)
    for levels in itertools.product(*[data.levels[x] for x in population]):
        values = dict(zip(population, levels, strict=True))
        if any(x in own and result.patient.get(x, level) != level for x, level in values.items()):
            continue
        if agreeing(data, values).any():
            who = ", ".join(f"{x} = {values[x]}" for x in data.names if x in values) or "all rows"
            blocks[who] = counts(values), method.ess / (possible + 1 if paper else possible)
    return blocks


@pytest.mark.parametrize("prior", ["union", "paper"])
@pytest.mark.parametrize("ess", [1.0, 4.0])
def test_distributions_are_posterior_means_and_betas(prior: str, ess: float) -> None:
    """Counts by hand, shares under either prior, the 2.5 and 97.5 % points, for changed and unchanged families."""
    data = random_data(80, 5, 6, seed=0)
    method = engine.InstanceSpecific(prior=prior, ess=ess, kappa=1.0)
    population = method.learn_population(data)
    changed, wide = 0, 0
    for row in range(20):
        values = patient_of(data, row)
        if row % 2:
            del values["v01"], values["v03"]
        result = method.run(data, values, population=population)
        for name in data.names:
            blocks = slow_blocks(result, data, name)
            if not blocks:
                continue  # nobody is like her: said by one row of the prior
            table = result.distributions(name)
            assert list(dict.fromkeys(table["who"])) == list(blocks)
            for who, (counts, total) in blocks.items():
                shown = table[table["who"] == who]
                a = counts + total / len(counts)
                rest = a.sum() - a
                assert shown["count"].tolist() == counts.tolist()
                assert shown["share"].tolist() == pytest.approx((a / a.sum()).tolist())
                assert shown["low"].tolist() == pytest.approx(beta.ppf(0.025, a, rest).tolist(), abs=1e-9)
                assert shown["high"].tolist() == pytest.approx(beta.ppf(0.975, a, rest).tolist(), abs=1e-9)
            changed += SIMILAR in blocks
            wide += len(blocks) > 2
    assert changed
    assert wide


@pytest.mark.parametrize("prior", ["union", "paper"])
def test_alternatives_count_the_rows_like_her(prior: str) -> None:
    """`cases` of every parent set that was weighed, chosen or not; probabilities from the nets; best first."""
    data = random_data(150, 6, 9, seed=3)
    method = engine.InstanceSpecific(prior=prior, kappa=0.9)
    population = method.learn_population(data)
    told = set()
    for row in (0, 7, 40):
        result = method.run(data, row, population=population)
        for name in data.names:
            table = result.alternatives(name)
            for one in table.itertuples():
                values = {x: result.patient[x] for x in one.parents}
                assert one.cases == agreeing(data, values).sum()
                told.add(one.cases)
                assert one.net == pytest.approx(one.score_gain + one.kappa_cost)
                assert one.kappa_cost == pytest.approx(math.log(0.9) * (len(one.dropped) + len(one.added)))
            weights = np.exp(table["net"] - table["net"].max())
            assert table["probability"].tolist() == pytest.approx((weights / weights.sum()).tolist())
            assert table["net"].is_monotonic_decreasing
    assert len(told) > 5


def test_alternatives_of_a_patient_with_an_unknown_parent() -> None:
    """What is not known of her is no condition: rows agree on the rest."""
    data = figure_one()
    result = engine.InstanceSpecific(mode="published", kappa=1.0).run(data, {"X0": "0", "X2": "1", "X4": "0"})
    for name in data.names:
        for one in result.alternatives(name).itertuples():
            known = {x: result.patient[x] for x in one.parents if x in result.patient}
            assert one.cases == agreeing(data, known).sum()
            assert one.context == ", ".join(f"{x} = {result.patient[x]}" for x in data.names if x in known)


def chain(similar: int) -> engine.Dataset:
    """100 rows of a parent and a child that copies it but for a few; so many have the parent's first level."""
    parent = np.repeat([0, 1], [similar, 100 - similar])
    child = parent.copy()
    child[:2] = 1
    child[-3:] = 0
    return engine.Dataset.from_codes(np.array([parent, child]), [["low", "high"]] * 2, ["parent", "was"])


@pytest.mark.parametrize(("similar", "few"), [(29, True), (30, False), (31, False)])
def test_few_cases_are_fewer_than_thirty(similar: int, few: bool) -> None:
    """Exactly thirty similar cases are enough not to be marked."""
    result = engine.InstanceSpecific().run(chain(similar), {"parent": "low"})
    assert result.population_dag.has_edge("parent", "was")
    family = result.families().loc["was"]
    assert (family["cases"], family["few_cases"]) == (similar, few)


def test_an_arc_is_compelled_only_where_all_members_agree() -> None:
    """A lone edge may be turned; the two arcs of a v-structure may not."""
    lone = engine.InstanceSpecific().run(chain(50), {})
    assert lone.arc_changes["compelled"].tolist() == [False]
    changes = engine.InstanceSpecific().run(figure_one(), {}).arc_changes.set_index(["source", "target"])
    assert changes.loc[("X0", "X2"), "compelled"]
    assert changes.loc[("X1", "X2"), "compelled"]


def test_a_configuration_that_no_row_has_is_uniform() -> None:
    """Of three levels each gets a third; the parent's own unseen level its part of the prior."""
    rng = np.random.default_rng(1)
    parent = rng.integers(0, 2, 200)
    child = np.where(rng.random(200) < 0.1, rng.integers(0, 3, 200), parent)
    data = engine.Dataset.from_codes(np.array([parent, child]), [["a", "b", "never"], ["0", "1", "2"]], ["p", "q"])
    result = engine.InstanceSpecific(ess=2.0).run(data, {})
    arc = next(iter(result.population_dag.edges))
    assert arc == ("p", "q")
    strange = engine.Dataset.from_codes(np.array([[2, 2, 2], [0, 1, 2]]), data.levels, data.names)
    expected = math.log((0 + 2 / 3) / (200 + 2)) + math.log(1 / 3)
    assert log_probability(result, data, strange).tolist() == pytest.approx([expected] * 3)


@pytest.mark.parametrize("kappa", [1.0, 0.5])
@pytest.mark.parametrize("limit", [2, 3])
def test_additions_keep_the_limit_and_need_rows_like_her(kappa: float, limit: int) -> None:
    """With extra parents allowed no family passes the limit, and an extra parent stands on rows like her."""
    data = random_data(60, 7, 9, seed=8)
    method = engine.InstanceSpecific(additions=True, max_parents=limit, kappa=kappa, structure_prior=0.5)
    population = method.learn_population(data)
    rng = np.random.default_rng(0)
    added, full = 0, 0
    for _ in range(40):  # patients drawn level by level, so that many combinations have no row
        patient = {name: str(rng.choice(data.levels[name])) for name in data.names}
        for _, family in method.run(data, patient, population=population).families().iterrows():
            extra = set(family["instance_parents"]) - set(family["population_parents"])
            assert len(family["instance_parents"]) <= limit
            if extra:
                assert family["cases"] > 0
                added += 1
                full += len(family["instance_parents"]) == limit
    assert added
    assert full


def test_published_mode_does_not_condition_on_a_level_without_rows() -> None:
    """A value that nobody has says nothing of her: her network is that of a patient whose value is unknown."""
    data = figure_one()
    levels = {name: [*data.levels[name], "2"] for name in data.names}
    wider = engine.Dataset.from_codes(data.codes, levels, data.names)
    method = engine.InstanceSpecific(mode="published", kappa=1.0)
    population = method.learn_population(wider)
    known = {"X1": "1", "X3": "0", "X4": "1", "X5": "1"}
    for name in ("X0", "X2"):
        strange = method.run(wider, {**known, name: "2"}, population=population)
        unknown = method.run(wider, known, population=population)
        assert set(strange.instance.edges) == set(unknown.instance.edges)
        assert strange.log_likelihood_ratio == pytest.approx(unknown.log_likelihood_ratio)


def test_added_arcs_are_told_as_added() -> None:
    """In published mode the part of the ratio that added arcs bring stands in their row, never in that of dropped."""
    data = random_data(120, 6, 4, seed=0)
    method = engine.InstanceSpecific(mode="published", kappa=1.0)
    population = method.learn_population(data)
    seen = 0
    for row in range(0, 120, 6):
        result = method.run(data, row, population=population)
        own, terms = result.instance, result.log_ratio_terms
        lost, gained, turned, free = {}, {}, {}, {}
        own_dag = {name: set(result.families().at[name, "instance_parents"]) for name in data.names}
        dag = {name: set(result.population_dag.predecessors(name)) for name in data.names}
        for name in data.names:
            lost[name], gained[name] = dag[name] - own_dag[name], own_dag[name] - dag[name]
            turned[name] = any(name in dag[x] for x in gained[name]) or any(name in own_dag[x] for x in lost[name])
            cpdag = result.population_cpdag
            free[name] = any(cpdag.has_edge(name, x) and cpdag.has_edge(x, name) for x in cpdag)
        only = [n for n in data.names if gained[n] and not turned[n] and not free[n]]
        only_lost = [n for n in data.names if lost[n] and not gained[n] and not turned[n] and not free[n]]
        parts = result.log_ratio_parts()
        assert parts["added arcs"] == pytest.approx(sum(terms[n] for n in only))
        assert parts["dropped arcs"] == pytest.approx(sum(terms[n] for n in only_lost), abs=1e-9)
        seen += any(abs(terms[n]) > 0.1 for n in only)
        assert own.number_of_nodes() == 6
    assert seen


@pytest.mark.parametrize("change", [{"max_parents": 1}, {"ess": 3.0}, {"structure_prior": 0.25}])
def test_a_population_of_other_settings_is_refused(change: dict[str, Any]) -> None:
    """Whatever the population network hangs on; what only the patient's network hangs on is no reason."""
    data = random_data(80, 4, 4, seed=1)
    other = engine.InstanceSpecific(**change).learn_population(data)
    with pytest.raises(engine.SettingsError, match="other data or with other settings"):
        engine.InstanceSpecific().run(data, 0, population=other)
    same = engine.InstanceSpecific(kappa=0.7, prior="paper", empty="all_rows", additions=True).learn_population(data)
    assert engine.InstanceSpecific().run(data, 0, population=same).n_rows == 80
    with pytest.raises(engine.SettingsError, match="other data"):
        engine.InstanceSpecific().run(random_data(80, 4, 4, seed=2), 0, population=same)


@pytest.mark.parametrize("ess", [1.0, 10.0])
@pytest.mark.parametrize("expected", [1.0, 0.2])
@pytest.mark.parametrize("limit", [None, 1])
def test_the_population_is_ges_under_the_settings(ess: float, expected: float, limit: int | None) -> None:
    """Equivalent sample size, structure prior and limit all reach the search; and each of them matters here."""
    data = random_data(60, 7, 12, seed=9)
    method = engine.InstanceSpecific(ess=ess, structure_prior=expected, max_parents=limit)
    found = set(method.run(data, 0).population_cpdag.edges)
    ges = engine.learn(data, engine.BDeu(ess), search="ges", structure_prior=expected, max_parents=limit)
    assert found == set(ges.edges)
    plain = engine.learn(data, engine.BDeu(1.0), search="ges", structure_prior=1.0)
    if (ess == 1.0) + (expected == 1.0) + (limit is None) == 2:  # one setting is another
        assert found != set(plain.edges)


@pytest.mark.parametrize("mode", ["order_kept", "published"])
def test_every_arc_of_a_patient_is_told_with_its_rows(mode: str) -> None:
    """Counts, contexts and sums of the table of arcs, for every kind of patient of figure 1."""
    data = figure_one()
    method = engine.InstanceSpecific(mode=mode, kappa=0.5)
    population = method.learn_population(data)
    for patient in all_patients()[::5]:
        result = method.run(data, patient, population=population)
        families = result.families()
        for arc in result.arc_changes.itertuples():
            own = families.at[arc.target, "instance_parents"]
            assert arc.cases == agreeing(data, {x: patient[x] for x in own}).sum()
            assert arc.context == ", ".join(f"{x} = {patient[x]}" for x in data.names if x in own)
            assert arc.net == pytest.approx(arc.score_gain + arc.kappa_cost)
            assert arc.known
