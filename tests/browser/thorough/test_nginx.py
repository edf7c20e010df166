"""Diptych behind nginx with TLS and a path before all of its own, by the recipe of the operator's pages."""

from __future__ import annotations

import json
import os
import re
import shutil
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import engine
from tests.browser.conftest import DIPTYCH, PATIENCE, free_port, open_sample, server, settled
from tests.browser.heard import ROOT

pytestmark = pytest.mark.browser

RECIPES = ROOT / "docs" / "serve"
TOKEN = "a-token-of-the-ward-for-tests"  # noqa: S105 - of this test alone
LARGE = "id;sex;pain\n" + "1;f;none\n2;m;mild\n3;f;severe\n" * 120_000
"""Three megabytes: nginx would keep it in a file, were it not told otherwise."""


def program(name: str) -> str:
    """Where a program is that a server is paired with here; skip where it is not, unless it has to be."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None and os.environ.get("DIPTYCH_SERVERS") == "required":
        pytest.fail(f"{name} is not installed; .ci/servers does that")
    return found or pytest.skip(f"{name} is not installed; .ci/servers does that")


@contextmanager
def running(command: list[str], ready: Any, **more: Any) -> Iterator[None]:
    """A program until the end, with all that it starts, once it is ready."""
    process = subprocess.Popen(command, start_new_session=True, **more)
    try:
        end = time.monotonic() + PATIENCE / 1000
        while not ready():
            assert process.poll() is None, "it ended while starting"
            assert time.monotonic() < end, "it did not start"
            time.sleep(0.1)
        yield
    finally:
        os.killpg(process.pid, 15)
        process.wait(20)


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate that nobody has signed but itself, and its key."""
    certfile, keyfile = folder / "cert.pem", folder / "key.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([program("openssl"), *made, "-keyout", keyfile, "-out", certfile], check=True, capture_output=True)
    return certfile, keyfile


def answers(address: str) -> bool:
    """Whether a server answers there, whoever signed its certificate."""
    try:
        with urllib.request.urlopen(address, timeout=5, context=ssl._create_unverified_context()):  # noqa: S310, S323
            return True
    except OSError:
        return False


@contextmanager
def nginx(folder: Path, recipe: str, changes: dict[str, str], ready: str = "/ward/_stcore/health") -> Iterator[str]:
    """nginx with a recipe, on a free port of this computer; its address.

    It runs as this user, and has no folder where it could put the body of a request or of an answer.
    """
    port = free_port()
    certfile, keyfile = certificate(folder)
    text = (RECIPES / recipe).read_text()
    known = {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "server_name ward.example": "server_name localhost",
        "/etc/nginx/ward.pem": str(certfile),
        "/etc/nginx/ward.key": str(keyfile),
    }
    for written, meant in (known | changes).items():
        assert written in text
        text = text.replace(written, meant)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/errors; events {{}}\n"
        f"http {{ access_log off;\n{places}{text}\n}}\n"
    )
    command = [program("nginx"), "-p", str(folder), "-c", str(file), "-e", str(folder / "errors")]
    address = f"https://localhost:{port}"
    with running(command, lambda: answers(f"{address}{ready}")):
        for kind in ("client_body", "proxy"):
            shutil.rmtree(folder / kind)
            (folder / kind).touch()  # whoever wants to write below it cannot
        yield address


