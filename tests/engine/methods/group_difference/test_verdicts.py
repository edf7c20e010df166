"""What is said of a variable, on tables whose truth is known."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import engine
from engine.methods.group_difference import odds
from tests.engine.make import two_groups


def table(columns: dict[str, np.ndarray]) -> engine.Dataset:
    """A data set of these columns of codes."""
    names = list(columns)
    codes = np.array([columns[name] for name in names], dtype=np.uint8)
    return engine.Dataset.from_codes(codes, [int(row.max()) + 1 for row in codes], names)


def compared(data: engine.Dataset, **settings: object):  # type: ignore[no-untyped-def]
    """The comparison of its two groups."""
    return engine.GroupDifference(group="group", **settings).run(data)  # type: ignore[arg-type]


def a_copy_of_the_cause(rows: int = 1500) -> engine.Dataset:
    """Groups differ in area; radius follows area alone, the same way in both groups."""
    rng = np.random.default_rng(2)
    group = np.repeat([0, 1], rows)
    area = (rng.random(2 * rows) < np.where(group == 0, 0.3, 0.6)).astype(int)
    radius = np.where(rng.random(2 * rows) < 0.95, area, 1 - area)
    return table({"area": area, "radius": radius, "noise": rng.integers(0, 2, 2 * rows), "group": group})


def test_a_difference_that_parents_explain_is_called_so() -> None:
    """One of the pair differs, the other only through it: on its own yes, beyond its parents no."""
    result = compared(a_copy_of_the_cause(), order=("area", "radius", "noise"))
    found = result.variables()
    assert found.loc["area", ["verdict", "class"]].tolist() == ["differs", "differs"]
    assert found.loc["radius", "class"] == "differs, explained by area"
    assert found.loc["radius", "verdict"] == "alike"
    assert found.loc["radius", "chance_alone"] < 0.01 < found.loc["radius", "chance_beyond"]
    assert (
        result.explain("radius")[0]
        == "On its own radius differs, as area does; given area, the groups are alike within 10 points."
    )
    assert "radius" in result.sentences()[2]
    assert found.index[0] == "area"


def test_a_difference_within_one_context_names_it() -> None:
    """Opposite effects in two contexts: over all rows nothing, within the contexts much."""
    rng = np.random.default_rng(0)
    rows = 2000
    group = np.repeat([0, 1], rows)
    sex = rng.integers(0, 2, 2 * rows)
    risk = np.where(sex == 1, np.where(group == 0, 0.35, 0.65), np.where(group == 0, 0.65, 0.35))
    death = (rng.random(2 * rows) < risk).astype(int)
    link = np.where(rng.random(2 * rows) < 0.8, sex ^ group, rng.integers(0, 2, 2 * rows))
    data = table({"sex": sex, "death": death, "link": link, "group": group})
    from_sex = engine.Knowledge(required=(("sex", "death"),), forbidden=(("link", "death"), ("sex", "link")))
    found = compared(data, order=("sex", "death", "link"), knowledge=from_sex).variables()
    assert found.loc["death", "class"].startswith("differs only within sex = ")
    assert found.loc["death", "verdict"] == "differs"
    assert abs(found.loc["death", "effect"]) < 0.05


def test_equal_groups_are_never_different_and_alike_once_there_are_rows() -> None:
    """Two groups equal cell for cell: nothing differs; alike needs rows, and few rows are said to be too few."""
    for rows, expected in ((50, "cannot tell"), (3000, "alike")):
        one = np.random.default_rng(1).integers(0, 2, (4, rows))
        twice = np.concatenate([one, one], axis=1)
        data = table({**{f"v{i}": row for i, row in enumerate(twice)}, "group": np.repeat([0, 1], rows)})
        result = compared(data)
        assert set(result.variables()["verdict"]) == {expected}
        assert result.overall_bayes_factor < 0
        assert "differ between" not in result.headline().replace("No variable is seen to differ between", "")
        assert result.variables()["rows_needed"].notna().all() == (expected == "cannot tell")
        assert set(result.claims()["verdict"]) == {{"cannot tell": "cannot tell", "alike": "no"}[expected]}


def test_the_prior_and_the_alignment_on_screen_move_no_verdict() -> None:
    """Verdicts rest on shuffles and Bayes factors; the margin moves what is alike, and nothing that differs."""
    result = compared(two_groups(400, 5, 7, seed=3, changed=True))
    before = result.variables()[["verdict", "class", "chance_beyond", "log10_bf_beyond"]]
    moved = result.with_prior(0.999999, "overall").with_alignment("common").variables()
    pd.testing.assert_frame_equal(before, moved.loc[before.index, before.columns])
    wide, narrow = result.with_margin(0.5).variables(), result.with_margin(0.01).variables()
    assert (wide["verdict"] == "alike").sum() > (narrow["verdict"] == "alike").sum() == 0
    differs = before.index[before["verdict"] == "differs"]
    assert len(differs)
    for other in (wide, narrow):
        assert list(other.index[other["verdict"] == "differs"]) == list(differs)


def test_networks_that_disagree_are_no_difference_called() -> None:
    """Shuffles rarely show as much, yet the published odds favour none: nothing says that it differs."""
    result = compared(two_groups(400, 5, 7, seed=3, changed=True))
    name = result.variables().index[0]
    assert result.variables().loc[name, "verdict"] == "differs"
    factors = result.bayes_factors | {"published": -np.ones(len(result.names))}
    result = result.with_margin(0.2)  # which nothing has been worked out for yet
    result.__dict__["bayes_factors"] = factors
    row = result.variables().loc[name]
    assert row[["verdict", "class"]].tolist() == ["cannot tell", "networks disagree"]
    assert result.explain(name)[0] == (
        f"Whether {name} differs cannot be told: the two ways of comparing the networks disagree."
    )
    assert any(name in note and "not called" in note for note in result.notes())
    assert "No variable is seen to differ" in result.headline() or "no more than" in result.headline()


def test_the_alignment_on_screen_changes_no_sentence_about_a_variable() -> None:
    """Effect, chance and contexts are told of the pooled network's parents, also where the networks share fewer."""
    for seed in range(20):
        result = compared(two_groups(150, 5, 7, seed=seed, changed=True))
        parents = zip(result.published, result.common, strict=True)
        apart = [name for name, (a, b) in zip(result.names, parents, strict=True) if b.parents and not a.parents]
        if apart:
            break
    assert apart, "no table on which the networks share fewer parents"
    for name in apart:
        said = result.explain(name)
        assert said[:3] == result.with_alignment("common").explain(name)[:3]
        assert "beyond its parents" in said[2]


