"""Series: transitions inside a subject, in the order of time, never over a row that was left out."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data.dataset import Dataset
from engine.data.preparing.steps import make_steps
from engine.data.series import Series, series
from engine.errors import DataError

ROLES = {"who": "subject", "visit": "time"}


def made(who: list[Any], visit: list[Any], pain: list[Any], **choices: Any) -> Dataset:
    """A data set of series with one variable that may have gaps."""
    frame = pd.DataFrame(
        {"who": who, "visit": visit, "pain": pain, "arm": ["a", "b"] * (len(who) // 2) + ["a"] * (len(who) % 2)}
    )
    return Dataset.from_frame(frame, roles=ROLES, kinds={"pain": "nominal", "arm": "nominal"}, **choices)


def in_table(data: Dataset, found: Series) -> list[tuple[int, int]]:
    """Transitions as rows of the table."""
    return sorted((int(data.origin[a]), int(data.origin[b])) for a, b in found.transitions)


def test_a_missing_value_never_splices_a_series() -> None:
    """Six steps without the second: step one and three are no neighbours, and the gap is counted."""
    data = made(["p"] * 6, [1, 2, 3, 4, 5, 6], ["x", None, "y", "x", "y", "x"])
    found = series(data)
    assert in_table(data, found) == [(2, 3), (3, 4), (4, 5)]
    assert (found.gaps, found.subjects, found.single) == (1, ("p",), ())
    assert any("1 gap inside" in words for words in found.sentences())


def test_subjects_are_never_joined() -> None:
    """Rows of several subjects, mixed and of unequal length; one with a single step is named."""
    who = ["b", "a", "b", "c", "a", "b"]
    data = made(who, [1, 1, 2, 1, 2, 3], ["x", "y"] * 3)
    found = series(data)
    assert in_table(data, found) == [(0, 2), (1, 4), (2, 5)]
    assert (found.subjects, found.single) == (("b", "a", "c"), ("c",))
    assert any("'c'" in words for words in found.sentences())


def test_time_orders_the_rows_and_says_so() -> None:
    """Rows out of order are put in order, with one sentence."""
    data = made(["p"] * 4, [4, 2, 1, 3], ["x", "y", "x", "y"])
    assert in_table(data, series(data)) == [(1, 3), (2, 1), (3, 0)]
    assert data.report is not None
    assert sum("do not stand in the order of 'visit'" in words for words in data.report.problems) == 1


def test_a_time_twice_is_one_sentence() -> None:
    """Two rows of a subject at one time are refused with both names."""
    with pytest.raises(DataError, match="Subject 'p' has two rows where 'visit' is 2; give each") as caught:
        made(["p", "p", "p", "q"], [1, 2, 2, 2], ["x", "y", "x", "y"])
    assert caught.value.column == "visit"


def test_a_visit_that_is_not_in_the_table_is_a_gap_too() -> None:
    """Where visits are counted one by one, 2 and 4 are no neighbours; days between visits differ and are."""
    data = made(["p"] * 3 + ["q"] * 3, [1, 2, 4, 1, 2, 3], ["x", "y"] * 3)
    assert in_table(data, series(data)) == [(0, 1), (3, 4), (4, 5)] and series(data).gaps == 1
    seldom = pd.DataFrame({"who": ["z"] * 3, "visit": [1, 3, 4], "pain": ["x", "y", "x"], "arm": ["a"] * 3})
    new = data.recipe.apply(seldom)  # what one step is, was found in the first table
    assert in_table(new, series(new)) == [(1, 2)] and series(new).gaps == 1
    assert len(series(made(["p"] * 3, [1, 3, 5], ["x", "y", "x"], tick=1)).transitions) == 0
    assert len(series(made(["p"] * 3, [1, 2, 4], ["x", "y", "x"], tick=0)).transitions) == 2
    days = made(["p"] * 3 + ["q"] * 3, [0, 31, 59, 0, 28, 61], ["x", "y"] * 3)
    assert len(series(days).transitions) == 4 and series(days).gaps == 0


def test_times_can_be_dates_and_words_in_order() -> None:
    """Dates by the calendar, words in a known order or the one given; words without order are refused."""
    dates = made(["p"] * 3, ["2021-01-03", "2021-02-01", "2020-12-01"], ["x", "y", "x"])
    assert in_table(dates, series(dates)) == [(0, 1), (2, 0)]
    order = ["start", "after", "end"]
    words = made(["p"] * 3, ["end", "start", "after"], ["x", "y", "x"], levels={"visit": order})
    assert in_table(words, series(words)) == [(1, 2), (2, 0)]
    again = words.recipe.apply(
        pd.DataFrame({"who": ["z"] * 2, "visit": ["end", "start"], "pain": ["x", "y"], "arm": ["a"] * 2})
    )
    assert series(again).gaps == 1 and len(series(again).transitions) == 0
    with pytest.raises(DataError, match="its levels in order"):
        made(["p"] * 3, ["end", "start", "after"], ["x", "y", "x"])


def test_rows_without_subject_or_time_leave_a_hole() -> None:
    """They belong to no series, and what stands around them is not joined."""
    data = made(["p", "p", "p", "p", None, "q"], [0.0, 10.5, None, 33.0, 1.0, 1.0], ["x", "y"] * 3)
    found = series(data)
    assert in_table(data, found) == [(0, 1)] and found.gaps == 1
    assert found.single == ("q",)
    assert data.report is not None and any("2 rows without a subject" in words for words in data.report.problems)
    mixed = made(["p"] * 4, [33.0, None, 0.0, 10.5], ["x", "y"] * 2)  # where the second belongs nobody knows
    assert len(series(mixed).transitions) == 0 and series(mixed).gaps == 2


def test_without_a_time_the_order_of_the_table_counts() -> None:
    """Rows of a subject follow each other as they stand, holes included."""
    frame = pd.DataFrame(
        {"who": ["p", "q", "p", "p", "q"], "v": ["x", "y", None, "y", "x"], "w": ["a", "b"] * 2 + ["a"]}
    )
    data = Dataset.from_frame(frame, roles={"who": "subject"})
    assert in_table(data, series(data)) == [(1, 4)] and series(data).gaps == 1


def test_parts_keep_their_steps() -> None:
    """Rows taken out leave holes, other variables change nothing, and a row taken twice is refused."""
    data = made(["p"] * 4 + ["q"] * 2, [1, 2, 3, 4, 1, 2], ["x", "y"] * 3)
    part = data.rows(np.array([5, 0, 1, 3])).select(["pain"])
    assert part.origin[series(part).transitions].tolist() == [[0, 1]] and series(part).gaps == 1
    assert series(part).subjects == ("q", "p")
    assert data.roles == part.roles == ROLES and part.names == ("pain",)
    with pytest.raises(DataError, match="subject 'p' stands in two rows"):
        series(data.rows(np.array([0, 0, 1])))
    with pytest.raises(DataError, match="roles="):
        series(Dataset.from_codes(np.zeros((1, 3), int), [2], ["a"]))


def test_codes_that_are_ready_can_be_series() -> None:
    """Subject and time leave the variables; times are the numbers that their levels are called."""
    codes = np.array([[0, 0, 1, 1], [0, 1, 0, 2], [0, 1, 1, 0]])
    levels = {"who": ["p", "q"], "visit": ["1", "2", "3"], "pain": ["no", "yes"]}
    data = Dataset.from_codes(codes, levels, ["who", "visit", "pain"], roles=ROLES)
    assert data.names == ("pain",) and series(data).transitions.tolist() == [[0, 1]]
    assert data.recipe.roles == ROLES


def slow(who: list[int], visit: list[int], kept: list[bool], tick: int) -> tuple[set[tuple[int, int]], int]:
    """Transitions and gaps by walking along every subject's rows; tick 0 is time without a rhythm."""
    pairs, gaps = set(), 0
    for one in set(who):
        rows = sorted((i for i in range(len(who)) if who[i] == one), key=visit.__getitem__)
        used = [row for row in rows if kept[row]]
        for before, row in pairwise(used):
            near = rows.index(row) - rows.index(before) == 1 and tick in (0, visit[row] - visit[before])
            if near:
                pairs.add((before, row))
            gaps += not near
    return pairs, gaps


