"""Opening a sample table: read and prepared once for all sessions, as its dictionary says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.pages import MethodPage, method_pages
from dashboard.server.log import log_action, subject_of
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.views.data.choices import open_table
from engine.data.preparing.dictionary import Dictionary, read_dictionary
from sample_data.catalog import CATALOG, Sample, file_bytes, load

if TYPE_CHECKING:
    import pandas as pd

FOR_PRACTICE = frozenset({"clinic_export"})
"""Samples whose point is the import: they open on the data page, without the dictionary that settles all."""
_SHAPES = {"breast_cancer": (569, 31)}
"""Of tables that take seconds to load; a start page need not wait for scikit-learn."""


@st.cache_resource(show_spinner=False)
def sample_table(key: str) -> pd.DataFrame:
    """A sample as it was read; shared, so nobody writes to it."""
    return load(key)


def sample_shape(key: str) -> tuple[int, int]:
    """Rows and columns of a sample, for its card."""
    return _SHAPES.get(key) or sample_table(key).shape


def sample_dictionary(key: str) -> Dictionary | None:
    """The dictionary of a sample, None where it has none or where it would spoil the exercise."""
    name = CATALOG[key].dictionary_file
    return None if name is None or key in FOR_PRACTICE else read_dictionary(file_bytes(name), name=name)


def sample_choices(key: str) -> Mapping[str, Any]:
    """What a sample is prepared with beyond its dictionary: nothing where that would spoil the exercise."""
    return {} if key in FOR_PRACTICE else CATALOG[key].choices


def page_of(sample: Sample) -> MethodPage | None:
    """The page that answers a sample's question; None while it is not built, or where the point is the import."""
    if sample.key in FOR_PRACTICE:
        return None
    return next((page for page in method_pages() if page.method.__name__ == sample.method), None)


def open_sample(key: str, **settings: Any) -> None:
    """Open a sample with the settings of its question; `settings` win over the sample's own."""
    sample = CATALOG[key]
    content = None if sample.file is None else file_bytes(sample.file)
    choices = sample_choices(key)
    open_table(
        sample_table(key),
        sample.file or sample.title,
        content=content,
        dictionary=sample_dictionary(key),
        chosen=choices,
        roles=choices.get("roles"),
    )
    log_action("upload", "sample", subject_of(session().dataset))
    work().sample = key
    page = page_of(sample)
    if page is not None:
        session().begin(page.slug, {**sample.settings, **settings})


def open_wanted() -> None:
    """Open the sample that a page without a table asked for."""
    key, session().wanted = session().wanted, ""
    if key:
        open_sample(key)


def choose_sample() -> None:
    """A list of the samples and a button that opens the chosen one here."""
    key = st.selectbox(
        "Or a sample table",
        list(CATALOG),
        format_func=lambda item: CATALOG[item].title,
        key=widget_key("data", "sample"),
        persist_state="session",
    )
    st.caption(f"{CATALOG[key].story} {CATALOG[key].source}")
    if st.button("Open the sample", key=widget_key("data", "sample", "open")):
        open_sample(key)
        page = page_of(CATALOG[key])
        if page is not None:
            session().forget(page.slug)
        st.rerun()
