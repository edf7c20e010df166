"""Pictures from elsewhere: shapes and text come in, everything else stays out."""

from __future__ import annotations

import pytest

from engine.errors import DataError
from engine.project.report.charts import Picture, pictures_markup

SVG = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>{}</svg>"


def test_a_picture_has_ids_of_its_own() -> None:
    """Two charts that use the same id do not meet."""
    clip = "<defs><clipPath id='c'><rect width='9' height='9'/></clipPath></defs>"
    inside = f"{clip}<g clip-path='url(#c)'><use href='#c'/></g>"
    first, second = pictures_markup([Picture("A", SVG.format(inside), "what it shows")] * 2, "r1")
    assert 'id="r1-1-c"' in first
    assert 'clip-path="url(#r1-1-c)"' in first
    assert 'href="#r1-1-c"' in first
    assert 'id="r1-2-c"' in second
    assert 'aria-label="what it shows"' in first
    assert "http" not in first


def test_title_and_alternative_are_text() -> None:
    """Whatever a caller calls a chart."""
    found = Picture("<b>", SVG.format("<rect/>"), "<script>'\"").markup("x")
    assert "<b>&lt;b&gt;" in found
    assert "<script" not in found


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        "<style>*{color:red}</style>",
        "<foreignObject><p/></foreignObject>",
        "<image href='data:image/png;base64,AA'/>",
        "<a href='#x'><rect/></a>",
        "<rect onclick='x()'/>",
        "<rect fill='url(http://evil.example/x)'/>",
        "<rect style='background: url(//evil.example)'/>",
        "<rect style='fill: \\75rl(x)'/>",
        "<use href='http://evil.example/x.svg#a'/>",
        "<use xmlns:xlink='http://www.w3.org/1999/xlink' xlink:href='x.svg'/>",
        "<svg/>",
        "<animate attributeName='href'/>",
        "<rect",
    ],
)
def test_what_could_load_run_or_restyle_is_refused(inside: str) -> None:
    """Not cleaned, refused: the caller shall know."""
    with pytest.raises(DataError, match="no SVG of shapes and text alone"):
        Picture("A", SVG.format(inside), "words")


def test_a_declaration_is_refused_before_it_is_read() -> None:
    """No entity is ever expanded."""
    with pytest.raises(DataError):
        Picture("A", "<!DOCTYPE svg [<!ENTITY a 'aaaa'>]><svg>&a;</svg>", "words")


def test_what_is_no_picture_is_refused() -> None:
    """A text of markup is not; nor is a chart without words."""
    with pytest.raises(DataError, match=r"charts\.Picture"):
        pictures_markup(["<svg/>"], "x")  # type: ignore[list-item]
    with pytest.raises(DataError, match="needs an alternative"):
        Picture("A", SVG.format(""), " ")
    with pytest.raises(DataError, match="as text"):
        Picture("A", b"<svg/>", "words")  # type: ignore[arg-type]
