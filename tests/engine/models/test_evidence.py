"""Posteriors against pgmpy and enumeration, sampled ones against exact ones, shares against their plain definition."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from engine.errors import DataError
from engine.models import Network, explain_change, fitted, posteriors, random_network
from engine.models import evidence as module
from engine.models.evidence import certain_variables
from engine.simulation.networks import random_arities, random_dag
from tests.engine.make import random_data

YES = ("no", "yes")


def some_network(seed: int) -> Network:
    """A random network of seven variables with two to four levels."""
    rng = np.random.default_rng(seed)
    return random_network(random_dag(7, 10, rng), random_arities(7, (2, 4), rng), rng)


def some_evidence(network: Network, count: int, seed: int, leave: str = "") -> dict[str, str]:
    """Random levels of some variables."""
    rng = np.random.default_rng(seed)
    names = [name for name in network.names if name != leave]
    chosen = rng.choice(len(names), count, replace=False)
    return {names[i]: str(rng.choice(network.levels[network.names.index(names[i])])) for i in map(int, chosen)}


def enumerate_posteriors(network: Network, evidence: dict[str, str]) -> dict[str, np.ndarray]:
    """The probability of every row that agrees with the evidence, added up."""
    codes = np.array(list(itertools.product(*map(range, network.arities)))).T
    weights = np.exp(network.log_probability(codes))
    for name, level in evidence.items():
        i = network.names.index(name)
        weights = weights * (codes[i] == network.levels[i].index(level))
    return {
        name: np.array([weights[codes[i] == code].sum() for code in range(network.arities[i])]) / weights.sum()
        for i, name in enumerate(network.names)
    }


@pytest.mark.parametrize("seed", range(10))
def test_posteriors_equal_enumeration(seed: int) -> None:
    """Of every variable, with no to three pieces of evidence."""
    network = some_network(seed)
    evidence = some_evidence(network, seed % 4, seed)
    expected = enumerate_posteriors(network, evidence)
    result = posteriors(network, evidence)
    assert list(result) == list(network.names) and result.draws == 0
    for name in network.names:
        assert result[name] == pytest.approx(expected[name], abs=1e-12)
        assert result[name] == pytest.approx(network.query(name, evidence), abs=1e-12)


def test_zeros_in_tables_are_no_trouble() -> None:
    """A level that cannot be stays at 0, a variable apart from all others keeps its own table."""
    sure = np.array([[1.0, 0.0], [0.0, 1.0]])
    network = Network(
        ("a", "b", "c"), (YES,) * 3, ((), (0,), ()), (np.array([[0.3, 0.7]]), sure, np.array([[0.4, 0.6]]))
    )
    result = posteriors(network, {"b": "yes"})
    assert result["a"].tolist() == [0.0, 1.0] and result["c"].tolist() == [0.4, 0.6]
    assert result.log_evidence == pytest.approx(math.log(0.7))


def test_certain_variables_are_those_without_another_level_by_enumeration() -> None:
    """A known variable counts only where every row with another level of it, and the rest as known, has probability 0;
    known variables of a network without zeros never do."""
    rng = np.random.default_rng(5)
    for seed in range(20):
        network = random_network(random_dag(5, 6, rng), [2] * 5, rng)
        sure = tuple(
            np.eye(2)[(table[:, 1] > 0.5).astype(int)] if i > 2 else table for i, table in enumerate(network.tables)
        )
        network = Network(network.names, network.levels, network.parents, sure)
        row = network.sample_codes(1, np.random.default_rng(seed))[:, 0]
        evidence = {network.names[i]: network.levels[i][row[i]] for i in range(1, 5)}
        expected = set()
        for name in evidence:
            rest = {key: level for key, level in evidence.items() if key != name}
            if max(enumerate_posteriors(network, rest)[name]) == 1:
                expected.add(name)
        assert certain_variables(network, evidence) == expected
    assert certain_variables(some_network(1), some_evidence(some_network(1), 3, 1)) == set()


def test_impossible_evidence_gets_one_sentence() -> None:
    """From posteriors and from shares, exact and sampled."""
    sure = np.array([[1.0, 0.0], [0.0, 1.0]])
    network = Network(("a", "b", "c"), (YES,) * 3, ((), (0,), (1,)), (np.array([[0.3, 0.7]]), sure, sure))
    with pytest.raises(DataError, match="probability 0: a = no, b = yes"):
        posteriors(network, {"a": "no", "b": "yes"})
    with pytest.raises(DataError, match="probability 0"):
        explain_change(network, "c", "yes", {"a": "no", "b": "yes"})
    with pytest.raises(DataError, match="too rare, or impossible"):
        posteriors(network, {"a": "no", "b": "yes"}, most_cells=1)
    with pytest.raises(DataError, match="itself known"):
        explain_change(network, "a", "yes", {"a": "no"})
    with pytest.raises(DataError, match=r"^a = no cannot occur in this network\.$"):
        posteriors(Network(("a",), (YES,), ((),), (sure[1:],)), {"a": "no"})


def test_large_networks_are_sampled_with_errors_that_hold() -> None:
    """Above the bound: within five standard errors of the exact result, equal bits for equal seeds."""
    network = some_network(3)
    evidence = some_evidence(network, 2, 5)
    exact = posteriors(network, evidence)
    sampled = posteriors(network, evidence, most_cells=1, seed=4)
    same = posteriors(network, evidence, most_cells=1, seed=4)
    assert sampled.draws == module.DRAWS
    assert sampled.log_evidence == pytest.approx(exact.log_evidence, abs=0.1)
    z = []
    for name in network.names:
        assert sampled[name].tolist() == same[name].tolist()
        if name in evidence:
            assert sampled[name].tolist() == exact[name].tolist()
        else:
            assert (sampled.standard_errors[name] > 0).all()
            z += list((sampled[name] - exact[name]) / sampled.standard_errors[name])
    assert np.abs(z).max() < 5 and 0.3 < np.sqrt(np.mean(np.square(z))) < 2


def test_standard_errors_are_the_spread_over_seeds() -> None:
    """Of rows whose weights are uneven: the mean squared error is what the errors say."""
    network = Network(
        ("a", "b"), (YES, YES), ((), (0,)), (np.array([[0.7, 0.3]]), np.array([[0.98, 0.02], [0.4, 0.6]]))
    )
    exact = posteriors(network, {"b": "yes"})["a"][1]
    runs = [posteriors(network, {"b": "yes"}, most_cells=1, seed=seed, draws=400) for seed in range(300)]
    spread = np.sqrt(np.mean([(run["a"][1] - exact) ** 2 for run in runs]))
    assert np.mean([run.standard_errors["a"][1] for run in runs]) == pytest.approx(spread, rel=0.2)


def slow_shares(network: Network, target: str, level: str, evidence: dict[str, str]) -> dict[str, float]:
    """The mean over all orders of what each piece changes when it comes."""
    code = network.levels[network.names.index(target)].index(level)
    shares = dict.fromkeys(evidence, 0.0)
    orders = list(itertools.permutations(evidence))
    for order in orders:
        for place, name in enumerate(order):
            before = {key: evidence[key] for key in order[:place]}
            after = before | {name: evidence[name]}
            change = network.query(target, after)[code] - network.query(target, before)[code]
            shares[name] += change / len(orders)
    return shares


@pytest.mark.parametrize("seed", range(5))
def test_shares_equal_their_definition_and_sum_to_the_change(seed: int) -> None:
    """All orders of four pieces of evidence."""
    network = some_network(seed)
    target = network.names[seed]
    evidence = some_evidence(network, 4, seed, leave=target)
    result = explain_change(network, target, network.levels[seed][1], evidence)
    assert result.shares == pytest.approx(slow_shares(network, target, network.levels[seed][1], evidence), abs=1e-12)
    assert sum(result.shares.values()) == pytest.approx(result.change, abs=1e-12)
    assert result.before == pytest.approx(network.query(target)[1]) and result.orders == 0
    assert result.after == pytest.approx(network.query(target, evidence)[1])


def star(count: int) -> Network:
    """A cause of many effects that are alike."""
    effect = np.array([[0.8, 0.2], [0.3, 0.7]])
    names = ("cause", *(f"e{i}" for i in range(count)))
    return Network(names, (YES,) * (count + 1), ((), *((0,),) * count), (np.array([[0.6, 0.4]]), *(effect,) * count))


def test_evidence_that_is_alike_gets_equal_shares() -> None:
    """Three like effects a third each; a piece that says nothing gets nothing."""
    result = explain_change(star(3), "cause", "yes", {"e0": "yes", "e1": "yes", "e2": "yes"})
    assert len({round(share, 12) for share in result.shares.values()}) == 1
    network = Network(("a", "b"), (YES, YES), ((), ()), (np.array([[0.5, 0.5]]),) * 2)
    assert explain_change(network, "a", "yes", {"b": "yes"}).shares == {"b": 0.0}
    assert explain_change(network, "a", "yes", {}).shares == {}


def test_many_pieces_are_sampled_and_still_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the bound: the sum to the last digit, the exact shares within five standard errors."""
    network = some_network(7)
    target = network.names[2]
    evidence = some_evidence(network, 5, 1, leave=target)
    exact = explain_change(network, target, network.levels[2][0], evidence)
    monkeypatch.setattr(module, "MOST_ORDERED", 4)
    sampled = explain_change(network, target, network.levels[2][0], evidence, seed=3)
    assert sampled.orders == 2 * module.ORDER_PAIRS
    assert sum(sampled.shares.values()) == pytest.approx(sampled.change, abs=1e-12)
    for name in evidence:
        assert abs(sampled.shares[name] - exact.shares[name]) <= 5 * sampled.standard_errors[name] + 1e-12


def test_an_order_and_its_reverse_are_exact_for_two_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pair holds both orders there are."""
    network = some_network(2)
    evidence = some_evidence(network, 2, 3, leave=network.names[0])
    exact = explain_change(network, network.names[0], network.levels[0][0], evidence)
    monkeypatch.setattr(module, "MOST_ORDERED", 1)
    sampled = explain_change(network, network.names[0], network.levels[0][0], evidence)
    assert sampled.orders and sampled.shares == pytest.approx(exact.shares, abs=1e-12)


def test_networks_with_tables_from_data() -> None:
    """Posterior means as tables: the same by query and at once."""
    network = fitted(random_data(80, 5, 3, seed=4), ((), (0,), (0, 1), (2,), (1, 3)))
    evidence = some_evidence(network, 2, 2)
    result = posteriors(network, evidence)
    for name in network.names:
        assert result[name] == pytest.approx(network.query(name, evidence), abs=1e-12)
