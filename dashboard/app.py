"""The dashboard's frame: page settings and navigation, nothing else."""

import sys
from pathlib import Path

import streamlit as st

from dashboard.pages import COMPARE, address, method_pages
from dashboard.session.private_parts import has_dropped_values
from dashboard.session.session import session
from dashboard.styles import DARK, PAGE, sheet
from dashboard.theme import is_dark
from dashboard.views.data.samples import open_wanted
from dashboard.views.guide.page import show_help
from dashboard.views.session.arriving import greet
from dashboard.views.shared.foot import show_foot
from dashboard.views.shared.page_parts import projector

# A picture of our own: Streamlit would fetch an icon named by a word from another host.
ICON = Path(__file__).parent / "assets" / "icon.svg"

st.set_page_config(page_title="Diptych", page_icon=str(ICON), layout="wide")

# Only the command puts our guard before the pages and serves the script that draws networks.
if not getattr(sys.modules.get("dashboard.server.guard"), "on_duty", False):
    st.error("Please start Diptych with its own command, `diptych`: only then is it private and draws its networks.")
    st.stop()

st.html(sheet(PAGE, DARK if is_dark() else ""))
st.logo(str(ICON), size="medium", link=None)

page = st.navigation(
    {
        "": [
            st.Page("app_pages/start.py", title="Start", icon=":material/home:", default=True),
            st.Page("app_pages/data.py", title="Data", icon=":material/table_chart:"),
            *map(address, method_pages()),
            st.Page("app_pages/evaluate.py", title="Evaluate", icon=":material/science:"),
        ],
        "Across results": [
            address(COMPARE),
            st.Page("app_pages/results.py", title="Results", icon=":material/dashboard:"),
            st.Page("app_pages/workshop.py", title="Workshop", icon=":material/experiment:"),
        ],
        "Learn": [
            st.Page("app_pages/learn.py", title="Learn", icon=":material/school:", url_path="learn"),
            st.Page("app_pages/guide.py", title="Guide", icon=":material/menu_book:"),
        ],
    },
    expanded=True,
)
greet()
if has_dropped_values():
    st.warning("The page sent a value that cannot be. The usual one stands; load the page anew to see it.")
open_wanted()
session().go(page.url_path)
projector()
show_help(page.url_path)
try:
    page.run()
except Exception:  # a page that ends early by `end_page` has its foot
    show_foot()
    raise
show_foot()  # with an answer that came in this very run
if session().collect():
    st.rerun()  # an answer beside that of the page stands in the list too
