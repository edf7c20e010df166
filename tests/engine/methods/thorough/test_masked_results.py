"""With 0 nothing of a whole result is hidden."""

from __future__ import annotations

from engine.methods.masked import Masked
from tests.engine.project.report.answers import KINDS, answer


def test_with_0_nothing_is_hidden() -> None:
    """No cell, no sentence, no table."""
    for kind in KINDS:
        shown = Masked(answer(kind))
        assert not any(len(one) for one in shown.cells.values())
        assert all(shown.shows(title) for title in answer(kind).table_titles())
        assert shown.publishable(["3 rows."]) == ["3 rows."]
