"""The natural order of level names: what a person would write down, and why."""

from __future__ import annotations

import random

import pytest

from engine.data.reading.scale_words import SCALES, folded
from engine.data.reading.scales import NUMBERED, known_order, natural_order, scale_with_none

GRADES = "its levels are numbered grades"


@pytest.mark.parametrize(
    ("levels", "why"),
    [
        (["Stage I", "Stage IIa", "Stage IIb", "Stage IV", "Stage V", "Stage IX"], GRADES),
        (["i", "ii", "iii", "iv", "ix"], GRADES),
        (["grade 1", "grade 2", "grade 10"], GRADES),
        (["never", "sometimes", "always"], "its words form a known scale, from 'never' to 'always'"),
        (["mon", "tue"], ""),
        (["march", "may"], ""),
        (["1 - mild", "2 - moderate", "10 - worst ever"], NUMBERED),
        (["(0) none at all", "(1) a bit", "(2) lots"], NUMBERED),
        (["0: not at all", "1", "2", "3: all the time"], NUMBERED),
        (["0-5", "6-11", "12-17"], "its levels are ranges of numbers"),
        (["1 - yes", "1 - no"][::-1], ""),
        (["2 - so", "none"], ""),
        (["under 18", "18-30", "31 to 64", "65+"], "its levels are ranges of numbers"),
        (["mon", "wed", "sun"], ""),
        (["-2.5", "-1", "0", "10"], ""),
        (["Item 9", "item 10", "Item 11"], ""),
        (["apple", "Banana", "cherry"], ""),
    ],
)
def test_levels_in_any_order_come_out_in_their_own(levels: list[str], why: str) -> None:
    """Each kind of scale, whatever order its levels come in."""
    for seed in range(4):
        shuffled = random.Random(seed).sample(levels, len(levels))
        assert known_order(shuffled) == (levels, why)


@pytest.mark.parametrize("odd", ["stage iiii", "stage vx"])
def test_one_odd_numeral_and_there_are_no_grades(odd: str) -> None:
    """A numeral that is none stands for no number; the alphabet then decides."""
    levels = ["stage i", "stage v", odd]
    assert known_order(levels) == (sorted(levels), "")
    assert natural_order([odd, odd.replace("stage", "class")])[0].startswith("class")


@pytest.mark.parametrize(
    "levels",
    [
        ["never", "rarely", "sometimes", "often", "always"],
        ["none", "mild", "moderate", "severe"],
        ["not at all", "several days", "more than half the days", "nearly every day"],
        ["never", "less than monthly", "monthly", "weekly", "daily or almost daily"],
        ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"],
        ["low", "medium", "high"],
        ["much worse", "worse", "about the same", "better", "much better"],
        ["nie", "selten", "manchmal", "oft", "immer"],
        ["Überhaupt nicht", "An einzelnen Tagen", "An mehr als der Hälfte der Tage", "Beinahe jeden Tag"],
        ["keine", "leicht", "mäßig", "schwer"],
        ["stimme gar nicht zu", "stimme eher nicht zu", "teils/teils", "stimme eher zu", "stimme voll und ganz zu"],
        ["jamais", "rarement", "parfois", "souvent", "toujours"],
        ["aucune", "légère", "modérée", "sévère"],
        ["pas du tout d’accord", "plutôt pas d’accord", "plutôt d’accord", "tout à fait d’accord"],
        ["nunca", "casi nunca", "a veces", "a menudo", "siempre"],
        ["ninguno", "leve", "moderado", "grave"],
        ["TOTALMENTE EN DESACUERDO", "EN DESACUERDO", "DE ACUERDO", "TOTALMENTE DE ACUERDO"],
        ["ningun dia", "varios dias", "casi todos los dias"],
    ],
)
def test_answers_of_questionnaires_have_their_order(levels: list[str]) -> None:
    """Frequency, severity and agreement in four languages, whatever the capitals, accents and order they come in."""
    for seed in range(4):
        found, why = known_order(random.Random(seed).sample(levels, len(levels)))
        assert found == levels
        assert why.endswith(f"from '{levels[0]}' to '{levels[-1]}'")


def test_scales_are_written_as_they_are_looked_up() -> None:
    """No scale has a word twice, and every word is found under its own spelling."""
    for scale in SCALES:
        assert len(set(scale)) == len(scale)
        assert tuple(map(folded, scale)) == scale


@pytest.mark.parametrize("levels", [["no", "yes"], ["no", "absent"], ["red", "low", "high"], ["never", "former"]])
def test_other_words_have_no_order(levels: list[str]) -> None:
    """One word outside the scale, and nothing is said of an order."""
    assert known_order(levels)[1] == ""


def test_none_is_a_grade_beside_grades_only() -> None:
    """Next to mild and severe it is a level; next to names it stands for a missing value."""
    assert scale_with_none(["mild", "Severe"])
    assert not scale_with_none(["mild", "blue"])
    assert not scale_with_none([])
