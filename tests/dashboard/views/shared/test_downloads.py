"""Files that leave are harmless, under harmless names."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import plotly.graph_objects as go
import pytest

from dashboard import views as views_package
from dashboard.views.shared.downloads import figure_page, file_name, with_probabilities


@pytest.mark.parametrize("stem", ["../../x", "CON", "a" * 300, "", "Odds & co. €", "x\0y"])
def test_names_are_plain(stem: str) -> None:
    """Whatever the stem, the name has no path, no odd character and a bounded length."""
    assert re.fullmatch(r"diptych-[a-z0-9-]{1,60}\.csv", file_name(stem, "csv"))


def test_a_figure_page_loads_nothing() -> None:
    """The page carries its script and a policy against every request; no element points elsewhere."""
    page = figure_page(go.Figure(go.Bar(x=["a"], y=[1])), "odds").decode()
    assert "default-src 'none'" in page
    assert not re.search(r"<(script|link|img|iframe)[^>]*(src|href)=", page)


def test_a_tests_p_is_no_probability() -> None:
    """Beside each other in a table: percent of a statement's probability alone."""
    table = pd.DataFrame({"P(link)": [0.034], "p": [0.034]})
    html = with_probabilities(table, ["P(link)"], p_values=["p"]).to_html()
    assert ">3.4\u00a0%<" in html and ">.034<" in html


def test_no_table_of_a_page_writes_a_tests_p_in_percent() -> None:
    """What a page hands over as probabilities is never called p."""
    views = Path(views_package.__file__).parent
    given = [
        text for file in views.rglob("*.py") for text in re.findall(r"probabilities=([^,\n]+)", file.read_text("utf-8"))
    ]
    assert given and not [text for text in given if re.search(r"\bp\b|\bP\b|p,", text)]
