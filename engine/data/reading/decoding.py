"""Which encoding a text file is in, and where it breaks that encoding."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from engine.errors import InputError
from engine.words import short

_STEP = 1 << 20
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class Encoding:
    """A codec name, and whether it is certain or the likeliest of several."""

    name: str
    certain: bool


def find_encoding(data: bytes, requested: str | None = None) -> Encoding:
    """The encoding of `data`, all of which is valid in it.

    Order: the one asked for, a byte-order mark, UTF-16 by its zero bytes, UTF-8, then 8-bit encodings.
    """
    if requested is not None:
        if not _is_encoding(requested):
            raise InputError(
                f"There is no text encoding called '{short(requested, 40)}'. Common ones: utf-8, cp1252, latin-1, "
                f"utf-16."
            )
        return _checked(data, requested, certain=True)
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _checked(data, name, certain=True)
    wide = unmarked_utf16(data)
    if wide:
        return _checked(data, wide, certain=False)
    bad = first_invalid(data, "utf-8")
    if bad is None:
        return _checked(data, "utf-8", certain=True)
    if _mostly_utf8(data):
        raise InputError(
            f"Line {_line(data, bad)} holds a byte (0x{data[bad]:02X}) that is not valid in UTF-8, while the "
            "rest of the file is UTF-8. Save the file again as UTF-8, or choose its encoding.",
            row=_line(data, bad),
        )
    return _checked(data, _eight_bit(data), certain=False)


def first_invalid(data: bytes, encoding: str) -> int | None:
    """Position of the first byte that `encoding` cannot read, or None; in pieces, to spare memory."""
    decoder = codecs.getincrementaldecoder(encoding)()
    for start in range(0, max(len(data), 1), _STEP):
        try:
            decoder.decode(data[start : start + _STEP], final=start + _STEP >= len(data))
        except UnicodeDecodeError as error:
            return max(0, min(start + error.start, len(data) - 1))
    return None


def _is_encoding(name: str) -> bool:
    """True where `name` is a codec for files of text; others can unpack, run or look up things."""
    try:
        known = codecs.lookup(name).name
        known.encode("ascii").decode(name)  # refuses what is no text encoding, such as zlib
    except (LookupError, UnicodeError, ValueError, TypeError, AttributeError):
        return False
    return known not in ("idna", "punycode", "unicode_escape", "raw-unicode-escape", "unicode-escape", "undefined")


def _checked(data: bytes, encoding: str, *, certain: bool) -> Encoding:
    bad = first_invalid(data, encoding)
    if bad is not None:
        raise InputError(
            f"Line {_line(data, bad)} cannot be read as {encoding}. Choose another encoding, "
            "or save the file again as UTF-8.",
            row=_line(data, bad),
        )
    if not encoding.startswith(("utf-16", "utf-32", "utf_16", "utf_32")):
        zero = data.find(b"\x00")
        if zero >= 0:
            raise InputError(
                f"Line {_line(data, zero)} holds a NUL character, which no text table has: the file is "
                "damaged or not text. Export it again.",
                row=_line(data, zero),
            )
    return Encoding(encoding, certain)


def _line(data: bytes, position: int) -> int:
    """1-based line of a byte; lines end in LF, CR LF or, where there is no LF at all, in CR."""
    end = b"\n" if b"\n" in data else b"\r"
    return data.count(end, 0, position) + 1


def unmarked_utf16(data: bytes) -> str | None:
    """UTF-16 without a mark: in Western text every second byte is zero, in any text one of each line's end is."""
    sample = data[:4096]
    half = len(sample) // 2
    if half < 4:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.6 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.6 * half and odd < 0.05 * half:
        return "utf-16-be"
    ends = [place for place, byte in enumerate(sample[:-1]) if byte == 0x0A]
    if ends and all(place % 2 == 0 and sample[place + 1] == 0 for place in ends):
        return "utf-16-le"
    if ends and all(place % 2 == 1 and sample[place - 1] == 0 for place in ends):
        return "utf-16-be"
    return None


def _mostly_utf8(data: bytes) -> bool:
    """True where the bytes above 127 are for the greater part whole UTF-8 sequences."""
    high = bytes(byte for byte in data[: 4 * _STEP] if byte > 127)
    stray = data[: 4 * _STEP].decode("utf-8", errors="replace").count("�")
    return stray * 3 < len(high)


def _eight_bit(data: bytes) -> str:
    """CP1252 or Latin-1 for Western text; what charset-normalizer says when letters are mostly foreign."""
    lines = [line for line in data[:_STEP].splitlines() if any(byte > 127 for byte in line)][:500]
    sample = b"\n".join(lines)
    letters = sum(byte > 127 or chr(byte).isalpha() for byte in sample)
    high = sum(byte > 127 for byte in sample)
    if high > 0.5 * letters:
        from charset_normalizer import from_bytes

        best = from_bytes(sample).best()
        if best is not None and first_invalid(data, best.encoding) is None:
            return best.encoding
    if any(0x80 <= byte <= 0x9F for byte in sample) and first_invalid(data, "cp1252") is None:
        return "cp1252"
    return "latin-1"


_ARFF = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s*%[^\n]*\n|\s*\n)*\s*@relation\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""^\s*@attribute\s+("[^"\n]*"|'[^'\n]*'|\S+)""", re.IGNORECASE | re.MULTILINE)
_ROWS_BEGIN = re.compile(rb"^\s*@data[^\n]*\n", re.IGNORECASE | re.MULTILINE)
_COMMENT = re.compile(rb"^[ \t]*%[^\n]*\n", re.MULTILINE)


def without_declarations(data: bytes) -> bytes:
    """The text as a table with a header, where it is ARFF; `DataError` where its rows name only some of the cells."""
    if not _ARFF.match(data[:65_536]):
        return data
    begin = _ROWS_BEGIN.search(data)
    names = _ATTRIBUTE.findall(data[: begin.start()]) if begin else []
    if begin is None or not names:
        raise InputError("This ARFF file has no attributes or no line '@data'. In Weka, save the table as CSV.")
    body = _COMMENT.sub(b"", data[begin.end() :])
    if body.lstrip().startswith(b"{"):
        raise InputError("This ARFF file writes only some of the cells of a row. In Weka, save the table as CSV.")
    head = b",".join(b'"' + name.strip(b"\"'").replace(b'"', b"'") + b'"' for name in names)
    return head + b"\n" + body.replace(b"'", b'"') if b'"' not in body else head + b"\n" + body
