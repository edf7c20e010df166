"""What is said before a run: only of long ones, never less for more, and with a remedy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.methods.cost import WORTH_BYTES, WORTH_SECONDS, Cost, Size, about, gigabytes, sentence
from engine.methods.registry import METHODS
from tests.contract.brings import WITH_COST
from tests.contract.made_up import ChowLiu

SIZES = st.builds(Size, st.integers(1, 10**6), st.integers(2, 20_000), st.floats(2.0, 8.0))


def settings_of(slug: str) -> engine.methods.method.Method:
    """The method as it begins, without a look at a table."""
    needs = {"group_difference": {"group": "a", "score": engine.K2()}, "discriminative": {"target": "a"}}
    return METHODS[slug](**needs.get(slug, {}))


@pytest.mark.parametrize("slug", WITH_COST)
@given(SIZES, st.integers(1, 20), st.sampled_from(["rows", "variables", "levels"]))
def test_more_of_anything_takes_no_less(slug: str, size: Size, times: int, what: str) -> None:
    """Rows, variables or levels, with every method; nothing is negative, and there always is a remedy.

    But for K2 without a limit on parents, which takes them by chance where rows are few.
    """
    method = settings_of(slug)
    if slug == "group_difference" and what == "rows":
        method = replace(method, max_parents=5)
    if slug == "group_difference":  # an average is of 200 variables at most, and is drawn from 21 on
        method = replace(method, average="none")
    cost, more = method.cost(size), method.cost(replace(size, **{what: getattr(size, what) * times}))
    assert 0 <= cost.seconds <= more.seconds * 1.000001
    assert 0 <= cost.memory <= more.memory * 1.000001
    assert cost.less


@pytest.mark.parametrize("slug", WITH_COST)
def test_small_tables_need_no_warning_and_vast_ones_get_one(slug: str) -> None:
    """Ten variables are quick unless classes are shuffled hundreds of times; thousands are not."""
    method = settings_of(slug)
    small = (replace(method, shuffles=0) if slug == "discriminative" else method).cost(Size(300, 10))
    assert small.seconds < WORTH_SECONDS
    assert small.memory < WORTH_BYTES
    vast = Size(10_000, 20_000)
    said = sentence(method.cost(vast), vast)
    assert said.startswith("20,000 variables and 10,000 rows will take ")
    assert said.endswith(".")


@pytest.mark.parametrize(
    ("slug", "size", "seconds"),
    [
        ("discriminative", Size(300, 8), 5.4),
        ("discriminative", Size(300, 20), 10.5),
        ("group_difference", Size(10_000, 1_000), 1.8),
        ("group_difference", Size(10_000, 3_000), 9.1),
        ("group_difference", Size(1_000, 1_000), 17.3),
        ("instance_specific", Size(10_000, 1_000), 36.4),
        ("log_linear", Size(10_000, 3_000), 1.1),
        ("ordinal", Size(1_000, 40), 1.5),
    ],
)
def test_it_is_of_the_order_that_was_measured(slug: str, size: Size, seconds: float) -> None:
    """Within three times of a run on a table of three levels (`engine.simulation.associations`, seed 1)."""
    assert seconds / 3 <= settings_of(slug).cost(size).seconds <= 3 * seconds


@pytest.mark.parametrize(
    ("size", "seconds"),
    [
        (Size(20_000_000, 21, 2.5, counted=True), 7.2),
        (Size(355, 19, 2), 0.6),
        (Size(1_000, 19, 3, numbers=18), 5.3),
        (Size(2_000, 13, 3), 0.8),
        (Size(10_000, 21, 3, numbers=10), 21.0),
        (Size(2_000, 51, 3, numbers=25), 36.0),
        (Size(10_000, 21, 3), 5.3),
        (Size(2_000, 51, 2.5), 13.9),
        (Size(2_000, 201, 2.5), 132.0),
    ],
)
def test_an_average_over_orders_is_of_the_order_that_was_measured(size: Size, seconds: float) -> None:
    """Within three times, summed over or drawn; the group column is one variable more. Beyond 200 there is none."""
    method = engine.GroupDifference(group="a")
    near = 2 if size.variables < 60 and not size.counted else 3
    assert seconds / near <= method.cost(size).seconds <= near * seconds
    assert method.cost(replace(size, variables=202)) == replace(method, average="none").cost(
        replace(size, variables=202)
    )
    assert replace(method, max_parents=1).cost(size).seconds <= method.cost(size).seconds


@pytest.mark.parametrize(
    ("size", "seconds"),
    [
        (Size(300, 20, classes=2), 1.9),
        (Size(300, 20, classes=4), 3.4),
        (Size(300, 20, classes=8), 6.9),
        (Size(3_000, 60, classes=2), 6.2),
        (Size(3_000, 60, classes=4), 15.3),
        (Size(3_000, 60, classes=8), 29.9),
    ],
)
def test_more_classes_take_longer_as_was_measured(size: Size, seconds: float) -> None:
    """Within one and a half times of a run of 20 permutations; a page says it with the classes of its table."""
    method = engine.Discriminative("class", shuffles=20)
    assert seconds / 1.5 <= method.cost(size).seconds <= 1.5 * seconds
    codes = np.arange(4 * 900).reshape(4, 900) % size.classes
    data = engine.Dataset.from_codes(codes, [size.classes] * 4, ["class", "a", "b", "c"])
    many = replace(method, shuffles=2_000)
    assert sentence(many.cost(replace(Size.of(data), classes=size.classes)), Size.of(data)) == many.expected(data) != ""


def test_what_is_advised_helps() -> None:
    """A limit on parents, GES alone, fewer shuffles and draws, another approach: each takes less."""
    size = Size(2_000, 1_000)
    for slug, change in (
        ("group_difference", {"max_parents": 5}),
        ("instance_specific", {"search": "ges"}),
        ("discriminative", {"shuffles": 20}),
        ("ordinal", {"draws": 5}),
        ("ordinal", {"approach": "bge"}),
    ):
        method = settings_of(slug)
        assert replace(method, **change).cost(size).seconds < method.cost(size).seconds / 1.2
    joint = engine.LogLinear(joint=True)
    assert engine.LogLinear().cost(size).seconds < joint.cost(size).seconds


@pytest.mark.parametrize(
    ("change", "variables", "measured"),
    [({}, 2_000, 45e6), ({"criterion": "kl"}, 2_000, 104e6), ({"joint": True}, 1_200, 62e6), ({}, 4_000, 156e6)],
)
def test_memory_of_ranked_pairs_is_told_before(change: dict[str, Any], variables: int, measured: float) -> None:
    """Within a factor of 2.2 of what a log-linear analysis of 1,000 rows took; a tenth below it at the most."""
    assert 0.9 * measured < engine.LogLinear(**change).cost(Size(1_000, variables)).memory < 2.2 * measured


def test_a_method_that_was_never_measured_says_nothing() -> None:
    """Nothing is made up."""
    data = engine.Dataset.from_codes(np.zeros((3, 4), np.uint8), [2] * 3, list("abc"))
    assert ChowLiu().expected(data) == ""


def test_the_sentence_says_what_is_worth_saying() -> None:
    """Time, memory, both or nothing."""
    size = Size(1000, 50)
    assert sentence(Cost(1.0, 1e6), size) == ""
    assert sentence(Cost(12.0, 1e6), size) == "50 variables and 1,000 rows will take about 12\u00a0s on one core."
    end = "; if that is too much, choose fewer variables."
    assert (
        sentence(Cost(61.0, 1e6), size)
        == f"50 variables and 1,000 rows will take about 1\u00a0min 01\u00a0s on one core{end}"
    )
    assert sentence(Cost(1.0, 2.34e9), size) == f"50 variables and 1,000 rows will take about 2.3 GB of memory{end}"
    both = sentence(Cost(100.0, 6e8, "wait"), size)
    assert both.endswith("about 1\u00a0min 40\u00a0s on one core and 600 MB of memory; if that is too much, wait.")


def test_what_takes_less_time_only_is_not_advised_for_memory() -> None:
    """And the other way round: what takes less of both helps in either case."""
    size, quicker = Size(1000, 50), {"quicker": "fewer draws"}
    assert sentence(Cost(90.0, 0.0, **quicker), size).endswith("choose fewer variables, or fewer draws.")
    assert sentence(Cost(90.0, 6e8, **quicker), size).endswith("choose fewer variables, or fewer draws for less time.")
    assert sentence(Cost(0.0, 6e8, **quicker), size).endswith("too much, choose fewer variables.")


@pytest.mark.parametrize("slug", WITH_COST)
def test_nothing_to_learn_from_takes_nothing(slug: str) -> None:
    """No rows, no variables, whatever is chosen."""
    others = {"discriminative": {"folds": "leave_one_out"}, "ordinal": {"bootstrap": 100}}
    for method in (settings_of(slug), replace(settings_of(slug), **others.get(slug, {}))):
        for size in (Size(0, 5), Size(0, 10_000), Size(500, 0), Size(0, 0)):
            assert sentence(method.cost(size), size) == ""


def test_the_remedy_is_that_of_the_term_that_costs() -> None:
    """Shuffles only where there are some, folds where they are one by one, draws where these take the time."""
    size = Size(2_000, 50)
    classes = engine.Discriminative("a")
    assert classes.cost(size).quicker == "fewer permutations"
    assert replace(classes, shuffles=0).cost(size).quicker == ""
    assert replace(classes, shuffles=0, folds="leave_one_out").cost(size).quicker == "fewer folds"
    assert replace(classes, folds="leave_one_out").cost(size).quicker == "fewer permutations or folds"
    ratings = engine.Ordinal()
    assert ratings.cost(size).quicker == "fewer draws"
    assert replace(ratings, bootstrap=9).cost(size).quicker == "fewer draws or bootstrap samples"
    assert "draws" not in ratings.cost(Size(20, 3_000)).quicker  # searches take it
    assert "draws" not in sentence(replace(ratings, approach="bge").cost(Size(500, 2_000)), Size(500, 2_000))


def test_no_number_is_finer_than_it_can_be_known() -> None:
    """Two digits; hours are whole ones, and days are only days."""
    assert about(12.34) == "about 12\u00a0s"
    assert about(754.0) == "about 12\u00a0min 30\u00a0s"
    assert about(5 * 3600 + 700.0) == "about 5 hours"
    assert about(1e9) == "days"
    assert gigabytes(1.2345e10) == "12 GB"
    assert gigabytes(7.77e8) == "780 MB"
    assert gigabytes(999.6e6) == "1 GB"
    assert gigabytes(994e6) == "990 MB"
    assert gigabytes(1.8e12) == "1,800 GB"
    assert gigabytes(2.04e9) == "2 GB"


def test_the_size_of_a_table() -> None:
    """Levels are those of a variable on average."""
    data = engine.Dataset.from_codes(np.zeros((2, 5), np.uint8), [2, 5], ["a", "b"])
    assert Size.of(data) == Size(5, 2, 3.5)
