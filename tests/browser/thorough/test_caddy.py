"""Diptych behind Caddy, for people who signed in, by the recipe of the operator's pages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import free_port
from tests.browser.thorough.test_nginx import RECIPES, TOKEN, answers, certificate, program, running, two_people

pytestmark = pytest.mark.browser


def test_two_people_behind_caddy_who_signed_in(chromium: Any, tmp_path: Path) -> None:
    """With a certificate of this test, since nobody would give one for this computer."""
    port, outer = free_port(), free_port()

    @contextmanager
    def proxy(gate: int) -> Iterator[str]:
        certfile, keyfile = certificate(tmp_path)
        text = (RECIPES / "Caddyfile").read_text()
        for written, meant in {
            "ward.example {": f"https://localhost:{outer} {{\n    tls {certfile} {keyfile}",
            "127.0.0.1:8501": f"127.0.0.1:{port}",
            "127.0.0.1:4180": f"127.0.0.1:{gate}",
        }.items():
            assert written in text
            text = text.replace(written, meant)
        file = tmp_path / "Caddyfile"
        file.write_text(f"{{\n    admin off\n    auto_https disable_redirects\n}}\n{text}")
        command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(file)]
        known = os.environ | {"DIPTYCH_SECRET": TOKEN, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        address = f"https://localhost:{outer}"
        with running(command, lambda: answers(f"{address}/oauth2/sign_in"), env=known):
            yield address

    two_people(chromium, tmp_path, port, proxy)
