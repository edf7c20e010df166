"""Cards: every answer stays, once, until its reader deletes it; and deleting can be undone."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import engine
import sample_data
from dashboard.jobs.job_queue import method_key
from dashboard.session.cards import MOST_ALIKE, MOST_CARDS, Card, Cards, give, needs_no_arguments
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


def test_answers_are_in_the_report_until_their_star_is_taken() -> None:
    """What comes later has a star too; of patients that were only looked at the last one; a group with a star alone."""
    cards = Cards()
    first, second = (cards.add(card(name)) for name in "ab")
    cards.put_in_report(first, False)
    patients = [cards.add(Card(k, SimpleNamespace(whose="person", slug="x"), pressed=False)) for k in range(3)]  # type: ignore[arg-type]
    part = cards.add(card("c", group="sex = f"))
    assert cards.in_report == [second, patients[2]]
    cards.put_in_report(patients[0])
    cards.put_in_report(part)
    assert cards.in_report == [second, patients[0], patients[2], part]


def test_changes_are_unsaved_until_they_are_saved() -> None:
    cards = Cards()
    assert not cards.unsaved
    made = cards.add(card("a"))
    assert cards.unsaved
    cards.saved = cards.version
    cards.change(made, starred=None)
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
    """By the reader, by its part of the table, by its size; never by the method, which its page says."""
    assert card("a").name() == "11 variables"
    assert card("b", group="north").name() == "north"
    assert card("c", group="north", title="mine").name() == "mine"


def test_a_card_is_found_by_its_number_and_its_name_alone_protects_it() -> None:
    """Numbers begin at 1 and are never given twice; a title is as good as a star."""
    cards = Cards()
    made = [cards.add(card(name)) for name in "ab"]
    cards.delete(made[1])
    third = cards.add(card("c", title="mine"))
    assert [cards.numbered(number) for number in (1, 2, 3, None)] == [made[0], None, third, None]
    assert [made[0].own, third.own, card("d", note="n").own] == [False, True, True]
    assert [one.key for one in cards] == ["a", "c"]


def test_a_question_that_was_asked_while_its_card_was_deleted_has_the_old_card() -> None:
    """With what its reader wrote, where it stood; and what is gone for good cannot be had back."""
    cards = Cards()
    first, second = cards.add(card("a", note="why")), cards.add(card("b"))
    cards.delete(first)
    cards.add(card("a"))
    cards.undo()
    assert [*cards] == [first, second]
    cards.delete(first)
    cards.for_good()
    cards.undo()
    assert ([*cards], cards.deleted) == ([second], None)
    cards.delete(second)
    assert not cards.unsaved


def test_only_looks_at_the_same_method_make_room_for_one_another() -> None:
    """Limits as they are: sixty cards, eight that nobody pressed for; those of another method do not count."""
    groups = engine.GroupDifference(group="sex").run(DATA)
    cards = Cards()
    for number in range(3):
        cards.add(Card(f"groups {number}", groups, DATA, pressed=False))
    for number in range(12):
        cards.add(card(number, pressed=False))
    assert [one.key for one in cards] == ["groups 0", "groups 1", "groups 2", *range(4, 12)]
    for number in range(100, 200):
        cards.add(card(number))
    assert len(cards) == 60


def test_which_questions_a_page_asks_by_its_settings_alone() -> None:
    """Those whose method needs no patient, of a table that is there, by a method that is."""
    patient = engine.InstanceSpecific().run(DATA, 3)
    assert needs_no_arguments(RESULT, DATA)
    assert not needs_no_arguments(RESULT, None)
    assert not needs_no_arguments(patient, DATA)
    assert not needs_no_arguments(SimpleNamespace(slug="no_method"), DATA)


def test_a_card_out_of_a_file_becomes_the_pages_own_where_it_can() -> None:
    """With its rows it has the key of a press; one about a patient, and any other card, keeps its own."""
    patient = engine.InstanceSpecific().run(DATA, 3)
    cards = [
        Card(("kept", "x", "y", "1"), RESULT, pressed=False),
        Card(("kept", "x", "y", "2"), patient, pressed=True),
        Card(("again", "x", "y", 3), RESULT, pressed=False),
    ]
    assert all(give(item, DATA) for item in cards)
    assert [(item.key, item.pressed) for item in cards] == [
        (method_key(RESULT.method, DATA), True),
        (("kept", "x", "y", "2"), False),
        (("again", "x", "y", 3), False),
    ]


def test_a_card_is_shown_with_its_settings_as_the_page_began_or_by_its_number() -> None:
    """An answer that the page has stays as it is; another table's, or another program's method, is only looked at."""
    held = Session(dataset=DATA)
    one, closed = held.cards.add(card("key")), held.cards.add(Card("closed", RESULT))
    elsewhere = held.cards.add(Card("elsewhere", RESULT, DATA.rows(range(50))))
    page = held.page("log_linear")
    for other in (closed, elsewhere):
        held.show(other)
        assert (page.opened, page.method, held.analyses) == (other.number, None, [])
    held.show(one)
    (analysis,) = held.analyses
    assert (page.opened, page.method, page.settings["criterion"]) == (None, RESULT.method, "bic")
    assert (analysis.key, analysis.result, analysis.data) == ("key", RESULT, DATA)
    held.show(one)
    assert held.analyses == [analysis]
    assert len(held.cards) == 3
