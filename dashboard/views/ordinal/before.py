"""Before anything runs: which levels leave little to find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.known import once
from dashboard.text import plain
from engine.methods.ordinal.answers import read, warnings

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


def warnings_of(data: Dataset) -> list[str]:
    """What is doubtful about the levels of a table."""
    return warnings(read(data, "latent", strict=False))


def show_level_warnings(data: Dataset) -> None:
    """A sentence for every kind of doubtful levels."""
    for warning in once(data, warnings_of):
        st.caption(plain(warning))
