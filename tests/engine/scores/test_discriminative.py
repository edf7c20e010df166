"""PACL against a transcription of the paper, cell by cell, and what a decomposable score must keep."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.scores.discriminative import log_parameters
from tests.engine.make import random_data
from tests.engine.scores.acl import ACL


def table(seed: int, rows: int = 90) -> engine.Dataset:
    """Five variables and a class of unequal shares."""
    data = random_data(rows, 5, 6, seed)
    label = (np.random.default_rng(seed).random(rows) < 0.3).astype(np.uint8)
    return engine.Dataset.from_codes(
        np.vstack([data.codes, label]), [*(len(data.levels[name]) for name in data.names), 2], [*data.names, "class"]
    )


def slow_theta(intra: list[float], extra: list[float], parameters: str, eps: float) -> list[float]:
    """Equations 6, 7 and 8 (mended), for one configuration."""
    delta = [a - b for a, b in zip(intra, extra, strict=True)]
    if parameters == "ml":
        weight = [a + eps for a in intra]
    elif parameters == "max":
        weight = [d + eps if d > 0 else eps for d in delta]
    else:
        weight = [d - min(delta) + eps for d in delta]
    return [w / sum(weight) for w in weight]


def slow_pacl(
    data: engine.Dataset, child: str, parents: list[str], own: str, parameters: str, eps: float, balance: bool
) -> float:
    """Sum over rows of log P: those of the class, less those of the others, which weigh as much where balanced."""
    of = {name: data[name].tolist() for name in data.names}
    mine = [row for row in range(len(data)) if of["class"][row] == own]
    others = [row for row in range(len(data)) if of["class"][row] != own]
    w = len(mine) / len(others) if balance else 1.0
    cells = {
        (config, level): [
            sum(config == tuple(of[x][row] for x in parents) and of[child][row] == level for row in rows)
            for rows in (mine, others)
        ]
        for config in itertools.product(*(data.levels[x] for x in parents))
        for level in data.levels[child]
    }
    total = 0.0
    for config in itertools.product(*(data.levels[x] for x in parents)):
        pairs = [cells[config, level] for level in data.levels[child]]
        theta = slow_theta([a for a, _ in pairs], [w * b for _, b in pairs], parameters, eps)
        total += sum((a - w * b) * math.log(t) for (a, b), t in zip(pairs, theta, strict=True))
    return total


@pytest.mark.parametrize(
    ("delta", "mid", "most"),
    [
        ([10, 2, -5], [0.640, 0.320, 0.040], [0.733, 0.200, 0.067]),
        ([10, 2, 3], [0.750, 0.083, 0.167], [0.611, 0.167, 0.222]),
        ([-1, -6, -3], [0.545, 0.091, 0.364], [0.333, 0.333, 0.333]),
        ([4, -4, 4, -4], [0.45, 0.05, 0.45, 0.05], [0.417, 0.083, 0.417, 0.083]),
        ([0, 0, 0], [1 / 3] * 3, [1 / 3] * 3),
    ],
)
def test_rows_worked_by_hand(delta: list[float], mid: list[float], most: list[float]) -> None:
    """Equation 8 with its minus, and equation 7, at eps 1."""
    intra = np.maximum(delta, 0.0)
    extra = intra - np.array(delta)
    assert np.exp(log_parameters(intra, extra, "mid", 1.0)) == pytest.approx(mid, abs=6e-4)
    assert np.exp(log_parameters(intra, extra, "max", 1.0)) == pytest.approx(most, abs=6e-4)


@pytest.mark.parametrize("balance", [True, False])
@pytest.mark.parametrize("parameters", ["ml", "mid", "max"])
def test_a_family_is_that_of_the_paper(parameters: str, balance: bool) -> None:
    """No, one and two parents, both classes; the shared score is the sum of both."""
    data = table(3)
    for parents in ([], ["v01"], ["v01", "v03"]):
        slow = [slow_pacl(data, "v02", parents, own, parameters, 0.7, balance) for own in ("0", "1")]
        fast = [ACL("class", own, parameters, 0.7, balance).family(data, "v02", parents) for own in ("0", "1")]
        assert fast == pytest.approx(slow, rel=1e-12)
        assert ACL("class", None, parameters, 0.7, balance).family(data, "v02", parents) == pytest.approx(sum(slow))


@pytest.mark.parametrize("network", ["1", None])
def test_additions_are_families(network: str | None) -> None:
    """One pass over all candidates; never the class, never what is in the family."""
    data = table(4)
    bound = ACL("class", network, "mid").bind(data)
    for parents in ((), (3,)):
        found = bound.additions(1, parents)
        for x in range(6):
            if x in (1, 5, *parents):
                assert found[x] == -np.inf
            else:
                assert found[x] == pytest.approx(bound.local(1, tuple(sorted((*parents, x)))), rel=1e-12)
    assert not np.isfinite(bound.additions(5, ())).any()
    assert bound.local(5, ()) == 0
    assert bound.local(5, (1,)) == bound.local(1, (5,)) == -np.inf
    asked = np.zeros(6, dtype=bool)
    asked[0] = True
    assert np.flatnonzero(np.isfinite(bound.additions(1, (), asked))).tolist() == [0]


def test_ml_does_not_tell_directions_and_the_others_do() -> None:
    """PACL of a pair is that of its counts alone under ML."""
    data = table(5)

    def both_ways(parameters: str, eps: float) -> tuple[float, float]:
        score = ACL("class", "1", parameters, eps)
        one = score.family(data, "v00", []) + score.family(data, "v01", ["v00"])
        return one, score.family(data, "v01", []) + score.family(data, "v00", ["v01"])

    one, other = both_ways("ml", 1e-12)
    assert one == pytest.approx(other, rel=1e-9)
    one, other = both_ways("mid", 1.0)
    assert one != pytest.approx(other, rel=1e-3)
    assert ACL("class").equivalent
    assert not ACL("class", parameters="max").equivalent


@settings(max_examples=15)
@given(st.integers(0, 1000), st.sampled_from(["ml", "mid", "max"]))
def test_names_of_levels_and_order_of_rows_do_not_matter(seed: int, parameters: str) -> None:
    """Another coding of every variable, rows shuffled."""
    data, rng = table(seed), np.random.default_rng(seed)
    codes = data.codes.copy()
    for i in range(5):
        codes[i] = rng.permutation(len(data.levels[data.names[i]]))[codes[i]]
    turned = engine.Dataset.from_codes(
        codes[:, rng.permutation(90)], [len(data.levels[name]) for name in data.names], data.names
    )
    score = ACL("class", "0", parameters)
    one, other = (score.family(here, "v04", ["v00", "v02"]) for here in (data, turned))
    assert one == pytest.approx(other, rel=1e-10, abs=1e-10)


def test_any_search_takes_it_and_leaves_the_class_alone() -> None:
    """As a value, like K2."""
    graph = engine.learn(table(6), ACL("class", "1"), max_parents=1)
    assert not graph.degree["class"]
    assert graph.number_of_edges()
