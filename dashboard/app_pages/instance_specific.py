"""One patient: choose a patient, see which links of the population hold for this one, and why."""

import streamlit as st

from dashboard.pages import method_page
from dashboard.views.instance_specific.cohort import show_cohort
from dashboard.views.instance_specific.patient import (
    MANY_PATIENTS,
    choose_target,
    choose_view,
    pick_patient,
)
from dashboard.views.instance_specific.result import show_patient
from dashboard.views.instance_specific.running import networks_requested
from dashboard.views.shared.analysis_page import begin, invite, settings_of
from dashboard.views.shared.saved_answer import saved_answer, show_saved, stop_at_card
from dashboard.views.shared.sections import show_sections

page = method_page("instance_specific")
stop_at_card(page, show_sections)
data = begin(page, page.method.unfit)
with st.sidebar:
    view = choose_view()
    picker = st.container()
    target = choose_target(data)
    method = settings_of(page, data)
    requested = view == MANY_PATIENTS or networks_requested(page, data, method)  # of many its own button asks
    saved = saved_answer(page, data)

patient = pick_patient(data, picker) if view != MANY_PATIENTS and saved is None else None
if saved is not None:
    show_saved(saved, data, show_sections)
elif not requested:
    st.title(page.method.question)
    invite(page, data, method)
elif method is not None and view == MANY_PATIENTS:
    show_cohort(method, data, target)
elif method is not None and patient is not None:
    picker.caption("The answer follows each change at once.")
    show_patient(method, data, patient, target)
