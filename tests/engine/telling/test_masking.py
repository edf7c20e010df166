"""Small counts cannot be worked out of what is shown beside them."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.telling.masking import Hidden, gives_away, hidden_cells, hidden_counts, is_small
from engine.telling.tables import Column, TableDescription, described
from engine.text import Count, Name, Number, People, Share, told

LEVELS = TableDescription("", described(text="variable; level", count="n", share="share"), sums=(("variable",),))


def possible(counts: list[int], small: set[int], others: set[int], least: int) -> dict[int, set[int]]:
    """What each small count could be, for a reader who knows the sum and how cells are hidden."""
    hidden = sorted(small | others)
    rest = sum(counts[i] for i in hidden)
    ranges = [range(1, least) if i in small else range(rest + 1) for i in hidden]
    found: dict[int, set[int]] = {i: set() for i in small}
    for guess in itertools.product(*ranges[:-1]):
        last = rest - sum(guess)
        if last in ranges[-1]:
            for i, value in zip(hidden, (*guess, last), strict=True):
                if i in small:
                    found[i].add(value)
    return found


@given(st.lists(st.integers(0, 14), min_size=2, max_size=4), st.integers(2, 5))
def test_a_small_count_could_be_any(counts: list[int], least: int) -> None:
    """Each value from 1 to below the least stays possible, unless the whole is hidden and there is nothing left."""
    small, others = hidden_counts(counts, least)
    assert small == {i for i, one in enumerate(counts) if 0 < one < least}
    if not small:
        assert not others
        return
    assert len(small | others) > 1
    if len(small | others) < len(counts):
        assert all(values == set(range(1, least)) for values in possible(counts, small, others, least).values())


def test_nothing_small_hides_nothing() -> None:
    """A whole of large parts is shown."""
    assert hidden_counts([40, 5, 0], 5) == (set(), set())
    assert not is_small(0, 5)
    assert not is_small(5, 5)


def test_the_next_smallest_goes_too() -> None:
    """And a part without rows is no cover."""
    assert hidden_counts([0, 3, 40, 12], 5) == ({1}, {3})


def test_a_row_hides_what_was_made_of_its_count() -> None:
    """Shares go with their counts; keys and words stay."""
    frame = pd.DataFrame({"variable": ["x"] * 3, "level": list("abc"), "n": [3, 50, 9], "share": [0.05, 0.8, 0.15]})
    found = hidden_cells(frame, LEVELS, 5)
    assert (found.small, found.others) == ({(0, "n")}, {(2, "n")})
    assert found.derived == {(0, "share"), (2, "share")}
    assert found.words((0, "n")) == "fewer than 5"
    assert found.words((2, "n")) == found.words((0, "share")) == "hidden"
    assert found.words((1, "n")) is None
    assert len(found) == 4


def test_another_variable_is_another_whole() -> None:
    """What adds up to something else is no cover."""
    frame = pd.DataFrame({"variable": ["x", "x", "y"], "level": list("aba"), "n": [3, 50, 9], "share": [0.1, 0.9, 1.0]})
    assert hidden_cells(frame, LEVELS, 5).others == {(1, "n")}


def test_a_matrix_is_covered_both_ways() -> None:
    """Rows and columns of a table of counts each have two hidden cells or none."""
    frame = pd.DataFrame({"is": list("abc"), "a": [2, 30, 40], "b": [20, 31, 41], "c": [22, 32, 42]})
    about = TableDescription("", described(text="is"), others=Column("", "count"), sums=((),), matrix=True)
    found = hidden_cells(frame, about, 5)
    cells = found.small | found.others
    for row in range(3):
        assert sum(one == row for one, _ in cells) != 1
    for name in "abc":
        assert sum(one == name for _, one in cells) != 1


@pytest.mark.parametrize(("n", "hidden"), [(3, "fewer than 5"), (97, "hidden"), (50, None), (100, None), (0, None)])
def test_a_part_of_all_rows(n: int, hidden: str | None) -> None:
    """Where a count is a part of all rows, the rest of them is one as well."""
    about = TableDescription("", described(text="link", count="like"))
    frame = pd.DataFrame({"link": ["a"], "like": [n]})
    assert hidden_cells(frame, about, 5, whole=100).words((0, "like")) == hidden


def test_shares_of_patients_are_counts() -> None:
    """Of 30 patients 7 % are two."""
    about = TableDescription("", described(text="link", part="told"))
    frame = pd.DataFrame({"link": ["a", "b", "c"], "told": [2 / 30, 0.5, float("nan")]})
    found = hidden_cells(frame, about, 5, whole=30)
    assert [found.words((i, "told")) for i in range(3)] == ["fewer than 5", None, None]


def test_columns_that_tell_neighbours_apart_go_with_the_whole() -> None:
    """Thresholds of a variable are its shares in another form."""
    about = TableDescription(
        "", described(text="variable; level", count="n", signed="above"), sums=(("variable",),), reveals=("above",)
    )
    frame = pd.DataFrame(
        {"variable": ["x"] * 3 + ["y"], "level": list("abca"), "n": [3, 90, 9, 50], "above": [0.1, 0.2, 0.3, 0.4]}
    )
    assert hidden_cells(frame, about, 5).derived >= {(i, "above") for i in range(3)}
    assert hidden_cells(frame, about, 5).words((3, "above")) is None


def test_without_a_least_everything_is_shown() -> None:
    """0 hides nothing."""
    assert len(hidden_cells(pd.DataFrame({"n": [1, 2]}), TableDescription(), 0)) == 0
    assert Hidden(0).words((0, "n")) is None


@pytest.mark.parametrize("rest", range(1, 5))
def test_what_is_left_of_a_whole_is_a_count_too(rest: int) -> None:
    """All but one of ten tells of the one."""
    assert gives_away(told("{} are ill.", People(20 - rest, "row", of=20)), 5)
    assert gives_away(told("{} are ill.", People(rest, "row", of=20)), 5)
    assert gives_away(told("{} are ill.", People(20 - rest, "row")), 5, wholes=(20,))
    assert gives_away(told("{} are ill.", Share(rest, 20)), 5)
    assert gives_away(told("{} are ill.", Share(20 - rest, 20)), 5)
    assert not gives_away(told("{} are ill: {}.", People(15, "row", of=20), Share(15, 20)), 5)


@pytest.mark.parametrize(
    "text", ["It happened once in 40 rows.", "Only two rows of North have it.", "3", "Three of them."]
)
def test_a_figure_that_nobody_declared_is_not_shown(text: str) -> None:
    """Neither in a plain sentence nor as a piece of one; what is no figure is."""
    assert gives_away(text, 5)
    assert gives_away(told("North: {}", text), 5)
    assert not gives_away(text, 0)
    assert not gives_away("No row of North has it.", 5)


def test_names_things_and_estimates_count_no_people() -> None:
    """'grade 2' is a name, two links are nobody; of a variable whose counts are hidden no figure is shown."""
    said = told("{} differs: {}, odds ratio {}.", Name("grade 2"), Count(2, "link"), Number("3.1"))
    assert not gives_away(said, 5)
    assert gives_away(said, 5, unsure={"grade 2"})
    assert not gives_away(told("{} differs.", Name("grade 2")), 5, unsure={"grade 2"})
