"""A real server ends when its operator says so: with its jobs, without a traceback, and with exit code 0."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import ROOT, free_port, healthy

SERVER = """
import sys
from dashboard.jobs.job_queue import server_runner, warm_up
from dashboard.server.launcher import serve
from tests.dashboard.jobs.slow_work import deaf

warm_up(1)
job = server_runner().submit("deaf", deaf)
while not job.pid:
    job.wait(0.05)
print(job.pid, flush=True)
serve("127.0.0.1", int(sys.argv[1]), headless=True)
"""


@pytest.fixture
def known() -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory(prefix="d") as place:
        yield os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": place}


@pytest.mark.parametrize("way", ["diptych stop", signal.SIGTERM, signal.SIGINT], ids=str)
def test_a_server_ends_with_its_jobs(way: str | signal.Signals, known: dict[str, str]) -> None:
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(port)],
        cwd=ROOT,
        env=known,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    job = int(server.stdout.readline())
    end = time.monotonic() + 60
    while not healthy(f"http://127.0.0.1:{port}"):
        assert server.poll() is None and time.monotonic() < end
        time.sleep(0.1)
    assert Path(f"/proc/{job}").exists()
    if isinstance(way, str):
        stop = [sys.executable, "-m", "dashboard.server.launcher", "stop", "--port", str(port)]
        stopped = subprocess.run(stop, cwd=ROOT, env=known, capture_output=True, text=True, timeout=120, check=True)
        assert stopped.stdout == f"Stopped on port {port}: 0 sessions, 0 jobs.\n"
        assert server.wait(1) == 0  # the command waited for that
    else:
        server.send_signal(way)
    assert server.wait(60) == 0
    assert server.stderr is not None and "Traceback" not in server.stderr.read()
    end = time.monotonic() + 2
    while Path(f"/proc/{job}").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
