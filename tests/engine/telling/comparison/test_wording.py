"""Odd tables and odd questions: a right sentence each, and what limits the answer."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import engine
from engine.comparison.result import ComparisonResult
from engine.telling.comparison import wording
from engine.words import probability
from tests.engine.comparison.made import chain, drawn, grouped, two
from tests.engine.telling.comparison.test_figures import boredom

WORD = re.compile(r"[^\W\d_]{2,}")


def looked_at(found: ComparisonResult) -> str:
    """Everything that is said, once it is whole: sentences end, JSON has no NaN, tables and pictures can be had."""
    for sentence in [found.headline(), *found.sentences(), *found.notes(), *found.row_notes()]:
        assert re.search(r"[.!?]$", sentence) and "nan" not in sentence.lower().split(), sentence
        assert not re.search(r"\bNone\b|\{|  ", sentence), sentence
    assert len(WORD.findall(found.headline())) <= 25, found.headline()
    assert json.loads(found.to_json(), parse_constant=pytest.fail)["headline"] == found.headline()
    assert all(len(table.columns) for table in found.tables().values())
    assert (
        len(found.graphs()) >= 1
        and len(found.sections()) == (4 if len(found.labels) == 2 else 3)
        and len(repr(found)) < 200
    )
    assert len(found.edges()) >= 0 and len(found.variables()) == len(found.names)
    if found.test is not None:
        p = found.links()["p"]
        assert ((p > 0) & (p <= 1)).all() and np.isfinite(found.links()[["a", "b", "low", "high"]]).all(axis=None)
    return found.summary()


def compared(parts: list[engine.Dataset], graphs: list[nx.Graph] | None = None, **more: Any) -> ComparisonResult:
    """Networks over the rows, or what the method finds in them."""
    answers = graphs or [engine.LogLinear(criterion="bic").run(part) for part in parts]
    return engine.compare(*answers, data=parts, draws=299, **more)


def test_a_difference_is_said_with_sign_and_doubt() -> None:
    """Where, what, how much, how sure, and what would have been seen."""
    parts = two(0, (300, 300), (3.0, -3.0))
    found = compared(parts)
    said = looked_at(found)
    assert found.headline().startswith("1 of 6 links differs: a – b turns its sign: odds ratio 2")
    row = found.links().iloc[0]
    assert (row["word"], row["what"], row["drawn"], row["p"]) == ("differs", "turns its sign", "both", 1 / 300)
    assert "p\u00a0at most\u00a0.003 (299 draws, corrected over 6 links)" in said
    missed = r"At other links odds ratios \d\.\d times apart would be missed 1 time in 5 \(power 80.%\), smaller "
    assert re.search(missed, said)
    assert found.claims()["verdict"].tolist()[0] == "yes" and found.claims()["n"].tolist()[0] == 600
    graphs = found.graphs()
    assert list(graphs) == ["left", "right", "Difference"]
    assert [graphs[one].edges["a", "b"]["status"] for one in graphs] == ["positive", "negative", "differs"]
    assert found.variables()["differ"].tolist() == [1, 1, 0, 0]


def test_no_difference_is_said_with_what_can_have_been_missed() -> None:
    """What is open, the difference that would be missed 1 time in 5; nothing is called alike for want of rows."""
    found = compared(two(1, (400, 300)))
    said = looked_at(found)
    headline = "No link is seen to differ between left (400) and right (300); all 6 are inconclusive."
    assert found.headline() == headline
    missed = r"With these rows odds ratios \d\.\d times apart would be missed 1 time in 5 \(power 80.%\), smaller "
    assert re.search(missed, said)
    assert "No p is below .05 after correction for all links." in said  # what "seen" means
    assert "yes" not in found.claims()["verdict"].tolist()


def test_an_open_link_is_said_with_what_it_is_judged_by() -> None:
    """P(differs) beside its prior, which the Bayes factor turned into it; SD with its number and its levels."""
    row = SimpleNamespace(word="cannot tell", probability=0.04, log_bayes_factor=np.log(0.5))
    end = "P(differs), 7.7\u00a0% before and 4.0\u00a0% after: neither a difference nor equivalence is shown"
    assert wording.chance_words(row) == f"the data hardly changed {end}"
    row.log_bayes_factor = np.log(4)
    assert str(wording.chance_words(row)).startswith(
        "the data raised P(differs), 1.0\u00a0% before and 4.0\u00a0% after"
    )
    row.word = "differs"
    assert wording.chance_words(row) == "P(differs) 4.0\u00a0%"
    row = SimpleNamespace(scale="means", source="sepsis", target="pressure", source_up="yes", levels="")
    assert wording.unit_words(row) == "SD: standard deviations of pressure (normal scores) within a level of sepsis."
    row.source_up = ""
    assert "of sepsis (normal scores) within a level of pressure" in wording.unit_words(row)


def test_the_prior_of_either_kind_of_pair_is_said() -> None:
    """Four fifths of the doubt for the links that are clear over all groups, a fifth for the others."""
    found = compared(two(0, (300, 300), (3.0, 3.0)))
    seen = int(found.tested.differences.seen.sum())
    assert 0 < seen < 6
    priors = [1 - 0.5 ** (share / many) for share, many in ((0.8, seen), (0.2, 6 - seen))]
    first, second = map(probability, priors)
    pairs = "1 pair" if seen == 1 else f"{seen} pairs"
    assert wording.prior_words(found) in found.notes()
    assert wording.error_words(found) == (
        "Intervals are each link’s own; p is corrected for all 6 links. Of the 5\u00a0% error allowed, links that are "
        "clear over all groups together share 80\u00a0%, others 20\u00a0%."
    )
    assert wording.prior_words(found) == (
        f"Before any row is seen, P(differs) is {first} for {pairs} clearly linked over all groups together, {second} "
        f"for {6 - seen} others."
    )


def test_a_link_that_one_search_found_is_no_difference() -> None:
    """Nothing more where a difference is seen, or both searches or neither found it."""
    found = compared(two(1, (400, 300)))

    def said(drawn: str, what: str = "") -> str:
        return wording.searches_words(found, SimpleNamespace(drawn=drawn, what=what))

    assert said("left") == "Only the search in left found it; that alone is no sign of a difference."
    assert said("right", "only in right") == "Only the search in right found it."
    assert not said("both")
    assert said("") == "Neither search found it; every pair is estimated all the same."


def test_p_alone_calls_no_link_different() -> None:
    """Under a doubtful prior P(differs) falls and p stays: the sentence has both, and how large the link is in each."""
    found = boredom(engine.Ordinal).with_prior(0.95)
    assert not len(found.called()) and (found.links()["p"].iloc[0]) < 0.05
    assert re.match(
        r"Inconclusive: stimulation – sit_around may differ: −\.08 in en, \+\.25 in fr; p.=.\.0\d+, "
        r"but P\(differs\) is \d+.%\.",
        found.headline(),
    )
    assert wording.certainty(found).startswith("p is below .05 after correction for 1 of 28 links. With these rows ")
    leading = found.leading()
    assert leading is not None and {leading["source"], leading["target"]} == {"stimulation", "sit_around"}


def test_the_headline_names_a_link_that_a_search_found_first() -> None:
    """Of links that differ as surely, and where none differs; a surer one comes before it all the same."""
    found = nx.Graph([("a", "c")])
    found.add_nodes_from("abcd")
    surely = compared(two(0, (300, 300), (3.0, -3.0)), [found] * 2)
    assert surely.called()["drawn"].tolist() == ["", "both"]  # a – b differs, a – c probably
    assert "; a – b turns its sign" in surely.headline()
    assert "2 of 6 links differ; a – c " in surely.with_prior(0.01).headline()
    other = nx.Graph([("c", "d")])
    other.add_nodes_from("abcd")
    last = compared(two(1, (400, 300)), [other] * 2)
    assert not len(last.called()) and last.links()["drawn"].iloc[-1] == "both"
    assert set(last.leading()[["source", "target"]]) == {"c", "d"}


def test_a_difference_says_which_group_is_subtracted_from_which() -> None:
    """Above its axis, above its column in the report, and so it is computed."""
    found = compared(two(1, (400, 300)))
    row = found.links().iloc[0]
    assert row["difference"] == pytest.approx(row["b"] - row["a"])
    assert "right\u00a0:\u00a0left" in {text.text for text in found.plot_links().layout.annotations}  # of odds a ratio
    about = found.table_description("Links")
    assert about.columns["difference"].header == "right\u00a0−\u00a0left (95 %)"
    assert (about.columns["a"].header, about.columns["b"].header) == ("left (95 %)", "right (95 %)")


def test_constant_columns_are_named_and_the_rest_is_tested() -> None:
    """One that never varies, and one that varies in one group only."""
    codes = np.vstack([drawn(2, 400), np.zeros(400, dtype=int), np.r_[np.zeros(200, dtype=int), [0, 1] * 100]])
    parts = grouped(codes, [2] * 6, ["a", "b", "c", "d", "always", "here"], np.repeat([0, 1], 200))
    found = compared(parts)
    assert "Not tested, since they do not vary in every group: 'always', 'here'." in found.notes()
    assert found.tested_pairs() == 6 and "Not tested" in looked_at(found)
    alone = compared([part.select(["a", "always", "here"]) for part in parts])
    assert alone.no_test == "Fewer than two variables vary in every group, so there is no pair to test."
    assert alone.no_test in looked_at(alone)


def test_a_level_that_a_group_lacks_is_no_difference_of_links() -> None:
    """Of an ordered and of a nominal variable; the pairs stay, without a call where nothing differs."""
    generator = np.random.default_rng(3)
    group = np.repeat([0, 1], 250)
    three, ordered = generator.integers(0, 3, (2, 500))
    three[(group == 1) & (three == 2)], ordered[(group == 0) & (ordered == 0)] = 0, 1
    codes = np.array([three, ordered, generator.integers(0, 2, 500)])
    parts = grouped(codes, [3, 3, 2], ["nominal", "ordered", "other"], group, kinds={"ordered": "ordinal"})
    found = compared(parts)
    assert found.tested_pairs() == 3 and not len(found.called())
    looked_at(found)


def test_levels_that_never_meet_in_a_group_are_not_called_different() -> None:
    """Two levels that stand with two others in one group only: in the other nothing is known of that odds ratio."""
    generator = np.random.default_rng(4)
    apart = (
        np.array([generator.integers(0, 2, 200), np.full(200, 2)]),
        np.array([np.full(200, 2), generator.integers(0, 2, 200)]),
    )
    x = generator.integers(0, 3, 600)
    y = np.where((x < 2) & (generator.random(600) < 0.6), x, generator.integers(0, 3, 600))
    codes = np.concatenate([*apart, np.array([x, y])], axis=1)
    parts = grouped(codes, [["p", "q", "r"], ["s", "t", "u"]], ["x", "y"], np.repeat([0, 1], [400, 600]))
    test = compared(parts, [nx.empty_graph(["x", "y"])] * 2).tested
    place = test.levels.index("x q v p, y t v s")
    assert test.differences.p[0, place] > 0.05
    assert test.differences.variance[0, place] > 4


@pytest.mark.parametrize("rows", [(6, 6), (12, 12), (10, 1000), (3, 2)])
def test_few_rows_are_answered_with_their_number(rows: tuple[int, int]) -> None:
    """Twelve in all, a few, and few beside many: nothing is called, and the note says why."""
    parts = two(5, rows)
    found = compared(parts, [chain()] * 2)
    said = looked_at(found)
    if found.test is not None:
        few = [f"{label} has {n} rows" for label, n in zip(("left", "right"), rows, strict=True) if n < 100]
        assert f"{' and '.join(few)}: intervals are rough." in said
        assert not len(found.called())


def test_one_row_is_nothing_to_test() -> None:
    """Which is a sentence."""
    parts = two(6, (1, 40))
    found = compared(parts, [chain()] * 2)
    assert found.test is None and found.no_test in looked_at(found)


def test_one_link_and_no_link() -> None:
    """Networks of one link in all and of none: the pairs are tested all the same."""
    parts = two(7, (200, 200), (0.0, 0.0))
    one, none = chain("ab", "abcd"), chain("", "abcd")
    found = compared(parts, [one, none])
    assert "The search took 1 link in left and 0 in right: 1 in all, 0 in both;" in looked_at(found)
    assert set(found.links()["drawn"]) == {"", "left"}
    nothing = compared(parts, [none, none])
    assert "Neither search found a link." in looked_at(nothing)
    assert nothing.tested_pairs() == 6 and len(nothing.claims()) == 0
    assert engine.compare(none, none).headline() == "Neither network has an edge."
    parts = [part.select(["a", "b"]) for part in two(7, (300, 300), (3.0, -3.0))]
    changed = compared(parts, [chain("", "ab")] * 2)
    assert changed.headline().startswith("1 of 1 link differs: a – b turns its sign")
    assert changed.graphs()["Difference"].edges["a", "b"]["status"] == "differs_undrawn"


def visits(clinics: int, rows: int, *, both: bool = False) -> list[engine.Dataset]:
    """Clinics of one arm each, or whose rows are in both."""
    clinic = np.repeat(np.arange(clinics), rows)
    arm = np.arange(len(clinic)) % 2 if both else clinic % 2
    return grouped(drawn(8, len(clinic)), [2] * 4, "abcd", arm, subject=clinic)


def test_too_few_subjects_are_not_tested() -> None:
    """Five a group; six are."""
    found = compared(visits(10, 30))
    assert found.test is None and "So no difference is tested." in found.no_test and "5 subjects" in found.no_test
    looked_at(found)
    enough = compared(visits(12, 30))
    assert enough.test is not None and enough.test.differences.freedom.tolist() == [5, 5]
    looked_at(enough)


def test_subjects_in_both_groups_are_paired() -> None:
    """Errors of the two are not taken as independent; where each is in one group they are."""
    paired, apart = compared(visits(40, 10, both=True)), compared(visits(40, 10))
    found = paired.tested.differences
    assert (found.covariance != 0).all() and (apart.tested.differences.covariance == 0).all()
    plain = found.variance.sum(axis=0) - 2 * found.covariance[0]
    assert found.error[0] == pytest.approx(np.sqrt(plain))
    looked_at(paired)


def test_whole_clinics_keep_p_honest() -> None:
    """Arms of alike rows without any difference: rows by themselves are called often, whole clinics seldom."""
    called = {"together": 0, "alone": 0}
    for seed in range(20):
        generator = np.random.default_rng(seed)
        clinic = np.repeat(np.arange(24), 60)
        own = generator.integers(0, 2, (3, 24))[:, clinic]
        codes = np.where(generator.random(own.shape) < 0.8, own, 1 - own)
        for how, subject in (("together", clinic), ("alone", None)):
            parts = grouped(codes, [2] * 3, "abc", clinic % 2, subject=subject)
            called[how] += bool(len(compared(parts, [chain("", "abc")] * 2).called()))
    assert called["alone"] >= 12 and called["together"] <= 4


def ordinal(seed: int = 0, rows: int = 240) -> list[engine.Dataset]:
    """Two groups of three ratings."""
    values = np.random.default_rng(seed).multivariate_normal(
        np.zeros(3), [[1, 0.6, 0.2], [0.6, 1, 0.4], [0.2, 0.4, 1]], rows
    )
    codes = np.digitize(values.T, [-0.7, 0.2, 0.9])
    return grouped(codes, [4] * 3, "abc", np.arange(rows) % 2, kinds=dict.fromkeys("abc", "ordinal"))


def test_what_has_no_test_says_why() -> None:
    """Shared rows, other tables, other methods, patients, classes, directions in one network only, and no rows."""
    parts, alien, ratings = two(9, (80, 80)), two(10, (80, 80)), ordinal()
    associations = [engine.LogLinear().run(part) for part in parts]
    other = engine.LogLinear().run(alien[1])
    patient = engine.InstanceSpecific().run(parts[0], 0)
    mixed = [engine.Ordinal().run(ratings[0]), engine.LogLinear().run(ratings[1])]
    groups = [engine.GroupDifference(group="d").run(part) for part in parts]
    classes = [engine.Discriminative("d", shuffles=0).run(part) for part in parts]
    cases: list[tuple[list[Any], Any, str]] = [
        ([associations[0]] * 2, [parts[0]] * 2, "share rows"),
        ([associations[0], other], [parts[0], alien[1]], "come from different tables"),
        (mixed, ratings, "of different methods"),
        ([patient, patient], [parts[0]] * 2, "one patient is no group of rows"),
        (groups, parts, "compare two groups already"),
        (classes, parts, "chosen because they differ between the classes"),
        ([chain(), nx.DiGraph(chain())], parts, "One network has directions and the other none"),
        (associations, None, "No rows were given"),
    ]
    for answers, data, words in cases:
        found = engine.compare(*answers, data=data)
        assert found.test is None and words in found.no_test and found.no_test.endswith(".")
        assert found.no_test in found.notes() and len(found.links()) == 0
        assert "no difference is tested" in found.headline() or found.headline() == "Neither network has an edge."
        with pytest.raises(engine.DataError, match="No link is tested here"):
            found.tested  # noqa: B018
        looked_at(found)


def test_links_in_both_networks_are_shared_whatever_their_direction() -> None:
    """Three links with directions in one network only are no three differences, and the reason is the methods'."""
    arrows = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "d")])
    found = engine.compare(arrows, chain())
    assert found.headline() == ("All 3 links are in both A and B, with a direction in A only; no difference is tested.")
    turned = nx.DiGraph([("a", "b"), ("c", "b"), ("a", "d")])
    assert engine.compare(arrows, turned).headline() == (
        "2 of 4 links are in both A and B, 1 turned round; no difference is tested."
    )
    part = two(9, (80, 80))[0]
    answers = [engine.InstanceSpecific().run(part, 0), engine.LogLinear().run(part)]
    assert "of different methods" in engine.compare(*answers, data=[part, part]).no_test


