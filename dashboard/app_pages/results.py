"""Results: every answer so far, the report, and the file that keeps all of it."""

import streamlit as st

from dashboard.session.session import session
from dashboard.views.results.cards import show_cards, show_undo
from dashboard.views.results.keep import open_file, say_opened, show_keep
from dashboard.views.results.report import show_report
from dashboard.views.session.opening import VIEW, VIEWS, begin_view
from dashboard.views.shared.foot import end_page
from dashboard.views.shared.page_parts import choose_option, to_decide

SHOWS = dict(zip(VIEWS, (show_cards, show_report, show_keep), strict=True))

st.title("Results")
say_opened()
if not len(session().cards):
    st.markdown(
        "Every result stays here as a card: you can open it again, compare any two, put those with a star into a "
        "report, and save all of it in one file. There is none yet."
    )
    show_undo()
    st.page_link("app_pages/start.py", label="Ask a question", icon=":material/arrow_forward:")
    if session().has_table or session().saved_states():
        show_keep()
    else:
        open_file()
    end_page()
begin_view()
shown = choose_option("What to look at", VIEWS, VIEW, persist_state="session")
to_decide("{} to decide about this table; until then the proposed answers apply")
SHOWS[shown]()
