"""The registry is the only list of methods: a made-up sixth one is found everywhere, and can be run and shown."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import dashboard
import engine
from dashboard.forms.live import live_key
from dashboard.pages import METHOD_PAGES, method_pages
from dashboard.session.session import Session
from engine.methods import METHODS
from sample_data.catalog import dataset
from tests.contract.made_up import Pairs

ROOT = Path(dashboard.__file__).parent
APP = str(ROOT / "app.py")


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> type[Pairs]:
    """The registry with one method more."""
    monkeypatch.setitem(METHODS, Pairs.slug, Pairs)
    return Pairs


def opened(page: str, data: engine.Dataset | None = None) -> AppTest:
    """The app on the page of this address, with a data set in the session."""
    at = AppTest.from_file(APP, default_timeout=60)
    session = Session(source="a *table*.csv", dataset=data, table=None if data is None else data.to_frame())
    at.session_state["diptych"] = session
    at.run()
    at._page_hash = calc_hash(page)
    at.run()
    assert not at.exception
    return at


def text(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in [*at.title, *at.markdown, *at.caption, *at.info, *at.error])


def links(at: AppTest) -> list[str]:
    return [one.proto.label for one in at.get("page_link")]


def finished(at: AppTest) -> AppTest:
    for job in list(at.session_state["diptych"].desk._jobs.values()):
        assert job.wait(60)
    at.run()
    assert not at.exception
    return at


def test_every_method_has_a_page_file_that_is_short() -> None:
    """The file is there, and little more than choose, run, show."""
    for page in method_pages():
        lines = (ROOT / page.file).read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 40


def test_pages_are_those_of_the_registry() -> None:
    """No page of a method that does not exist."""
    assert set(METHOD_PAGES) <= set(METHODS)
    assert [page.slug for page in method_pages()] == list(METHODS)


def test_a_made_up_method_is_in_the_navigation(made_up: type[Pairs]) -> None:
    """Under its own title, at its own address."""
    at = opened("")
    registered = at._registered_pages.values()
    addresses = [one.get("url_pathname") for one in registered]
    assert [one for one in addresses if one in METHODS] == list(METHODS)
    assert made_up.title in [one.get("page_name") for one in registered]


def test_a_made_up_method_is_among_the_questions_of_the_start_page(made_up: type[Pairs]) -> None:
    """With its question as the link."""
    assert "**Which pairs stand out\\?**" in links(opened(""))


@pytest.mark.parametrize("sample", ["health_survey", "two_hospitals", "cough_and_smoke"])
def test_data_offers_every_method_that_fits(made_up: type[Pairs], sample: str) -> None:
    """From any sample the way leads to all methods, the made-up one among them."""
    data = dataset(sample)
    offered = links(opened("data", data))
    wanted = [page.link for page in method_pages() if not page.method.unfit(data)]
    assert len(wanted) == len(METHODS)
    assert [one.strip("*") for one in offered] == wanted


def test_data_offers_no_method_that_does_not_fit() -> None:
    """One column can be compared with nothing."""
    assert not links(opened("data", dataset("cough_and_smoke").select(["age"])))


def test_a_made_up_method_can_be_run_and_shown(made_up: type[Pairs]) -> None:
    """Settings from its fields, a job, its sentences, network and tables by its own sections, and its files."""
    data = dataset("cough_and_smoke")
    at = opened(made_up.slug, data)
    assert at.title[0].value == made_up.question
    assert "press *Run it*" in text(at)
    next(one for one in at.number_input if one.label == "Bar").set_value(0.01)
    next(one for one in at.button if one.label == "Run it").click()
    finished(at.run())
    expected = made_up(bar=0.01).run(data)
    assert at.session_state["diptych"].analyses[-1].result.to_json() == expected.to_json()
    said = text(at).replace("\\", "")
    assert expected.headline() in said
    assert "The pairs" in said
    assert expected.caution in said
    assert list(at.dataframe[0].value["information"]) == pytest.approx(list(expected.table("Pairs")["information"]))
    buttons = [one.proto.label for one in at.get("download_button")]
    assert {"Pairs", "Summary", "GraphML", "DOT", "Web page, opens offline", "For Diptych, to load"} <= set(buttons)
    assert any("JSON" in one for one in buttons)
    assert "Pairs(bar=0.01)" in "\n".join(one.value for one in at.code)


def test_a_made_up_method_says_why_a_table_does_not_fit(made_up: type[Pairs]) -> None:
    """Its own sentence, and the way to the data page."""
    data = dataset("cough_and_smoke").select(["age"])
    at = opened(made_up.slug, data)
    assert made_up.unfit(data) in text(at).replace("\\", "")
    assert not at.button


@pytest.mark.parametrize("slug", list(METHODS))
def test_every_method_offers_its_live_settings_beside_the_answer(slug: str) -> None:
    """Each with the label of its own field, and none of them a second time in the form."""
    method = METHODS[slug]
    data = dataset("cough_and_smoke")
    at = AppTest.from_file(APP, default_timeout=60)
    session = Session(source="a table.csv", dataset=data, table=data.to_frame())
    session.begin(slug, {})
    at.session_state["diptych"] = session
    at.run()
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
