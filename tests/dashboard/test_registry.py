"""The registry is the only list of methods: a made-up sixth one is found everywhere, and can be run and shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import dashboard
import engine
from dashboard.pages import METHOD_PAGES, method_pages
from dashboard.session.session import Session
from engine.evaluation.trials import every_trial
from engine.methods.method import Method
from engine.methods.registry import METHODS
from sample_data.catalog import dataset
from tests.contract.made_up import ChowLiu
from tests.contract.made_up_truth import CoinsTrial, register
from tests.dashboard.app_pages import running

ROOT = Path(dashboard.__file__).parent
APP = str(ROOT / "app.py")


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> type[Method]:
    """The registry with one method more, which brings a trial and a study."""
    register(monkeypatch)
    return ChowLiu


def opened(page: str, data: engine.Dataset | None = None) -> AppTest:
    """The app on the page of this address, with a data set in the session."""
    at = AppTest.from_file(APP, default_timeout=60)
    session = Session(source="a *table*.csv", dataset=data, table=None if data is None else data.to_frame())
    at.session_state["diptych"] = session
    at._page_hash = calc_hash(page)
    at.run()
    assert not at.exception
    return at


def text(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in [*at.title, *at.markdown, *at.caption, *at.info, *at.error])


def links(at: AppTest) -> list[str]:
    return [one.proto.label for one in at.get("page_link") if one.proto.label != "Help"]


def finished(at: AppTest) -> AppTest:
    for job in list(at.session_state["diptych"].job_queue._jobs.values()):
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


def test_a_made_up_method_is_in_the_navigation(made_up: type[Method]) -> None:
    """Under its own title, at its own address."""
    at = opened("")
    registered = at._registered_pages.values()
    addresses = [one.get("url_pathname") for one in registered]
    assert [one for one in addresses if one in METHODS] == list(METHODS)
    assert made_up.title in [one.get("page_name") for one in registered]


def test_a_made_up_method_is_among_the_questions_of_the_start_page(made_up: type[Method]) -> None:
    """With its question, and a link to its page."""
    at = opened("")
    assert "**Which tree of links is closest to the table\\?**" in [one.value for one in at.markdown]
    assert f"{made_up.title} →" in links(at)


@pytest.mark.parametrize("sample", ["health_survey", "two_hospitals", "cough_and_smoke"])
def test_data_offers_every_method_that_fits(made_up: type[Method], sample: str) -> None:
    """From any sample the way leads to all methods, the made-up one among them."""
    data = dataset(sample)
    offered = links(opened("data", data))
    wanted = [page.link for page in method_pages() if not page.method.unfit(data)]
    assert len(wanted) == len(METHODS)
    assert [one.strip("*") for one in offered] == wanted


def test_data_offers_no_method_that_does_not_fit() -> None:
    """One column can be compared with nothing."""
    assert not links(opened("data", dataset("cough_and_smoke").select(["age"])))


def test_a_made_up_method_can_be_run_and_shown(made_up: type[Method]) -> None:
    """Settings from its fields, a job, its sentences, network and tables by its own sections, and its files."""
    data = dataset("cough_and_smoke")
    at = opened(made_up.slug, data)
    assert at.title[0].value == made_up.question
    assert "press *Run it*" in text(at)
    next(one for one in at.number_input if one.label == "Least information").set_value(0.01)
    next(one for one in at.button if one.label == "Run it").click()
    finished(at.run())
    expected = made_up(least=0.01).run(data)
    assert at.session_state["diptych"].analyses[-1].result.to_json() == expected.to_json()
    said = text(at).replace("\\", "")
    assert expected.headline() in said
    assert "Networks and tables" in said
    assert expected.caution in said
    assert list(at.dataframe[0].value["strength"]) == pytest.approx(list(expected.table("Links")["strength"]))
    buttons = [one.proto.label for one in at.get("download_button")]
    assert {"Links (CSV)", "Pairs (CSV)", "Summary", "GraphML", "DOT", "Web page, opens offline"} <= set(buttons)
    assert any("JSON" in one for one in buttons)
    assert "ChowLiu(least=0.01)" in "\n".join(one.value for one in at.code)


def test_a_made_up_method_says_why_a_table_does_not_fit(made_up: type[Method]) -> None:
    """Its own sentence, and the way to the data page."""
    data = dataset("cough_and_smoke").select(["age"])
    at = opened(made_up.slug, data)
    assert made_up.unfit(data) in text(at).replace("\\", "")
    assert [one.key for one in at.button] == ["session_foot.forget"]


def test_a_made_up_method_can_be_tried_on_its_own_truth(made_up: type[Method]) -> None:
    """Evaluate offers it, draws the forms of its truth and of its settings, and shows what came out."""
    at = running.finished(opened("evaluate"))
    box = at.radio(key="evaluate.try.kind")
    assert box.options == [*(one.title for one in every_trial().values())]
    assert box.options[-1] == CoinsTrial.title
    at = running.finished(box.set_value(made_up.slug).run())
    expected = CoinsTrial().run(made_up(least=0.02))
    said = text(at).replace("\\", "")
    assert all(
        one in said for one in (CoinsTrial.story, expected.headline(), expected.called_sentence(), expected.remark)
    )
    truth, method = (f"evaluate.try.chow_liu.{one}" for one in ("truth", "method"))
    assert at.selectbox(key=f"{truth}.side").options == ["Both", "Only heads"]
    assert at.number_input(key=f"{method}.least").value == 0.02
    assert at.selectbox(key="evaluate.try.chow_liu.second").options == ["The same for all", "nothing"]
    assert "CoinsTrial()" in at.code[0].value
    at.number_input(key=f"{truth}.rows").set_value(50)
    at.selectbox(key="evaluate.try.chow_liu.second").set_value("constant")
    next(one for one in at.button if one.label == "Draw and look").click()
    at = running.finished(at.run())
    again = CoinsTrial(rows=50).run(made_up(least=0.02), "constant")
    assert again.headline() in text(at).replace("\\", "")
    table = next(one.value for one in at.dataframe if "couple" in one.value)
    assert table["constant"].tolist() == [1, 1, 1]


def test_page_and_report_ask_the_same_question() -> None:
    """A reader who comes from the page finds its question above the answer in the report."""
    assert {slug: page.question for slug, page in METHOD_PAGES.items()} == {
        slug: METHODS[slug].question for slug in METHOD_PAGES
    }
