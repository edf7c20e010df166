"""What a session holds in bytes, and the sentence before it is too much."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from dashboard.session.budget import refuse_beyond, session_bytes, table_bytes
from dashboard.session.session import Session
from engine.errors import DataError


def test_what_a_session_holds() -> None:
    """The table and its codes, each once, and nothing after the end."""
    state = Session()
    assert session_bytes(state) == 0
    table = pd.DataFrame({"a": np.random.default_rng(0).random(1000), "b": np.arange(1000) % 3})
    state.load(table, "mine.csv")
    state.dataset = engine.Dataset.from_frame(table)
    assert table_bytes(table) == 16_000
    places = state.dataset.numbers["a"]
    assert session_bytes(state) == 16_000 + state.dataset.codes.nbytes + places.places.nbytes + places.values.nbytes
    assert state.counts()["bytes"] == session_bytes(state)
    state.end()
    assert session_bytes(state) == 0


def test_a_table_that_does_not_fit_is_refused_in_megabytes() -> None:
    """By what one session may hold, and by what all may; without a limit never."""
    refuse_beyond(10**12, 0, 0, 0)
    refuse_beyond(400_000_000, 100_000_000, 100_000_000, 1_000_000_000)
    with pytest.raises(DataError, match=r"about 500 MB.*holds 100 MB and may hold 500 MB. Forget"):
        refuse_beyond(500_000_000, 100_000_000, 100_000_000, 1_000_000_000)
    with pytest.raises(DataError, match=r"all sessions of this server together hold 900 MB and may hold 1,000 MB"):
        refuse_beyond(200_000_000, 0, 900_000_000, 1_000_000_000)
