"""What was done on this server, as JSON lines: who, what, on which table by its digest, how large, for how long.

A line holds words of this program, numbers and digests; names, levels, values, file names and keys have no way into it,
but for the name of the user where a proxy gives one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from dashboard.server.memory import memory

Action = Literal["upload", "run", "failure", "cancel", "save", "export", "forget", "refusal", "fault"]
MOST_REFUSALS = 100
"""Lines a minute: whoever is refused a thousand times fills no disk."""
_KIND = re.compile(r"[A-Za-z0-9_.<>-]{0,80}")
_DIGEST = re.compile(r"[0-9a-f]{8,128}")


@dataclass(frozen=True)
class Subject:
    """Whose an action is, and of which table.

    Attributes
    ----------
    user : as a proxy names it, else the short id of a browser; "" for one that is not known
    table : the fingerprint of the data set, "" for none
    n, p : its rows and variables
    """

    user: str = ""
    table: str = ""
    n: int = 0
    p: int = 0


class Log:
    """A file of JSON lines. It is opened for each line, so that it may be moved away at any time.

    Parameters
    ----------
    file : made where there is none, for this user alone
    tab : the tab whose page is being drawn, "" for none
    clock : seconds

    Raises
    ------
    OSError : it cannot be written
    """

    def __init__(
        self, file: Path, tab: Callable[[], str] = lambda: "", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.file = file
        self.tab = tab
        self._clock = clock
        self._lock = threading.Lock()
        self._minute, self._refusals = 0, 0
        self._append(b"")

    def write(self, action: Action, kind: str, subject: Subject, seconds: float | None) -> None:
        """One line; a disk that is full or gone stops nobody's work."""
        left_out = 0
        if action == "refusal":
            counted = self._count_refusal()
            if counted is None:
                return
            left_out = counted
        line: dict[str, Any] = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "user": subject.user,
            "action": action,
            "kind": kind if _KIND.fullmatch(kind) else "",
            "table": subject.table if _DIGEST.fullmatch(subject.table) else "",
            "n": subject.n,
            "p": subject.p,
            "left_out": left_out,
        }
        line = {name: value for name, value in line.items() if value}
        if seconds is not None:
            line["seconds"] = round(seconds, 3)
        content = json.dumps(line)
        with suppress(OSError):
            self._append(f"{content}\n".encode())

    def _count_refusal(self) -> int | None:
        """None where this minute has had its lines; else how many lines the minute before it lacks."""
        with self._lock:
            minute = int(self._clock() // 60)
            left_out = 0
            if minute != self._minute:
                left_out = max(0, self._refusals - MOST_REFUSALS)
                self._minute, self._refusals = minute, 0
            self._refusals += 1
            return left_out if self._refusals <= MOST_REFUSALS else None

    def _append(self, content: bytes) -> None:
        place = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(place, content)
        finally:
            os.close(place)


_log: Log | None = None


def open_log(log: Log | None) -> None:
    """Let this be the log of this server; called by the launcher. None for none."""
    global _log
    _log = log


def subject_of(data: Any = None, tab: str | None = None) -> Subject:
    """The user of a tab, by default of the one whose page is being drawn, and a data set."""
    if _log is None:
        return Subject()
    stored = memory().of(_log.tab() if tab is None else tab)
    user = "" if stored is None else stored.user or short_id(stored.browser or stored.tab)
    return Subject(user) if data is None else Subject(user, data.fingerprint, len(data), len(data.names))


def short_id(name: str) -> str:
    """Sign of a browser in the log: long enough to tell those of one server apart, and of no use elsewhere."""
    return hashlib.sha256(f"log {name}".encode()).hexdigest()[:10]


def log_action(action: Action, kind: str = "", subject: Subject | None = None, seconds: float | None = None) -> None:
    """Write a line, where there is a log.

    Parameters
    ----------
    kind : in words of this program
    subject : whose it is; by default of the tab whose page is being drawn
    """
    if _log is not None:
        _log.write(action, kind, subject_of() if subject is None else subject, seconds)
