"""The papers: a link to every study of the guide."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from dashboard.guide import contents, page_files
from dashboard.views.evaluate.papers import STUDIES
from tests.dashboard.app_pages.running import finished
from tests.dashboard.test_registry import APP


def test_every_study_has_its_link() -> None:
    """In the order of the guide; each leads to a page that is there."""
    at = AppTest.from_file(APP, default_timeout=60)
    at.session_state["evaluate.view"] = "The papers"
    at.switch_page("app_pages/evaluate.py")
    finished(at.run())
    assert not at.exception
    links = [link.proto for link in at.main.get("page_link")]
    studies = {page: title for section in STUDIES for page, title in contents()[section].items()}
    assert [link.label for link in links if "study" in link.query_string] == [
        title for page, title in studies.items() if "study" in page
    ]
    assert set(studies) <= set(page_files()) and len(studies) >= 10
