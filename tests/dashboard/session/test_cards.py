"""Cards: every answer stays, once, until its reader deletes it; and deleting can be undone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import engine
import sample_data
from dashboard.session.cards import MOST_ALIKE, MOST_CARDS, Card, Cards
from dashboard.session.session import Session

DATA = sample_data.dataset("cough_and_smoke")
RESULT = engine.LogLinear(criterion="bic").run(DATA)


def card(key: Any, **more: Any) -> Card:
    return Card(key, RESULT, DATA, "table.csv", **more)


def test_the_same_question_has_one_card() -> None:
    """Asked again, the card that is there stays, with what was written on it and the later result."""
    cards = Cards()
    first = cards.add(card("a", title="mine"))
    later = replace(card("a"), result=engine.LogLinear(criterion="kl").run(DATA))
    version = cards.version
    assert cards.add(later) is first
    assert first.result is later.result and cards.version == version + 1
    assert [one.name() for one in cards] == ["mine"]


def test_deleting_can_be_undone_where_it_stood() -> None:
    cards = Cards()
    made = [cards.add(card(name)) for name in "abc"]
    cards.delete(made[1])
    assert cards.deleted is made[1]
    assert [one.key for one in cards] == ["a", "c"]
    version = cards.version
    cards.undo()
    assert [one.key for one in cards] == ["a", "b", "c"]
    assert cards.deleted is None and cards.version == version + 1
    cards.undo()
    assert len(cards) == 3


def test_what_its_reader_touched_is_not_thrown_away() -> None:
    """Room is made by the oldest card that nobody named, noted or starred."""
    cards = Cards()
    for number in range(MOST_CARDS + 3):
        cards.add(card(number, starred=number == 0, note="n" if number == 1 else ""))
    keys = [one.key for one in cards]
    assert len(keys) == MOST_CARDS
    assert keys[:3] == [0, 1, 5]


def test_patients_that_were_only_looked_at_do_not_push_out_what_was_pressed() -> None:
    cards = Cards()
    cards.add(card("pressed"))
    for number in range(MOST_ALIKE + 5):
        cards.add(card(number, pressed=False))
    keys = [one.key for one in cards]
    assert keys[0] == "pressed"
    assert len(keys) == MOST_ALIKE + 1


def test_changes_are_unsaved_until_they_are_saved() -> None:
    cards = Cards()
    assert not cards.unsaved
    made = cards.add(card("a"))
    assert cards.unsaved
    cards.saved = cards.version
    cards.change(made, starred=False)
    assert not cards.unsaved
    cards.change(made, starred=True)
    assert cards.unsaved


def test_a_card_names_what_is_unusual() -> None:
    """Only settings that are not those the method begins with."""
    assert card("a").unusual() == {"criterion": "bic"}
    assert Card("b", engine.LogLinear().run(DATA)).unusual() == {}


def test_every_answer_becomes_a_card_and_outlives_its_table() -> None:
    """Jobs and answers that were there at once; another table takes the page's answers, not the cards."""
    from dashboard.session.session import Analysis

    held = Session()
    held.dataset, held.source = DATA, "table.csv"
    held.keep(Analysis(RESULT.method, "key", answer=RESULT, data=DATA))
    assert [(one.source, one.pressed) for one in held.cards] == [("table.csv", False)]
    held.collect()
    assert len(held.cards) == 1
    import pandas as pd

    held.load(pd.DataFrame({"a": [1]}), "other.csv")
    assert not held.analyses
    assert [one.source for one in held.cards] == ["table.csv"]
    held.end()
    assert len(held.cards) == 0


@pytest.mark.parametrize("pressed", [True, False])
def test_a_card_is_shown_as_the_pages_answer_where_its_table_is_open(pressed: bool) -> None:
    held = Session()
    held.dataset = DATA
    held.cards.add(card("key", pressed=pressed))
    (one,) = held.cards
    held.show(one)
    page = held.page("log_linear")
    assert (page.method == RESULT.method) == pressed
    assert (page.opened == one.number) != pressed


def test_a_card_is_named_by_what_sets_it_apart() -> None:
    """By the reader, by its part of the table, by its criterion; never by the method, which its page says."""
    assert card("a").name() == "BIC"
    assert card("b", group="north").name() == "north"
    assert card("c", group="north", title="mine").name() == "mine"
