"""Networks for a document: kinds by colour and dash, signs, widths, text alternatives, names that are never markup."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from dashboard import theme
from engine.graphs.drawing.labels import boxes, text_width
from engine.graphs.drawing.svg import STYLES, Line, draw_network, frame

PLACES = {"a": (0.0, 0.0), "<b> & 'c'": (0.0, 90.0), "d": (200.0, 45.0)}
MORE = ("more_a", "more_b", "more_neither", "more_unknown")
ABOUT = {"ident": "x", "title": "<T>", "description": "'D'", "width": 300.0}


def drawn(*lines: Line) -> ElementTree.Element:
    """The picture as a tree."""
    return ElementTree.fromstring(draw_network(lines, PLACES, boxes(PLACES), **ABOUT))  # type: ignore[arg-type] # noqa: S314


def tags(tree: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """All elements of one kind."""
    return list(tree.iter(f"{{http://www.w3.org/2000/svg}}{name}"))


def test_kinds_are_those_of_the_dashboard() -> None:
    """The same colour and the same dash on the screen and on paper."""
    for status, style in STYLES.items():
        if status in theme.ARCS:
            assert (style.colour, style.dash) == (theme.ARCS[status].colour, theme.ARCS[status].dash), status
    for status, page in (("more_a", "only_a"), ("more_b", "only_b"), ("more_neither", "same")):
        assert (STYLES[status].colour, STYLES[status].dash) == (theme.ARCS[page].colour, theme.ARCS[page].dash), status


def test_kinds_that_meet_differ_in_colour_and_in_dash() -> None:
    """No meaning rests on colour alone."""
    for together in (("same", "only_a", "only_b", "reversed", "neither"), ("kept", "dropped", "added", "turned"), MORE):
        assert len({STYLES[one].dash for one in together}) == len(together)
        assert len({STYLES[one].colour for one in together}) == len(together)
    assert STYLES["positive"].dash != STYLES["negative"].dash
    assert STYLES["shared"].dash != STYLES["beside"].dash


def test_an_arc_has_a_head_and_a_line_has_none() -> None:
    """In the colour of its kind."""
    one, other = tags(
        drawn(Line("a", "d", True, STYLES["only_a"]), Line("a", "<b> & 'c'", False, STYLES["same"])), "line"
    )
    assert one.get("marker-end") == "url(#x-0)"
    assert one.get("stroke") == STYLES["only_a"].colour
    assert one.get("stroke-dasharray") == "9 5"
    assert other.get("marker-end") is None
    assert other.get("stroke-dasharray") is None


def test_a_sign_covers_no_name() -> None:
    """The disc stands on the line, outside all boxes."""
    (disc,) = tags(drawn(Line("a", "d", True, STYLES["positive"], 2.0, "+")), "circle")
    x, y = float(disc.get("cx", "")), float(disc.get("cy", ""))
    for name, (a, b) in PLACES.items():
        box = boxes(PLACES)[name]
        assert abs(x - a) > box.width / 2 or abs(y - b) > box.height / 2


def test_names_are_text_and_the_picture_has_an_alternative() -> None:
    """Whatever they are."""
    tree = drawn()
    assert {one.text for one in tags(tree, "text")} == {"a", "<b> & 'c'", "d"}
    assert tree.get("aria-labelledby") == "x-t x-d"
    assert [one.text for one in (*tags(tree, "title"), *tags(tree, "desc"))] == ["<T>", "'D'"]


def test_the_frame_holds_every_box() -> None:
    """With a margin on all sides."""
    view = frame(PLACES, boxes(PLACES))
    for name, (x, y) in PLACES.items():
        box = boxes(PLACES)[name]
        assert view.left < x - box.width / 2
        assert x + box.width / 2 < view.left + view.width
        assert view.top < y - box.height / 2
        assert y + box.height / 2 < view.top + view.height


def test_a_name_has_as_many_lines_as_it_takes() -> None:
    """Broken at the ends of words, and in its box."""
    name = "systolic_blood_pressure_in_the_morning_day_2"
    box = boxes([name])[name]
    assert "".join(box.lines).replace(" ", "") == name
    assert len(box.lines) > 2
    assert all(text_width(line) <= box.width for line in box.lines)
    assert box.height > boxes(["a"])["a"].height


def test_many_boxes_have_two_lines() -> None:
    """Or the page would not hold them."""
    names = [f"systolic_blood_pressure_in_the_morning_day_{i}" for i in range(60)]
    assert {len(one.lines) for one in boxes(names).values()} == {2}


def test_wide_letters_are_pressed_into_the_box() -> None:
    """A font with wider letters than reckoned cannot leave its box."""
    places = {"W": (0.0, 0.0)}
    narrow = {"W": boxes("W")["W"].__class__(("WWWWWWWWWWWWWWWW",), 60.0, 30.0)}
    assert re.search("textLength='50'", draw_network([], places, narrow, **ABOUT))  # type: ignore[arg-type]
