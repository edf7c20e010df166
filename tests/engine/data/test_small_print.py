"""Sentences, ends and counts of data sets that are easily off by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.dataset import Dataset
from engine.data.series import Series
from engine.errors import DataError

MANY = ["x", "y"] * 10


def test_a_series_of_others_is_another_data_set() -> None:
    """The names of the subjects, who they are, and their steps all count for the fingerprint."""
    roles = {"who": "subject", "visit": "time"}

    def made(who: list[str], visit: list[int]) -> str:
        frame = pd.DataFrame({"who": who, "visit": visit, "pain": ["x", "y", "x", "y"]})
        return Dataset.from_frame(frame, roles=roles, kinds={"pain": "nominal"}).fingerprint

    base = made(["p", "p", "q", "q"], [1, 2, 1, 2])
    assert base == made(["p", "p", "q", "q"], [1, 2, 1, 2])
    assert base != made(["p", "p", "r", "r"], [1, 2, 1, 2])
    assert base != made(["p", "q", "p", "q"], [1, 1, 2, 2])
    assert base != made(["p", "p", "q", "q"], [1, 2, 2, 1])


@pytest.mark.parametrize(("asked", "rows"), [(0, 0), (-3, 0), (1, 1), (5, 5), (100, 6)])
def test_the_head_has_as_many_rows_as_asked_for(asked: int, rows: int) -> None:
    """None for none, all where more are asked for than there are; five by default."""
    data = Dataset.from_codes(np.array([[0, 1, 0, 1, 1, 0]]), [["no", "yes"]], ["ill"])
    assert data.head(asked)["ill"].tolist() == ["no", "yes", "no", "yes", "yes", "no"][:rows]
    assert len(data.head()) == 5


@pytest.mark.parametrize("many", [0, 1, 4, 5, 6, 12])
def test_five_single_steps_are_named_and_the_others_counted(many: int) -> None:
    """With five names nothing is left to count, with six one is."""
    single = tuple(f"s{i:02d}" for i in range(many))
    said = " ".join(Series(np.zeros((0, 2), dtype=int), single, 0, single).sentences())
    assert [name for name in single if f"'{name}'" in said] == list(single[:5])
    assert ("more" in said) == (many > 5)
    if many > 5:
        assert f" and {many - 5} more" in said


def test_fewer_intervals_than_asked_for_are_told() -> None:
    """Where ties leave fewer, the report says how many of how many; where all could be made it says nothing."""
    few = Dataset.from_frame(
        pd.DataFrame({"a": [0.0] * 114 + [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}), kinds={"a": "continuous"}
    )
    assert few.report is not None
    problems = [one for one in few.report.problems if "could be cut into" in one]
    assert len(problems) == (len(few.levels["a"]) < 3)
    assert problems
    assert f"into {len(few.levels['a'])} instead of 3" in problems[0]
    even = Dataset.from_frame(pd.DataFrame({"a": np.arange(30.0)}), kinds={"a": "continuous"})
    assert even.report is not None
    assert len(even.levels["a"]) == 3
    assert not [one for one in even.report.problems if "could be cut into" in one]


def test_levels_that_look_alike_are_told_of_columns_that_are_used() -> None:
    """Of a column that is left out nobody has to merge anything."""
    frame = pd.DataFrame({"a": ["Low", "low", "high"] * 6 + ["high"] * 2, "b": MANY})
    used = Dataset.from_frame(frame, kinds={"a": "nominal"})
    left = Dataset.from_frame(frame, kinds={"a": "ignore"})
    assert used.report is not None
    assert left.report is not None
    assert sum("look alike" in one for one in used.report.suggestions) == 1
    assert not [one for one in left.report.suggestions if "look alike" in one]


def test_where_no_row_is_complete_the_emptiest_columns_are_named_first() -> None:
    """The three that lack most, most first, whatever their order in the table."""
    holes = {"little": 3, "most": 17, "some": 8, "much": 12}
    frame = pd.DataFrame({name: pd.Series(MANY, dtype=object) for name in holes})
    at = {"little": range(3), "most": range(3, 20), "some": range(8), "much": range(8, 20)}
    for name, rows in at.items():
        frame.loc[list(rows), name] = None
    with pytest.raises(DataError) as told:
        Dataset.from_frame(frame, kinds=dict.fromkeys(holes, "nominal"))
    words = str(told.value)
    assert words.index("'most' (17") < words.index("'much' (12") < words.index("'some' (8")
    assert "little" not in words
    assert told.value.column == "most"


def test_only_choices_that_differ_are_given() -> None:
    """A recipe's script has what was chosen and nothing else."""
    frame = pd.DataFrame({"a": np.arange(20), "b": MANY})
    chosen: dict[str, Any] = {"kinds": {"a": "continuous"}, "bins": {"a": 2}}
    recipe = engine.Recipe(**chosen)
    assert recipe.given() == chosen
    assert engine.Recipe().given() == {}
    again = Dataset.from_frame(frame, **recipe.given())
    assert again.fingerprint == Dataset.from_frame(frame, **chosen).fingerprint
    frozen = again.recipe.given()
    assert "columns" not in frozen
    assert "reading" not in frozen


def test_roman_grades_stand_in_their_order() -> None:
    """IX after V, though it comes first in the alphabet; zero is a grade."""
    frame = pd.DataFrame({"stage": ["V", "IX", "II", "III", "0"] * 4})
    data = Dataset.from_frame(frame, kinds={"stage": "ordinal"})
    assert data.levels["stage"] == ("0", "II", "III", "V", "IX")
    words = pd.DataFrame({"stage": [f"grade {one}" for one in ("V", "IX", "II", "III")] * 5})
    assert Dataset.from_frame(words, kinds={"stage": "ordinal"}).levels["stage"] == tuple(
        f"grade {one}" for one in ("II", "III", "V", "IX")
    )


@pytest.mark.parametrize("many", [1, 4, 5, 9])
def test_a_line_names_four_variables(many: int) -> None:
    """Four in full, of more the first four and dots; names of more than 24 letters are cut."""
    names = [f"v{i}" for i in range(many)]
    data = Dataset.from_codes(np.zeros((many, 3), dtype=int), [2] * many, names)
    listed = ", ".join(names[:4]) + (", ..." if many > 4 else "")
    assert repr(data) == f"Dataset(3 rows, {many} variables: {listed})"
    for length, cut in ((24, False), (25, True)):
        shown = repr(Dataset.from_codes(np.zeros((1, 3), dtype=int), [2], ["n" * length]))
        assert ("n" * 23 + "…" in shown) == cut
        assert ("n" * length in shown) != cut
