"""Where a server stands: behind a proxy, under TLS, below a path, beside other users of the computer."""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import requests

from benchmarks.doors.keys import with_table
from tests.browser.conftest import server
from tests.browser.thorough.test_nginx import certificate

NOBODY = 65534
START = ("-m", "dashboard.server.launcher", "--headless")


def raw(address: str, request: bytes) -> bytes:
    """What a server says to these bytes, until it hangs up or says nothing for three seconds."""
    place = urlsplit(address)
    said = b""
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=3) as line:
        line.sendall(request)
        try:
            while piece := line.recv(65_536):
                said += piece
        except TimeoutError:
            said += b"<still open>"
    return said


def proxied() -> Iterator[tuple[str, int, int]]:
    """Who reaches the port and not the proxy, or says more than one thing."""
    with tempfile.TemporaryDirectory() as folder:
        secret = Path(folder) / "secret"
        secret.write_text("s" * 43)
        secret.chmod(0o600)
        more = ("--behind-proxy", "X-Remote-User", "--proxy-secret-file", str(secret), "--port")
        with server((*START, *more)) as address:
            good = [("X-Diptych-Proxy-Secret", "s" * 43), ("X-Remote-User", "ada"), ("X-Forwarded-Proto", "https")]
            wrong = [
                [],
                good[1:],
                [("X-Diptych-Proxy-Secret", "s" * 42), *good[1:]],
                [good[0], *good],
                [*good, ("X-Remote-User", "eve")],
                [good[0], good[2]],
                [good[0], ("X-Remote-User", " "), good[2]],
                [good[0], ("X-Remote-User", "a" * 201), good[2]],
                [good[0], good[1]],
                [good[0], good[1], ("X-Forwarded-Proto", "http")],
                [*good, ("X-Forwarded-Host", "a, b")],
                [*good, ("X-Forwarded-Host", "a"), ("X-Forwarded-Host", "b")],
                [*good, ("Origin", "https://elsewhere.example")],
            ]
            through = 0
            for headers in wrong:
                lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
                said = raw(address, f"GET / HTTP/1.1\r\nHost: ward\r\nConnection: close\r\n{lines}\r\n".encode())
                through += not said.startswith((b"HTTP/1.1 4",))
            yield "a request that is not the proxy's, or names two users or hosts", len(wrong), through