def test_what_cannot_be_compared_is_refused() -> None:
    """How many, what, and with which rows."""
    parts = two(11, (60, 60))
    a, b = (engine.LogLinear().run(part) for part in parts)
    cases: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
        ((a,), {}, "two to 6 answers, not 1"),
        ((a,) * 7, {}, "two to 6 answers, not 7"),
        ((), {}, "two to 6 answers, not 0"),
        ((a, parts[1]), {}, "results of two runs"),
        ((a, b), {"data": (parts[0], parts[1].to_frame())}, "Dataset"),
        ((a, b), {"data": (parts[0],)}, "2 answers and 1 data sets"),
        ((a, b), {"data": (parts[1], parts[0])}, "not the data of this result"),
        ((a, b, a), {"networks": {"associations": "associations"}}, "two answers only"),
        ((chain("ax"), chain("ax")), {"data": parts}, "no variable 'x'"),
        ((chain("ab"), chain("xy")), {}, "share no variable"),
    ]
    for answers, more, words in cases:
        with pytest.raises(engine.DataError, match=words) as told:
            engine.compare(*answers, **more)
        assert str(told.value).endswith(".")
    for more in ({"draws": 98}, {"draws": 100_000}, {"seed": -1}, {"draws": 199.5}):
        with pytest.raises(engine.SettingsError):
            engine.compare(a, b, data=parts, **more)


