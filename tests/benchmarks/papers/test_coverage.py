"""The tables of what of every paper is here: three counts, known states, and a reason for all that is absent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.papers.results import every_paper
from engine.methods.registry import METHODS

COVERAGE = Path(__file__).parents[3] / "docs" / "coverage"
COLUMNS = ["Of the paper", "Where in it", "State", "Where here", "Value reached, or why not"]
STATES = {"here", "here in part", "not here"}
LONGEST = 27
"""Words in a cell."""


def rows_of(text: str) -> list[list[str]]:
    """The cells of every line of the one table, its head first."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])]


def test_every_paper_has_its_table() -> None:
    """One for each that was studied, and none of another."""
    assert {file.stem for file in COVERAGE.iterdir()} == {slug for slug in every_paper() if slug in METHODS}


@pytest.mark.parametrize("slug", sorted(file.stem for file in COVERAGE.iterdir()))
def test_a_table_has_its_counts_and_a_reason_for_every_row(slug: str) -> None:
    """Three counts apart, one table, a state of three, and words behind what is not here."""
    text = (COVERAGE / f"{slug}.md").read_text(encoding="utf-8")
    assert text.partition("\n")[0].endswith(": what of the paper is here, and what is not")
    counts = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(counts) == 3
    for line, words in zip(counts, ("own sentences", "figures", "second program"), strict=True):
        assert words in line.lower() and re.search(r"\d|none", line)
    head, *rows = rows_of(text)
    assert head == COLUMNS
    assert len(rows) > 15
    for row in rows:
        assert len(row) == len(COLUMNS) and row[0] and row[1]
        assert row[2] in STATES
        assert row[3] if row[2] == "here" else row[4]
        assert all(len(cell.split()) <= LONGEST for cell in row)
