"""A page that nobody has used for a while is blank until it is unlocked; and work ends with its day."""

from __future__ import annotations

import time

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.server.limits import Lock
from dashboard.session.session import Session
from tests.dashboard.session.test_arrival import Browser, browser, work_in

__all__ = ["browser"]
TOKEN = "a-token-of-the-ward-for-tests"  # noqa: S105 - of this test alone


def said(at: AppTest) -> list[str]:
    return [item.value for item in (*at.title, *at.markdown, *at.text, *at.error, *at.html, *at.toast)]


def unused(browser: Browser, tab: str = "one") -> Session:
    """A tab with work that nobody has used for half an hour."""
    state = work_in(browser.open(tab))
    state.touched = time.monotonic() - 1800
    return state


def test_without_a_lock_the_page_stays(browser: Browser) -> None:
    unused(browser)
    assert "Locked" not in said(browser.open("one"))


def test_the_page_is_blank_until_the_token_is_given(browser: Browser) -> None:
    """Nothing of the table is shown, a wrong token says so, and a reload or another tab opens nothing."""
    browser.memory.lock = Lock(900, TOKEN)
    state = work_in(browser.open("one"))
    assert "Locked" not in said(browser.open("one"))
    state.touched = time.monotonic() - 901
    at = browser.open("one")
    words = said(at)
    assert words[:2] == ["Locked", "Locked after 15 minutes without use. Your work is kept for 10 minutes more."]
    assert not any("mine" in word for word in words)
    assert not at.selectbox
    at.text_input[0].set_value(f"{TOKEN}x")
    at.button[0].click().run()
    assert "This is not the token of this server's link." in said(at)
    offered = " ".join(said(browser.open("beside")))
    assert "work that is locked" in offered and "mine" not in offered
    browser.close("beside")
    browser.close("one")
    at = browser.open("two")
    assert "Locked" in said(at)
    assert not any("mine" in word for word in said(at))
    at.text_input[0].set_value(TOKEN)
    at.button[0].click().run()
    assert "Locked" not in said(at)
    assert at.selectbox
    assert state.locked is None


def test_what_was_saved_last_is_no_way_past_the_lock(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locked work that has ended takes the offer with it; after a restart the link was asked for already."""
    monkeypatch.setattr("dashboard.views.session.arriving.last_saved", lambda browser: b"saved")
    browser.memory.lock = Lock(900, TOKEN)
    unused(browser)
    browser.open("one")
    now = time.monotonic()
    browser.memory.check(now)
    browser.memory.check(now + 601)
    at = browser.open("one")
    assert any("The time is over" in word for word in said(at))
    assert "Open what I saved last" not in [item.label for item in at.button]
    browser.memory.lock = None
    assert "Open what I saved last" in [item.label for item in browser.open("one").button]


def test_what_is_chosen_in_a_part_of_a_page_is_use(browser: Browser) -> None:
    """A look at the clock finds that a widget says something else than at the look before."""
    browser.memory.lock = Lock(900, TOKEN)
    state = work_in(browser.open("one"))
    at = browser.open("one")
    state.touched = before = time.monotonic() - 600
    at.run()
    assert state.touched == before
    at.selectbox[0].select("b").run()
    assert state.touched > before


def test_behind_a_proxy_a_reload_unlocks(browser: Browser) -> None:
    """The page that is loaded anew has passed the proxy; the one that stands stays blank."""
    browser.memory.lock = Lock(900, proxied=True)
    state = unused(browser)
    at = browser.open("one")
    assert "Locked" in said(at)
    assert any('<a href=""' in word for word in said(at))
    assert not at.button
    assert "Locked" in said(browser.open("one"))
    browser.close("one")
    assert "Locked" not in said(browser.open("two"))
    assert state.locked is None


def test_a_page_without_work_is_not_locked(browser: Browser) -> None:
    browser.memory.lock = Lock(900, TOKEN)
    at = browser.open("one")
    state: Session = at.session_state["diptych"]
    state.touched = time.monotonic() - 1800
    assert "Locked" not in said(browser.open("one"))


@pytest.mark.parametrize("locked", [True, False])
def test_locked_work_is_kept_no_longer_than_what_no_tab_shows(browser: Browser, locked: bool) -> None:
    """Though its tab is open; while it is not locked it stays."""
    browser.memory.lock = Lock(900, TOKEN)
    state = work_in(browser.open("one"))
    if locked:
        state.touched = time.monotonic() - 901
        browser.open("one")
    now = time.monotonic()
    browser.memory.check(now)
    browser.memory.check(now + 599)
    assert state.has_work
    browser.memory.check(now + 601)
    assert state.has_work != locked


def test_work_ends_with_its_day(browser: Browser) -> None:
    """Shown or not; without a limit it stays."""
    state = work_in(browser.open("one"))
    browser.memory.check(time.monotonic() + 10**6)
    assert state.has_work
    browser.memory.longest = 12 * 3600.0
    browser.memory.check(time.monotonic() + 12 * 3600 - 60)
    assert state.has_work
    assert "mine.csv" in said(browser.open("one"))
    browser.memory.check(time.monotonic() + 12 * 3600 + 1)
    assert not state.has_work
    words = " ".join(said(browser.open("one")))
    assert (
        "The time is over for which Diptych keeps work: 10 minutes once no tab shows it, and 12\u00a0h 00\u00a0min at"
        in words
    )
    assert "mine.csv" not in words
