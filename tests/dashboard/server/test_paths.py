"""What may be opened by path: every refusal is one sentence, and no link leads out of the folders that are offered."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from dashboard.server.paths import LONGEST, check_unchanged, find_table, real_folder
from engine import DataError


@pytest.fixture
def offered(tmp_path: Path) -> Path:
    """A folder that is offered, beside one that is not."""
    for name in ("offered", "secret"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "table.csv").write_text("a,b\n1,2\n")
    return tmp_path / "offered"


def refusal(path: object, folder: Path | None) -> str:
    with pytest.raises(DataError) as caught:
        find_table(str(path), None if folder is None else (folder,))
    return str(caught.value)


def test_a_file_and_a_folder(offered: Path) -> None:
    """A file is itself; a folder is its Parquet files, also those in folders named by a column's values."""
    inner = offered / "parts" / "year=2024"
    inner.mkdir(parents=True)
    for file in (inner / "b.parquet", offered / "parts" / "a.parquet", offered / "parts" / "notes.txt"):
        file.write_bytes(b"12345")
    one = find_table(str(offered / "table.csv"), (offered,))
    many = find_table(str(offered / "parts"), (offered,))
    assert (one.is_folder, one.size) == (False, 8)
    assert many.is_folder
    assert [file.path.name for file in many.files] == ["a.parquet", "b.parquet"]


def out_by_dots(folder: Path) -> str:
    return f"{folder}/../secret/table.csv"


def out_by_link(folder: Path) -> str:
    (folder / "link.csv").symlink_to(folder.parent / "secret" / "table.csv")
    return f"{folder}/link.csv"


def out_by_linked_folder(folder: Path) -> str:
    (folder / "link").symlink_to(folder.parent / "secret")
    return f"{folder}/link/table.csv"


def out_by_linked_part(folder: Path) -> str:
    (folder / "part.parquet").symlink_to(folder.parent / "secret" / "table.csv")
    return str(folder)


def out_by_prefix(folder: Path) -> str:
    (folder.parent / "offered-not").mkdir()
    (folder.parent / "offered-not" / "table.csv").write_text("a\n1\n")
    return f"{folder}-not/table.csv"


def not_there(folder: Path) -> str:
    return f"{folder.parent}/secret/nothing.csv"


@pytest.mark.parametrize(
    "leads_out", [out_by_dots, out_by_link, out_by_linked_folder, out_by_linked_part, out_by_prefix, not_there]
)
def test_nothing_outside_of_the_folders(offered: Path, leads_out: Callable[[Path], str]) -> None:
    """Whatever leads out is refused in the same words, whether there is anything or not."""
    assert refusal(leads_out(offered), offered).startswith("Only files below the folders")


def test_half_a_letter_is_no_path(offered: Path) -> None:
    """Looked at before it is asked for, below folders and where there are none."""
    for folder in (offered, None):
        assert "no path" in refusal(f"{offered}/\ud800.csv", folder)


def test_links_that_stay_inside(offered: Path) -> None:
    """A link is followed; the table is the file at its end."""
    (offered / "link.csv").symlink_to(offered / "table.csv")
    assert find_table(str(offered / "link.csv"), (offered,)).path == offered / "table.csv"


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def loop(folder: Path) -> Path:
    (folder / "one").symlink_to(folder / "two")
    (folder / "two").symlink_to(folder / "one")
    return folder / "one"


def not_in_utf8(folder: Path) -> Path:
    """At the end of a link, since nobody can type it."""
    (folder / "table.csv").rename(folder / os.fsdecode(b"\xff.csv"))
    (folder / "link.csv").symlink_to(folder / os.fsdecode(b"\xff.csv"))
    return folder / "link.csv"


def unreadable(folder: Path) -> Path:
    (folder / "table.csv").chmod(0)
    if os.access(folder / "table.csv", os.R_OK):
        pytest.skip("this user may read every file")
    return folder / "table.csv"


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (lambda folder: "", "Give the path"),
        (lambda folder: "table.csv", "Give the whole path"),
        (lambda folder: "~/table.csv", "Give the whole path"),
        (lambda folder: f"{folder}/table.csv\0.txt", "no path"),
        (lambda folder: "/" + "a" * LONGEST, "no path"),
        (lambda folder: "/" + "a" * 3_000, "cannot be opened"),
        (lambda folder: f"{folder}/nothing.csv", "There is no file or folder 'nothing.csv'"),
        (lambda folder: f"{folder}/table.csv/more", "There is no file or folder"),
        (lambda folder: "/dev/zero", "is a device"),
        (lambda folder: "/proc/kmsg", "has no end"),
        (fifo, "is a pipe"),
        (loop, "leads back to itself"),
        (unreadable, "may not be read"),
        (not_in_utf8, "is no UTF-8; rename it"),
        (lambda folder: folder, "holds no file that ends with .parquet"),
    ],
)
def test_what_is_no_table(offered: Path, place: Callable[[Path], object], words: str) -> None:
    """On one's own computer too; one short sentence or two, and no path in them."""
    sentence = refusal(place(offered), None)
    assert words in sentence
    assert str(offered) not in sentence
    assert len(sentence.split()) <= 25


def test_a_socket(monkeypatch: pytest.MonkeyPatch, offered: Path) -> None:
    """It is no file; its path is given in short, since that of a socket has to be."""
    monkeypatch.chdir(offered)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("door")
        assert "is a socket" in refusal(offered / "door", None)


@pytest.mark.parametrize("change", ["rewritten", "replaced", "led out", "gone"])
def test_a_file_that_changes(offered: Path, change: str) -> None:
    """Between the look and a pass: other bytes, another file in its place, a link out in its place, nothing."""
    file = offered / "table.csv"
    table = find_table(str(file), (offered,))
    check_unchanged(table, (offered,))
    about = file.stat()
    if change == "rewritten":
        file.write_text("a,b\n1,2\n3,4\n")
    else:
        file.rename(offered.parent / "before.csv")
    if change == "replaced":  # same size, same time
        file.write_text("a,b\n9,2\n")
        os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    if change == "led out":
        file.symlink_to(offered.parent / "secret" / "table.csv")
    with pytest.raises(DataError):
        check_unchanged(table, (offered,))


def test_folders_are_there(offered: Path) -> None:
    """A folder that is offered is one, its links followed."""
    (offered / "link").symlink_to(offered.parent / "secret")
    assert real_folder(str(offered / "link")) == offered.parent / "secret"
    for wrong in (offered / "table.csv", offered / "nothing"):
        with pytest.raises(OSError, match=r"."):
            real_folder(str(wrong))
