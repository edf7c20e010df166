"""The part of a wide network that is drawn: its sentence, its chooser, and what panels keep of themselves."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.network.panel import Edge, Node, Outline, Panel
from dashboard.session.session import Session
from dashboard.views.shared.neighbourhood import MOST, MOST_WHOLE, WIDE, PartsDrawn, part_of, part_words, strengths

NAMES = [f"v{i:03d}" for i in range(120)]
CHAIN = {(NAMES[i], NAMES[i + 1]): 1.0 - i / 1000 for i in range(len(NAMES) - 3)}
"""Every variable with the next, ever weaker; the last two stand alone."""


def page(names: list[str], held: tuple[str, ...] = ()) -> AppTest:
    """The chooser over the first of these variables, and what it gives as text."""

    def draw(names: list[str], links: dict[tuple[str, str], float], held: tuple[str, ...]) -> None:
        import streamlit as st

        from dashboard.views.shared.neighbourhood import choose_part, part_drawn

        part = choose_part("here", names, lambda: links, spotlight=held)
        st.text(" ".join(part))
        st.text(" ".join(part_drawn("here", names, lambda: links)))
        st.text(" ".join(part_drawn("elsewhere", names, lambda: links)))

    links = {pair: size for pair, size in CHAIN.items() if set(pair) <= set(names)}
    at = AppTest.from_function(draw, args=(names, links, held))
    at.session_state["diptych"] = Session()
    return at.run()


def drawn(at: AppTest) -> list[str]:
    assert not at.exception
    first, again, elsewhere = (one.value.split() for one in at.text)
    assert first == again
    assert len(elsewhere) == len(first) or len(elsewhere) == MOST
    return first


def test_a_small_network_is_drawn_whole_without_a_word() -> None:
    """Nothing to choose, and nothing said."""
    at = page(NAMES[:WIDE])
    assert drawn(at) == NAMES[:WIDE]
    assert not at.selectbox
    assert not at.caption


def test_a_wide_one_opens_on_its_strongest_links_and_says_so() -> None:
    """Twenty boxes in column order, and what they are."""
    at = page(NAMES)
    assert drawn(at) == NAMES[:MOST]
    said = f"Drawn: {MOST} of {len(NAMES)} variables, those with the strongest links and what they touch."
    assert said in at.caption[0].value


def test_another_centre_and_the_whole() -> None:
    """What is chosen is drawn with what lies around it; a network that is not too wide can be had whole."""
    at = page(NAMES)
    at.selectbox[0].set_value(NAMES[70]).run()
    near = drawn(at)
    assert NAMES[70] in near
    assert len(near) == MOST
    assert near == NAMES[NAMES.index(near[0]) :][:MOST]
    assert f"{NAMES[70]} and {MOST - 1} more around it" in at.caption[0].value
    at.selectbox[0].set_value(NAMES[-1]).run()
    assert drawn(at) == [NAMES[-1]]
    assert "nothing else is linked with it" in at.caption[0].value
    at.toggle[0].set_value(True).run()
    assert drawn(at) == NAMES


def test_thousands_cannot_be_had_whole() -> None:
    """There is no switch that would freeze a browser."""
    assert not page([f"w{i}" for i in range(MOST_WHOLE + 1)]).toggle


def test_what_is_in_the_spotlight_is_drawn() -> None:
    """It moves the picture only where that lacks it."""
    assert drawn(page(NAMES, held=(NAMES[3],))) == NAMES[:MOST]
    assert NAMES[90] in drawn(page(NAMES, held=(NAMES[90],)))


def test_what_was_drawn_of_another_network_is_forgotten() -> None:
    """Pictures and files of other variables begin with those."""
    at = page(NAMES)
    at.session_state["diptych"].state(PartsDrawn).names["elsewhere"] = ("not", "these")
    assert at.run().text[2].value.split() == NAMES[:MOST]


def test_a_panel_keeps_what_lies_between_its_boxes() -> None:
    """Links and groups with an end elsewhere go, and the subtitle counts what is left."""
    nodes = [Node(name) for name in "abcd"]
    edges = [Edge("a", "b", weight=0.2), Edge("b", "c"), Edge("c", "d")]
    panel = Panel("A", "3 links", nodes, edges, (Outline(("a", "b"), "1"), Outline(("b", "c", "d"), "2")))
    part = part_of(panel, ["b", "a"])
    assert [node.name for node in part.nodes] == ["a", "b"]
    assert part.edges == edges[:1]
    assert [one.label for one in part.groups] == ["1"]
    assert part.subtitle == "3 links; 1 drawn"
    assert part_of(panel, "abcd") is panel
    few = Panel("A", "3 links", nodes[:2], edges)  # boxes that were left out before: what runs to them goes too
    assert part_of(few, ["a", "b"]).edges == edges[:1]


def test_a_link_is_as_strong_as_it_is_drawn_anywhere() -> None:
    """Either way round, in any panel."""
    one = Panel("", "", (), [Edge("a", "b", weight=0.2), Edge("b", "c", weight=0.1)])
    other = Panel("", "", (), [Edge("b", "a", weight=0.7)])
    assert strengths([one, other]) == {("a", "b"): 0.7, ("b", "c"): 0.1}


REST = "Tables and files have all of it."


@pytest.mark.parametrize(
    ("part", "around", "said"),
    [
        ("ab", "ab", "Drawn: a, b, of 200 variables; nothing else is linked with them."),
        ("a", "a", "Drawn: a, of 200 variables; nothing else is linked with it."),
        ("abc", "ab", "Drawn: a, b and 1 more around them, all that is connected with them, of 200 variables."),
        ("", "", "Nothing is drawn: no two of 200 variables are linked. Choose one to see it by itself."),
    ],
)
def test_a_part_is_told_as_it_is(part: str, around: str, said: str) -> None:
    """One or several in the middle, alone or not, and a network without a link."""
    assert part_words(part, list(around), "200 variables", "with the strongest links") == f"{said} {REST}"


def test_more_than_can_be_drawn_are_not_told_as_drawn() -> None:
    """Forty in the spotlight, twenty of them in the picture; nothing is said of what is linked with them."""
    asked = NAMES[:40]
    said = part_words(asked[:MOST], asked, "200 variables", "")
    named = ", ".join(asked[:5])
    assert said == f"Drawn: 20 of the 40 that were asked for, {named} and 15 more, of 200 variables. {REST}"
    said = part_words(asked[:MOST], asked[:MOST], "200 variables", "")
    assert said == f"Drawn: {named} and 15 more, of 200 variables. {REST}"


@pytest.mark.parametrize("name", ["![x](http://e/x)", "a*b", "<b>"])
def test_names_are_text(name: str) -> None:
    """A hostile name in the sentence is no markup."""
    said: Any = part_words([name, "b"], [name], "200 variables", "")
    assert name not in said


def test_a_part_may_be_smaller_and_begin_elsewhere() -> None:
    """As three pictures in a row need it: of 13 variables those around the one asked for, no more than so many."""

    def draw(names: list[str], links: dict[tuple[str, str], float]) -> None:
        import streamlit as st

        from dashboard.views.shared.neighbourhood import choose_part

        st.text(" ".join(choose_part("here", names, lambda: links, start=["v006"], few=12, most=4)))

    at = AppTest.from_function(draw, args=(NAMES[:13], CHAIN))
    at.session_state["diptych"] = Session()
    at.run()
    assert at.text[0].value.split() == ["v003", "v004", "v005", "v006"]
    assert "Drawn: v006 and 3 more around it, the strongest links first, of 13 variables." in at.caption[0].value
