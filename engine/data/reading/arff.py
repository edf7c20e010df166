"""ARFF, as Weka writes it: the attributes become the names of a text separated by commas."""

from __future__ import annotations

import re

from engine.errors import DataError

_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s*%[^\n]*\n|\s*\n)*\s*@relation\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""^\s*@attribute\s+("[^"\n]*"|'[^'\n]*'|\S+)""", re.IGNORECASE | re.MULTILINE)
_DATA = re.compile(rb"^\s*@data[^\n]*\n", re.IGNORECASE | re.MULTILINE)
_COMMENT = re.compile(rb"^[ \t]*%[^\n]*\n", re.MULTILINE)


def without_declarations(data: bytes) -> bytes:
    """The text as a table with a header, where it is ARFF; `DataError` where its rows name only some of the cells."""
    if not _BEGINS.match(data[:65_536]):
        return data
    begin = _DATA.search(data)
    names = _ATTRIBUTE.findall(data[: begin.start()]) if begin else []
    if begin is None or not names:
        raise DataError("This ARFF file has no attributes or no line '@data'. In Weka, save the table as CSV.")
    body = _COMMENT.sub(b"", data[begin.end() :])
    if body.lstrip().startswith(b"{"):
        raise DataError("This ARFF file writes only some of the cells of a row. In Weka, save the table as CSV.")
    head = b",".join(b'"' + name.strip(b"\"'").replace(b'"', b"'") + b'"' for name in names)
    return head + b"\n" + body.replace(b"'", b'"') if b'"' not in body else head + b"\n" + body
