"""Table 1 on the data page: overall, by a group, p on request, small counts hidden."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import dashboard
import engine
from dashboard.server.memory import memory
from dashboard.session.session import Session
from tests.engine.methods.test_table_one import trial

APP = str(Path(dashboard.__file__).parent / "app.py")


def data_page() -> AppTest:
    """The data page with a trial."""
    table = trial(120)
    at = AppTest.from_file(APP, default_timeout=60)
    at.session_state["diptych"] = Session(table=table, dataset=engine.Dataset.from_frame(table), source="trial.csv")
    at.switch_page("app_pages/data.py").run()
    assert not at.exception
    return at


def table_one(at: AppTest) -> tuple[list[str], list[str]]:
    """The headings of the table as it is shown, and its cells."""
    (table,) = (one.proto.body for one in at.get("html") if ">Overall</th>" in one.proto.body)
    heads, cells = (re.findall(rf"<{tag} [^>]*>([^<]*)</{tag}>", table) for tag in ("th", "td"))
    return heads, cells


def test_the_data_page_describes_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the guessed arm at once, which a line says and the list changes; p where asked; small counts are hidden."""
    at = data_page()
    assert any("Column guessed: 'arm'" in caption.value.replace("\\", "") for caption in at.caption)
    assert table_one(at)[0] == ["", "", "Overall", "placebo", "drug", "SMD"]
    next(box for box in at.selectbox if box.label == "Groups").select(None).run()
    assert table_one(at)[0] == ["", "", "Overall"]
    next(box for box in at.selectbox if box.label == "Groups").select("arm").run()
    assert table_one(at)[0] == ["", "", "Overall", "placebo", "drug", "SMD"]
    next(box for box in at.toggle if box.label == "p values").set_value(True).run()
    assert table_one(at)[0][-1] == "p"
    assert any("Kruskal" in caption.value for caption in at.caption)
    assert "fewer than 30" not in table_one(at)[1]
    monkeypatch.setattr(memory(), "smallest_cell", 30)
    at.run()
    assert not at.exception and "fewer than 30" in table_one(at)[1]
