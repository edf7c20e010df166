"""When objects that hold one another go."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Iterator

import pandas as pd
import pytest

from dashboard.server import memory
from dashboard.server.memory import EVERY, Garbage, Memory, garbage
from dashboard.session.session import Session


class Ring:
    """Holds itself, so that only a look frees it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def thawed() -> Iterator[None]:
    """What a test sets aside is looked through again."""
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("thawed")
def test_libraries_are_set_aside_and_no_users_data_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """What came before is not looked through again, unless somebody was there then and something is gone since."""
    one, ring = Garbage(), Ring()
    held, server = weakref.ref(ring), Memory()
    monkeypatch.setattr(memory, "_memory", server)
    server._tabs["tab"] = None
    one.loaded()
    one.collect()
    assert gc.get_freeze_count() > 10_000
    del ring
    gc.collect()
    assert held() is not None
    server._tabs.clear()
    one.soon()
    one.collect()
    assert held() is None
    later = weakref.ref(Ring())  # nobody was there when libraries were set aside just now
    frozen = gc.get_freeze_count()
    one.soon()
    one.collect()
    assert later() is None
    assert gc.get_freeze_count() == frozen


def test_a_look_is_due_after_a_minute_of_work_only() -> None:
    """Not at every round, and never where nothing was made since."""
    one, begun = Garbage(), time.monotonic()
    assert not one.collect(begun + 1)
    kept = [[number] for number in range(5000)]
    assert one.collect(begun + EVERY + 1)
    assert not one.collect(begun + EVERY + 2)
    assert len(kept) == 5000


def test_what_is_asked_for_is_done_in_the_next_round() -> None:
    """A ring is gone then, and a second round has nothing to do."""
    one = Garbage()
    ring = weakref.ref(Ring())
    one.soon()
    assert one.collect()
    assert ring() is None
    assert not one.collect()


def test_a_table_that_is_gone_asks_for_it() -> None:
    """A new one that takes its place, and the end of a session."""
    held = Session()
    garbage().collect(0.0)
    held.load(pd.DataFrame({"a": [1]}), "a.csv")
    assert not garbage().collect(0.0)  # nothing was there before
    held.load(pd.DataFrame({"a": [2]}), "b.csv")
    assert garbage().collect(0.0)
    held.end()
    assert garbage().collect(0.0)
