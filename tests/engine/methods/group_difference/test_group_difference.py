"""Posterior odds against a slow computation of the paper's equations, closed forms, and invariances."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

import engine
from engine import execution
from engine.methods.group_difference import odds, resampling
from engine.telling.group_difference import wording
from tests.engine.make import balance_scale, paper, two_groups


def slow_odds(result, parts: dict[str, engine.Dataset], common: bool = False) -> tuple[dict[str, float], float]:
    """Equations 3, 6, 7, 10 and 11 with loops over every possible configuration; ln O_i by variable, and ln O."""
    method = result.method
    first, second = (parts[label] for label in result.labels)
    evidence = {}
    for i, name in enumerate(result.names):
        families = [[result.names[x] for x in structure[i]] for structure in result.structures]
        if common:
            families = [families[2]] * 3
        shared = [x for x in families[2] if x in families[0] and x in families[1]]
        r = len(result.levels[name])
        blocks = list(itertools.product(*(range(len(result.levels[x])) for x in shared)))
        split = {"context": 1, "variable": len(blocks), "overall": len(blocks) * len(result.names)}[method.p_level]
        log_p = math.log(method.p_same) / split
        evidence[name] = 0.0
        for eta in blocks:
            b = 0.0
            for family, groups, sign in zip(families, ([first], [second], [first, second]), (1, 1, -1), strict=True):
                free = [x for x in family if x not in shared]
                q = math.prod(len(result.levels[x]) for x in family)
                alpha = method.score.ess / (q * r) if isinstance(method.score, engine.BDeu) else 1.0
                for rest in itertools.product(*(range(len(result.levels[x])) for x in free)):
                    where = dict(zip(shared, eta, strict=True)) | dict(zip(free, rest, strict=True))
                    counts = np.zeros(r)
                    for data in groups:
                        mask = np.ones(data.n_rows, dtype=bool)
                        for x, code in where.items():
                            mask &= data.column(x) == code
                        counts += np.bincount(data.column(name)[mask], minlength=r)
                    row = gammaln(alpha * r) - gammaln(alpha * r + counts.sum())
                    b += sign * (row + (gammaln(alpha + counts) - gammaln(alpha)).sum())
            evidence[name] += np.logaddexp(0.0, b + math.log(-math.expm1(log_p)) - log_p)

    def to_odds(a: float) -> float:
        return a + math.log(-math.expm1(-a)) if a > 1e-6 else math.log(math.expm1(a))

    return {name: to_odds(a) for name, a in evidence.items()}, to_odds(sum(evidence.values()))


@pytest.mark.parametrize("p_same", [0.1, 0.5, 0.99])
def test_balance_scale_by_class_equals_the_slow_computation(p_same: float) -> None:
    """The published and the common odds of L against R, to nine digits."""
    data = balance_scale()
    result = paper(group="class", groups=("L", "R"), p_same=p_same).run(data)
    both = result.both()
    for column, common in (("published", False), ("common", True)):
        slow, overall = slow_odds(result, data.split("class"), common)
        for name in result.names:
            assert both.loc[name, column] == pytest.approx(slow[name], rel=1e-9, abs=1e-9)
        assert result.with_alignment(column).overall_log_odds == pytest.approx(overall, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("score", [engine.K2(), engine.BDeu(1.0), engine.BDeu(7.3)])
@pytest.mark.parametrize("p_level", ["overall", "variable", "context"])
@pytest.mark.parametrize("seed", [0, 3])
def test_networks_with_parents_equal_the_slow_computation(
    seed: int, p_level: str, score: engine.K2 | engine.BDeu
) -> None:
    """Where parent sets differ and blocks are many, all odds agree to nine digits, at every level of the prior."""
    data = two_groups(150, 5, 6, seed, changed=True)
    result = paper(group="group", score=score, p_same=0.3, p_level=p_level).run(data)
    assert result.both()["parents_differ"].any()
    for alignment in ("published", "common"):
        slow, overall = slow_odds(result, data.split("group"), alignment == "common")
        read = result.with_alignment(alignment)
        for name in result.names:
            assert read.log_odds[name] == pytest.approx(slow[name], rel=1e-9, abs=1e-9)
        assert read.overall_log_odds == pytest.approx(overall, rel=1e-9, abs=1e-9)


def test_no_rows_leave_the_prior_odds() -> None:
    """Blocks without evidence give exactly the prior odds at each of the three levels."""
    possible = np.array([1.0, 4.0, 1e6])
    starts = np.zeros(4, dtype=int)
    for level, expected in [
        ("variable", [0.3] * 3),
        ("context", [0.3, 0.3**4, 0.0]),
        ("overall", [0.3 ** (1 / 3)] * 3),
    ]:
        log_p = odds.log_block_priors(0.3, level, possible)
        by_variable, overall = odds.log_odds(np.zeros(0), starts, possible, log_p)
        for ln_o, p in zip(by_variable, expected, strict=True):
            if p:
                assert ln_o == pytest.approx(math.log((1 - p) / p), rel=1e-9)
            else:
                assert ln_o == pytest.approx(-1e6 * math.log(0.3), rel=1e-9)
        total = -(log_p * possible).sum()
        assert overall == pytest.approx(total + math.log(-math.expm1(-total)), rel=1e-9)


@settings(max_examples=60)
@given(
    st.lists(st.lists(st.floats(-4000, 4000), min_size=1, max_size=5), min_size=1, max_size=5),
    st.floats(1e-9, 1 - 1e-9),
)
def test_log_odds_stay_finite_and_ordered(evidence: list[list[float]], p_same: float) -> None:
    """Whatever the evidence, odds are finite, and the overall odds are at least every variable's."""
    starts = np.cumsum([0, *map(len, evidence)])
    possible = np.array([len(e) + 2.0 for e in evidence])
    bayes = np.concatenate([np.array(e) for e in evidence])
    log_p = odds.log_block_priors(p_same, "variable", possible)
    by_variable, overall = odds.log_odds(bayes, starts, possible, log_p)
    assert np.isfinite(by_variable).all()
    assert math.isfinite(overall)
    assert overall >= by_variable.max() - 1e-9 * max(1, abs(overall))