def test_bare_networks_are_tested_with_rows_and_not_without() -> None:
    """Of one method's answers their networks say the same; an answer beside a network is tested too."""
    parts = two(12, (150, 150), (3.0, -3.0))
    a, b = (engine.LogLinear().run(part) for part in parts)
    found = engine.compare(a.graph, b.graph, data=parts)
    assert found.links().equals(engine.compare(a, b, data=parts).links())
    assert engine.compare(a.graph, b, data=parts).links().equals(found.links())
    assert engine.compare(a.graph, b.graph).test is None and "in both" in looked_at(engine.compare(a.graph, b.graph))
    looked_at(found)
    arcs = nx.DiGraph([("a", "b"), ("b", "c")])
    arcs.add_node("d")
    assert looked_at(engine.compare(arcs, arcs, data=parts)).startswith("1 of 6 links differs: a – b turns its sign")


def test_ratings_need_more_rows_than_variables() -> None:
    """Six for three; above that the degrees of freedom are said."""
    few = ordinal(rows=10)
    answers = [nx.Graph([("a", "b"), ("b", "c")])] * 2
    assert engine.compare(*answers, data=few).test is not None  # of counts
    ratings = [engine.Ordinal().run(part) for part in few]
    found = engine.compare(*ratings, data=few)
    assert (
        found.no_test
        == "Partial correlations of 3 ratings need at least 6 rows a group, or subjects, with both answers of "
        "every pair; the fewest are 5."
    )
    looked_at(found)
    more = ordinal(rows=80)
    told = looked_at(engine.compare(*(engine.Ordinal().run(part) for part in more), data=more))
    assert "leave 36 degrees of freedom; about 60 are best" in told
    assert "partial correlations ." in told and "odds ratio" not in told.lower()


