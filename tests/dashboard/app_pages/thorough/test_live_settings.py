"""What a method's settings say that act at once stands beside its answer, on every page of a method."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dashboard.forms.settings_form import live_key
from dashboard.session.session import Session
from engine.methods.registry import METHODS
from sample_data.catalog import dataset
from tests.dashboard.test_registry import APP, finished


@pytest.mark.parametrize("slug", list(METHODS))
def test_every_method_offers_its_live_settings_beside_the_answer(slug: str) -> None:
    """Each with the label of its own field, and none of them a second time in the form."""
    method = METHODS[slug]
    data = dataset("cough_and_smoke")
    at = AppTest.from_file(APP, default_timeout=60)
    session = Session(source="a table.csv", dataset=data, table=data.to_frame())
    session.begin(slug, {})
    at.session_state["diptych"] = session
    at._page_hash = calc_hash(slug)
    finished(at.run())
    labels = {one.name: one.metadata["label"] for one in fields(method)}  # type: ignore[arg-type]
    hidden = {one.name for one in fields(method) if one.metadata.get("place") == "hidden"}  # type: ignore[arg-type]
    drawn: dict[str, Any] = {
        one.key: one for kind in ("select_slider", "selectbox", "number_input", "toggle") for one in getattr(at, kind)
    }
    for name in method.live():
        if name not in hidden:
            assert drawn[live_key(slug, name)].label == labels[name]
            assert sum(one.label == labels[name] for one in drawn.values()) == 1
