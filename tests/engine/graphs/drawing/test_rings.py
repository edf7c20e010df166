"""Items as rings: labels that cover nothing, names as text, a legend of all that is drawn, the same twice."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest

from engine.graphs.drawing.labels import LETTER, text_width
from engine.graphs.drawing.layout import Point
from engine.graphs.drawing.rings import (
    FONT,
    RADIUS,
    STROKE,
    Ring,
    RingLink,
    _LabelPlaces,
    draw_rings,
    labels_apart,
    place_by_springs,
    place_in_circle,
    place_in_layers,
    scale_style,
)

SVG = "{http://www.w3.org/2000/svg}"
WORDS = ("feeling", "down", "no", "interest", "sleep", "problems", "tired", "appetite", "worry", "restless", "annoyed")
HOSTILE = "<script>alert('1')</script>\"&"


def network(items: int, links: int, seed: int) -> tuple[list[Ring], list[RingLink]]:
    """Items with labels of one to three words, and arrows between some of them."""
    rng = np.random.default_rng(seed)
    rings = [
        Ring(f"v{i}", " ".join(rng.choice(WORDS, rng.integers(1, 4))), float(rng.uniform()), i % 3)
        for i in range(items)
    ]
    pairs = list(itertools.combinations(range(items), 2))
    rng.shuffle(pairs)
    signed = rng.uniform(0.1, 0.5, links) * rng.choice([1, -1], links)
    return rings, [RingLink(f"v{a}", f"v{b}", float(x), True) for (a, b), x in zip(pairs, signed, strict=False)]


def springs(rings: list[Ring], links: list[RingLink]) -> dict[str, Point]:
    """Near where linked."""
    return place_by_springs(rings, links, 450, 420)


def circle(rings: list[Ring], links: list[RingLink]) -> dict[str, Point]:
    """Scale by scale."""
    return place_in_circle(rings, 450, 420)


def layers(rings: list[Ring], links: list[RingLink]) -> dict[str, Point]:
    """Arrows down."""
    return place_in_layers(rings, links, 450)


Area = tuple[float, float, float, float]


class Drawn(NamedTuple):
    """A ring as it is drawn: its middle, and its label's left, top, right and bottom."""

    middle: Point
    label: Area


def drawn_rings(svg: str) -> list[Drawn]:
    """Read back from the picture."""
    result = []
    for group in drawn_groups(svg, "rings-node"):
        disc, rows = group.find(f"{SVG}circle"), list(group.iter(f"{SVG}tspan"))
        assert disc is not None
        half = max(text_width(row.text or "") for row in rows) * FONT / LETTER / 2
        x, first, last = (float(row.attrib[key]) for row, key in ((rows[0], "x"), (rows[0], "y"), (rows[-1], "y")))
        label = (x - half, first - 0.7 * FONT, x + half, last + 0.2 * FONT)
        result.append(Drawn((float(disc.attrib["cx"]), float(disc.attrib["cy"])), label))
    return result


def drawn_groups(svg: str, kind: str) -> Iterator[ElementTree.Element]:
    """The groups of a class."""
    return (group for group in ElementTree.fromstring(svg).iter(f"{SVG}g") if group.get("class") == kind)  # noqa: S314


def draw(rings: list[Ring], links: list[RingLink], positions: dict[str, Point], **more: bool) -> str:
    """The picture of three scales."""
    return draw_rings(rings, links, positions, ident="r", title="t", scales=["mood", "sleep", "worry"], **more)


@pytest.mark.parametrize("place", [springs, circle, layers])
@pytest.mark.parametrize(("items", "links", "seeds"), [(16, 20, range(3)), (28, 36, range(2))])
def test_labels_cover_nothing_and_stand_nearest_to_their_own_ring(
    place: Callable[[list[Ring], list[RingLink]], dict[str, Point]], items: int, links: int, seeds: range
) -> None:
    """With as many items as a questionnaire or two has, and more arrows than items."""
    for seed in seeds:
        rings, arrows = network(items, links, seed)
        svg = draw(rings, arrows, place(rings, arrows))
        drawn, heads = drawn_rings(svg), drawn_heads(svg)
        assert len(heads) == links
        for one, other in itertools.product(drawn, drawn):
            assert distance(other.middle, one.label) > RADIUS + STROKE / 2
            assert one is other or not overlap(one.label, other.label)
        astray = 0
        for ring in drawn:  # half a pixel for what the picture rounds
            nearest = min(distance(other.middle, ring.label) for other in drawn)
            astray += distance(ring.middle, ring.label) >= nearest + 0.5
        assert astray <= 2 * (items > 20)  # in a crowd a few have no free place of their own
        for head, ring in itertools.product(heads, drawn):
            assert all(distance(point, ring.label) > 0 for point in head)


