"""The one menu of what can be taken from the page as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.network.compared import difference_title, link_panels, links_of, structure_panels
from dashboard.views.shared.downloads import download, figure_page, file_name
from dashboard.views.shared.exports import WebPage, comparison_python, show_files
from dashboard.views.shared.network_view import places_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dashboard.network.panel import Panel
    from dashboard.views.compare.asked import Asked


def export_menu(asked: Asked) -> None:
    """Tables, the whole, networks, chart and Python behind one button."""
    found = asked.found
    with st.popover("Export", icon=":material/download:", width="content"):
        show_files(found, stem="comparison", pages=_pages(asked))
        if found.test is not None:
            download(
                lambda: figure_page(found.plot(groups=asked.pair)),
                file_name("comparison-links", "html"),
                "text/html",
                "Chart of the links (web page)",
            )
        st.markdown("**Copy as Python**")
        st.code(comparison_python(found), language="python")


def _pages(asked: Asked) -> list[WebPage]:
    """The three networks as a page of their own."""
    found = asked.found
    titles = found.structure().titles() if found.test is None else ()
    if found.test is None and not titles:
        return []
    graph = found.structure().graph(titles[0]) if titles else found.graphs()[difference_title(found, asked.pair)]

    def panels() -> Sequence[Panel]:
        if titles:
            return structure_panels(found, asked.heads(), titles[0])
        return link_panels(found, asked.pair, asked.heads(), links_of(found, asked.pair), None)

    places = dict(places_of(list(found.names), [graph]))
    return [WebPage("Networks (web page)", "comparison-networks", found.headline(), panels, places)]
