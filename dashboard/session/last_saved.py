"""The choices that a browser saved last, on the disk of this computer: offered when the server was started again.

Only what *Save* writes comes here, and never a row of a table. The file is named by a digest of the browser's key, in
a folder of this user alone; *Forget* removes it.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path

from dashboard.server.faults import log, trace
from engine.project.file import ENDING

DAYS = 30
"""After so many days a file is not offered any more, and removed."""


def folder() -> Path:
    """Where such files stand: the place that systems have for what a program remembers."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA") or str(Path.home() / ".local" / "state")
    return Path(base) / "diptych"


def _file(browser: str) -> Path:
    return folder() / (hashlib.sha256(browser.encode()).hexdigest()[:32] + ENDING)


def keep_last(browser: str, content: bytes) -> bool:
    """Put this browser's choices in place of those before; whether that could be done."""
    if not browser:
        return False
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


def _tidy() -> None:
    with suppress(OSError):
        for one in folder().glob(f"*{ENDING}"):
            if time.time() - one.stat().st_mtime > DAYS * 86_400:
                one.unlink(missing_ok=True)
