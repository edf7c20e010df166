"""A tab arrives: back to its work, beside another tab, or at a server that has forgotten it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.server import memory
from dashboard.server.browsers import Proof, new_key
from dashboard.server.limits import UserLimits
from dashboard.server.memory import Memory
from dashboard.session import arrival
from dashboard.session.session import Session
from engine import LogLinear

ME = "m" * 43


class Browser:
    """One browser whose tabs are tests of Streamlit's own."""

    def __init__(self) -> None:
        self.tab = ""
        self.connected: set[str] = set()
        self.memory = Memory(600.0, self.connected.__contains__)
        self.proof: Proof | None = Proof(ME)
        self.pages: dict[str, AppTest] = {}

    def open(self, tab: str) -> AppTest:
        """A page with the arrival on it, drawn in this tab."""

        def page() -> None:
            import streamlit as st

            from dashboard.session.session import session
            from dashboard.views.session.arriving import greet

            greet()
            st.selectbox("Choice", ["a", "b", "c"], key="page.choice")
            st.text(session().source or "empty")

        self.tab = tab
        self.connected.add(tab)
        self.pages[tab] = self.pages.get(tab) or AppTest.from_function(page, default_timeout=30)
        return self.pages[tab].run()

    def close(self, tab: str) -> None:
        self.connected.discard(tab)
        self.pages.pop(tab)


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    made = Browser()
    before = memory.memory()
    memory.remember(made.memory)
    monkeypatch.setattr(arrival, "this_tab", lambda: made.tab)
    monkeypatch.setattr(arrival, "this_proof", lambda: made.proof)
    yield made
    memory.remember(before)


def work_in(at: AppTest) -> Session:
    """A table is opened in a tab."""
    held: Session = at.session_state["diptych"]
    held.load(pd.DataFrame({"a": [1]}), "mine.csv")
    return held


def shown(at: AppTest) -> str:
    return " ".join(one.value for one in at.text)


def titles(at: AppTest) -> list[str]:
    return [one.value for one in at.title]


def test_a_reload_shows_the_same_work_and_says_so(browser: Browser) -> None:
    held = work_in(browser.open("one"))
    browser.memory.let_go = lambda tab: {"page.choice": "b"}
    browser.close("one")
    at = browser.open("two")
    assert at.session_state["diptych"] is held
    assert shown(at) == "mine.csv"
    assert at.selectbox[0].value == "b"
    assert any("Back where you were" in one.value for one in at.toast)
    assert not any("Back where you were" in one.value for one in browser.open("two").toast)


def test_a_second_tab_chooses(browser: Browser) -> None:
    """It is told of the first; here or anew, and the first says where its work went."""
    held = work_in(browser.open("one"))
    at = browser.open("two")
    assert titles(at) == ["Your work is open in another tab"]
    at.button(key="session.here").click().run()
    assert at.session_state["diptych"] is held
    first = browser.open("one")
    assert titles(first) == ["Your work went to another tab"]
    first.button(key="session.back").click().run()
    assert shown(browser.open("one")) == "mine.csv"
    assert titles(browser.open("two")) == ["Your work went to another tab"]


def test_a_second_tab_has_the_work_once_the_first_is_closed(browser: Browser) -> None:
    """An address typed in the same tab may arrive seconds before the server knows that the old page is gone."""
    held = work_in(browser.open("one"))
    assert titles(browser.open("two")) == ["Your work is open in another tab"]
    browser.close("one")
    at = browser.open("two")
    assert titles(at) == []
    assert at.session_state["diptych"] is held


def test_a_second_tab_begins_anew(browser: Browser) -> None:
    """What it then does is its own, and the first keeps what it has."""
    work_in(browser.open("one"))
    at = browser.open("two")
    at.button(key="session.anew").click().run()
    assert shown(at) == "empty"
    assert shown(browser.open("one")) == "mine.csv"


def test_an_empty_tab_is_nobodys_business(browser: Browser) -> None:
    """Two tabs in which nothing was done stand side by side without a word."""
    browser.open("one")
    assert shown(browser.open("two")) == "empty"


def test_a_taken_tab_whose_taker_is_closed_has_its_work_back(browser: Browser) -> None:
    work_in(browser.open("one"))
    at = browser.open("two")
    at.button(key="session.here").click().run()
    browser.close("two")
    assert shown(browser.open("one")) == "mine.csv"


def test_a_server_that_was_started_again_says_so_once(browser: Browser) -> None:
    """A browser with a secret that it did not give: what was open is gone, and that is said until it is read."""
    browser.proof = Proof(ME, "its name at the server before")
    at = browser.open("one")
    assert any("started again" in one.value for one in at.markdown)
    at.button(key="session.restarted").click().run()
    assert not any("started again" in one.value for one in browser.open("one").markdown)


