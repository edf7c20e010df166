"""What the browser tests' own server shows: the page out of `pages` that the address names, `?page=networks`.

Nothing runs by itself behind a patient's page here; it does in the real dashboard, where the sample is opened.
"""

import runpy
from pathlib import Path

import streamlit as st

from dashboard.views.instance_specific import result as patients

patients.support_of = lambda *_: None
runpy.run_path(str(Path(__file__).parent / "pages" / f"{st.query_params['page']}.py"))
