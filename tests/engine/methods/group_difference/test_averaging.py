"""P(differs) and P(link) against every order and parent set written out, from the rows of a table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.methods.group_difference import learn
from engine.methods.group_difference.average import averaging, families
from engine.methods.group_difference.rows.groups import split_groups
from engine.search.orders import sampling
from engine.search.orders.average import memory_needed
from engine.search.orders.parent_sets import all_parent_sets
from tests.engine.make import random_data, two_groups


@settings(max_examples=8)
@given(st.integers(0, 500))
def test_names_rows_columns_and_the_order_of_groups_move_nothing(seed: int) -> None:
    """Levels renamed and reordered, rows and columns shuffled, groups swapped: the same P and the same links."""
    rng = np.random.default_rng(seed)
    data = two_groups(60, 5, 6, seed, changed=True)
    codes = data.codes[:, rng.permutation(data.n_rows)].copy()
    for i in range(data.n_variables - 1):
        codes[i] = rng.permutation(int(data.arity[i])).astype(codes.dtype)[codes[i]]
    other = engine.Dataset.from_codes(codes, [data.levels[n] for n in data.names], data.names)
    other = other.select(other.names[i] for i in rng.permutation(other.n_variables))
    one = engine.GroupDifference(group="group", groups=("a", "b")).run(data)
    two = engine.GroupDifference(group="group", groups=("b", "a")).run(other)
    p, q = one.variables()["probability"], two.variables()["probability"]
    np.testing.assert_allclose(p, q.loc[p.index], atol=1e-10)
    links = {frozenset((r.source, r.target)): r for r in two.links().itertuples()}
    for row in one.links().itertuples():
        there = links[frozenset((row.source, row.target))]
        assert (row.probability_first, row.probability_second) == pytest.approx(
            (there.probability_second, there.probability_first), abs=1e-10
        )


@pytest.mark.parametrize("p_none", [0.01, 0.5, 0.99])
def test_a_moved_prior_is_what_a_run_with_it_gives(p_none: float) -> None:
    """Families are kept, sums made again; the paper's numbers stay, and moving those leaves P alone."""
    data = two_groups(200, 6, 8, seed=2, changed=True)
    result = engine.GroupDifference(group="group").run(data)
    moved = result.with_prior(p_none=p_none)
    anew = engine.GroupDifference(group="group", p_none=p_none).run(data)
    np.testing.assert_allclose(moved.variables()["probability"], anew.variables()["probability"], atol=1e-12)
    assert moved.variables()["verdict"].to_dict() == anew.variables()["verdict"].to_dict()
    assert moved.log_odds.to_dict() == result.log_odds.to_dict()
    paper = result.with_prior(0.999, "overall").with_alignment("common")
    assert paper.variables()["probability"].to_dict() == result.variables()["probability"].to_dict()
    assert paper.log_odds.to_dict() != result.log_odds.to_dict()


def test_without_rows_that_speak_the_prior_stays() -> None:
    """One row a group says nothing of a difference: P is 1 - p_none^(1/n)."""
    data = engine.Dataset.from_codes(np.array([[0, 1], [0, 0], [0, 1]]), [2, 2, 2], ["x", "y", "group"])
    result = engine.GroupDifference(group="group", p_none=0.36).run(data)
    assert result.variables()["probability"].min() > 0
    assert result.variables()["probability"].max() < 0.75
    none = engine.Dataset.from_codes(np.array([[0, 0, 0], [0, 0, 1]]), [["one"], 2], ["x", "group"])
    assert engine.GroupDifference(group="group", p_none=0.36).run(none).posterior.probabilities[0] == pytest.approx(
        0.64
    )


