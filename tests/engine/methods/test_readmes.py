"""Every method folder says what it answers, what it costs, and which file computes which equation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.contract.brings import OURS
from tests.floor.tree import ROOT

TITLES = ("When not to use it", "What it costs", "How it differs from the paper", "Which line computes what")
_ROW = re.compile(r"^\| (.+) \| `([\w/]+\.py)` \| `(\w+)` \|$", re.MULTILINE)


def folder(slug: str) -> Path:
    """Where a method lives."""
    return ROOT / "engine" / "methods" / slug


@pytest.mark.parametrize("slug", OURS)
def test_a_method_folder_has_a_readme_with_all_parts(slug: str) -> None:
    """The answer, the paper and the four parts, and its links lead to files that are there."""
    text = (folder(slug) / "README.md").read_text(encoding="utf-8")
    assert "**Answers:**" in text
    assert "**Paper:**" in text
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == list(TITLES)
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (folder(slug) / link).exists(), link


@pytest.mark.parametrize("slug", OURS)
def test_the_map_of_equations_leads_to_a_name_that_is_there(slug: str) -> None:
    """Each row names a file and a function or class in it."""
    rows = _ROW.findall((folder(slug) / "README.md").read_text(encoding="utf-8"))
    assert len(rows) >= 10
    for what, file, name in rows:
        assert re.search(rf"^\s*(def|class) {name}\b", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), what


@pytest.mark.parametrize("slug", OURS)
def test_the_readme_names_every_file_of_the_folder(slug: str) -> None:
    """In the map or below it, so that nobody wonders what a file is for; `cohort_*.py` stands for several."""
    text = (folder(slug) / "README.md").read_text(encoding="utf-8")
    named = [one.replace("*", r"\w+") for one in re.findall(r"([\w*]+\.py)`", text)]
    files = [file.name for file in folder(slug).glob("*.py") if file.name != "__init__.py"]
    assert not [file for file in files if not any(re.fullmatch(one, file) for one in named)]
