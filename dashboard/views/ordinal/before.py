"""Before anything runs: how long it may take, and which levels leave little to find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.session import session
from dashboard.text import plain
from engine.methods.ordinal.answers import read, warnings
from engine.methods.ordinal.cost import sentence
from engine.methods.ordinal.method import Ordinal
from engine.methods.ordinal.result import SLUG

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


def show_before(data: Dataset) -> None:
    """A sentence where a fit is long, and one for every kind of doubtful levels."""
    if said := sentence(Ordinal(**session().page(SLUG).settings), data):
        st.info(plain(said), icon=":material/hourglass_empty:")
    for warning in warnings(read(data, "latent", strict=False)):
        st.caption(plain(warning))
