"""Recipes on generated tables, row by row."""

from __future__ import annotations

from datetime import date

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data.dataset import Recipe
from engine.errors import DataError
from tests.engine.data.test_recipe import through_json

cells = {
    "words": st.sampled_from(["x", "y ", "Zed", "zed", "é", "1", "2.0", "0,5", None, "rare", "-"]),
    "grades": st.sampled_from(["none", "mild", "moderate", "severe", None]),
    "numbers": st.sampled_from(["1", "2", "3.50", "1,200", "4e1", "-9", "inf", None, "7", "8"]),
    "percent": st.sampled_from(["1 %", "20%", "3.5%", None]),
    "whole": st.integers(-3, 12) | st.none(),
    "real": st.floats(-5, 5).map(lambda x: round(x, 1)),
    "mixed": st.sampled_from([1, 2.0, "a", True, None, 3.5]),
    "days": st.dates(date(2001, 1, 1), date(2001, 12, 31)).map(lambda d: d.strftime("%d/%m/%Y")) | st.none(),
}


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_any_table_is_coded_alike_row_by_row(data: st.DataObject) -> None:
    """Own table, JSON and single rows: whatever the columns, the choices and the gaps."""
    n = data.draw(st.integers(4, 24))
    names = data.draw(st.lists(st.sampled_from(sorted(cells)), min_size=1, max_size=4, unique=True))
    frame = pd.DataFrame({name: pd.Series([data.draw(cells[name]) for _ in range(n)], dtype=object) for name in names})
    if data.draw(st.booleans()):
        frame = frame.convert_dtypes()
    continuous = data.draw(st.sets(st.sampled_from(names)))
    recipe = Recipe(
        kinds={
            name: "continuous" if name in continuous else data.draw(st.sampled_from(["nominal", "ordinal"]))
            for name in names
        },
        missing=data.draw(st.sampled_from(["drop", "level"])),
        rare=data.draw(st.integers(0, 3)),
        bins=data.draw(st.integers(2, 4)),
        missing_tokens=data.draw(st.sampled_from([(), ("-", "-9", "a", "x")])),
    )
    try:
        made = recipe.apply(frame)
    except DataError:
        return
    again = through_json(made.recipe)
    assert through_json(recipe).apply(frame).fingerprint == made.fingerprint
    codes, words = again.codes(frame)
    assert (codes[:, made.origin] == made.codes).all() and words == ()
    assert again.apply(frame).fingerprint == made.fingerprint
    for row in data.draw(st.permutations(range(n)))[:6]:
        assert (again.codes(frame.iloc[[row]])[0][:, 0] == codes[:, row]).all()