def test_three_groups_are_all_their_pairs() -> None:
    """Headline, table, claims and networks name the two that a row is of."""
    codes = np.concatenate([drawn(20 + i, 250, slope) for i, slope in enumerate((3.0, 3.0, -3.0))], axis=1)
    parts = grouped(codes, [2] * 4, "abcd", np.repeat([0, 1, 2], 250), ("north", "south", "west"))
    found = compared(parts)
    looked_at(found)
    assert len(found.links()) == 3 * 6 == len(found.links().groupby(["source", "target", "group_a", "group_b"]))
    called = found.called()
    assert set(zip(called["group_a"], called["group_b"], strict=True)) == {("north", "west"), ("south", "west")}
    assert list(found.graphs()) == ["north", "south", "west", "south - north", "west - north", "west - south"]
    assert "a -- b: north v west" in found.claims()["about"].tolist()
    assert found.headline().startswith("1 of ") and "west" in found.headline()


def test_a_circle_of_arrows_is_compared_by_structure_only() -> None:
    """No order goes with it."""
    parts = two(11, (60, 60))
    circle = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")])
    assert "run in a circle" in engine.compare(circle, circle, data=parts).no_test


def test_links_without_exceptions_do_not_differ_by_the_number_of_rows() -> None:
    """One variable copies another in both groups, 20,000 rows and 200: both lack the same cells."""
    generator = np.random.default_rng(0)
    u = generator.integers(0, 2, 20_200)
    parts = grouped(np.array([u, u]), [2, 2], "uv", np.repeat([0, 1], [20_000, 200]))
    found = compared(parts, [chain("uv")] * 2)
    assert not len(found.called()) and found.links()["word"].tolist() == ["cannot tell"]


