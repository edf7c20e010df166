"""The worked example on the start page: an answer that is on screen before anything was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.differences import alt_text, differences_figure
from dashboard.pages import address
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.data.samples import open_sample, page_of, sample_dataset
from dashboard.views.shared.downloads import download, figure_config, figure_page, file_name
from dashboard.views.shared.running import await_job
from engine.methods.group_difference.method import GroupDifference
from sample_data.catalog import CATALOG

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from dashboard.jobs.runner import Job
    from engine.methods.group_difference.result import GroupDifferenceResult

EXAMPLE = "two_hospitals"
SHOWN = 8


def example_job() -> Job:
    """The comparison of the two hospitals, computed once a session."""
    return session().desk.run(GroupDifference(**_settings()), sample_dataset(EXAMPLE))


def _settings() -> dict[str, Any]:
    return dict(CATALOG[EXAMPLE].settings)


def show_example() -> None:
    """The example's question, its answer in a sentence, and the strongest odds."""
    sample = CATALOG[EXAMPLE]
    st.markdown(f"**A worked example: {sample.title}**  \n{sample.question}")
    result = await_job(example_job())
    figure = None if result is None else show_answer(result)
    with st.container(horizontal=True):
        if st.button(
            "Open it whole", icon=":material/open_in_full:", type="primary", key=widget_key("start", "example")
        ):
            open_sample(EXAMPLE)
            page = page_of(sample)
            st.switch_page("app_pages/data.py" if page is None else address(page))
        if figure is not None:
            download(
                lambda: figure_page(figure), file_name("worked-example", "html"), "text/html", "Picture (web page)"
            )


def show_answer(result: GroupDifferenceResult) -> go.Figure:
    """One sentence, then the bars, then how to read them; returns the picture."""
    st.markdown(f"#### {plain(result.headline())}")
    shown = result.variables().head(SHOWN)
    figure = differences_figure(shown, result.method.margin, result.method.chance)
    st.plotly_chart(
        figure, key=widget_key("start", "figure"), alt=alt_text(shown), config=figure_config("worked-example")
    )
    st.caption(
        f"{len(shown)} of {len(result.names)}. To the right of 0 the data speak for a difference, given what the "
        "variable depends on; the dot is the variable on its own, the grey band what shuffled tables show."
    )
    return figure
