"""A table coded part by part is coded as a whole, and what is told of the parts adds up."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.data.stored import coding
from engine.data.stored.coding import Coder, frozen
from engine.errors import DataError
from tests.engine.data.stored.make import frame, recipe

TABLE = frame(600, 3).assign(note="x")
TABLE.loc[[7, 500], "arm"] = ["new", "newer"]
RECIPE = recipe()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 600), max_size=6))
def test_parts_make_the_whole(cuts: list[int]) -> None:
    """Also parts without a row; one coder for all, or one for each."""
    whole = RECIPE.apply(TABLE)
    ends = [0, *sorted(cuts), 600]
    parts = [TABLE[begin:end] for begin, end in pairwise(ends)]
    together, each = Coder(RECIPE), [Coder(RECIPE) for _ in parts]
    found = [together.code(part) for part in parts]
    assert np.array_equal(np.concatenate(found, axis=1)[:6], whole.codes)
    assert all(one.dtype == whole.codes.dtype for one in found)
    for one, part in zip(each, parts, strict=True):
        one.code(part)
    expected = whole.report.to_dict() if whole.report is not None else {}
    assert together.report().to_dict() == expected == Coder(RECIPE).report([one.tally for one in each]).to_dict()


def test_a_part_whose_rows_all_lack_something_is_empty() -> None:
    """It is no fault of a part; who has no rows at all says so."""
    coder = Coder(RECIPE)
    assert coder.code(TABLE.assign(sex="x")).shape == (len(coder.stored), 0)
    assert (coder.tally.read, coder.tally.kept) == (600, 0)
    assert "'x' (600 rows)" in coder.report().problems[0]


def test_a_part_that_the_filter_leaves_out_is_empty() -> None:
    """And the parts are told as the whole."""
    chosen = engine.Dataset.from_frame(TABLE, where=[("pain", "at least", 1)]).recipe
    table = TABLE.sort_values("pain")
    coder = Coder(chosen)
    codes = [coder.code(table[begin : begin + 40]) for begin in range(0, 600, 40)]
    whole = chosen.apply(table)
    assert codes[0].shape[1] == 0 and np.array_equal(np.concatenate(codes, axis=1)[:6], whole.codes)
    assert whole.report is not None and coder.report().to_dict() == whole.report.to_dict()


def test_tallies_of_nothing() -> None:
    """Nothing and something is something, whichever comes first."""
    coder, nothing = Coder(RECIPE), Coder(RECIPE)
    coder.code(TABLE)
    for tallies in ([nothing.tally, coder.tally], [coder.tally, nothing.tally]):
        assert Coder(RECIPE).report(tallies).to_dict() == coder.report().to_dict()
    assert (nothing.tally + nothing.tally).read == 0
    assert nothing.report().rows_kept == 0


def test_values_without_a_level_are_not_remembered_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that come first are."""
    monkeypatch.setattr(coding, "_STRANGE", 3)
    coder = Coder(RECIPE)
    for begin in range(0, 600, 100):
        part = TABLE[begin : begin + 100]
        coder.code(part.assign(arm=[f"new {i}" for i in range(begin, begin + 100)]))
    assert coder.tally.columns[5].strange == {"new 0": 1, "new 1": 1, "new 2": 1}


def test_what_cannot_code_a_part_is_refused() -> None:
    """No recipe, one that is not fixed, one whose rows follow each other; a part without a column."""
    for wrong in (None, {}, "recipe"):
        with pytest.raises(DataError, match=r"give an engine\.Recipe whose levels are fixed"):
            frozen(wrong)
    with pytest.raises(DataError, match="has no levels yet"):
        frozen(engine.Recipe())
    with pytest.raises(DataError, match="which rows follow each other"):
        series = TABLE.assign(who=TABLE.index // 5, day=TABLE.index % 5)
        Coder(engine.Dataset.from_frame(series, roles={"who": "subject", "day": "time"}).recipe)
    with pytest.raises(DataError, match="has no column 'age', which the recipe needs") as caught:
        Coder(RECIPE).code(TABLE.drop(columns="age"))
    assert caught.value.column == "age"