def test_the_levels_of_a_link_are_named_with_their_variables() -> None:
    """Columns that do not stand in alphabetical order keep their own levels; two levels say which is up."""
    generator = np.random.default_rng(1)
    z = generator.integers(0, 3, 900)
    a = np.where(generator.random(900) < 0.6, z, generator.integers(0, 3, 900))
    parts = grouped(np.array([z, a]), [["zp", "zq", "zr"], ["ap", "aq", "ar"]], ["z", "a"], np.arange(900) % 2)
    row = compared(parts, [chain(["z", "a"])] * 2).links().iloc[0]
    assert (row["source"], row["target"]) == ("z", "a")
    assert re.fullmatch(r"a a[pqr] v a[pqr], z z[pqr] v z[pqr]", row["levels"])
    drug = grouped(
        np.array([z > 0, a > 0]).astype(int), [["drug", "surgery"], ["alive", "dead"]], ["t", "o"], np.arange(900) % 2
    )
    row = compared(drug, [chain(["t", "o"])] * 2).links().iloc[0]
    assert wording.name_link(row) == "t = surgery – o = dead"
    assert wording.direction_words(row) == "Above 1: t = surgery goes with o = dead."
    row["scale"], row["target_up"] = "means", ""
    row["a"], row["b"] = -0.4, 0.2
    assert wording.direction_words(row) == "Above 0: t = surgery goes with higher o."
    row["b"] = -0.2
    assert wording.direction_words(row) == "Below 0: t = surgery goes with lower o."


