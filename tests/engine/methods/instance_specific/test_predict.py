"""Prediction of a patient: exact sums against enumeration, the own row left out, the target blanked."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import engine
from engine.measures.intervals import share_interval
from engine.methods.instance_specific.parent_choices import NodeChoice
from engine.scores.instance import InstanceScore, InstanceTables
from tests.engine.make import random_data
from tests.engine.methods.instance_specific.make import all_cases, figure_one, log_probabilities, log_probability


def without(data: engine.Dataset, row: int) -> engine.Dataset:
    """The table without one row."""
    return data.rows(np.arange(data.n_rows) != row)


@pytest.mark.parametrize("known", [["X0", "X1"], ["X0", "X3", "X5"], ["X2"], []])
def test_probability_of_known_values_is_the_sum_over_the_cells(known: list[str]) -> None:
    """Summing the joint over all cells that agree with what is known gives the held-out probability."""
    data = figure_one(300)
    patient = {name: data.levels[name][data.codes[data.index(name), 4]] for name in known}
    result = engine.InstanceSpecific(kappa=0.9).run(data, patient)
    cells = all_cases(data)
    inside = np.ones(cells.n_rows, dtype=bool)
    for name, level in patient.items():
        inside &= cells.column(name) == cells.levels[name].index(level)
    joint = np.exp(log_probability(result, data, cells))
    assert result.held_out.instance == pytest.approx(math.log(joint[inside].sum()), abs=1e-9)
    assert result.held_out.variables == len(known)
    assert result.held_out.exact


def test_prediction_is_the_conditional_of_the_joint() -> None:
    """P(target | what is known) by enumeration of the cells, under both networks."""
    data = figure_one(300)
    patient = {"X0": "0", "X3": "1", "X4": "0", "X5": "1"}
    method = engine.InstanceSpecific()
    result = method.run(data, patient, target="X2")
    cells = all_cases(data)
    inside = np.ones(cells.n_rows, dtype=bool)
    for name, level in patient.items():
        inside &= cells.column(name) == cells.levels[name].index(level)
    nobody = method.run(data, {}, population=method.learn_population(data))  # no context: the population's joint
    assert result.prediction is not None
    for column, source in (("instance", result), ("population", nobody)):
        joint = np.exp(log_probability(source, data, cells)) * inside
        shares = [joint[cells.column("X2") == k].sum() / joint.sum() for k in range(2)]
        assert result.prediction[column].tolist() == pytest.approx(shares, abs=1e-9)
    assert result.prediction.sum().tolist() == pytest.approx([1.0, 1.0])
    assert result.observed_target is None


def test_new_patients_are_predicted_as_one_by_one() -> None:
    """Rows of a frame under their own index: the shares of `run` to the bit, the target's own value unused; a value
    without a level counts as not known; other things than a frame, and a constant target, are refused."""
    data, method = figure_one(300), engine.InstanceSpecific(kappa=0.9)
    frame = figure_one(8, seed=9).to_frame().astype(object)
    frame.index = [f"p{i}" for i in range(8)]
    frame.iloc[0, frame.columns.get_loc("X2")] = None
    predicted = method.predict(data, frame, "X2")
    assert list(predicted.index) == list(frame.index)
    for i, row in enumerate(predicted.itertuples(index=False)):
        result = method.run(data, frame.iloc[[i]], target="X2")
        assert [row[2:4], row[4:6]] == [tuple(shares) for shares in result.predicted.tolist()]
        assert row[0] == result.observed_target or i == 0
        assert row[1] == data.levels["X2"][int(np.argmax(result.predicted[0]))]
    assert predicted["observed"].isna().tolist() == [True] + [False] * 7
    assert method.predict(data, frame.drop(columns="X2"), "X2").iloc[:, 1:].equals(predicted.iloc[:, 1:])
    with pytest.raises(engine.DataError, match="a pandas table with a patient a row"):
        method.predict(data, range(3), "X2")  # type: ignore[arg-type]
    with pytest.raises(engine.DataError, match="nothing to predict"):
        method.predict(data.rows(data.codes[2] == 1), frame, "X2")


def test_row_with_a_target_is_the_patient_without_her_row() -> None:
    """With a target the own row learns and scores nothing: the same as its values against the other rows."""
    data = random_data(150, 6, 8, seed=12)
    method = engine.InstanceSpecific(kappa=0.8)
    for row in (0, 33):
        found = method.run(data, row, target="v02")
        patient = {name: data.levels[name][data.codes[i, row]] for i, name in enumerate(data.names)}
        observed = patient.pop("v02")
        other = method.run(without(data, row), patient, target="v02")
        assert found.observed_target == observed
        assert found.n_rows == 149
        assert "v02" not in found.patient
        assert found.prediction is not None and other.prediction is not None
        assert found.prediction.to_numpy().tolist() == other.prediction.to_numpy().tolist()
        assert found.held_out == other.held_out
        assert found.arc_changes.equals(other.arc_changes)


def test_the_interval_of_a_patient_rests_on_the_rows_alike() -> None:
    """With its parents known and nothing that follows from it, it is that of the rows alike; else the population's."""
    data = figure_one(2000)
    method = engine.InstanceSpecific()
    for patient in ({"X0": "0", "X1": "0"}, {"X0": "1", "X1": "1"}):
        result = method.run(data, patient, target="X2")
        assert result.expected is not None and result.expected_here is not None and result.prediction is not None
        family = result.families().loc["X2"]
        low, high = result.expected_here[:, 1]
        assert low < result.prediction.at["1", "instance"] < high
        if family["changed"]:
            hits = sum(data.column("X2")[result.similar_rows(data, "X2")] == 1)
            assert (low, high) == pytest.approx(np.array(share_interval(hits, family["cases"])), abs=0.01)
        else:
            assert result.expected_here.tolist() == result.expected.tolist()


