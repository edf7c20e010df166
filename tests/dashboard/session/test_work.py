"""What the user chose about the open table, and the keys of widgets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from dashboard.session import work as work_module
from dashboard.session.keys import of_table, widget_key
from dashboard.session.large_tables import Unanswered
from dashboard.session.work import DEFAULTS, Work
from engine import read_table, settle
from engine.data.dataset import Recipe
from engine.data.preparing.proposals import propose_column
from tests.engine.make import random_data


def test_a_key_names_everything_it_depends_on() -> None:
    """Parts of any kind in their order; another table has another part."""
    assert widget_key("page", "kappa", 3, None) == "page.kappa.3.None"
    one, other = random_data(20, 3, 2, seed=0), random_data(20, 3, 2, seed=1)
    assert of_table(one) == of_table(random_data(20, 3, 2, seed=0)) == one.fingerprint[:12]
    assert of_table(one) != of_table(other)


def test_choices_are_kept_until_they_are_the_default_again() -> None:
    """A choice about one column leaves the others; the default, or nothing, forgets it."""
    work = Work()
    assert DEFAULTS == {"missing": "drop", "bins": 3, "binning": "quantile", "rare": 0}
    assert (work.get("bins", "age"), work.get("rare", "age"), work.get("kinds", "age")) == (3, 0, None)
    work.choose("bins", "age", 5)
    work.choose("bins", "dose", 4)
    assert (work.get("bins", "age"), work.get("bins", "dose"), work.get("bins", "x")) == (5, 4, 3)
    work.choose("bins", "age", 3)
    work.choose("bins", "dose", None)
    assert work.chosen["bins"] == {}
    work.choose("rare", "age", 0)
    work.choose("kinds", "age", "ordinal", default="ordinal")
    assert not work.chosen["rare"]
    assert not work.chosen["kinds"]


def test_a_column_is_used_as_the_user_says() -> None:
    """Else as it is proposed; what is said of another column changes nothing."""
    proposal = propose_column(pd.Series(["x", "y"] * 10), "arm")
    work = Work()
    assert work.kind(proposal) == proposal.kind == "nominal"
    work.choose("kinds", "dose", "continuous")
    assert work.kind(proposal) == "nominal"
    work.choose("kinds", "arm", "ignore")
    assert work.kind(proposal) == "ignore"


def test_a_column_beside_is_no_variable_unless_the_user_says_so() -> None:
    """A role beside comes before the proposal and takes back what was chosen; a later word of the user counts."""
    when = propose_column(pd.Series(range(40, 80)).sample(frac=1, random_state=0), "visit")
    assert when.kind == "continuous"
    work = Work()
    work.choose("kinds", "visit", "ordinal", when.kind)
    work.choose("kinds", "who", "ignore")
    work.take_roles({"who": "subject", "visit": "time", "arm": "outcome"})
    assert work.usual(when) == ("ignore", "it says when each row was taken")
    assert (work.kind(when), work.chosen["kinds"]) == ("ignore", {"who": "ignore"})
    assert (work.with_role("time"), work.with_role("group")) == ("visit", None)
    work.choose("kinds", "visit", "continuous", work.usual(when)[0])
    assert work.kind(when) == "continuous"
    work.take_roles({})
    assert work.usual(when) == (when.kind, when.reason)


def test_forgetting_goes_back_to_the_beginning() -> None:
    """The roles of a sample, or those proposed, are no choice of the user's."""
    work = Work(begins={"who": "subject"})
    work.take_roles({"arm": "outcome"})
    work.choose("bins", "age", 5)
    work.forget()
    assert (work.roles, work.get("bins", "age"), work.version) == ({"who": "subject"}, 3, 1)
    other = Work()
    other.choose("bins", "age", 5)
    other.forget()
    assert other.chosen == {}


def test_a_frozen_recipe_is_used_until_a_choice_is_changed() -> None:
    """Choices that come to the same leave it; what made the data set is what is written."""
    table = pd.DataFrame({"age": list(range(20, 80)), "sex": ["f", "m"] * 30})
    frozen = Recipe(kinds={"age": "continuous"}, bins={"age": (40.0,)}).apply(table).recipe
    work = Work()
    work.choose("kinds", "age", "continuous")
    work.freeze(frozen)
    work.choose("bins", "age", None)
    assert not work.thaw()
    assert work.recipe(work.proposals(table)) is frozen
    work.used = frozen
    written = Recipe.from_dict(work.arguments(table))
    assert written.apply(table).fingerprint == frozen.apply(table).fingerprint
    assert written.columns == frozen.columns
    work.choose("bins", "age", 5)
    assert work.recipe(work.proposals(table)) == Recipe(kinds={"age": "continuous"}, bins={"age": 5})
    assert work.thaw()
    assert work.notes
    assert not work.thaw()