def test_weights_are_counts_and_share_no_rows() -> None:
    """A row that is drawn twice is in one group only."""
    parts = two(3, (60, 60))
    twice = [part.rows(np.repeat(np.arange(60), 2)) for part in parts]
    assert compared(twice, [chain()] * 2).test is not None


def test_of_three_groups_the_sentence_says_between_which_two_most_links_differ() -> None:
    """All between two, most between two, or no word where two pairs have as many; never of two groups."""

    def said(pairs: list[tuple[str, str]], labels: tuple[str, ...] = ("A", "B", "C")) -> str:
        called = pd.DataFrame(pairs, columns=["group_a", "group_b"])
        return wording._most_between(SimpleNamespace(labels=labels), called)  # type: ignore[arg-type]

    assert said([("A", "C"), ("A", "C")]) == ", all between A and C (2)"
    assert said([("A", "B"), ("A", "C"), ("A", "C")]) == ", most between A and C (2)"
    assert said([("A", "B"), ("A", "C")]) == ""
    assert said([("A", "B"), ("A", "B")], ("A", "B")) == ""


UPS = {"source_up": "yes", "target_up": ""}


def test_levels_stay_at_the_end_of_a_long_name() -> None:
    """'… v yes' is not cut to '… v y': the middle of the name goes."""
    row = pd.Series({"source": "a", "target": "b", "levels": f"{'very long name ' * 5}no v yes"} | UPS)
    assert wording.name_link(row).endswith("…long name no v yes)")