def drawn_heads(svg: str) -> list[list[Point]]:
    """Points along the middle of each arrow head, and its corners."""
    result = []
    for group in drawn_groups(svg, "rings-link"):
        for shape in group.findall(f"{SVG}polygon"):
            (x, y), *corners = (tuple(map(float, point.split(","))) for point in shape.attrib["points"].split())
            u, v = (sum(corner[k] for corner in corners) / 2 for k in (0, 1))
            result.append([(x, y), *corners, *((x + t * (u - x), y + t * (v - y)) for t in (0.25, 0.5, 0.75, 1.0))])
    return result


def overlap(one: Area, other: Area) -> bool:
    """Whether both have a pixel."""
    return all(max(one[k], other[k]) < min(one[k + 2], other[k + 2]) for k in (0, 1))


def distance(point: Point, area: Area) -> float:
    """Pixels from a point to an area."""
    left, top, right, bottom = area
    return math.hypot(max(left - point[0], point[0] - right, 0), max(top - point[1], point[1] - bottom, 0))


def test_every_name_is_text() -> None:
    """Label, tooltips, title and scale; also one without letters."""
    rings = [Ring("a", HOSTILE, 0.5, 0, HOSTILE), Ring("b", " ", -1.0)]
    links = [RingLink("a", "b", 0.4, words=HOSTILE)]
    places = {"a": (0.0, 0.0), "b": (90.0, 0.0)}
    svg = draw_rings(rings, links, places, ident="r", title=HOSTILE, scales=[HOSTILE], legend=True)
    tree = ElementTree.fromstring(svg)  # noqa: S314
    assert not any(element.tag.endswith("script") for element in tree.iter())
    assert [title.text for title in tree.iter(f"{SVG}title")] == [HOSTILE] * 3 + [None]
    texts = ["".join(text.itertext()) for text in tree.iter(f"{SVG}text")]
    assert texts[0].startswith("<script>") and texts[1] == "(no name)" and HOSTILE in texts


def test_the_legend_has_all_that_is_drawn_and_nothing_else() -> None:
    """Scales, the ring, either sign, what widths say, pale lines; each where there is one."""
    rings, links = network(3, 2, 0)
    places = circle(rings, links)
    positive = [replace(link, value=0.3) for link in links]
    assert legend(draw(rings, positive, places, legend=True)) == [
        "mood", "sleep", "worry", "explained by all others", "wider: larger", "positive",
    ]  # fmt: skip
    both = [replace(positive[0], value=-0.3), replace(positive[1], pale=True)]
    assert legend(draw(rings, both, places, legend=True))[-2:] == ["negative", "not clear"]
    drawn = draw(rings, both, places, legend=True)
    assert re.findall("data-explains='(.*?)'", drawn) == ["positive", "negative", "pale"]
    assert set(re.findall("data-kind='(.*?)'", drawn)) == {"negative", "positive pale"}
    weak = [replace(link, pale=True) for link in both]
    pale = draw(rings, weak, places, legend=True).split("data-explains='pale'")
    assert len(pale) == 3 and [("dasharray" in line.partition("/>")[0]) for line in pale[1:]] == [False, True]
    bare = [replace(ring, share=-1.0, scale=None) for ring in rings]
    assert legend(draw_rings(bare, [], places, ident="r", title="t", legend=True)) == []
    assert legend(draw(rings, both, places)) == []


def legend(svg: str) -> list[str | None]:
    """The words of texts outside of rings, whose words stand in rows."""
    return [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text") if text.text]  # noqa: S314


def test_in_grey_dash_and_shape_say_what_colour_did() -> None:
    """No colour is left; a negative link stays dashed, scales keep different shapes."""
    rings, links = network(4, 4, 1)
    links = [replace(link, value=value) for link, value in zip(links, (0.3, -0.3, 0.2, -0.2), strict=True)]
    places = circle(rings, links)
    grey = draw(rings, links, places, grey=True, legend=True)
    channels = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in set(re.findall(r"#[0-9A-Fa-f]{6}", grey))]
    assert channels and all(max(channel) - min(channel) < 32 for channel in channels)
    dashed = [
        group for group in drawn_groups(grey, "rings-link") if group.find(f"{SVG}path[@stroke-dasharray]") is not None
    ]
    assert len(dashed) == 2
    marks = [group[-2] for group in drawn_groups(grey, "rings-node")]
    assert len({mark.tag for mark in marks[:3]}) == 3
    assert len({scale_style(scale) for scale in range(16)}) == 16


