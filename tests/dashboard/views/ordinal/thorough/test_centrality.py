"""How central items are, by dropping cases."""

from __future__ import annotations

from tests.dashboard.app_pages.thorough.test_ordinal import opened, press, table, text


def test_dropping_cases_says_how_stable_the_order_is() -> None:
    """By one press, which is then gone; a sentence has the coefficient, a chart the curve."""
    at = opened(table(), state={"view": "Centrality"}, approach="gpc")
    assert "correlation-stability" not in text(at).replace("\\", "")
    charts = len(at.get("plotly_chart"))
    at = press(at, "Run case-dropping")
    assert "correlation-stability coefficient" in text(at).replace("\\", "")
    assert "Run case-dropping" not in [one.label for one in at.button]
    assert len(at.get("plotly_chart")) == charts + 1
