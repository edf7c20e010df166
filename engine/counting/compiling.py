"""The compiler of the kernels: where numba cannot be imported they run as plain Python, slow and right."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

from engine.execution import LOG, show_log

try:
    import numba
    from numba.core import event
except ImportError:
    numba = None  # type: ignore[assignment]

COMPILED = numba is not None


def njit(**options: Any) -> Any:
    """Numba's compiler; without numba a function is left as it is."""
    return (lambda function: function) if numba is None else numba.njit(**options)


if numba is not None:

    class CompilingNotice(event.Listener):
        """Says once a process that kernels are compiled, and with DEBUG how long each took; kernels out of the cache on
        disk are none."""

        def __init__(self) -> None:
            self.begun: list[float] = []
            self.announced = False

        def on_start(self, happened: Any) -> None:
            """A kernel, or one that it calls, is compiled from now on."""
            self.begun.append(perf_counter())
            if not self.announced:
                self.announced = True
                if "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty()):
                    show_log()
                LOG.info("Kernels are compiled for this machine: once, up to a minute in all.")

        def on_end(self, happened: Any) -> None:
            """It is done."""
            seconds = perf_counter() - self.begun.pop()
            if not self.begun:
                LOG.debug("%s compiled in %.1f s", getattr(happened.data.get("dispatcher"), "__name__", ""), seconds)

    event.register("numba:compile", CompilingNotice())
