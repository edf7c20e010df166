"""Opening a table where it lies, by its path: what it takes, how far it is, and the card of what came of it."""

from __future__ import annotations

import secrets
import shutil
import threading
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.jobs.path_work import CODING, LOOKING, FoundTable, code_on_cluster, code_table, look_at
from dashboard.pages import address, method_pages
from dashboard.server.log import log_action, subject_of
from dashboard.server.memory import memory
from dashboard.session.budget import refuse_coded, refuse_more_tables
from dashboard.session.keys import drop_value, value_of, widget_key
from dashboard.session.labels import labelled
from dashboard.session.masking import counts_shown, rows_shown, sentence_shown, sentences_about_table, smallest_cell
from dashboard.session.session import session
from dashboard.session.work import PAGE, Work, work
from dashboard.text import place_of_rows, plain, short
from dashboard.views.shared.foot import host_words
from dashboard.views.shared.page_parts import show_sentence
from dashboard.views.shared.running import await_job, show_job
from engine import DataError
from engine.words import count

if TYPE_CHECKING:
    from dashboard.jobs.runner import Job
    from dashboard.server.paths import PathAccess

PATIENCE = 3.0
_OPENING = "opening"
_REFUSED = "path_refused"
LISTED = 12
"""Levels of a variable that its line names."""


@dataclass(eq=False)
class Opening:
    """A table that is being read where it lies.

    Attributes
    ----------
    job : that reads it
    found : what is read
    folder : where its rows go if memory does not hold them; None for nowhere
    """

    job: Job
    found: FoundTable
    folder: Path | None

    def __post_init__(self) -> None:
        if self.folder is not None:
            threading.Thread(target=self._clear, name="diptych-opening", daemon=True).start()

    def let_go(self) -> None:
        """Its session has ended, or begins something else."""
        self.job.cancel()

    def _clear(self) -> None:
        """Nothing stays of rows whose job did not end well."""
        self.job.wait()
        if self.job.result is None and self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def open_by_path() -> None:
    """Where a path is typed, what would be read there, and the button; nothing where none may be opened now."""
    access = memory().paths
    if access is None or _OPENING in _page_state():
        return
    text = st.text_input(
        f"A file or folder on {host_words()} (Parquet, CSV)",
        key=widget_key("data", "path"),
        placeholder="the whole path",
        persist_state="session",  # still there, to be corrected, after a reading that failed
        help="Read where it lies, without a copy in the browser. Only the codes of its rows are held.",
    )
    if access.folders is not None:
        st.caption("Below " + ", ".join(f"`{plain(str(folder))}`" for folder in access.folders))
    if access.work_folder is not None:
        st.caption("Rows that memory does not hold are written to the work folder until their table is closed.")
    here, cluster = "This computer", f"The cluster at {short(access.cluster, 40)}"
    counted = here
    if access.dask:
        where = st.radio(
            "Where the rows are counted",
            [here, cluster],
            horizontal=True,
            key=widget_key("data", "path", "where"),
            persist_state="session",
            help="The cluster's workers read Parquet files at the same path and send counts.",
        )
        counted = str(where)
    if counted == cluster:
        st.caption("The workers of the cluster keep the coded rows until the table is closed.")
    found = _look(text, access) if text.strip() else None
    text_there = found is not None and counted == cluster and found.kind != "parquet"
    if text_there:
        st.caption("The cluster reads Parquet only. Let this computer count a text table.")
    elif found is not None and not smallest_cell():  # with the rows that are used, its rows say how many are not
        st.caption(plain(found.sentence()))
    fits = found is not None and not text_there
    if st.button("Open by path", disabled=not fits, key=widget_key("data", "path", "open")) and found is not None:
        _begin(found, access, on_cluster=counted == cluster)
        st.rerun()


def _look(text: str, access: PathAccess) -> FoundTable | None:
    """What the path means; the page says what is wrong with it."""
    queue, key = session().job_queue, ("path", text)
    earlier = queue.get(key)
    if earlier is not None and earlier.refused:
        queue.forget(key)  # there may be something now
    job = queue.start(key, look_at, text, access.folders, place="path.look", budget=LOOKING)
    found: FoundTable | None = await_job(job, PATIENCE)
    if job.refused and job is not earlier:
        log_action("refusal", "path")
    return found


