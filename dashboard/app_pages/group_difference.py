"""Group differences: choose two groups, see which variables behave differently, and why."""

import streamlit as st

from dashboard.forms.settings_form import settings_form
from dashboard.jobs.runner import method_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.group_difference.networks import likely_group
from dashboard.views.group_difference.result import show_result
from dashboard.views.shared.no_table import table_or_stop
from dashboard.views.shared.running import await_job
from engine.methods.group_difference.method import GroupDifference

PAGE = "group_difference"
LIVE = ("p_same", "p_level", "alignment")

state = session()
st.title("Which variables differ between two groups?")
data = table_or_stop()

kept = state.choices.setdefault(PAGE, {})
with st.sidebar:
    defaults = {"group": likely_group(data), **kept}
    method = settings_form(GroupDifference, data, PAGE, defaults, without=LIVE)
    pressed = st.button("Compare the groups", type="primary", width="stretch", disabled=method is None)

if method is not None and (pressed or kept.pop("run", False)):
    kept["asked"] = method
    state.desk.run(method, data)

asked = kept.get("asked")
job = state.desk.get(method_key(asked, data)) if asked is not None else None
if job is None:
    st.markdown(
        f"{plain(state.source)}: **{data.n_rows:,} rows, {data.n_variables} variables.** Choose the group column on "
        "the left and press *Compare the groups*. Three networks are learned, one for each group and one for both "
        "together; every variable then gets the odds that it behaves differently in the two groups, given its parents."
    )
    st.stop()

result = await_job(job)
if result is not None:
    if method is not None and method != asked:
        st.info(
            "The settings on the left have changed; press *Compare the groups* to use them.", icon=":material/sync:"
        )
    show_result(result, data)
