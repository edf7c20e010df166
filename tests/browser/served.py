"""What the browser tests' own server shows: the page out of `pages` that the address names, `?page=networks`."""

import runpy
from pathlib import Path

import streamlit as st

runpy.run_path(str(Path(__file__).parent / "pages" / f"{st.query_params['page']}.py"))
