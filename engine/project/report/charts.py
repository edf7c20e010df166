"""Pictures from elsewhere: looked at element by element before they stand in a document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from markupsafe import Markup

from engine.errors import DataError
from engine.project.report.markup import clean, render
from engine.words import short

_SPACE = "{http://www.w3.org/2000/svg}"
_TAGS = frozenset(
    re.findall(
        r"\w+",
        "svg g path rect circle ellipse line polyline polygon text tspan defs clipPath marker linearGradient "
        "radialGradient stop title desc pattern mask use",
    )
)
_BAD = re.compile(r"url\((?!\s*['\"]?#)|expression|@import|javascript:|\\|://", re.IGNORECASE)
MOST_LETTERS = 2_000_000


@dataclass(frozen=True)
class Picture:
    """A chart for the report: its title, an SVG element as text, and what it shows in words.

    Parameters
    ----------
    title : above it
    svg : one element with shapes and text only: no script, no style sheet, no link, nothing to load
    alternative : what a reader who cannot see it is told

    Raises
    ------
    DataError : the SVG is none, or has something else in it
    """

    title: str
    svg: str
    alternative: str

    def __post_init__(self) -> None:
        if not all(isinstance(item, str) for item in (self.title, self.svg, self.alternative)):
            raise DataError("A picture is a title, an SVG as text, and what it shows in words.")
        if not self.alternative.strip():
            raise DataError(f"The picture '{short(self.title, 60)}' needs an alternative: what it shows, in words.")
        _looked_at(self.svg)

    def markup(self, ident: str) -> Markup:
        """The picture as a figure."""
        root = _looked_at(self.svg)
        for name in ("aria-label", "aria-labelledby", "role"):
            root.attrib.pop(name, None)
        for item in root.iter():
            item.tag = item.tag.removeprefix(_SPACE)
            _own_ids(item, ident)
        root.set("role", "img")
        root.set("aria-label", clean(self.alternative))
        svg = Markup(clean(ElementTree.tostring(root, encoding="unicode")))  # noqa: S704 - looked at above
        return render("picture.html", svg=svg, title=self.title, alternative=self.alternative)


def pictures_markup(pictures: Sequence[Picture], ident: str) -> list[Markup]:
    """Several pictures as figures."""
    if not all(isinstance(picture, Picture) for picture in pictures):
        raise DataError("Charts are given as engine.project.report.charts.Picture, which looks into their SVG.")
    return [picture.markup(f"{ident}-{number}") for number, picture in enumerate(pictures, 1)]


def _looked_at(svg: str) -> ElementTree.Element:
    """The element, with nothing in it that could load, run or restyle anything."""
    refused = DataError("This picture is no SVG of shapes and text alone, so it is not put into the report.")
    if len(svg) > MOST_LETTERS or "<!" in svg or "<?" in svg:
        raise refused
    try:
        root = ElementTree.fromstring(svg)  # noqa: S314 - declarations, and with them entities, are refused above
    except ElementTree.ParseError:
        raise refused from None
    for item in root.iter():
        name = item.tag.removeprefix(_SPACE) if isinstance(item.tag, str) else ""
        if name not in _TAGS or (name == "svg") != (item is root):
            raise refused
        if not all(_harmless(name, value) for name, value in item.attrib.items()):
            raise refused
    return root


def _harmless(name: str, value: str) -> bool:
    if name.lower().startswith("on") or _BAD.search(value):
        return False
    if name.rpartition("}")[2].lower() == "href":
        return name == "href" and value.startswith("#")
    return "}" not in name or name.startswith("{http://www.w3.org/XML/1998/namespace}")


def _own_ids(element: ElementTree.Element, ident: str) -> None:
    """Ids of its own, so that two pictures do not meet; and no attribute that HTML does not know."""
    for name, value in list(element.attrib.items()):
        if name.startswith("{"):
            del element.attrib[name]
        elif name == "id":
            element.set(name, f"{ident}-{re.sub(r'[^A-Za-z0-9_-]', '-', value)}")
        elif "#" in value and (name == "href" or "url(" in value):
            element.set(
                name,
                re.sub(r"#([^'\")\s]+)", lambda result: f"#{ident}-{re.sub(r'[^A-Za-z0-9_-]', '-', result[1])}", value),
            )
