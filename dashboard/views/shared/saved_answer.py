"""An answer that was saved, opened again beside the table it was made from: shown without computing anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.text import plain
from engine import DataError, Project
from engine.project import ENDING, load

if TYPE_CHECKING:
    from dashboard.pages import MethodPage
    from engine import Dataset
    from engine.methods import Result

MOST_MEGABYTES = 200


def saved_answer(page: MethodPage, data: Dataset) -> Result | None:
    """Where a file of ours is dropped, and the answer in it; None without one, or while one does not fit."""
    with st.expander("Open a saved answer"):
        given = st.file_uploader(
            "A file that *Take it away* made for Diptych",
            type=[ENDING.removeprefix(".")],
            key=widget_key(page.slug, "saved"),
            max_upload_size=MOST_MEGABYTES,
            help="It is shown as it was computed then, for as long as it stays here. Nothing is computed again.",
        )
        if given is None:
            return None
        try:
            result = load(given.getvalue())
        except DataError as error:
            st.error(plain(error), icon=":material/error:")
            return None
        refused = _refusal(page, data, result)
        if refused or isinstance(result, Project):
            st.error(refused, icon=":material/error:")
            return None
    return result


def _refusal(page: MethodPage, data: Dataset, result: Result | Project) -> str:
    if isinstance(result, Project):
        return "This file holds a whole project; open it on the page *Results*."
    if result.slug != page.slug:
        return "This is the answer of another method; open it on that method's page."
    if not data.is_of(result.fingerprint):
        return "This answer was made from another table, or from this one prepared differently; open that table first."
    return ""


def show_saved(result: Result, data: Dataset, show: Callable[[Any, Dataset], None]) -> None:
    """The answer, below a line that it was not computed here, and with what it was."""
    provenance = result.made
    versions = ", ".join(
        f"{name} {number}" for name, number in provenance.versions.items() if name in ("diptych", "numpy")
    )
    st.info(
        f"A saved answer ({plain(versions)}; {provenance.rows_used:,} rows). Take the file away on the left to "
        "ask anew.",
        icon=":material/inventory_2:",
    )
    show(result, data)
