"""The offer that age and sex come first."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import engine
import sample_data
from dashboard.session.session import Session
from tests.dashboard.answered import on_a_press
from tests.dashboard.app_pages.running import finished
from tests.dashboard.views.shared.test_analysis_page import PAGES, said

__all__ = ["on_a_press"]


@pytest.mark.usefixtures("on_a_press")
def test_age_and_sex_come_first_by_one_press_and_the_result_says_that_it_was_set() -> None:
    """The tiers of the data page; the offer goes once there are tiers, and a direction is said to be unproven."""
    table = sample_data.load("symptoms")
    place = np.arange(len(table))
    table = table.assign(age=place % 5 + 1, Geschlecht=np.where(place % 2, "m", "w"))
    at = AppTest.from_file(str(PAGES / "ordinal.py"), default_timeout=60)
    session = Session(dataset=engine.Dataset.from_frame(table), table=table, source="table.csv")
    session.begin("ordinal", {"approach": "gpc"}, run=False)
    at.session_state["diptych"] = session
    at.run()
    at.button(key="ordinal.first").click().run()
    assert not at.exception
    tiers = at.session_state["diptych"].dataset.tiers
    assert tiers[0] == ("age", "Geschlecht")
    assert "Order in time, from the data page: age and Geschlecht" in said(at)
    assert not [one for one in at.button if one.key == "ordinal.first"]
    next(one for one in at.button if one.key == "ordinal.run").click()
    finished(at.run())
    assert "No arrow points at age and Geschlecht from later variables: that order was set, not found." in said(at)
    assert "one table does not prove the direction of an arrow" in said(at)
