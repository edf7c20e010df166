"""What a comparison must not know: the order of rows, columns, levels and groups."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.comparison.result import ComparisonResult
from tests.engine.comparison.made import by_ends, grouped, random_parts

FEW = 8
SIDES = ["a", "a_low", "a_high", "b", "b_low", "b_high", "p", "visible", "p_any"]
seeds = st.integers(0, 10_000)


def compared(parts: list[engine.Dataset], graphs: list[nx.Graph], draws: int = 499) -> ComparisonResult:
    """With its own seed."""
    return engine.compare(*graphs, data=parts, draws=draws, seed=3)


def close(p: float, other: float, draws: int) -> bool:
    """Whether two p of other draws are within five Monte Carlo errors."""
    mean = (p + other) / 2
    return abs(p - other) <= 5 * np.sqrt(2 * mean * (1 - mean) / draws) + 2 / draws


def same(one: ComparisonResult, other: ComparisonResult, rounding: float = 0.0) -> None:
    """To the last bit, or to rounding, whichever of two variables is named first."""
    wanted = by_ends(other)
    assert len(one.links()) == len(wanted) > 0
    for ends, row in by_ends(one).items():
        there = wanted[ends]
        assert row[["word", "levels"]].tolist() == there[["word", "levels"]].tolist()
        assert row[SIDES].tolist() == pytest.approx(there[SIDES].tolist(), rel=rounding, abs=0.0)


@settings(max_examples=FEW)
@given(seeds)
def test_the_order_of_rows_and_columns_changes_no_bit(seed: int) -> None:
    """Rows of a group handed over in another order, columns and nodes in another one."""
    parts, graphs = random_parts(seed, 70)
    generator = np.random.default_rng(seed)
    names = generator.permutation(parts[0].names).tolist()
    turned = [part.rows(generator.permutation(len(part))).select(names) for part in parts]
    drawn = []
    for graph in graphs:
        other = nx.Graph()
        other.add_nodes_from(names)
        other.add_edges_from((b, a) for a, b in graph.edges)
        drawn.append(other)
    same(compared(parts, graphs), compared(turned, drawn))


@settings(max_examples=FEW)
@given(seeds)
def test_the_order_of_rows_that_belong_together_changes_nothing(seed: int) -> None:
    """Subjects of two rows, many of them much alike; the whole table comes in another order."""
    generator, names = np.random.default_rng(seed), list("abcde")
    subject = np.repeat(np.arange(20), 2)
    codes = (generator.random((5, 40)) < 0.3).astype(int)
    codes[:, :4] = [[0, 1, 0, 1]] * 5  # so that every variable varies in both groups
    found = []
    for order in (np.arange(40), generator.permutation(40)):
        parts = grouped(codes[:, order], [2] * 5, names, (subject % 2)[order], subject=subject[order])
        found.append(compared(parts, [nx.empty_graph(names)] * 2))
    same(found[0], found[1], rounding=1e-9)


@settings(max_examples=FEW)
@given(seeds)
def test_swapped_groups_swap_their_sides(seed: int) -> None:
    """Signs of differences turn, words change sides, and p is the same."""
    parts, graphs = random_parts(seed, 60)
    one, other = compared(parts, graphs), compared(parts[::-1], graphs[::-1])
    for ends, row in by_ends(one).items():
        there = by_ends(other)[ends]
        if row["levels"] == there["levels"]:
            assert row[["a", "a_low", "b_high"]].tolist() == there[["b", "b_low", "a_high"]].tolist()
            assert row["difference"] == -there["difference"] and row["low"] == pytest.approx(-there["high"])
        assert row["p"] == there["p"]
        assert row["word"] == there["word"]  # a group's name goes with the group


@settings(max_examples=FEW)
@given(seeds)
def test_levels_without_an_order_can_change_places(seed: int) -> None:
    """Numbers of the same two levels are the same, up to their sign; p within Monte Carlo error."""
    parts, graphs = random_parts(seed, 60)
    generator = np.random.default_rng(seed)
    order = generator.permutation(3)
    names = parts[0].names
    codes = [part.codes.copy() for part in parts]
    for name in ("nom", "ordinary"):
        for own in codes:
            own[names.index(name)] = order[own[names.index(name)]]
    whole, group = np.concatenate(codes, axis=1), np.repeat([0, 1], [len(part) for part in parts])
    levels = [[f"{level}" for level in parts[0].levels[name]] for name in names]
    for name in ("nom", "ordinary"):
        called = levels[names.index(name)]
        levels[names.index(name)] = [called[i] for i in np.argsort(order)]
    turned = grouped(whole, levels, names, group, ("group 0", "group 1"), parts[0].kinds)
    one, other = (compared(made, graphs, 999) for made in (parts, turned))
    value = one.tested.differences.value
    assert np.sort(np.abs(value), axis=None) == pytest.approx(
        np.sort(np.abs(other.tested.differences.value), axis=None), abs=1e-6
    )
    for ends, row in by_ends(one).items():
        assert close(row["p"], by_ends(other)[ends]["p"], 999)


@settings(max_examples=FEW)
@given(seeds)
def test_a_scale_turned_round_turns_signs_only(seed: int) -> None:
    """Every link of an ordered variable changes its sign, of both groups and of the difference."""
    parts, graphs = random_parts(seed, 60)
    place = parts[0].names.index("ord")
    turned = []
    for part in parts:
        codes = part.codes.copy()
        codes[place] = 3 - codes[place]
        turned.append(part.with_codes(codes))
    one, other = (compared(made, graphs, 999) for made in (parts, turned))
    found = [by_ends(compared_) for compared_ in (one, other)]
    for ends, row in found[0].items():
        there, sign = found[1][ends], -1 if "ord" in ends else 1
        if row["levels"] == there["levels"]:
            assert row["a"] == pytest.approx(sign * there["a"], abs=1e-7)
            assert row["difference"] == pytest.approx(sign * there["difference"], abs=1e-7)
        assert close(row["p"], there["p"], 999)


def test_a_rating_turned_round_turns_signs_only() -> None:
    """Of partial correlations too."""
    generator = np.random.default_rng(0)
    values = generator.multivariate_normal(np.zeros(3), [[1, 0.6, 0.2], [0.6, 1, 0.4], [0.2, 0.4, 1]], 400).T
    codes, group = np.digitize(values, [-0.8, 0.1, 0.9]), np.arange(400) % 2
    found = []
    for table in (codes, np.array([3 - codes[0], codes[1], codes[2]])):
        parts = grouped(table, [4] * 3, "abc", group, kinds=dict.fromkeys("abc", "ordinal"))
        answers = [engine.Ordinal().run(part) for part in parts]
        found.append(by_ends(engine.compare(*answers, data=parts, draws=999)))
    for ends, row in found[0].items():
        sign = -1 if "a" in ends else 1
        assert row["a"] == pytest.approx(sign * found[1][ends]["a"], abs=1e-6)
        assert row["difference"] == pytest.approx(sign * found[1][ends]["difference"], abs=1e-6)
        assert close(row["p"], found[1][ends]["p"], 999)


@settings(max_examples=10)
@given(seeds, st.integers(2, 4))
def test_identical_groups_differ_nowhere(seed: int, groups: int) -> None:
    """p = 1 of every link and sum; no word but two."""
    parts, graphs = random_parts(seed, 50, 1)
    codes = np.tile(parts[0].codes, groups)
    labels = [f"group {number}" for number in range(groups)]
    levels = list(parts[0].levels.values())
    again = grouped(codes, levels, parts[0].names, np.repeat(np.arange(groups), 50), labels, parts[0].kinds)
    found = compared(again, graphs * groups)
    assert (found.links()["p"] == 1).all() and (found.tested.differences.sums == 1).all()
    assert set(found.links()["word"]) <= {"same", "no difference seen", "cannot tell"}
    assert found.headline().startswith("No link is seen to differ between group 0 (50)")


def test_equal_seeds_give_equal_bits() -> None:
    """Another seed draws others, with the same estimates."""
    parts, graphs = random_parts(1, 60)
    one, again, other = (engine.compare(*graphs, data=parts, draws=199, seed=seed) for seed in (0, 0, 1))
    assert one.links().equals(again.links())
    assert one.links()["p"].tolist() != other.links()["p"].tolist()
    assert np.array_equal(one.tested.differences.value, other.tested.differences.value)
