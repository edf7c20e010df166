"""What a session holds in bytes, and the sentence before it is too much."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from dashboard.server.memory import Memory
from dashboard.session import budget
from dashboard.session.budget import (
    refuse_beyond,
    refuse_coded,
    refuse_file,
    refuse_table,
    session_bytes,
    table_bytes,
)
from dashboard.session.cards import Card
from dashboard.session.session import Analysis, Session
from dashboard.session.work import Work
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


def test_a_table_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every upload asks for the bytes of all sessions; another table in the same place is another."""
    table = pd.DataFrame({"a": [1.0, 2.0]})
    assert table_bytes(table) == 16
    with monkeypatch.context() as patch:
        patch.setattr(pd.DataFrame, "memory_usage", lambda *_, **__: pytest.fail("measured again"))
        assert table_bytes(table) == 16
    which = id(table)
    del table
    assert which not in budget._SIZES


def test_a_table_that_does_not_fit_is_refused_in_megabytes() -> None:
    """By what one session may hold, and by what all may; without a limit never."""
    refuse_beyond(10**12, 0, 0, 0)
    refuse_beyond(400_000_000, 100_000_000, 100_000_000, 1_000_000_000)
    with pytest.raises(DataError, match=r"about 500 MB.*holds 100 MB and may hold 500 MB. Forget"):
        refuse_beyond(500_000_000, 100_000_000, 100_000_000, 1_000_000_000)
    with pytest.raises(DataError, match=r"all sessions of this server together hold 900 MB and may hold 1,000 MB"):
        refuse_beyond(200_000_000, 0, 900_000_000, 1_000_000_000)


def test_every_table_and_file_counts_once() -> None:
    """The open one, those of cards and of analyses, and the file of the choices, wherever it is named."""
    table = pd.DataFrame({"a": np.arange(1000) % 3})
    open_one, other = engine.Dataset.from_frame(table), engine.Dataset.from_frame(table)
    result = engine.LogLinear().run(open_one)
    state = Session(dataset=open_one)
    one, more = session_bytes(state), session_bytes(Session(dataset=other))
    assert min(one, more) >= 1000
    state.cards.add(Card("open", result, open_one))
    state.cards.add(Card("closed", result, None))
    state.analyses.append(Analysis(result.method, "open", data=open_one))
    assert session_bytes(state) == one
    state.cards.add(Card("other", result, other))
    state.analyses.append(Analysis(result.method, "other", data=other))
    assert session_bytes(state) == one + more
    file = Work(content=b"x" * 500)
    state.choices = {"data": {"work": file, "view": "columns"}, "elsewhere": {"work": file}}
    assert session_bytes(state) == one + more + 500


def test_a_new_table_takes_the_place_of_the_open_one_and_of_its_file() -> None:
    """What those two take is free for it: a text file four times, a table with its file twice, codes once."""
    table = pd.DataFrame({"a": np.zeros(50_000), "b": np.zeros(50_000)})  # 800,000 bytes
    data = engine.Dataset.from_frame(pd.DataFrame({"a": np.arange(300_000) % 3}))
    result = engine.LogLinear().run(data)
    codes = session_bytes(Session(dataset=data))
    current = Work(content=b"x" * 200_000)
    state = Session(table=table, choices={"data": {"work": current}})
    state.cards.add(Card("a", result, data))
    fits = Memory(most=2 * (codes + 4_000_000))  # a million of a text file beside the codes of the card
    fits.begin("b", "tab", state)
    refuse_file(state, 1_000_000, current, fits)
    refuse_table(state, pd.DataFrame({"a": np.zeros(200_000)}), b"x" * 800_000, current, fits)
    for refused in (
        lambda: refuse_file(state, 1_000_001, current, fits),
        lambda: refuse_table(state, pd.DataFrame({"a": np.zeros(200_000)}), b"x" * 800_001, current, fits),
    ):
        with pytest.raises(DataError, match="of memory; this session holds"):
            refused()
    refuse_coded(state, data, current, Memory(most=4 * codes))
    with pytest.raises(DataError):
        refuse_coded(state, data, current, Memory(most=4 * codes - 2))


def test_all_sessions_together_have_a_limit() -> None:
    """Up to the last byte, beside what others hold."""
    state = Session()
    known = Memory(most=8_000_000)
    known.begin("b", "mine", state)
    known.begin("b", "theirs", Session(table=pd.DataFrame({"a": np.zeros(750_000)})))
    refuse_table(state, pd.DataFrame({"a": np.zeros(125_000)}), b"", Work(), known)
    with pytest.raises(DataError, match="all sessions of this server together hold 6 MB and may hold 8 MB"):
        refuse_table(state, pd.DataFrame({"a": np.zeros(125_000)}), b"x", Work(), known)


def test_who_holds_nothing_is_not_asked_to_forget() -> None:
    """From a megabyte on it helps; nothing is said to take less than one."""
    with pytest.raises(DataError, match=r"about 1 MB.*holds 1 MB and may hold 1 MB\. Keep fewer"):
        refuse_beyond(100_000, 999_999, 0, 2_000_000)
    with pytest.raises(DataError, match=r"holds 1 MB and may hold 1 MB\. Forget .* on Results\. Keep fewer"):
        refuse_beyond(1, 1_000_000, 0, 2_000_000)
