"""What a reader died of, in a sentence."""

from __future__ import annotations

import signal
from dataclasses import dataclass

from engine.data.reading.limits import MEGABYTE, Limits, remedy
from engine.errors import DataError

_OUT_OF_MEMORY = ("memory allocation of", "bad_alloc", "out of memory", "MemoryError", "capacity overflow")


@dataclass(frozen=True)
class Verdict:
    """How a reader ended, and what it used.

    Attributes
    ----------
    code : 0, the number it left with, or minus the signal that ended it
    cpu_seconds : of a processor
    peak_bytes : of memory, with the libraries that it began with (some 200 MB)
    words : what it printed last
    """

    code: int = 0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    words: str = ""


def not_started() -> DataError:
    """The sentence on a computer where no reader comes to life."""
    return DataError(
        "The process that reads files cannot be started. Close other programs and try again; if that does not help, "
        "install Diptych again."
    )


def out_of_memory(kind: str, limits: Limits) -> DataError:
    """The sentence on a file that takes too much memory."""
    return DataError(
        f"Reading this {kind} takes more than the {limits.memory_bytes / MEGABYTE:,.0f} MB that one read may use. "
        f"{remedy(kind)}"
    )


def too_slow(kind: str, limits: Limits) -> DataError:
    """The sentence on a file that takes too long."""
    return DataError(f"Reading this {kind} takes more than {limits.seconds:,} seconds. {remedy(kind)}")


def of_death(verdict: Verdict, kind: str, limits: Limits) -> DataError:
    """The sentence on a reader that ended without an answer."""
    if verdict.code == -getattr(signal, "SIGXCPU", 0) and verdict.code:
        return too_slow(kind, limits)
    killed = verdict.code == -getattr(signal, "SIGKILL", 0) and verdict.code  # by the system, which has no memory left
    if killed or any(words in verdict.words for words in _OUT_OF_MEMORY):
        return out_of_memory(kind, limits)
    return DataError(
        f"This {kind} ended its reader: it is damaged, or of a version that is not known. "
        "Open it in the program that made it and save it again, or save it as CSV."
    )
