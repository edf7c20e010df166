"""English for numbers, the same everywhere."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import words
from engine.telling import terms


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        (2.9, "hardly any evidence either way"),
        (1 / 2.9, "hardly any evidence either way"),
        (3.1, "positive evidence for it"),
        (1 / 19, "positive evidence against it"),
        (21, "strong evidence for it"),
        (1 / 151, "very strong evidence against it"),
    ],
)
def test_strength_in_the_bands_of_kass_and_raftery(factor: float, said: str) -> None:
    """Factors of 3, 20 and 150, on either side."""
    assert words.evidence(math.log(factor), "it") == said


def test_a_probability_is_never_certain_and_never_looks_like_a_p_value() -> None:
    """In percent, of which 10 to 90 are whole; a p has no percent and no zero before the point. Next to 0 and 1 the
    limit."""
    faces = ["<\u00a0.001", "<\u00a0.001", ".005", ".034", ".10", ".25", ".90", ".953", ">\u00a0.999", ">\u00a0.999"]
    numbers = (0.0, 0.0009, 0.005, 0.0344, 0.09951, 0.25, 0.9, 0.9531, 0.9991, 1.0)
    assert [words.fraction(p) for p in numbers] == faces
    assert [words.p_value(p).removeprefix("p\u00a0").removeprefix("=\u00a0") for p in numbers] == faces
    assert [words.probability(p).replace("\u00a0", " ") for p in numbers] == [
        "< 0.1 %", "< 0.1 %", "0.5 %", "3.4 %", "10 %", "25 %", "90 %", "95.3 %", "> 99.9 %", "> 99.9 %"
    ]  # fmt: skip
    assert words.probability(0.25, "P(link)") == "P(link)\u00a0=\u00a025\u00a0%"
    assert words.probability(1.0, "P(link)") == "P(link)\u00a0>\u00a099.9\u00a0%"


def test_only_a_known_network_is_certain() -> None:
    """0 and 1 are written where they are exact; what is all but certain is not."""
    assert [words.chance_in_percent(p) for p in (0, 0.0004, 0.25, 0.9996, 1)] == [
        "0\u00a0%",
        "<\u00a00.1\u00a0%",
        "25\u00a0%",
        ">\u00a099.9\u00a0%",
        "100\u00a0%",
    ]


@pytest.mark.parametrize(
    ("names", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_a_list_reads_as_one_says_it(names: list[str], said: str) -> None:
    """Commas, and one 'and'."""
    assert words.listed(names) == said


@pytest.mark.parametrize(("most", "said"), [(3, "a, b, c"), (2, "a, b and 1 more"), (5, "a, b, c")])
def test_a_long_list_is_cut_and_counted(most: int, said: str) -> None:
    """What is left out is counted."""
    assert words.first(["a", "b", "c"], most=most) == said


def test_counts_have_their_plural() -> None:
    """One row, two rows, no rows; thousands are marked."""
    assert [words.count(n, "row") for n in (0, 1, 2, 1200)] == ["0 rows", "1 row", "2 rows", "1,200 rows"]
    assert words.count(2, "copy", "copies") == "2 copies"


@pytest.mark.parametrize(
    ("log_odds", "said"),
    [
        (math.log(40), "40 to 1 for"),
        (math.log(2.5), "2.5 to 1 for"),
        (math.log(503), "503 to 1 for"),
        (-math.log(2.5), "2.5 to 1 against"),
        (0.0, "1.0 to 1 against"),
        (math.log(1000), "1,000 to 1 for"),
        (math.log(1001), "more than 1,000 to 1 for"),
        (-2000.0, "more than 1,000 to 1 against"),
    ],
)
def test_odds_are_readable_at_any_size(log_odds: float, said: str) -> None:
    """A digit below ten, whole numbers up to a thousand, and no number beyond: it would say no more."""
    assert words.odds_phrase(log_odds) == said


@pytest.mark.parametrize(
    ("log_size", "said"),
    [(math.log(2.5), "2.5"), (math.log(1503), "1,503"), (7 * math.log(10), "10^7"), (2e3, "10^869")],
)
def test_tables_have_the_exact_ratio(log_size: float, said: str) -> None:
    """Whole numbers up to a million, then powers of ten."""
    assert words.ratio(log_size) == said


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (1.0, "p\u00a0>\u00a0.999"),
        (0.4, "p\u00a0=\u00a0.40"),
        (0.0999, "p\u00a0=\u00a0.10"),
        (0.05, "p\u00a0=\u00a0.050"),
        (0.001, "p\u00a0=\u00a0.001"),
        (0, "p\u00a0<\u00a0.001"),
    ],
)
def test_a_p_is_called_p(p: float, said: str) -> None:
    """Two figures, and nothing below .001."""
    assert words.p_value(p) == said
    assert words.p_value(p, corrected=True) == f"{said} after correction"


@given(st.floats(-1e5, 1e5))
def test_odds_turned_round_have_the_same_size(log_odds: float) -> None:
    """For and against differ in the last word only."""
    one, other = words.odds_phrase(log_odds).split(), words.odds_phrase(-log_odds).split()
    assert one[:-1] == other[:-1]
    assert (one[-1] != other[-1]) == (log_odds != 0)


@pytest.mark.parametrize(("seconds", "said"), [(0, "0 s"), (59.4, "59 s"), (61, "1 min 01 s"), (7325, "2 h 02 min")])
def test_duration_in_words(seconds: float, said: str) -> None:
    """Spans of time read as one says them, and no line ends between a number and its unit."""
    duration = words.duration(seconds)
    assert duration.replace(words.NO_BREAK, " ") == said
    assert not re.search(r"\d [a-z]", duration)


def test_a_number_of_times_as_one_says_it() -> None:
    """Once, twice, then numbers."""
    assert [words.times(n) for n in (1, 2, 3)] == ["once", "twice", "3 times"]


def test_only_terms_that_are_used_are_explained() -> None:
    """Whole words, one or several of a thing; not what a longer word has inside."""
    used = [term for term, _ in terms.used_terms("ten percentage points of a partial correlation, a priori bitten")]
    assert used == ["Partial correlation", "Percentage point"]
    assert terms.used_terms("nothing") == []
