"""Roles on the data page, and the order in time on its way to a method."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.pages import method_pages
from dashboard.views.shared.analysis_page import proposed
from tests.dashboard.app_pages.test_data import data, said, with_file, work

TRIAL = pd.DataFrame(
    {
        "sex": ["f", "m"] * 40,
        "trt": ["a", "a", "b", "b"] * 20,
        "pweight": [0.5 + i % 7 / 10 for i in range(80)],
        "pain": [["low", "mid", "high"][i % 3] for i in range(80)],
    }
)


@pytest.fixture
def loaded() -> AppTest:
    """The page with a trial that has a weight of rows."""
    return with_file("trial.csv", TRIAL.to_csv(index=False).encode())


def test_a_sampling_weight_is_left_out_and_a_group_is_guessed(loaded: AppTest) -> None:
    """The weight is beside the variables, and why; the guess says why; a press takes another group."""
    boxes = {one.label: one for one in loaded.selectbox}
    assert boxes["Weight"].value == "(none)"
    assert "'pweight' looks like a sampling weight; no method here can use it" in said(loaded).replace("\\", "")
    assert "pweight" not in data(loaded).names
    assert "is named like an arm or a group" in said(loaded)
    boxes["Group"].select("sex").run()
    assert dict(work(loaded).roles) == {"pweight": "identifier", "sex": "group"}
    assert data(loaded).roles["sex"] == "group"
    assert "named like an arm" not in said(loaded)


def test_a_weight_with_fractions_is_refused_and_can_be_taken_away(loaded: AppTest) -> None:
    """The sentence says which row; the data set from before stays."""
    before = data(loaded)
    work(loaded).take_roles({"pweight": "weight"})
    loaded.run()
    assert "a weight is how often a row counts" in " ".join(str(one.value) for one in loaded.error)
    assert data(loaded) is before
    work(loaded).take_roles({})
    loaded.run()
    assert not loaded.error


def test_the_order_in_time_reaches_the_methods(loaded: AppTest) -> None:
    """What is dragged becomes tiers of the data set, and knowledge of every method that can use an order."""
    work(loaded).keep_boxes([["sex"], [], ["pain"]])
    loaded.run()
    found = data(loaded)
    assert found.tiers == (("sex",), ("pain",))
    known = {page.slug: proposed(page, found).get("knowledge") for page in method_pages()}
    tiers = {slug: one.tiers for slug, one in known.items() if one is not None}
    assert tiers["group_difference"] == tiers["instance_specific"] == (("sex",), ("pain",))
    assert not tiers.get("log_linear")


def test_one_box_alone_is_no_order(loaded: AppTest) -> None:
    """No method is told anything of it."""
    work(loaded).keep_boxes([["sex"], [], []])
    loaded.run()
    page = next(one for one in method_pages() if one.slug == "group_difference")
    assert not proposed(page, data(loaded))["knowledge"].tiers
