"""Which sentences name a small count of rows or people."""

from __future__ import annotations

import pandas as pd
import pytest

import engine
from engine.methods.masked import Masked
from tests.engine.project.report.answers import KINDS, answer


@pytest.mark.parametrize("kind", KINDS)
def test_most_of_an_answer_on_many_rows_is_said(kind: str) -> None:
    """Where a table is large, hiding costs at most a sentence or two, and never the headline."""
    result = answer(kind)
    every = [result.headline(), *result.sentences(), *result.notes()]
    said = Masked(result, 5).publishable(every)
    assert said[0] == every[0]
    assert len(said) >= len(every) - 2


def test_a_share_left_out_gives_no_few_rows_away() -> None:
    """Of 60 rows of B four were left out."""
    gaps = ["B"] * 60 + ["A"] * 200
    table = pd.DataFrame({"arm": gaps, "x": (["lo", "hi"] * 130), "y": (["no", "no", "yes", "yes"] * 65)})
    table.loc[range(56, 60), "y"] = None
    data = engine.Dataset.from_frame(pd.concat([table, table[:6].assign(y=None)], ignore_index=True))
    result = engine.GroupDifference(group="arm").run(data)
    told = next(one for one in result.sentences() if "left out for gaps" in one)
    assert Masked(result, 5).publishable([told]) == [told]
    assert Masked(result, 11).publishable([told]) == []
