"""A file that is brought to this page: read at once, kept for the session, refused in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard.session.keys import drop_value, has_value, set_value, value_of, widget_key
from dashboard.session.session import session
from dashboard.text import plain, short
from dashboard.views.shared.page_parts import take_dropped_file
from engine import DiptychError

KEY = "evaluate.own"


@dataclass(frozen=True, eq=False)
class Upload:
    """What was read.

    Attributes
    ----------
    name : of the file, as the user has it (escape it)
    content : what the reader made of it
    number : another one for every file, for the keys of widgets
    """

    name: str
    content: Any
    number: int


def upload(label: str, slot: str, read: Callable[[bytes, str], Any], help: str) -> Upload | None:
    """Where a file is dropped; what it holds is kept, and a bad one leaves what was there."""
    refused = widget_key(KEY, slot, "refused")
    given = take_dropped_file(label, widget_key(KEY, slot, "seen"), key=widget_key(KEY, slot, "upload"), help=help)
    if given is not None:
        drop_value(refused)
        try:
            with st.spinner("Reading the file", show_time=True), session().job_queue.counted():
                store_upload(slot, given.name, read(given.getvalue(), given.name))
        except DiptychError as error:
            set_value(refused, str(error))
        st.rerun()  # where files stand was drawn before this one was read
    if has_value(refused):
        text = "" if stored_upload(slot) is None else " What was there before still stands."
        st.error(plain(value_of(refused)) + text, icon=":material/error:")
    return stored_upload(slot)


def offer_example(words: str, key: str) -> bool:
    """What is asked of the files, and a button for those that have none; whether it was pressed."""
    left, right = st.columns([3, 1], vertical_alignment="center")
    left.markdown(words)
    return right.button(
        "Show me an example", key=widget_key(KEY, key, "example"), icon=":material/school:", width="stretch"
    )


def file_area(title: str, *slots: str) -> Any:
    """Where uploads stand: below the names of those that are there, open until all are, and while one was refused."""
    there = [stored_upload(slot) for slot in slots]
    names = ", ".join(plain(short(item.name, 40)) for item in there if item is not None)
    if not any(there):
        return st.container()
    refused = any(has_value(widget_key(KEY, slot_value, "refused")) for slot_value in slots)
    return st.expander(f"{title}: {names}", expanded=refused or not all(there))


def store_upload(slot: str, name: str, content: Any) -> None:
    """Keep something in the place of what was there."""
    number = value_of(widget_key(KEY, "number"), 0) + 1
    set_value(widget_key(KEY, "number"), number)
    drop_value(widget_key(KEY, slot, "refused"))
    set_value(widget_key(KEY, slot), Upload(name, content, number))


def stored_upload(slot: str) -> Upload | None:
    """What is kept, if anything."""
    upload: Upload | None = value_of(widget_key(KEY, slot))
    return upload
