"""What stands on several pages: the way to a table, the switch for a room, cards in rows."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

import streamlit as st

from dashboard.guide import explain
from dashboard.network.component import projector_bar
from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.session.labels import labelled
from dashboard.session.private_parts import is_taken_away
from dashboard.session.work import work
from dashboard.styles import PROJECTOR, sheet
from dashboard.text import plain, unbroken
from engine.data.reading.filetype import short_name
from engine.data.reading.limits import Limits
from engine.project.file import ENDING
from engine.words import count

_HELD_OUT = ("held\\-out", "held\\-\N{WORD JOINER}out")
"""A word, and the same with no line that ends within it."""


@contextmanager
def page_head(slug: str, title: str, about: str = "", *, of_table: bool = False) -> Iterator[None]:
    """The line above a page's sentence: which page, what it is about, and of an answer about the open table what is
    left to decide; its menu is drawn within, at the right end.
    """
    key = widget_key("crumb", slug)
    with st.container(key=key, horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(f"**{title}** :gray[{plain(about)}]", width="content")
        if of_table:
            to_decide("{} to decide about this table")
        yield


def show_sentence(slug: str, sentence: str, certainty: str = "", name: str = "") -> None:
    """The page's answer, its only large heading, and a small line on how sure it is, or why; its name or p is bold.

    Terms that both use are explained beside it.
    """
    with st.container(key=widget_key("sentence", slug), gap="xsmall"):
        st.title(unbroken(plain(labelled(sentence))).replace(*_HELD_OUT), anchor=False)
        if certainty:
            lead = f"**{plain(name)}.** " if name else ""
            words = plain(labelled(certainty)).replace(*_HELD_OUT)
            words = re.sub(r"^p\xa0(\\[<=>]|at most)\xa0\\\.\d+", r"**\g<0>**", words)
            st.caption(
                f"{lead}{words}",
                help=explain(f"{sentence} {certainty}") or None,
            )


def show_svg(svg: str, alt: str, width: str = "100%") -> None:
    """A picture of our own with words for who does not see it; `width` is a length of CSS, "auto" for its own."""
    data = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    st.html(
        f"<img alt='{html.escape(alt)}' src='data:image/svg+xml;base64,{data}' "
        f"style='width:{width};max-width:100%;display:block'>"
    )


def how_large() -> str:
    """Say how large a table may be, as a part of a sentence."""
    return f"up to 200\N{NO-BREAK SPACE}MB, {Limits().told()}"


def to_decide(words: str = "{} to decide about this table, which may change what is found") -> None:
    """The link to what the reader of the table has not decided yet; nothing where all is."""
    if left := work().undecided:
        label = words.format(count(left, "thing"))
        st.page_link("app_pages/data.py", label=label, icon=":material/help:", width="content")


def to_data_page() -> None:
    """The link to where a table is chosen and prepared."""
    st.page_link("app_pages/data.py", label="To the data page", icon=":material/table_chart:")


def take_dropped_file(label: str, seen: str, **control: Any) -> Any | None:
    """A file that was dropped since the page was drawn last; `seen` is where it is kept that it is known."""
    given = file_given(label, seen, **control)
    if given is None or value_of(seen) == given.file_id:
        return None
    set_value(seen, given.file_id)
    return given


def file_given(label: str, seen: str = "", **control: Any) -> Any | None:
    """The file in an uploader; one that left memory unread is named by a sentence. `seen` is as above."""
    given = st.file_uploader(label, **control)
    lost = "" if given is not None else is_taken_away(value_of(control["key"]))
    if lost and not (seen and lost == value_of(seen)):
        st.error("This file left the server's memory before it was read. Choose it again.", icon=":material/error:")
    return given


def refused_words(error: Exception, name: str) -> str:
    """Why a file that should be one of ours is not opened: one of another ending is named, with where tables go."""
    if name.casefold().endswith(ENDING):
        return str(error)
    words = f"'{short_name(name)}' is not a file that Diptych saved: their names end in '{ENDING}'."
    return f"{words} A table is opened on the Data page."


def choose_option(label: str, options: Iterable[Any], key: str, **control: Any) -> Any:
    """One of a few options side by side, the first to begin with; what `control` says goes to Streamlit's own."""
    choices = list(options)
    usual = {"default": choices[0], "required": True, "label_visibility": "collapsed"}
    return st.segmented_control(label, choices, key=key, **usual | control)


SWITCH = widget_key("projector", "on")


def projector() -> None:
    """The switch at the foot of the sidebar; while it is on, a bar at the foot of the page that steps and leaves."""
    with st.sidebar:
        st.toggle(
            "Projector",
            key=SWITCH,
            help="For a room: larger type and one picture at a time. The arrow keys step, Escape leaves.",
        )
    if projected():
        st.html(sheet(PROJECTOR))
        projector_bar()(key=widget_key("projector", "bar"), on_leave_change=_leave)


def projected() -> bool:
    """Whether the page is being shown to a room."""
    return bool(value_of(SWITCH))


def _leave() -> None:
    set_value(SWITCH, False)


Item = TypeVar("Item")


def in_rows(items: Iterable[Item], across: int) -> Iterator[list[Item]]:
    """The items in order, so many in a row; the last row may have fewer."""
    rest = iter(items)
    while row := list(islice(rest, across)):
        yield row