def encrypted() -> Iterator[tuple[str, int, int]]:
    """Old TLS, no TLS, and cookies that would go without it."""
    with tempfile.TemporaryDirectory() as folder:
        certfile, keyfile = certificate(Path(folder))
        more = ("--certfile", str(certfile), "--keyfile", str(keyfile), "--port")
        with server((*START, *more), scheme="https") as address:
            place = urlsplit(address)
            through = 0
            for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
                context.minimum_version = context.maximum_version = version
                context.set_ciphers("ALL:@SECLEVEL=0")
                try:
                    with socket.create_connection((place.hostname or "", place.port or 0)) as line:
                        context.wrap_socket(line).close()
                    through += 1
                except (ssl.SSLError, OSError):
                    pass
            yield "a handshake of TLS 1.0 or 1.1", 2, through
            plain = raw(address, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            yield "an answer without TLS", 1, int(plain.startswith(b"HTTP/1.1 200"))
            page = requests.get(f"{address}/", headers={"Accept": "text/html"}, verify=False, timeout=60)  # noqa: S501
            cookies = page.raw.headers.getlist("set-cookie")
            bad = [one for one in cookies if "secure" not in one.lower() or "samesite" not in one.lower()]
            yield "a cookie that goes without TLS, or to other sites", len(cookies), len(bad)


def below_a_path() -> Iterator[tuple[str, int, int]]:
    """Addresses beside and above the path of a server."""
    with server((*START, "--base", "/ward", "--port"), base="/ward") as address:
        bare = address.removesuffix("/ward")
        places = [
            "/diptych/held", "/diptych/key", "/_stcore/host-config", "/_stcore/stream", "/media/a.csv",
            "/diptych/network.js", "/ward/../diptych/held", "/ward/diptych/../../etc/passwd",
            "/ward/diptych/%2e%2e/%2e%2e/etc/passwd", "/ward//diptych/held", "/wards/diptych/held",
            "/ward/diptych/..%2fstandalone.py", "/ward%2fdiptych/held",
        ]  # fmt: skip
        through = 0
        for place in places:
            said = raw(bare, f"GET {place} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            status, _, rest = said.partition(b"\r\n")
            through += status.startswith(b"HTTP/1.1 200") and b"<!doctype html" not in rest.lower()
        yield "an address beside the path, or above it", len(places), through


def other_users() -> Iterator[tuple[str, int, int]]:
    """Another user of this computer asks for the operator's socket, note and secret. Needs root, to become nobody."""
    if os.name == "nt" or os.getuid() != 0:
        return
    with tempfile.TemporaryDirectory() as state:
        Path(state).chmod(0o755)
        with server((*START, "--port"), XDG_STATE_HOME=state):
            (note,) = Path(state).glob("diptych/servers/*/*.json")
            place = json.loads(note.read_text())["place"]
            tries = [
                f"open({str(note)!r}).read()",
                f"import os; os.listdir({str(note.parent)!r})",
                f"from multiprocessing.connection import Client; Client({place!r})",
                f"import os; os.unlink({str(note)!r})",
                f"import os, signal; os.kill({note.stem}, signal.SIGTERM)",
                f"open('/proc/{note.stem}/environ').read()",
                f"open('/proc/{note.stem}/mem', 'rb').read(1)",
            ]
            through = 0
            for code in tries:
                through += (
                    subprocess.run(
                        ["/usr/bin/env", "python3", "-c", code],
                        user=NOBODY,
                        group=NOBODY,
                        stderr=subprocess.DEVNULL,
                        cwd="/",
                    ).returncode
                    == 0
                )
            yield "another local user reads, asks or stops the server", len(tries), through


def workers() -> Iterator[tuple[str, int, int]]:
    """What a worker takes from the folder that the server is started in, and what it is told of the server's keys."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("json", "numpy", "engine", "pyarrow", "sitecustomize"):
            (Path(folder) / f"{name}.py").write_text(
                "import pathlib; pathlib.Path('taken').touch(); raise SystemExit(1)"
            )
        file = Path(folder) / "token"
        file.write_text("t" * 43)
        code = f"import os, sys; sys.path[:] = [p for p in sys.path if p]; os.chdir({folder!r}); from dashboard.server.launcher import main; main(sys.argv[1:])"  # noqa: E501
        with server(("-P", "-c", code, "--headless", "--port")) as address:
            user = with_table(address, 1)
            user.go("group_difference")
            user.press("Compare the groups")
            user.wait(user.has_result)
            taken = (Path(folder) / "taken").exists()
            yield "a worker runs a module of the folder it is started in", 5, int(taken)
            found = 0
            looked = 0
            for process in Path("/proc").glob("[0-9]*"):
                try:
                    line = (process / "cmdline").read_bytes()
                    told = (process / "environ").read_bytes()
                except OSError:
                    continue
                if b"dashboard.jobs.process" in line or b"engine.worker.channel" in line:
                    looked += 1
                    found += any(value.encode() in told + line for value in user._http.cookies.get_dict().values())
            yield "a key stands in the environment or the arguments of a worker", looked, found
            user.close()


def lengths() -> Iterator[tuple[str, int, int]]:
    """Two requests in one, by two lengths; and what the answers say of the server."""
    with server((*START, "--port")) as address:
        smuggled = b"GET /diptych/boot HTTP/1.1\r\nHost: localhost\r\n\r\n"
        head = b"POST /diptych/key HTTP/1.1\r\nHost: localhost\r\n"
        tries = [
            head + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
            head + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + smuggled,
            head + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n" + smuggled,
            head + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + smuggled,
            head + b"Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n\r\n" + smuggled,
        ]
        answers = [raw(address, one) for one in tries]
        through = sum(said.count(b"HTTP/1.1") != 1 or said.endswith(b"<still open>") for said in answers)
        yield "a second request behind two lengths is answered", len(tries), through
        named = sum(b"\r\nserver:" in said.lower() for said in [*answers, raw(address, smuggled)])
        yield "an answer names the program that carries the pages", len(tries) + 1, named
