"""The natural order of level names: what a person would write down, and why."""

from __future__ import annotations

import random

import pytest

from engine.data.reading.scales import NUMBERED, SCALES, folded, known_order, natural_order, scale_with_none

SATISFIED = "its words form a known scale, from 'unsatisfied' to 'very satisfied'"
DEAL = "its words form a known scale, from 'none at all' to 'a great deal'"
GRADES = "its levels are numbered grades"


@pytest.mark.parametrize(
    ("levels", "why"),
    [
        (["Stage I", "Stage IIa", "Stage IIb", "Stage IV", "Stage V", "Stage IX"], GRADES),
        (["i", "ii", "iii", "iv", "ix"], GRADES),
        (["grade 1", "grade 2", "grade 10"], GRADES),
        (["never", "sometimes", "always"], "its words form a known scale, from 'never' to 'always'"),
        (["unsatisfied", "neutral", "satisfied", "very satisfied"], SATISFIED),
        (["none at all", "a little", "a moderate amount", "a lot", "a great deal"], DEAL),
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
        ["neg", "trace", "1+", "2+", "3+"],
        ["negativ", "Spur", "+", "++", "+++"],
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


@pytest.mark.parametrize(
    "levels",
    [
        ["0-5yrs", "6-11yrs", "12-19yrs", "20+yrs"],
        ["under 5 years", "5-9 years", "10 to 64 years", "65 years and over"],
        ["<1 week", "1–4 weeks", "2-11 months", "1-2 years", "3 years and older"],
        ["under 10 kg", "10 to 20 kg", "21 kg to 30 kg", "31 kg or more"],
        ["<€20k", "€20k-40k", "€40-100k", "€100k+"],
        ["<$10,000", "$10,000-$19,999", "$20,000 to $99,999", "$100,000 or more"],
        ["5 or fewer", "6 to 10", "11 or more"],
        ["18-30 years old", "31-40 years old", "41+ years old"],
        ["ages 0 to 11", "between 12 and 17", "18 and over"],
        ["unter 18 Jahre", "18 bis 30 Jahre", "31-64 Jahre", "über 65 Jahre", "ab 80 Jahren"],
        ["weniger als 5 kg", "5 bis 10 kg", "mehr als 10 kg"],
        ["moins de 5 ans", "5 à 9 ans", "10 ans et plus"],
        ["menos de 5 años", "5 a 9 años", "10 años y más"],
        ["<30 ml/min", "30-59 ml/min", "60+ ml/min"],
        ["-5 to 0", "0 to 5", "> 5"],
        ["0", "1-5", "6+"],
    ],
)
def test_ranges_with_units(levels: list[str]) -> None:
    """Units behind each number or behind both, currencies, thousands, and spans of time in one another's units."""
    for seed in range(4):
        found = known_order(random.Random(seed).sample(levels, len(levels)))
        assert found == (levels, "its levels are ranges of numbers")


@pytest.mark.parametrize(
    "levels",
    [
        ["2021-01", "2021-02"],
        ["2 dogs", "3 cats"],
        ["<5 dogs", "5+ cats"],
        ["<5 years", "5-9", "10+ months"],
        ["10 mg and placebo", "5 mg and placebo"],
        ["A-1", "B-2"],
        ["COVID-19", "flu"],
        ["5-3", "9-7"],
    ],
)
def test_other_numbers_are_no_ranges(levels: list[str]) -> None:
    """Months of a year, things of two sorts, doses and codes."""
    assert known_order(levels)[1] == ""


@pytest.mark.parametrize(
    "levels",
    [
        ["Stadium I", "Stadium II", "Stadium IV"],
        ["stade 1", "stade 2"],
        ["no", "rather no", "rather yes", "yes"],
        ["nein", "eher nein", "eher ja", "ja"],
        ["non", "plutôt non", "plutôt oui", "oui"],
        ["no", "más bien no", "más bien sí", "sí"],
        ["Less than high school", "High school", "Some college", "Bachelor's degree", "PhD"],
        ["Hauptschule", "Realschule", "Abitur", "Universität"],
        ["primaire", "collège", "lycée", "licence", "doctorat"],
        ["primaria", "secundaria", "bachillerato", "universidad"],
        ["nie", "einmal pro Woche", "täglich"],
        ["nunca", "una vez por semana", "a diario"],
        ["petit", "moyen", "grand"],
        ["pequeño", "mediano", "grande"],
    ],
)
def test_more_words_with_an_order(levels: list[str]) -> None:
    """Stages, degrees of yes, schools and frequencies, in four languages."""
    for seed in range(4):
        found, why = known_order(random.Random(seed).sample(levels, len(levels)))
        assert (found, bool(why)) == (levels, True)


@pytest.mark.parametrize(
    "levels",
    [
        ["Januar", "März", "Oktober", "Dezember"],
        ["janvier", "février", "août", "décembre"],
        ["enero", "abril", "agosto", "diciembre"],
        ["Montag", "Dienstag", "Sonnabend"],
        ["lundi", "mardi", "dimanche"],
        ["lunes", "miércoles", "sábado"],
        ["Mo", "Di", "Mi", "So"],
        ["Frühling", "Sommer", "Herbst", "Winter"],
    ],
)
def test_what_starts_over_is_sorted_and_not_ordinal(levels: list[str]) -> None:
    """Months, days and seasons in four languages."""
    for seed in range(4):
        assert known_order(random.Random(seed).sample(levels, len(levels))) == (levels, "")


@pytest.mark.parametrize("levels", [["ja", "nein"], ["non", "oui"], ["no", "sí"], ["No", "Yes"]])
def test_yes_and_no_are_no_grades(levels: list[str]) -> None:
    """An answer of two words has no order."""
    assert known_order(levels)[1] == ""
