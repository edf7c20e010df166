"""What a page shows before there is a table: its question answered for a sample, and the ways on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.network.panel import strongest_links
from dashboard.pages import COMPARE, address, method_pages
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.shared.neighbourhood import is_wide
from dashboard.views.shared.network_view import network_view, positions_of
from dashboard.views.shared.page_parts import page_head, show_sentence
from dashboard.views.shared.sections import result_panels
from sample_data.worked_examples import example_of, stored_answer

if TYPE_CHECKING:
    from dashboard.network.panel import Panel
    from dashboard.pages import MethodPage
    from dashboard.session.caches import Point

FEW = 12
"""Variables of one network up to which picture and story stand side by side on a small screen."""
MOST_LINKS = 12
"""Links of a wide network that are drawn."""
PICTURE, LOW = 420, 360
"""Pixels of the network's height, and of two of them, which stand above the story on a small screen."""
ROOM = 620.0
"""Pixels that the networks share side by side."""


Picture = Callable[[Any], tuple[list["Panel"], "Mapping[str, Point]", Mapping[str, str]]]
"""What a page draws first of an answer: panels, where their boxes stand, and what the legend says."""


def show_example(page: MethodPage, note: str = "", picture: Picture | None = None) -> None:
    """The sample's answer with its network, beside it the story, the way to it and to a table of one's own."""
    sample = example_of(page.slug)
    result = None if sample is None else stored_answer(page.slug)
    if sample is None or result is None:
        st.title(page.method.question)
        _own_table(page, "primary")
        return
    with page_head(page.slug, page.title, f"worked example: {sample.title}"):
        pass
    show_sentence(page.slug, result.headline(), next(iter(result.sentences()), ""))
    graphs = list(result.searched_graphs().values())[:2]
    words: Mapping[str, str] = {
        status: f"only in {name}" for status, name in zip(("only_a", "only_b"), result.graphs(), strict=False)
    }
    places: Mapping[str, Point] = {}
    if picture is not None:
        panels, places, words = picture(result)
    else:
        panels = result_panels(result)
        panels = panels[-1:] if page.slug == COMPARE.slug else panels[: len(graphs)]  # of a comparison the difference
    crowded = "crowded" if len(panels) > 1 or len(result.names) > FEW else "roomy"
    with st.container(key=widget_key(crowded, page.slug, "example")):
        left, right = st.columns([3, 2], gap="small")
    with left.container(border=True, height="stretch"):
        names = list(dict.fromkeys(node.name for panel in panels for node in panel.nodes))
        if is_wide(names):
            panels = [strongest_links(panels, result.edges().dropna(subset="strength"), MOST_LINKS)]
            names = [node.name for node in panels[0].nodes]
        positions = dict(places) or positions_of(names, graphs, room=ROOM / len(panels))
        key = widget_key(page.slug, "example")
        height = LOW if len(panels) > 1 else PICTURE
        network_view(panels, positions, key, words=words, small=True, height=height, scope="app")
    with right.container(border=True, height="stretch", gap="small"):
        st.markdown(f"**{plain(page.question)}**")
        with st.container(horizontal=True):  # before the story, so that a small screen shows them
            if _is_wanted(page):
                session().wanted = sample.key  # opened by the frame, which may know how tables are prepared
                opened = next((item for item in method_pages() if item.method.__name__ == sample.method), page)
                st.switch_page(address(opened))
            _own_table(page)
        st.markdown(f"{plain(sample.story)} {plain(sample.question)} {note}")


def _is_wanted(page: MethodPage) -> bool:
    """Whether the example is to be opened; where it would take the place of a table, only once that is agreed to."""
    source, key = session().source, widget_key(page.slug, "try")
    if session().table is None and session().dataset is None:
        return st.button("Try this example", type="primary", key=key)
    with st.popover("Try this example"):
        st.markdown(f"It closes {plain(short(source, 40))} and its steps. Results so far stay.")
        return st.button("Close it and open the example", key=key)


def _own_table(page: MethodPage, kind: str = "secondary") -> None:
    if st.button("Use my own table", key=widget_key(page.slug, "own"), type=kind):  # type: ignore[arg-type]
        st.switch_page("app_pages/data.py")