def test_forgetting_leaves_nothing(browser: Browser) -> None:
    """Weak references to the table and to what stood in the tab are dead after one press, with the tab open."""

    def page() -> None:
        import streamlit as st

        from dashboard.views.session.arriving import greet
        from dashboard.views.shared.foot import forget, show_foot

        greet()
        show_foot()
        st.text_input("A name from the table", key="page.name")
        if st.button("Forget"):
            forget()

    browser.tab = "one"
    browser.connected.add("one")
    at = AppTest.from_function(page, default_timeout=30).run()
    table: Any = pd.DataFrame({"a": [1]})
    at.session_state["diptych"].load(table, "mine.csv")
    at.text_input(key="page.name").set_value("Mrs Miller").run()
    gone = weakref.ref(table)
    del table
    at.button[-1].click().run()
    gc.collect()
    assert gone() is None
    assert browser.memory.counts()["tables"] == 0
    assert at.run().text_input(key="page.name").value == ""


def test_a_button_of_a_tab_that_was_taken_away_does_nothing(browser: Browser) -> None:
    """Its page was drawn before the work went to another tab; pressed now it must not change what that tab shows."""
    work_in(browser.open("one"))
    browser.memory.watching = True
    pressed: list[str] = []
    browser.tab = "one"
    arrival.if_here(pressed.append, "mine")
    browser.open("two").button(key="session.here").click().run()
    browser.tab = "one"
    arrival.if_here(pressed.append, "stale")
    browser.tab = "two"
    arrival.if_here(pressed.append, "taken")
    assert pressed == ["mine", "taken"]


def test_a_page_without_a_tab_or_without_anybody_watching_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """No connection; or no key, where nobody looks after tabs: nothing is begun."""
    known, before = Memory(600.0), memory.memory()
    monkeypatch.setattr(memory, "_memory", known)
    for tab, key, watching in (("", ME, False), ("", "", True), ("one", "", False)):
        known.watching = watching
        monkeypatch.setattr(arrival, "this_tab", lambda tab=tab: tab)
        monkeypatch.setattr(arrival, "this_proof", lambda key=key: Proof(key))
        assert arrival.arrive() == arrival.Arrival("here")
        assert known.of(tab) is None
    assert before is not known


