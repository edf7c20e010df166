"""Every displayed figure of a group comparison against the plainest way to work it out."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy.stats import beta

import engine
from engine.methods.group_difference import odds
from engine.methods.group_difference.verdicts import ALL_ROWS
from engine.telling.group_difference.tables import contexts_by_level, in_order_of_levels
from tests.engine.make import paper, random_data, two_groups


@pytest.fixture(scope="module")
def result():  # type: ignore[no-untyped-def]
    """A comparison with odds on both sides of even."""
    found = paper(group="group", p_same=0.6).run(two_groups(90, 5, 6, seed=3, changed=True))
    assert (found.log_odds > 0).any()
    assert (found.log_odds < 0).any()
    return found


def test_a_probability_is_odds_over_one_plus_odds(result) -> None:  # type: ignore[no-untyped-def]
    """In the ranking, in both alignments, and on the nodes of networks whose words rest on them."""

    def probability(log_odds: float) -> float:
        return 1 - 1 / (1 + math.exp(log_odds))

    expected = {name: probability(value) for name, value in result.log_odds.items()}
    assert result.ranking()["p_different"].to_dict() == pytest.approx(expected)
    nodes = result.graphs()["both groups together"].nodes
    assert {name: nodes[name]["probability"] for name in nodes} == pytest.approx(expected)
    both = result.both()
    for alignment in ("published", "common"):
        assert list(both[f"p_different_{alignment}"]) == pytest.approx([probability(x) for x in both[alignment]])
    assert any(0.05 < p < 0.95 for p in expected.values())


def test_contexts_by_level_are_all_rows_and_each_context_once(result) -> None:  # type: ignore[no-untyped-def]
    """They rise as the levels of the parents do, the first parent first, whatever the evidence."""
    several = 0
    for name in result.names:
        first, *contexts = contexts_by_level(result, name)
        assert first == ALL_ROWS
        told = set(result.differences(name)["context"])
        assert told == {first, *contexts}
        backwards = result.differences(name).iloc[::-1]
        assert list(in_order_of_levels(result, name, backwards)["context"]) == [first, *contexts]
        values = [[part.split(" = ") for part in context.split(", ")] for context in contexts if " = " in context]
        places = [tuple(result.levels[parent].index(level) for parent, level in context) for context in values]
        assert places == sorted(set(places))
        several += len(places) > 2
    assert several


def test_columns_of_the_ranking_by_hand(result) -> None:  # type: ignore[no-untyped-def]
    """log10 of the odds, the prior's odds, contexts with rows, few rows."""
    ranking = result.ranking()
    for name in result.names:
        row, table = ranking.loc[name], result.contexts(name, "published")
        assert row["log10_odds"] == pytest.approx(result.log_odds[name] / math.log(10))
        assert row["prior_log10_odds"] == pytest.approx(math.log10(0.4 / 0.6))
        assert row["contexts_with_rows"] == len(table)
        decisive = table.loc[table["log_bayes_factor"].idxmax()]
        assert row["few_rows"] == (min(decisive["n in a"], decisive["n in b"]) < 10)
        assert list(table["few_rows"]) == list(table[["n in a", "n in b"]].min(axis=1) < 10)
    assert list(ranking["log10_odds"]) == sorted(ranking["log10_odds"], reverse=True)


@pytest.mark.parametrize("score", [engine.K2(), engine.BDeu(3.0)])
def test_intervals_of_the_distributions(score: engine.K2 | engine.BDeu) -> None:
    """Shares are posterior means, `low` and `high` the 2.5 and 97.5 % points of each level's Beta."""
    found = paper(group="group", score=score).run(two_groups(90, 5, 6, seed=3, changed=True))
    for name in found.names:
        table, levels = found.distributions(name, "published"), found.levels[name]
        possible = found.ranking().loc[name, "contexts"]
        cell = 1.0 if isinstance(score, engine.K2) else 3.0 / (possible * len(levels))
        for _, block in table.groupby(["context", "group"]):
            a = block["count"].to_numpy() + cell
            rest = a.sum() - a
            assert list(block["share"]) == pytest.approx(list(a / a.sum()))
            assert list(block["low"]) == pytest.approx(list(beta.ppf(0.025, a, rest)), rel=1e-6)
            assert list(block["high"]) == pytest.approx(list(beta.ppf(0.975, a, rest)), rel=1e-6)


def exact_log_odds(bayes: list[float], p: Decimal, empty: int) -> float:
    """ln of prod (1 + e^b (1 - p) / p) / p^empty - 1, with 400 digits."""
    with localcontext() as context:
        context.prec = 400
        odds_of = (1 - p) / p
        same = Decimal(1)
        for b in bayes:
            same *= 1 + Decimal(b).exp() * odds_of
        return float((same / p**empty - 1).ln())


SMALL = [
    ([-30.0, -31.0, -29.5], 0),
    ([-30.0, -31.0], 3),
    ([-200.0, -3.0], 1),
    ([-500.0, -500.0], 0),
    ([], 4),
    ([25.0, -40.0], 2),
    ([2.0], 5),
]


