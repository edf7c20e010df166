"""What a page posts: a secret for a ticket, the token of a link for a key."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.requests import Request

from dashboard.server.browsers import Access, new_key
from dashboard.server.exchange import exchange_key, exchange_token
from dashboard.server.memory import memory

HERE = Access(8501)
LINKED = Access(8501, "t" * 43)


def asked(content: Any, cookie: str = "", access: Access = HERE, exchange: Any = exchange_key) -> Any:
    """What the server answers to a page that posts this."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    headers = [(b"cookie", cookie.encode())]
    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers, "query_string": b""}
    return asyncio.run(exchange(Request(scope, receive), access))


def cookie_in(answer: Any) -> str:
    return str(answer.headers.get("set-cookie", ""))


def test_a_secret_for_a_ticket() -> None:
    """The key comes as a cookie that no script reads and no other site sends; nonsense gets nothing."""
    first = asked({"secret": ""})
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie_in(first).split("; "))
    given = json.loads(first.body)
    again = asked({"secret": given["secret"]}, cookie_in(first).split(";")[0])
    assert json.loads(again.body)["secret"] == given["secret"]
    assert memory().browsers.redeem(json.loads(again.body)["ticket"]) == memory().browsers.redeem(given["ticket"])
    assert cookie_in(again) != cookie_in(first)
    assert again.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("exchange", [exchange_key, exchange_token])
@pytest.mark.parametrize("access", [HERE, LINKED])
def test_nonsense_gets_nothing(exchange: Any, access: Access) -> None:
    """Neither what is no JSON, nor what is too long, nor what holds something else."""
    good = {"token": "t" * 43}
    for content in (b"", b"{}", b"[]", b"null", b"[" * 900, {"secret": 1, **good}, {"secret": "\u00e9", **good}):
        assert asked(content, access=access, exchange=exchange).status_code == 400
    assert asked({"secret": "a" * 2000, **good}, access=access, exchange=exchange).status_code == 400
    assert asked({"secret": ""}, access=access, exchange=exchange_token).status_code == 400


def test_a_token_for_a_key() -> None:
    """Only the token of the link; then the browser is known by its key and secret, and comes back without it."""
    for wrong in ("", "t" * 42, new_key(), "\u00e9" * 43, "\ud800"):
        refused = asked({"token": wrong, "secret": ""}, access=LINKED, exchange=exchange_token)
        assert (refused.status_code, cookie_in(refused)) == (403, "")
    first = asked({"token": "t" * 43, "secret": ""}, access=LINKED, exchange=exchange_token)
    secret, key = json.loads(first.body)["secret"], cookie_in(first).split(";")[0]
    opened = asked({"secret": secret}, key, access=LINKED)
    assert opened.status_code == 200
    key = cookie_in(opened).split(";")[0]
    again = asked({"token": "", "secret": secret}, key, access=LINKED, exchange=exchange_token)
    assert again.status_code == 200
    assert asked({"token": "", "secret": ""}, exchange=exchange_token).status_code == 403  # no token, no way in by one


def test_behind_a_token_a_key_without_its_secret_is_taken_away() -> None:
    """A neighbour that has read the cookie gets no key of its own by it; the victim is not thrown out."""
    first = asked({"token": "t" * 43, "secret": ""}, access=LINKED, exchange=exchange_token)
    key, secret = cookie_in(first).split(";")[0], json.loads(first.body)["secret"]
    for stolen in (key, "", f"diptych-8501={new_key()}"):
        refused = asked({"secret": new_key()}, stolen, access=LINKED)
        assert refused.status_code == 403
        assert "diptych-8501=;" in cookie_in(refused) and "Max-Age=0" in cookie_in(refused)
    assert asked({"secret": secret}, key, access=LINKED).status_code == 200


def test_over_tls_the_key_is_secure() -> None:
    answer = asked({"secret": ""}, access=Access(8501, secure=True))
    assert cookie_in(answer).startswith("__Host-diptych-8501=")
    assert "Secure" in cookie_in(answer).split("; ")
