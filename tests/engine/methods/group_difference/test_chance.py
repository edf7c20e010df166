"""The conditional permutation against all shufflings counted out, and its promises."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import execution
from engine.methods.group_difference import chance as shuffling
from engine.methods.group_difference.blocks import Blocks
from engine.methods.group_difference.chance import LEAST, chance
from tests.engine.make import two_groups


def statistic(counts: np.ndarray, alpha: float, possible: float) -> float:
    """Sum over contexts of log(e^b (1 - p) / p + 1), the slow way, at p_i = 0.5."""

    def row(cells: list[int]) -> float:
        found = math.lgamma(alpha * len(cells)) - math.lgamma(alpha * len(cells) + sum(cells))
        return found + sum(math.lgamma(alpha + n) - math.lgamma(alpha) for n in cells)

    p = 0.5 ** (1 / possible)
    total = 0.0
    for first, second in counts.tolist():
        b = row(first) + row(second) - row([x + y for x, y in zip(first, second, strict=True)])
        total += math.log(math.exp(b) * (1 - p) / p + 1)
    return total


def all_shuffles(counts: np.ndarray, alpha: float, possible: float) -> float:
    """The share of all labellings, context by context, whose statistic reaches that of `counts`."""
    seen = statistic(counts, alpha, possible)
    choices = []
    for first, second in counts.tolist():
        rows = [k for k, n in enumerate(np.add(first, second)) for _ in range(n)]
        levels = len(first)
        every = []
        for chosen in itertools.combinations(range(len(rows)), sum(first)):
            mine = np.bincount([rows[i] for i in chosen], minlength=levels)
            every.append((mine, np.add(first, second) - mine))
        choices.append(every)
    reached = [statistic(np.array(one), alpha, possible) >= seen - 1e-9 for one in itertools.product(*choices)]
    return float(np.mean(reached))


def blocks(counts: list, possible: float) -> Blocks:
    """Blocks with these counts; their Bayes factors play no part."""
    table = np.array(counts)
    return Blocks((0,), possible, np.arange(len(table))[:, None], table, np.zeros(len(table)))


TABLES = [
    ([[[4, 1], [1, 3]]], 1.0),
    ([[[3, 1], [0, 3]], [[1, 2], [2, 2]]], 3.0),
    ([[[2, 0, 1], [0, 2, 1]], [[1, 1, 0], [1, 0, 1]]], 2.0),
    ([[[2, 2], [2, 2]], [[3, 0], [0, 0]]], 2.0),
]


@pytest.mark.parametrize("score", [engine.K2(), engine.BDeu(2.0)])
@pytest.mark.parametrize(("counts", "possible"), TABLES)
def test_it_is_the_share_of_all_labellings(counts: list, possible: float, score: engine.K2 | engine.BDeu) -> None:
    """Every labelling that keeps the rows of each context is as likely as any other."""
    one = blocks(counts, possible)
    alpha = score.cell_prior(possible, one.counts.shape[2])
    expected = all_shuffles(one.counts, alpha, possible)
    method = engine.GroupDifference(group="g", score=score, seed=4)
    found = chance(method, ["x"], [one], least=4000)
    assert found.p[0] == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / 4000) + 1e-3)
    assert 1 / 4001 <= found.p[0] <= 1


def test_rare_ones_are_drawn_more_often() -> None:
    """Where fewer than ten of 999 shuffles reach it, more are drawn as many variables are asked about."""
    strong, weak = blocks([[[40, 5], [5, 40]]], 1.0), blocks([[[20, 25], [25, 20]]], 1.0)
    method = engine.GroupDifference(group="g")
    found = chance(method, [f"v{i}" for i in range(60)], [strong, *[weak] * 59])
    assert found.shuffles[0] == 2400
    assert found.p[0] == pytest.approx(1 / 2401)
    assert set(found.shuffles[1:]) == {LEAST}


def test_p_is_corrected_as_holm_does() -> None:
    """The least p times the number of variables, the next times one fewer, and never less than the one before."""
    counts = [
        [[40, 5], [5, 40]],
        [[30, 15], [18, 27]],
        [[25, 20], [20, 25]],
        [[29, 16], [20, 25]],
        [[22, 23], [23, 22]],
    ]
    found = chance(engine.GroupDifference(group="g"), list("abcde"), [blocks([one], 1.0) for one in counts])
    largest, order = 0.0, sorted(range(5), key=lambda i: found.p[i])
    for rank, i in enumerate(order):
        largest = max(largest, (5 - rank) * found.p[i])
        assert found.corrected[i] == pytest.approx(min(largest, 1.0))
    assert len(set(found.corrected.tolist())) >= 4


def test_a_variable_that_cannot_be_asked_has_chance_one() -> None:
    """One level, or contexts that never have both groups; it does not count among those asked about."""
    method = engine.GroupDifference(group="g")
    one_level = blocks([[[4], [6]]], 1.0)
    apart = blocks([[[3, 2], [0, 0]], [[0, 0], [2, 2]]], 2.0)
    strong = blocks([[[40, 5], [5, 40]]], 1.0)
    found = chance(method, ["a", "b", "c"], [one_level, apart, strong])
    assert list(found.p[:2]) == [1.0, 1.0]
    assert found.shuffles[0] == 0
    assert found.corrected[2] == pytest.approx(2 * found.p[2])


@settings(max_examples=10)
@given(st.integers(0, 500))
def test_no_order_and_no_name_of_a_level_changes_a_bit(seed: int) -> None:
    """Rows, columns, levels and groups in another order: p stays to the last bit."""
    rng = np.random.default_rng(seed)
    data = two_groups(80, 5, 6, seed, changed=True)
    codes = data.codes[:, rng.permutation(data.n_rows)].copy()
    for i in range(data.n_variables - 1):
        codes[i] = rng.permutation(int(data.arity[i])).astype(codes.dtype)[codes[i]]
    other = engine.Dataset.from_codes(codes, [data.levels[n] for n in data.names], data.names)
    other = other.select(other.names[i] for i in rng.permutation(other.n_variables))
    here = engine.GroupDifference(group="group").run(data)
    there = engine.GroupDifference(group="group", groups=("b", "a")).run(other)
    places = [there.names.index(name) for name in here.names]
    assert np.array_equal(here.chance_alone.p, there.chance_alone.p[places])


def test_seeds() -> None:
    """Another seed draws other shuffles; the same one the same."""
    data = two_groups(80, 5, 6, 3, changed=True)
    one, two, again = (engine.GroupDifference(group="group", seed=seed).run(data).chance_alone.p for seed in (0, 1, 0))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, two)


@pytest.mark.parametrize("at_once", [1, 5_000, 100_000])
def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    """One thread, two or five, and however many counts are looked up at once: every number is the same."""
    method = engine.GroupDifference(group="group", chance=0.01)
    result = method.run(two_groups(150, 5, 6, 3, changed=True))
    with execution.using(1):
        expected = chance(method, result.names, result.common)
    monkeypatch.setattr(shuffling, "_FEW_AT_ONCE", at_once)
    for number in (1, 2, 5):
        with execution.using(number):
            found = chance(method, result.names, result.common)
        for one in ("p", "corrected", "shuffles"):
            assert getattr(found, one).tobytes() == getattr(expected, one).tobytes()


@given(levels=st.integers(2, 4), blocks=st.integers(1, 5), most=st.sampled_from([1, 30, 3000]), seed=st.integers(0, 99))
def test_labels_of_many_contexts_are_shuffled_as_one_by_one(levels: int, blocks: int, most: int, seed: int) -> None:
    """All contexts of a variable of two levels are drawn in one call: equal numbers, and equal ones afterwards."""
    generator = np.random.default_rng(seed)
    rows = generator.integers(0, most + 1, (blocks, levels))
    rows[:, 0] += 2
    smaller = np.array([generator.integers(1, one.sum() // 2 + 1) for one in rows])
    ours, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
    found = shuffling._first(rows, smaller, 7, ours)
    slow = [theirs.multivariate_hypergeometric(*one, 7, method="marginals") for one in zip(rows, smaller, strict=True)]
    assert (found == np.array(slow)).all()
    assert ours.bit_generator.state == theirs.bit_generator.state


@given(shape=st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(1, 20)), seed=st.integers(0, 99))
def test_sums_over_levels_are_those_of_numpy_to_the_last_bit(shape: tuple[int, int, int], seed: int) -> None:
    """Level by level where they are few; NumPy adds eight and more in another order."""
    generator = np.random.default_rng(seed)
    cells, counts = generator.normal(size=50) * 10.0 ** generator.integers(-5, 5, 50), generator.integers(0, 50, shape)
    assert (shuffling._across(cells, counts) == cells[counts].sum(axis=-1)).all()
