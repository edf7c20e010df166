"""Detection limits: each way against what it says in words, and new rows coded like the old."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.data.preparing.detection import limit_of
from engine.errors import DataError


def table(n: int = 120) -> pd.DataFrame:
    """A marker between its limits of 0.5 and 9, one cell in six beyond one of them."""
    values = np.random.default_rng(4).uniform(0.2, 10, n).round(2)
    shown = ["<0,5" if v < 0.5 else "> 9" if v >= 9 else str(v).replace(".", ",") for v in values]
    return pd.DataFrame({"marker": shown, "sex": ["f", "m"] * (n // 2)})


def test_as_a_level_each_end_has_an_interval_of_its_own() -> None:
    """Cells beyond a limit are alone at their end, and the rest is cut as asked."""
    frame = table()
    data = engine.Recipe(limits={"marker": "level"}).apply(frame)
    assert data.levels["marker"][0] == "below 0.5"
    assert data.levels["marker"][-1] == "9 and above"
    assert len(data.levels["marker"]) == 5
    codes = data.column("marker")
    assert ((codes == 0) == (frame["marker"] == "<0,5")).all()
    assert ((codes == 4) == (frame["marker"] == "> 9")).all()


def test_limits_that_are_given_make_a_column_continuous() -> None:
    """And the report says so; of one that is continuous anyway it says why it is."""
    frame = table()
    frame["marker"] = frame["marker"].where(frame["marker"] != "> 9", "<0,5").mask(frame.index % 40 != 0, "<0,5")
    given_limits = engine.Dataset.from_frame(frame, limits={"marker": "level"}).report
    assert given_limits is not None
    column = next(item for item in given_limits.columns if item.name == "marker")
    assert column.kind == "continuous"
    assert column.reason.startswith("what becomes of its detection limits is given; ")


def test_as_the_bound_and_as_missing() -> None:
    """The limit as the number; or rows that are dropped."""
    frame = table()
    bound = engine.Recipe(limits={"marker": "bound"}, bins={"marker": [0.5, 9]}).apply(frame)
    assert (bound.column("marker") == np.where(frame["marker"] == "> 9", 2, 1)).all()
    beyond = frame["marker"].isin(["<0,5", "> 9"]).sum()
    assert engine.Recipe(limits={"marker": "missing"}).apply(frame).n_rows == len(frame) - beyond


@pytest.mark.parametrize("how", ["level", "bound"])
def test_new_rows_are_coded_like_the_old(how: str) -> None:
    """Texts, numbers and cells beyond a limit that the first table did not have."""
    recipe = (
        engine.Recipe(limits={"marker": how}, bins={"marker": [0.5, 3, 9]} if how == "bound" else 3)
        .apply(table())
        .recipe
    )
    last = len(recipe.columns[0].levels) - 1
    for cell, code in (
        ("<0,5", 0 if how == "level" else 1),
        ("<0,1", 0),
        (0.3, 0),
        (">9", last),
        (">20", last),
        (8.99, last - 1),
    ):
        found, words = recipe.codes(pd.DataFrame({"marker": [cell], "sex": ["f"]}))
        assert found[0, 0] == code, cell
        assert not words
    assert recipe.codes(pd.DataFrame({"marker": ["high"], "sex": ["f"]}))[0][0, 0] == -1


def test_whole_numbers_stay_whole() -> None:
    """A titre below 10 is an interval 'below 10', and the others are named by whole numbers."""
    frame = pd.DataFrame({"titre": ["<10"] * 20 + [str(10 + i % 40) for i in range(100)], "sex": ["f", "m"] * 60})
    levels = engine.Recipe(limits={"titre": "level"}).apply(frame).levels["titre"]
    assert levels[0] == "below 10"
    assert all("." not in level for level in levels)


def test_a_cell_that_is_neither_is_named() -> None:
    """With its row and what to do; listed as a missing token it is no obstacle."""
    frame = table()
    frame.loc[7, "marker"] = "haemolytic"
    with pytest.raises(DataError, match="'haemolytic' in row 8"):
        engine.Recipe(limits={"marker": "level"}).apply(frame)
    data = engine.Recipe(limits={"marker": "level"}, missing_tokens={"marker": ["haemolytic"]}).apply(frame)
    assert data.n_rows == len(frame) - 1


@given(st.sampled_from(["<", "<=", "≤", ">", ">=", "≥"]), st.floats(0.001, 1e6), st.booleans())
@settings(max_examples=60, deadline=None)
def test_what_a_limit_looks_like(side: str, number: float, space: bool) -> None:
    """A sign and a number, with or without a space; anything else is none."""
    text = f"{side}{' ' if space else ''}{number!r}"
    assert limit_of(text, ".") == (("<" if side in "<=≤" else ">"), number)
    assert limit_of(text + " mg", ".") is None
    assert limit_of(repr(number), ".") is None
