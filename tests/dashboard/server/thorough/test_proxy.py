"""The command itself behind a proxy."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.conftest import free_port
from tests.dashboard.server.test_proxy import SECRET
from tests.floor.tree import ROOT


@contextmanager
def served(tmp_path: Path) -> Iterator[int]:
    """The command behind a proxy; its port."""
    file, port = tmp_path / "secret", free_port()
    file.write_text(SECRET)
    options = [
        "--port",
        str(port),
        "--base",
        "/ward",
        "--behind-proxy",
        "X-Remote-User",
        "--proxy-secret-file",
        str(file),
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "dashboard.server.launcher", "--jobs", "1", *options],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"Diptych is at http://127.0.0.1:")
        yield port
    finally:
        process.terminate()
        process.wait(20)


async def proxied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    """A small proxy: the user is whom `Authorization: Test NAME` says; all that a browser says of itself it drops."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    given = dict(line.split(": ", 1) for line in head[1:] if line)
    user = given.pop("Authorization").removeprefix("Test ")
    lines = [
        head[0],
        *(f"{name}: {value}" for name, value in given.items() if not name.lower().startswith("x-forwarded")),
    ]
    lines += [f"X-Remote-User: {user}", f"X-Diptych-Proxy-Secret: {SECRET}", "X-Forwarded-Proto: https"]
    lines += [f"X-Forwarded-Host: {given['Host']}", "", ""]
    onward, server = await asyncio.open_connection("127.0.0.1", port)
    server.write("\r\n".join(lines).encode("latin-1"))

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while piece := await source.read(1 << 16):
            target.write(piece)
            await target.drain()
        target.close()

    await asyncio.gather(copy(reader, server), copy(onward, writer), return_exceptions=True)


async def answer(port: int, line: str, user: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], str]:
    """Status, headers and body of a request to a port; of a socket no body is awaited."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    given = {"Host": "ward.example", "Authorization": f"Test {user}", "Content-Length": str(len(body)), **headers}
    given = {name.replace("_", "-"): value for name, value in given.items()}
    if "Upgrade" not in given:
        given["Connection"] = "close"
    writer.write("\r\n".join([f"{line} HTTP/1.1", *(f"{n}: {v}" for n, v in given.items()), "", ""]).encode() + body)
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)).decode("latin-1").split("\r\n")
    status = int(head[0].split()[1])
    content = b"" if status == 101 else await asyncio.wait_for(reader.read(), 30)
    writer.close()
    return status, dict(item.split(": ", 1) for item in head[1:] if item), content.decode("utf-8", "replace")


async def visit(server: int) -> None:
    """A page, its browser's key and a socket through the proxy; nothing of it without."""
    proxy = await asyncio.start_server(lambda r, w: proxied(r, w, server), "127.0.0.1", 0)
    port = proxy.sockets[0].getsockname()[1]
    origin = "https://ward.example"
    status, headers, page = await answer(port, "GET /ward/", "ada", Accept="text/html")
    assert (status, "<title>" in page) == (200, True)
    assert headers["set-cookie"].startswith(f"__Host-diptych-{server}-ward-visit=")
    post = {"Origin": origin, "Content_Type": "application/json"}
    status, headers, content = await answer(port, "POST /ward/diptych/key", "ada", b'{"secret": ""}', **post)
    cookie, given = headers["set-cookie"].split(";")[0], json.loads(content)
    assert (status, cookie.startswith(f"__Host-diptych-{server}-ward=")) == (200, True)
    mine = json.dumps({"secret": given["secret"]}).encode()
    _, _, again = await answer(port, "POST /ward/diptych/key", "ada", mine, Cookie=cookie, **post)
    assert json.loads(again)["secret"] == given["secret"]
    _, headers, _ = await answer(port, "GET /ward/_stcore/health", "ada", Cookie=cookie)
    assert headers["set-cookie"].startswith("_streamlit_xsrf=")
    assert headers["set-cookie"].endswith("; Secure")
    _, _, stolen = await answer(port, "POST /ward/diptych/key", "eve", mine, Cookie=cookie, **post)
    assert json.loads(stolen)["secret"] != given["secret"]
    socket = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": base64.b64encode(b"0" * 16).decode(),
        "Sec_WebSocket_Protocol": "streamlit",
    }
    line = "GET /ward/_stcore/stream"
    assert (await answer(port, line, "ada", Origin=origin, **socket))[0] == 101
    assert (await answer(port, line, "ada", Origin="https://evil.example", **socket))[0] == 403
    assert (await answer(server, line, "ada", Origin=origin, **socket))[0] == 403
    status, _, words = await answer(server, "GET /ward/", "ada", Accept="text/html", X_Remote_User="ada")
    assert (status, words) == (403, "This server is reached through its proxy only.")
    proxy.close()


def test_the_command_through_a_proxy(tmp_path: Path) -> None:
    """Below a base and over TLS, as the proxy says: the page, its key and its socket."""
    begun = time.monotonic()
    with served(tmp_path) as port:
        asyncio.run(visit(port))
    assert time.monotonic() - begun < 120
