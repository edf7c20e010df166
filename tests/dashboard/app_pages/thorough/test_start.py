"""The start page: an answer on screen before anything was chosen, honest questions, samples that open."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.views.data.samples import page_of, sample_shape
from sample_data.catalog import CATALOG, load
from tests.dashboard.app_pages.test_start import app, held, sample_dataset

__all__ = ["app"]


@pytest.mark.parametrize("key", CATALOG)
def test_every_sample_opens_where_its_question_is_answered(app: AppTest, key: str) -> None:
    """The table, its dictionary's kinds and levels, and a page without a fault."""
    app.button(key=f"start.open.{key}").click().run()
    assert not app.exception
    assert not app.error
    state = held(app)
    assert state.table is not None
    assert state.table.shape == sample_shape(key) == load(key).shape
    assert state.dataset is not None
    assert state.dataset.fingerprint == sample_dataset(key).fingerprint
    data_page = page_of(CATALOG[key]) is None
    assert (app.title[0].value == "Data") == data_page
