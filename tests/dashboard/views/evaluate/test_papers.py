"""The papers: what each claims, what came out, and a link to every study of the guide."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from dashboard.guide import contents, findings, page_files
from dashboard.views.evaluate.papers import HEADS, STUDIES, VERDICTS
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
    methods = [link.label for link in links if "study" in link.query_string]
    assert methods == ["Group differences", "One patient", "Associations", "Class networks", "Ordinal networks"]
    shown = [one.value for one in at.main.markdown]
    for page in (page for page in studies if "study" in page):
        file = page_files()[page].read_text(encoding="utf-8")
        for head in HEADS:
            said = file.split(f"**{head}:** ")[1].split("\n")[0]
            assert len([text for text in shown if text.endswith(f"{said}]")]) == 1, "as the study says it"
    papers = list(contents()[STUDIES[2]].values())
    assert [text.partition(":** ")[0] for text in shown if text.startswith(":small[**") and ":** " in text] == [
        f":small[**{paper}" for paper in papers
    ]
    verdicts = [findings(page)["What came out"].removeprefix("**")[0] for page in contents()[STUDIES[0]]]
    assert set(verdicts) <= {"●", "◐", "○"} <= set(VERDICTS), "each claim has its verdict, as a sign with its word"
    assert verdicts.count("●") == 1 and verdicts.count("◐") == 4 == len(verdicts) - 1, "as the title counts them"
    assert at.title[0].value == "Five papers: one main claim is reproduced, four in part"
    assert set(studies) <= set(page_files()) and len(studies) >= 10
