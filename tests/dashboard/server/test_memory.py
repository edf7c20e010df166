"""What the server remembers of its tabs: who comes back to what, and when it is really gone."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pandas as pd
import pytest

from dashboard.server.memory import GRACE, Memory
from dashboard.session.session import Session

ME, OTHER = "m" * 43, "o" * 43


class Tabs:
    """Which tabs are connected, and which Streamlit was told to forget."""

    def __init__(self, *connected: str) -> None:
        self.connected = set(connected)
        self.gone: list[str] = []

    def let_go(self, tab: str) -> dict[str, Any]:
        self.gone.append(tab)
        return {"choice": tab}


def made(keep: float = 600.0, *connected: str) -> tuple[Memory, Tabs]:
    tabs = Tabs(*connected)
    return Memory(keep, tabs.connected.__contains__, tabs.let_go), tabs


def worked() -> Session:
    """A session with a table."""
    held = Session()
    held.load(pd.DataFrame({"a": [1, 2]}), "a.csv")
    return held


def test_a_reload_comes_back() -> None:
    """The tab that is gone left its work to the next tab of the same browser, and of no other."""
    memory, tabs = made(600.0, "one")
    work = worked()
    memory.begin(ME, "one", work)
    assert memory.waiting(ME, "two") is None
    tabs.connected = {"two"}
    memory.active = tabs.connected.__contains__
    assert memory.waiting(OTHER, "two") is None
    left = memory.waiting(ME, "two")
    assert left is not None
    memory.take(left, "two")
    assert memory.of("two") is left
    assert left.session is work
    assert left.values == {"choice": "one"}
    assert tabs.gone == ["one"]
    assert memory.waiting(ME, "three") is None


def test_a_second_tab_is_offered_what_the_first_shows() -> None:
    """As long as the first is connected nothing is taken from it; a session without work is offered to nobody."""
    memory, tabs = made(600.0, "one", "two")
    held = memory.begin(ME, "one", worked())
    memory.begin(ME, "empty", Session())
    tabs.connected.add("empty")
    assert memory.elsewhere(ME, "two") == [held]
    memory.begin(ME, "two", Session())
    memory.take(held, "two")
    assert memory.of("one") is None
    assert memory.of("two") is held
    assert tabs.gone == []


def test_the_latest_work_comes_back_first() -> None:
    """Of two tabs that were closed, the one that was used last."""
    memory, _ = made(600.0)
    for number in range(3):
        held = memory.begin(ME, f"tab{number}", worked())
        held.session.touched = float([1, 3, 2][number])
    found = memory.waiting(ME, "new")
    assert found is not None
    assert found.tab == "tab1"


def test_it_is_gone_after_the_time_told_and_not_before() -> None:
    """Nobody has to connect for it: table, choices and answers are without an owner, and Streamlit forgets the tab."""
    memory, tabs = made(600.0, "one")
    session = worked()
    table = weakref.ref(session.table)
    memory.begin(ME, "one", session)
    kept = weakref.ref(session)
    memory.check(0.0)
    tabs.connected.clear()
    for moment in (10.0, 609.9):
        memory.check(moment)
        assert memory.counts()["tables"] == 1
    memory.check(610.0)
    assert memory.counts() == {"sessions": 0, "tables": 0, "results": 0, "jobs": 0, "bytes": 0}
    assert session.table is None
    del session
    gc.collect()
    assert table() is None
    assert kept() is None
    assert tabs.gone[-1] == "one"


def test_a_return_starts_the_time_anew() -> None:
    """A lost connection that is found again loses nothing, however often."""
    memory, tabs = made(100.0)
    memory.begin(ME, "one", worked())
    for moment, connected in ((0.0, False), (90.0, False), (95.0, True), (96.0, False), (190.0, False)):
        tabs.connected = {"one"} if connected else set()
        memory.active = tabs.connected.__contains__
        memory.check(moment)
    assert memory.counts()["tables"] == 1


def test_streamlit_lets_go_of_uploads_before_the_work_goes() -> None:
    """What Streamlit holds of a closed tab goes after two minutes; what its widgets said stays with the work."""
    memory, tabs = made(3600.0, "one")
    held = memory.begin(ME, "one", worked())
    memory.check(0.0)
    tabs.connected.clear()
    memory.check(1.0)
    memory.check(GRACE)
    assert tabs.gone == []
    memory.check(GRACE + 1.0)
    assert tabs.gone == ["one"]
    assert held.values == {"choice": "one"}
    assert memory.counts()["tables"] == 1


def test_no_time_keeps_nothing() -> None:
    """With --keep 0 the first look after the tab is gone takes all of it."""
    memory, tabs = made(0.0, "one")
    memory.begin(ME, "one", worked())
    memory.check(0.0)
    assert memory.counts()["tables"] == 1
    tabs.connected.clear()
    memory.check(2.0)
    assert memory.counts()["sessions"] == 0


@pytest.mark.parametrize(("keep", "words"), [(3600.0, "60 minutes"), (90.0, "1.5 minutes")])
def test_the_time_is_told(keep: float, words: str) -> None:
    assert made(keep)[0].minutes == words


def test_every_tab_that_showed_it_is_emptied() -> None:
    """A file that was uploaded in a tab whose work was taken away goes with the work, whenever that goes."""
    tabs, emptied = Tabs("one", "two"), []
    memory = Memory(100.0, tabs.connected.__contains__, tabs.let_go, emptied.append)
    held = memory.begin(ME, "one", worked())
    memory.take(held, "two")
    memory.forget("two")
    assert sorted(emptied) == ["one", "two"]
    memory.check(0.0)
    tabs.connected.clear()
    memory.check(1.0)
    memory.check(101.0)
    assert sorted(emptied[2:]) == ["one", "two"]
    assert {"one", "two"} <= set(tabs.gone)


def test_a_tab_that_shows_nothing_any_more_is_let_go() -> None:
    """Its work was taken, then it was closed: what Streamlit holds of it goes all the same."""
    memory, tabs = made(1000.0, "one", "two")
    memory.take(memory.begin(ME, "one", worked()), "two")
    tabs.connected.remove("one")
    memory.check(0.0)
    memory.check(GRACE)
    assert tabs.gone == ["one"]
    assert memory.counts()["tables"] == 1


def test_a_browser_without_a_key_loses_its_work_with_its_tab() -> None:
    """No other tab is offered it, and it does not stay for the time that others have."""
    memory, tabs = made(3600.0, "one")
    memory.begin("", "one", worked())
    assert memory.elsewhere("", "two") == []
    memory.check(0.0)
    tabs.connected.clear()
    assert memory.waiting("", "two") is None
    memory.check(1.0)
    memory.check(1.0 + GRACE)
    assert memory.counts()["sessions"] == 0


def test_what_was_left_last_comes_back_not_what_was_touched_last() -> None:
    """A tab that was closed a while ago does not take the place of the one that is loaded anew."""
    memory, tabs = made(600.0, "old", "mine")
    memory.begin(ME, "old", worked()).session.touched = 9.0
    mine = memory.begin(ME, "mine", worked())
    mine.session.touched = 1.0
    tabs.connected.remove("old")
    memory.check(0.0)
    tabs.connected.remove("mine")
    assert memory.waiting(ME, "new") is mine


def test_that_time_is_up_is_told_once() -> None:
    memory, _tabs = made(10.0)
    memory.begin(ME, "one", worked())
    assert not memory.ended(ME)
    memory.check(0.0)
    memory.check(10.0)
    assert memory.ended(ME)
    assert not memory.ended(ME)


def test_the_file_of_the_command_is_for_who_has_its_address() -> None:
    """Where others can reach the server; else for the first that comes."""
    memory, _ = made()
    memory.pending, memory.password = b"project", "word"
    assert memory.take_pending() is None
    assert memory.take_pending("other") is None
    assert memory.take_pending("word") == b"project"
    assert memory.take_pending("word") is None
    memory.pending, memory.password = b"project", ""
    assert memory.take_pending() == b"project"


def test_a_fault_in_the_end_of_one_leaves_nothing_of_its_tab() -> None:
    """Uploads go even where ending the work fails."""

    class Stubborn(Session):
        def end(self) -> None:
            raise RuntimeError

    memory, tabs = made(10.0)
    held = Stubborn()
    held.load(pd.DataFrame({"a": [1]}), "a.csv")
    memory.begin(ME, "one", held)
    memory.check(0.0)
    with pytest.raises(RuntimeError):
        memory.check(10.0)
    assert "one" in tabs.gone
    assert memory.counts()["sessions"] == 0


def test_signing_out_ends_the_key_unless_there_is_other_work() -> None:
    """A tab that has its table open still would not come back to it."""
    memory, _ = made(600.0, "one", "two")
    given = memory.browsers.hand_over("", "")
    proof = memory.browsers.redeem(given.ticket)
    assert proof is not None
    held = worked()
    memory.begin(proof.browser, "one", held)
    memory.begin(proof.browser, "two", Session())
    assert not memory.sign_out("two")
    assert memory.browsers.knows(given.key)
    held.end()
    assert memory.sign_out("one")
    assert not memory.browsers.knows(given.key)
    assert not memory.sign_out("nobody")
