"""Start: what Diptych answers, a worked example, sample tables, and where the data live."""

import streamlit as st

from dashboard.server.memory import memory
from dashboard.views.shared.page_parts import how_large
from dashboard.views.start.page import show_example, show_questions, show_samples

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
