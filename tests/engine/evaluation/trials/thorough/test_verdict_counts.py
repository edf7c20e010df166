"""What is said of items: read from claims by kind and name, counted by truth, with intervals that keep what belongs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta

import engine
from engine.evaluation.trials.group_difference import GROUP, GroupTrial
from engine.evaluation.trials.log_linear import AssociationTrial
from engine.evaluation.trials.outcome import Outcome, Score, claimed_words, count_claims, in_words
from engine.evaluation.trials.repeat import repeat
from engine.methods.evidence import CANNOT_TELL, NO, YES

WORDS = ("differs", "cannot tell", "alike", "not asked")


def test_claims_count_by_kind_and_name() -> None:
    """Another kind of claim about an item says nothing of it, nor does the absence of one; names go either way."""
    claims = pd.DataFrame(
        [("a -> b", "applies", "no"), ("b -> c", "not asked", "cannot tell"), ("d -- c", "applies", "cannot tell")],
        columns=["about", "kind", "verdict"],
    )
    items = [("a -> b", "b -> a"), ("b -> c",), ("c -- d", "d -- c"), ("a -> c",)]
    words = {("applies", "no"): "gone", ("applies", "cannot tell"): "unclear", ("other", "no"): "never"}
    assert claimed_words(claims, words, "silent", items).tolist() == ["gone", "silent", "unclear", "silent"]
    assert claimed_words(claims[:0], words, "silent", items).tolist() == ["silent"] * 4


def test_counts_and_intervals_by_truth() -> None:
    """As counted by hand; the interval of a share is Jeffreys', from the distribution itself."""
    said = np.array(
        ["differs", "differs", "cannot tell", "alike", "differs", "alike", "alike", "alike", "cannot tell"],
        dtype=object,
    )
    truth = np.arange(9) < 4
    table = count_claims(said, truth, WORDS, ("changed", "unchanged")).set_index("said")
    assert table["changed"].tolist() == [2, 1, 1, 0]
    assert table["unchanged"].tolist() == [1, 1, 3, 0]
    assert table["share of unchanged"].tolist() == [0.2, 0.2, 0.6, 0.0]
    low, high = table.loc["differs", ["low, unchanged", "high, unchanged"]]
    assert (low, high) == pytest.approx((beta.ppf(0.025, 1.5, 4.5), beta.ppf(0.975, 1.5, 4.5)))
    assert table.at["not asked", "low, changed"] == 0.0


def test_items_of_one_cluster_are_drawn_together() -> None:
    """Ten equal items of each of six patients are no more than six: the interval is as wide as for one item each."""
    one = np.array(["differs", "differs", "alike", "differs", "alike", "alike"], dtype=object)
    truth = np.ones(6, dtype=bool)
    alone = count_claims(one, truth, WORDS, ("on", "off"), np.arange(6))
    ten = count_claims(np.repeat(one, 10), np.repeat(truth, 10), WORDS, ("on", "off"), np.repeat(np.arange(6), 10))
    ends = ["low, on", "high, on"]
    np.testing.assert_allclose(ten[ends], alone[ends], rtol=1e-12)
    plain = count_claims(np.repeat(one, 10), np.repeat(truth, 10), WORDS, ("on", "off"))
    assert plain.at[0, "low, on"] > ten.at[0, "low, on"] + 0.1


def test_none_is_never_less_certain_than_one() -> None:
    """One n for a column: 0 of 289 has no wider interval than 1 of 289, whoever the items belong to."""
    said = np.array(["differs", *["alike"] * 150, *["cannot tell"] * 138], dtype=object)
    table = count_claims(said, np.ones(289, dtype=bool), WORDS, ("on", "off"), np.arange(289) % 20).set_index("said")
    assert table.loc["not asked", ["low, on", "high, on"]].tolist() == [0.0, table.at["not asked", "high, on"]]
    assert 0 < table.at["not asked", "high, on"] < table.at["differs", "high, on"] < 0.03
    same = count_claims(said[1:151], np.ones(150, dtype=bool), WORDS, ("on", "off"), np.arange(150) % 20)
    assert same.at[0, "high, on"] == pytest.approx(beta.ppf(0.975, 0.5, 20.5)), "each cluster counts once"


def test_the_headline_says_what_is_false() -> None:
    """Without cases only what is said falsely; without claims what the method calls, and no table."""
    trial = GroupTrial()
    said = np.array(["differs", "alike", "differs", "cannot tell"], dtype=object)
    calls, score = np.zeros(4, dtype=bool), Score("score", "", np.arange(4.0))
    none = Outcome(trial, None, tuple("abcd"), np.zeros(4, dtype=bool), calls, (score,), claimed=said)
    assert none.headline() == 'No variable is changed, and "differs" is said of 2 of 4.'
    silent = replace(none, claimed=None)
    assert silent.claim_counts().empty
    assert silent.headline() == "No variable is changed, and the method calls none of 4."
    assert none.table()["said"].tolist() == ["cannot tell", "differs", "alike", "differs"]


def test_the_verdicts_of_pairs_are_the_claims() -> None:
    """Every linked pair as claimed; a pair without a claim is not said to be anything."""
    trial, method = AssociationTrial(shape="nine", rows=5000, seed=1), engine.LogLinear()
    claims = method.run(trial.draw()[1]).claims().set_index("about")["verdict"]
    outcome = trial.run(method)
    expected = {frozenset(name.split(" -- ")): verdict for name, verdict in claims.items()}
    for label, said in zip(outcome.labels, outcome.claimed, strict=True):
        verdict = expected.get(frozenset(label.split(" - ")))
        assert (
            said
            == {YES: "linked", NO: "no link to speak of", CANNOT_TELL: "cannot tell", None: "nothing seen"}[verdict]
        )
    assert Counter(outcome.claimed)["linked"]


def test_many_runs_count_all_items() -> None:
    """The sum over single runs, intervals by whole runs; a run of a trial that says nothing adds no table."""
    trial, method = GroupTrial(variables=5, rows=300, seed=3), engine.GroupDifference(group=GROUP)
    many = repeat(trial, method, times=4)
    alone = [replace(trial, seed=seed).run(method).claim_counts() for seed in range(3, 7)]
    table = many.claim_counts()
    for kind in ("changed", "unchanged"):
        assert table[kind].tolist() == sum(one[kind].to_numpy() for one in alone).tolist()
    quiet = replace(many, runs=tuple(replace(run, claimed=None) for run in many.runs))
    assert quiet.claim_counts().empty


def test_the_table_for_readers_has_numbers_and_intervals() -> None:
    """Only the first verdict and those said of any have a line; none of a kind is a dash."""
    said = np.array(["differs", "differs", "alike", "cannot tell"], dtype=object)
    truth = np.array([True, True, False, False])
    shown = in_words(count_claims(said, truth, WORDS, ("changed", "unchanged")), ("changed", "unchanged"))
    assert shown["verdict"].tolist() == ["differs", "inconclusive", "equivalent overall"]
    low, high = beta.ppf(0.025, 2.5, 0.5), 1.0
    assert shown.at[0, "of 2 changed"] == f"2: 100\u00a0% ({100 * low:.0f} to {100 * high:.0f})"
    nothing = count_claims(np.array(["not asked"], dtype=object), truth[2:3], WORDS, ("changed", "unchanged"))
    shown = in_words(nothing, ("changed", "unchanged"))
    assert shown["verdict"].tolist() == ["differs", "not asked"]
    assert shown["of 0 changed"].tolist() == ["–"] * 2
