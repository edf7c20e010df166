"""The folder that a table is written to: made for one table, for its owner's eyes, and taken away again."""

from __future__ import annotations

import os
import shutil
import weakref
from pathlib import Path
from typing import Any

from engine.errors import DataError


class Folder:
    """A folder of files that one data set reads.

    It goes with the last data set that needs it, at the end of the process at the latest, unless it is kept. Another
    process may read it too, but never takes it away.

    Parameters
    ----------
    path : of the folder
    made : files that were written there, and so go with it; none where it is kept
    own : whether the folder itself was made for them
    """

    def __init__(self, path: Path, made: tuple[str, ...] = (), own: bool = False) -> None:
        self.path = path
        self._end = weakref.finalize(self, _remove, path, made, own, os.getpid()) if made else None

    def remove(self) -> None:
        """Take away what was written."""
        if self._end is not None:
            self._end()

    def keep(self) -> None:
        """Leave everything where it is."""
        if self._end is not None:
            self._end.detach()
            self._end = None

    def __getstate__(self) -> dict[str, Any]:
        """Only the place travels to another process."""
        return {"path": self.path.absolute(), "_end": None}


def _remove(path: Path, made: tuple[str, ...], own: bool, process: int) -> None:
    if process != os.getpid():  # a process that was forked off
        return
    for name in made:
        (path / name).unlink(missing_ok=True)
    if own:
        try:
            path.rmdir()
        except OSError:  # somebody put something there
            return


def empty_folder(place: Any, files: tuple[str, ...], size: int) -> Folder:
    """A folder to write a table to; nobody else may look into it.

    Parameters
    ----------
    place : path of a folder that is empty or not there
    files : names of what will be written
    size : bytes of it

    Returns
    -------
    the folder, which goes again unless it is told to be kept

    Raises
    ------
    DataError : it is a file, holds something already, cannot be made or has too little room
    """
    path = _path(place)
    own = not path.exists()
    try:
        if not own and not path.is_dir():
            raise DataError(f"'{path.name}' is a file; give a folder that is empty or not there yet.")
        if not own and any(path.iterdir()):
            raise DataError(f"The folder '{path.name}' holds something already; give an empty one, or a new name.")
        if own:
            path.mkdir(mode=0o700, parents=True)
        path.chmod(0o700)
        free = shutil.disk_usage(path).free
    except OSError as error:
        raise DataError(f"The folder '{path.name}' cannot be used ({error.strerror}); give another one.") from None
    folder = Folder(path, files, own)
    if size > free:
        folder.remove()
        raise DataError(
            f"The rows need {size / 1e9:,.1f} GB in '{path.name}', and {free / 1e9:,.1f} GB are free there; give a "
            "folder on a larger disk."
        )
    return folder


def _path(place: Any) -> Path:
    if not isinstance(place, str | os.PathLike) or not str(place):
        raise DataError("folder is where the rows are written to; give the path of an empty folder, or of a new one.")
    return Path(place)