def test_a_ring_is_filled_as_far_as_is_explained() -> None:
    """Clockwise from the top: a quarter ends at the right, three quarters at the left; unknown is an empty track."""
    ends = []
    for share in (0.25, 0.75):
        svg = draw_rings([Ring("a", "a", share)], [], {"a": (0.0, 0.0)}, ident="r", title="t")
        large, x, y = re.findall(r"A11\.5 11\.5 0 (\d) 1 (-?[\d.]+) (-?[\d.]+)", svg)[0]
        ends.append((large, float(x), float(y) + 0.0))
    assert ends == [("0", 11.5, 0.0), ("1", -11.5, 0.0)]
    assert "A11.5" not in draw_rings([Ring("a", "a", -1.0)], [], {"a": (0.0, 0.0)}, ident="r", title="t")


@pytest.mark.parametrize("place", [springs, circle, layers])
def test_one_network_has_one_picture(
    place: Callable[[list[Ring], list[RingLink]], dict[str, Point]],
) -> None:
    """Twice the same text; and no two rings cover one another, with one item, none linked, or many."""
    rings, links = network(24, 30, 5)
    assert draw(rings, links, place(rings, links)) == draw(rings, links, place(rings, links))
    for items, count in ((1, 0), (5, 0), (24, 30)):
        rings, links = network(items, count, 5)
        at = place(rings, links)
        assert set(at) == {ring.name for ring in rings}
        assert all(math.dist(at[a], at[b]) > 2 * RADIUS + STROKE for a, b in itertools.combinations(at, 2))


def test_springs_draw_linked_items_near() -> None:
    """Two pairs stand apart, strong links are shorter than weak ones, and what is pale pulls nothing."""
    rings = [Ring(str(i), str(i), 0.5) for i in range(12)]
    pairs = [RingLink("0", "1", 0.6), RingLink("2", "3", 0.6), RingLink("0", "2", 0.05, pale=True)]
    at = springs(rings[:4], pairs)
    assert max(math.dist(at["0"], at["1"]), math.dist(at["2"], at["3"])) < math.dist(at["0"], at["2"])
    assert at == springs(rings[:4], pairs[:2])
    chain = [RingLink(str(i), str(i + 1), (0.7, 0.1)[i % 2]) for i in range(11)]
    at = springs(rings, chain)
    strong, weak = (np.mean([math.dist(at[x.source], at[x.target]) for x in chain[k::2]]) for k in (0, 1))
    assert strong < 0.8 * weak


def test_no_link_runs_behind_a_third_ring_or_through_a_label() -> None:
    """It would look as if it ended there, or cross out a word."""
    for seed in (2, 5, 6):
        random = np.random.default_rng(seed)
        rings = [Ring(f"i{k}", "worry too much"[: random.integers(4, 15)], 0.4) for k in range(24)]
        links = [RingLink(f"i{random.integers(max(0, k - 3), k)}", f"i{k}", 0.3) for k in range(1, 24)]
        links += [RingLink(f"i{random.integers(0, 12)}", f"i{random.integers(12, 24)}", 0.2) for _ in range(6)]
        places = place_by_springs(rings, links, 600.0, 460.0)
        for link in links:
            a, b = np.array(places[link.source]), np.array(places[link.target])
            points = a + np.linspace(0, 1, 200)[:, None] * (b - a)
            others = [places[ring.name] for ring in rings if ring.name not in (link.source, link.target)]
            assert np.linalg.norm(points[:, None] - np.array(others), axis=-1).min() > RADIUS, (seed, link)
        labels = _LabelPlaces(rings, links, places)
        assert (labels.covering, labels.crossed) == (0, []), seed


def test_a_label_makes_a_wide_picture_no_wider() -> None:
    """Where lines leave a label only the sides, it stands inwards; in a picture with room to the right of its ring."""
    rings = [Ring(name, "worry too much", 0.4) for name in "abcd"]
    links = [RingLink("b", "c", 0.3), RingLink("b", "d", 0.3)]
    for across in (190.0, 90.0):
        places = {"a": (-across, 0.0), "b": (across, 0.0), "c": (across, -90.0), "d": (across, 90.0)}
        area = _LabelPlaces(rings, links, places).areas["b"]
        assert (area.right < across) == (across == 190.0) and (area.left > across) == (across == 90.0)


