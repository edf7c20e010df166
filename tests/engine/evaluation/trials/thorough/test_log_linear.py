"""Tables whose graph is known: evidence of every pair against what-if, chi-squared against SciPy, refusals."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import chi2_contingency

import engine
from engine.errors import SettingsError
from engine.evaluation.trials.log_linear import AssociationTrial, evidence_bits

METHOD = engine.LogLinear()


@pytest.mark.parametrize("criterion", ["mml", "smt"])
@pytest.mark.parametrize("shape", ["survey", "nine"])
def test_evidence_is_what_adding_or_taking_away_would_bring(shape: str, criterion: str) -> None:
    """Every pair by `what_if` of the result: one edge alone has its bits, one that brings others has none."""
    trial = AssociationTrial(shape=shape, rows=3000, seed=1)
    _, data = trial.draw()
    result = engine.LogLinear(criterion=criterion).run(data)
    bits = evidence_bits(result, data)
    pairs = list(itertools.combinations(range(data.n_variables), 2))
    kinds = set()
    for i, j in pairs if shape == "nine" else pairs[::5]:
        a, b = data.names[i], data.names[j]
        found = result.what_if(data, a, b)
        if found.action == "add":
            expected = -math.inf if found.fill_in else found.saving_bits
        else:
            edge = result.graph.edges[a, b]
            expected = edge["entry_bits"] if found.fill_in else -found.saving_bits
        kinds.add((found.action, bool(found.fill_in)))
        assert bits[i, j] == bits[j, i] == pytest.approx(expected, abs=1e-6)
    assert {("add", False), ("remove", False)} <= kinds


def test_truth_and_calls_are_the_edges_of_the_two_graphs() -> None:
    """One item a pair, in the order of the columns."""
    trial = AssociationTrial(shape="nine", rows=5000, seed=4)
    model, data = trial.draw()
    outcome = trial.run(METHOD)
    pairs = list(itertools.combinations(data.names, 2))
    assert outcome.labels == tuple(f"{a} - {b}" for a, b in pairs)
    assert outcome.truth.tolist() == [model.graph.has_edge(a, b) for a, b in pairs]
    assert int(outcome.truth.sum()) == 11
    found = METHOD.run(data).graph
    assert outcome.called.tolist() == [found.has_edge(a, b) for a, b in pairs]


def test_chi_squared_is_the_likelihood_ratio_test_of_the_pair() -> None:
    """SciPy's G test, pair by pair; its usual threshold is 0.05 shared out among the pairs."""
    trial = AssociationTrial(shape="nine", rows=400, levels="ternary", seed=2)
    _, data = trial.draw()
    score = trial.run(METHOD, "chi-squared").scores[1]
    for place, (i, j) in enumerate(itertools.combinations(range(9), 2)):
        counts = np.zeros((3, 3))
        np.add.at(counts, (data.codes[i], data.codes[j]), 1)
        p = chi2_contingency(counts, correction=False, lambda_="log-likelihood").pvalue
        assert score.values[place] == pytest.approx(-math.log10(p), abs=1e-8)
    assert score.usual == pytest.approx(-math.log10(0.05 / 36))


def test_information_is_in_bits_a_row() -> None:
    """Against the sum over cells."""
    trial = AssociationTrial(shape="nine", rows=300, levels="binary", seed=2)
    _, data = trial.draw()
    score = trial.run(METHOD, "information").scores[1]
    joint = np.zeros((2, 2))
    np.add.at(joint, (data.codes[0], data.codes[1]), 1 / 300)
    product = joint.sum(1, keepdims=True) * joint.sum(0, keepdims=True)
    assert score.values[0] == pytest.approx(float((joint * np.log2(joint / product)).sum()), abs=1e-12)


def test_of_independent_variables_no_pair_is_linked() -> None:
    """The null of this kind."""
    outcome = AssociationTrial(shape="none", rows=500).run(METHOD, "chi-squared")
    assert len(outcome.truth) == 66
    assert not outcome.truth.any()
    assert not outcome.has_curve


def test_a_table_that_would_take_minutes_is_refused() -> None:
    """Rows times variables have a limit, and the sentence names the rows that fit."""
    with pytest.raises(SettingsError, match="at most 133,333 rows"):
        AssociationTrial(shape="many", rows=1_000_000)
    AssociationTrial(shape="nine", rows=1_000_000)
