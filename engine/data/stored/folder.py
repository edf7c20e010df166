"""The folder that a table is written to: made for one table, for its owner's eyes, and taken away again."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Iterator
from multiprocessing.util import Finalize
from pathlib import Path
from typing import IO, Any

from engine.errors import InputError
from engine.words import short

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Folder:
    """A folder of files that one data set reads.

    It goes with the last data set that needs it, at the end of the process at the latest, unless it is kept: also of a
    process that `multiprocessing` forked off. A process that is killed leaves it behind. Another process may read it
    too, but never takes it away, and neither does a copy of the data set (by `pickle` or `copy.deepcopy`).

    Parameters
    ----------
    path : of the folder, absolute
    made : files that were written there, and so go with it; none where it is kept
    own : folders that were made for them, the innermost first; they go where they are empty
    mode : what the folder is given back, None where it had it all along
    """

    def __init__(
        self, path: Path, made: tuple[str, ...] = (), own: tuple[Path, ...] = (), mode: int | None = None
    ) -> None:
        self.path = path
        # unlike weakref.finalize it is also asked at the end of a process that multiprocessing forked, and only there
        self._end = Finalize(self, _remove, (path, made, own, mode), exitpriority=-1) if made else None

    def remove(self) -> None:
        """Take away what was written."""
        if self._end is not None:
            self._end()

    def keep(self) -> None:
        """Leave everything where it is."""
        if self._end is not None:
            self._end.cancel()
            self._end = None

    def adopt(self, made: tuple[str, ...]) -> None:
        """Take away from now on, as one's own, what another process has written and kept."""
        self._end = Finalize(self, _remove, (self.path, made, (self.path,), None), exitpriority=-1)

    def __getstate__(self) -> dict[str, Any]:
        """Only the place travels to another process."""
        return {"path": self.path, "_end": None}


def _remove(path: Path, made: tuple[str, ...], own: tuple[Path, ...], mode: int | None) -> None:
    with contextlib.suppress(FileNotFoundError):  # somebody took it away
        for name in made:
            (path / name).unlink(missing_ok=True)
        if mode is not None:
            path.chmod(mode)
    _remove_empty(own)


def _remove_empty(folders: tuple[Path, ...]) -> None:
    for folder in folders:
        with contextlib.suppress(OSError):  # somebody put something there
            folder.rmdir()


def empty_folder(place: Any, files: tuple[str, ...], size: int) -> Folder:
    """A folder to write a table to; nobody else may look into it."""
    path = path_of(place, "folder is where the rows are written to; give the path of an empty folder, or of a new one.")
    try:
        folder = _made(path, files)
        free = shutil.disk_usage(path).free
    except OSError as error:
        raise InputError(
            f"The folder '{short(path.name, 60)}' cannot be used ({error.strerror}); give another one."
        ) from None
    if size > free:
        folder.remove()
        raise InputError(
            f"The rows need {size / 1e9:,.1f} GB in '{short(path.name, 60)}', and {free / 1e9:,.1f} GB are free there; "
            "give a folder on a larger disk."
        )
    return folder


def _made(path: Path, files: tuple[str, ...]) -> Folder:
    own = tuple(item for item in (path, *path.parents) if not item.exists())
    mode = None
    if not own:
        if not path.is_dir():
            raise InputError(f"'{short(path.name, 60)}' is a file; give a folder that is empty or not there yet.")
        if any(path.iterdir()):
            raise InputError(
                f"The folder '{short(path.name, 60)}' holds something already; give an empty one, or a new name."
            )
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(0o700)
        return Folder(path, files, own, None if mode == 0o700 else mode)
    try:
        path.mkdir(mode=0o700, parents=True)
    except OSError:
        _remove_empty(own)
        raise
    return Folder(path, files, own)


def path_of(place: Any, otherwise: str) -> Path:
    """The path that is meant, wherever this process goes later."""
    text = os.fspath(place) if isinstance(place, str | os.PathLike) else None
    if not isinstance(text, str) or not text or "\0" in text:
        raise InputError(otherwise)
    path = Path(text).absolute()
    try:
        path.exists()
    except OSError as error:
        raise InputError(f"'{short(path.name, 60)}' cannot be used ({error.strerror}); give another path.") from None
    return path


def new_file(path: Path) -> IO[bytes]:
    """A file to write to that nobody else may read, and that was not there."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


@contextlib.contextmanager
def written_to(folder: Path) -> Iterator[None]:
    """Turn what a disk refuses while something is written into one sentence."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            words = (
                f"There is no room any more for the rows in '{short(folder.name, 60)}'; give a folder on a larger disk."
            )
        else:
            words = f"The rows cannot be written to '{short(folder.name, 60)}' ({error.strerror}); give another folder."
        raise InputError(words) from None
