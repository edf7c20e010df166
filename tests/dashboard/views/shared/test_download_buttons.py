"""What the download buttons hand over, read from the buttons themselves."""

from __future__ import annotations

import csv
import io
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from dashboard.session.session import Session
from dashboard.views.shared import downloads

DANGEROUS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "plain"]


@pytest.fixture
def buttons(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Every download button that is drawn, with its label and content."""
    drawn: list[dict[str, Any]] = []

    def button(label: str, content: Any, **rest: Any) -> None:
        drawn.append({"label": label, "content": content() if callable(content) else content, **rest})

    monkeypatch.setattr(downloads.st, "download_button", button)
    return drawn


def rows_of(content: bytes) -> list[list[str]]:
    """A CSV file as a spreadsheet reads it, its mark taken off."""
    assert content.startswith(b"\xef\xbb\xbf")  # else a spreadsheet reads UTF-8 as something else
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def test_a_table_leaves_with_its_mark_and_without_formulas(buttons: list[dict[str, Any]]) -> None:
    """The bytes of the button: UTF-8 with the mark, no cell and no heading that a spreadsheet would run."""
    frame = pd.DataFrame({"=name": DANGEROUS, "Größe": [1.5] * 6}, index=pd.Index([f"={i}" for i in range(6)]))
    downloads.download_table(frame, "The Table")
    (one,) = buttons
    heading, *rows = rows_of(one["content"])
    assert len(rows) == 6
    assert heading[1] == "Größe"
    assert rows[5] == ["plain", "1.5"]
    for cell in (heading[0], *(row[0] for row in rows)):
        assert cell[:1] not in ("=", "+", "-", "@", "\t")
    assert (one["file_name"], one["mime"]) == ("diptych-the-table.csv", "text/csv")


def test_a_button_says_that_its_file_is_csv_or_excel(buttons: list[dict[str, Any]]) -> None:
    """Once, in words beside its own; other files are called what they were called."""
    for name, label in (("a.csv", "Links"), ("a.csv", "Links (CSV)"), ("a.xlsx", "Sheets"), ("a.html", "Page")):
        downloads.download(b"", name, "text/plain", label)
    downloads.download_table(pd.DataFrame({"a": [1]}), "x")
    labels = [button["label"] for button in buttons]
    assert labels == ["Links (CSV)", "Links (CSV)", "Sheets (Excel)", "Page", "CSV"]


def test_the_index_is_written_where_it_is_asked_for(buttons: list[dict[str, Any]]) -> None:
    """`index=True` puts the names of the rows in front."""
    frame = pd.DataFrame({"odds": [1, 2]}, index=pd.Index(["age", "sex"], name="variable"))
    downloads.download_table(frame, "x", index=True)
    downloads.download_table(frame, "y")
    assert rows_of(buttons[0]["content"]) == [["variable", "odds"], ["age", "1"], ["sex", "2"]]
    assert rows_of(buttons[1]["content"]) == [["odds"], ["1"], ["2"]]


def test_a_download_does_not_run_the_page_again(buttons: list[dict[str, Any]]) -> None:
    """Every button is told to leave the page alone, and no two have one key."""
    downloads.download_table(pd.DataFrame({"a": [1]}), "x")
    downloads.download(b"x", "y.txt", "text/plain", "Y")
    assert [one["on_click"] for one in buttons] == ["ignore", "ignore"]
    assert len({one["key"] for one in buttons}) == 2


def test_a_figures_page_may_send_nothing_anywhere() -> None:
    """The policy forbids requests, forms and another base; the figure is in the page."""
    page = downloads.figure_page(go.Figure(go.Bar(x=["ä"], y=[1])), "odds").decode("utf-8")
    policy = page.split('http-equiv="Content-Security-Policy" content="')[1].split('"')[0]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";") if rule.strip())
    assert rules["default-src"] == rules["form-action"] == rules["base-uri"] == "'none'"
    assert "http" not in policy
    assert page.startswith("<!doctype html>")


def test_figures_leave_by_the_menu_as_pages_and_with_their_tables(
    buttons: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A figure has no bar of tools and no button; the menu has its page, which saves it as SVG, and its table."""
    drawn: list[dict[str, Any]] = []
    state = Session()
    monkeypatch.setattr(downloads, "session", lambda: state)
    monkeypatch.setattr(downloads.st, "plotly_chart", lambda figure, **rest: drawn.append(rest) or "shown")
    figure = go.Figure(go.Bar(x=["a"], y=[1]))
    shown = downloads.show_figure(figure, "Odds", alt="bars", key="k", table=pd.DataFrame({"a": [1]}))
    assert shown == "shown"
    assert (drawn[0]["key"], drawn[0]["alt"], drawn[0]["config"]["displayModeBar"]) == ("k", "bars", False)
    downloads.show_figure(figure, "other", alt="bars", key="l")
    assert not buttons
    downloads.download_pictures()
    names = ["diptych-odds.html", "diptych-odds.csv", "diptych-other.html"]
    assert [one["file_name"] for one in buttons] == names
    page = buttons[0]["content"].decode("utf-8")
    assert len(page) > 1_000_000  # Plotly's script is in it
    assert page.count("<html") == 1
    assert '"displaylogo": false' in page and '"format": "svg"' in page and "diptych-odds" in page
    assert rows_of(buttons[1]["content"]) == [["a"], ["1"]]
    state.go("another page")
    downloads.download_pictures()
    assert len(buttons) == len(names)


def test_bytes_of_a_table_have_no_index_unless_asked() -> None:
    """As every exported table wants it."""
    frame = pd.DataFrame({"a": [1]}, index=pd.Index(["row"], name="name"))
    assert rows_of(downloads.csv_bytes(frame)) == [["a"], ["1"]]
    assert rows_of(downloads.csv_bytes(frame, True)) == [["name", "a"], ["row", "1"]]
