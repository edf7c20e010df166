"""The start page's cards: the questions Diptych answers, and the sample tables."""

from __future__ import annotations

import streamlit as st

from dashboard.pages import address, method_pages
from dashboard.session.keys import widget_key
from dashboard.text import plain
from dashboard.views.data.samples import open_sample, page_of, sample_shape
from dashboard.views.shared.grid import in_rows
from sample_data.catalog import CATALOG, Sample


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
