"""Sentences made up to give small counts of people away, as nobody's words and as texts of typed parts."""

from __future__ import annotations

import pytest

from engine.telling.masking import gives_away
from engine.text import Count, Level, Name, Number, People, Share, listed, told

PLAIN = (
    "It happened once in 40 rows.",
    "Only two rows of North have it.",
    "All but one are well.",
    "A dozen are ill, of fifteen.",
    "North has a pair of them.",
    "A couple of patients died.",
    "A single patient in North is over ninety.",
    "The sole case is in South.",
    "Twenty-three of twenty-five are well.",
    "It was seen twice, both in North.",
    "Half of the eight were ill.",
    "A quarter of North, which has few.",
    "A third of them came back.",
    "Two-thirds came back.",
    "97\u00a0% are well.",
    "2.5 per cent of 40.",
    "³ rows lack it.",
    "½ of the six.",
    "Ⅳ rows of North have it.",
    "٣ rows of North have it.",
    "Fewer than three have it.",
    "(one)",
    "North:two;South:thirty",
    "A lone woman is in the group.",
    "A trio has it.",
    "A handful died.",
    "ONE row is left out.",
    "Nine-tenths are well.",
    "Both patients of South died.",
)
TOLD = (
    told("{} differs in {}.", Name("age"), People(3, "row", of=40)),
    told("It happened {} in {}.", "once", People(40, "row")),
    told("{} of {} are well.", People(37), People(40, "row", of=0)),
    told("{} are well.", Share(38, 40)),
    told("{} are ill.", Share(2, 40)),
    told("{} of {} have it.", Share(0.05 * 60, 60), Level("North")),
    told("{}, {}.", People(30, "row"), told("but for {}", People(1, "row"))),
    told("North has {}.", listed([People(50, "row"), People(4, "patient")])),
    told("{} rows.", "two"),
    told("All but {} have it.", "a dozen"),
    told("{} have it.", People(36, "row", of=40)),
    told("North has {} and South has {}.", People(12), Share(12, 15, counts=True)),
)
HARMLESS = (
    told("{} differs, with odds of {}.", Name("grade 2"), Number("3 to 1")),
    told("{} have {}.", People(40, "row"), Count(2, "link")),
    told("{} of {} have it.", Share(20, 40), Level("2")),
    told("No row of North has it."),
    told("{} are used.", People(0, "row")),
)


@pytest.mark.parametrize("text", [*PLAIN, *TOLD])
def test_what_gives_few_people_away_is_withheld(text: str) -> None:
    """Numbers in words, parts of wholes and wholes less a few."""
    assert gives_away(text, 5, wholes=(40,))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_gives_nobody_away_is_said(text: str) -> None:
    """Names with digits, links, estimates, none and many."""
    assert not gives_away(text, 5, wholes=(40,))


def test_forty_were_tried() -> None:
    """None was forgotten."""
    assert len({*PLAIN, *TOLD}) >= 40