def test_what_is_written_are_the_choices_that_made_the_data_set() -> None:
    """Those on screen before there is one; with its columns where they are fixed."""
    table = pd.DataFrame({"age": list(range(20, 80)), "sex": ["f", "m"] * 30})
    work = Work(chosen={"kinds": {"age": "continuous"}})
    work.choose("bins", "age", 5)
    assert work.arguments(table) == {"kinds": {"age": "continuous"}, "bins": {"age": 5}}
    work.used = Recipe(kinds={"age": "continuous"}, bins={"age": 4})
    assert work.arguments(table) == {"kinds": {"age": "continuous"}, "bins": {"age": 4}}
    work.used = work.used.apply(table).recipe
    assert set(work.arguments(table)) == {"kinds", "bins", "columns"}


TABLE = pd.DataFrame({"age": [*range(20, 80)], "sex": ["f", "f", "m"] * 20, "dose": [1.5, 2.0, -99.0, 4.0] * 15})


def test_fixed_levels_stay_however_the_choices_are_ordered() -> None:
    """Made in another order they are the same choices."""
    frozen = Recipe(kinds={"age": "continuous"}, bins={"age": (40.0,)}).apply(TABLE).recipe
    work = Work()
    work.choose("kinds", "sex", "nominal")
    work.choose("bins", "age", 4)
    work.freeze(frozen)
    work.chosen = {"bins": {"age": 4}, "rare": {}, "kinds": {"sex": "nominal"}}
    assert work.frozen is frozen
    assert not work.thaw()


