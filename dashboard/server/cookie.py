"""The random key by which the server knows a browser again, in a cookie that no script can read."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

DAYS = 30
"""How long a browser is known, and what it saved last is offered to it."""
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")


def cookie_name(port: int | str) -> str:
    """Its name: a browser sends the cookies of all ports of a host, so each server has a name of its own."""
    return f"diptych-{port}"


def new_key() -> str:
    """256 random bits."""
    return secrets.token_urlsafe(32)


def browser_key(cookies: Mapping[str, str], port: int | str) -> str:
    """The key among a browser's cookies; "" where there is none that we could have given."""
    result = cookies.get(cookie_name(port), "")
    return result if _KEY.fullmatch(result) else ""


def cookies_of(header: str) -> dict[str, str]:
    """The cookies of a request by name; nothing where the header is no such list."""
    try:
        return {name: item.value for name, item in SimpleCookie(header).items()}
    except CookieError:
        return {}


def set_cookie(key: str, port: int | str) -> str:
    """The header that gives a browser its key: sent back to this server's own pages only.

    It lasts as long as what was saved last is offered, so that a browser that was closed can have it, and forget it.
    """
    return f"{cookie_name(port)}={key}; Path=/; HttpOnly; SameSite=Strict; Max-Age={DAYS * 86_400}"
