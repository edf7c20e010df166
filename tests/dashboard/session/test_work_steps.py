"""Choices as steps: undone one after the other, or taken back by themselves."""

from __future__ import annotations

import pandas as pd

from dashboard.session.work import Work


def table() -> pd.DataFrame:
    """Two numbers and a word."""
    return pd.DataFrame({"kg": range(50, 90), "m": [1.5, 1.7, 1.8, 1.6] * 10, "sex": ["f", "m"] * 20})


def changed(current: Work) -> None:
    """What preparing the table does after a change."""
    current.remember(current.proposals(table()))


def test_undo_goes_back_step_by_step() -> None:
    """Each change in words; the choices and their order as they stood."""
    current = Work()
    current.begin()
    changed(current)
    assert not current.done
    current.chosen["derive"] = {"z": ["ratio", "kg", "m"], "a": ["if", [["z", "over", 30]]]}
    changed(current)
    current.chosen["where"] = [["sex", "is", ["f"]]]
    changed(current)
    current.choose("kinds", "kg", "ignore")
    changed(current)
    changed(current)
    assert [one.words for one in current.done] == [
        "New column 'z': 'kg' divided by 'm'.",
        "Rows: only those where sex is f.",
        "'kg' is left out.",
    ]
    current.undo()
    assert current.get("kinds", "kg") is None
    assert list(current.chosen["derive"]) == ["z", "a"]
    current.undo()
    assert "where" not in current.chosen
    current.undo()
    assert not current.chosen
    current.undo()
    assert not current.done


def test_taking_back_is_a_change_of_its_own() -> None:
    """A step goes alone; a new column goes with what was chosen for it."""
    current = Work()
    current.chosen = {"derive": {"bmi": ["ratio", "kg", "m"]}, "where": [["sex", "is", ["f"]]], "bins": {"bmi": 4}}
    current.begin()
    steps = {step.what: step for step in current.steps(current.proposals(table()))}
    current.take_back(steps["where"])
    changed(current)
    assert current.done[-1].words == "Taken back: Rows: only those where sex is f."
    current.take_back(steps["derive"])
    assert not current.chosen["bins"]
    current.undo()
    assert current.chosen["where"] == [["sex", "is", ["f"]]]


def test_new_columns_are_proposed_for_and_a_bad_one_does_no_harm() -> None:
    """They are among the proposals; where one cannot be made, the columns are seen as they were read."""
    current = Work()
    current.chosen["derive"] = {"bmi": ["ratio", "kg", "m"]}
    assert current.proposals(table())["bmi"].kind == "continuous"
    current.chosen["derive"] = {"bmi": ["ratio", "kg", "sex"]}
    assert list(current.proposals(table())) == ["kg", "m", "sex"]


def test_boxes_stay_where_the_user_left_them() -> None:
    """Empty boxes between full ones are kept on the board, and are no tiers."""
    current = Work()
    current.keep_boxes([["kg"], [], ["sex"]])
    assert current.tiers == [["kg"], ["sex"]]
    assert current.boxed(["kg", "m", "sex"], 3) == [["kg"], [], ["sex"]]
    assert current.boxed(["m", "sex"], 3) == [[], [], ["sex"]]
    assert current.boxed(["kg", "m", "sex"], 4) == [["kg"], ["sex"], [], []]


def test_choices_made_elsewhere_draw_the_table_of_columns_afresh() -> None:
    """Taken back, settled, undone or forgotten; a choice in that table itself does not."""
    current = Work()
    current.begin()
    current.settle({"bins": {"kg": 4}, "where": [["sex", "is", ["f"]]]})
    assert (current.version, current.chosen["bins"], current.tiers) == (1, {"kg": 4}, [])
    changed(current)
    (step,) = (step for step in current.steps(current.proposals(table())) if step.what == "where")
    current.take_back(step)
    assert (current.version, "where" in current.chosen) == (2, False)
    changed(current)
    current.undo()
    assert (current.version, "where" in current.chosen) == (3, True)
    current.choose("kinds", "m", "ignore")
    assert current.version == 3
    current.forget()
    assert (current.version, current.chosen) == (4, {})


def test_a_filter_that_cannot_be_used_leaves_the_rest_of_the_table_as_it_was_shaped() -> None:
    """New columns are proposed for as before."""
    current = Work()
    current.chosen = {"derive": {"bmi": ["ratio", "kg", "m"]}, "where": [["sex", "is", ["f"]]]}
    usable = current.proposals(table())
    current.chosen["where"] = [["weather", "is", ["fair"]]]
    assert set(current.proposals(table())) == set(usable) == {"kg", "m", "sex", "bmi"}
