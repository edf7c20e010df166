"""Files that begin like something else, and texts with signs that no text has."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import engine
from engine.errors import DataError


def read(folder: Path, content: bytes):  # type: ignore[no-untyped-def]
    """A file of these bytes as a table."""
    path = folder / "table.csv"
    path.write_bytes(content)
    return engine.read_table(path)


def test_a_euro_sign_in_front_is_no_pickle(tmp_path: Path) -> None:
    """In Windows' encoding a table may begin with the byte that pickles begin with, and end with a full stop."""
    rows = "".join(f"{i},word {i} für\n" for i in range(20))
    table = read(tmp_path, ("€ paid,said\n" + rows + "21,end.").encode("cp1252"))
    assert len(table) == 21
    assert table.columns[1] == "said"


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_pickle_is_never_opened(tmp_path: Path, protocol: int) -> None:
    """Whatever its protocol, it is refused for what it is."""
    with pytest.raises(DataError, match="pickle"):
        read(tmp_path, b"\x80" + bytes([protocol]) + b"}q\x00." + b"\n")


@pytest.mark.parametrize(("control", "refused"), [(2, False), (40, False), (400, True)])
def test_a_few_control_signs_are_borne_and_many_are_not(tmp_path: Path, control: int, refused: bool) -> None:
    """Up to two in a hundred bytes, or two in all, come from old machines; more than that is no text."""
    text = bytearray(b"name,age\n" + b"".join(b"someone,%d\n" % (i % 90) for i in range(400)))
    letters = [i for i, byte in enumerate(text) if chr(byte).isalpha() and i > 20]
    for i in letters[:: len(letters) // control][:control]:
        text[i] = 1
    if refused:
        with pytest.raises(DataError, match="not a table Diptych reads"):
            read(tmp_path, bytes(text))
    else:
        assert len(read(tmp_path, bytes(text))) == 400


@pytest.mark.parametrize(
    "content", [b"\x1a", b" \x1a\r\n", gzip.compress(b"\x1a\x1a", mtime=0)], ids=["mark", "spaces", "gzip"]
)
def test_an_end_mark_alone_is_an_empty_file(content: bytes) -> None:
    """DOS ended its texts with Ctrl-Z."""
    with pytest.raises(DataError, match="The file is empty"):
        engine.read_table(content)
