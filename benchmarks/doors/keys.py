"""Keys, secrets and tokens: stolen, planted, used again, guessed."""

from __future__ import annotations

import secrets
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import requests

from benchmarks.dashboard.users import COMMAND, User, table_of
from tests.browser.conftest import free_port, server

TIMES = 100


def cookies_of(user: User) -> dict[str, str]:
    """Those of a client, by name."""
    return {str(name): str(value) for name, value in user._http.cookies.get_dict().items()}


def with_table(address: str, number: int) -> User:
    """A client that has opened a table."""
    user = User(address, number)
    user.drop(table_of(number))
    user.wait(lambda: f"user{number}_group" in str(user.elements))
    return user


def post(address: str, cookies: dict[str, str], secret: str) -> requests.Response:
    """What a page does that hands its secret over."""
    return requests.post(
        f"{address}/diptych/key", json={"secret": secret}, cookies=cookies, headers={"Origin": address}, timeout=60
    )


def attempts() -> Iterator[tuple[str, int, int]]:
    """Somebody has the key, the address of a tab, of an upload or of a file, and not the secret."""
    with server(COMMAND) as address:
        victim = with_table(address, 1)
        known = cookies_of(victim)
        (key,) = [name for name in known if name.endswith(address.rsplit(":", 1)[1])]
        names = {post(address, known, secrets.token_urlsafe(32)).json()["secret"] for _ in range(TIMES)}
        yield "a stolen key with a wrong secret becomes the browser of the key", TIMES, TIMES - len(names)
        through = 0
        for _ in range(TIMES):
            planted = post(address, {}, "").cookies.get_dict()  # a key of the attacker's, put into the victim's browser
            given = post(address, planted, secrets.token_urlsafe(32))
            through += given.cookies.get_dict()[key] == planted[key]
        yield "a planted key stays the key of who signs in with it", TIMES, through
        (urls,) = victim.ask_for_uploads("more.csv")
        through, tried = 0, 0
        for method in ("PUT", "DELETE", "OPTIONS"):
            for place in (urls.upload_url, urls.delete_url):
                stranger = requests.Session()
                stranger.get(f"{address}/", headers={"Accept": "text/html"}, timeout=60)
                stranger.get(f"{address}/_stcore/health", timeout=60)
                xsrf = stranger.cookies.get("_streamlit_xsrf", "")
                for cookies in ({}, post(address, {}, "").cookies.get_dict()):
                    stranger.cookies.update(cookies)
                    tried += 1
                    answer = stranger.request(
                        method,
                        f"{address}/{place.lstrip('/')}",
                        files={"f": ("f", b"a,b\n1,2\n")},
                        headers={"X-Xsrftoken": str(xsrf), "Origin": address},
                        timeout=60,
                    )
                    through += answer.status_code < 400
        yield "an upload's address replaces or deletes a table of another browser", tried, through
        victim.close()


def guesses() -> Iterator[tuple[str, int, int]]:
    """Tokens that were never given out; whether a good beginning takes longer to refuse than a bad one."""
    with tempfile.TemporaryDirectory() as folder:
        token, file = secrets.token_urlsafe(32), Path(folder) / "token"
        file.write_text(token)
        file.chmod(0o600)
        with server(("-m", "dashboard.server.launcher", "--headless", "--token-file", str(file), "--port")) as address:
            seconds: dict[bool, list[float]] = {False: [], True: []}
            through = 0
            client = requests.Session()
            for turn in range(1_000):
                good = bool(turn % 2)
                guess = token[:-1] + ("A" if token[-1] != "A" else "B") if good else secrets.token_urlsafe(32)
                begun = time.perf_counter()
                answer = client.post(
                    f"{address}/diptych/token",
                    json={"token": guess, "secret": ""},
                    headers={"Origin": address},
                    timeout=60,
                )
                seconds[good].append(time.perf_counter() - begun)
                through += answer.status_code != 403
            yield "a guessed token opens the server", 1_000, through
            low, high = (statistics.quantiles(seconds[good], n=4) for good in (False, True))
            yield "a token of which all letters but one are right takes longer to refuse", 500, int(high[0] > low[2])
            pages = [client.get(f"{address}{place}", timeout=60) for place in ("/diptych/held", "/_stcore/host-config")]
            yield "who was refused sees what the server holds", 2, sum(page.ok for page in pages)


def restarts() -> Iterator[tuple[str, int, int]]:
    """Keys, secrets and tabs of a server that ran on the same port before."""
    port = free_port()
    with server(COMMAND, port) as address:
        victim = with_table(address, 1)
        cookies, tab = cookies_of(victim), victim._session
        given = post(address, cookies, "").json()
        victim.close()
    with server(COMMAND, port) as address:
        held = [
            requests.get(f"{address}/diptych/held", cookies=cookies, timeout=60).ok,
            post(address, cookies, given["secret"]).json()["secret"] == given["secret"],
            requests.put(f"{address}/_stcore/upload_file/{tab}/x", cookies=cookies, timeout=60).ok,
        ]
        yield "a key, a secret or a tab holds at the next server of a port", len(held), sum(held)
