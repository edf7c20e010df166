"""One user's session: positions stay, a new table starts afresh."""

from __future__ import annotations

import pandas as pd
from streamlit.testing.v1 import AppTest

from dashboard.session.session import Session
from dashboard.session.work import Work
from tests.dashboard.jobs import slow_work


def test_positions_stay_as_the_user_left_them() -> None:
    """The first proposal holds, drags are kept, another proposal does not move anything."""
    held = Session()
    assert not held.layouts.has(["a", "b"])
    held.layouts.of(["a", "b"], {"a": (0, 0), "b": (1, 1)})
    held.layouts.move(["b", "a"], {"a": (5, 6), "stranger": (1, 1)})
    assert held.layouts.of(["b", "a"], {"a": (9, 9), "b": (9, 9)}) == {"a": (5, 6), "b": (1, 1)}


def test_a_new_table_takes_all_with_it() -> None:
    """Loading a table forgets choices, layouts and running work of the one before."""
    held = Session()
    job = held.job_queue.start("sleep", slow_work.sleep, 60)
    held.choices["page"] = {"x": 1}
    held.layouts.of(["a"], {"a": (0, 0)})
    held.load(pd.DataFrame({"a": [1]}), "a.csv")
    assert (held.source, held.dataset, held.choices, held.layouts.has(["a"])) == ("a.csv", None, {}, False)
    assert job.state == "cancelled"


def test_two_sessions_are_two() -> None:
    """What one browser tab keeps, another does not see."""

    def page() -> None:
        import streamlit as st

        from dashboard.session.session import session

        st.text(session().source or "empty")
        session().source = "mine"

    one, two = AppTest.from_function(page).run(), AppTest.from_function(page)
    assert one.run().text[0].value == "mine"
    assert two.run().text[0].value == "empty"


def test_at_the_end_choices_hold_no_table_any_more() -> None:
    """Whoever still holds them: a callback of a widget may; and what is a plain value is let alone."""
    work = Work(content=b"the file", labels={"a": "A"}, used=None)
    held = Session()
    held.choices = {"data": {"work": work, "view": "columns"}}
    held.write_notes("mine")
    held.end()
    assert (work.content, work.labels, held.choices, held.notes) == (None, {}, {}, "")


def test_a_new_table_clears_the_spotlight() -> None:
    """The variable that was looked at may not exist in the new table."""
    held = Session()
    held.picked["page"] = "age"
    held.load(pd.DataFrame({"a": [1]}), "a.csv")
    assert not held.picked


def test_a_layout_keeps_its_own_names_only() -> None:
    """Proposals for other variables are not taken in, now or when something is moved."""
    held = Session()
    proposed = {"a": (0.0, 0.0), "b": (1.0, 1.0), "stranger": (2.0, 2.0)}
    assert held.layouts.of(["a", "b"], proposed) == {"a": (0.0, 0.0), "b": (1.0, 1.0)}
    held.layouts.move(["a", "b"], {"stranger": (3.0, 3.0), "a": (4.0, 4.0)})
    assert held.layouts.of(["a", "b"], proposed) == {"a": (4.0, 4.0), "b": (1.0, 1.0)}
