"""Widgets' keys and values are made and read in one file."""

from __future__ import annotations

import re

from tests.floor.tree import ROOT

FILES = [file for file in sorted((ROOT / "dashboard").rglob("*.py")) if file.parent.name != "session"]


def test_no_file_but_one_spells_a_key() -> None:
    """A key is made by `widget_key`, so that who reads it and who draws it cannot disagree."""
    spelt = re.compile(r"""\bkey ?= ?f?["']""")
    wrong = {
        f"{file.relative_to(ROOT)}:{number}"
        for file in FILES
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if spelt.search(line)
    }
    assert not wrong


def test_only_the_session_touches_streamlits_state() -> None:
    """Values of widgets are read and set through `dashboard.session.keys`."""
    assert not [str(file.relative_to(ROOT)) for file in FILES if "session_state" in file.read_text(encoding="utf-8")]
