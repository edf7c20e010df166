"""Associations: which variables hang together directly, and not only by way of others."""

import streamlit as st

from dashboard.forms.settings_form import settings_form
from dashboard.jobs.runner import method_key
from dashboard.session.session import session
from dashboard.views.log_linear.edge_words import CRITERIA, PAGE, WITH_ALPHA, WITH_JOINT
from dashboard.views.log_linear.power import show_before
from dashboard.views.log_linear.result import show_result
from dashboard.views.shared.no_table import table_or_stop, to_data_page
from dashboard.views.shared.running import await_job
from engine.methods.log_linear.method import LogLinear

PATIENCE = 0.4

state = session()
st.title("Which variables hang together?")
data = table_or_stop()
refused = LogLinear.unfit(data)
if refused:
    st.info(refused)
    to_data_page()
    st.stop()

kept = state.choices.setdefault(PAGE, {})
criterion = st.session_state.get(f"{PAGE}.criterion", kept.get("criterion", "mml"))
idle = [name for name, used in (("alpha", WITH_ALPHA), ("joint", WITH_JOINT)) if criterion not in used]
with st.sidebar:
    defaults = {"joint": criterion in WITH_JOINT, **kept}
    method = settings_form(LogLinear, data, PAGE, defaults, without=idle, first=("criterion", "joint"), words=CRITERIA)
    pressed = st.button("Find the links", type="primary", width="stretch", disabled=method is None)

if method is not None and (pressed or kept.pop("run", False)):
    kept["asked"] = method
    state.desk.run(method, data).wait(PATIENCE)

asked = kept.get("asked")
job = state.desk.get(method_key(asked, data)) if asked is not None else None
if job is None:
    show_before(data, state.source)
    st.stop()

result = await_job(job)
if result is not None:
    if method is not None and method != asked:
        st.info("The settings on the left have changed; press *Find the links* to use them.", icon=":material/sync:")
    show_result(result, data)