@contextmanager
def trusting_page(chromium: Any) -> Iterator[Any]:
    """An empty tab that takes any certificate."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, ignore_https_errors=True)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def five_steps(page: Any, address: str, folder: Path) -> None:
    """Open, a sample table, its groups compared, its results, all of it saved; then a large file."""
    page.goto(address)
    open_sample(page, "two_hospitals")
    page.get_by_text("Results so far").wait_for()
    page.get_by_role("link", name="All results").first.click()
    page.get_by_text("Save and open").click()
    settled(page)
    with page.expect_download() as arriving:
        page.get_by_role("button", name="Save", exact=True).click()
    arriving.value.save_as(folder / "mine.diptych")
    project = engine.load(folder / "mine.diptych")
    assert isinstance(project, engine.Project) and len(project.analyses) == 1
    page.get_by_role("link", name="Data").first.click()
    page.get_by_role("button", name="Open another table").click()
    page.locator("[data-testid=stPopoverBody] input[type=file]").set_input_files(
        {"name": "Zebra.csv", "mimeType": "text/csv", "buffer": LARGE.encode()}
    )
    page.get_by_role("heading", name=re.compile("^360,000 (of 360,000 )?rows and .+ ready")).wait_for()


def test_five_steps_behind_nginx_by_the_link(chromium: Any, tmp_path: Path) -> None:
    """Over TLS, below a path, with no body on the disk; the log has the steps, and no name."""
    inner, log, token = tmp_path / "inner", tmp_path / "log.jsonl", tmp_path / "token"
    inner.mkdir()
    token.write_text(TOKEN)
    certfile, keyfile = certificate(inner)
    port = free_port()
    options = (
        *(
            "--base",
            "/ward",
            "--name",
            "localhost",
            "--name",
            "127.0.0.1",
            "--token-file",
            str(token),
            "--log",
            str(log),
        ),
        *("--certfile", str(certfile), "--keyfile", str(keyfile)),
    )
    with (
        server((*DIPTYCH[:2], *options, *DIPTYCH[2:]), port, "https", "/ward"),
        nginx(tmp_path, "nginx.conf", {"127.0.0.1:8501": f"127.0.0.1:{port}"}) as address,
        trusting_page(chromium) as page,
    ):
        page.goto(f"{address}/ward/")
        page.get_by_text("This server is opened by its link.").wait_for()
        page.goto("about:blank")
        five_steps(page, f"{address}/ward/#token={TOKEN}", tmp_path)
    text = log.read_text()
    done = [(line["action"], line.get("kind")) for line in map(json.loads, text.splitlines())]
    wanted = [("upload", "sample"), ("run", "GroupDifference.run"), ("save", "without-table"), ("upload", "file")]
    assert [one for one in done if one in wanted] == wanted
    assert "Zebra" not in text and TOKEN not in text


class SignedIn(BaseHTTPRequestHandler):
    """In place of oauth2-proxy: whoever has a cookie with a name is signed in under it."""

    def do_GET(self) -> None:
        """202 and the name, or 401; on the page where people sign in, some words."""
        named = re.search("person=([a-z]+)", self.headers.get("Cookie", ""))
        page = self.path.startswith("/oauth2/sign_in")
        self.send_response(200 if page else 202 if named else 401)
        if named:
            self.send_header("X-Auth-Request-User", named.group(1))
        self.end_headers()
        self.wfile.write(b"Please sign in" if page else b"")

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@contextmanager
def signing_in() -> Iterator[int]:
    """The port of what says who is signed in."""
    service = ThreadingHTTPServer(("127.0.0.1", 0), SignedIn)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    yield service.server_port
    service.shutdown()
    service.server_close()


def two_people(chromium: Any, folder: Path, port: int, proxy: Any) -> None:
    """Who is not signed in is sent there; each sees the own work only, also with the other's cookies.

    `proxy` stands before port, once it is given that of what says who is signed in.
    """
    file = folder / "proxy-secret"
    file.write_text(TOKEN)
    options = ("--base", "/ward", "--behind-proxy", "X-Remote-User", "--proxy-secret-file", str(file))
    with (
        signing_in() as gate,
        server((*DIPTYCH[:2], *options, *DIPTYCH[2:]), port, base="/ward"),
        proxy(gate) as address,
        trusting_page(chromium) as anna,
        trusting_page(chromium) as ben,
    ):
        anna.goto(f"{address}/ward/")
        anna.get_by_text("Please sign in").wait_for()
        for page, name in ((anna, "anna"), (ben, "ben")):
            page.context.add_cookies([{"name": "person", "value": name, "url": address}])
        five_steps(anna, f"{address}/ward/", folder)
        ben.set_extra_http_headers({"X-Remote-User": "anna"})
        ben.goto(f"{address}/ward/data")
        ben.get_by_text("Or a sample table").first.wait_for()
        assert ben.get_by_text("Results so far").count() == 0
        ben.context.add_cookies([one for one in anna.context.cookies() if one["name"] != "person"])
        ben.goto(f"{address}/ward/results")
        settled(ben)
        assert ben.get_by_text("Group differences, two_hospit").count() == 0
        direct = urllib.request.Request(f"http://127.0.0.1:{port}/ward/", headers={"X-Remote-User": "anna"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(direct, timeout=5)  # noqa: S310


def test_two_people_behind_nginx_who_signed_in(chromium: Any, tmp_path: Path) -> None:
    """By the recipe with oauth2-proxy, in whose place a few lines of this file stand."""
    port, secret = free_port(), tmp_path / "diptych-secret.conf"
    secret.write_text(f'proxy_set_header X-Diptych-Proxy-Secret "{TOKEN}";\n')

    def proxy(gate: int) -> Any:
        changes = {
            "127.0.0.1:8501": f"127.0.0.1:{port}",
            "127.0.0.1:4180": f"127.0.0.1:{gate}",
            "/etc/nginx/diptych-secret.conf": str(secret),
        }
        return nginx(tmp_path, "nginx-oauth2.conf", changes, ready="/oauth2/sign_in")

    two_people(chromium, tmp_path, port, proxy)
