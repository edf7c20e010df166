"""When objects that hold one another go."""

from __future__ import annotations

import time
import weakref

import pandas as pd

from dashboard.server.memory import EVERY, Garbage, garbage
from dashboard.session.session import Session


class Ring:
    """Holds itself, so that only a look frees it."""

    def __init__(self) -> None:
        self.me = self


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
    assert garbage().collect(0.0)
    held.end()
    assert garbage().collect(0.0)
