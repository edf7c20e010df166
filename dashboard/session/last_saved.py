"""The choices that a browser saved last, on the disk of this computer: offered when the server was started again.

Only what *Save* writes comes here, and never a row of a table: answers about single people are left out. The file is
named by a digest of the browser's key, in a folder of this user alone; *Forget* removes it.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from dashboard.server.cookie import DAYS
from dashboard.server.faults import log, trace
from dashboard.server.memory import memory
from engine import Project
from engine.project import ENDING, load, to_bytes


def folder() -> Path:
    """Where such files stand: the place that systems have for what a program remembers."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA") or str(Path.home() / ".local" / "state")
    return Path(base) / "diptych"


def _file(browser: str) -> Path:
    return folder() / (hashlib.sha256(browser.encode()).hexdigest()[:32] + ENDING)


def without_people(content: bytes) -> bytes:
    """A project's file without its table, and without the answers that are about single people."""
    project = load(content)
    if not isinstance(project, Project):
        return content
    analyses = tuple(analysis for analysis in project.analyses if not analysis.result.described_rows())
    return to_bytes(replace(project, table=None, analyses=analyses))


def keep_last(browser: str, content: bytes) -> bool:
    """Put this browser's project in place of the one before, without rows of any kind; whether that could be done.

    Nothing is written where nothing is to be kept after the last tab.
    """
    if not browser or not memory().keep:
        return False
    content = without_people(content)
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        there, new = _file(browser), _file(browser).with_suffix(".new")
        new.touch(mode=0o600)
        new.write_bytes(content)
        new.replace(there)
    except OSError as fault:  # a disk that is full or closed to us costs the offer, nothing else
        log.warning("The choices could not be kept for a restart\n%s", trace(fault))
        return False
    _tidy()
    return True


def last_saved(browser: str) -> bytes | None:
    """What this browser saved last; None where there is nothing, or it is old."""
    if not browser:
        return None
    _tidy()
    with suppress(OSError):
        return _file(browser).read_bytes()
    return None


def forget_last(browser: str) -> None:
    """Nothing of this browser stays on the disk."""
    with suppress(OSError):
        _file(browser).unlink(missing_ok=True)
        _file(browser).with_suffix(".new").unlink(missing_ok=True)


def _tidy() -> None:
    with suppress(OSError):
        for item in (*folder().glob(f"*{ENDING}"), *folder().glob("*.new")):
            if time.time() - item.stat().st_mtime > DAYS * 86_400:
                item.unlink(missing_ok=True)