class Asked:
    """What a page asks of its table, counted by the words that it says meanwhile."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.dies = False

    def __call__(self, words: str, function: Callable[..., Any], table: pd.DataFrame, *more: Any) -> Any:
        self.words.append(words)
        if self.dies:
            raise Unanswered("it died")
        return function(table, *more)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    counter = Asked()
    monkeypatch.setattr(work_module, "ask_table", counter)
    return counter


def test_columns_are_looked_at_anew_only_where_choices_shape_them(asked: Asked) -> None:
    """Tokens, limits, new columns and a filter; where the process dies, what was seen stands, if anything was."""
    work = Work()
    asked.dies = True
    with pytest.raises(Unanswered):
        work.proposals(TABLE)
    asked.dies = False
    seen = work.proposals(TABLE)
    work.choose("kinds", "age", "ignore")
    assert work.proposals(TABLE) is seen
    assert len(asked.words) == 2
    asked.dies = True
    work.choose("missing_tokens", "dose", ["-99.0"])
    assert work.shaping() == {"missing_tokens": {"dose": ["-99.0"]}}
    assert work.proposals(TABLE) == seen
    asked.dies = False
    work.choose("missing_tokens", "dose", None)
    work.chosen["where"] = [["sex", "is", ["f"]]]
    assert work.shaping() == {"where": [["sex", "is", ["f"]]]}
    assert work.proposals(TABLE)["sex"] != seen["sex"]


def test_what_there_is_to_decide_is_looked_for_when_a_choice_changes(asked: Asked) -> None:
    """Not for the order in time; where choices cannot be used or the process dies, what was found before stands."""
    work = Work(content=b"file")
    assert work.undecided == 0
    cards = work.decisions(TABLE)
    assert (len(cards), work.undecided, work.unanswered) == (1, 1, "")
    (card,) = cards
    assert "-99" in card.sentence
    looks = len(asked.words)
    work.chosen["tiers"] = [["sex"], ["age"]]
    assert work.decisions(TABLE) is cards
    assert len(asked.words) == looks
    work.chosen["settled"] = {card.key: card.options[0].key}
    assert work.undecided == 0
    asked.dies = True
    assert (work.decisions(TABLE), work.unanswered) == (cards, "it died")
    asked.dies = False
    work.chosen["settled"] = {}
    work.chosen["missing"] = {"age": "strange"}
    assert (work.decisions(TABLE), work.unanswered) == (cards, "")
    assert Work(chosen={"missing": {"age": "strange"}}).decisions(TABLE) == ()


def test_a_decision_is_open_again_where_another_choice_takes_it_back() -> None:
    """Before the change is written down, so that undoing it settles it anew; one that still holds stays."""
    work = Work()
    (card,) = work.decisions(TABLE)
    missing = card.option("missing")
    work.begin()
    work.settle(settle(Recipe(), card, missing))
    work.remember(work.proposals(TABLE))
    assert work.chosen["settled"] == {card.key: "missing"}
    work.choose("kinds", "age", "ignore")
    work.remember(work.proposals(TABLE))
    assert work.chosen["settled"] == {card.key: "missing"}
    work.choose("missing_tokens", "dose", None)
    work.remember(work.proposals(TABLE))
    assert (work.chosen["settled"], len(work.done)) == ({}, 3)
    work.undo()
    assert work.chosen["settled"] == {card.key: "missing"}


def test_a_note_on_a_change_is_of_that_change_alone() -> None:
    """Said until the next one; and undoing says nothing."""
    work = Work()
    work.begin()
    work.set_change_note("and more")
    work.choose("kinds", "age", "ignore")
    work.remember(work.proposals(TABLE))
    assert work.change_note == "and more"
    work.choose("kinds", "sex", "ignore")
    work.remember(work.proposals(TABLE))
    assert work.change_note == ""
    work.change_note = "left over"
    work.undo()
    assert work.change_note == ""


def test_what_is_undone_has_a_limit_and_brings_fixed_levels_back() -> None:
    """A hundred changes; one that brought other recipes gives back those of before, with what was noted then."""
    work = Work()
    work.begin()
    for bins in range(4, 106):
        work.choose("bins", "age", bins)
        work.remember({})
    assert len(work.done) == 100
    frozen = Recipe(bins={"age": (40.0,)}).apply(TABLE).recipe
    before = Work(chosen={"kinds": {"age": "continuous"}}, notes=("mine",))
    before.freeze(frozen)
    later = Work()
    later.come_after(before, work.done, "Read anew.")
    assert (len(later.done), later.done[-1].words) == (100, "Read anew.")
    assert later.done[0] is work.done[1]
    later.undo()
    assert (later.chosen, later.notes, later.frozen) == (before.chosen, ("mine",), frozen)
    assert later.version == 1


def test_which_columns_run_backwards_is_what_was_decided() -> None:
    """One or several of a decision; left as they are they do not; nor does one whose levels are no choice."""
    work = Work(chosen={"levels": {name: ["b", "a"] for name in ("q1", "q2", "q3")}})
    work.chosen["settled"] = {
        "reversed-items:q1,q2,q9": "flip",
        "reversed-items:q3": "leave",
        "missing-code:q3": "flip",
    }
    assert work.reversed == ("q1", "q2")


def test_changes_are_told_in_words() -> None:
    """The first new one, else what was taken back, else that there was one."""
    work = Work()
    work.begin()
    work.choose("kinds", "age", "ignore")
    work.remember(work.proposals(TABLE))
    work.choose("kinds", "age", None)
    work.remember(work.proposals(TABLE))
    work.chosen["missing"] = {"age": "strange"}
    work.remember(work.proposals(TABLE))
    assert [change.words for change in work.done] == [
        "'age' is left out.",
        "Taken back: 'age' is left out.",
        "A choice was changed.",
    ]


def test_what_is_undone_brings_back_that_fixed_levels_no_longer_counted() -> None:
    """And that it was said: it is not said as something new."""
    before = Work(chosen={"kinds": {"age": "continuous"}})
    before.freeze(Recipe(bins={"age": (40.0,)}).apply(TABLE).recipe)
    before.choose("bins", "age", 5)
    assert before.thaw()
    later = Work()
    later.come_after(before, [], "Read anew.")
    later.undo()
    assert (later.notes, later.frozen) == (before.notes, None)
    assert not later.thaw()
    assert later.notes == before.notes


def test_how_a_file_is_read_is_no_question_where_there_is_no_file() -> None:
    """Names in two rows can be read in another way only while the file is at hand."""
    rows = "".join(f"{i},{i % 7}.5,{i % 9}.5\n" for i in range(30))
    content = f"id,Mean,\n,radius,area\n{rows}".encode()
    table = read_table(content, name="cells.csv")
    assert [card.kind for card in Work(content=content).decisions(table)] == ["name-rows"]
    assert Work().decisions(table) == ()
