"""Files that leave are harmless, under harmless names."""

from __future__ import annotations

import re

import plotly.graph_objects as go
import pytest

from dashboard.views.shared.downloads import figure_page, file_name


@pytest.mark.parametrize("stem", ["../../x", "CON", "a" * 300, "", "Odds & co. €", "x\0y"])
def test_names_are_plain(stem: str) -> None:
    """Whatever the stem, the name has no path, no odd character and a bounded length."""
    assert re.fullmatch(r"diptych-[a-z0-9-]{1,60}\.csv", file_name(stem, "csv"))


def test_a_figure_page_loads_nothing() -> None:
    """The page carries its script and a policy against every request; no element points elsewhere."""
    page = figure_page(go.Figure(go.Bar(x=["a"], y=[1])), "odds").decode()
    assert "default-src 'none'" in page
    assert not re.search(r"<(script|link|img|iframe)[^>]*(src|href)=", page)
