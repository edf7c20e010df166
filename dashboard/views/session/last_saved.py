"""After a restart: the choices that were saved last, to go on from."""

from __future__ import annotations

import streamlit as st

from dashboard.session.arrival import this_browser
from dashboard.session.keys import widget_key
from dashboard.session.last_saved import last_saved
from dashboard.text import plain
from dashboard.views.session.opening import open_content


def offer_last_saved() -> bool:
    """A button that opens what this browser saved last, where there is something; whether it was opened just now."""
    content = last_saved(this_browser())
    if content is None:
        return False
    st.markdown(
        "The choices and results that you saved last are still on this computer, without the table's rows and without "
        "answers about single people."
    )
    if st.button("Open what I saved last", type="primary", key=widget_key("session", "last")):
        refused = open_content(content)
        if not refused:
            return True
        st.error(plain(refused), icon=":material/error:")
    return False
