"""The Table 1 of a group comparison: kept with the answer, masked with its tables, first in the report."""

from __future__ import annotations

import pandas as pd

import engine
from engine.methods.masked import Masked
from tests.engine.methods.test_table_one import trial


def test_an_answer_describes_its_rows() -> None:
    """Two groups and several arms: the same table, kept in the file, and the report prints it first."""
    data = engine.Dataset.from_frame(trial(150, ("placebo", "drug", "surgery")), missing="level")
    pair = engine.GroupDifference(group="arm", groups=("placebo", "drug")).run(data)
    assert pair.table_one().labels == ("placebo", "drug")
    pd.testing.assert_frame_equal(
        pair.table("Characteristics"), engine.table_one(data, "arm", ("placebo", "drug")).frame()
    )
    again = type(pair).from_dict(pair.to_dict())
    pd.testing.assert_frame_equal(again.table_one().frame(p=True), pair.table_one().frame(p=True))
    page = str(engine.report(pair))
    assert page.index("SMD") < page.index("Figure 1.1"), "the first table stands before any figure"
    assert "median [quartiles]" in page
    shown = Masked(pair, 5).written("Characteristics")
    assert (shown.iloc[:, :5] == pair.table_one().frame(hide_below=5).iloc[:, :5]).all(axis=None)
    assert (shown == "fewer than 5").any(axis=None)


def test_arms_and_one_against_the_rest() -> None:
    """Of three arms one table with all of them; of one level the column of all other rows."""
    data = engine.Dataset.from_frame(trial(150, ("placebo", "drug", "surgery")), missing="level")
    arms = engine.GroupDifference(group="arm", max_parents=1).run(data)
    assert arms.table_one().labels == ("placebo", "drug", "surgery")
    assert arms.table("Characteristics").columns.tolist()[3:] == ["placebo", "drug", "surgery", "SMD"]
    rest = engine.GroupDifference(group="arm", groups=("drug",), max_parents=1).run(data)
    assert rest.table_one().labels == ("drug", "all other rows") == rest.labels
    assert rest.table_one().n[0] == 150
