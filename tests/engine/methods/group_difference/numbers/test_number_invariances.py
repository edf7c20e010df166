"""What must not move P(differs) of numbers, ordered and nominal variables, and what must turn with it."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.methods.group_difference.blocks import weigh_clusters
from engine.methods.group_difference.numbers.child_evidence import ChildEvidence, weigh_child
from engine.methods.group_difference.rows.groups import split_groups
from tests.engine.methods.group_difference.numbers.tables import KINDS, mixed_frame


def prepared(frame: pd.DataFrame, **choices: object) -> engine.Dataset:
    """With missing as a level."""
    return engine.Dataset.from_frame(frame, missing="level", kinds=KINDS, rare=0, **choices)


def log_odds(data: engine.Dataset, groups: tuple[str, str] = ("a", "b")) -> dict[str, float]:
    """ln odds of a difference by variable, to nine digits of the odds."""
    result = engine.GroupDifference(group="group", groups=groups, max_parents=2).run(data)
    return dict(zip(result.names, result.posterior.log_odds.tolist(), strict=True))


def same(one: dict[str, float], two: dict[str, float]) -> None:
    """Up to rounding."""
    assert set(one) == set(two)
    np.testing.assert_allclose([one[name] for name in two], list(two.values()), atol=1e-7)


@settings(max_examples=4)
@given(st.integers(0, 1000))
def test_names_rows_and_columns_move_nothing(seed: int) -> None:
    """Nominal levels renamed (and so in another order), rows and columns shuffled; equal tables give equal bits."""
    rng = np.random.default_rng(seed)
    frame = mixed_frame(110, seed)
    first = log_odds(prepared(frame))
    assert log_odds(prepared(frame)) == first
    other = frame.sample(frac=1.0, random_state=seed)[rng.permutation(frame.columns)]
    other = other.assign(kind=other["kind"].map({"p": "zeta", "q": "mu", "r": "alpha"}))
    other = other.assign(sign=other["sign"].map({"yes": "0", "no": "1"}))
    same(first, log_odds(prepared(other)))


@settings(max_examples=4)
@given(st.integers(0, 1000), st.sampled_from(["exp", "cube", "line"]))
def test_a_monotone_transformation_of_a_number_moves_nothing(seed: int, how: str) -> None:
    """Evidence is of ranks and cells, lines of scores of ranks, levels of quantiles that fall on the same rows."""
    change = {"exp": np.exp, "cube": lambda x: x**3, "line": lambda x: 2.0 + 8.0 * x}[how]
    frame = mixed_frame(110, seed)
    data = prepared(frame)
    bins = {name: [float(change(cut)) for cut in data.cuts[name]] for name in ("level", "score")}
    changed = prepared(frame.assign(level=change(frame["level"]), score=change(frame["score"])), bins=bins)
    plain = prepared(frame, bins={name: list(data.cuts[name]) for name in bins})
    assert (plain.codes == changed.codes).all()
    same(log_odds(plain), log_odds(changed))


def evidence(data: engine.Dataset, groups: tuple[str, str], child: str, parents: tuple[str, ...]) -> ChildEvidence:
    """Of one family."""
    method = engine.GroupDifference(group="group", groups=groups)
    split = split_groups(method, data)
    names = split.pooled.names
    all_parents = tuple(tuple(sorted(names.index(x) for x in parents if x != name)) for name in names)
    blocks = weigh_clusters(method, split, all_parents)[names.index(child)]
    return weigh_child(method, split, names.index(child), blocks.parents, blocks)


@settings(max_examples=4)
@given(st.integers(0, 1000))
def test_swapped_groups_keep_p_and_turn_effects(seed: int) -> None:
    """Bayes factors of every form and block stay, estimates change their signs, shares above become shares below."""
    data = prepared(mixed_frame(110, seed))
    same(log_odds(data), log_odds(data, ("b", "a")))
    for child, parents in (("score", ("level", "kind")), ("step", ()), ("kind", ("level",)), ("sign", ("kind",))):
        one, two = (evidence(data, groups, child, parents) for groups in (("a", "b"), ("b", "a")))
        np.testing.assert_allclose(one.common, two.common, atol=1e-8)
        np.testing.assert_allclose(one.blocks, two.blocks, atol=1e-8)
        np.testing.assert_allclose(one.effects, -two.effects, atol=1e-8)
        for a, b in zip(one.segments, two.segments, strict=True):
            np.testing.assert_array_equal(a.counts, b.counts[::-1])
            there = a.counts.sum(axis=1).all() and len(a.lows) > 1
            np.testing.assert_allclose(a.higher, 1.0 - b.higher if there else b.higher, atol=1e-6)
