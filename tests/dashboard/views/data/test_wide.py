"""The data page of a table of hundreds of columns: one tab at a time, and what is true of all said once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from dashboard.session.session import Session
from dashboard.views.data.parts import WIDE
from dashboard.views.data.preview import ALIKE, together
from dashboard.views.data.rows import SHOWN_COLUMNS


def page(columns: int, tab: str = "") -> AppTest:
    """The tabs of the data page over a table of so many columns, one of them looked at."""

    def draw(columns: int, tab: str) -> None:
        import numpy as np
        import pandas as pd

        from dashboard.session.keys import set_value, widget_key
        from dashboard.session.session import session
        from dashboard.session.work import work
        from dashboard.views.data.choices import open_table, prepare_table
        from dashboard.views.data.parts import show_parts

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
    at = page(SHOWN_COLUMNS + 30, "Rows")
    said = "".join(one.value for one in at.caption)
    assert f"and the first {SHOWN_COLUMNS} of {SHOWN_COLUMNS + 30} columns" in said
    assert at.dataframe[0].value.shape[1] == SHOWN_COLUMNS


def test_what_is_said_of_many_columns_is_said_once() -> None:
    """With how many more there are; few are said one by one, in the order in which they came."""
    said = [f"Column '{name}' declares no order." for name in "abcdef"]
    assert together([said[0], "The file has no header.", *said[1:]]) == [
        "Column 'a' declares no order. (So for 5 more columns.)",
        "The file has no header.",
    ]
    assert together(said[:3]) == said[:3]


@given(st.lists(st.sampled_from(["'a' is odd", "'b' is odd", "'c' is even", "plain"]), max_size=30))
def test_nothing_is_lost(sentences: list[str]) -> None:
    """Every sentence is there by itself, or counted in the one that stands for it."""
    found = together(sentences)
    whole = [one for one in found if "(So for " not in one]
    counted = sum(1 + int(one.split("(So for ")[1].split()[0]) for one in found if "(So for " in one)
    assert len(whole) + counted == len(sentences)
    assert all(found.count(one) <= ALIKE for one in whole)
