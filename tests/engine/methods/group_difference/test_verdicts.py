"""What is said of a variable, on tables whose truth is known."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import words
from engine.methods.group_difference import odds
from engine.methods.group_difference.links import link_status
from engine.methods.group_difference.odds import rows_for_posterior
from engine.methods.group_difference.verdicts import Alone
from engine.scores.dirichlet import row_scores
from engine.telling.group_difference.wording import LINK_MISSED, lists, published, verdict_rules
from tests.engine.make import random_data, two_groups


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
    rng = np.random.default_rng(3)
    group = np.repeat([0, 1], rows)
    area = (rng.random(2 * rows) < np.where(group == 0, 0.3, 0.6)).astype(int)
    radius = np.where(rng.random(2 * rows) < 0.95, area, 1 - area)
    return table({"area": area, "radius": radius, "noise": rng.integers(0, 2, 2 * rows), "group": group})


def with_posterior(result, name: str, p: float, error: float = 0.0, r_hat: float = 1.0):  # type: ignore[no-untyped-def]
    """The same answer with another P(differs) of one variable, as if the sums or walks had come to it."""
    posterior, i = result.average.posterior, result.names.index(name)
    numbers = {"log_odds": math.log(p / (1 - p)), "error": error, "r_hat": r_hat}
    changed = {
        key: np.where(np.arange(len(result.names)) == i, value, getattr(posterior, key))
        for key, value in numbers.items()
    }
    return replace(result, average=replace(result.average, posterior=replace(posterior, **changed)))


def test_a_headline_says_which_two_groups_and_how_few_rows() -> None:
    """At each share, also where the pair was chosen among more groups; few rows are counted."""
    rng = np.random.default_rng(2)
    group = np.repeat([0, 1, 2], 300)
    data = table({"x": (rng.random(900) < np.array([0.2, 0.8, 0.5])[group]).astype(int), "group": group})
    said = compared(data, groups=("0", "1")).headline()
    assert re.fullmatch(r"x differs: “1” in \d+\s% \(\d+ of 300\) of group = 0, .+ of group = 1\.", said)
    few = compared(data.rows(np.r_[0:6, 300:306]), groups=("0", "1")).headline()
    assert few.startswith("With only 12 rows, ")


def test_a_difference_that_goes_through_others_is_no_difference_of_its_own() -> None:
    """Radius follows area alone: on its own it differs, given area no difference is seen, and it is never alike."""
    result = compared(a_copy_of_the_cause(), margin=0.35)
    found = result.variables()
    assert found["verdict"].to_dict() == {"area": "differs", "radius": "no difference seen", "noise": "alike"}
    assert found["alone"].to_dict() == {
        "area": "differs",
        "radius": "differs through others",
        "noise": "no difference seen",
    }
    assert found.loc["radius", "bound"] <= 0.35, "alike but for the remark"
    assert found.loc["radius", "p_alone"] < 0.01
    assert any("it differs through area." in said for said in result.explain("radius"))
    assert lists(result)[Alone.THROUGH_OTHERS] == ["radius"]
    assert any("radius" in said for said in result.how_sure()), "the first page of a report says it too"
    assert result.headline().startswith("area differs")


def test_where_is_the_context_that_decides() -> None:
    """Opposite effects in two contexts: the headline says where, with both shares and counts."""
    rng = np.random.default_rng(0)
    rows = 1000
    group = np.repeat([0, 1], rows)
    sex = rng.integers(0, 2, 2 * rows)
    risk = np.where(sex == 1, np.where(group == 0, 0.3, 0.7), np.where(group == 0, 0.6, 0.4))
    death = (rng.random(2 * rows) < risk).astype(int)
    data = table({"sex": sex, "death": death, "group": group})
    result = compared(data, order=("sex", "death"))
    hits = [int(death[(sex == 1) & (group == g)].sum()) for g in (0, 1)]
    n = [int(((sex == 1) & (group == g)).sum()) for g in (0, 1)]
    place = result.where("death")
    assert (place.context, place.level, place.hits, place.n) == ("sex = 1", "1", tuple(hits), tuple(n))
    assert place.effect == pytest.approx(hits[1] / n[1] - hits[0] / n[0])
    assert place.low < place.effect < place.high
    shares = [
        f"{100 * h / k:.0f}\u00a0% ({h} of {k}) of group = {g}" for g, (h, k) in enumerate(zip(hits, n, strict=True))
    ]
    assert result.headline() == f"death differs where sex = 1: “1” in {shares[0]}, {shares[1]}."
    assert abs(result.variables().loc["death", "effect"]) < 0.15 < abs(place.effect)
    everywhere = compared(a_copy_of_the_cause()).variables()
    assert everywhere.loc["area", "where"] == "everywhere"


LIMITS = [
    (0.9501, "differs"), (0.9499, "probably differs"), (0.5001, "probably differs"), (0.4999, "cannot tell"),
    (0.0501, "cannot tell"), (0.0499, "no difference seen"), (0.001, "no difference seen"),
]  # fmt: skip


@pytest.mark.parametrize(("p", "word"), LIMITS)
def test_words_begin_and_end_where_they_should(p: float, word: str) -> None:
    """Limits of P(differs) with five variables, whose prior is above twice .05, and a margin that nothing is under."""
    result = with_posterior(compared(two_groups(400, 5, 7, seed=3, changed=True), margin=0.02), "v01", p)
    row = result.variables().loc["v01"]
    assert row["verdict"] == word
    assert (row["rows_needed"] == row["rows_needed"]) == (word == "cannot tell")
    assert row["probability"] == pytest.approx(p)


def test_no_difference_given_parents_is_stated_where_others_explain_it() -> None:
    """The verdict is averaged over networks: page, file, report and JSON have no effect of the likeliest parents."""
    result = compared(a_copy_of_the_cause())
    rows = result.variables()
    through = rows["alone"] == Alone.THROUGH_OTHERS
    assert through.any() and not through.all()
    given = rows[["effect", "low", "high", "where_effect"]]
    assert given[through].isna().all(axis=None) and given[~through].notna().all(axis=None)
    assert rows["effect_alone"].notna().all()
    name = str(rows.index[through][0])
    assert "averages over all networks" in " ".join(result.explain(name))
    assert result.document()["verdicts"][name]["effect"] is None


def test_each_verdict_has_its_own_probabilities() -> None:
    """What differs by name up to three, then what probably does and what is inconclusive."""
    result = compared(two_groups(400, 7, 4, seed=1, changed=False))
    names = list(result.names)
    for called in (1, 2, 5):
        changed = result
        for place, name in enumerate(names):
            changed = with_posterior(changed, name, 0.99 if 0 < place < called else 0.97 if not place else 0.01)
        named = {1: names[0], 2: f"{names[1]} and {names[0]}", 5: "the 5 that differ"}[called]
        span = "97.0\u00a0%" if called == 1 else "at least 97.0\u00a0%"
        assert f"P(differs): {span} for {named}." in changed.sentences()
    assert not any(text.startswith("P(differs)") for text in with_posterior(result, names[0], 0.2).sentences())


def test_an_inconclusive_variable_is_not_among_the_others() -> None:
    """Drawn orders may leave P = .52 inconclusive and .51 not: each is named."""
    changed = compared(two_groups(400, 7, 4, seed=1, changed=False))
    told = [(0.9999, 0.0), (0.9999, 0.0), (0.51, 0.001), (0.52, 0.08)]
    for name, (p, error) in zip(changed.names, [*told, *[(0.01, 0.0)] * (len(changed.names) - 4)], strict=True):
        changed = with_posterior(changed, name, p, error)
    probable, unsure = changed.names[2:4]
    first = (
        f"P(differs): >\u00a099.9\u00a0% for the 2 that differ; probably differs: {probable} (51\u00a0%). "
        f"Inconclusive: {unsure} (52\u00a0%)."
    )
    assert changed.sentences()[0] == first
    assert len(first.split()) <= 25
    single = with_posterior(changed, changed.names[1], 0.01).sentences()[0]
    first = "P(differs): >\u00a099.9\u00a0% for the one that differs"
    assert single.startswith(f"{first}; probably differs: {probable} (51\u00a0%). ")


def test_no_difference_is_seen_only_below_half_of_what_was_thought_before() -> None:
    """A prior of .99 for nothing at all leaves .002 a variable: P must fall below .001."""
    result = compared(two_groups(400, 5, 7, seed=3), p_none=0.99, margin=0.001)
    prior = 1 - 0.99 ** (1 / 5)
    for share, word in ((0.51, "cannot tell"), (0.49, "no difference seen")):
        assert with_posterior(result, "v01", share * prior).variables().loc["v01", "verdict"] == word


@pytest.mark.parametrize(
    ("p", "error", "r_hat", "word"),
    [
        (0.96, 0.004, 1.0, "differs"),
        (0.96, 0.006, 1.0, "cannot tell"),
        (0.96, 0.004, 1.2, "differs"),
        (0.99, 0.006, 1.2, "cannot tell"),
        (0.99, 0.006, 1.04, "differs"),
        (0.52, 0.02, 1.0, "cannot tell"),
        (0.03, 0.012, 1.0, "cannot tell"),
    ],
)
def test_an_error_that_crosses_a_limit_tells_nothing(p: float, error: float, r_hat: float, word: str) -> None:
    """Two standard errors that reach a limit, or walks that disagree by more than is worth it: cannot tell."""
    result = compared(two_groups(400, 5, 7, seed=3, changed=True), margin=0.001)
    assert with_posterior(result, "v01", p, error, r_hat).variables().loc["v01", "verdict"] == word


@pytest.mark.parametrize(("deaths", "word"), [(45, "no difference seen"), (150, "alike")])
def test_a_rare_event_is_equivalent_only_where_half_of_its_share_is_ruled_out(deaths: int, word: str) -> None:
    """9 % v 10.4 % of 500 each leaves room for five points: few beside 100, half as many deaths again beside 9."""
    died = np.concatenate([np.arange(500) < deaths, np.arange(500) < deaths + 7])
    others = {f"v{i}": row for i, row in enumerate(np.random.default_rng(1).integers(0, 2, (5, 1000)))}
    data = table({"died": died.astype(int), **others, "group": np.repeat([0, 1], 500)})
    row = compared(data).variables().loc["died"]
    first, second = deaths / 500, (deaths + 7) / 500
    reach = second - first + 1.96 * math.sqrt((first * (1 - first) + second * (1 - second)) / 500)
    assert row["bound"] == pytest.approx(reach, abs=0.002) and row["bound"] < 0.1
    assert row["verdict"] == word and (reach > (first + second) / 4) == (word != "alike")


def test_equal_groups_are_never_different_and_alike_once_there_are_rows() -> None:
    """Two groups equal cell for cell: nothing differs; alike needs rows."""
    for rows, expected in ((50, "no difference seen"), (3000, "alike")):
        one = np.random.default_rng(1).integers(0, 2, (4, rows))
        twice = np.concatenate([one, one], axis=1)
        data = table({**{f"v{i}": row for i, row in enumerate(twice)}, "group": np.repeat([0, 1], rows)})
        result = compared(data)
        assert set(result.variables()["verdict"]) == {expected}
        assert result.overall_bayes_factor < 0
        assert result.p_any < 0.5
        assert set(result.claims()["verdict"]) == {{"alike": "no"}.get(expected, "cannot tell")}
    groups = "between group = 0 (3,000) and group = 1 (3,000)"
    assert result.headline() == f"All 4 variables are equivalent overall, ±10\u00a0pp, {groups}."


def test_the_papers_prior_and_alignment_move_no_word() -> None:
    """They move the paper's numbers only; the margin moves what is alike, and nothing that differs."""
    result = compared(two_groups(900, 5, 7, seed=3, changed=True))
    columns = ["verdict", "probability", "where", "alone"]
    before = result.variables()[columns]
    moved = result.with_prior(0.999999, "overall").with_alignment("common").variables()
    pd.testing.assert_frame_equal(before, moved[columns])
    wide, narrow = result.with_margin(0.5).variables(), result.with_margin(0.01).variables()
    assert (wide["verdict"] == "alike").sum() > (narrow["verdict"] == "alike").sum() == 0
    differs = before.index[before["verdict"] == "differs"]
    assert len(differs)
    for other in (wide, narrow):
        assert list(other.index[other["verdict"] == "differs"]) == list(differs)


