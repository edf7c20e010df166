"""Saving all of it in one file, opening such a file, and asking all of it again of another table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.network.component import leaving_guard
from dashboard.pages import COMPARE, address
from dashboard.session.arrival import this_browser
from dashboard.session.cards import Card
from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.labels import labelled_headline
from dashboard.session.masking import sentence_shown, sentences_about_table, smallest_cell, without
from dashboard.session.projects import bytes_of, keep_last, project_of
from dashboard.session.session import Rerun, Session, Waiting, session
from dashboard.text import plain
from dashboard.views.session.opening import open_content, reapply
from dashboard.views.shared.by_group import compare
from dashboard.views.shared.downloads import file_name, logged
from dashboard.views.shared.foot import where_kept
from dashboard.views.shared.page_parts import file_given, take_dropped_file
from engine import DataError, Dataset
from engine.data.reading.filetype import short_name
from engine.project.file import ENDING, describe_contents
from engine.words import count

if TYPE_CHECKING:
    from dashboard.jobs.runner import Job

WITHOUT, WITH = "Choices and results only", "With the table"
_WORDS = {
    WITHOUT: "No rows of the table, but for what a result is about.",
    WITH: "All rows of the open table too: whoever has the file has the patients.",
}
MOST_MEGABYTES = 200
_SEEN, _REFUSED = "diptych.opened.seen", "diptych.opened.refused"
_FILE = widget_key("results", "file")


def show_keep() -> None:
    """Three things side by side: save, open, ask again; first what was opened, where something of it was not."""
    save, opened, ask = st.columns(3, gap="large")
    with save:
        st.markdown("**Save everything**")
        _save()
    with opened:
        st.markdown("**Open a file**")
        open_file()
    with ask:
        st.markdown("**Run it all on another table**")
        _rerun_form()
    _show_rerun()


def _save() -> None:
    if smallest_cell():
        st.caption(without("Nothing is saved on this server: the file"))
        return
    state = session()
    ways = (WITHOUT, WITH) if state.table is not None else (WITHOUT,)
    way = st.radio(
        "What goes into the file", ways, key=widget_key("results", "way"), captions=[_WORDS[item] for item in ways]
    )
    with st.expander("What exactly the file holds"):
        st.markdown(
            "\n".join(f"- {plain(content)}" for content in describe_contents(project_of(state, with_table=way == WITH)))
        )
    notes = st.text_area("Notes", state.notes, max_chars=20_000, key=widget_key("results", "notes"))
    state.write_notes(notes or "")
    st.download_button(
        "Save",
        logged(
            "save",
            "with-table" if way == WITH else "without-table",
            partial(saved_bytes, state, this_browser(), with_table=way == WITH),
        ),
        file_name=file_name("project", ENDING.removeprefix(".")),
        mime="application/zip",
        icon=":material/save:",
        type="primary",
        key=widget_key("results", "save"),
        on_click="ignore",  # a page drawn again drops what the file is made of, at times before it is made
    )
    if state.cards.unsaved:
        _release_when_saved(state)
    st.caption(
        f"{where_kept()} The copy has no answers about single people, and is offered should Diptych be started again; "
        "*Forget this table now* removes all."
    )


def saved_bytes(state: Session, browser: str, *, with_table: bool) -> bytes:
    """The file; from now on nothing is unsaved."""
    if smallest_cell():
        raise DataError(without("Nothing is saved on this server: the file"))
    saved = state.cards.version
    content = bytes_of(state, with_table=with_table)
    keep_last(browser, bytes_of(state, with_table=False) if with_table else content)
    state.cards.saved = saved
    return content


@st.fragment(run_every=1.0)
def _release_when_saved(state: Session) -> None:
    """Once all is saved the browser lets its reader go; a page drawn again could come between them and the next one."""
    if not state.cards.unsaved:
        leaving_guard()(key=widget_key("results", "leaving"), data={"unsaved": False, "alone": True}, height=1)


def open_file() -> None:
    """Where a file of ours is dropped."""
    given = take_dropped_file(
        "A file that Diptych saved",
        _SEEN,
        key=_FILE,
        max_upload_size=MOST_MEGABYTES,
        help="A project takes the place of what is open, and you are asked first; a single answer is put beside it. "
        "Nothing is computed.",
    )
    if given is not None:
        refused = open_content(given.getvalue(), short_name(given.name))
        set_value(_REFUSED, refused)
        if not refused:
            st.rerun()
    if value_of(_FILE) is not None and value_of(_REFUSED):
        st.error(plain(value_of(_REFUSED)), icon=":material/error:")


def _rerun_form() -> None:
    """Another table, coded like the open one, and every question put to it."""
    state = session()
    given = file_given(
        "A table with the same columns",
        key=widget_key("results", "again"),
        help="It is cut and coded exactly like the open table. Every question about the whole of the open table is "
        "asked again, and old and new stand side by side.",
    )
    if state.dataset is None:
        st.caption("Open the table first that the results were made from.")
        return
    if given is None:
        return
    if st.button("Run again", type="primary", icon=":material/replay:", key=widget_key("results", "ask")):
        state.waiting = Waiting(given.getvalue(), given.name, rerun=True)
        st.rerun()


def _show_rerun() -> None:
    """What did not fit, what was not asked, and old beside new as the new ones come."""
    state = session()
    rerun = state.rerun
    if rerun is None:
        return
    st.markdown("**Old and new**")
    for sentence in sentences_about_table(rerun.words):
        st.warning(plain(sentence), icon=":material/warning:")
    waiting = [key for key in rerun.new_keys.values() if (job := state.job_queue.get(key)) is not None and job.active]
    for number, key in rerun.new_keys.items():
        old, new = state.cards.numbered(number), state.cards.get(key)
        if old is not None:
            _pair(old, new, key)
    _show_refused(rerun.refused)
    if waiting:
        _follow(waiting)


def _show_refused(refused: Mapping[int, str]) -> None:
    cards = [(card, why) for number, why in refused.items() if (card := session().cards.numbered(number)) is not None]
    if not cards:
        return
    with st.container(border=True):
        st.markdown("**Not run**")
        lines = [f"- {plain(card.name())}, *{plain(card.source)}*: {plain(sentence_shown(why))}" for card, why in cards]
        st.markdown("\n".join(lines))


def _pair(old: Card, new: Card | None, key: object) -> None:
    with st.container(border=True):
        left, right = st.columns(2)
        left.markdown(f"**{plain(old.name())}**, *{plain(old.source)}*  \n{plain(labelled_headline(old))}")
        if new is None:
            job = session().job_queue.get(key)
            right.markdown(plain(_without(job)))
            return
        right.markdown(f"**{plain(new.name())}**, *{plain(new.source)}*  \n{plain(labelled_headline(new))}")
        if old.slug != COMPARE.slug and right.button(
            "Compare the two", icon=COMPARE.icon, key=widget_key("results", "pair", old.number)
        ):
            compare(old, new)
            st.switch_page(address(COMPARE))


def _without(job: Job | None) -> str:
    """What stands in the place of an answer that is not there."""
    if job is None or job.state == "done":
        return "This answer was deleted, or made room for later ones."
    if job.active:
        return "Being computed."
    return sentence_shown(job.error or "") or "Stopped before it was done."


@st.fragment(run_every=1.0)
def _follow(waiting: list[object]) -> None:
    jobs = [session().job_queue.get(key) for key in waiting]
    running = [job for job in jobs if job is not None and job.active]
    if len(running) < len(jobs):
        st.rerun()
    for job in running:
        st.progress(job.fraction, text=plain(job.words or "waiting"))


def say_opened() -> None:
    """What of the file that was opened last could not be opened, and the question before another one is."""
    for sentence in sentences_about_table(session().warnings):
        st.warning(plain(sentence), icon=":material/warning:")
    _ask_first()


def _ask_first() -> None:
    state = session()
    waiting = state.waiting
    if waiting is None:
        return
    with st.container(border=True):
        st.markdown(_question(state, waiting))
        with st.container(horizontal=True):
            action = "Run again" if waiting.rerun else "Open it"
            yes = st.button(action, type="primary", icon=":material/check:", key=widget_key("results", "replace"))
            no = st.button("Cancel", key=widget_key("results", "leave"))
    if yes:
        state.waiting = None
        refused = (
            _ask_all(state, waiting) if waiting.rerun else open_content(waiting.content, waiting.name, confirmed=True)
        )
        if refused:
            st.error(plain(refused), icon=":material/error:")
        else:
            st.rerun()
    if no:
        state.waiting = None
        st.rerun()


def _question(state: Session, waiting: Waiting) -> str:
    """What would be gone, as Markdown."""
    name = f"*{plain(short_name(waiting.name))}*" if waiting.name else "The file"
    choices = " and the choices made for it" if state.table is not None else ""
    table = [f"the open table *{plain(state.source)}*{choices}"] if state.has_table else []
    if waiting.rerun:
        return f"{name} takes the place of {' '.join(table) or 'the open table'}; its results stay."
    if len(state.cards):
        unsaved = ", not all of it saved" if state.cards.unsaved else ""
        table.append(f"{count(len(state.cards), 'result')}{unsaved}")
    return f"{name} takes the place of {' and of '.join(table) or 'what is open'}."


def _ask_all(state: Session, waiting: Waiting) -> str:
    """Put every question to another table; why that cannot be, "" where it was done."""
    dataset = state.dataset
    old = [(card, _refusal(card, dataset)) for card in state.cards]
    try:
        with st.spinner("Reading the table", show_time=True):
            table = session().job_queue.read_table(waiting.content, name=waiting.name)
            words = reapply(table, short_name(waiting.name) or "table", project_of(state, with_table=False))
    except DataError as error:
        return str(error)
    rerun = Rerun(words)
    for card, why in old:
        try:
            if why:
                rerun.refused[card.number] = why
            else:
                rerun.new_keys[card.number] = state.rerun_card(card)
        except DataError as error:
            rerun.refused[card.number] = str(error)
    state.rerun = rerun
    return ""


def _refusal(card: Card, open_table: Dataset | None) -> str:
    """Why a card's question is not put to another table; "" where it is."""
    if card.group:
        return "It is about one group only; ask by group on the method's page."
    if open_table is None or not open_table.is_of(card.result.fingerprint):
        return "It was made from another table than the open one, or from that prepared differently."
    return ""
