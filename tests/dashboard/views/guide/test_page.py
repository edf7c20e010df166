"""The guide on screen: a page beside the list, hostile addresses, and the way to it from other pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import dashboard
from dashboard.server import guard
from dashboard.views.guide.page import followed_page

FOLDER = Path(dashboard.__file__).parent


@pytest.fixture(autouse=True)
def guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """As our own command starts it."""
    monkeypatch.setattr(guard, "on_duty", True)


def opened(file: str, page: str = "") -> AppTest:
    """A page of the program in its frame."""
    at = AppTest.from_file(str(FOLDER / "app.py"), default_timeout=60).switch_page(f"app_pages/{file}.py")
    if page:
        at.query_params["page"] = page
    return at.run()


def said(at: AppTest) -> str:
    """All texts."""
    return "\n".join(str(item.value) for item in at.markdown)


@pytest.mark.parametrize("page", ["", "../../pyproject.toml", "/etc/passwd", "<script>"])
def test_an_address_to_nowhere_shows_the_first_page(page: str) -> None:
    """Only files of the guide are shown, whatever the address says."""
    at = opened("guide", page)
    assert not at.exception
    assert said(at).startswith("# My first table")
    assert [item.value.startswith("The guide has no page") for item in at.warning] == [True] * bool(page)


def test_a_page_leads_on_within_the_program() -> None:
    """Its text, links to other pages as addresses of the program, pictures beside texts, and recipes as text."""
    at = opened("guide", "group-difference")
    assert not at.exception
    assert "# Group differences" in said(at)
    assert "(guide?page=calibration)" in said(at)
    assert any("data:image/png" in str(item.value) for item in at.get("html"))
    assert "proxy_pass" in said(opened("guide", "serve/nginx.conf"))


@pytest.mark.parametrize("raw", [None, "x", {}, {"page": 3}, {"page": "../x"}])
def test_only_pages_of_the_guide_are_followed(raw: object) -> None:
    """What a browser sends is believed only where it names a page."""
    assert followed_page(raw) == ""


@pytest.mark.parametrize(("file", "part"), [("start", "first-table"), ("data", "data"), ("log_linear", "log-linear")])
def test_every_page_leads_to_its_part(file: str, part: str) -> None:
    """In the frame, so that no page is without."""
    links = [link.proto for link in opened(file).get("page_link") if link.proto.label == "Help"]
    assert [link.query_string for link in links] == [f"page={part}"]
