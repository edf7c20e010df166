"""A picture of ours as one page of PDF: vectors, text that can be selected, its font inside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast
from xml.etree import ElementTree

from engine.graphs.drawing.svg import INK

if TYPE_CHECKING:
    from fpdf import FPDF

POINTS = 0.75
"""Points of a pixel."""
_FONT = Path(__file__).with_name("sans.ttf")
"""Latin, Greek and Cyrillic letters of Source Sans 3, under another name as its licence asks; see OFL.txt."""
_SVG = "{http://www.w3.org/2000/svg}"
_NO_SHAPES = {f"{_SVG}{name}" for name in ("text", "title", "desc")}
_MARGIN, _CAPTION, _LINE = 18.0, 9.0, 12.0
"""Points around the page, of a letter of the caption, and from line to line."""
_NARROWEST = 240.0
"""Points that a caption is wide at least."""
_WHEN = datetime(2000, 1, 1, tzinfo=UTC)
"""A date that is always the same, so that one picture has one file."""


LACKING = "A question mark stands for letters that the font of this file does not have; the SVG has them."


@dataclass(frozen=True)
class _Text:
    x: float
    y: float
    anchor: str
    size: float
    fill: str
    words: str


def svg_to_pdf(svg: str, caption: str = "") -> bytes:
    """One page as large as the picture with its caption below.

    Parameters
    ----------
    svg : a picture made by this package: lines, circles, rectangles, polygons, paths, texts, groups that are moved
    caption : below the picture

    Returns
    -------
    the file; a question mark stands for each letter that the font does not have, and the caption says so

    Examples
    --------
    >>> picture = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' width='9' height='9'/>"
    >>> svg_to_pdf(picture, "Nothing.")[:5]
    b'%PDF-'
    """
    from fpdf import FPDF
    from fpdf.svg import SVGObject

    root = ElementTree.fromstring(svg)  # noqa: S314 - our own drawing made it
    left, top, *size = (float(number) for number in root.attrib["viewBox"].split())
    wide, high = (POINTS * number for number in size)
    texts = list(_texts(root, (-left, -top), float(root.get("font-size", "12"))))
    if lacking := lacking_letters(f"{caption}{''.join(text.words for text in texts)}"):
        swapped = str.maketrans(dict.fromkeys(lacking, "?"))
        texts = [replace(text, words=text.words.translate(swapped)) for text in texts]
        caption = f"{caption.translate(swapped)} {LACKING}".strip()
    for parent in list(root.iter()):
        for child in list(parent):  # texts are written below; a line is no area
            if child.tag in _NO_SHAPES:
                parent.remove(child)
            elif child.tag == f"{_SVG}line":
                child.set("fill", "none")
    root.set("width", f"{wide:.2f}")
    root.set("height", f"{high:.2f}")
    across = max(wide, _NARROWEST) + 2 * _MARGIN
    pdf = FPDF(unit="pt", format=(across, high + 2 * _MARGIN))
    pdf.set_creation_date(_WHEN)
    pdf.set_margin(_MARGIN)
    pdf.set_auto_page_break(False)
    pdf.add_font("sans", fname=_FONT)
    pdf.set_font("sans", size=_CAPTION)
    rows = _lines(pdf, caption, across - 2 * _MARGIN)
    pdf.set_title(" ".join(caption.split()))
    pdf.add_page(format=(across, high + (2 + bool(rows)) * _MARGIN + _LINE * len(rows)))
    picture = SVGObject(ElementTree.tostring(root, encoding="unicode"))
    picture.draw_to_page(pdf, _MARGIN, _MARGIN)
    for text in texts:
        _write(pdf, text)
    pdf.set_font("sans", size=_CAPTION)
    pdf.set_text_color(INK)
    for place, row in enumerate(rows):
        pdf.text(_MARGIN, 2 * _MARGIN + high + _LINE * (place + 0.75), row)
    return bytes(pdf.output())


def lacking_letters(text: str) -> str:
    """The letters of a text that the font of a PDF does not have, each once.

    Parameters
    ----------
    text : such as the labels of a picture

    Examples
    --------
    >>> lacking_letters("Σ größer 日日")
    '日'
    """
    return "".join(letter for letter in dict.fromkeys(text) if ord(letter) not in _letters() and not letter.isspace())


@cache
def _letters() -> frozenset[int]:
    """The letters of the font."""
    from fpdf import FPDF
    from fpdf.fonts import TTFFont

    pdf = FPDF()
    pdf.add_font("sans", fname=_FONT)
    return frozenset(cast(TTFFont, pdf.fonts["sans"]).cmap)


def _lines(pdf: FPDF, caption: str, width: float) -> list[str]:
    """The caption in lines that fit."""
    rows: list[str] = []
    for word in caption.split():
        if rows and pdf.get_string_width(f"{rows[-1]} {word}") <= width:
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return rows


def _texts(element: ElementTree.Element, moved: tuple[float, float], size: float) -> Iterator[_Text]:
    """Every line of text with where it stands in the picture."""
    if shift := re.match(r"translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)", element.get("transform", "")):
        moved = moved[0] + float(shift[1]), moved[1] + float(shift[2])
    if element.tag != f"{_SVG}text":
        for child in element:
            yield from _texts(child, moved, size)
        return
    about = element.get("text-anchor", "start"), float(element.get("font-size", size)), element.get("fill", INK)
    for line in element.findall(f"{_SVG}tspan") or [element]:
        x, y = (float(line.get(key, element.get(key, "0"))) + move for key, move in zip("xy", moved, strict=True))
        yield _Text(x, y, *about, line.text or "")


def _write(pdf: FPDF, text: _Text) -> None:
    """One line of text on the page."""
    pdf.set_font("sans", size=POINTS * text.size)
    pdf.set_text_color(text.fill)
    back = {"middle": 0.5, "end": 1.0}.get(text.anchor, 0.0) * pdf.get_string_width(text.words)
    pdf.text(_MARGIN + POINTS * text.x - back, _MARGIN + POINTS * text.y, text.words)
