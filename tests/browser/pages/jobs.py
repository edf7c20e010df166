"""A page for the browser tests: a job that runs for good, deaf to everything polite, beside a figure."""

import plotly.express as px
import streamlit as st

from dashboard.server.memory import memory
from dashboard.session.arrival import arrive
from dashboard.session.session import session
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.running import await_job
from tests.dashboard.jobs import slow_work

if "patience" in st.query_params:
    memory().keep = float(st.query_params["patience"])
arrive()
job_queue = session().job_queue
if st.button("Burn"):
    job_queue.start("burn", slow_work.deaf)
if st.button("Add"):
    job_queue.start("add", slow_work.add, 2, 3)
for key in ("burn", "add"):
    job = job_queue.get(key)
    if job is not None:
        found = await_job(job)
        st.text(f"{key} {job.state} {found} process {job.pid}")
show_figure(px.bar(x=["a", "b"], y=[1, 2]), "bars", alt="two bars", key="figure")
