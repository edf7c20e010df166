"""Bytes of a foreign file as a table: what the process that reads does."""

from __future__ import annotations

import importlib
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pandas as pd

from engine.data.reading.decoding import without_declarations
from engine.data.reading.filetype import KINDS, file_type, mismatch
from engine.data.reading.foreign import ReaderChannel, column_stream
from engine.data.reading.formats.declared import read_feather, read_parquet
from engine.data.reading.formats.statistics_files import read_statistics
from engine.data.reading.formats.workbooks import read_workbook
from engine.data.reading.limits import MEGABYTE, Choices, Limits
from engine.data.reading.report import KEY, ReadingReport
from engine.data.reading.text_tables import read_text
from engine.errors import InputError
from engine.worker.channel import Channel

_READERS = {
    "xlsx": read_workbook,
    "ods": read_workbook,
    "parquet": read_parquet,
    "feather": read_feather,
    "sav": read_statistics,
    "dta": read_statistics,
    "xpt": read_statistics,
    "sas7bdat": read_statistics,
    "text": read_text,
}
_PRELOADED = ("pyarrow.compute", "pyarrow.csv", "pyarrow.parquet")
"""By name: what is loaded here belongs to the readers, and their code does not load it for the program."""
_PIECE, _FIRST_PIECE = 1 << 20, 1 << 12
_PADDING = re.compile(rb"\0+")
_ENDS = (b"\n", b"\r")
_LINE = 100
"""Cells that are taken for a line of a compressed text: where most are longer it is next to nothing blown up."""
_HEAD = 1 << 20
"""Bytes of a compressed text after which it is seen whether it is one."""
_END_OF_FILE = b"\x1a"
"""Ctrl-Z, with which DOS ended its texts."""


def table_job(
    data: bytes, options: dict[str, Any], limits: Limits, messages: ReaderChannel
) -> tuple[pd.DataFrame | None, dict[str, Any]]:
    """The table and its report, for the program."""
    table = parse(data, options["name"], Choices(**options["choices"]), limits, messages)
    return table, table.attrs[KEY]


def parse(data: bytes, name: str, choices: Choices, limits: Limits, messages: ReaderChannel) -> pd.DataFrame:
    """The table of a file; see `engine.data.reading.read.read_table`."""
    kind = file_type(data)
    messages.kind(KINDS[kind])
    other = mismatch(kind, name) if "." in name else None
    if kind == "gzip":
        data, kind = unpacked(data, limits), "text"
    report = ReadingReport(name, kind, problems=(other,) if other else ())
    if kind == "text":
        limits.check_lines(max(map(data.count, _ENDS)))
        data = without_declarations(_without_end_mark(data))
    return _READERS[kind](data, choices, limits, report, messages.progress)


def warm() -> None:
    """Load what readers need and read a table of ours, so that both are there before the first foreign file."""
    for name in _PRELOADED:
        importlib.import_module(name)
    # separated by spaces: the fast reader would start threads, which no fork survives; the second is no UTF-8
    for words in (b"a b\nx 1\ny 2\n", b"a b\nM\xfcller 1\nB\xe4r 2\n"):
        silent = ReaderChannel(Channel(BytesIO(), lambda content: None))
        column_stream(parse(words, "warm", Choices(), Limits(), silent).iloc[:, 0])


def unpacked(data: bytes, limits: Limits) -> bytes:
    """The text that a gzip file holds; never more than the limit is unpacked, nor of lines that no table has."""
    content, ends = BytesIO(), Counter[bytes]()  # which gives what it holds without a copy
    try:
        for piece in _unpacked_pieces(data):
            before = content.tell()
            size = before + content.write(piece)
            if before < _HEAD <= size:
                _refuse_other(file_type(content.getvalue()))
            if size > limits.unpacked_bytes:
                raise InputError(
                    f"The compressed file unpacks to more than {limits.unpacked_bytes / MEGABYTE:,.0f} MB, which "
                    "is the limit. Keep only the columns and rows you need, or save it as Parquet."
                )
            ends.update({end: piece.count(end) for end in _ENDS})
            limits.check_lines(max(ends.values()))
            limits.check_ratio(len(data), size, _LINE * max(ends.values()), size)
    except (zlib.error, EOFError):
        raise InputError("The gzip file is cut off or damaged. Copy or compress it again.") from None
    text = content.getvalue()
    _refuse_other(file_type(text))
    return text


def _refuse_other(kind: str) -> None:
    """`DataError` where a gzip file holds anything but a text."""
    if kind != "text":
        raise InputError(
            f"The gzip file holds a {KINDS[kind]}; only text tables are read from one. "
            "Unpack it first and give the file inside."
        )


def _unpacked_pieces(data: bytes) -> Iterator[bytes]:
    """Unpack a gzip file, at most `_PIECE` at a time; of its members, which may be many, one after the other."""
    whole, place = memoryview(data), 0
    while place < len(data):
        stream, size = zlib.decompressobj(wbits=31), _FIRST_PIECE
        while not stream.eof:
            given = whole[place : place + size]
            piece = stream.decompress(given, _PIECE)
            if not piece and not stream.eof and not given:
                raise EOFError
            yield piece
            # what the stream leaves is copied, so that a member gets little at first: it may be a small one
            place += len(given) - len(stream.unused_data if stream.eof else stream.unconsumed_tail)
            size = min(2 * size, _PIECE)
        padding = _PADDING.match(data, place)  # some programs fill the last block of a tape
        place = place if padding is None else padding.end()


def _without_end_mark(data: bytes) -> bytes:
    """The text without Ctrl-Z at its end, which would count as one more row."""
    bare = data.rstrip(b"\r\n")
    if not bare.endswith(_END_OF_FILE):
        return data
    return bare.rstrip(_END_OF_FILE)
