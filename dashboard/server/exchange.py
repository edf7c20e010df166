"""What a page posts to learn who it is: the secret of its browser, or the token of a server that others can reach.

Who brings the token of the link gets a key of its own. The token stands after the # of an address, which no browser
sends: a landing page posts it, takes it out of the address, and goes on by itself.
"""

from __future__ import annotations

import json
import secrets
from typing import Any

from dashboard.server.browsers import DAYS, Access, Handover
from dashboard.server.log import Subject, log_action
from dashboard.server.memory import memory
from dashboard.server.proxy import user_of

LONGEST = 1_000
"""Bytes of a request that hands something over."""
LANDING = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Diptych</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; margin: 20vh auto; max-width: 32em; padding: 0 1em; }</style>
</head>
<body>
<h1>Diptych</h1>
<p id="words">One moment.</p>
<noscript><p>Diptych needs JavaScript.</p></noscript>
<script type="module" src="{base}/diptych/landing.js"></script>
</body>
</html>
"""


async def exchange_key(request: Any, access: Access) -> Any:
    """A page hands over its browser's secret; it gets a ticket for its tab, the secret to keep, and the next key.

    Where a token is asked for, a key without its secret is worth nothing and is taken away.
    """
    secret = (await _posted(request)).get("secret")
    if not isinstance(secret, str) or not secret.isascii():
        return _refusal(400)
    key = request.cookies.get(access.key_cookie, "")
    user = user_of(request.scope)
    if access.token and not memory().browsers.proves(key, secret, user):
        answer = _refusal(403)
        answer.headers.append("set-cookie", access.cookie(access.key_cookie, "") + "; Max-Age=0")
        return answer
    given = memory().browsers.hand_over(key, secret, user)
    return _answer(given, {"secret": given.secret, "ticket": given.ticket}, access)


async def exchange_token(request: Any, access: Access) -> Any:
    """A landing page posts the token of its link; it gets a key, and the secret that belongs to it."""
    posted = await _posted(request)
    token, secret = posted.get("token"), posted.get("secret")
    if not isinstance(token, str) or not isinstance(secret, str) or not secret.isascii():
        return _refusal(400)
    key = request.cookies.get(access.key_cookie, "")
    brought = bool(access.token) and secrets.compare_digest(token.encode("utf-8", "replace"), access.token.encode())
    user = user_of(request.scope)
    if not brought and not memory().browsers.proves(key, secret, user):  # one that is known came by the link before
        return _refusal(403)
    given = memory().browsers.hand_over(key, secret, user)
    return _answer(given, {"secret": given.secret}, access)


async def _posted(request: Any) -> dict[str, Any]:
    """Read what was posted; nothing where it is no JSON, or too long to be what is asked for."""
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > LONGEST:
            return {}
    try:
        posted = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return posted if isinstance(posted, dict) else {}


def _answer(given: Handover, content: dict[str, str], access: Access) -> Any:
    from starlette.responses import JSONResponse

    answer = JSONResponse(content, headers={"cache-control": "no-store"})
    answer.headers.append("set-cookie", access.cookie(access.key_cookie, given.key, DAYS))
    return answer


def _refusal(status: int) -> Any:
    from starlette.responses import PlainTextResponse

    log_action("refusal", "key", Subject())
    return PlainTextResponse("This is not what this server gave out.", status_code=status)
