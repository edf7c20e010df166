"""What a page shows before there is a table: its question, and an example to try."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.pages import address
from dashboard.session.keys import widget_key
from dashboard.text import plain
from sample_data.catalog import CATALOG

if TYPE_CHECKING:
    from dashboard.pages import MethodPage


def show_example(page: MethodPage) -> None:
    """The question, the example's story, and the ways to it and to a table of one's own."""
    st.title(page.method.question)
    sample = next((item for item in CATALOG.values() if item.method == page.method.__name__), None)
    if sample is not None:
        st.markdown(f"**{plain(sample.title)}.** {plain(sample.story)} {plain(sample.question)}")
    with st.container(horizontal=True):
        if sample is not None and st.button("Try this example", type="primary", key=widget_key(page.slug, "example")):
            from dashboard.views.data.samples import open_sample

            open_sample(sample.key)
            st.switch_page(address(page))
        st.page_link("app_pages/data.py", label="Use my own table", icon=":material/upload_file:")
