"""The data page of a table of hundreds of columns: one tab at a time, and what is true of all said once."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from dashboard.session.session import Session
from dashboard.views.data.preview import ALIKE, MOST_COLUMNS, WIDE, together


def page(columns: int, tab: str = "") -> AppTest:
    """The tabs of the data page over a table of so many columns, one of them looked at."""

    def draw(columns: int, tab: str) -> None:
        import numpy as np
        import pandas as pd

        from dashboard.session.keys import set_value, widget_key
        from dashboard.session.preparing import prepare_table
        from dashboard.session.session import session
        from dashboard.session.work import work
        from dashboard.views.data.choices import open_table
        from dashboard.views.data.preview import show_parts

        state = session()
        if state.table is None:
            values = np.random.default_rng(0).integers(0, 3, (40, columns))
            open_table(pd.DataFrame(values, columns=[f"c{i}" for i in range(columns)]), "wide.csv")
        prepare_table(state, work())
        if tab:
            set_value(widget_key("data", "parts", id(work())), tab)
        show_parts()

    at = AppTest.from_function(draw, args=(columns, tab), default_timeout=120)
    at.session_state["diptych"] = Session()
    at.run()
    assert not at.exception
    return at


def test_of_a_wide_table_one_tab_is_drawn() -> None:
    """The columns first; of a narrow one all are there, so that a click waits for nothing."""
    narrow, wide = page(5), page(WIDE + 1)
    assert [tab.label for tab in wide.tabs] == [tab.label for tab in narrow.tabs]
    assert "number on the left" in "".join(one.value for one in narrow.caption)
    assert "number on the left" not in "".join(one.value for one in wide.caption)
    assert len(wide.dataframe) < len(narrow.dataframe)


def test_the_tab_that_is_looked_at_is_drawn() -> None:
    """Of the rows so many columns as a browser can hold, and how many there are."""
    at = page(MOST_COLUMNS + 30, "Rows")
    said = "".join(one.value for one in at.caption)
    assert f"and the first {MOST_COLUMNS} of {MOST_COLUMNS + 30} columns" in said
    assert at.dataframe[0].value.shape[1] == MOST_COLUMNS


def test_what_is_said_of_many_columns_is_said_once() -> None:
    """With some of the others, and how many more there are; few are said one by one, in their order."""
    said = [f"Column '{name}' declares no order." for name in "abcdef"]
    assert together([said[0], "The file has no header.", *said[1:]], "abcdef") == [
        "Column 'a' declares no order. (So for 'b', 'c', 'd' and 2 more.)",
        "The file has no header.",
    ]
    assert together(said[:4], "abcdef") == ["Column 'a' declares no order. (So for 'b', 'c', 'd'.)"]
    assert together(said[:3], "abcdef") == said[:3]


def test_a_quoted_value_is_no_column() -> None:
    """What is said of many values of one column is no finding about columns; a name may have a quotation mark."""
    values = [f"'{value}' was read as missing in 'k'." for value in ("NA", "-", "?", "none", "nil")]
    assert together(values, {"k"}) == values
    names = [f"o'brien {i}" for i in range(5)]
    said = [f"In '{name}', 'x' (3 rows) counts as not known." for name in names]
    assert together(said, names) == [f"{said[0]} (So for 'o'brien 1', 'o'brien 2', 'o'brien 3' and 1 more.)"]
    assert together(said, ["x"]) == said


@given(st.lists(st.sampled_from([*(f"'{name}' is odd" for name in "abdefg"), "'c' is even", "plain"]), max_size=30))
def test_nothing_is_lost(sentences: list[str]) -> None:
    """Every sentence is there by itself, or counted in the one that stands for it."""
    found = together(sentences, "abcdefg")
    whole = [one for one in found if "(So for " not in one]
    merged = [one.partition(" (So for ") for one in found if "(So for " in one]
    counted = 0
    for _, _, others in merged:
        more = re.search(r"(\d+) more", others)
        counted += 1 + others.count("'") // 2 + (int(more[1]) if more else 0)
    assert len(whole) + counted == len(sentences)
    assert sum("odd" in one for one in whole) <= ALIKE