def test_nothing_is_shown_and_no_session_opens_before_the_secret_is_handed_over(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first run of a tab is one silent component; only a ticket of this server opens what stands behind it."""
    browser.memory.watching, browser.proof = True, None
    at = browser.open("one")
    assert not (at.text or at.selectbox or at.title or at.markdown)
    assert "diptych" not in at.session_state
    assert browser.memory.of("one") is None
    ticket = browser.memory.browsers.hand_over("", "").ticket
    for handed in (None, "x", {}, {"ticket": "A" * 43, "stored": True}, {"ticket": 1}, {"stored": True}):
        assert proof_of(handed, monkeypatch) is None
    assert proof_of({"ticket": ticket, "stored": True}, monkeypatch) == Proof(
        next(iter(browser.memory.browsers._browsers))
    )
    assert proof_of({"ticket": ticket, "stored": True}, monkeypatch) is None
    bare = browser.memory.browsers.hand_over("", "")
    proof = proof_of({"ticket": bare.ticket, "stored": False}, monkeypatch)
    assert proof == Proof(holder=browser.memory.browsers.name_of(bare.key))
    again = browser.memory.browsers.hand_over(bare.key, "")  # its next tab is of the same browser, of no other's
    assert proof_of({"ticket": again.ticket, "stored": False}, monkeypatch) == proof
    for secret, user in ((new_key(), ""), ("", "eve")):
        other = browser.memory.browsers.hand_over(again.key, secret, user)
        assert browser.memory.browsers.name_of(other.key) != proof.holder


def proof_of(handed: Any, monkeypatch: pytest.MonkeyPatch) -> Proof | None:
    """What a tab knows after its page has said this."""
    state: dict[str, Any] = {"widget": SimpleNamespace(handed=handed)}
    monkeypatch.setattr(arrival.st, "session_state", state)
    arrival.take_ticket("widget")
    proof: Proof | None = state.get("diptych.proof")
    return proof


def test_a_third_tab_is_offered_what_was_begun_last(browser: Browser) -> None:
    work_in(browser.open("one"))
    at = browser.open("two")
    at.button(key="session.anew").click().run()
    later = work_in(at)
    third = browser.open("three")
    third.button(key="session.here").click().run()
    assert third.session_state["diptych"] is later


def test_a_tab_waits_a_second_for_the_one_before_it_to_close(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten looks; where it closes meanwhile its work is there without a question, and nobody waits for nothing."""
    clock, slept = [100.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock[0] += seconds
        if len(slept) == closes:
            browser.close("one")

    def monotonic() -> float:
        clock[0] += 0.001  # a moment for each look, so that whoever does not sleep comes to an end
        return clock[0]

    monkeypatch.setattr(arrival, "time", SimpleNamespace(sleep=sleep, monotonic=monotonic))
    closes = 99
    held = work_in(browser.open("one"))
    assert slept == []
    assert titles(browser.open("two")) == ["Your work is open in another tab"]
    assert slept == [0.1] * 10
    browser.close("two")
    slept.clear()
    closes = 3
    assert browser.open("three").session_state["diptych"] is held
    assert len(slept) == 3


def test_work_that_comes_back_asks_as_it_asked_last(browser: Browser) -> None:
    """Its forms begin with what ran; what the new tab says already stays as it is said there."""
    held = work_in(browser.open("one"))
    held.page("log_linear").method = LogLinear(criterion="bic")
    browser.memory.let_go = lambda tab: {"page.choice": "b", "page.other": "kept"}
    browser.close("one")
    at = browser.open("two")
    assert held.page("log_linear").settings["criterion"] == "bic"
    assert at.session_state["page.other"] == "kept"
    stored = browser.memory.of("two")
    assert stored is not None
    assert stored.values == {}


def test_what_was_saved_before_a_restart_goes_on_under_the_new_name(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[tuple[str, str]] = []
    monkeypatch.setattr(arrival, "inherit_last", lambda earlier, now: names.append((earlier, now)))
    browser.open("one")
    assert names == []
    browser.proof = Proof(ME, "before")
    browser.open("two")
    assert names == [("before", ME)]


@pytest.fixture
def state(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What this tab keeps, without a page; somebody looks after tabs."""
    values: dict[str, Any] = {}
    monkeypatch.setattr(arrival.st, "session_state", values)
    browser.tab, browser.memory.watching = "one", True
    browser.connected.add("one")
    return values


def test_a_browser_that_keeps_nothing_has_its_work_as_long_as_the_tab(browser: Browser, state: dict[str, Any]) -> None:
    """It begins once; whose its jobs are is said; and the server holds it though nobody comes back to it."""
    browser.proof = Proof()
    browser.memory.limits = UserLimits(sessions=2, jobs=2, cpu_seconds=60)
    assert [arrival.arrive().how, arrival.arrive().how] == ["new", "here"]
    stored = browser.memory.of("one")
    assert stored is not None
    assert (stored.session, stored.browser, stored.session.job_queue.owner) == (state["diptych"], "", "one")
    assert (arrival.left_behind(), arrival.is_let_go()) == (None, False)
    browser.memory._stored.clear()
    assert arrival.is_let_go()
    browser.memory.watching = False
    assert not arrival.is_let_go()


def test_what_a_browser_left_is_found_by_its_name_alone(browser: Browser, state: dict[str, Any]) -> None:
    """Not what another one left, and not what its own tab shows."""
    mine, theirs = (Session(table=pd.DataFrame({"a": [1]})) for _ in range(2))
    browser.memory.begin(ME, "left", mine)
    browser.memory.begin("t" * 43, "foreign", theirs)
    left = arrival.left_behind()
    assert left is not None
    assert left.session is mine
    browser.memory.begin(ME, "one", Session(table=mine.table))
    assert arrival.left_behind() is left


def test_whose_a_tab_is_must_be_proven_where_somebody_looks_after_tabs(browser: Browser, state: dict[str, Any]) -> None:
    """Not without a connection, as in a test of a page; and once is enough."""
    needed = []
    for watching, tab, proof in ((True, "one", None), (True, "one", Proof(ME)), (True, "", None), (False, "one", None)):
        browser.memory.watching, browser.tab, browser.proof = watching, tab, proof
        needed.append(arrival.needs_proof())
    assert needed == [True, False, False, False]


def test_a_browser_that_signs_out_proves_itself_anew(browser: Browser, state: dict[str, Any]) -> None:
    """Where the server knows it, and no other tab has work; else nothing changes."""
    state.update({"diptych.proof": Proof(ME), "diptych.arrived": True, "page.choice": "b"})
    arrival.sign_out()
    assert len(state) == 3
    browser.memory.begin(ME, "one", Session())
    arrival.sign_out()
    assert state == {"page.choice": "b"}
    arrival.sign_out()
