"""Who a browser is: by a key that this server issued and by the secret that belongs to it, never by one of them."""

from __future__ import annotations

import pytest

from dashboard.server import browsers
from dashboard.server.browsers import OLD_KEY, TICKET, Access, Browsers, Handover, Proof, new_key


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(clock: Clock) -> Browsers:
    return Browsers(clock=clock)


def proven(server: Browsers, given: Handover) -> Proof:
    proof = server.redeem(given.ticket)
    assert proof is not None
    return proof


def test_a_browser_is_known_by_its_key_and_its_secret(server: Browsers) -> None:
    """With both it is the same at every visit; the key is another each time, the secret stays."""
    first = server.hand_over("", "")
    second = server.hand_over(first.key, first.secret)
    assert proven(server, first) == proven(server, second)
    assert second.secret == first.secret
    assert second.key != first.key
    assert {len(first.key), len(first.secret), len(first.ticket)} == {43}


def test_a_key_that_was_never_issued_is_nobodys(server: Browsers) -> None:
    """It gets a new browser, whatever is brought with it."""
    mine = server.hand_over("", "")
    for key in ("A" * 43, new_key(), "", "../../etc"):
        assert not server.knows(key)
        for secret in (mine.secret, "", "A" * 43, "x"):
            assert proven(server, server.hand_over(key, secret)).browser != proven(server, mine).browser
            mine = server.hand_over(mine.key, mine.secret)


def test_a_neighbours_script_with_cookie_port_and_timing_gets_nothing(server: Browsers, clock: Clock) -> None:
    """It reads every key that the victim's browser sends, at once, and may write one into it; the secret it has not."""
    victim = server.hand_over("", "")
    name = proven(server, victim).browser
    for seconds in (0.0, 1.0, OLD_KEY, 5 * OLD_KEY):
        stolen = victim.key
        victim = server.hand_over(victim.key, victim.secret)  # the key is rotated; the old one holds for a minute
        clock.now += seconds
        for key in (stolen, victim.key):
            for secret in ("", victim.key, stolen, new_key(), browsers.browser_name(victim.secret)):
                thief = server.hand_over(key, secret)
                assert proven(server, thief).browser != name
                assert victim.secret not in (thief.secret, thief.key, thief.ticket)
        assert server.redeem(stolen) is None
    # the victim is not thrown out by that
    assert proven(server, server.hand_over(victim.key, victim.secret)).browser == name
    # a key of the thief's own, written over the victim's, does not make the victim work in the thief's place
    trap = server.hand_over("", "")
    assert proven(server, server.hand_over(trap.key, victim.secret)).browser not in (name, proven(server, trap).browser)


def test_an_old_key_holds_for_a_minute(server: Browsers, clock: Clock) -> None:
    """Another tab may be on its way with it; it gets the key that is good now, and no newer one."""
    first = server.hand_over("", "")
    second = server.hand_over(first.key, first.secret)
    clock.now += OLD_KEY - 1
    late = server.hand_over(first.key, first.secret)
    assert late.key == second.key
    assert proven(server, late) == proven(server, second) == proven(server, first)
    clock.now += 1
    assert proven(server, server.hand_over(first.key, first.secret)).browser != proven_name(server, second)


def proven_name(server: Browsers, given: Handover) -> str:
    return proven(server, server.hand_over(given.key, given.secret)).browser


def test_a_ticket_is_good_once_and_for_a_minute(server: Browsers, clock: Clock) -> None:
    given = server.hand_over("", "")
    proven(server, given)
    assert server.redeem(given.ticket) is None
    assert server.redeem("") is None
    late = server.hand_over(given.key, given.secret)
    clock.now += TICKET
    assert server.redeem(late.ticket) is None


def test_signing_out_ends_key_and_secret_without_a_word_of_a_restart(server: Browsers) -> None:
    """Neither counts any more, not even for a minute."""
    given = server.hand_over("", "")
    name = proven(server, given).browser
    server.sign_out(name)
    assert not server.knows(given.key)
    after = proven(server, server.hand_over(given.key, given.secret))
    assert after.browser != name
    assert after.earlier == ""


def test_a_secret_of_a_server_before_is_said_and_never_adopted(server: Browsers) -> None:
    """Its name is known, so that what was saved last is found; the browser gets a secret of this server."""
    before = Browsers().hand_over("", "")
    given = server.hand_over(before.key, before.secret)
    later = server.hand_over(given.key, given.secret)  # what the first was given never reached a tab
    proof = proven(server, later)
    assert proof.earlier == browsers.browser_name(before.secret)
    assert proven(server, given) == Proof(proof.browser)  # said once
    assert given.secret != before.secret
    for nonsense in ("x", "A" * 44, "../../etc"):
        assert proven(server, server.hand_over("", nonsense)).earlier == ""


def test_very_many_browsers_are_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was longest away goes first; one with work never for the sake of such as have none."""
    monkeypatch.setattr(browsers, "MOST_KEYS", 3)
    busy: set[str] = set()
    server = Browsers(busy.__contains__)
    mine = server.hand_over("", "")
    busy.add(proven(server, mine).browser)
    others = [server.hand_over("", "") for _ in range(5)]
    known = [server.knows(given.key) for given in (mine, *others)]
    assert known == [True, False, False, False, True, True]
    assert len(server._browsers) == len(server._keys) == len(server._tickets) == 3
    assert server.redeem(others[0].ticket) is None


def test_keys_are_random_and_servers_have_names_of_their_own() -> None:
    """By port and by base; over TLS the name is one that nobody else can write."""
    assert len({new_key() for _ in range(50)}) == 50
    servers = Access(1), Access(2), Access(1, base="/ward"), Access(1, base="/ward/two"), Access(1, secure=True)
    assert len({name for access in servers for name in (access.key_cookie, access.visit_cookie)}) == 10
    assert "Max-Age=2592000" in Access(1).cookie("a", "b", 30)
    assert "Max-Age" not in Access(1).cookie("a", "b")
    assert Access(1, secure=True).key_cookie == "__Host-diptych-1"
