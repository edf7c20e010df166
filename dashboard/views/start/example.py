"""The worked example on the start page: an answer that is on screen before anything was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.charts.differences import alt_text, differences_figure
from dashboard.pages import address
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.data.samples import open_sample, page_of
from dashboard.views.shared.downloads import download, draw_figure, figure_page, file_name
from sample_data.catalog import CATALOG
from sample_data.worked_example import EXAMPLE, stored_answer

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from engine.methods.group_difference.result import GroupDifferenceResult

MOST_BARS = 8


def show_example() -> None:
    """The example's question, its answer in a sentence, and P(differs) of its variables."""
    sample = CATALOG[EXAMPLE]
    st.markdown(f"**A worked example: {sample.title}**  \n{sample.question}")
    figure = show_answer(stored_answer())
    with st.container(horizontal=True):
        if st.button(
            "Open it whole", icon=":material/open_in_full:", type="primary", key=widget_key("start", "example")
        ):
            open_sample(EXAMPLE)
            page = page_of(sample)
            st.switch_page("app_pages/data.py" if page is None else address(page))
        download(lambda: figure_page(figure), file_name("worked-example", "html"), "text/html", "Picture (web page)")


def show_answer(result: GroupDifferenceResult) -> go.Figure:
    """One sentence, then the bars, then how to read them; returns the picture."""
    st.markdown(f"#### {plain(result.headline())}")
    variables = result.variables().head(MOST_BARS)
    margin = result.method.margin
    figure = session().figures.of(differences_figure, variables, margin, result.labels)
    draw_figure(figure, "worked-example", key=widget_key("start", "figure"), alt=alt_text(variables, margin), bare=True)
    st.caption(
        f"{len(variables)} of {len(result.names)} variables. A bar is the probability that a variable differs between "
        "the hospitals, averaged over all networks."
    )
    return figure
