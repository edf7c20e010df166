"""What of a difference goes through another variable, what cannot be told apart, and slopes that change."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, norm

import engine
from engine.methods.group_difference.average.averaging import Posterior
from engine.methods.group_difference.numbers.movers import linked_pairs
from engine.methods.group_difference.rows.groups import split_groups
from tests.engine.methods.group_difference.numbers.plain_evidence import ranked, written

METHOD = engine.GroupDifference(group="group", groups=("a", "b"))


def drawn(how: str, seed: int, rows: int = 150) -> engine.Dataset:
    """Two numbers x and y of which something moves, one that follows y, and a word."""
    rng = np.random.default_rng(seed)
    second = np.repeat([0, 1], rows)
    noise = rng.normal(size=(2 * rows, 4))
    x, rest = noise[:, 0], noise[:, 1]
    if how == "x moves far, y hangs on it a little":
        x = x + 2.0 * second
        y = 0.3 * x + rest
    elif how == "copies":
        x = x + 0.8 * second
        y = x + 0.1 * rest
    elif how == "the slope turns":
        y = np.where(second == 1, -0.5, 0.5) * x + 0.87 * rest
    else:
        y, x = 0.5 * x + 0.8 * rest + 0.9 * second, x + 0.9 * second
    frame = pd.DataFrame({"x": x, "y": y, "z": 0.4 * y + noise[:, 2], "word": np.where(noise[:, 3] > 0, "u", "v")})
    frame["group"] = np.where(second == 1, "b", "a")
    return engine.Dataset.from_frame(frame, kinds=dict.fromkeys("xyz", "continuous"))


def posterior(how: str, seed: int, rows: int = 150) -> Posterior:
    """Variables are x, y, z, word."""
    return METHOD.run(drawn(how, seed, rows)).posterior


@pytest.mark.parametrize("seed", range(6))
def test_what_follows_a_mover_is_not_claimed(seed: int) -> None:
    """x moves two standard deviations and y follows: x is claimed, y never, and where called it goes through x."""
    found = posterior("x moves far, y hangs on it a little", seed)
    assert found.claimed[0] >= 0.95
    assert found.claimed[1] < 0.5
    if found.probabilities[1] >= 0.5:
        assert found.through(1) == (0,)
    assert found.through(0) == ()
    assert not found.alternatives and not found.together


@pytest.mark.parametrize("seed", [0, 1, 3, 5])
def test_equal_values_are_not_put_in_the_order_of_a_parent(seed: int) -> None:
    """x crowds about its middle, steps and a count with many zeros have nothing to do with it: only x is called."""
    rng = np.random.default_rng([seed, 48])
    rank = (rng.permutation(1000) + 0.5) / 1000
    second = rng.permutation(np.repeat([False, True], 500))
    crowded = second & (rank > 1 / 3) & (rank < 2 / 3)
    x = norm.ppf(np.where(crowded, 0.5 + (6 * rank - 3) ** 3 / 6, rank))
    steps = rng.choice(["none", "mild", "severe"], 1000, p=[0.5, 0.3, 0.2])
    zeros = np.where(rng.random(1000) < 0.6, 0.0, rng.exponential(size=1000))
    frame = pd.DataFrame({"x": x, "steps": steps, "zeros": zeros, "group": np.where(second, "b", "a")})
    levels = {"steps": ["none", "mild", "severe"]}
    data = engine.Dataset.from_frame(frame, kinds={"steps": "ordinal", "zeros": "continuous"}, levels=levels)
    found = METHOD.run(data).posterior
    assert found.claimed[data.names.index("x")] >= 0.95
    assert max(found.probabilities[data.names.index(name)] for name in ("steps", "zeros")) < 0.5


@pytest.mark.parametrize("seed", [1, 2])
def test_of_two_copies_it_cannot_be_told_which(seed: int) -> None:
    """Each vanishes given the other: alternatives, neither claimed, neither through the other."""
    found = posterior("copies", seed)
    assert found.probabilities[:2].max() >= 0.5
    assert found.alternatives == ((0, 1),)
    assert found.claimed[:2].max() < 0.5
    assert 1 not in found.through(0) and 0 not in found.through(1)


@pytest.mark.parametrize("seed", range(4))
def test_a_slope_that_turns_names_both_ends_and_claims_neither(seed: int) -> None:
    """How x and y go together differs: one of them is called by chance of the draw, neither differs."""
    found = posterior("the slope turns", seed, 300)
    assert found.together == ((0, 1),)
    assert found.claimed[:2].max() < 0.5
    assert max(found.probabilities[:2]) >= 0.5


@pytest.mark.parametrize("seed", [1, 2, 5])
def test_two_real_changes_survive_each_other(seed: int) -> None:
    """Both move by themselves: neither goes through the other."""
    found = posterior("both move", seed)
    assert found.claimed[:2].min() >= 0.5
    assert found.through(0) == found.through(1) == ()


def test_what_is_asked_of_a_mover_is_the_evidence_written_out() -> None:
    """Least of P(i differs | j) and P(i differs | its parents where it differs, and j), from plain rows."""
    data = drawn("copies", 1)
    found, plain = posterior("copies", 1), written(data, "group")
    names, asked = list(plain.columns), 0
    for i, j in zip(*np.nonzero(~np.isnan(found.given)), strict=True):
        assert i != j
        sets = [(names[j],), tuple(names[x] for x in sorted({*found.differing[i], j}))]
        expected = min(plain.family(names[i], own)[2] for own in sets if len(own) <= 3)
        assert found.given[i, j] == pytest.approx(expected, abs=1e-9)
        asked += 1
    assert asked >= 2


def test_links_inside_the_groups_are_pillais_test() -> None:
    """Two numbers, a number and a word, inside the groups: trace of squared canonical correlations times n."""
    data = drawn("both move", 3)
    groups = split_groups(METHOD, data)
    second = ~groups.inside
    columns = [ranked(groups.pooled.numbers[name].column) for name in "xyz"] + [groups.pooled.column("word") * 1.0]
    inside = [c - np.where(second, c[second].mean(), c[~second].mean()) for c in columns]
    expected = chi2.sf(len(second) * np.corrcoef(inside) ** 2, 1) < 0.05
    found = linked_pairs(groups.scales(METHOD), groups) > 0
    off = ~np.eye(4, dtype=bool)
    np.testing.assert_array_equal(found[off], expected[off])
    assert expected[0, 1] and not expected[off].all()
