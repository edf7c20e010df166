"""Start: not built yet."""

import streamlit as st

st.title("Start")
st.info("This page is not built yet.")
