"""What explains a gap: adding up, what moves nothing, what is refused, and what stays with the answer."""

from __future__ import annotations

import itertools
import json
import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.methods.group_difference import explain
from engine.methods.group_difference.gap.evidence import UNEXPLAINED
from engine.methods.group_difference.result import GroupDifferenceResult
from engine.methods.masked import Masked
from tests.engine.make import random_data, two_groups


def case_mix(seed: int = 0, rows: int = 800, groups: int = 2, spread: float = 0.0) -> engine.Dataset:
    """Sicker patients at South, treatment withheld there from the sick; deaths follow both, and stay is a number."""
    rng, parts = np.random.default_rng(seed), []
    for g in range(groups):
        age = rng.integers(0, 3, size=rows)
        sick = rng.random(rows) < 0.15 + 0.15 * age + 0.25 * bool(g)
        treated = rng.random(rows) < np.where(sick, 0.7 - 0.35 * bool(g), 0.8)
        dead = rng.random(rows) < 0.04 + 0.25 * sick + 0.15 * (sick & ~treated)
        stay = np.round(4 + 3 * sick + 1.5 * bool(g) + rng.normal(size=rows), 1)
        named = {"age": age, "sick": sick, "treated": treated, "dead": np.where(dead, "yes", "no"), "stay": stay}
        parts.append(pd.DataFrame(named | {"site": ["North", "South", "West"][g]}))
    return engine.Dataset.from_frame(pd.concat(parts), kinds={"age": "ordinal", "stay": "continuous"})


@cache
def answer() -> GroupDifferenceResult:
    """Two sites; a copy each time it is asked of, since what is explained stays with an answer."""
    return engine.GroupDifference(group="site").run(case_mix())


def fresh() -> GroupDifferenceResult:
    """The answer with nothing explained yet."""
    return replace(answer(), gaps={})


@pytest.mark.parametrize(("outcome", "level"), [("dead", None), ("dead", "no"), ("stay", None), ("sick", None)])
def test_shares_and_what_is_not_explained_add_up_to_the_observed_gap(outcome: str, level: str | None) -> None:
    """To 1e-9, of a level and of a mean; the observed gap is that of the rows."""
    data, gap = case_mix(), fresh().explain_gap(outcome, level, draws=200)
    assert gap.shares[:, 0].sum() + gap.unexplained[0] == pytest.approx(gap.size, abs=1e-9)
    own, south = data.column(outcome), data.column("site") == data.levels["site"].index("South")
    values = data.values("stay") if outcome == "stay" else own == data.levels[outcome].index(gap.level)
    assert gap.observed == pytest.approx((values[~south].mean(), values[south].mean()), abs=1e-12)
    table = gap.table()
    assert table["variable"].iloc[-1] == UNEXPLAINED
    assert table["mean" if outcome == "stay" else "share"].sum() == pytest.approx(gap.size, abs=1e-9)


def test_the_case_mix_is_found_and_what_has_no_part_has_none() -> None:
    """Sickness and treatment carry the deaths, age and the deaths themselves nothing; a mean in its unit."""
    result = fresh()
    gap = result.explain_gap("dead")
    found = dict(zip(gap.names, gap.shares, strict=True))
    assert gap.is_clear(found["sick"]) and gap.is_clear(found["treated"])
    assert 0.05 < found["sick"][0] < 0.12 and 0.005 < found["treated"][0] < 0.05
    assert max(abs(found.get(name, np.zeros(3))[0]) for name in ("age", "stay")) < 0.01
    mean = result.explain_gap("stay")
    shares = dict(zip(mean.names, mean.shares[:, 0], strict=True))
    assert shares["stay"] == pytest.approx(1.5, abs=0.2) and shares["sick"] == pytest.approx(0.75, abs=0.2)


def test_the_other_level_mirrors_and_the_same_table_says_the_same() -> None:
    """Equal bits from an equal table; shares of "no" are those of "yes" turned, within what draws leave."""
    yes, again = fresh().explain_gap("dead", "yes"), engine.GroupDifference("site").run(case_mix()).explain_gap("dead")
    assert yes.names == again.names
    np.testing.assert_array_equal(yes.shares, again.shares)
    no = fresh().explain_gap("dead", "no")
    turned = dict(zip(no.names, no.shares[:, 0], strict=True))
    assert {name: -turned.get(name, 0.0) for name in yes.names} == pytest.approx(
        dict(zip(yes.names, yes.shares[:, 0], strict=True)), abs=0.004
    )


