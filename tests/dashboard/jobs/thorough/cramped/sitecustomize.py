"""Loaded by Python itself before anything else: a computer without shared memory, semaphores and temporary files."""

import errno
import os
import sys


def _refuse(event: str, details: tuple) -> None:
    """No shared memory or semaphore, and no new file of the temporary folder."""
    if event == "open" and isinstance(details[0], str) and details[0].startswith(os.environ["TMPDIR"]):
        raise OSError(errno.ENOSPC, "No space left on device")
    if event in ("_posixshmem.shm_open", "tempfile.mkstemp", "tempfile.mkdtemp"):
        raise OSError(errno.ENOSPC, "No space left on device")


class _NoSemaphore:
    SEM_VALUE_MAX = 1

    def __init__(self, *_: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")


if os.environ.get("DIPTYCH_TEST_CRAMPED"):
    import _multiprocessing
    import tempfile

    tempfile.tempdir = os.environ["TMPDIR"]  # which else is another one where this is full
    _multiprocessing.SemLock = _NoSemaphore
    sys.addaudithook(_refuse)
