"""What a file really is, by its first and last bytes; its name is only compared."""

from __future__ import annotations

import io
import os
import re
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from engine.data.reading.decoding import unmarked_utf16
from engine.errors import InputError

_MADE_UP = ("/proc/", "/sys/")
_SPREADSHEET = "Open it in a spreadsheet program and save it as .xlsx or CSV."

_REFUSED = (
    (b"BZh", "a bzip2-compressed file. Unpack it first; compressed tables are not opened."),
    (b"\xfd7zXZ\x00", "an xz-compressed file. Unpack it first; compressed tables are not opened."),
    (b"\x28\xb5\x2f\xfd", "a zstd-compressed file. Unpack it first; compressed tables are not opened."),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive. Unpack it first and give the table inside."),
    (b"RDX", "an R workspace (.RData), which can carry code. In R, save the table with write.csv()."),
    (b"RDA", "an R workspace (.RData), which can carry code. In R, save the table with write.csv()."),
    (b"X\n\x00\x00\x00", "an R object (.rds), which can carry code. In R, save the table with write.csv()."),
    (b"%PDF", "a PDF document. Save the table in it as CSV or .xlsx."),
    (b"SQLite format 3\x00", "an SQLite database. Export the table you need as CSV."),
    (b"\x89HDF", "an HDF5 file. Save the table as CSV or Parquet."),
    (b"FEA1", "a Feather file of the first version. Write it again with a newer program, or save it as Parquet."),
    (b"PARE", "an encrypted Parquet file. Save it without encryption."),
    (b"{\\rtf", "a word-processor document. Save the table in it as CSV or .xlsx."),
)
_SAS = b"\0" * 12 + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
BAD_ZIP = (
    zipfile.BadZipFile, zlib.error, KeyError, EOFError, NotImplementedError, OSError, ValueError, RuntimeError,
)  # fmt: skip
"""What Python says of an archive that is damaged, lies about itself or is locked."""
_TYPES: dict[str, tuple[str, str, set[str]]] = {
    "text": (
        "text table",
        "a text table",
        {"", ".csv", ".tsv", ".tab", ".txt", ".dat", ".data", ".psv", ".asc", ".arff"},
    ),
    "xlsx": ("workbook", "an Excel workbook", {".xlsx", ".xlsm"}),
    "ods": ("OpenDocument sheet", "an OpenDocument sheet", {".ods"}),
    "parquet": ("Parquet file", "a Parquet file", {".parquet", ".pq", ".parq"}),
    "feather": ("Feather file", "a Feather file", {".feather", ".arrow", ".ipc", ".ft"}),
    "sav": ("SPSS file", "an SPSS file", {".sav", ".zsav"}),
    "dta": ("Stata file", "a Stata file", {".dta"}),
    "xpt": ("SAS transport file", "a SAS transport file", {".xpt", ".xport"}),
    "sas7bdat": ("SAS file", "a SAS file", {".sas7bdat"}),
    "gzip": ("compressed text table", "a compressed text table", {".gz"}),
}
"""Type -> what its files are called, what one of them is, and how their names end."""
KINDS = {kind: called for kind, (called, _, _) in _TYPES.items()}
"""What a file of a type is called in a sentence."""


def is_plain_file(path: Path) -> bool:
    """True where it can be read to an end: no folder, device or pipe, nor what the system makes up while it is read.

    Asked before it is opened, which may already wait for ever.
    """
    return path.is_file() and not os.path.realpath(path).startswith(_MADE_UP)


