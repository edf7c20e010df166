"""The dashboard's tests meet what its users meet: guarded pages, and jobs from a process that has the engine loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

from dashboard.jobs import runner
from dashboard.server import guard
from tests.dashboard.jobs import slow_work


@cache
def warm_jobs(submit: Callable[..., runner.Job]) -> None:
    """A host of jobs that has loaded the engine and its kernels."""
    assert submit(runner.JobRunner(limit=1), "first", slow_work.add, (1, 1)).wait(300)


@pytest.fixture(scope="session", autouse=True)
def warm_before_jobs() -> Iterator[None]:
    """The first job of a process waits for that; tests that begin none do not pay for it."""
    submit = runner.JobRunner.submit

    def warmed(self: runner.JobRunner, *work: Any, **more: Any) -> runner.Job:
        warm_jobs(submit)
        return submit(self, *work, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner.JobRunner, "submit", warmed)
        yield


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
        patch.setattr(local_script_runner, "ScriptCache", lambda: scripts)
        yield


@pytest.fixture(scope="session", autouse=True)
def waits_asleep() -> Iterator[None]:
    """A page's thread is waited for asleep: Streamlit looks a thousand times a second and so holds the page up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", ended)
        yield


def ended(script: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
    """Return once the script has ended; stop it and raise as Streamlit does when it takes longer."""
    thread = script._script_thread
    assert thread is not None
    thread.join(timeout)
    if thread.is_alive():
        script.request_stop()
        script.join()
        raise RuntimeError(f"AppTest script run timed out after {timeout}(s)")
