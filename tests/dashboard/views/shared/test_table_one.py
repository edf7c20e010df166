"""Table 1 on the data page: overall, by a group, p on request, small counts hidden."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


def table_one(at: AppTest) -> Any:
    """The table as it is shown."""
    return next(
        frame.value for frame in at.dataframe if " " in frame.value.columns and "Overall" in frame.value.columns
    )


def test_the_data_page_describes_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the guessed arm at once, which a line says and the list changes; p where asked; small counts are hidden."""
    at = data_page()
    assert any("Column guessed: 'arm'" in caption.value.replace("\\", "") for caption in at.caption)
    assert list(table_one(at).columns) == ["variable", " ", "Overall", "placebo", "drug", "SMD"]
    next(box for box in at.selectbox if box.label == "Groups").select(None).run()
    assert list(table_one(at).columns) == ["variable", " ", "Overall"]
    next(box for box in at.selectbox if box.label == "Groups").select("arm").run()
    assert list(table_one(at).columns) == ["variable", " ", "Overall", "placebo", "drug", "SMD"]
    next(box for box in at.toggle if box.label == "p values").set_value(True).run()
    assert list(table_one(at).columns)[-1] == "p"
    assert any("Kruskal" in caption.value for caption in at.caption)
    assert not (table_one(at) == "fewer than 30").any(axis=None)
    monkeypatch.setattr(memory(), "smallest_cell", 30)
    at.run()
    assert not at.exception and (table_one(at) == "fewer than 30").any(axis=None)