def test_tiny_evidence_keeps_its_digits() -> None:
    """Very strong evidence for "same" gives very negative odds, not minus infinity."""
    log_p = odds.log_block_priors(0.5, "variable", np.array([1.0]))
    by_variable, overall = odds.log_odds(np.array([-5000.0]), np.array([0, 1]), np.array([1.0]), log_p)
    assert by_variable[0] == pytest.approx(-5000.0)
    assert overall == pytest.approx(-5000.0)


def test_one_block_shifts_with_the_prior() -> None:
    """With a single block a change of prior adds the change of the prior log odds, nothing else."""
    data = balance_scale()
    result = paper(group="class", groups=("L", "R")).run(data)
    moved = result.with_prior(0.9)
    assert np.allclose(moved.log_odds - result.log_odds, math.log(0.1 / 0.9))


@pytest.mark.parametrize("p_level", ["overall", "variable", "context"])
def test_with_prior_equals_running_again(p_level: str) -> None:
    """Moving the prior gives what a new run with that prior gives."""
    data = two_groups(200, 6, 8, seed=2, changed=True)
    moved = paper(group="group").run(data).with_prior(0.8, p_level)
    again = paper(group="group", p_same=0.8, p_level=p_level).run(data)
    assert (moved.log_odds == again.log_odds).all()
    assert moved.overall_log_odds == again.overall_log_odds
    assert moved.to_json() == again.to_json()


@pytest.mark.parametrize("p_level", ["overall", "variable", "context"])
def test_tipping_prior_makes_the_odds_even(p_level: str) -> None:
    """At its tipping prior a variable's odds are 1."""
    result = paper(group="group", p_level=p_level).run(two_groups(100, 5, 7, seed=5, changed=True))
    tipping = result.tipping_prior()
    checked = 0
    for name, p in tipping.items():
        if 1e-6 < p < 1 - 1e-6:
            assert result.with_prior(float(p)).log_odds[name] == pytest.approx(0.0, abs=1e-4)
            checked += 1
    assert checked


@settings(max_examples=8)
@given(st.integers(0, 500))
def test_swapping_groups_changes_no_odds(seed: int) -> None:
    """Which group is called first does not matter."""
    data = two_groups(80, 5, 6, seed, changed=True)
    one = paper(group="group", groups=("a", "b")).run(data)
    two = paper(group="group", groups=("b", "a")).run(data)
    assert np.allclose(one.log_odds, two.log_odds, rtol=1e-9, atol=1e-6)