def file_type(data: bytes) -> str:
    """A key of `KINDS`; anything else is refused with a `DataError`."""
    head = data[:4096]
    if len(data) > 2 and not data.strip(b"\x00"):
        raise InputError(
            f"The file is {len(data):,} bytes that are all zero: it was not copied whole. Copy or export it again."
        )
    if not data.strip(b" \t\r\n\x00\x1a\xef\xbb\xbf\xff\xfe"):
        raise InputError("The file is empty. Choose a file that holds a table with a header and rows.")
    for magic, sentence in _REFUSED:
        if head.startswith(magic):
            raise InputError(f"This is {sentence}")
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "ods" if _open_document(data) else "xlsx"  # whether it is a workbook is seen in the zip directory
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(b"ARROW1"):
        if not data.endswith(b"ARROW1") or len(data) < 20:
            raise InputError("This Feather file is cut off: its end is missing. Copy or save it again.")
        return "feather"
    if head.startswith(b"PAR1"):
        if data.endswith(b"PARE"):
            raise InputError("This is an encrypted Parquet file. Save it without encryption.")
        if not data.endswith(b"PAR1") or len(data) < 12:
            raise InputError("This Parquet file is cut off: its end is missing. Copy or save it again.")
        return "parquet"
    if head.startswith((b"$FL2", b"$FL3")):
        return "sav"
    if head.startswith(b"<stata_dta>") or _old_stata(head):
        return "dta"
    if head.startswith(b"HEADER RECORD*******LIB"):
        return "xpt"
    if head.startswith(_SAS):
        return "sas7bdat"
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise InputError("This workbook is protected with a password. Save it without one.")
        raise InputError(f"This is an old Office file (.xls), whatever its name says. {_SPREADSHEET}")
    if _pickle(data):
        raise InputError("This is a Python pickle, which can carry code, so it is never opened. Save the table as CSV.")
    _refuse_markup(head)
    _refuse_binary(head)
    return "text"


def mismatch(kind: str, name: str) -> str | None:
    """A sentence when the file's name promises something else than its content."""
    suffix = PurePosixPath(name).suffix.lower()
    if kind == "gzip":
        suffix = PurePosixPath(name.lower().removesuffix(".gz")).suffix
        return mismatch("text", suffix) if suffix else None
    _, described, suffixes = _TYPES[kind]
    if suffix in suffixes or (kind == "text" and suffix[1:].isdigit()):
        return None
    return f"The name ends in '{suffix}', but the content is {described}; it was read as that."


def short_name(name: object) -> str:
    """The last part of a file name, printable and at most 100 characters long."""
    last = re.split(r"[/\\]", str(name))[-1]
    clean = "".join(c for c in last if c.isprintable()).strip()
    return clean if len(clean) <= 100 else clean[:60] + "…" + clean[-39:]


def _open_document(data: bytes) -> bool:
    """True where a zip container says in its first part that it is a spreadsheet of OpenDocument."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open("mimetype") as stream:
            return stream.read(100).strip() == b"application/vnd.oasis.opendocument.spreadsheet"
    except BAD_ZIP:
        return False


def _old_stata(head: bytes) -> bool:
    versions = (105, 108, 110, 111, 112, 113, 114, 115)
    return len(head) > 10 and head[0] in versions and head[1:4] in (b"\x01\x01\x00", b"\x02\x01\x00")


def _pickle(data: bytes) -> bool:
    if data[:1] == b"\x80" and data[1:2] in (b"\2", b"\3", b"\4", b"\5"):
        return data.rstrip(b"\r\n").endswith(b".")
    # protocol 0 is text: it ends in "." and opens with an import, a mark or a put
    return data.endswith(b".") and re.match(rb"(c[\w.]+\n[\w.]+\n|ccopy_reg|\((dp|lp|i[\w.]+\n))", data) is not None


def _refuse_markup(head: bytes) -> None:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<table")):
        raise InputError(f"This is a web page or XML, not a table of text. {_SPREADSHEET}")
    if re.match(rb'(\{\s*"|\[\s*(\{\s*"|\[))', start):
        raise InputError("This is JSON, not a table. Save the table as CSV.")


def _refuse_binary(head: bytes) -> None:
    """Refuse what is no text at all: more than a few control characters, and not UTF-16."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or head[1::2].count(0) > len(head) / 8:
        return
    if head[0::2].count(0) > len(head) / 8 or unmarked_utf16(head):
        return
    control = sum(byte < 9 or 13 < byte < 32 for byte in head.rstrip(b"\x1a\r\n"))  # DOS ended its texts with Ctrl-Z
    picture = head.startswith((b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"MZ", b"\x7fELF"))
    if control <= max(2, len(head) // 50) and not picture:
        return
    import puremagic

    try:
        result = puremagic.from_string(head)
    except (puremagic.PureError, ValueError):
        result = ""
    kind = f" (it looks like {result})" if result else ""
    raise InputError(
        f"This is not a table Diptych reads{kind}. Give a CSV or other text table, .xlsx, .ods, "
        "Parquet, Feather, SPSS .sav, Stata .dta or SAS .xpt."
    )