def test_many_rows_neither_overflow_nor_vanish() -> None:
    """Ten thousand rows a group, variables that copy each other: finite, and only the one that was moved differs."""
    rng = np.random.default_rng(0)
    rows = 20_000
    group = np.repeat([0, 1], rows // 2)
    x = rng.integers(0, 3, rows)
    copy = np.where(rng.random(rows) < 0.999, x, 2 - x)
    moved = np.where(rng.random(rows) < np.where(group == 0, 0.9, 0.7), x > 0, x == 0).astype(int)
    codes = np.array([x, copy, moved, rng.integers(0, 2, rows), group])
    data = engine.Dataset.from_codes(codes, [3, 3, 2, 2, 2], ["x", "copy", "moved", "noise", "group"])
    result = engine.GroupDifference(group="group").run(data)
    found = result.variables()["probability"]
    assert np.isfinite(result.posterior.log_odds).all()
    assert found["moved"] > 0.999
    assert found.drop("moved").max() < 0.05
    assert (result.links()["probability_first"].iloc[:2] > 0.999).all()


def test_walks_answer_what_the_sums_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight variables walked over although they could be summed: P within its error, the same links, told as drawn."""
    data = two_groups(300, 8, 10, seed=3, changed=True)
    method = engine.GroupDifference(group="group")
    exact = method.run(data)
    for module in (averaging, families):
        monkeypatch.setattr(module, "MOST_VARIABLES", 7)
    monkeypatch.setattr(sampling, "STEPS", 5000)
    walked = method.run(data)
    off = np.abs(walked.posterior.probabilities - exact.posterior.probabilities)
    assert (off <= 4 * walked.posterior.error + 1e-3).all()
    assert walked.posterior.error.max() > 0
    np.testing.assert_allclose(walked.average.arcs, exact.average.arcs, atol=0.1)
    assert walked.average.families is None
    assert any("Monte Carlo error" in note for note in walked.notes())
    with pytest.raises(engine.SettingsError, match="another prior takes another run"):
        walked.with_prior(p_none=0.9)
    more = engine.GroupDifference(group="group", max_parents=5).run(data)
    assert any("at most 3 parents" in note for note in more.notes())
    codes = data.select([*reversed(data.names)])
    turned = method.run(codes).posterior
    back = [codes.select([n for n in codes.names if n != "group"]).names.index(name) for name in walked.names]
    assert turned.log_odds[back].tolist() == pytest.approx(walked.posterior.log_odds.tolist())


def test_a_whole_order_needs_no_walk_however_many_variables() -> None:
    """Thirty variables in a known order: sums of one order, no error, and another prior is still another run."""
    data = two_groups(120, 30, 30, seed=1)
    order = tuple(name for name in data.names if name != "group")
    result = engine.GroupDifference(group="group", order=order).run(data)
    assert not result.posterior.error.any()
    place = {name: i for i, name in enumerate(order)}
    for graph in result.graphs().values():
        assert all(place[a] < place[b] for a, b in graph.edges)


def test_parents_are_limited_to_what_fits_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three where nothing is said, fewer with a note where they do not fit; a number that does not fit is refused."""
    data = two_groups(60, 8, 8, seed=5)
    plain = engine.GroupDifference(group="group").run(data)
    assert plain.average.max_parents == 3
    constraints = engine.Knowledge().constraints(plain.names)
    arity = split_groups(plain.method, data).pooled.arity.astype(float)
    least, more = (families.memory_of(constraints, arity, 120, k) for k in (2, 3))
    assert least < more
    monkeypatch.setattr(families, "MOST_BYTES", (least + more) / 2)
    fewer = engine.GroupDifference(group="group").run(data)
    assert fewer.average.max_parents == 2
    assert any("at most 2 parents" in note for note in fewer.notes())
    with pytest.raises(engine.SettingsError, match="at most 2 fit") as raised:
        engine.GroupDifference(group="group", max_parents=3).run(data)
    assert raised.value.setting == "max_parents"


def test_the_room_that_is_told_is_the_room_that_is_taken() -> None:
    """Families and blocks counted beforehand, without listing them."""
    data = random_data(200, 7, 8, seed=1)
    for known in (engine.Knowledge(), engine.Knowledge(required=[("v00", "v03")], forbidden=[("v01", "v02")])):
        constraints = replace(known.constraints(data.names), max_parents=3)
        sets = all_parent_sets(constraints)
        blocks = sets.blocks(data.arity)
        own = 80 + 8 * 3
        expected = memory_needed(7) + own * len(blocks)
        by_size = [(child, size) for child in range(7) for size in range(4)]
        for child, size in by_size:
            some = (sets.children == child) & (sets.sizes == size)
            expected += 8 * min(blocks[some].sum(), some.sum() * 100)
        assert families.memory_of(constraints, data.arity.astype(float), 200, 3) == pytest.approx(expected)


def test_more_variables_than_are_walked_over_keep_the_other_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says that P is not told; variables on their own and the paper's odds are answered."""
    monkeypatch.setattr(averaging, "MOST_WALKED", 5)
    monkeypatch.setattr(learn, "MOST_WALKED", 5)
    result = engine.GroupDifference(group="group").run(two_groups(300, 6, 8, seed=3, changed=True))
    found = result.variables()
    assert set(found["verdict"]) == {"cannot tell"}
    assert found["probability"].isna().all()
    assert found["p_alone"].notna().all()
    assert np.isfinite(result.log_odds).all()
    assert result.headline().startswith("No verdict: orders are averaged for up to")
    assert not len(result.links())
    assert result.graphs()["both groups together"].edges


def test_the_papers_single_order_carries_the_words_where_it_is_asked_for() -> None:
    """`average="none"`: P is that of the paper's odds under its prior, and one note says what that costs."""
    data = two_groups(300, 6, 8, seed=3, changed=True)
    result = engine.GroupDifference(group="group", average="none", score=engine.K2()).run(data)
    found = result.variables()
    np.testing.assert_allclose(found["probability"], found["p_different"])
    assert result.posterior is None
    assert any("neighbours" in note for note in result.notes())
    strict = result.with_prior(0.999999)
    others = found.index[found["probability"] < 0.99]
    assert (strict.variables().loc[others, "probability"] < found.loc[others, "probability"]).all()
    assert {s for graph in result.graphs().values() for *_, s in graph.edges(data="status")} <= {
        "both", "only A", "only B", "reversed", "neither",
    }  # fmt: skip