def test_bayes_factors_are_odds_at_even_prior_odds() -> None:
    """By variable under both alignments, and overall with a prior of one half for no difference anywhere."""
    result = compared(two_groups(300, 5, 7, seed=3, changed=True), p_same=0.9)
    even = result.with_prior(0.5, "variable")
    assert list(result.bayes_factors["published"]) == pytest.approx(list(even.log_odds))
    assert list(result.bayes_factors["common"]) == pytest.approx(list(even.with_alignment("common").log_odds))
    overall = result.with_prior(0.5, "overall").with_alignment("common").overall_log_odds
    assert result.overall_bayes_factor == pytest.approx(overall)


def test_the_parts_of_the_contexts_add_up() -> None:
    """They sum to log10 of half the variable's odds plus one: the picture adds up to the number."""
    result = compared(two_groups(300, 6, 9, seed=4, changed=True))
    for i, name in enumerate(result.names):
        total = result.contexts(name, "common")["part"].sum()
        expected = math.log10((1 + math.exp(result.bayes_factors["common"][i])) / 2)
        assert total == pytest.approx(expected, abs=1e-9)
    assert list(odds.parts(np.zeros(4), 4.0)) == pytest.approx([0.0] * 4)


def test_the_effect_is_the_largest_difference_held_within_contexts() -> None:
    """Level, size and sign against counts of the rows; on its own it is the plain difference of shares."""
    data = two_groups(300, 5, 7, seed=3, changed=True)
    result = compared(data)
    found = result.variables()
    frame = pd.DataFrame({name: [data.levels[name][c] for c in data.column(name)] for name in data.names})
    for name in result.names:
        parents = list(result.parents(name)["both groups together"])
        weighed: dict[str, float] = dict.fromkeys(data.levels[name], 0.0)
        weight = 0.0
        for _, rows in frame.groupby(parents) if parents else [((), frame)]:
            a, b = (rows[rows["group"] == label][name] for label in ("a", "b"))
            if len(a) and len(b):
                w = len(a) * len(b) / len(rows)
                weight += w
                for level in weighed:
                    weighed[level] += w * ((b == level).mean() - (a == level).mean())
        largest = max(abs(value) for value in weighed.values()) / weight
        assert abs(found.loc[name, "effect"]) == pytest.approx(largest)
        assert found.loc[name, "effect"] == pytest.approx(weighed[found.loc[name, "level"]] / weight)
        assert found.loc[name, "low"] < found.loc[name, "effect"] < found.loc[name, "high"]


def test_bootstrap_of_rows_and_shuffles_call_what_the_answer_calls() -> None:
    """A strong difference is called in nearly all runs on rows drawn again, in hardly any with shuffled labels."""
    data = two_groups(600, 5, 7, seed=3, changed=True)
    method = engine.GroupDifference(group="group")
    found = method.run(data).variables()
    top = found.index[0]
    assert found.loc[top, "verdict"] == "differs"
    stability = method.stability(data, runs=10)
    assert stability.table().loc[top, "share_differs"] >= 0.9
    null = method.null(data, runs=20)
    least, most = null.range_called()
    assert (least, most) == (0, max(sum(run) for run in null.called.tolist()))
    assert null.none_called == sum(not any(run) for run in null.called.tolist())
    assert null.called.mean() < 0.1
    assert null.called.any(axis=0).sum() <= 3


def test_two_that_swap_are_named_together() -> None:
    """Called in turns, never together: each is the other's neighbour; without an arc between them nothing is said."""
    stability = engine.GroupDifference(group="group").stability(two_groups(60, 3, 2, seed=1), runs=1)
    called = np.zeros((10, 3), dtype=bool)
    called[:6, 0] = True
    called[6:, 1] = True
    object.__setattr__(stability, "called", called)
    a, b, c = stability.names
    assert stability.swaps({a: (b, c), b: (a,), c: ()}) == {a: (b,), b: (a,)}
    assert stability.swaps({a: (c,), b: (), c: (a,)}) == {}
    object.__setattr__(stability, "called", np.ones((10, 3), dtype=bool))
    assert stability.swaps({a: (b,)}) == {}
