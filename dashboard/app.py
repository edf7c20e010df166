"""The dashboard's frame: page settings and navigation, nothing else."""

import sys
from pathlib import Path

import streamlit as st

from dashboard.pages import address, method_pages
from dashboard.session.session import session
from dashboard.views.session.arriving import greet
from dashboard.views.session.foot import STYLE, show_foot

# A picture of our own: Streamlit would fetch an icon named by a word from another host.
ICON = Path(__file__).parent / "assets" / "icon.svg"

st.set_page_config(page_title="Diptych", page_icon=str(ICON), layout="wide")

# Only the command puts our guard before the pages and serves the script that draws networks.
if not getattr(sys.modules.get("dashboard.server.guard"), "on_duty", False):
    st.error("Please start Diptych with its own command, `diptych`: only then is it private and draws its networks.")
    st.stop()

# less room above and beside the page, so that the answer stands on the first screen
st.html(
    "<style>[data-testid=stMainBlockContainer]{padding:2.5rem 2.5rem 3rem}"
    "[data-testid=stMain] h1{font-size:1.9rem}"
    # beside the sidebar of a small screen a network and its reading find no room side by side
    "@media (max-width:1100px){[class*=st-key-narrow] [data-testid=stHorizontalBlock]{flex-wrap:wrap}"
    "[class*=st-key-narrow] [data-testid=stColumn]{min-width:100%}}"
    # Streamlit's own CSV button would write cells as they are; ours make them harmless in a spreadsheet
    "[data-testid=stElementToolbarButton]:has(button[aria-label='Download as CSV']){display:none}"
    f"{STYLE}</style>"
)

page = st.navigation(
    [
        st.Page("app_pages/start.py", title="Start", icon=":material/home:", default=True),
        st.Page("app_pages/data.py", title="Data", icon=":material/table_chart:"),
        *map(address, method_pages()),
        st.Page("app_pages/results.py", title="Results", icon=":material/dashboard:"),
        st.Page("app_pages/evaluate.py", title="Evaluate", icon=":material/science:"),
    ]
)
greet()
session().go(page.url_path)
show_foot()
page.run()