@settings(max_examples=80, deadline=None)
@given(data=st.data(), tick=st.integers(0, 2))
def test_transitions_equal_a_walk_along_every_subject(data: st.DataObject, tick: int) -> None:
    """Any mixture of subjects, lengths, orders, distances and gaps."""
    n = data.draw(st.integers(2, 25))
    who = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    visit = data.draw(st.lists(st.integers(0, 40), min_size=n, max_size=n, unique=True))
    kept = data.draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(any))
    pain = ["xy"[i % 2] if kept[i] else None for i in range(n)]
    table = made([f"s{one}" for one in who], visit, pain, tick=tick)
    found = series(table)
    expected, holes = slow(who, visit, kept, tick)
    assert set(in_table(table, found)) == expected and len(found.transitions) == len(expected)
    assert found.gaps == holes
    used = [f"s{one}" for one, keep in zip(who, kept, strict=True) if keep]
    assert found.subjects == tuple(dict.fromkeys(used))
    assert found.single == tuple(one for one in found.subjects if used.count(one) == 1)


def test_subjects_and_steps_are_counted_in_words() -> None:
    """Rows that are kept, of subjects that have any; one number where all have as many."""
    data = made(["p"] * 3 + ["q"] * 2 + ["r"], [1, 2, 3, 1, 2, 1], ["x", None, "y", "x", "y", None])
    assert data.steps is not None
    assert data.steps.sentence() == "2 subjects, 2 steps"
    assert made(["p"] * 3 + ["q"], [1, 2, 3, 1], ["x", "y"] * 2).steps.sentence() == "2 subjects, 1 to 3 steps"  # type: ignore[union-attr]
    assert data.steps.rows(np.array([], int)).sentence() == "0 subjects"


def test_rows_that_belong_together_are_counted_in_words() -> None:
    """Whether their time is known or not; rows of nobody apart, and no rows at all."""
    steps = make_steps(np.array([0, 0, 1, 1, 2]), ["p", "q", "r"], np.array([1.0, 2.0, 1.0, np.nan, 1.0]))[0]
    assert steps.sizes() == "3 of 1 to 2 rows"
    assert steps.rows(np.arange(4)).sizes() == "2 of 2 rows each"
    assert make_steps(np.array([0, -1, -1]), ["p"], np.arange(3.0))[0].sizes() == "1 of 1 row each, and 2 rows of none"
    assert steps.rows(np.array([], int)).sizes() == "0 of 0 rows"