@settings(max_examples=5)
@given(st.integers(0, 200))
def test_names_rows_and_the_order_of_groups_move_little(seed: int) -> None:
    """Levels renamed, rows shuffled, groups swapped: the same shares within what 1,500 draws leave."""
    rng = np.random.default_rng(seed)
    data = two_groups(300, 4, 5, seed, changed=True)
    codes = data.codes[:, rng.permutation(data.n_rows)].copy()
    for i in range(2):
        codes[i] = rng.permutation(int(data.arity[i])).astype(codes.dtype)[codes[i]]
    other = engine.Dataset.from_codes(codes, [data.levels[n] for n in data.names], data.names)
    level = data.levels["v03"][0]
    one = engine.GroupDifference("group", groups=("a", "b")).run(data).explain_gap("v03", level, 1500)
    two = engine.GroupDifference("group", groups=("b", "a")).run(other).explain_gap("v03", level, 1500)
    assert two.size == pytest.approx(-one.size, abs=1e-12)
    shares = dict(zip(two.names, two.shares[:, 0], strict=True))
    for name, share in zip(one.names, one.shares[:, 0], strict=True):
        assert shares.get(name, 0.0) == pytest.approx(-share, abs=0.012)


def test_without_parents_all_is_the_outcomes_own() -> None:
    """No parents allowed: the one share is the outcome's, and it is the observed gap but for the prior."""
    gap = engine.GroupDifference("site", max_parents=0).run(case_mix()).explain_gap("dead")
    assert gap.names == ("dead",) and gap.shares[0, 0] == pytest.approx(gap.size, abs=0.005)


def test_with_one_parent_it_is_kitagawas_split_of_the_rows() -> None:
    """Means of the draws against composition and rates as counted, at 4,000 rows a group."""
    rng, g = np.random.default_rng(1), np.repeat([0, 1], 4000)
    x = (rng.random(8000) < 0.3 + 0.3 * g).astype(int)
    y = (rng.random(8000) < 0.1 + 0.4 * x + 0.1 * g).astype(int)
    names, levels = ["x", "y", "group"], [["0", "1"], ["0", "1"], ["a", "b"]]
    data = engine.Dataset.from_codes(np.array([x, y, g]), levels, names)
    gap = engine.GroupDifference("group", order=("x", "y")).run(data).explain_gap("y", "1")
    mix = np.array([[np.mean(x[g == k] == j) for j in (0, 1)] for k in (0, 1)])
    rates = np.array([[y[(g == k) & (x == j)].mean() for j in (0, 1)] for k in (0, 1)])
    expected = {
        "x": ((mix[1] - mix[0]) * rates.mean(axis=0)).sum(),
        "y": ((rates[1] - rates[0]) * mix.mean(axis=0)).sum(),
    }
    assert dict(zip(gap.names, gap.shares[:, 0], strict=True)) == pytest.approx(expected, abs=0.002)


def test_the_outcome_stands_last_and_chosen_variables_first() -> None:
    """Age leads to nobody's gap of age; with age first nothing is said to come before it."""
    result = fresh()
    gap = result.explain_gap("sick", first=["age"])
    assert gap.first == ("age",) and "age first: an assumption" in " ".join(gap.sentences())
    assert all(len(sentence.split()) <= 25 for sentence in gap.sentences())
    known = engine.Knowledge(tiers=[["dead"], ["age", "sick", "treated", "stay"]])
    early = engine.GroupDifference("site", knowledge=known).run(case_mix()).explain_gap("dead", first=["age"])
    assert early.names == ("dead",) and early.first == ()  # what is known goes before what is chosen


def test_an_arrow_that_may_turn_is_said_with_the_sum() -> None:
    """Two causes of which one moves and drags the other: their shares are unsure one by one, and sure together."""
    rng, g = np.random.default_rng(3), np.repeat([0, 1], 1500)
    a = (rng.random(3000) < 0.25 + 0.2 * g).astype(int)
    b = np.where(rng.random(3000) < 0.25 + 0.1 * g, 1 - a, a)
    y = (rng.random(3000) < 0.1 + 0.25 * a + 0.25 * b).astype(int)
    data = engine.Dataset.from_codes(np.array([a, b, y, g]), [["0", "1"]] * 3 + [["p", "q"]], ["a", "b", "y", "group"])
    gap = engine.GroupDifference("group").run(data).explain_gap("y", "1")
    assert [set(pair) for pair in gap.pairs] == [{"a", "b"}]
    width = gap.shares[:, 2] - gap.shares[:, 1]
    assert gap.together[0, 2] - gap.together[0, 1] < width[: len(gap.names)].max()
    assert any("may point either way" in sentence for sentence in gap.sentences())


def test_it_stays_with_the_answer_and_is_read_back() -> None:
    """In sections, tables, figures and JSON; another prior has none; a copy from another process asks for the rows."""
    result = fresh()
    assert "gap" not in [part.name for part in result.sections()] and "Gap" not in result.table_titles()
    gap = result.explain_gap("dead", draws=100)
    assert result.section("gap").sentences == tuple(gap.sentences())
    assert len(result.table("Gap")) == len(gap.names) + 1 and "gap" in result.figures()
    assert json.loads(result.to_json())["gaps"][0]["outcome"] == "dead"
    read = GroupDifferenceResult.from_dict(json.loads(json.dumps(result.to_dict())))
    assert read == result and read.gaps["dead = yes"].sentences() == gap.sentences()
    assert result.with_margin(0.2).gaps == result.gaps and not result.with_prior(p_none=0.9).gaps
    copy = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own bytes
    with pytest.raises(engine.DataError, match="data=data"):
        copy.explain_gap("dead")
    np.testing.assert_array_equal(copy.explain_gap("dead", draws=100, data=case_mix()).shares, gap.shares)
    with pytest.raises(engine.DataError):
        copy.explain_gap("dead", data=case_mix(1))


