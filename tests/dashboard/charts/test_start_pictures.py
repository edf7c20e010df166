"""The pictures of the start page, read as the XML that a browser reads."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pandas as pd
import pytest

from dashboard import theme
from dashboard.charts.start_pictures import DIFFERING, LIKELY, diptych, example_words, question_picture, sides
from dashboard.pages import METHOD_PAGES, MethodPage
from dashboard.theme import DIFFERENT
from sample_data.worked_examples import first_answer

SVG = "{http://www.w3.org/2000/svg}"


def read(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314  (our own text)


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in read(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("is_dark", [False, True])
def test_the_diptych_says_what_the_answer_says(is_dark: bool) -> None:
    """Both labels with their patients, each box twice, the two medians; a line for each likely link between them."""
    result = first_answer()
    svg = diptych(result, is_dark)
    said = texts(svg)
    for side in sides(result):
        assert f"{side.label}{side.of:,} patients" in said
        assert side.words in said and side.words.endswith(" mmol/L")
    shown = {name for name in result.names if said.count(name.replace("_", " ").capitalize()) == 2}
    assert DIFFERING in shown and len(said) == 2 * (1 + len(shown) + 2), "a head, the boxes, a median and its n in each"
    tree = read(svg)
    drawn = len(list(tree.iter(f"{SVG}line"))) - 1  # but for the line between the panels
    graphs = list(result.graphs().values())[:2]
    likely = {
        (number, frozenset(pair))
        for number, graph in enumerate(graphs)
        for *pair, about in graph.edges(data=True)
        if about["probability"] >= LIKELY and shown.issuperset(pair)
    }
    assert drawn == len(likely) > 0
    assert [node.get("fill") for node in tree.iter(f"{SVG}rect")].count(DIFFERENT) == 2


def test_the_medians_are_those_of_the_decisive_context() -> None:
    """As the engine's sentence has them, in the order of the groups; the bars are as long as they."""
    result = first_answer()
    first, second = sides(result)
    assert (first.label, second.label) == result.labels and (first.of, second.of) == tuple(result.n)
    context = result.contexts_in_units(DIFFERING).iloc[0]
    assert (first.n, second.n) == (context["n_first"], context["n_second"]), "those whose medians are shown"
    assert all(f">night, shock: n = {side.n:,}<" in diptych(result, False) for side in (first, second))
    here, there = (float(side.words.removesuffix(" mmol/L")) for side in (first, second))
    assert f"median {there} " in result.headline() and f" v {here} " in result.headline()
    assert result.headline() in example_words(result)
    drawn = diptych(result, False)
    tracks = [float(width) for width in re.findall(r'width="([\d.]+)" height="12" rx="2" fill="#FFF', drawn, re.I)]
    bars = [float(width) for width in re.findall(r'width="([\d.]+)" height="12" rx="2" fill="#1C2733"', drawn)]
    assert len(tracks) == len(bars) == 2 and bars[1] / bars[0] == pytest.approx(there / here, abs=0.01)
    assert max(bars) < tracks[0]


def test_labels_are_text_in_the_picture() -> None:
    """A group's name with markup in it stays a name, and the picture well-formed."""
    hostile = '<script>alert("&")</script>'
    graph: Any = nx.DiGraph()
    where = {"context": ["ward = <i>, shock = yes"], "n_first": [4], "n_second": [5]}
    contexts = pd.DataFrame({"median_first": [1.5], "median_second": [3.0], **where})
    result: Any = SimpleNamespace(
        labels=(hostile, "B"),
        n=(10, 20),
        number=lambda name: SimpleNamespace(unit="<b>g"),
        contexts_in_units=lambda name: contexts,
        graphs=lambda: {"a": graph, "b": graph},
    )
    svg = diptych(result, False)
    assert "<script" not in svg and f"{hostile}10 patients" in texts(svg) and "3 <b>g" in texts(svg)
    assert "<i>, shock: n = 4" in texts(svg)


def test_an_answer_without_the_difference_is_refused() -> None:
    """The page would otherwise show a median of nothing."""
    result: Any = SimpleNamespace(number=lambda name: None, contexts_in_units=lambda name: pd.DataFrame())
    with pytest.raises(ValueError, match=DIFFERING):
        sides(result)


@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("page", METHOD_PAGES.values(), ids=list(METHOD_PAGES))
def test_every_question_has_a_picture_in_colours(page: MethodPage, is_dark: bool) -> None:
    """Well-formed, hidden from screen readers, no colour that the theme has not; none for a method that nobody drew."""
    svg = question_picture(page.picture, is_dark)
    assert read(svg).get("aria-hidden") == "true"
    light = {"ALIKE", "DIFFERENT", "GROUP_A", "GROUP_B", "INK", "LINE", "MUTED", "PAPER", "PRIMARY"}
    named = {getattr(theme, name) for name in light}
    shown = {colour if colour == DIFFERENT or not is_dark else theme.dark(colour) for colour in named}
    assert set(theme.COLOUR.findall(svg)) <= shown
    assert question_picture("", is_dark) == ""
