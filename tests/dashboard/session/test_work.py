"""What the user chose about the open table, and the keys of widgets."""

from __future__ import annotations

import pandas as pd

from dashboard.session.keys import of_table, widget_key
from dashboard.session.work import DEFAULTS, Work
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
