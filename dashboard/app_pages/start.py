"""Start: what Diptych answers, a worked example, sample tables, and where the data live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.charts.group_difference import differences_alt, differences_figure
from dashboard.pages import address, method_pages
from dashboard.server.memory import memory
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.data.samples import open_sample, page_of, sample_shape
from dashboard.views.shared.downloads import download, draw_figure, figure_page, file_name
from dashboard.views.shared.page_parts import how_large, in_rows
from sample_data.catalog import CATALOG, Sample
from sample_data.worked_example import EXAMPLE, stored_answer

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from engine.methods.group_difference.result import GroupDifferenceResult


def show_questions() -> None:
    """A line a question, each a link to its page."""
    for page in method_pages():
        with st.container(gap=None):
            st.page_link(address(page), label=f"**{plain(page.question)}**", icon=":material/arrow_forward:")
            st.caption(plain(f"{page.detail} {page.paper}"))
    with st.container(gap=None):
        words = "Would a method have found the truth?"
        st.page_link("app_pages/evaluate.py", label=f"**{words}**", icon=":material/arrow_forward:")
        st.caption("Try it on made-up tables; see the papers' tables beside ours; bring your own truth.")


def show_samples(across: int = 3) -> None:
    """A card a sample table, with a button that opens it where its question is answered."""
    samples = list(CATALOG.values())
    for row in in_rows(samples, across):
        for place, sample in zip(st.columns(across), row, strict=False):
            with place, st.container(border=True, height="stretch", vertical_alignment="distribute", gap="small"):
                _card(sample)


def _card(sample: Sample) -> None:
    rows, columns = sample_shape(sample.key)
    page = page_of(sample)
    with st.container(gap="xsmall"):
        st.markdown(f"**{sample.title}** :gray[:small[{rows:,} rows × {columns} columns]]")
        st.markdown(f":small[{sample.story}]")
        st.markdown(f":small[**To find out:** {sample.question}]")
        if sample.source:
            st.markdown(f":gray[:small[{sample.source}]]")
    label = "Open" if page is not None else "Open the table"
    if st.button(label, key=widget_key("start", "open", sample.key), icon=":material/folder_open:"):
        open_sample(sample.key)
        st.switch_page("app_pages/data.py" if page is None else address(page))


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
    draw_figure(
        figure, "worked-example", key=widget_key("start", "figure"), alt=differences_alt(variables, margin), bare=True
    )
    st.caption(
        f"{len(variables)} of {len(result.names)} variables. A bar is the probability that a variable differs between "
        "the hospitals, averaged over all networks."
    )
    return figure


st.title("Compare two networks learned from one table")
questions, example = st.columns([5, 8], gap="large")
with questions:
    st.markdown("#### What you can ask")
    show_questions()
    with st.container(gap=None):
        st.page_link("app_pages/data.py", label="**Open your own table**", icon=":material/upload_file:")
        st.caption(
            f"CSV, Excel, Parquet, SPSS or Stata; {how_large()}. It stays in the memory of the computer that runs "
            f"Diptych, is sent nowhere, and is gone {memory().minutes} after you close the last tab."
        )
answer = example.container(border=True)
st.subheader("Sample tables")
show_samples()
with answer:
    show_example()
