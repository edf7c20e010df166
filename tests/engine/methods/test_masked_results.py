"""A whole result with its small counts hidden."""

from __future__ import annotations

import re

import pandas as pd
import pytest

import engine
from engine.methods.masked import Masked
from engine.methods.result import Result
from tests.engine.project.report.answers import GROUP, RARE, answer, small


@pytest.fixture(scope="module")
def groups() -> Result:
    """Two groups of 60 rows, one level of which one group has once and the other twice."""
    return engine.GroupDifference(group=GROUP).run(small())


def test_no_small_count_is_left_in_a_table(groups: Result) -> None:
    """Every count from 1 to 4 of rows is hidden, with its share."""
    shown = Masked(groups, 5)
    frame, hidden = shown.frame("Distributions"), shown.cells["Distributions"]
    few = [i for i, n in enumerate(frame["count"]) if 0 < n < 5]
    assert few
    assert all(hidden.words((i, "count")) == "fewer than 5" for i in few)
    assert all(hidden.words((i, name)) == "hidden" for i in few for name in ("share", "low", "high"))


def test_a_hidden_count_is_not_the_only_one_of_a_sum(groups: Result) -> None:
    """In a context, in a group, and over both groups."""
    shown = Masked(groups, 5)
    frame, hidden = shown.frame("Distributions"), shown.cells["Distributions"]
    gone = frame.assign(gone=[hidden.words((i, "count")) is not None for i in range(len(frame))])
    for keys in (["variable", "group", "context"], ["variable", "group", "level"], ["variable", "context", "level"]):
        for _, part in gone.groupby(keys):
            if part["gone"].any() and len(part) > 1 and (part["count"] > 0).sum() > 1:
                assert part["gone"].sum() > 1, keys


def test_a_variable_with_a_rare_level_says_no_difference(groups: Result) -> None:
    """Its difference of shares, with the size of the groups, would be the count again."""
    shown = Masked(groups, 5)
    assert shown.unsure == {"kind"}
    place = list(shown.frame("Variables")["variable"]).index("kind")
    assert shown.cells["Variables"].words((place, "effect_alone")) == "hidden"
    assert shown.publishable(["kind is 3 points more frequent in new than in old."]) == []


def test_a_context_with_few_rows_hides_its_distribution() -> None:
    """The levels of a hidden context add up to it."""
    x, arm = ["l"] * 60 + ["k"] * 54 + ["m"] * 6, ["a", "b"] * 60
    y = ["p"] * 58 + ["q", "p"] + ["q"] * 52 + ["p"] * 2 + ["r", "s"] * 3
    shown = Masked(
        engine.GroupDifference(group="arm").run(engine.Dataset.from_frame(pd.DataFrame({"arm": arm, "x": x, "y": y}))),
        5,
    )
    contexts, shares = shown.frame("Contexts"), shown.frame("Distributions")
    hidden = [
        (contexts["variable"].iloc[i], contexts["context"].iloc[i], name.removeprefix("n in "))
        for i, name in shown.cells["Contexts"].small | shown.cells["Contexts"].others
    ]
    assert hidden
    for i in range(len(shares)):
        if tuple(shares[name].iloc[i] for name in ("variable", "context", "group")) in hidden:
            assert shown.cells["Distributions"].words((i, "count")) is not None


def test_a_group_with_few_rows_hides_the_other_too() -> None:
    """Both, since the sum is known; and the sentence that names them."""
    table = pd.DataFrame({"arm": ["a"] * 4 + ["b"] * 96, "x": ["l", "m"] * 50, "y": ["p", "q", "q", "p"] * 25})
    result = engine.GroupDifference(group="arm").run(engine.Dataset.from_frame(table))
    shown, frame = Masked(result, 5), result.table("Settings")
    words = {frame["setting"].iloc[i]: shown.cells["Settings"].words((i, "value")) for i in range(len(frame))}
    assert words["rows in a"] == "fewer than 5"
    assert words["rows in b"] == "hidden"
    assert not any(re.search(r"\b(4|96) ", one) for one in shown.publishable(result.sentences()))


def test_a_person_is_no_row_of_the_document() -> None:
    """Tables with a person a row are left out where counts are hidden, and only there."""
    for kind, title in (
        ("cohort", "Patients"),
        ("instance_specific", "Patient"),
        ("discriminative", "Held-out verdicts"),
    ):
        assert not Masked(answer(kind), 5).shows(title)
        assert Masked(answer(kind)).shows(title)
        assert Masked(answer(kind), 5).shows("Settings")


def test_a_cohort_is_counted_in_patients() -> None:
    """Patterns, clusters and shares of 30 patients; sentences with percentages too."""
    result = answer("cohort")
    shown = Masked(result, 11)
    patterns = shown.frame("Patterns")
    for i, n in enumerate(patterns["patients"]):
        if n < 11:
            assert shown.cells["Patterns"].words((i, "patients")) == "fewer than 11"
            assert shown.cells["Patterns"].words((i, "share")) == "hidden"
    links = shown.frame("Links")
    few = [i for i, share in enumerate(links["dropped"]) if 0 < round(share * 30) < 11]
    assert few
    assert all(shown.cells["Links"].words((i, "dropped")) == "fewer than 11" for i in few)
    headline = result.headline()
    assert headline.startswith("For 67\u00a0% of 30 patients (smoking = no)")
    assert Masked(result, 10).publishable([headline]) == [headline]
    assert shown.publishable([headline]) == []  # the other ten follow from the percentage
    assert shown.withheld == {headline}


def test_thresholds_go_with_rare_levels() -> None:
    """A threshold is a share of the rows in another form."""
    table = pd.DataFrame({"x": [0] * 3 + [1] * 60 + [2] * 57, "y": [0, 1, 2] * 40, "z": [2, 1, 0] * 40})
    data = engine.Dataset.from_frame(table, kinds=dict.fromkeys("xyz", "ordinal"))
    shown = Masked(engine.Ordinal(draws=200).run(data), 5)
    frame, hidden = shown.frame("Thresholds"), shown.cells["Thresholds"]
    for i, name in enumerate(frame["variable"]):
        assert (hidden.words((i, "above")) is not None) == (name == "x")
    assert sum(hidden.words((i, "rows")) is not None for i in range(len(frame))) == 2


def test_a_rare_level_is_named_all_the_same() -> None:
    """Names are not counts: that a level exists is known from the columns."""
    result = engine.GroupDifference(group=GROUP).run(small())
    assert any(RARE in str(one) for one in Masked(result, 5).frame("Distributions")["level"])


def test_a_written_table_has_words_in_hidden_cells_and_few_digits(groups: Result) -> None:
    """As it goes to screens and files; where nothing is hidden it is the table."""
    shown = Masked(groups, 5)
    written = shown.written("Distributions")
    assert list(written.columns) == list(shown.frame("Distributions").columns)
    few = [i for i, n in enumerate(shown.frame("Distributions")["count"]) if 0 < n < 5]
    assert {written["count"].iloc[i] for i in few} == {"fewer than 5"}
    assert {written["share"].iloc[i] for i in few} == {"hidden"}
    numbers = [float(text) for text in written["share"] if text != "hidden"]
    assert numbers and all(number == round(number, 2) for number in numbers)
    assert all(value == float(f"{value:.3g}") for value in shown.written("Variables")["probability"])
    pd.testing.assert_frame_equal(Masked(groups).written("Distributions"), Masked(groups).frame("Distributions"))