@settings(max_examples=8)
@given(st.integers(0, 500))
def test_relabelling_and_reordering_change_no_odds(seed: int) -> None:
    """Names and order of levels, order of rows and order of columns leave every variable's odds alone."""
    rng = np.random.default_rng(seed)
    data = two_groups(80, 5, 6, seed, changed=True)
    codes = data.codes[:, rng.permutation(data.n_rows)].copy()
    for i in range(data.n_variables - 1):
        codes[i] = rng.permutation(int(data.arity[i])).astype(codes.dtype)[codes[i]]
    other = engine.Dataset.from_codes(codes, [data.levels[n] for n in data.names], data.names)
    other = other.select(other.names[i] for i in rng.permutation(other.n_variables))
    method = paper(group="group")
    here, there = method.run(data).log_odds, method.run(other).log_odds
    assert np.allclose(here, there.loc[here.index], rtol=1e-9, atol=1e-6)


def test_a_changed_variable_is_found_and_a_null_is_not() -> None:
    """A variable cut loose from its parents in one group leads the ranking; equal groups show nothing."""
    changed = paper(group="group").run(two_groups(1500, 6, 9, seed=3, changed=True))
    top = changed.ranking().index[0]
    assert changed.ranking().loc[top, "p_different"] > 0.99
    assert top == "v05"
    null = paper(group="group").run(two_groups(1500, 6, 9, seed=3))
    assert (null.both()["common"] < 0).all()


def test_contexts_hold_counts_posteriors_and_both_distributions() -> None:
    """The contexts of a variable add up to the groups, and their posteriors to the variable's odds."""
    data = two_groups(300, 6, 9, seed=4, changed=True)
    result = paper(group="group").run(data)
    for alignment in ("published", "common"):
        for name in result.names:
            table = result.contexts(name, alignment)
            assert table["n in a"].sum() == 300
            assert table["n in b"].sum() == 300
            shares = [c for c in table.columns if c.startswith("P(") and c.endswith("in a")]
            assert len(shares) == len(data.levels[name])
            sums = table.loc[table["n in a"] > 0, shares].sum(axis=1)
            assert np.allclose(sums, 1.0)
            long = result.distributions(name, alignment)
            assert np.allclose(long.groupby(["context", "group"])["share"].sum(), 1.0)
            assert (long["low"] <= long["share"]).all()
            assert (long["share"] <= long["high"]).all()
    name = max(result.names, key=lambda n: len(result.contexts(n, "published")))
    table = result.contexts(name, "published")
    empty = result.blocks("published")[result.names.index(name)].possible - len(table)
    log_p = math.log(0.5) / (len(table) + empty)
    evidence = -np.log1p(-table["posterior_different"]).sum() - empty * log_p
    expected = evidence + math.log(-math.expm1(-evidence))
    assert result.log_odds[name] == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_levels_that_neither_group_has_are_dropped_and_named() -> None:
    """A declared level without rows changes no odds and is listed."""
    data = two_groups(120, 4, 4, seed=1)
    levels = {name: list(data.levels[name]) for name in data.names}
    levels["v00"] = [*levels["v00"], "never"]
    wider = engine.Dataset.from_codes(data.codes, levels, data.names)
    method = paper(group="group")
    here, there = method.run(data), method.run(wider)
    assert np.array_equal(here.log_odds, there.log_odds)
    assert there.dropped == {"v00": ("never",)}
    assert "never" in there.summary()


def test_one_level_against_the_rest() -> None:
    """Naming one level compares it with all other rows."""
    result = paper(group="class", groups=("B",)).run(balance_scale())
    assert result.n == (49, 576)
    assert result.labels == ("B", "all other rows")


