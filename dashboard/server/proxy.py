"""A proxy that says who its user is, and under which address it is reached: believed only where it knows the secret.

A program on the same computer reaches the port as well as the proxy does, so the proxy shows a secret with every
request. Whoever does not is answered with a sentence; what a browser sends under these names is no more than that.
"""

from __future__ import annotations

import secrets
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

SECRET = b"x-diptych-proxy-secret"
"""The header by which the proxy is known."""
USER = b"x-diptych-user"
"""The header under which pages are given the user, percent-encoded: ours, whatever a request said there."""
USER_KEY = "diptych"
"""What Streamlit calls it."""
LONGEST_NAME = 200
_HOST, _FORWARDED_HOST, _FORWARDED_SCHEME = b"host", b"x-forwarded-host", b"x-forwarded-proto"

Scope = MutableMapping[str, Any]


@dataclass(frozen=True)
class Proxy:
    """The proxy before this server.

    Attributes
    ----------
    header : in which it names the user, in small letters
    secret : that it sends with every request
    """

    header: str
    secret: str

    def refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and sentence for a request that is not the proxy's, or says too little or too much."""
        shown = _values(scope, SECRET)
        if len(shown) != 1 or not secrets.compare_digest(shown[0], self.secret.encode()):
            return 403, "This server is reached through its proxy only."
        users = _values(scope, self.header.encode())
        if len(users) != 1:
            return 403, "The proxy named more than one user." if users else "The proxy named no user."
        name = _text(users[0])
        if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            return 403, "The proxy named no user."
        schemes, hosts = _values(scope, _FORWARDED_SCHEME), _values(scope, _FORWARDED_HOST)
        if schemes != [b"https"]:
            return 400, "Behind a proxy Diptych is served over TLS: X-Forwarded-Proto has to say https."
        if len(hosts) > 1 or any(b"," in host for host in hosts):
            return 400, "The proxy named more than one host."
        return None

    def user(self, scope: Scope) -> str:
        """Whose request it is."""
        return _text(_values(scope, self.header.encode())[0]).strip()

    def translated(self, scope: Scope) -> Scope:
        """The request as its browser sent it: to that host, and with its user in a header of ours."""
        user = self.user(scope)
        hosts = _values(scope, _FORWARDED_HOST) or _values(scope, _HOST)
        replaced = {SECRET, USER, self.header.encode(), _HOST}
        headers = [pair for pair in scope["headers"] if pair[0].lower() not in replaced]
        headers += [(_HOST, host) for host in hosts[:1]] + [(USER, quote(user).encode())]
        return {**scope, "headers": headers, USER_KEY: user}


def user_of(scope: Scope) -> str:
    """Whose request it is, as the guard found it; "" where no proxy names users."""
    return str(scope.get(USER_KEY, ""))


def _text(value: bytes) -> str:
    """A name as proxies send it: in UTF-8, or in the older Latin-1."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for key, value in scope["headers"] if key.lower() == name]
