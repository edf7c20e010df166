"""The dashboard's frame: what is shown, and what is not where Streamlit alone has started it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import dashboard
from dashboard.server import guard
from dashboard.server.launcher import configuration

APP = Path(dashboard.__file__).parent / "app.py"


def test_without_our_command_there_is_one_sentence_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """`streamlit run` is neither private nor can it draw networks: it names the command and stops."""
    monkeypatch.setattr(guard, "on_duty", False)
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    assert [one.value for one in at.error] == [
        "Please start Diptych with its own command, `diptych`: only then is it private and draws its networks."
    ]
    assert not at.title and not at.button and not at.sidebar.children
    assert not at.exception


def test_a_guard_says_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the guard of the command before it the same file shows the start page."""
    monkeypatch.setattr(guard, "on_duty", False)
    guard.Guard(lambda *_: None)  # type: ignore[arg-type, return-value]
    at = AppTest.from_file(str(APP), default_timeout=60).run()
    assert not at.error
    assert [one.value for one in at.title] == ["Diptych"]


def test_the_settings_beside_the_app_are_those_of_the_command() -> None:
    """Streamlit reads them where our command did not start it; none says otherwise than the command's."""
    written = tomllib.loads((APP.parent / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    ours = configuration("127.0.0.1", 8501, headless=True)
    for section, values in written.items():
        for name, value in values.items():
            assert ours[f"{section}.{name}"] == value
    assert written["browser"] == {"gatherUsageStats": False}
    assert written["server"]["address"] == "127.0.0.1"
