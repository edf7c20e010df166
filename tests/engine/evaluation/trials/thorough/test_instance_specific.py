"""Patients for whom links are switched off: the truth from the contexts by hand, scores from single runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from engine.errors import SettingsError
from engine.evaluation.trials.instance_specific import InstanceTrial
from engine.evaluation.trials.outcome import Outcome
from engine.telling.terms import SHOWN

SMALL: dict[str, Any] = {"variables": 10, "arcs": 14, "rows": 600, "patients": 6}
METHOD = engine.InstanceSpecific()


@pytest.fixture(scope="module")
def trial() -> InstanceTrial:
    return InstanceTrial(seed=2, **SMALL)


@pytest.fixture(scope="module")
def outcome(trial: InstanceTrial) -> Outcome:
    return trial.run(METHOD, "weak")


def item(label: str) -> tuple[int, str, str]:
    """Patient (from 0), parent and child of a label "patient 1: a → b"."""
    patient, arc = label.removeprefix("patient ").split(": ")
    parent, child = arc.split(" → ")
    return int(patient) - 1, parent, child


def test_a_link_is_off_where_its_childs_context_leaves_it_out(trial: InstanceTrial, outcome: Outcome) -> None:
    """Every item again from the key of the contexts and the patient's values."""
    network, _, patients = trial.draw()
    names = list(network.names)
    for label, truth in zip(outcome.labels, outcome.truth, strict=True):
        patient, parent, child = item(label)
        assert names.index(parent) in network.parents[names.index(child)]
        codes = patients.codes[:, patient]
        holding = [
            context
            for context in network.contexts[names.index(child)]
            if all(codes[place] == value for place, value in context.key)
        ]
        off = any(names.index(parent) not in dict(context.key) for context in holding)
        assert truth == off
    assert 0 < outcome.truth.sum() < len(outcome.truth)


def test_the_score_is_one_less_the_posterior_of_the_link(trial: InstanceTrial, outcome: Outcome) -> None:
    """One patient again, alone; what the method drops is what it calls."""
    _, data, patients = trial.draw()
    values = {name: data.levels[name][code] for name, code in zip(data.names, patients.codes[:, 4], strict=True)}
    changes = METHOD.run(data, values).arc_changes.set_index(["source", "target"])
    mine = [i for i, label in enumerate(outcome.labels) if item(label)[0] == 4]
    assert mine
    for i in mine:
        _, parent, child = item(outcome.labels[i])
        row = changes.loc[(parent, child)]
        weighed = not np.isnan(row["probability"])  # of what was not weighed nothing speaks against
        applies = row["probability"] if weighed else 1.0
        assert outcome.scores[0].values[i] == pytest.approx(1 - applies, abs=1e-12)
        assert outcome.called[i] == (row["status"] == "dropped")


WORDS = {
    ("applies to the patient", "yes"): "applies",
    ("applies to the patient", "no"): "no longer matters",
    ("applies to the patient", "cannot tell"): "cannot tell",
    ("matters differently", "yes"): "matters differently",
    ("not asked", "cannot tell"): "not asked",
}


def test_the_verdicts_are_the_claims_of_every_patient(trial: InstanceTrial, outcome: Outcome) -> None:
    """What is claimed of each judged link, by kind, verdict and name; some are not asked."""
    _, data, patients = trial.draw()
    population = METHOD.learn_population(data)
    for number, codes in enumerate(patients.codes.T):
        values = {name: data.levels[name][code] for name, code in zip(data.names, codes, strict=True)}
        claims = METHOD.run(data, values, population=population).claims()
        assert set(claims["kind"]) <= {"applies to the patient", "matters differently", "not asked"}
        claims = claims.set_index("about")[["kind", "verdict"]]
        for label, said in zip(outcome.labels, outcome.claimed, strict=True):
            patient, a, b = item(label)
            if patient == number:
                (name,) = {f"{a} -> {b}", f"{b} -> {a}", f"{a} -- {b}", f"{b} -- {a}"} & set(claims.index)
                assert said == WORDS[tuple(claims.loc[name])]
    assert outcome.clusters.tolist() == [item(label)[0] for label in outcome.labels]


def test_weakness_is_the_same_for_every_patient(trial: InstanceTrial, outcome: Outcome) -> None:
    """It is the family's score without the link less that with it, in all rows."""
    values = outcome.scores[1].values.reshape(SMALL["patients"], -1)
    assert (values == values[0]).all()
    _, data, _ = trial.draw()
    _, parent, child = item(outcome.labels[0])
    family = list(METHOD.learn_population(data).names)
    dag = METHOD.run(data, 0).population_dag
    parents = [name for name in family if dag.has_edge(name, child)]
    score = engine.BDeu(ess=1.0)
    rest = [name for name in parents if name != parent]
    assert values[0, 0] == pytest.approx(score.family(data, child, rest) - score.family(data, child, parents))


def test_the_pictures_show_what_is_off(outcome: Outcome) -> None:
    """The links judged for a patient: intact ones in the truth, the others with their verdict."""
    for number, picture in enumerate(outcome.pictures):
        judged = {
            item(label)[1:]: (truth, said)
            for label, truth, said in zip(outcome.labels, outcome.truth, outcome.claimed, strict=True)
            if item(label)[0] == number
        }
        assert picture.off == {arc: SHOWN.get(said, said) for arc, (truth, said) in judged.items() if truth}
        assert set(picture.truth.edges) == set(judged) - set(picture.off)
        assert set(picture.found.edges) == {arc for arc, (_, said) in judged.items() if said != "no longer matters"}
        assert picture.title == f"Patient {number + 1}: {len(picture.off)} switched off"


def test_other_modes_and_priors_score_the_same_items(trial: InstanceTrial, outcome: Outcome) -> None:
    """The published search says yes or no; the paper's prior gives other probabilities."""
    published = trial.run(METHOD, "mode")
    assert published.labels == outcome.labels
    assert set(published.scores[1].values) <= {0.0, 1.0}
    other = trial.run(METHOD, "prior")
    assert other.scores[1].name == "paper prior"
    assert not np.array_equal(other.scores[0].values, other.scores[1].values)
    turned = trial.run(engine.InstanceSpecific(mode="published"))
    assert turned.scores[0].values.tolist() == published.scores[1].values.tolist()
    assert turned.called.tolist() == [value == 1 for value in turned.scores[0].values]


def test_without_contexts_nothing_is_off() -> None:
    """No case; what the method drops are false alarms."""
    outcome = InstanceTrial(contexts=False, seed=1, **SMALL).run(METHOD)
    assert len(outcome.truth)
    assert not outcome.truth.any()
    tested = int(outcome.tested.sum())
    assert 0 < tested < len(outcome.truth)
    assert outcome.headline().startswith('No link is switched-off, and "no longer matters" is said of')
    assert outcome.headline().endswith(f" of {tested} tested.")
    assert f" {len(outcome.truth)} for 6 patients, 0 of them switched off. " in outcome.remark
    assert f" verdicts are of the {tested} that could be tested, 0 of them switched off. " in outcome.remark


def test_too_many_links_are_refused() -> None:
    """More than there are pairs."""
    with pytest.raises(SettingsError, match="room for 3 links"):
        InstanceTrial(variables=3, arcs=4)
    with pytest.raises(SettingsError, match="at most 45 for 15 variables"):  # 2^14 situations of a variable and more
        InstanceTrial(variables=15, arcs=100)
