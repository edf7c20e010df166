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
    from dashboard.views.compare.request import ComparisonRequest


def export_menu(request: ComparisonRequest) -> None:
    """Tables, the whole, networks, chart and Python behind one button."""
    result = request.result
    with st.popover("Export", icon=":material/download:", width="content"):
        show_files(result, stem="comparison", pages=_pages(request))
        if result.test is not None:
            download(
                lambda: figure_page(result.plot(groups=request.pair)),
                file_name("comparison-links", "html"),
                "text/html",
                "Chart of the links (web page)",
            )
        st.markdown("**Copy as Python**")
        st.code(comparison_python(result), language="python")


def _pages(request: ComparisonRequest) -> list[WebPage]:
    """The three networks as a page of their own."""
    result = request.result
    titles = result.structure().titles() if result.test is None else ()
    if result.test is None and not titles:
        return []
    graph = result.structure().graph(titles[0]) if titles else result.graphs()[difference_title(result, request.pair)]

    def panels() -> Sequence[Panel]:
        if titles:
            return structure_panels(result, request.heads(), titles[0])
        return link_panels(result, request.pair, request.heads(), links_of(result, request.pair), None)

    positions = dict(places_of(list(result.names), [graph]))
    return [WebPage("Networks (web page)", "comparison-networks", result.headline(), panels, positions)]