@pytest.mark.parametrize("p", ["0.5", "0.9", "0.999999999999"])
def test_small_odds_are_sums_over_blocks(p: str) -> None:
    """Very negative odds, with and without empty blocks, equal 400-digit arithmetic; overall all variables at once."""
    log_p = float(Decimal(p).ln())
    bayes = np.array([b for block, _ in SMALL for b in block])
    starts = np.cumsum([0, *(len(block) for block, _ in SMALL)])
    possible = np.array([len(block) + empty for block, empty in SMALL], dtype=float)
    by_variable, _ = odds.log_odds(bayes, starts, possible, np.full(len(SMALL), log_p))
    expected = [exact_log_odds(block, Decimal(p), empty) for block, empty in SMALL]
    assert list(by_variable) == pytest.approx(expected, rel=1e-9, abs=1e-6)
    for chosen in ([0, 3], [0, 0, 0], [2, 3], [4, 4], range(len(SMALL))):
        some = [SMALL[i] for i in chosen]
        bayes = np.array([b for block, _ in some for b in block])
        starts = np.cumsum([0, *(len(block) for block, _ in some)])
        possible = np.array([len(block) + empty for block, empty in some], dtype=float)
        _, overall = odds.log_odds(bayes, starts, possible, np.full(len(some), log_p))
        together = exact_log_odds(bayes.tolist(), Decimal(p), sum(empty for _, empty in some))
        assert overall == pytest.approx(together, rel=1e-9, abs=1e-6)


def torn(rows: int = 60) -> engine.Dataset:
    """Two variables that go together in one group and apart in the other, so that pooled they look independent."""
    rng = np.random.default_rng(0)
    wide = rng.integers(0, 3, 2 * rows)
    group = np.repeat([0, 1], rows)
    narrow = np.where(group == 0, wide > 0, wide == 0).astype(int)
    codes = np.array([narrow, wide, group], dtype=np.uint8)
    return engine.Dataset.from_codes(codes, [["0", "1"], ["0", "1", "2"], ["a", "b"]], ["narrow", "wide", "group"])


def test_the_first_name_comes_first_where_no_arc_decides() -> None:
    """Pooled there is no arc, so the alphabet orders the two, and the groups' networks follow."""
    found = paper(group="group").run(torn())
    networks = found.graphs()
    assert not networks["both groups together"].edges
    assert list(networks["group = a"].edges) == [("narrow", "wide")]
    assert list(networks["group = b"].edges) == [("narrow", "wide")]


def test_other_priorities_give_other_orders() -> None:
    """`stability` draws the rule that decides ties and orders: each of the two comes up, and the last one differs."""
    runs = paper(group="group").stability(torn(), runs=12)
    last = runs.log_odds()[0].argmax(axis=1)
    assert set(last) == {0, 1}
    assert len(np.unique(runs.log_odds()[0].round(9), axis=0)) == 12, "rows are drawn again in every run"


def test_the_tables_of_stability_and_chance_by_hand() -> None:
    """Lowest, median, highest and shares, worked out from the runs themselves."""
    data = two_groups(90, 4, 5, seed=6, changed=True)
    method = paper(group="group", seed=4)
    found = method.run(data)
    shuffled = method.null(data, runs=9)
    log10 = shuffled.log_odds()[0] / math.log(10)
    table = shuffled.table(found.log_odds)
    for i, name in enumerate(found.names):
        drawn, row = sorted(log10[:, i]), table.loc[name]
        seen = found.log_odds[name] / math.log(10)
        assert (row["lowest"], row["median"], row["highest"]) == pytest.approx((drawn[0], drawn[4], drawn[8]))
        assert row["share_above_even"] == pytest.approx(sum(x > 0 for x in drawn) / 9)
        assert row["observed"] == pytest.approx(seen)
        assert row["share_as_high"] == pytest.approx((1 + sum(x >= seen for x in drawn)) / 10)
    assert shuffled.largest.tolist() == [max(run) for run in shuffled.probabilities.tolist()]
    low = float(shuffled.log_odds()[1].min())
    assert shuffled.share_overall(low) == 1.0
    assert shuffled.share_overall(low - 1) == 1.0
    assert shuffled.share_overall(1e9) == pytest.approx(0.1)


@pytest.mark.parametrize("search", ["thick_thinning", "hill_climbing", "exact"])
@pytest.mark.parametrize("seed", range(4))
def test_drawn_settings_hold_in_all_three_networks(search: str, seed: int) -> None:
    """A limit and an order bind the networks of both groups and of all rows."""
    rng = np.random.default_rng(seed)
    data = two_groups(200, 6, 9, seed, changed=True)
    names = [name for name in data.names if name != "group"]
    order = [str(name) for name in rng.permutation(names)]
    most = int(rng.integers(0, 3))
    method = paper(group="group", search=search, order=tuple(order), max_parents=most)
    for graph in method.run(data).graphs().values():
        assert all(order.index(a) < order.index(b) for a, b in graph.edges)
        assert max(d for _, d in graph.in_degree()) <= most
        assert bool(graph.edges) == (most > 0)


def test_two_levels_of_three_leave_the_third_out() -> None:
    """Rows of another level of the group column count in neither group."""
    data = random_data(120, 4, 4, seed=2, levels=(3, 3))
    kept = np.isin(data.column("v03"), [0, 2])
    found = paper(group="v03", groups=(data.levels["v03"][2], data.levels["v03"][0])).run(data)
    assert found.n == ((data.column("v03") == 2).sum(), (data.column("v03") == 0).sum())
    alone = paper(group="v03").run(data.rows(np.flatnonzero(kept)))
    assert np.allclose(found.log_odds, alone.log_odds, atol=1e-6)