def test_what_a_prediction_rests_on_is_named() -> None:
    """The known parents in the patient's network, and what else is known of the Markov blanket: no more than that."""
    data = figure_one(2000)
    patient = {"X0": "0", "X1": "1", "X3": "1", "X4": "0"}
    result = engine.InstanceSpecific().run(data, patient, target="X2")
    assert result.evidence_of_target() == (["X0"], ["X3"])
    assert engine.InstanceSpecific().run(data, {"X0": "0", "X5": "0"}, target="X2").evidence_of_target() == (["X0"], [])
    assert engine.InstanceSpecific().run(data, patient).evidence_of_target() == ([], [])


def test_a_row_is_counted_as_in_the_table_that_was_read() -> None:
    """Where rows before it are left out, the sentence has the number that the row has in the file, from 1."""
    data = figure_one(300).rows(np.arange(40, 300))
    result = engine.InstanceSpecific().run(data, 2)
    sentences = result.sentences()
    assert result.short_title() == "Row 43"
    assert any(sentence.startswith("The patient (row 43 of the table), with") for sentence in sentences)
    assert any(
        sentence.startswith("The patient, with")
        for sentence in engine.InstanceSpecific().run(data, {"X0": "0"}).sentences()
    )


@pytest.mark.parametrize("seed", [0, 4, 5, 9])
def test_held_out_probability_leaves_her_row_out_of_the_counts(seed: int) -> None:
    """Without a target, each value is foretold by counts that lack the patient's row, in both networks."""
    data = random_data(80, 5, 6, seed=seed)
    method = engine.InstanceSpecific(kappa=0.9)
    population = method.learn_population(data)
    runs = {row: method.run(data, row, population=population) for row in range(80)}
    changed = [row for row, result in runs.items() if result.families()["changed"].any()]
    assert bool(changed) == (seed != 4)  # else the patient's own row of parameters would not be looked at
    for row in (*changed[:5], 9):
        check_leaving_out(data, runs[row], row)


def check_leaving_out(data: engine.Dataset, result, row: int) -> None:  # type: ignore[no-untyped-def]
    """The held-out probabilities of one row, from counts over all other rows."""
    log_p = {"instance": 0.0, "population": 0.0}
    others = without(data, row)
    for name, family in result.families().iterrows():
        for which, parents in (("instance", family.instance_parents), ("population", family.population_parents)):
            if which == "instance" and not family.changed:
                parents = family.population_parents
            agree = np.ones(others.n_rows, dtype=bool)
            for x in parents:
                agree &= others.column(x) == data.column(x)[row]
            q = math.prod(len(data.levels[x]) for x in parents)
            r = len(data.levels[name])
            hit = agree & (others.column(name) == data.column(name)[row])
            log_p[which] += math.log((hit.sum() + 1 / (q * r)) / (agree.sum() + 1 / q))
    assert result.held_out.instance == pytest.approx(log_p["instance"], abs=1e-9)
    assert result.held_out.population == pytest.approx(log_p["population"], abs=1e-9)
    assert result.held_out.gain == pytest.approx(log_p["instance"] - log_p["population"], abs=1e-9)


