"""The dashboard's frame: page settings and navigation, nothing else."""

import streamlit as st

st.set_page_config(page_title="Diptych", page_icon=":material/compare:", layout="wide")

st.navigation(
    [
        st.Page("app_pages/start.py", title="Start", icon=":material/home:", default=True),
        st.Page("app_pages/data.py", title="Data", icon=":material/table_chart:"),
        st.Page("app_pages/group_differences.py", title="Group differences", icon=":material/compare:"),
    ]
).run()
