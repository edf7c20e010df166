"""Data: not built yet."""

import streamlit as st

st.title("Data")
st.info("This page is not built yet.")
