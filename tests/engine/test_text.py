"""Sentences keep what stands in them, whatever they become part of."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import words
from engine.text import Count, Level, Name, People, Share, Text, decapitalized, first, joined, listed, told

PARTS = st.one_of(
    st.text(min_size=1, max_size=4).map(Name),
    st.text(min_size=1, max_size=4).map(Level),
    st.integers(0, 3000).map(Count),
    st.integers(0, 3000).map(lambda n: People(n, "row")),
    st.text(min_size=1, max_size=4),
)


@given(st.lists(PARTS, max_size=6))
def test_a_list_reads_as_that_of_plain_words_and_keeps_its_parts(parts: list[str]) -> None:
    """Also as a part of another text, behind and before others, and through a pickle."""
    plain = [str(part) for part in parts]
    assert listed(parts) == words.listed(plain)
    assert first(parts, 3) == words.first(plain, 3)
    text = "But " + told("{}: {}.", Name("x"), joined(parts, ", ")) + " So."
    assert text == f"But x: {', '.join(plain)}. So."
    assert [part for part in text.parts if part != " So."][-len(parts) :] == parts if parts else text
    again = pickle.loads(pickle.dumps(text))  # noqa: S301 - what was written just now
    assert [(type(part), part, vars(part)) for part in again.parts] == [
        (type(part), part, vars(part)) for part in text.parts
    ]


def test_counts_and_shares_are_written_one_way() -> None:
    """A part of a whole, with its noun after the whole."""
    said = told("{}; {}; {}", People(3, "row", of=40), Share(9, 20, counts=True), Count(1, "link"))
    assert said == "3 of 40 rows; 45\u00a0% (9 of 20); 1 link"


def test_a_template_has_a_place_for_every_part() -> None:
    """Neither one too few nor too many."""
    for parts in ((), ("a", "b")):
        with pytest.raises(ValueError, match="has 1 places"):
            told("{}.", *parts)


def test_a_sentence_that_goes_on_begins_small() -> None:
    """A template's first letter; the name of a variable stays what it is."""
    assert told("So {}", decapitalized(told("No link of {}.", Name("A")))) == "So no link of A."


def test_something_else_stands_in_the_place_of_a_part() -> None:
    """Only of a part, not of a template that reads like it."""
    said = told("age is {}.", Name("age"))
    assert said.shown(lambda part: "AGE" if isinstance(part, Name) else part) == "age is AGE."
    assert isinstance(said, Text)