def _begin(found: FoundTable, access: PathAccess, *, on_cluster: bool) -> None:
    stop_opening()
    folder = None if access.work_folder is None else access.work_folder.joinpath(secrets.token_hex(8))
    queue, key = session().job_queue, ("path", found.files, secrets.token_hex(4))
    queue.forget(("path", value_of(widget_key("data", "path"), "")))  # looked at anew the next time
    about: tuple[Any, ...] = (code_table, found, access.folders, folder)
    if on_cluster:
        name, folder = f"diptych-{secrets.token_hex(8)}", None
        about = (code_on_cluster, found, access.folders, access.dask, name)
    job = queue.start(key, *about, place="path.open", budget=CODING)
    _page_state().pop(_REFUSED, None)
    _page_state()[_OPENING] = Opening(job, found, folder)


def stop_opening() -> None:
    """A table that is still being read is no longer wanted."""
    opening: Opening | None = _page_state().pop(_OPENING, None)
    if opening is not None:
        opening.let_go()


def _page_state() -> dict[str, Any]:
    return session().choices.setdefault(PAGE, {})


def show_opening() -> None:
    """How far it is, with the means to stop; once it is read, it takes the place of the open table."""
    opening: Opening | None = _page_state().get(_OPENING)
    if opening is None:
        refused = _page_state().get(_REFUSED)
        if refused:
            st.error(plain(sentence_shown(refused)), icon=":material/error:")
        return
    job = opening.job
    if job.active or job.state == "cancelled":
        show_job(job)
    if job.active:
        return
    del _page_state()[_OPENING]
    session().job_queue.forget(job.key)
    error = job.error or ""
    if job.state == "done":
        try:
            _take(opening)
            st.rerun()  # what stands beside the page knows of the table then
        except DataError as refused:
            error = str(refused)
    if error:
        _page_state()[_REFUSED] = error
        log_action("refusal", "path")
        st.error(plain(sentence_shown(error)), icon=":material/error:")


def _take(opening: Opening) -> None:
    """Let the data set be the open table."""
    state, data = session(), opening.job.result
    if hasattr(data.store, "adopt"):
        data.store.adopt()
    refuse_more_tables(state, memory())
    refuse_coded(state, data, work(), memory())
    drop_value(widget_key("data", "path"))
    state.load_coded(data, opening.found.name)
    state.choices[PAGE] = {"work": Work(name=opening.found.name)}
    log_action("upload", "path", subject_of(data))


def show_card() -> None:
    """What was made of a table that was opened by its path; nothing of it can be changed here."""
    state = session()
    data = state.dataset
    if data is None:
        return
    report = data.report
    rows = rows_shown(data.n_rows, data.n_rows)
    show_sentence(PAGE, f"{rows} and {data.n_variables:,} variables are ready")
    if report is not None and report.rows_kept < report.rows_read:
        # what most rows are lost to is not small print
        show = partial(st.warning, icon=":material/warning:") if report.mostly_dropped else st.caption
        show(plain(labelled(sentence_shown(report.rows_sentence()))))
    where = "in memory" if data.in_memory else f"{place_of_rows(data.store.where)}, and go with this table"
    st.caption(f"Read where it lies; only counts and levels are looked at. The coded rows are {where}.")
    with st.container(horizontal=True):
        for page in method_pages():
            if page.fits(data):
                st.page_link(
                    address(page), label=f"**{plain(page.link)}**", icon=":material/arrow_forward:", width="content"
                )
    for sentence in sentences_about_table(() if report is None else report.problems[:LISTED]):
        st.markdown(f":small[:material/warning: {plain(sentence)}]")
    columns = () if report is None else report.columns
    gaps = [column.missing for column in columns]
    st.dataframe(
        {
            "column": [column.name for column in columns],
            "used as": ["left out" if column.kind == "ignore" else column.kind for column in columns],
            "levels": [
                "" if column.kind == "ignore" else count(len(column.levels), "level") + ": " + _levels(column.levels)
                for column in columns
            ],
            "gaps": counts_shown(gaps) if smallest_cell() else gaps,
            "why": [sentence_shown(column.reason) for column in columns],
        },
        hide_index=True,
    )
    st.caption(
        "To change kinds, levels or the rows that count, open a sample of the table, or use Python: "
        "`engine.Recipe.from_parquet` takes every choice."
    )


def _levels(levels: tuple[str, ...]) -> str:
    listed = ", ".join(short(level, 30) for level in levels[:LISTED])
    return listed + (", ..." if len(levels) > LISTED else "")
