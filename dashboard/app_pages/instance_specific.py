"""Instance-specific networks: choose one patient, see which links of the population hold for her, and why."""

import streamlit as st

from dashboard.forms.settings_form import settings_form
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.instance_specific.cohort import show_cohort
from dashboard.views.instance_specific.patient import choose_patient, choose_target
from dashboard.views.instance_specific.result import show_patient
from dashboard.views.shared.no_table import table_or_stop
from engine.methods.instance_specific.method import InstanceSpecific

PAGE = "instance_specific"
LIVE = ("kappa", "ess", "seed")
VIEWS = ("One patient", "Many patients")

state = session()
st.title("One patient beside the population")
data = table_or_stop()

kept = state.choices.setdefault(PAGE, {})
with st.sidebar:
    view = st.segmented_control(
        "Look at", VIEWS, default=VIEWS[0], required=True, key=f"{PAGE}.view", persist_state="session", width="stretch"
    )
    method = settings_form(InstanceSpecific, data, PAGE, kept, without=LIVE, first=("mode",))
    target = choose_target(data)
    if kept.pop("run", False):
        kept["asked"] = data.fingerprint
    asked = kept.get("asked") == data.fingerprint
    if not asked and st.button("Learn the networks", type="primary", width="stretch", disabled=method is None):
        kept["asked"] = data.fingerprint
        st.rerun()

if view == VIEWS[0]:
    patient = choose_patient(data)
if not asked:
    st.markdown(
        f"{plain(state.source)}: **{data.n_rows:,} rows, {data.n_variables} variables.** Choose a patient above, then "
        "press *Learn the networks* on the left. One network is learned for everybody; each patient is then compared "
        "with it in a moment: which of its links hold for this patient, which do not, and what that rests on."
    )
    st.stop()
if method is None:
    st.stop()
if view == VIEWS[1]:
    show_cohort(method, data, target)
elif patient is not None:
    show_patient(method, data, patient, target)
