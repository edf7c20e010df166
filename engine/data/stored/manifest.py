"""What a kept folder says of its rows: a small file beside the planes, checked when it is opened again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from xxhash import xxh3_128

from engine.data.digest import ROWS
from engine.data.preparing.report import ColumnReport, ImportReport
from engine.data.stored.disk_store import MANIFEST, PLANES, DiskStore, Layout
from engine.data.stored.folder import Folder, new_file
from engine.errors import InputError
from engine.words import short

FORMAT, FORMER = "diptych stored table 3", "diptych stored table 2"
"""What is written, and what can be read too: folders without fine codes."""
_MOST = 50_000_000
"""Bytes that the file may have: ten thousand variables of a thousand levels need less."""


class Manifest(NamedTuple):
    """The content of the file.

    Attributes
    ----------
    layout : of the planes
    digests : of the rows, see `engine.data.digest`
    recipe : as `Recipe.to_dict` gives it
    report : how a file became this
    beside : digests of the fine codes' bits after the variables, none where there are none
    """

    layout: Layout
    digests: bytes
    recipe: dict[str, Any]
    report: ImportReport
    beside: bytes = b""


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write what a folder holds, and a digest of that."""
    layout = manifest.layout
    written = {
        "format": FORMAT,
        "rows": layout.rows,
        "block_rows": layout.block_rows,
        "arity": list(layout.arity),
        "digests": manifest.digests.hex(),
        "beside": manifest.beside.hex(),
        "recipe": manifest.recipe,
        "report": manifest.report.to_dict(),
    }
    written["digest"] = digest_of(written)
    with new_file(folder / MANIFEST) as file:
        file.write(json.dumps(written, allow_nan=False).encode())


def digest_of(written: dict[str, Any]) -> str:
    """The digest of all that a manifest says beside it."""
    rest = {what: value for what, value in written.items() if what != "digest"}
    return xxh3_128(json.dumps(rest).encode()).hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """Read what a kept folder says of its rows."""
    shown, path = folder.name[:60], folder / MANIFEST
    if folder.is_file():
        raise InputError(f"'{shown}' is a file; give the folder of a table that from_parquet kept (keep=True).")
    try:
        if path.stat().st_size > _MOST:
            raise InputError(f"'{MANIFEST}' in '{shown}' is too large to be one of a stored table.")
        written = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"'{shown}' holds no stored table; give the folder of one that was kept (keep=True)."
        ) from None
    except (OSError, ValueError, RecursionError):
        written = None
    if not isinstance(written, dict) or written.get("format") not in (FORMAT, FORMER):
        raise InputError(f"'{MANIFEST}' in '{shown}' is damaged, or of another version; read the table again.")
    try:
        return _checked(written)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise InputError(f"'{MANIFEST}' in '{shown}' is damaged; read the table again.") from None


def _checked(written: dict[str, Any]) -> Manifest:
    layout = Layout(int(written["rows"]), int(written["block_rows"]), tuple(int(r) for r in written["arity"]))
    digests, beside = bytes.fromhex(written["digests"]), bytes.fromhex(written.get("beside", ""))
    if digest_of(written) != written["digest"]:  # somebody changed it
        raise ValueError
    fits = layout.rows > 0 and layout.block_rows > 0 and layout.block_rows % ROWS == 0 and min(layout.arity) > 0
    fits &= len(beside) in (0, len(digests))
    if not fits or len(digests) != 16 * -(-layout.rows // ROWS) or not isinstance(written["recipe"], dict):
        raise ValueError
    report = dict(written["report"])
    report["columns"] = tuple(_column(item) for item in report["columns"])
    for name in ("problems", "suggestions", "questions"):
        report[name] = tuple(report.get(name, ()))
    told = ImportReport(**report)
    if told.rows_kept != layout.rows:
        raise ValueError
    return Manifest(layout, digests, written["recipe"], told, beside)


def _column(written: dict[str, Any]) -> ColumnReport:
    """Lists of a file are tuples here."""
    fields: dict[str, Any] = {what: tuple(item) if isinstance(item, list) else item for what, item in written.items()}
    fields["cells"] = tuple((int(row), str(text)) for row, text in fields["cells"])
    return ColumnReport(**fields)


def open_store(folder: Path, manifest: Manifest, variables: int) -> DiskStore:
    """The rows of a kept folder with so many variables, after a look at every one of them."""
    planes = folder / PLANES
    if not planes.is_file() or planes.stat().st_size != manifest.layout.size:
        raise InputError(f"'{PLANES}' in '{short(folder.name, 60)}' is not there or cut short; read the table again.")
    place, every = Folder(folder), range(len(manifest.layout.arity))
    store = DiskStore(place, manifest.layout, every[:variables])
    rest = DiskStore(place, manifest.layout, every[variables:])
    if store.digests() != manifest.digests or (rest.digests() if len(rest.arity) else b"") != manifest.beside:
        raise InputError(f"'{PLANES}' in '{short(folder.name, 60)}' is damaged; read the table again.")
    store.beside = DiskStore(place, manifest.layout)
    return store
