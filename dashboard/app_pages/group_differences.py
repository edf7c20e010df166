"""Group differences: not built yet."""

import streamlit as st

st.title("Group differences")
st.info("This page is not built yet.")