def test_population_prediction_agrees_with_a_peer() -> None:
    """The population's conditional is pyAgrum's, for the same tables."""
    gum = pytest.importorskip("pyagrum")
    data = figure_one(400)
    method = engine.InstanceSpecific()
    result = method.run(data, {"X0": "1", "X5": "0"}, target="X4")
    network = gum.BayesNet()
    for name in data.names:
        network.add(gum.LabelizedVariable(name, name, list(data.levels[name])))
    for a, b in result.population_dag.edges:
        network.addArc(a, b)
    for name in data.names:
        parents = list(result.population_dag.predecessors(name))
        for levels in itertools.product(*[range(2) for _ in parents]):
            agree = np.ones(data.n_rows, dtype=bool)
            for x, level in zip(parents, levels, strict=True):
                agree &= data.column(x) == level
            counts = np.bincount(data.column(name)[agree], minlength=2) + 0.5 / 2 ** len(parents)
            network.cpt(name)[dict(zip(parents, levels, strict=True))] = (counts / counts.sum()).tolist()
    inference = gum.LazyPropagation(network)
    inference.setEvidence({"X0": 1, "X5": 0})
    assert result.prediction is not None
    assert result.prediction["population"].tolist() == pytest.approx(inference.posterior("X4").tolist(), abs=1e-9)


def test_rows_that_agree_beyond_the_population_keep_their_part_of_the_prior() -> None:
    """With an extra parent in Pa_IS a population row that agrees has given one joint configuration's prior away."""
    data = random_data(60, 3, 3, seed=1, levels=(3, 3))
    tables = InstanceTables(data, ((), (), (0,)), ess=9.0)
    values = data.codes[:, 0].astype(np.int64)
    score = InstanceScore(tables, values)
    cases = score.matched(2, (0, 1)).sum(axis=0)
    choices = [
        NodeChoice(0, (), (), 0.0, 0.0, np.zeros(3)),
        NodeChoice(1, (), (), 0.0, 0.0, np.zeros(3)),
        NodeChoice(2, (0,), (0, 1), 0.0, 0.0, cases),
    ]
    cells = all_cases(data).codes
    found = log_probabilities(tables, choices, values, cells)
    assert np.exp(found).sum() == pytest.approx(1.0, abs=1e-9)
    for cell, log_p in zip(cells.T.astype(int).tolist(), found.tolist(), strict=True):
        expected = sum(math.log(((data.codes[x] == cell[x]).sum() + 3) / (60 + 9)) for x in (0, 1))
        inside = (data.codes[:2] == values[:2, None]).all(axis=0)
        if cell[:2] == values[:2].tolist():
            rows, prior = inside, 1.0  # one of nine joint configurations
        else:
            rows = (data.codes[0] == cell[0]) & ~inside
            prior = 2.0 if cell[0] == values[0] else 3.0
        hit = rows & (data.codes[2] == cell[2])
        expected += math.log((hit.sum() + prior / 3) / (rows.sum() + prior))
        assert log_p == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("prior", ["union", "paper"])
def test_unchanged_families_have_one_prior(prior: str) -> None:
    """With nothing changed, held-out probability, whole cases and distributions all use the population's BDeu rows."""
    data = random_data(60, 4, 4, seed=2)
    patient = {name: data.levels[name][data.codes[i, 1]] for i, name in enumerate(data.names)}
    result = engine.InstanceSpecific(prior=prior, kappa=1e-9).run(data, patient)
    case = data.rows(np.array([1]))
    assert log_probability(result, data, case)[0] == pytest.approx(result.held_out.instance, abs=1e-9)
    shares = [
        float(block.set_index("level").at[patient[name], "share"])
        for name in data.names
        for block in [result.distributions(name)]
    ]
    assert sum(map(math.log, shares)) == pytest.approx(result.held_out.instance, abs=1e-9)
