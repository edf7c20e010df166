"""How long a file and how full a folder may be."""

from __future__ import annotations

from collections import Counter

from tests.floor.tree import ROOT

MOST_LINES, MOST_FILES = 600, 20
HOUSES = ("engine", "dashboard", "sample_data", "tests", "benchmarks")
FILES = [file for house in HOUSES for file in sorted((ROOT / house).rglob("*.py"))]


def test_no_file_passes_600_lines() -> None:
    """A class is one thing in one file; a longer one asks to become a folder."""
    lengths = {str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines()) for file in FILES}
    assert not {name: length for name, length in lengths.items() if length > MOST_LINES}


def test_no_folder_is_flat() -> None:
    """A fuller folder asks for folders inside it."""
    full = Counter(str(file.parent.relative_to(ROOT)) for file in FILES)
    assert not {name: number for name, number in full.items() if number > MOST_FILES}