def test_what_differs_and_what_follows_it_are_told_apart() -> None:
    """A chain c - x - y - w of which only the head differs: the head is called in every table, nobody else in most."""
    others = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        rows = 2000
        group = np.repeat([0, 1], rows // 2)
        columns = {"c": (rng.random(rows) < np.where(group == 0, 0.35, 0.65)).astype(int)}
        for name, before in zip("xyw", "cxy", strict=True):
            columns[name] = np.where(rng.random(rows) < 0.75, columns[before], rng.integers(0, 2, rows))
        verdict = compared(table({**columns, "group": group})).variables()["verdict"]
        assert verdict["c"] == "differs"
        others += verdict.drop("c").isin(["differs", "probably differs"]).any()
    assert others <= 1


def test_rows_that_would_tell_do_tell() -> None:
    """With the rows that are said to be needed, a difference of the margin reaches .95 in about 8 of 10 tables."""
    rng = np.random.default_rng(0)
    counts = np.array([[[30, 25], [28, 27]]])
    needed = rows_for_posterior(counts, 1.0, 0.2, 0.5, math.log(0.5) / 5, 0.95, [0])
    share = counts.sum(axis=(0, 1)) / counts.sum()
    found = 0
    for _ in range(200):
        one, two = (rng.binomial(int(needed), share[0] + d) for d in (0.1, -0.1))
        table_ = np.array([[one, needed - one], [two, needed - two]])
        bayes = [row_scores(each[None], 0.5)[0] for each in (table_[0], table_[1], table_.sum(axis=0))]
        log_p = math.log(0.5) / 5
        found += odds.surprise(np.array([bayes[0] + bayes[1] - bayes[2]]), np.array([log_p]))[0] >= -math.log(0.05)
    assert 0.7 <= found / 200 <= 0.9
    more = rows_for_posterior(counts, 1.0, 0.1, 0.5, math.log(0.5) / 5, 0.95, [0])
    assert 3 < more / needed < 6, "half the difference takes about four times the rows"
    assert math.isnan(rows_for_posterior(counts[:, :, :1], 1.0, 0.1, 0.5, -0.1, 0.95, [0]))


def test_a_link_is_only_in_a_group_where_both_groups_say_so() -> None:
    """A link of one group alone, and one of both: three states, by P(link) in each group, in pictures and tables."""
    rng = np.random.default_rng(1)
    rows = 2000
    group = np.repeat([0, 1], rows // 2)
    a = rng.integers(0, 2, rows)
    both = np.where(rng.random(rows) < 0.8, a, rng.integers(0, 2, rows))
    torn = np.where((rng.random(rows) < 0.8) & (group == 0), both, rng.integers(0, 2, rows))
    weak = np.where(rng.random(rows) < 0.07, a, rng.integers(0, 2, rows))
    result = compared(table({"a": a, "both": both, "torn": torn, "weak": weak, "group": group}))
    links = {frozenset((row.source, row.target)): row for row in result.links().itertuples()}
    found = result.variables()["probability"]
    assert links[frozenset(("a", "both"))].status == "both"
    assert links[frozenset(("both", "torn"))].status == "only A"
    for row in links.values():
        p, q = row.probability_first, row.probability_second
        states = {(True, True): "both", (True, False): "only A", (False, True): "only B"}
        clear = all(value >= 0.9 or value <= 0.1 for value in (p, q))
        alike = (p >= 0.9) == (q >= 0.9)
        ends = found[[row.source, row.target]]
        carried = alike or (max(ends) >= 0.5 and sum(ends) >= 0.95)
        assert row.status == (states.get((p >= 0.9, q >= 0.9), "neither") if clear and carried else "cannot tell")
    first, second, _ = result.graphs().values()
    assert first.has_edge("both", "torn") or first.has_edge("torn", "both")
    assert not (second.has_edge("both", "torn") or second.has_edge("torn", "both"))
    for graph in result.graphs().values():
        assert min(p for *_, p in graph.edges(data="probability")) > 0.1
    row = links[frozenset(("both", "torn"))]
    uncertain = replace(result.average, errors=result.average.errors + (row.probability_first - 0.9) / 2 + 0.01)
    drawn = replace(result, average=uncertain).links().set_index(["source", "target"])
    assert drawn.loc[(row.source, row.target), "status"] == "cannot tell"


def test_halves_of_one_table_have_no_link_of_their_own() -> None:
    """Labels dealt at random: whatever the networks of the halves look like, no link is said to be in one only."""
    apart = 0
    for seed in range(6):
        data = random_data(500, 8, 12, seed)
        group = np.random.default_rng(seed).permutation(np.arange(500) % 2)
        codes = np.vstack([data.codes, group[None].astype(np.uint8)])
        levels = [*(data.levels[name] for name in data.names), 2]
        result = compared(engine.Dataset.from_codes(codes, levels, [*data.names, "group"]))
        links = result.links()
        p, q = links["probability_first"], links["probability_second"]
        apart += int((((p >= 0.9) & (q <= 0.1)) | ((q >= 0.9) & (p <= 0.1))).sum())
        if (result.variables()["probability"] < 0.5).all():
            assert set(links["status"]) <= {"both", "neither", "cannot tell"}
    assert apart, "no table whose halves look different, so nothing was tried"


def test_another_score_names_who_changes_sides() -> None:
    """K2 beside BDeu, BDeu beside K2; and a sentence for each variable on the other side of one half."""
    data = two_groups(300, 5, 7, seed=3, changed=True)
    method = engine.GroupDifference(group="group")
    check = method.check_score(data)
    other = engine.GroupDifference(group="group", score=engine.K2()).run(data).variables()["probability"]
    assert check.name == "K2"
    np.testing.assert_allclose(check.probabilities, other[check.probabilities.index], atol=1e-12)
    assert check.sentences(other) == ["Under K2 too, P(differs) of every variable stays on its side of 50\u00a0%."]
    turned = 1 - other.loc[["v01"]]
    assert check.sentences(turned) == [
        f"Under K2 P(differs) is on the other side of 50\u00a0%: v01 ({words.probability(other['v01'], 'P')})."
    ]
    assert engine.GroupDifference(group="group", score=engine.K2()).check_score(data).name == "BDeu(1)"
    with pytest.raises(engine.SettingsError, match="average is 'none'"):
        engine.GroupDifference(group="group", average="none").check_score(data)


def test_the_papers_numbers_say_where_they_disagree() -> None:
    """A sentence beside the published odds names the variables on the other side of one half."""
    result = compared(two_groups(400, 5, 7, seed=3, changed=True))
    one_sided = []
    for read in (result, result.with_prior(1 - 1e-12, "overall"), with_posterior(result, "v01", 0.9)):
        found, ranking = read.variables()["probability"], read.ranking()["p_different"]
        apart = [name for name in ranking.index if (ranking[name] >= 0.5) != (found[name] >= 0.5)]
        average = f"the average over all orders ({engine.words.probability(read.p_any, 'P(anything differs)')})"
        overall = (read.overall_log_odds >= 0) != (read.p_any >= 0.5)
        one_sided.append(overall)
        about = [*(["whether anything differs"] if overall else []), *([", ".join(apart)] if apart else [])]
        assert published(read)[-1] == (
            f"They disagree with {average} about {' and '.join(about)}."
            if about
            else f"They agree with {average} about what is more probable than not."
        )
    assert apart and set(one_sided) == {True, False}


def test_a_link_that_turns_its_sign_is_missed_and_the_notes_say_where_it_is_tested() -> None:
    """Two variables linked one way in a group and the other way in the other, weakly: no variable is called."""
    rng, group = np.random.default_rng(1), np.repeat([0, 1], 150)
    a = rng.integers(0, 2, 300)
    b = (rng.random(300) < np.where(a == group, 0.6, 0.4)).astype(int)
    result = compared(table({"a": a, "b": b, "c": rng.integers(0, 2, 300), "group": group}))
    assert not result.variables()["verdict"].isin(["differs", "probably differs"]).any()
    assert LINK_MISSED in result.notes() and len(LINK_MISSED.split()) <= 25
    assert LINK_MISSED not in compared(table({"a": a, "group": group})).notes()


def test_an_inconclusive_variable_in_the_headline_has_both_shares() -> None:
    """The most probable one is no empty hand: its verdict and how often its level is in either group."""
    rng, group = np.random.default_rng(4), np.repeat([0, 1], 60)
    early = (rng.random(120) < np.where(group == 0, 0.4, 0.7)).astype(int)
    result = compared(table({"early": early, "other": rng.integers(0, 2, 120), "group": group}))
    result = with_posterior(with_posterior(result, "other", 0.01), "early", 0.2)
    both = (
        "early differs overall: “1” in 32\u00a0% of group = 0, 75\u00a0% of group = 1; given the other variables that "
        "is inconclusive."
    )
    assert result.headline() == both, "what shows overall is not hidden behind what does not given others"
    assert both not in result.sentences() and result.sentences(), "it is said once"
    unsure = replace(result.chance_alone, corrected=np.ones(2))
    result, place = replace(result, chance_alone=unsure), result.where("early")
    assert result.headline().startswith(
        "No variable is seen to differ; early is inconclusive (P\u00a0=\u00a020\u00a0%): “"
    )
    assert all(f"({hits} of 60) of group = {label}" in result.headline() for label, hits in enumerate(place.hits))


def test_the_bayes_factor_overall_is_what_the_data_multiply_the_odds_by() -> None:
    """Of the average whatever its prior; of the single order the odds at a prior of one half for no difference."""
    result = compared(two_groups(300, 5, 7, seed=3, changed=True), p_same=0.9)
    single = compared(two_groups(300, 5, 7, seed=3, changed=True), p_same=0.9, average="none")
    overall = single.with_prior(0.5, "overall").with_alignment("common").overall_log_odds
    assert single.overall_bayes_factor == pytest.approx(overall)
    for p_none in (0.5, 0.9):
        read = result.with_prior(p_none=p_none)
        expected = math.log(read.p_any / (1 - read.p_any)) - math.log((1 - p_none) / p_none)
        assert read.overall_bayes_factor == pytest.approx(expected, abs=1e-6)


def test_the_parts_of_the_contexts_add_up() -> None:
    """They sum to log10 of half the variable's odds plus one: the picture adds up to the number."""
    result = compared(two_groups(300, 6, 9, seed=4, changed=True))
    even = result.with_prior(0.5, "variable").with_alignment("common").log_odds
    for name in result.names:
        total = result.contexts(name, "common")["part"].sum()
        expected = math.log10((1 + math.exp(even[name])) / 2)
        assert total == pytest.approx(expected, abs=1e-9)
    assert list(odds.parts(np.zeros(4), 4.0)) == pytest.approx([0.0] * 4)


def test_the_effect_is_the_largest_difference_held_within_contexts() -> None:
    """Level, size and sign against counts of the rows; on its own it is the plain difference of shares."""
    data = two_groups(300, 5, 7, seed=3, changed=True)
    result = compared(data)
    found = result.variables()
    frame = pd.DataFrame({name: [data.levels[name][c] for c in data.column(name)] for name in data.names})
    for name in result.names:
        differs = found.loc[name, "probability"] >= 0.5
        likeliest = result.posterior.differing if differs else result.posterior.likeliest
        parents = [result.names[x] for x in likeliest[result.names.index(name)]]
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


def test_every_difference_of_a_row_is_of_its_level() -> None:
    """Given parents, in the decisive context and marginally, also where another level differs more there."""
    mixed = 0
    for seed in range(6):
        data = two_groups(300, 5, 7, seed=seed, changed=True)
        result = compared(data)
        found = result.variables()
        group = np.array(data.levels["group"])[data.column("group")]
        for name, row in found.iterrows():
            values = np.array(data.levels[name])[data.column(name)]
            a, b = (pd.Series(values[group == label]).value_counts(normalize=True) for label in ("a", "b"))
            shares = b.sub(a, fill_value=0.0)
            assert row["effect_alone"] == pytest.approx(shares[row["level"]])
            assert row["low_alone"] < row["effect_alone"] < row["high_alone"]
            there = result.differences(str(name), row["level"]).iloc[0]
            ends = [there[end] for end in ("difference", "low", "high")]
            assert [row[f"where_{end}"] for end in ("effect", "low", "high")] == pytest.approx(ends)
            mixed += shares.abs().idxmax() != row["level"] or result.where(str(name)).level != row["level"]
    assert mixed > 0


def test_bootstrap_of_rows_and_shuffles_call_what_the_answer_calls() -> None:
    """A strong difference is called in nearly all runs on rows drawn again, in hardly any with shuffled labels."""
    data = two_groups(600, 5, 7, seed=3, changed=True)
    method = engine.GroupDifference(group="group")
    result = method.run(data)
    found = result.variables()
    top = found.index[0]
    assert found.loc[top, "verdict"] == "differs"
    stability = method.stability(data, runs=6)
    shares = stability.table().loc[top]
    assert shares["share_differs"] >= 0.8
    assert shares["share_probable"] >= shares["share_differs"]
    assert shares["p_lowest"] <= shares["p_median"] <= shares["p_highest"]
    null = method.null(data, runs=20)
    assert null.largest.tolist() == [max(run) for run in null.probabilities.tolist()]
    assert (null.largest >= 0.5).sum() <= 2
    largest = words.probability(max(null.largest))
    assert null.sentence(result) == f"Shuffled group labels gave P(differs) up to {largest} (20 tables)."
    high = replace(null, averaged=np.full_like(null.averaged, 50.0))
    said = f"P(differs) up to >\u00a099.9\u00a0% (20 tables), so {top}"
    assert said in high.sentence(result), "no more than chance"


def test_gaps_stand_beside_the_headline_and_missing_is_called_so() -> None:
    """Rows left out that depend on the group are the first sentence; a level for missing values says what it is."""
    rng = np.random.default_rng(0)
    arm = np.repeat(["A", "B"], 400)
    pain = rng.choice(["low", "high"], 800).astype(object)
    pain[(rng.random(800) < np.where(arm == "B", 0.35, 0.05))] = None
    table = pd.DataFrame({"arm": arm, "pain": pain, "ill": rng.choice(["no", "yes"], 800)})
    result = engine.GroupDifference(group="arm").run(engine.Dataset.from_frame(table))
    first = result.sentences()[0]
    assert first.startswith("3") and " of B and " in first and "left out for gaps" in first
    assert first not in result.notes()
    kept = engine.GroupDifference(group="arm").run(engine.Dataset.from_frame(table, missing="level"))
    assert kept.headline().startswith("pain differs in how often it is missing: ")
    assert kept.left_out == ""


@settings(max_examples=8)
@given(st.permutations(["area", "radius", "noise", "twin", "group"]))
def test_what_explains_a_difference_does_not_depend_on_the_order_of_columns(order: list[str]) -> None:
    """A copy of the cause differs through it alone, and a twin of both ties with them: the same names and verdicts."""
    found, here = (explained(which) for which in (["area", "radius", "noise", "twin", "group"], order))
    assert found == here
    assert found["radius"][1] == Alone.THROUGH_OTHERS


def explained(order: list[str]) -> dict[str, tuple[str, str, frozenset[str]]]:
    """Verdict, what is seen marginally, and the likeliest parents of each variable."""
    data = a_copy_of_the_cause(400)
    columns = {name: data.column(name) for name in data.names} | {"twin": data.column("area")}
    rows = compared(table({name: columns[name] for name in order}).select(order)).variables()
    return {
        str(name): (str(row["verdict"]), str(row["alone"]), frozenset(filter(None, str(row["parents"]).split(", "))))
        for name, row in rows.iterrows()
    }


@pytest.mark.parametrize("average", ["orders", "none"])
@pytest.mark.parametrize("p_none", [0.9, 0.01])
def test_the_rules_of_the_verdicts_are_those_that_were_used(average: str, p_none: float) -> None:
    """Every verdict on a variable follows from its P(differs) by the limits that the sentences name."""
    result = compared(two_groups(300, 6, 9, seed=4, changed=True), average=average, p_none=p_none)
    rules = verdict_rules(result)
    assert all(len(rule.split()) <= 25 for rule in rules)
    found = re.search(
        r"at least (\d+)\u00a0%\. Probably differs: at least (\d+)\u00a0%\. "
        r"No difference seen: below ([\d.]+)\u00a0%",
        " ".join(rules[:2]),
    )
    assert found
    sure, even, low = (float(limit) / 100 for limit in found.groups())
    for _, row in result.variables().iterrows():
        p, seen = row["probability"], row["verdict"]
        if seen in ("differs", "probably differs"):
            assert (seen == "differs") == (p >= sure) and p >= even
        elif seen != "cannot tell":
            assert p < low + 0.0005
        elif average == "orders":
            assert low - 0.0005 <= p < even
    assert ("half the prior" in rules[1]) == (average == "none")


def test_items_of_one_scale_that_do_not_differ_are_told_by_the_level_of_the_surest() -> None:
    """So that their shares can be compared down a column; a number and another scale keep their own level."""
    rng = np.random.default_rng(2)
    group = np.repeat(["a", "b"], 200)
    steps = np.array(["never", "some", "often", "always"])
    frame = pd.DataFrame({f"item {i}": steps[rng.integers(0, 4, 400)] for i in range(6)})
    frame["item 0"] = np.where((group == "b") & (frame["item 0"] == "never"), "always", frame["item 0"])
    frame["age"] = rng.normal(50, 9, 400).round()
    frame["side"] = rng.choice(["left", "both", "right"], 400)
    data = engine.Dataset.from_frame(frame.assign(group=group))
    result = engine.GroupDifference(group="group").run(data)
    found = result.variables()
    items = found.loc[[name for name in found.index if str(name).startswith("item")]]
    assert items["verdict"].iloc[0] == "differs" and len(set(items["level"])) == 1
    assert found.at["side", "level"] in ("left", "both", "right") and "a" not in set(found["level"])
    for name, row in items.iterrows():
        one, other = (frame.loc[group == g, name].eq(row["level"]).mean() for g in "ab")
        assert row["effect_alone"] == pytest.approx(other - one)


@pytest.mark.parametrize(
    ("p_differs", "status"), [((0.3, 0.6), "cannot tell"), ((0.4, 0.6), "only A"), ((0.48, 0.48), "cannot tell")]
)
def test_a_link_of_one_group_only_asks_that_one_end_differs(p_differs: tuple[float, float], status: str) -> None:
    """Which end it is may be open: what is *probably different* by itself carries no link of one group alone."""
    arcs = np.array([[[0.0, 0.97], [0.0, 0.0]], [[0.0, 0.03], [0.0, 0.0]]])
    average = SimpleNamespace(arcs=arcs, errors=np.zeros_like(arcs))
    posterior = SimpleNamespace(probabilities=np.array(p_differs))
    assert str(link_status(average, posterior)[0, 1]) == status  # type: ignore[arg-type]
