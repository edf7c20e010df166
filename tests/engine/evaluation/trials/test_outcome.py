"""What a try says of itself: ranks, ties, the headline's counts."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from engine.evaluation.trials.group_difference import GroupTrial
from engine.evaluation.trials.instance_specific import InstanceTrial
from engine.evaluation.trials.ordinal import OrdinalTrial
from engine.evaluation.trials.outcome import Outcome, Picture, Score
from engine.evaluation.trials.repeat import Repeated
from engine.telling.charts.curves import area, with_interval


def made(values: list[float], truth: list[bool], called: list[bool] | None = None) -> Outcome:
    """A try with these scores."""
    labels = tuple(f"v{i}" for i in range(len(values)))
    calls = np.array(called if called is not None else [False] * len(values))
    score = Score("score", "", np.array(values))
    return Outcome(GroupTrial(), None, labels, np.array(truth), calls, (score,))


def repeated(runs: list[Outcome]) -> Repeated:
    """Tries as if they had been repeated."""
    return Repeated(runs[0].trial, None, None, tuple(runs))


def test_cases_among_the_first_share_their_ties() -> None:
    """Two cases: one is first; the second place is tied between a case and another, so half of it counts."""
    assert made([3, 2, 2, 1], [True, True, False, False]).among_first(0) == 1.5
    assert made([3, 2, 1, 0], [False, False, True, True]).among_first(0) == 0
    assert made([-np.inf, -np.inf, -np.inf, 4], [True, False, False, True]).among_first(0) == pytest.approx(1.3)


def test_the_table_ranks_highest_first_and_ties_share() -> None:
    """Ranks from 1; equal scores have the smaller one."""
    table = made([1, 5, 5, 2], [True, False, False, True]).table()
    assert table["variable"].tolist() == ["v1", "v2", "v3", "v0"]
    assert table["rank, score"].tolist() == [1, 1, 3, 4]


def test_headlines_count() -> None:
    """One case, several, none, and nothing but cases."""
    one = made([3, 2, 1], [True, False, False], [True, True, False])
    assert (
        one.headline()
        == "1 of 1 changed variable found (100\u00a0%); 1 of 2 unchanged wrongly called changed (50\u00a0%)."
    )
    assert (
        one.ranking_sentence()
        == "AUC of the score 1.00: the chance that a changed variable scores above an unchanged one."
    )
    two = made([3, 2, 1, 0], [True, True, False, False])
    nothing = "None of 2 changed variables is called changed, nor any of 2 unchanged."
    assert two.headline() == nothing
    assert two.ranking_sentence().startswith("AUC of the score 1.00 (0.33 to 1.00): ")
    assert made([3, 2], [False, False], [True, False]).headline().endswith("the method calls 1 of 2.")
    assert made([3, 2], [True, True]).headline().startswith("All 2 variables are changed")
    assert one.called_sentence() == "", "the headline says it"
    said = replace(one, claimed=np.array(["changed", "unchanged", "unchanged"]))
    assert said.called_sentence() == "At even odds: 1 of 1 found; 1 of 2 wrongly called."
    denied = replace(one, claimed=np.array(["alike", "alike", "cannot tell"]))
    assert denied.headline().startswith(
        "None of 1 changed variable is called changed (called equivalent overall), nor any of 2 unchanged."
    )
    words = np.array(["cannot tell"] * 3 + ["alike"] * 2 + ["no difference seen", "cannot tell"])
    many = replace(made(range(7, 0, -1), [True] * 6 + [False]), claimed=words).headline()
    assert (
        " is called changed (3 inconclusive, 3 other verdicts), nor any of 1 unchanged." in many
        and len(many.split()) <= 25
    )


def test_what_was_not_asked_is_in_no_count() -> None:
    """Neither found, missed nor rightly left alone; nor in the table, nor in many runs."""
    truth, said = [True, True, True, False, False, False], ["differs", "alike", "not asked"] * 2
    some = replace(made(range(6, 0, -1), truth), claimed=np.array(said, dtype=object))
    assert some.headline() == (
        "1 of 2 tested changed variables found (50\u00a0%), 1 missed (called equivalent overall); 1 of 2 unchanged "
        "wrongly called changed (50\u00a0%)."
    )
    table = some.claim_counts()
    assert "not asked" not in set(table["said"]) and table[["changed", "unchanged"]].to_numpy().sum() == 4
    assert "tested or not" not in some.ranking_sentence() and not some.strict
    quiet = replace(
        made(range(12, 0, -1), [True] * 10 + [False] * 2), claimed=np.array(["not asked"] * 12, dtype=object)
    )
    assert "of its 10 highest variables, tested or not, 10 are changed. " in quiet.ranking_sentence()
    none = replace(some, truth=np.zeros(6, dtype=bool))
    assert repeated([none, none]).headline().endswith("it calls 4 of 8 unchanged variables in all.")


def test_strict_verdicts_are_told_from_scores_that_order_well() -> None:
    """Only where the highest scores are nearly all cases and the verdicts find half of them at most."""
    truth = [True] * 10 + [False] * 10
    strict = replace(made(range(20, 0, -1), truth), claimed=np.array(["cannot tell"] * 20))
    said = "To call a variable changed, use the verdict: it asks for strong proof, which more rows may give. "
    said += "To choose where to look, use the score: of its 10 highest variables, 10 are changed. AUC of the score "
    assert strict.ranking_sentence().startswith(said)
    poor = replace(made(range(20), truth), claimed=strict.claimed)
    finding = replace(strict, claimed=np.array([GroupTrial.case_claims[0]] * 20))
    assert all(one.ranking_sentence().startswith("AUC of the score") for one in (poor, finding, made(range(20), truth)))


def test_a_claim_that_something_is_there_is_not_hidden() -> None:
    """A headline that counts no false alarm says how many of the others have the claim that is not that of a case."""
    claimed = ["no longer matters", *["matters differently"] * 3, "applies"]
    links = replace(made(range(5, 0, -1), [True, True, False, False, False]), trial=InstanceTrial())
    some = replace(links, claimed=np.array(claimed, dtype=object))
    assert some.headline().endswith('; 0 of 3 intact called switched-off, 2 "matters differently".')
    none = replace(links, claimed=np.array(["cannot tell", *claimed[1:]], dtype=object))
    assert none.headline() == (
        'None of 2 switched-off links is called switched-off (1 inconclusive, 1 "matters differently"), nor any of 3 '
        'intact (2 "matters differently").'
    )


def test_where_the_score_finds_all_and_the_verdicts_do_not_the_line_says_so() -> None:
    """Three of three stand first, one is called; where all are called, nothing is added."""
    outcome = made(range(10, 0, -1), [True] * 3 + [False] * 7)
    said = replace(outcome, claimed=np.array(["differs"] + ["cannot tell"] * 9, dtype=object))
    assert said.headline().startswith("1 of 3 changed variables found (33\u00a0%), 2 missed (both inconclusive); ")
    assert said.ranking_sentence().endswith(" Its 3 highest are the 3 changed; verdicts ask for more.")
    assert said.beside_counts().endswith("they found 1 of 3, and called 0 wrongly.")
    found = replace(outcome, claimed=np.array(["differs"] * 3 + ["cannot tell"] * 7, dtype=object))
    assert found.ranking_sentence().endswith("above an unchanged one.") and outcome.beside_counts() == ""


def test_right_directions_are_counted_where_items_are_links() -> None:
    """Of three links found one has the true direction; nothing of variables, nor of links without direction."""
    graphs = [nx.DiGraph([("a", "b"), ("b", "c"), ("c", "d")]), nx.DiGraph([("a", "b"), ("c", "b"), ("d", "c")])]
    pairs = replace(made([2, 1], [True, False]), trial=OrdinalTrial(), pictures=(Picture("", *graphs),))
    assert pairs.direction_sentence() == "Of 3 true links found, 1 also has the true direction."
    plain = Picture("", *(graph.to_undirected() for graph in graphs))
    for other in (replace(pairs, trial=GroupTrial()), replace(pairs, pictures=(plain,)), replace(pairs, pictures=())):
        assert other.direction_sentence() == ""


def test_an_area_is_not_rounded_up_to_one() -> None:
    """Two digits, but three or four where two would say 1.00."""
    assert [area(value) for value in (0.7, 0.994, 0.9961, 0.99992, 1.0)] == ["0.70", "0.99", "0.996", "0.9999", "1.00"]


def test_an_interval_is_said_where_there_is_one() -> None:
    """Not where it is no number, nor where it has no width, which would look like certainty."""
    assert with_interval(0.92, 0.8, 1.0) == "0.92 (0.80 to 1.00)"
    assert with_interval(0.5, np.nan, np.nan) == "0.50"
    assert with_interval(1.0, 1.0, 1.0) == "1.00"
    assert (
        made([3, 2, 1, 0], [True, True, False, False])
        .ranking_sentence()
        .startswith("AUC of the score 1.00 (0.33 to 1.00): ")
    )
