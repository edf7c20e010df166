"""A recipe and next month's table: what differs a little must not lose rows, change meanings or say what is false."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.preparing.conditions import weigh
from engine.data.preparing.variables import look_at
from engine.errors import DataError
from engine.project.project import fit

N = 200


def month(seed: int, **more: Any) -> pd.DataFrame:
    """A month of a ward."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 90, N),
            "sex": rng.choice(["f", "m"], N),
            "crp": ["<0.5" if v < 0.5 else ">9" if v > 3 else f"{v:.1f}" for v in rng.exponential(1.5, N)],
            "stage": rng.integers(0, 4, N),
            "site": rng.choice(["A", "B", "C"], N),
        }
    )
    return frame.assign(**more)


def test_a_cut_keeps_the_names_of_its_levels() -> None:
    """One decimal among whole ages renames no interval."""
    data = engine.Recipe(derive={"ag": ("cut", "age", [40, 60])}).apply(month(1))
    later = month(2, age=month(2)["age"].astype(float))
    later.loc[0, "age"] = 45.5
    found = data.recipe.apply(later)
    assert found.n_rows == N
    assert found.to_frame()["ag"].iloc[0] == "40 to 59"


def test_an_odd_cell_costs_its_own_row_only() -> None:
    """In a column with limits, in one that is calculated with, in one that is compared; and it is named."""
    recipe = engine.Recipe(
        limits={"crp": "level"}, derive={"old": ("if", [("age", "over", 60)])}, where=[("age", "over", 20)]
    )
    data = recipe.apply(month(1))
    later = month(2, age=month(2)["age"].astype(str))
    later.loc[3, "crp"] = "hemolysed"
    found = data.recipe.apply(later)
    assert found.n_rows == int((month(2)["age"] > 20).sum()) - 1
    assert found.report is not None
    assert any("'hemolysed' (1 row)" in one for one in found.report.problems)
    row = int(found.origin[5])
    later.loc[row, "age"] = "x?"
    assert data.recipe.apply(later).origin.tolist() == [one for one in found.origin.tolist() if one != row]


def test_dates_are_read_as_in_the_first_table() -> None:
    """A month whose days are all below 13 does not tell by itself which comes first."""
    days = [f"{1 + i % 28:02d}.03.2024" for i in range(N)]
    data = engine.Recipe(where=[("d", "over", "05.03.2024")]).apply(month(1, d=days))
    later = month(2, d=[f"{1 + i % 12:02d}.03.2024" for i in range(N)])
    found = data.recipe.apply(later)
    assert found.n_rows == sum(1 + i % 12 > 5 for i in range(N))


def test_a_merge_of_levels_that_a_table_lacks_is_no_fault() -> None:
    """Neither next month nor for one patient."""
    data = engine.Recipe(derive={"st": ("merge", "stage", {"3": "2"})}).apply(month(1))
    later = month(2, stage=np.minimum(month(2)["stage"], 2))
    assert data.recipe.apply(later).n_rows == N
    codes, _ = data.recipe.codes(later[:1])
    assert codes[data.names.index("st"), 0] >= 0


def test_nothing_is_said_of_rows_outside() -> None:
    """Applied to its own table a filtered recipe has no complaint; asked again, the filter is told as what it is."""
    data = engine.Recipe(where=[("site", "is", ["A", "B"])]).apply(month(1))
    again = data.recipe.apply(month(1))
    assert again.fingerprint == data.fingerprint
    assert again.report is not None
    assert not again.report.problems
    words = fit(data.recipe, month(2)).words
    meant = int(month(2)["site"].isin(["A", "B"]).sum())
    assert words == (f"Only rows where site is A or B: {meant} of {N}.",)


@pytest.mark.parametrize("role", ["identifier", "subject"])
def test_a_new_column_can_be_beside_the_variables(role: str) -> None:
    """And is made again."""
    recipe = engine.Recipe(derive={"s": ("combine", "site", "sex")}, roles={"s": role})
    data = recipe.apply(month(1))
    assert "s" not in data.names
    assert data.recipe.apply(month(1)).fingerprint == data.fingerprint


def test_tokens_for_all_are_for_the_columns_that_were_read() -> None:
    """A difference of 9 is no missing code, the first time and every other."""
    recipe = engine.Recipe(missing_tokens=("9",), derive={"d": ("difference", "age", "stage")})
    data = recipe.apply(month(1))
    assert data.recipe.apply(month(1)).n_rows == data.n_rows


def holds(frame: pd.DataFrame, *conditions: Any, **more: Any) -> int:
    """How many rows are meant."""
    recipe = engine.Recipe(where=conditions, **more)
    return len(recipe.apply(frame).origin)


def test_beyond_a_limit_is_beyond_it() -> None:
    """`>9` is over 9, `<0.5` under 0.5; asked for as they stand, and never shown as other numbers."""
    frame = month(1)
    limits = {"limits": {"crp": "level"}}
    above, below = int((frame["crp"] == ">9").sum()), int((frame["crp"] == "<0.5").sum())
    assert above > 0
    assert holds(frame, ("crp", "over", 9), **limits) == above
    assert holds(frame, ("crp", "at most", 9), **limits) == N - above
    assert holds(frame, ("crp", "under", 0.5), **limits) == below
    assert holds(frame, ("crp", "is", "<0.5"), **limits) == below
    data = engine.Recipe(derive={"both": ("combine", "crp", "sex")}, rare=1, **limits).apply(frame)
    assert "<0.5, f" in data.levels["both"]
    assert not any("999" in level for name in data.names for level in data.levels[name])


def test_a_date_says_itself_which_day_it_is() -> None:
    """Days first are refused where the table has the year first."""
    variable = look_at(pd.DataFrame({"d": [f"2024-0{1 + i % 9}-1{i % 9}" for i in range(50)]}))[0]
    for text in ("01.08.2024", "01/08/2024", "1.8.2024"):
        with pytest.raises(DataError, match="a date like 2024-05-31"):
            weigh((("d", "under", text),), {"d": variable}, 50)


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"where": [("age", "over", "1,234")]}, "read in two ways; write 1234 or 1.234"),
        ({"where": [("age", "over", 10**400)]}, "give a number or a date"),
        ({"where": [("age", "is", float("nan"))]}, "finite"),
        ({"derive": {"x": ("merge", "site", "foo")}}, "what its levels become"),
        ({"derive": ["x"]}, "Give 'derive' by column"),
        ({"limits": ["x"]}, "Give 'limits' by column"),
        ({"settled": ["x"]}, "Give 'settled' by column"),
        ({"tiers": 5}, "Give tiers as lists"),
        ({"reading": {"delimiter": {}}}, "a text or a number"),
        ({"reading": {"missing": ["NA", {}]}}, "a text or a number"),
    ],
)
def test_what_is_no_choice(choices: Any, words: str) -> None:
    """One sentence each."""
    with pytest.raises(DataError, match=words):
        engine.Recipe(**choices)


def test_two_levels_with_commas_stay_two() -> None:
    """However they are put together."""
    frame = pd.DataFrame({"a": ["x, y", "x"] * 20, "b": ["z", "y, z"] * 20})
    assert len(engine.Recipe(derive={"c": ("combine", "a", "b")}).apply(frame).levels["c"]) == 2


def test_true_is_one() -> None:
    """A yes of another program's table."""
    frame = month(1, ill=[i % 2 for i in range(N)])
    assert holds(frame, ("ill", "is", True)) == N // 2
