"""A large file being read while its page goes on: the work is done in the reader's own process, a thread waits for it.

Nothing here knows Streamlit; `dashboard.views.data.source` draws it on a page.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from dashboard.jobs.pace import Pace
from dashboard.server.faults import report
from engine import Cancelled, DataError, read_table

if TYPE_CHECKING:
    import pandas as pd

State = Literal["running", "done", "failed", "cancelled"]


class Reading:
    """One file on its way to a table; every field may be read at any time from any thread.

    Attributes
    ----------
    name, content, options : the file, and the arguments of `engine.read_table`, or of what reads instead of it
    state : "running", "done", "failed" or "cancelled"
    fraction : how much of it is read
    table : what came of it, when done
    error : the sentence to show, when failed
    """

    def __init__(
        self,
        name: str,
        content: bytes,
        options: Mapping[str, Any],
        read: Callable[..., pd.DataFrame] | None = None,
    ) -> None:
        self._read = read or read_table
        self.name, self.content, self.options = name, content, dict(options)
        self.state: State = "running"
        self.fraction = 0.0
        self.table: pd.DataFrame | None = None
        self.error = ""
        self._started = time.monotonic()
        self._pace = Pace()
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, name="diptych-reading", daemon=True)
        self._thread.start()

    @property
    def active(self) -> bool:
        """True while it goes on."""
        return self.state == "running"

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._started

    @property
    def seconds_left(self) -> float | None:
        """See `Pace`; None as well once it has ended."""
        return self._pace.seconds_left(time.monotonic()) if self.active else None

    def cancel(self) -> None:
        """End it; its reader is gone within moments."""
        self._cancelled.set()

    def let_go(self) -> None:
        """Its session has ended."""
        self.cancel()

    def wait(self, seconds: float | None = None) -> bool:
        """Block until it has ended one way or another; False when `seconds` ran out first."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self.table = self._read(self.content, name=self.name, progress=self._report, **self.options)
            self.state = "done"
        except Cancelled:
            self.state = "cancelled"
        except DataError as error:
            self.error, self.state = str(error), "failed"
        except Exception as error:  # a thread's exception would be seen by nobody, and the page would wait for ever
            self.error, self.state = report(error), "failed"

    def _report(self, fraction: float) -> None:
        if self._cancelled.is_set():
            raise Cancelled("The reading was stopped.")
        self.fraction = min(max(fraction, self.fraction), 1.0)
        self._pace.add(time.monotonic(), self.fraction)
