"""The start page: an answer on screen before anything was chosen, honest questions, samples that open."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.pages import METHOD_PAGES
from dashboard.text import plain
from dashboard.views.data.samples import page_of, sample_shape
from engine.methods.registry import METHODS
from sample_data.catalog import CATALOG, load
from sample_data.worked_examples import START, computed_answer, example_of, stored_answer
from tests.dashboard.app_pages.running import finished
from tests.dashboard.app_pages.test_start import app, held, sample_dataset
from tests.golden.make import differences

__all__ = ["app"]

RUNS_BY_ITSELF = {"instance_specific"}
"""Pages that answer every patient and setting at once, without a button."""


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
    assert ("columns are " in app.title[0].value) == data_page


def _as_said(app: AppTest) -> str:
    """The page's sentence without what keeps its lines from ending at the wrong place."""
    return str(app.title[0].value).replace("\N{NO-BREAK SPACE}", " ").replace("\N{WORD JOINER}", "")


def with_spaces(sentence: str) -> str:
    """A sentence as Markdown, where lines end being left aside."""
    return plain(sentence).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("slug", METHOD_PAGES)
def test_a_page_without_a_table_opens_its_example_by_a_press(app: AppTest, slug: str) -> None:
    """The stored answer stands there before; the press opens the sample on the same page, which then answers itself."""
    sample = example_of(slug)
    assert sample is not None
    before = app.switch_page(METHOD_PAGES[slug].file).run()
    assert _as_said(before) == with_spaces(stored_answer(slug).headline())
    assert held(before).table is None and not held(before).job_queue._jobs
    after = finished(before.button(key=f"{slug}.try").click().run())
    state = held(after)
    assert state.dataset is not None and state.dataset.fingerprint == sample_dataset(sample.key).fingerprint
    assert state.wanted == "" and state.place == slug
    answer = stored_answer(slug).headline().split(";")[0]  # half samples of ratings are drawn beside, and lead the rest
    assert _as_said(after).startswith(with_spaces(answer).removesuffix("\\."))
    labels = [one.label for one in after.button if one.key == f"{slug}.run"]
    assert labels == ([] if slug in RUNS_BY_ITSELF else ["Run again"])
    assert not after.error


@pytest.mark.parametrize("slug", [slug for slug in (START, *METHODS, "compare") if example_of(slug) is not None])
def test_the_stored_examples_are_what_a_run_gives(slug: str) -> None:
    """Settings and data of the catalog, every word, every figure to 1e-9; processors differ in the last bits."""
    sample = example_of(slug)
    assert sample is not None
    stored, computed = stored_answer(slug), computed_answer(slug)
    assert stored.method == computed.method
    assert stored.fingerprint == computed.fingerprint
    assert slug == "compare" or stored.fingerprint == sample_dataset(sample.key).fingerprint
    apart = dict(differences(json.loads(stored.to_json()), json.loads(computed.to_json())))
    assert max(apart.values(), default=0.0) <= 1e-9, apart
    assert stored.claims().index.equals(computed.claims().index)
