"""Which tables may be opened by their path: looked at before anything of a file is read, and by the job that reads it.

Links are followed to their end first, so that a name below a folder is not enough: the file itself has to be there.
"""

from __future__ import annotations

import errno
import importlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from engine.data.reading.filetype import is_plain_file
from engine.errors import DataError
from engine.words import short

LONGEST = 4_096
"""Characters of a path."""
MOST_FILES = 10_000
_NOT_A_FILE = (
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


@dataclass(frozen=True)
class PathAccess:
    """Access to tables by their path.

    Attributes
    ----------
    folders : below which files may be opened, their links followed; None for every file that the server may read
    work_folder : where rows are written that memory shall not hold; None for nowhere
    dask : address of the scheduler whose workers may count rows; "" for none
    """

    folders: tuple[Path, ...] | None = None
    work_folder: Path | None = None
    dask: str = ""

    @property
    def cluster(self) -> str:
        """Name of the cluster on a page: its host."""
        return self.dask.partition("://")[2].rpartition(":")[0].strip("[]")


class FileStamp(NamedTuple):
    """Identity of a file, so that another one in its place is noticed."""

    path: Path
    device: int
    inode: int
    size: int
    changed: int


@dataclass(frozen=True)
class TableFiles:
    """The files of one table.

    Attributes
    ----------
    path : of the file, or of the folder of Parquet files; absolute and without links
    is_folder : whether it is a folder
    files : all of them
    """

    path: Path
    is_folder: bool
    files: tuple[FileStamp, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


def real_folder(text: str) -> Path:
    """A folder that there is, without links.

    Raises
    ------
    OSError, ValueError : there is none
    """
    path = Path(os.path.realpath(text, strict=True))
    if not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    return path


def find_table(text: str, folders: tuple[Path, ...] | None) -> TableFiles:
    """The files that a path means.

    Parameters
    ----------
    text : the path, as somebody has typed it
    folders : see `PathAccess`

    Raises
    ------
    DataError : no whole path, nothing there, nothing that may be opened, or no file or folder
    """
    path = _resolved(text.strip(), folders)
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise _unusable(path.name, error) from None
    if stat.S_ISDIR(mode):
        files = _files_of(path)
        return TableFiles(path, True, tuple(_stamp(file, folders) for file in files))
    return TableFiles(path, False, (_stamp(path, folders),))


def check_unchanged(table: TableFiles, folders: tuple[Path, ...] | None) -> None:
    """`DataError` where a path means other files than before, or a file of it was changed."""
    if find_table(str(table.path), folders) != table:
        raise DataError(
            f"'{short(table.path.name, 60)}' was changed since it was looked at. Open it when nobody writes to it."
        )


def _resolved(text: str, folders: tuple[Path, ...] | None) -> Path:
    """The end of all links, where it may be opened."""
    if not text:
        raise DataError("Give the path of a file or folder.")
    if "\0" in text or len(text) > LONGEST or not _can_be_a_path(text):
        raise DataError("This is no path: it is too long, or holds a character that no path can have.")
    if not Path(text).is_absolute():
        raise DataError("Give the whole path, from the root of the disk on.")
    # whether anything is there is not said of places that may not be opened
    if folders is not None and not _below(Path(os.path.realpath(text)), folders):
        raise _outside()
    try:
        path = Path(os.path.realpath(text, strict=True))
    except (OSError, ValueError, RuntimeError) as error:
        raise _unusable(Path(text).name, error) from None
    if folders is not None and not _below(path, folders):
        raise _outside()
    return path


def _can_be_a_path(text: str) -> bool:
    """True where its letters can be those of a name on this disk; half of a pair of UTF-16 cannot."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return True


def _below(path: Path, folders: tuple[Path, ...]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _outside() -> DataError:
    return DataError("Only files below the folders that this server offers can be opened by path.")


def _unusable(name: str, error: Exception) -> DataError:
    number = getattr(error, "errno", None)
    if number == errno.ENOENT or number == errno.ENOTDIR:
        return DataError(f"There is no file or folder '{short(name, 60)}' at this path. Check its spelling.")
    if number in (errno.EACCES, errno.EPERM):
        return DataError(f"'{short(name, 60)}' may not be read by the user that runs Diptych.")
    if number == errno.ELOOP or isinstance(error, RuntimeError):
        return DataError(f"'{short(name, 60)}' is a link that leads back to itself.")
    return DataError(f"'{short(name, 60)}' cannot be opened. Check its path.")


def _files_of(folder: Path) -> list[Path]:
    parquet = importlib.import_module("engine.data.stored.parquet")  # a server answers before this is loaded
    try:
        files: list[Path] = parquet.parquet_files(folder)
    except OSError as error:
        raise _unusable(folder.name, error) from None
    if len(files) > MOST_FILES:
        raise DataError(
            f"The folder '{short(folder.name, 60)}' holds more than {MOST_FILES:,} files; give one of its folders."
        )
    return files


def _stamp(file: Path, folders: tuple[Path, ...] | None) -> FileStamp:
    """Identity of a file, where it may be opened and is one."""
    if folders is not None and not _below(Path(os.path.realpath(file)), folders):
        raise _outside()
    if "\ufffd" in (name := os.fsencode(file).decode(errors="replace")):  # readers and pages know UTF-8 only
        raise DataError(
            f"The name '{short(Path(name).name, 60)}', or that of a folder above it, is no UTF-8; rename it."
        )
    try:
        about = file.stat()
    except OSError as error:
        raise _unusable(file.name, error) from None
    for is_kind, words in _NOT_A_FILE:
        if is_kind(about.st_mode):
            raise DataError(f"'{short(file.name, 60)}' is {words}, no file. Give a file or a folder of Parquet files.")
    if not is_plain_file(file):
        raise DataError(f"'{short(file.name, 60)}' is made up by the system while it is read, and has no end.")
    if not os.access(file, os.R_OK):
        raise DataError(f"'{short(file.name, 60)}' may not be read by the user that runs Diptych.")
    return FileStamp(file, about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns)
