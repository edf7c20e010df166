"""Work for the job tests; in a module of its own because a job process must be able to import it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from engine import execution
from engine.errors import DataError

Progress = Callable[[float, str], None]


def sleep(seconds: float, progress: Progress, at: float = 0.5) -> int:
    """Report once, then sleep in small steps; returns its process id."""
    progress(at, "sleeping")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.01)
    return os.getpid()


def sleep_at(seconds: float, at: float, progress: Progress) -> int:
    return sleep(seconds, progress, at)


def spin(progress: Progress) -> None:
    """Burn a core for good, deaf to everything polite."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    progress(0.5, "spinning")
    while True:
        pass


def deaf(progress: Progress) -> None:
    """Run for good, deaf to everything polite, without heating the room."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    progress(0.5, "spinning")
    while True:
        time.sleep(0.01)


def stay_silent(progress: Progress) -> None:
    """Run for good without ever reporting."""
    while True:
        time.sleep(0.01)


def with_children(folder: str, progress: Progress) -> None:
    """Start two more processes, write their ids, wait."""
    import subprocess
    import sys

    children = [subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) for _ in range(2)]
    Path(folder, "ids").write_text(" ".join(str(child.pid) for child in children), encoding="utf-8")
    progress(0.5, "waiting")
    time.sleep(60)


def add(a: int, b: int, progress: Progress) -> int:
    progress(0.5, "adding")
    return a + b


def leave(progress: Progress) -> None:
    os._exit(7)


def segfault(progress: Progress) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def refuse(progress: Progress) -> None:
    raise DataError("Column 'arm' has one level only; choose another.", column="arm")


def break_down(progress: Progress) -> None:
    raise ValueError(f"a cell holds {12344 + 1}")


def not_picklable(progress: Progress) -> object:
    return lambda: None


def jump(marks: list[float], progress: Progress) -> None:
    """Report fractions as they come, each named by its number, then wait."""
    for number, mark in enumerate(marks):
        time.sleep(0.1)  # the pipe takes no more than twenty a second
        progress(mark, f"mark {number}")
    time.sleep(60)


def kill_itself(progress: Progress) -> None:
    """End as a process ends that the system kills for want of memory."""
    os.kill(os.getpid(), signal.SIGKILL)


def leave_a_mark(path: str, progress: Progress) -> None:
    """Show that this work was begun."""
    Path(path).write_text("begun", encoding="utf-8")


def tell_threads(progress: Progress) -> None:
    """Say without end how many threads there may be."""
    while True:
        progress(0.5, str(execution.threads()))
        time.sleep(0.01)


def main_file(progress: Progress) -> str:
    """The file of the main module of this process; none has one that was forked by the host of jobs."""
    return str(getattr(sys.modules["__main__"], "__file__", ""))


def take_memory(table: pd.DataFrame) -> int:
    """Need ten gigabytes, whatever the table."""
    return len(np.ones(1_250_000_000))


def take_time(table: pd.DataFrame) -> None:
    """Never come to an end."""
    while True:
        pass


def die(*_: object, progress: Progress | None = None) -> None:
    """End as a process does that the system kills."""
    os.kill(os.getpid(), signal.SIGKILL)


def write_file(path: str, progress: Callable[[float, str], None]) -> int:
    """Write ten thousand bytes; how many there are."""
    with Path(path).open("wb") as file:
        return file.write(bytes(10_000))
