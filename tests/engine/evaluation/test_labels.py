"""Labels and scores in a table: which columns can be what, which rows count, and the areas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from engine.evaluation.examples import example_labels
from engine.evaluation.labels import (
    cluster_intervals,
    group_columns,
    label_columns,
    labelled,
    levels_of,
    likely_case,
    score_columns,
    upside_down,
)
from engine.measures.bootstrap import bootstrap_interval
from engine.measures.curves import auc

TABLE = pd.DataFrame(
    {
        "ill": ["yes", "no", "yes", "no", None, "yes", "no", "yes"],
        "flag": [0, 1, 0, 1, 0, 1, 0, 1],
        "good": [0.9, 0.1, 0.8, 0.4, 0.5, np.nan, 0.3, 0.2],
        "bad": [1.0, 5.0, 2.0, 4.0, 3.0, 1.0, 6.0, 2.0],
        "place": ["N", "N", "S", "S", "S", "S", None, "N"],
        "same": 1,
    }
)


def test_columns_offer_what_they_can_be() -> None:
    """Labels have two values; scores are numbers that vary, those with many values first, a patient's number last."""
    assert label_columns(TABLE) == ["ill", "flag", "place"]
    assert score_columns(TABLE, "ill") == ["good", "bad", "flag"]
    many = pd.concat([TABLE] * 3, ignore_index=True)
    many.insert(0, "patient id", range(1001, 1001 + len(many)))
    assert score_columns(many, "ill") == ["good", "bad", "flag", "patient id"]
    assert group_columns(TABLE, "ill") == ["flag", "good", "bad", "place"]
    assert group_columns(TABLE, "ill", 2) == ["flag", "place"]
    assert levels_of(TABLE, "flag") == ["0", "1"]


def test_labels_may_be_dates() -> None:
    """A date is written alike where levels are listed and where rows are labelled."""
    table = pd.DataFrame({"seen": pd.to_datetime(["2020-01-01", "2021-01-01", "2021-01-01"]), "score": [1, 2, 3]})
    later = levels_of(table, "seen")[1]
    assert labelled(table, "seen", later, {"score": True}).truth.tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("levels", "case"), [(["no", "yes"], "yes"), (["Case", "other"], "Case"), (["0", "1"], "1"), (["m", "w"], "w")]
)
def test_the_likely_case(levels: list[str], case: str) -> None:
    """By its word, else the second."""
    assert likely_case(levels) == case


def test_rows_that_lack_something_are_left_out_and_counted() -> None:
    """Each by the first thing that it lacks; what is left are the numbers of the table."""
    found = labelled(TABLE, "ill", "yes", {"good": True, "bad": False}, clusters="place")
    assert found.sentence() == (
        "5 of 8 rows count; left out: 1 without a label, 1 without a score, 1 without a group to belong to."
    )
    assert found.truth.tolist() == [True, False, True, False, True]
    assert found.scores["good"].tolist() == [0.9, 0.1, 0.8, 0.4, 0.2]
    assert found.scores["bad"].tolist() == [-1.0, -5.0, -2.0, -4.0, -2.0]
    assert found.clusters == ["N", "N", "S", "S", "N"]
    assert labelled(TABLE.dropna(), "ill", "yes", {"good": True}).sentence() == "All 5 rows count."


def test_parts_have_the_area_of_their_rows() -> None:
    """Against the same rows taken by hand; a part without cases has none."""
    table = TABLE.assign(place=["N", "N", "S", "S", "S", "S", "only healthy", "N"])
    parts = labelled(table, "ill", "yes", {"good": True}, parts="place").by_part().set_index("part")
    north = table[(table["place"] == "N")]
    assert parts.at["N", "AUC, good"] == auc(north["good"], north["ill"] == "yes").value
    assert parts["cases"].to_dict() == {"N": 2, "S": 1, "only healthy": 0}
    assert np.isnan(parts.at["only healthy", "AUC, good"])
    assert labelled(table, "ill", "yes", {"good": True}).by_part().empty


def test_a_score_that_counts_the_other_way_is_noticed() -> None:
    """Worse than nothing, beyond its interval."""
    truth = pd.DataFrame({"ill": ["yes", "no"] * 30, "s": [1.0, 2.0] * 30})
    assert upside_down(labelled(truth, "ill", "yes", {"s": True})) == ["s"]
    assert not upside_down(labelled(truth, "ill", "yes", {"s": False}))


@pytest.mark.parametrize(
    ("label", "case", "score", "words"),
    [
        ("good", "1", "bad", "needs two"),
        ("ill", "perhaps", "bad", "not a value"),
        ("ill", "yes", "place", "no numbers"),
        ("ill", "yes", "empty", "No case is left"),
    ],
)
def test_what_cannot_be_is_refused(label: str, case: str, score: str, words: str) -> None:
    """In one sentence."""
    with pytest.raises(engine.DataError, match=words):
        labelled(TABLE.assign(empty=[np.nan, 1.0] * 3 + [1.0, np.nan]).drop(index=5), label, case, {score: True})


def test_the_example_is_worth_showing() -> None:
    """Some values are missing, the new score beats the old, which counts the other way; the same every time."""
    table = example_labels()
    pd.testing.assert_frame_equal(table, example_labels())
    found = labelled(table, "diagnosis", "ill", {"new score": True, "old score": False}, "patient", "clinic")
    assert found.without_label
    assert found.without_score
    new, old = (auc(found.scores[name], found.truth).value for name in ("new score", "old score"))
    assert new > old > 0.5


def test_intervals_of_clusters_are_bootstraps_of_every_score() -> None:
    """As many tables as fit, told as they are drawn; none where rows stand by themselves."""
    table = example_labels()
    scores = {"new score": True, "old score": False}
    rows = labelled(table, "diagnosis", "ill", scores, clusters="patient")
    told: list[float] = []
    found = cluster_intervals(rows, runs=50, progress=lambda fraction, _: told.append(fraction))
    assert told == [0.0, 0.5]
    for name in scores:
        values = rows.scores[name]
        assert found[name] == bootstrap_interval(values, rows.truth, clusters=rows.clusters, runs=50)
    assert cluster_intervals(labelled(table, "diagnosis", "ill", scores)) == {}