def test_a_long_name_is_not_repeated_beside_its_levels() -> None:
    """It is cut where its words end, and the levels follow it by themselves; a short one is named with them."""
    ends = [f"Untersuchung {number}: sehr langer Name der Variable | T0" for number in (8, 17)]
    row = pd.Series({"source": ends[0], "target": ends[1], "levels": f"{ends[1]} no v yes"} | UPS)
    assert wording.name_link(row) == "Untersuchung 8:…| T0 – Untersuchung 17:…| T0 (no v yes)"
    assert wording.level_note("a", "b", "b no v yes") == " (b no v yes)"


def test_a_small_group_is_said_with_the_rows_that_it_takes() -> None:
    """Of partial correlations, as the answer of that group says it; on the card and in the report as on the page."""
    rng = np.random.default_rng(3)
    codes = np.digitize(rng.normal(size=(200, 1)) + rng.normal(size=(200, 4)), (-0.8, 0.4))
    half = np.repeat(["left", "right"], [150, 50])
    frame = pd.DataFrame(codes, columns=list("abcd")).assign(half=half)
    data = engine.Dataset.from_frame(frame, kinds=dict.fromkeys("abcd", "ordinal"))
    parts = list(engine.by_group(data, "half").values())
    answers = [engine.Ordinal().run(part) for part in parts]
    found = engine.compare(*answers, data=parts, draws=199)
    assert found.test is not None
    said = f"{found.labels[1]} has 50 rows: intervals are rough. {answers[1].rows_words()}"
    assert said in wording.rough(found) and said in found.how_sure()[0] and said in found.sentences()
    assert not any("intervals are rough" in note for note in found.notes()), "told once"