def test_runs_in_threads_are_those_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs side by side, as large tables have them: equal bits, and progress is told."""
    data = two_groups(150, 5, 6, seed=7, changed=True)
    method = paper(group="group", seed=5)
    for way in (method.stability, method.null):
        alone = way(data, runs=5)
        with monkeypatch.context() as patch, execution.using(2):
            patch.setattr(resampling, "ROWS_WORTH_THREADS", 300)
            heard: list[float] = []
            both = way(data, runs=5, progress=lambda fraction, words, heard=heard: heard.append(fraction))
        assert alone.log_odds()[0].tobytes() == both.log_odds()[0].tobytes()
        assert np.array_equal(alone.probabilities, both.probabilities)
        assert heard[-1] == 1.0
        assert heard == sorted(heard)


def test_stability_and_null_repeat_with_their_seed_and_their_workers() -> None:
    """One seed gives the same bits on one worker and on two; the shuffled labels show less than the truth."""
    data = two_groups(300, 5, 6, seed=7, changed=True)
    method = paper(group="group", seed=5)
    one, two = method.stability(data, runs=4), method.stability(data, runs=4, jobs=2)
    assert np.array_equal(one.log_odds()[0], two.log_odds()[0])
    assert one.table().shape == (5, 9)
    assert np.array_equal(one.probabilities, two.probabilities)
    result = method.run(data)
    table = method.null(data, runs=19).table(result.log_odds)
    top = result.ranking().index[0]
    assert table.loc[top, "share_as_high"] == pytest.approx(0.05)
    other = paper(group="group", seed=6).null(data, runs=4)
    assert not np.array_equal(method.null(data, runs=4).log_odds()[0], other.log_odds()[0])
    moved = paper(group="group", seed=5, p_same=0.9, alignment="common")
    assert np.array_equal(one.with_settings(moved).log_odds()[0], moved.stability(data, runs=4).log_odds()[0])
    assert method.null(data, runs=19).share_overall(result.overall_log_odds) == pytest.approx(0.05)
    with pytest.raises(engine.SettingsError, match="runs is 0"):
        method.null(data, runs=0)


def test_graphs_tables_and_json_hold_the_same_answer() -> None:
    """Three networks with statuses, complete tables, and JSON that a reader can parse back."""
    data = two_groups(400, 6, 9, seed=9, changed=True)
    result = paper(group="group", score=engine.BDeu(2.0)).run(data)
    graphs = result.graphs()
    assert list(graphs) == ["group = a", "group = b", "both groups together"]
    for graph in graphs.values():
        assert list(graph) == list(result.names)
        assert {s for *_, s in graph.edges(data="status")} <= {"both", "only A", "only B", "reversed", "neither"}
    document = json.loads(result.to_json())
    assert document["format"] == "diptych/group-difference/4"
    assert document["settings"]["score"] == {"name": "BDeu", "ess": 2.0}
    assert document["log_odds"]["published"] == pytest.approx(result.both()["published"].to_dict())
    titles = {"Variables", "Links", "Contexts", "Distributions", "Paper", "Characteristics", "Settings"}
    assert titles == set(result.tables())
    assert len(result.tables()["Variables"]) == 6


def test_a_given_order_binds_all_three_networks() -> None:
    """Arcs of every network run forward in the user's order; the group column in it is passed over."""
    data = two_groups(300, 5, 7, seed=12)
    order = ["group", *reversed([n for n in data.names if n != "group"])]
    result = paper(group="group", order=order).run(data)
    for graph in result.graphs().values():
        assert all(order.index(a) < order.index(b) for a, b in graph.edges)


def test_what_is_said_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page asks for the same sentences and networks many times; each caller may change what it is given."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.choice(["no", "yes"], (200, 4)), columns=["arm", "a", "b", "c"])
    result = engine.GroupDifference(group="arm").run(engine.Dataset.from_frame(frame))
    first = [result.headline(), result.sentences(), result.notes()]
    networks = result.graphs()
    monkeypatch.setattr(wording, "_of_variables", lambda _: pytest.fail("worked out again"))
    monkeypatch.setattr(wording, "lists", lambda _: pytest.fail("worked out again"))
    assert [result.headline(), result.sentences(), result.notes()] == first
    result.sentences().clear()
    next(iter(result.graphs().values())).clear()
    assert result.sentences() == first[1]
    assert [graph.number_of_nodes() for graph in result.graphs().values()] == [len(g) for g in networks.values()]
    assert result.with_margin(0.2).method.margin == 0.2
    with pytest.raises(pytest.fail.Exception):
        result.with_margin(0.2).headline()  # another margin is another answer
