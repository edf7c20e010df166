"""d-separation against networkx on a thousand random DAGs."""

from __future__ import annotations

from tests.engine.graphs.test_separation import check_questions


def test_d_separation_equals_networkx_on_a_thousand_graphs() -> None:
    """Decision, paths, open paths and separating sets; both decisions are common."""
    assert 200 < check_questions(range(1000)) < 800
