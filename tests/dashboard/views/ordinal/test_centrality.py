"""How central items are: the plot beside the picture, case dropping by one press, and two items against each other."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.views.ordinal.side_panel import measures_shown
from engine.methods.ordinal.method import Ordinal
from engine.telling.ordinal.wording import difference_words
from tests.dashboard.app_pages.thorough.test_ordinal import opened, table, text


@pytest.fixture(scope="module")
def page() -> AppTest:
    """Whose closer look is at centrality."""
    return opened(table(), state={"view": "Centrality"}, approach="gpc")


def test_a_bridge_needs_two_scales() -> None:
    """Otherwise it is no choice."""
    data, method = table(), Ordinal(approach="gpc")
    assert list(measures_shown(method.partial_network(data, {}))) == ["expected_influence"]
    two = {name: name[0] for name in data.names}
    assert "bridge_expected_influence" in measures_shown(method.partial_network(data, two))


def test_every_measure_is_plotted_with_what_it_is(page: AppTest) -> None:
    """One sentence below each; the scales are those of the page, which begins with the links."""
    assert page.session_state["ordinal.beside"] == "links"
    for name, begins in (
        ("expected_influence", "Expected influence: "),
        ("links", "10 pairs"),
        ("bridge_expected_influence", "Bridge expected influence: "),
    ):
        page.session_state["ordinal.beside"] = name
        page.run()
        assert not page.exception
        assert any(one.value.replace("\\", "").startswith(begins) for one in page.caption)


def test_two_items_are_compared_by_a_sentence(page: AppTest) -> None:
    """The engine's, for the measure and the two that are chosen; an item is not compared with itself."""
    lines = engine.Ordinal(approach="gpc").run(table()).lines
    assert lines is not None
    page.selectbox(key="ordinal.difference.measure").set_value("strength")
    page.selectbox(key="ordinal.difference.first").set_value("b_joy")
    page.run()
    assert "b_joy" not in page.selectbox(key="ordinal.difference.second").options
    page.selectbox(key="ordinal.difference.second").set_value("a_pain")
    page.run()
    said = difference_words(lines, "strength", "b_joy", "a_pain").replace(" %", "\u00a0%")
    assert said in text(page).replace("\\", "")
