"""One patient: choose a patient, see which links of the population hold for this one, and why."""

import streamlit as st

from dashboard.pages import method_page
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.views.instance_specific.cohort import show_cohort
from dashboard.views.instance_specific.patient import choose_patient, choose_target
from dashboard.views.instance_specific.result import show_patient
from dashboard.views.instance_specific.state import PatientState
from dashboard.views.shared.analysis_page import begin, invite, settings_of
from dashboard.views.shared.saved_answer import saved_answer, show_saved
from dashboard.views.shared.sections import show_sections

ONE, MANY = "One patient", "Many patients"

page = method_page("instance_specific")
data = begin(page)
kept, state = session().page(page.slug), session().state(PatientState)
with st.sidebar:
    view = st.segmented_control(
        "Look at",
        (ONE, MANY),
        default=ONE,
        required=True,
        key=widget_key(page.slug, "view"),
        persist_state="session",
        width="stretch",
    )
    method = settings_of(page, data)
    target = choose_target(data)
    if kept.take_run():
        state.asked = data.fingerprint
    # Learning is asked for once a table; from then on every patient and every setting answers by itself.
    asked = state.asked == data.fingerprint
    if not asked and st.button(page.action, type="primary", width="stretch", disabled=method is None):
        state.asked = data.fingerprint
        st.rerun()
    saved = saved_answer(page, data)

patient = choose_patient(data) if view == ONE and saved is None else None
if saved is not None:
    show_saved(saved, data, show_sections)
elif not asked:
    invite(page, data)
elif method is not None and view == MANY:
    show_cohort(method, data, target)
elif method is not None and patient is not None:
    show_patient(method, data, patient, target)
