"""The start page: an answer on screen before anything was chosen, honest questions, samples that open."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import dashboard
from dashboard.pages import METHOD_PAGES, method_pages
from dashboard.session.session import Session
from dashboard.text import plain
from dashboard.views.data.samples import FOR_PRACTICE, page_of, sample_choices, sample_dictionary
from engine import Dataset
from sample_data.catalog import CATALOG, load
from sample_data.worked_examples import EXAMPLE, example_of, first_answer, stored_answer

ROOT = Path(dashboard.__file__).parent
APP = str(ROOT / "app.py")


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_file(APP, default_timeout=60).run()


def held(app: AppTest) -> Session:
    state: Session = app.session_state["diptych"]
    return state


def sample_dataset(key: str) -> Dataset:
    """A sample, prepared as its dictionary says."""
    table, dictionary = load(key), sample_dictionary(key)
    choices = dictionary.choices(table.columns)[0] if dictionary is not None else {}
    return Dataset.from_frame(table, **choices, **sample_choices(key))


def words(app: AppTest) -> str:
    return "\n".join(one.value for kind in ("title", "markdown", "caption", "subheader") for one in getattr(app, kind))


def test_a_fresh_start_brings_an_answer(app: AppTest) -> None:
    """Nothing was pressed and nothing is computed, yet the worked example is said in a sentence and drawn."""
    assert not app.exception
    said = words(app).replace("\\", "")
    assert "Lactate is higher in South where admission = night, shock = yes: median 4.1 (IQR 3.5 to 5.5) v 1.9 " in said
    assert "mmol/L." in said and CATALOG[EXAMPLE].key == "sepsis"
    alts = [text for page in app.get("html") for text in re.findall("<img alt='([^']*)'", page.proto.body)]
    small = [page for page in method_pages() if page.picture]  # they stand beside their question
    assert [bool(text) for text in alts] == [True, *[False for _ in small]]
    assert first_answer().headline() in html.unescape(alts[0])
    assert held(app).table is None
    assert not held(app).job_queue._jobs


def test_questions_are_links(app: AppTest) -> None:
    """All methods; each page that is named exists, and beside the way to the guide nothing else poses as a link."""
    built = method_pages()
    assert all((ROOT / page.file).exists() for page in built)
    links = [link.proto.label for link in app.get("page_link")]
    assert sorted(links) == sorted(["Help", *(f"{page.title} →" for page in built)])
    assert all(f"**{plain(page.question)}**" in words(app) for page in built)


def test_the_page_says_where_the_data_live(app: AppTest) -> None:
    """Memory only, nothing sent, gone with the tab; and the limits stand before any upload."""
    said = words(app)
    assert "sent nowhere else" in said
    assert "200\N{NO-BREAK SPACE}MB" in said


def test_cards_of_tables_of_others_say_whose_they_are(app: AppTest) -> None:
    """Whom to cite and the licence, beside what each table is about."""
    said = words(app)
    assert all(sample.source in said for sample in CATALOG.values())
    assert said.count("CC-BY 4.0") == 2
    labels = [button.label for button in app.button]
    assert all(
        any(label.startswith(f"{sample.title} ") for label in labels)
        for sample in CATALOG.values()
        if sample.key != EXAMPLE
    )


@pytest.mark.usefixtures("background")
def test_open_it_whole_goes_to_the_answer(app: AppTest) -> None:
    """One press: table, prepared data, settings, the page, and the comparison under way."""
    app.button(key=f"start.open.{EXAMPLE}").click().run()
    (comparison,) = list(held(app).job_queue._jobs.values())[:1]
    assert comparison.wait(60)  # what runs behind it begins once it is shown
    app.run()
    assert not app.exception
    assert "groups" in app.title[0].value or "lactate" in app.title[0].value
    state = held(app)
    assert state.dataset is not None
    assert state.dataset.fingerprint == sample_dataset(EXAMPLE).fingerprint
    assert state.page("group_difference").settings["group"] == "hospital"
    assert {len(key) for key in state.job_queue._jobs} == {4, 5, 6}, "the comparison, and the two that run behind it"


def test_the_export_for_practice_opens_as_it_comes() -> None:
    """Its dictionary would settle what the reader is to find out."""
    assert {"clinic_export"} == FOR_PRACTICE
    assert page_of(CATALOG["clinic_export"]) is None


def test_every_page_of_our_own_has_an_example() -> None:
    """Nobody comes to one and finds nothing."""
    assert all(example_of(slug) is not None and stored_answer(slug) is not None for slug in (*METHOD_PAGES, "compare"))
