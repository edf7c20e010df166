"""Proposals: the kind a column probably has, and what may be wrong with its values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.data.dataset import Dataset
from engine.data.preparing import proposals
from engine.data.preparing.proposals import propose, propose_column
from engine.data.preparing.variables import make_variable

N = 60
RNG = np.random.default_rng(5)


@pytest.mark.parametrize(
    ("name", "values", "kind", "reason"),
    [
        ("mrn", RNG.permutation(90_000)[:N], "ignore", "identifier"),
        ("x", range(N), "ignore", "identifier"),
        ("x", [f"{i:05d}-a" for i in range(N)], "ignore", "identifier"),
        ("subject", [f"s{i // 5}" for i in range(N)], "ignore", "identifier"),
        ("subject no", [i // 5 for i in range(N)], "ignore", "identifier"),
        ("covid", [i % 15 for i in range(N)], "continuous", "15 different"),
        ("number of visits", RNG.integers(0, 40, N), "continuous", "different numbers"),
        ("note", ["the patient felt rather unwell " + str(i % 40) for i in range(N)], "ignore", "free text"),
        ("town", [f"town {i % 55}" for i in range(5 * N)], "ignore", "too many levels"),
        ("when", ["2021-03-04", "2021-05-06", "2021-07-08"] * 20, "ignore", "dates"),
        ("when", pd.date_range("2021-01-01", periods=N), "ignore", "dates"),
        ("when", [f"{i % 28 + 1}. Okt. 2021" for i in range(N)], "ignore", "dates"),
        ("when", ["1 March", "2 Main", "3 May"] * 20, "nominal", "different words"),
        ("same", ["a"] * N, "ignore", "constant"),
        ("empty", [None] * N, "ignore", "no values"),
        ("gaps", [1.5, None, None] * 20, "ignore", "67\u00a0% of its values are missing"),
        ("half", [1.5, None] * 20 + [2.5, None] * 20, "nominal", "two levels"),
        ("less", [1.5, None] * 20 + [2.5, None] * 20 + [None], "ignore", "51\u00a0% of its values are missing"),
        ("few", [1, 2, 3, 1, 2], "ordinal", "only 3 different numbers"),
        ("rank", [int(k) for k in np.random.default_rng(1).permutation(N)], "continuous", "60 different numbers"),
        ("nine", [f"word {k}" for k in "abcdefghi"], "nominal", "9 different words"),
        ("ten", [f"word {k}" for k in "abcdefghij"], "ignore", "identifier"),
        ("advice", [f"come back when it hurts again, say {k}" for k in range(15)] * 4, "nominal", "15 different words"),
        ("smoker", [0, 1] * 30, "nominal", "two levels"),
        ("flag", [True, False] * 30, "nominal", "two levels"),
        ("item", [1, 2, 3, 4, 5] * 12, "ordinal", "5 different numbers"),
        ("treatment code", [1, 2, 3] * 20, "nominal", "codes"),
        ("pain", ["none", "mild", "severe"] * 20, "ordinal", "known scale"),
        ("how often", ["never", "sometimes", "always"] * 20, "ordinal", "known scale"),
        ("opinion", ["agree", "strongly disagree", "neutral"] * 20, "ordinal", "known scale"),
        ("mood", ["often", "never", "sometimes"] * 20, "ordinal", "from 'never' to 'often'"),
        ("Schmerz", ["stark", "keine", "leicht"] * 20, "ordinal", "known scale"),
        ("pain", ["2 - severe", "1 - mild", "0 - none"] * 20, "ordinal", "known scale"),
        ("ward type", ["2: surgery", "1: medicine", "3: other"] * 20, "nominal", "codes"),
        ("month", ["March", "May", "June"] * 20, "nominal", "different words"),
        ("stage", ["Stage II", "Stage I", "Stage IV"] * 20, "ordinal", "grades"),
        ("age group", ["18-30", "<18", "31-65", "65+"] * 15, "ordinal", "ranges"),
        ("day", ["Tuesday", "Monday", "Friday"] * 20, "nominal", "different words"),
        ("hb", RNG.normal(13, 1, N).round(1), "continuous", "different numbers"),
        ("crp", [*map(str, range(55)), "<5", "<5", "n/k", "7-8", "9+"], "ignore", "'<5'"),
        ("span", pd.to_timedelta(range(N), unit="D"), "ignore", "span of time"),
        ("lists", [[1]] * N, "ignore", "lists"),
    ],
)
def test_kind_and_reason(name: str, values: Any, kind: str, reason: str) -> None:
    """Each sort of column gets its kind, with the reason in words."""
    found = propose_column(pd.Series(list(values) if isinstance(values, range) else values, name=name), name)
    assert (found.kind, reason in found.reason) == (kind, True), found.reason


def test_levels_in_natural_order() -> None:
    """Words stand in the order of their scale, weekdays in that of the week, numbers by size."""
    table = pd.DataFrame(
        {
            "day": ["Sunday", "Monday", "Friday"] * 4,
            "risk": ["High", "low", "medium"] * 4,
            "item": ["item 10", "item 9", "item 1"] * 4,
            "dose": [10, 9, 100] * 4,
        }
    )
    assert [one.levels for one in propose(table)] == [
        ("Monday", "Friday", "Sunday"),
        ("low", "medium", "High"),
        ("item 1", "item 9", "item 10"),
        ("9", "10", "100"),
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["a", "b", "?", "unknown"] * 5, {"?", "unknown"}),
        ([1, 2, 3, -9] * 5, {"-9"}),
        ([1, 2, 3, 99] * 5, {"99"}),
        ([*range(60, 100, 3)], set()),
        ([-12, -9, -3, 5] * 5, set()),
        (["1", "2", "3", "-9", "."] * 5, {"-9", "."}),
        (["-", "+", "++"] * 5, set()),
        ([-1, 0, 1] * 5, set()),
        ([0, 1, 2, 3, -1] * 5, {"-1"}),
        (["yes", "no", "Don't know", "REFUSED", "IAP"] * 5, {"Don't know", "REFUSED", "IAP"}),
        (["ja", "nein", "keine Angabe", "unbekannt"] * 5, {"keine Angabe", "unbekannt"}),
        (["oui", "non", "ne sait pas", "Non renseigné"] * 5, {"ne sait pas", "Non renseigné"}),
        (["sí", "no", "NS/NC"] * 5, {"NS/NC"}),
        (["asked", "answered", "other", "none of these"] * 5, set()),
        (["never", "sometimes", "often", "999"] * 5, {"999"}),
        (["never", "often", "9", "-7.0", "n.a."] * 5, {"9", "-7.0", "n.a."}),
        (["never", "9"] * 5, set()),
        (["under 50", "over 50", "99"] * 5, set()),
        (["none", "few", "12", "99"] * 5, set()),
        (
            ["low", "high", "#NV", "#WERT!", "#N/D", "#¡VALOR!", "#DEEL/0!"] * 5,
            {"#NV", "#WERT!", "#N/D", "#¡VALOR!"} | {"#DEEL/0!"},
        ),
        (["#1", "#2", "#A", "#me!", "A"] * 5, set()),
    ],
)
def test_suspicious_values(values: list[Any], expected: set[str]) -> None:
    """Usual marks of a missing value are suggested, ordinary numbers and grades are not."""
    assert set(propose_column(pd.Series(values), "x").suspicious) == expected


def test_twins() -> None:
    """Levels that differ in capitals or points only are grouped."""
    found = propose_column(pd.Series(["Low", "low", "b.", "B", "c"] * 4), "x")
    assert {frozenset(group) for group in found.twins} == {frozenset({"Low", "low"}), frozenset({"b.", "B"})}


@pytest.mark.parametrize(
    ("levels", "groups"),
    [
        ("male Male M f female F", [{"male", "Male", "M"}, {"f", "female", "F"}]),
        ("m. w männlich weiblich divers", [{"m.", "männlich"}, {"w", "weiblich"}]),
        ("MALE FEMALE M F", [{"MALE", "M"}, {"FEMALE", "F"}]),
        ("Yes yes Y no No N", [{"Yes", "yes", "Y"}, {"no", "No", "N"}]),
        ("Y YES N NO", [{"Y", "YES"}, {"N", "NO"}]),
        ("yes Yes no", []),  # counted as one without a question
        ("I II III", []),  # stages
        ("I III", []),
        ("A AB B", []),  # blood groups
        ("A AB", []),
        ("A B O", []),
        ("N N1", []),
        ("N N1 None", []),
        ("T Tis T1 T2", []),
        ("C Ca N Na", []),  # elements
        ("I INS D DEL", []),  # genotypes
        ("A B C control", []),  # arms
        ("M mild moderate", []),  # either
        ("F M Female", []),  # no word for M
        ("S M L XL", []),
        ("+ - positive", []),
        ("1 10 9", []),
        ("A A* A+", []),
        ("n non-smoker", []),  # more than a word
    ],
)
def test_a_letter_may_be_the_word_that_it_begins(levels: str, groups: list[set[str]]) -> None:
    """Only where each letter alone begins one word, which is no code."""
    found = propose_column(pd.Series(levels.split() * 4), "x").twins
    assert set(map(frozenset, found)) == set(map(frozenset, groups))
    assert all(len(group[0]) > 1 for group in found)  # what is kept is a word


def test_tokens_are_taken_out_first() -> None:
    """With its tokens named, a column of numbers is seen as such."""
    table = pd.DataFrame({"x": [*map(str, range(100, 140)), "?"]})
    assert propose(table)[0].suspicious == ("?",)
    found = propose(table, missing_tokens={"x": ["?"]})[0]
    assert (found.distinct, found.missing) == (40, 1)


def test_a_questionnaire_in_words_is_ordered_without_a_word_of_the_user() -> None:
    """24 text scales whose alphabetical order is wrong: proposal and data set put every one in its order."""
    words = ("never", "sometimes", "often")
    rng = np.random.default_rng(3)
    table = pd.DataFrame({f"item {i}": [words[k] for k in rng.integers(3, size=80)] for i in range(24)})
    assert {(one.kind, one.levels) for one in propose(table)} == {("ordinal", words)}
    data = Dataset.from_frame(table)
    assert set(data.kinds.values()) == {"ordinal"}
    assert set(data.levels.values()) == {words}
    assert data.codes[0].tolist() == [words.index(word) for word in table["item 0"]]


@pytest.mark.parametrize("name", ["vpnr", "VP-Code", "Probandennummer", "Teilnehmer_Nr", "participant no"])
def test_a_number_of_a_participant_is_no_variable(name: str) -> None:
    """Whatever language names it, and though each has several rows."""
    table = pd.DataFrame({name: np.repeat(np.arange(30), 5), "mood": np.random.default_rng(1).normal(size=150)})
    assert next(one.kind for one in propose(table) if one.column == name) == "ignore"


def test_a_column_is_looked_at_once_for_its_proposal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at its table asks again; what the file declares is another question."""
    variable = make_variable(pd.Series(["1", "2", "3"] * 5), "x")
    first = proposals.propose_one(variable)
    declared = proposals.propose_one(variable, "nominal")
    monkeypatch.setattr(proposals, "_propose_kind", lambda *_: pytest.fail("looked at again"))
    assert proposals.propose_one(variable) is first
    assert proposals.propose_one(variable, "nominal") is declared


@pytest.mark.parametrize(
    ("numbers", "dates"),
    [
        ([20230101 + 100 * (i % 12) + i for i in range(28)], True),
        ([19500131 + 10_000 * i for i in range(28)], True),
        ([20230101 + 100 * (i % 12) + i for i in range(28)] + [20231301], False),  # no such month
        ([20230100 + i for i in range(28)], False),  # no such day
        ([12230101 + i for i in range(28)], False),
        ([20230101 + i for i in range(10)] * 3, False),  # too few to tell
        ([20230101.5 + i for i in range(28)], False),
    ],
)
def test_numbers_may_be_dates_without_marks(numbers: list[float], dates: bool) -> None:
    """As hospitals export them; cut into intervals they would end at days that no month has."""
    shuffled = list(np.random.default_rng(1).permutation(numbers))
    found = propose_column(pd.Series(shuffled), "visit")
    assert (
        found.reason == f"its numbers are dates, such as {min(numbers)}; write them as 2024-05-31 to use them"
    ) is dates
