"""Start: what Diptych answers, a worked example, sample tables, and where the data live."""

import streamlit as st

from dashboard.views.start_cards import show_questions, show_samples
from dashboard.views.start_example import show_example

st.title("Compare two networks learned from one table")
questions, example = st.columns([2, 3], gap="large")
with questions:
    st.page_link("app_pages/data.py", label="**Open your own table**", icon=":material/upload_file:")
    st.caption(
        "CSV, Excel, Parquet, SPSS or Stata; up to 200 MB, 5 million rows and 1,000 columns. It stays in the memory of "
        "the computer Diptych runs on, is sent nowhere, and is gone when you close the tab."
    )
    st.markdown("#### What you can ask it")
    show_questions()
answer = example.container(border=True)
st.subheader("Sample tables")
show_samples()
with answer:
    show_example()
