"""A picture as PDF: one page, vectors only, its font inside, text that can be selected where the picture has it."""

from __future__ import annotations

import re
import zlib

import pytest

from engine.graphs.drawing.pdf import LACKING, POINTS, lacking_letters, svg_to_pdf
from engine.graphs.drawing.rings import Ring, RingLink, draw_rings

PLACES = {"a": (0.0, 0.0), "b": (120.0, 40.0)}
RINGS = [Ring("a", "Schlaf – größer", 0.4, 0), Ring("b", "(Σ) \\ Сон", 0.2, 1)]


def streams(pdf: bytes) -> list[bytes]:
    """Every stream of the file, readable."""
    found = re.findall(rb"stream\n(.*?)\nendstream", pdf, re.DOTALL)
    return [zlib.decompress(stream) if stream[:1] == b"\x78" else stream for stream in found]


def texts(pdf: bytes) -> list[str]:
    """What can be selected, line by line, as a reader maps glyphs to letters."""
    every = streams(pdf)
    letters: dict[int, str] = {}
    for glyph, letter in re.findall(rb"<([0-9A-F]{4})> <([0-9A-F]{4})>", b"\n".join(every)):
        letters[int(glyph, 16)] = chr(int(letter, 16))
    page = next(stream for stream in every if b" Tj" in stream or b" TJ" in stream)
    lines = []
    for shown in re.findall(rb"\((?:[^()\\]|\\.)*\)(?= Tj)", page, re.DOTALL):
        codes = re.sub(
            rb"\\(.)", lambda match: {b"r": b"\r", b"n": b"\n"}.get(match[1], match[1]), shown[1:-1], flags=16
        )
        lines.append("".join(letters[int.from_bytes(codes[k : k + 2], "big")] for k in range(0, len(codes), 2)))
    return lines


def picture(value: float = -0.4, *, grey: bool = False) -> str:
    """Two items of two scales with an arrow."""
    links = [RingLink("a", "b", value, directed=True)]
    return draw_rings(RINGS, links, PLACES, ident="f", title="t", scales=["mood", "sleep"], grey=grey, legend=True)


def test_the_file_has_vectors_its_font_and_text() -> None:
    """No image; labels, legend and caption are text; letters of three scripts."""
    pdf = svg_to_pdf(picture(), "Partial correlations, r = −.40.")
    assert pdf.startswith(b"%PDF-") and b"/Subtype /Image" not in pdf and b"/FontFile2" in pdf
    assert pdf.count(b"/Type /Page\n") == 1
    lines = texts(pdf)
    assert {"Schlaf –", "größer"} <= set(lines) or "Schlaf – größer" in lines
    assert "(Σ) \\ Сон" in lines
    assert {"mood", "sleep", "explained by all others", "negative", "wider: larger"} <= set(lines)
    assert "Partial correlations, r = −.40." in " ".join(lines)


def test_the_arrow_has_a_head_and_colour_follows_the_picture() -> None:
    """A filled shape of three corners in the ink of the sign; in grey no colour at all."""
    page = next(stream for stream in streams(svg_to_pdf(picture())) if b" Tj" in stream)
    assert re.search(rb"0\.6392\d* 0\.098\d* 0\.3569\d* rg", page)
    heads = re.findall(rb"[\d.-]+ [\d.-]+ m(?:\s[\d.-]+ [\d.-]+ l){2}\s(?:[\d.-]+ [\d.-]+ l\s)?h", page)
    assert heads and b" B " not in page  # a line is no area
    grey = next(stream for stream in streams(svg_to_pdf(picture(grey=True))) if b" Tj" in stream)
    for colour in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)", grey):
        assert max(map(float, colour)) - min(map(float, colour)) < 0.13


def test_letters_that_the_font_lacks_are_question_marks_and_the_caption_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """In labels and captions; where none is lacking nothing is said."""
    rings = [Ring("a", "眠れない Schlaf", 0.4), Ring("b", "b", 0.2)]
    found = texts(svg_to_pdf(draw_rings(rings, [], PLACES, ident="f", title="t"), "About 日."))
    assert "???? Schlaf" in " ".join(found)
    assert f"About ?. {LACKING}" in " ".join(found)
    assert LACKING not in " ".join(texts(svg_to_pdf(picture(), "Short.")))
    assert lacking_letters("眠れ眠 é Σ Ж\n") == "眠れ"
    assert not caplog.records


def test_the_page_holds_the_picture_and_the_caption() -> None:
    """As large as the picture in points; a longer caption makes it higher, no line passes the margin."""
    sizes = []
    for caption in ("", "Short.", "word " * 80):
        *_, box = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", svg_to_pdf(picture(), caption))
        sizes.append((float(box[0]), float(box[1])))
    wide, high = (POINTS * float(number) for number in re.findall(r"width='(\d+)' height='(\d+)'", picture())[0])
    assert sizes[0] == pytest.approx((max(wide, 240) + 36, high + 36), abs=0.1)
    assert sizes[0][1] < sizes[1][1] < sizes[2][1]
    assert len(texts(svg_to_pdf(picture(), "word " * 80))) > len(texts(svg_to_pdf(picture(), "Short."))) + 3
    assert b"D:2000" in svg_to_pdf(picture())  # one picture has one file, whenever it is made
