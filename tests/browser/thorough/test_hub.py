"""JupyterHub gives each user a Diptych in a process of their own, by the recipe of the operator's pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import expect, free_port, settled
from tests.browser.heard import ROOT
from tests.browser.thorough.test_nginx import RECIPES, answers, certificate, five_steps, program, running, trusting_page

pytestmark = pytest.mark.browser

HUB = Path(os.environ.get("DIPTYCH_HUB", ROOT / ".hub"))
"""Where .ci/servers puts JupyterHub: an environment of its own."""


def recipe(name: str, changes: dict[str, str]) -> str:
    """The text of a recipe with what is another thing here."""
    text = (RECIPES / name).read_text()
    for written, meant in changes.items():
        assert written in text
        text = text.replace(written, meant)
    return text


def sign_in(page: Any, address: str, name: str) -> str:
    """The address of a user's own Diptych, once it is there."""
    page.goto(f"{address}/hub/login")
    page.locator("#username_input").fill(name)
    page.locator("#password_input").fill("anything")
    page.locator("#login_submit").click()
    page.locator("[data-testid=stApp]").wait_for()
    own: str = re.sub(r"(/user/[a-z]+)/.*", r"\1", page.url)
    assert own == f"{address}/user/{name}"
    return own


def processes() -> dict[str, int]:
    """Whose Diptych is which process."""
    listed = subprocess.run(["ps", "-eww", "-o", "pid,args"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^ *(\d+) .*dashboard\.server\.launcher.*--base=/user/([a-z]+)", listed, flags=re.MULTILINE)
    return {user: int(number) for number, user in found}


def test_two_users_of_a_hub(chromium: Any, tmp_path: Path) -> None:
    """Each has a process and sees nothing of the other's; the port of a process answers nobody but its own proxy."""
    path = f"{HUB}/node_modules/.bin:{HUB}/bin:{os.environ['PATH']}"
    os.environ["PATH"], before = path, os.environ["PATH"]
    try:
        for name in ("jupyterhub", "jupyter-standaloneproxy", "configurable-http-proxy"):
            program(name)
    finally:
        os.environ["PATH"] = before
    port, inner, api = free_port(), free_port(), free_port()
    certfile, keyfile = certificate(tmp_path)
    (tmp_path / "diptych").write_text(f'#!/bin/sh\nexec {sys.executable} -m dashboard.server.launcher "$@"\n')
    (tmp_path / "diptych").chmod(0o700)
    changes = {"/opt/diptych/bin/diptych": str(tmp_path / "diptych"), "ward.example": "localhost"}
    (tmp_path / "standalone_config.py").write_text(recipe("standalone_config.py", changes))
    here = {
        "https://:443": f"https://localhost:{port}",
        "/etc/diptych/cert.pem": str(certfile),
        "/etc/diptych/key.pem": str(keyfile),
        "/etc/diptych/standalone_config.py": str(tmp_path / "standalone_config.py"),
    }
    # people of this test have no account here: any password will do, and all processes are this user's
    more = (
        f"\nc.JupyterHub.hub_port = {inner}\nc.ConfigurableHTTPProxy.api_url = 'http://127.0.0.1:{api}'\n"
        "c.JupyterHub.authenticator_class = 'dummy'\nc.JupyterHub.spawner_class = 'simple'\n"
        "c.Spawner.http_timeout = 120\nc.Spawner.env_keep = ['PATH', 'PYTHONPATH', 'LANG', 'TMPDIR']\n"
    )
    config = tmp_path / "jupyterhub_config.py"
    config.write_text(recipe("jupyterhub_config.py", here) + more)
    address = f"https://localhost:{port}"
    known = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    with (
        running(
            [str(HUB / "bin" / "jupyterhub"), "-f", str(config)],
            lambda: answers(f"{address}/hub/login"),
            cwd=tmp_path,
            env=known,
        ),
        trusting_page(chromium) as anna,
        trusting_page(chromium) as ben,
    ):
        hers, his = sign_in(anna, address, "anna"), sign_in(ben, address, "ben")
        five_steps(anna, f"{hers}/", tmp_path)
        own = processes()
        assert set(own) == {"anna", "ben"} and own["anna"] != own["ben"]
        ben.goto(f"{his}/results")
        settled(ben)
        assert ben.get_by_text("Results so far").count() == 0
        ben.goto(f"{hers}/results")
        expect(ben.locator("body")).to_contain_text("403")
        secrets = list(tmp_path.glob("diptych-secret-*"))
        assert {oct(file.stat().st_mode)[-3:] for file in secrets} == {"600"}
        listed = subprocess.run(["ps", "-eww", "-o", "args"], capture_output=True, text=True, check=True).stdout
        assert not any(file.read_text() in listed for file in secrets)
        ports = re.findall(r"--port=(\d+) --base=/user/(?:anna|ben)", listed)
        assert ports and not any(answers(f"http://127.0.0.1:{one}/user/anna/") for one in ports)