def test_what_cannot_be_explained_is_refused() -> None:
    """An unknown variable or level, no draws, one order, too many variables."""
    result = fresh()
    for wrong in (("site",), ("dead", "maybe")):
        with pytest.raises(engine.DataError):
            result.explain_gap(*wrong)
    with pytest.raises(engine.SettingsError, match="draws"):
        result.explain_gap("dead", draws=0)
    with pytest.raises(engine.SettingsError, match="average over orders"):
        engine.GroupDifference("site", average="none").run(case_mix()).explain_gap("dead")


def test_each_arm_has_its_own_against_the_control() -> None:
    """Three sites: a gap an arm, all in one table; the same as of the pair alone."""
    data = case_mix(groups=3)
    result = engine.GroupDifference("site", groups=("North", "South", "West")).run(data)
    gaps = result.explain_gap("dead", draws=100)
    assert list(gaps) == ["South", "West"] and set(result.table("Gap")["group"]) == {"South", "West"}
    assert "gap" in [part.name for part in result.sections()] and {"gap", "gap 2"} <= set(result.figures())
    assert gaps["West"].observed[0] == gaps["South"].observed[0]


def test_rows_of_one_subject_widen_the_intervals() -> None:
    """The same rows five times over are worth about as much as once where they belong together."""
    rng, parts = np.random.default_rng(2), []
    for site in ("North", "South"):
        sick = rng.random(120) < (0.3 if site == "North" else 0.6)
        dead = rng.random(120) < 0.1 + 0.5 * sick
        one = pd.DataFrame({"sick": sick, "dead": np.where(dead, "yes", "no"), "site": site})
        one["who"] = [f"{site}{k}" for k in range(120)]
        parts.append(one)
    table = pd.concat(parts * 5, ignore_index=True)
    order = ("sick", "dead")
    rows = engine.GroupDifference("site", order=order).run(engine.Dataset.from_frame(table.drop(columns="who")))
    whose = engine.GroupDifference("site", order=order).run(engine.Dataset.from_frame(table, roles={"who": "subject"}))
    wide, narrow = (
        dict(zip((gap := r.explain_gap("dead")).names, gap.shares, strict=True))["sick"] for r in (whose, rows)
    )
    assert (wide[2] - wide[1]) > 1.7 * (narrow[2] - narrow[1])


def test_a_hidden_count_hides_the_gaps_that_are_made_of_it() -> None:
    """A level of few rows: every number of a gap that its variable has a part in, and the sentences that tell them."""
    result = fresh()
    result.explain_gap("dead", draws=100)
    assert (Masked(result, 5).written("Gap")["share"] != "hidden").all()
    counts = {name: int(result.marginal[i].counts.min()) for i, name in enumerate(result.names)}
    masked = Masked(result, counts["dead"] + 1)
    assert "dead" in masked.unsure
    written = masked.written("Gap")
    assert (written[["share", "low", "high", "probability"]] == "hidden").all(axis=None)
    said = masked.publishable(result.section("gap").sentences)
    assert not any(character.isdigit() for sentence in said for character in sentence)


def test_drawn_networks_have_the_probabilities_of_the_average() -> None:
    """An outcome that was named beforehand stands last already: arrows into it are as frequent as they are probable."""
    data = random_data(400, 5, 6, 4)
    group = np.random.default_rng(0).integers(0, 2, size=400)
    codes = np.vstack([data.codes, group[None]])
    table = engine.Dataset.from_codes(codes, [*data.levels.values(), ("a", "b")], [*data.names, "group"])
    known = engine.Knowledge(tiers=[list(data.names[:4]), [data.names[4]]])
    result = engine.GroupDifference("group", knowledge=known).run(table)
    networks = explain._draw_networks(result, 4, (), 6000, np.random.default_rng(1), engine.execution.silent)
    for a, b in itertools.permutations(range(5), 2):
        assert networks.leads(a, b) == pytest.approx(result.posterior.arcs[a, b], abs=0.03)
    early = explain._draw_networks(result, 4, ("v02",), 500, np.random.default_rng(1), engine.execution.silent)
    assert early.first == (2,) and not any(early.leads(b, 2) for b in (0, 1, 3))
    assert any(networks.leads(b, 2) > 0.05 for b in (0, 1, 3))
    p = result.posterior.probabilities
    np.testing.assert_allclose(1 - networks.same.mean(axis=0), p, atol=0.03)
