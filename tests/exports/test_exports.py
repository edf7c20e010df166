"""Exports of programs are read right, or what is open is asked: never silently wrong."""

from __future__ import annotations

import pytest

from engine.data.preparing.deciding.joined import MOST_CARDS
from tests.exports.reading import Export, every_export, judge

EXPORTS = list(every_export())
FIRST = {export.program: export for export in reversed(EXPORTS)}


def check(export: Export) -> None:
    """Nothing is wrong, and it takes few cards and presses."""
    verdict = judge(export)
    assert not verdict.wrong
    assert verdict.cards <= MOST_CARDS
    assert verdict.presses <= export.presses
    assert not verdict.refused or "save" in verdict.refused.casefold()


@pytest.mark.parametrize("program", FIRST)
def test_a_plain_export_of_each_program(program: str) -> None:
    """The first switch of each; the others are tried beside the long tests."""
    check(FIRST[program])


def test_there_are_switches_enough() -> None:
    """So many that a rule for one file would not do."""
    assert len(EXPORTS) >= 40
    assert sum(len(export.columns) for export in EXPORTS) >= 600
