"""The dashboard's tests meet what its users meet: guarded pages, and jobs from a process that has the engine loaded."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from multiprocessing import forkserver

import pytest
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test

from dashboard.jobs import desk, runner
from dashboard.server import guard
from tests.dashboard.jobs import slow_work


@pytest.fixture(scope="session", autouse=True)
def warm_jobs() -> None:
    """A fork server that has loaded the engine and its kernels, which the first job waits for."""
    first = runner.JobRunner(limit=1)
    if first.start_method == "forkserver":
        forkserver._forkserver._stop()  # type: ignore[attr-defined]  # one that other tests began has nothing loaded
        desk._start_fork_server()
    assert first.submit("first", slow_work.add, (1, 1)).wait(300)


@pytest.fixture(scope="session", autouse=True)
def guarded() -> Iterator[None]:
    """The pages are run without a server here; `app.py` is told that the command has started it.

    For the whole session, so that a module's fixture can open a page as well.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guard, "on_duty", True)
        config.set_option("browser.gatherUsageStats", False)  # as the command sets it
        yield


@pytest.fixture(scope="session", autouse=True)
def as_one_server() -> Iterator[None]:
    """A server scans the installed packages for components once and compiles each script once; so do all pages here."""
    scanned, scripts = cache(manifest_scanner.scan_component_manifests), ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", scanned)
        patch.setattr(app_test, "ScriptCache", lambda: scripts)
        yield
