"""How often two parts of one table would differ as much by chance: a permutation of which row belongs to which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.desk import method_key
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.running import await_job
from dashboard.views.shared.sections import show_table
from engine.errors import DataError
from engine.project.chance import check_comparable, compare_chance

if TYPE_CHECKING:
    from dashboard.session.cards import Card

REPEATS = (100, 200, 500, 1000)
_HEADINGS = {
    "strength_a": "strength, A",
    "strength_b": "strength, B",
    "reached": "shuffles as large",
    "corrected": "p, corrected",
    "p_of_all": "p, of the largest",
}


def show_chance(first: Card, second: Card) -> None:
    """The chance beside the difference, or why there is none."""
    st.markdown("##### Would chance alone make such differences?")
    refused = _refused(first, second)
    if refused:
        st.caption(plain(refused))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        repeats = st.selectbox("Shuffles", REPEATS, index=1, key=widget_key("results", "repeats"), width=140)
        pressed = st.button("Shuffle the rows", icon=":material/shuffle:", key=widget_key("results", "shuffle"))
    desk = session().desk
    key = (
        "shuffles",
        repeats,
        *method_key(first.result.method, first.data),
        *method_key(second.result.method, second.data),
    )
    job = desk.get(key)
    if pressed:
        job = desk.start(
            key, chance_of, first.result, second.result, first.data, second.data, repeats, place="results.chance"
        )
    if job is None:
        st.caption(
            "The rows of both are put together and dealt out anew, as many to each as before; both networks are "
            "learned again from every such deal. How often they then differ as much says what chance alone does. Rows "
            "of one subject are dealt together, or inside it where most subjects stand in both."
        )
        return
    found = await_job(job)
    if found is None:
        return
    for sentence in found.sentences():
        st.markdown(plain(sentence))
    whole, single = st.columns(2)
    with whole:
        st.markdown("**The structure and the strength as a whole**")
        show_table(found.overall.rename(columns=_HEADINGS), "chance-overall")
    with single:
        st.markdown("**Single edges**")
        show_table(found.edges.rename(columns=_HEADINGS), "chance-edges")


def chance_of(first: Any, second: Any, data_a: Any, data_b: Any, repeats: int, progress: Any = None) -> Any:
    """What the job runs."""
    return compare_chance(first, second, data_a, data_b, repeats=repeats, progress=progress)


def _refused(first: Card, second: Card) -> str:
    if first.data is None or second.data is None:
        return "No chance can be given: the rows of one of them are not here. Open its table to have them."
    try:
        check_comparable(first.result, second.result, first.data, second.data)
    except DataError as error:
        return str(error)
    return ""