def test_a_link_is_drawn_aside_where_a_third_ring_stands() -> None:
    """As little as takes it past; all around a narrow circle; straight where nothing stands."""
    rings, arrows = network(16, 40, 3)
    row = [Ring(name, name, 0.5) for name in "abc"]
    straight = {"a": (0.0, 0.0), "b": (60.0, 40.0), "c": (120.0, 0.0)}
    for some, links, places, least in (
        (row, [RingLink("a", "c", 0.3)], straight, 0.0),
        (row, [RingLink("a", "c", 0.3)], {**straight, "b": (60.0, 4.0)}, 10.0),
        (rings, arrows, place_in_circle(rings, 300, 420), 20.0),
    ):
        asides = []
        for link, (a, aside, b) in zip(links, map(np.array, _LabelPlaces(some, links, places).courses), strict=True):
            t = np.linspace(0, 1, 100)[:, None]
            way = (1 - t) ** 2 * a + 2 * t * (1 - t) * aside + t**2 * b
            others = np.array([at for name, at in places.items() if name not in (link.source, link.target)])
            assert np.linalg.norm(way[:, None] - others, axis=-1).min() > RADIUS + STROKE / 2
            asides.append(float(np.linalg.norm(aside - (a + b) / 2)))
        assert least <= max(asides) <= 100 and min(asides) < 50
    assert draw_rings(row, [RingLink("a", "c", 0.3)], straight, ident="r", title="t").count("Q60.0 0.0 ") == 2


def test_a_label_gives_way_to_a_line_that_is_seen() -> None:
    """A line that the slider leaves out hardly counts: the label stands on it, and beside where it is seen."""
    rings = [Ring("a", "label", 0.5), Ring("b", "x", 0.5), Ring("c", "x", 0.5)]
    positions = {"a": (0.0, 0.0), "b": (-90.0, 22.0), "c": (90.0, 22.0)}
    links = [RingLink("b", "c", 0.1)]
    below = drawn_rings(draw_rings(rings, links, positions, ident="r", title="t", least=0.2))[0].label
    assert below[1] > 0 and below[0] < 0 < below[2]
    left, _, right, _ = drawn_rings(draw_rings(rings, links, positions, ident="r", title="t"))[0].label
    top = drawn_rings(draw_rings(rings, links, positions, ident="r", title="t"))[0].label[3]
    assert left > 0 or right < 0 or top < 0


def test_items_of_a_circle_are_equally_far_apart_and_labels_are_not_one() -> None:
    """Thirty on a high narrow ellipse; of two labels above one another there is a gap."""
    rings = [Ring(f"v{i}", f"{WORDS[i % len(WORDS)]} {i}", 0.5, i % 2) for i in range(30)]
    positions = place_in_circle(rings, 410, 437)
    order = [positions[ring.name] for ring in sorted(rings, key=lambda ring: ring.scale or 0)]
    steps = [math.dist(a, b) for a, b in zip(order, [*order[1:], order[0]], strict=True)]
    assert max(steps) < 1.05 * min(steps) and min(steps) > 2 * RADIUS + STROKE
    svg = draw_rings(rings, [], positions, ident="r", title="t", legend=True)
    assert float(re.findall(r"width='(\d+)'", svg)[0]) < 470
    for (_, one), (_, other) in itertools.combinations(drawn_rings(svg), 2):
        if min(one[2], other[2]) > max(one[0], other[0]):
            assert max(one[1], other[1]) - min(one[3], other[3]) >= 4


def test_labels_that_share_their_ends_do_not_read_alike() -> None:
    """The middle that is left out would be what parts them."""
    labels = [f"Examination {number}: a very long name of the variable | T2" for number in (11, 14)]
    shown = labels_apart([*labels, "low mood"])
    assert shown[labels[0]] != shown[labels[1]] and shown["low mood"] == "low mood"
    links: list[RingLink] = []
    rings = [Ring(label, shown[label], 0.2) for label in labels]
    drawn = draw_rings(rings, links, {labels[0]: (0.0, 0.0), labels[1]: (300.0, 0.0)}, ident="r", title="t")
    assert "11:" in drawn and "14:" in drawn
