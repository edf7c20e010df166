"""What was chosen comes along: to another table, through a recipe, by undo; and nothing is lost or said wrongly."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.session.session import Session
from dashboard.views.data import source
from dashboard.views.data.choices import READING, still_fitting
from engine.data.dataset import Recipe
from engine.project.project import fit
from tests.dashboard.app_pages.test_data import APP, PAGE, data, held, look_at, said, upload, with_file, work
from tests.dashboard.views.data.thorough.test_shaping import TABLE, key, loaded, press

__all__ = ["loaded"]


def lab(seed: int, rows: int = 200) -> pd.DataFrame:
    """Ages, a marker with a detection limit, and a site of which some levels are rare."""
    some = random.Random(seed)
    return pd.DataFrame(
        {
            "age": [some.randint(20, 80) for _ in range(rows)],
            "crp": ["<0.5" if some.random() < 0.2 else f"{some.uniform(0.5, 9):.2f}" for _ in range(rows)],
            "site": [some.choice("AAAAABBBBBCD") for _ in range(rows)],
            "pain": [some.choice(["yes", "no"]) for _ in range(rows)],
        }
    )


CHOSEN: dict[str, Any] = {
    "where": [["age", "over", 40]],
    "derive": {"old": ["if", [["age", "over", 60]]]},
    "limits": {"crp": "level"},
    "tiers": [["age"], ["pain"]],
    "roles": {"old": "group"},
    "missing_tokens": {"site": ["D"]},
}


def shown(script: Callable[[], None], **values: Any) -> AppTest:
    """The data page of the session that a script has worked in."""
    first, state = AppTest.from_function(script, default_timeout=60), Session()
    for name, value in {**values, "diptych": state}.items():
        first.session_state[name] = value
    first.run()
    assert not first.exception
    page = AppTest.from_file(APP, default_timeout=60)
    page.session_state["diptych"] = state
    page.switch_page(PAGE).run()
    assert not page.exception
    return page


def test_another_table_that_is_asked_again_has_all_that_was_chosen() -> None:
    """Filter, new column, limits, tiers and roles stand on the page, and one more change loses none of them."""

    def again() -> None:
        import streamlit as st

        from dashboard.views.session.opening import reapply
        from engine.project.project import Project

        reapply(st.session_state["table"], "july", Project(recipe=st.session_state["recipe"]))

    june, july = lab(1), lab(2)
    recipe = Recipe(**CHOSEN).apply(june).recipe
    page = shown(again, table=july, recipe=recipe)
    expected = fit(recipe, july).data
    assert data(page).fingerprint == expected.fingerprint
    words = said(page).replace("\\", "")
    assert "Rows: only those where age over 40." in words
    assert "New column 'old': yes where age over 60, else no." in words
    assert "Order in time: (age) then (pain)." in words
    assert "'old' is the group." in words
    work(page).choose("kinds", "pain", "ignore")
    page.run()
    assert not page.exception
    assert not page.error
    assert data(page).names == tuple(name for name in expected.names if name != "pain")
    assert data(page).n_rows == expected.n_rows
    assert data(page).origin.tolist() == expected.origin.tolist()


def test_levels_of_a_recipe_come_back_with_undo() -> None:
    """A level that is rare this month was none last month; a change thaws that, and its undo brings it back."""
    june, july = lab(1), lab(2).assign(site=["ABCD"[i % 4] for i in range(200)])
    saved = Recipe(rare={"site": 30}).apply(june).recipe
    app = with_file("july.csv", july.to_csv(index=False).encode())
    upload(app, "recipe.json", saved.to_json().encode(), key=key(app, "recipe"))
    frozen = data(app)
    assert len(frozen.levels["site"]) < 4
    notes = work(app).notes
    work(app).choose("kinds", "pain", "ignore")
    app.run()
    assert len(data(app).levels["site"]) == 4
    assert "A choice was changed" in said(app)
    press(app, "Undo: 'pain'")
    assert data(app).fingerprint == frozen.fingerprint
    assert data(app).recipe.columns == frozen.recipe.columns
    assert "A choice was changed" not in said(app)
    assert work(app).notes == notes


def test_a_recipe_is_one_change_that_can_be_undone(loaded: AppTest) -> None:
    """What was chosen before comes back, and what was done before that can be undone too."""
    start = data(loaded).fingerprint
    work(loaded).choose("kinds", "height", "ignore")
    loaded.run()
    before = data(loaded).fingerprint
    saved = Recipe(bins={"weight": (70.0, 90.0)}, where=[("arm", "is", "A")]).apply(TABLE).recipe
    upload(loaded, "recipe.json", saved.to_json().encode(), key=key(loaded, "recipe"))
    assert data(loaded).cuts["weight"] == (70.0, 90.0)
    press(loaded, "Undo: A saved recipe was used")
    assert data(loaded).fingerprint == before
    assert not work(loaded).notes  # nothing that came with the table was changed
    press(loaded, "Undo: 'height'")
    assert data(loaded).fingerprint == start
    assert not work(loaded).notes


def test_one_recipe_after_another_is_undone_to_the_first(loaded: AppTest) -> None:
    """With its levels and cut points, and what was noted of it."""
    one = Recipe(bins={"weight": (70.0, 90.0)}).apply(TABLE.assign(more=TABLE["weight"] * 2)).recipe
    upload(loaded, "one.json", one.to_json().encode(), key=key(loaded, "recipe"))
    before, notes = data(loaded), work(loaded).notes
    assert "'more'" in notes[0]
    upload(loaded, "two.json", Recipe(bins=5).to_json().encode(), key=key(loaded, "recipe"))
    assert len(data(loaded).levels["weight"]) == 5
    press(loaded, "Undo: A saved recipe was used")
    assert data(loaded).fingerprint == before.fingerprint
    assert data(loaded).recipe.columns == before.recipe.columns
    assert work(loaded).notes == notes


@pytest.mark.parametrize("fixed", [False, True])
def test_a_recipe_that_cannot_be_used_leaves_the_open_table(loaded: AppTest, *, fixed: bool) -> None:
    """Its filter leaves no row of this one: a sentence, and everything stands as it stood."""
    work(loaded).choose("kinds", "height", "ignore")
    loaded.run()
    current, before = work(loaded), data(loaded)
    where = [("weight", "over", 1000)]
    recipe = Recipe(where=where)
    if fixed:
        recipe = recipe.apply(TABLE.assign(weight=TABLE["weight"] + 1000)).recipe
    upload(loaded, "recipe.json", recipe.to_json().encode(), key=key(loaded, "recipe"))
    assert not loaded.exception
    assert "is left where weight over 1000" in loaded.error[0].value
    assert work(loaded) is current
    assert data(loaded) is before
    assert current.done


def test_a_role_of_a_new_column_outlives_a_filter_without_rows(loaded: AppTest) -> None:
    """The page says that no row is left; its boxes still hold the columns and their roles."""
    work(loaded).settle({"derive": {"tall": ["if", [["height", "over", 180]]]}, "roles": {"tall": "outcome"}})
    loaded.run()
    assert data(loaded).roles["tall"] == "outcome"
    work(loaded).settle({"where": [["weight", "over", 1000]]})
    loaded.run()
    assert not loaded.exception
    assert "No row is left" in loaded.error[0].value
    boxes = {one.label: one for one in loaded.selectbox}
    assert boxes["Outcome"].value == "tall"
    assert "tall" in work(loaded).proposals(TABLE)


@pytest.mark.parametrize("role", ["group", "identifier", "subject"])
def test_a_role_of_a_column_that_cannot_be_made(loaded: AppTest, role: str) -> None:
    """Neither box falls over a name that is not among the columns just now."""
    roles = {"odd": role, "weight": "time"} if role == "subject" else {"odd": role}
    work(loaded).settle({"derive": {"odd": ["ratio", "arm", "height"]}, "roles": roles})
    loaded.run()
    assert not loaded.exception
    assert "holds words" in loaded.error[0].value


def test_a_new_column_takes_only_its_own_conditions_along(loaded: AppTest) -> None:
    """The rest of the filter stays, also of those of which one is to do; the page tells it until the next change."""
    current = work(loaded)
    current.settle(
        {
            "derive": {"tall": ["if", [["height", "over", 180]]]},
            "where": [
                ["arm", "is", ["A"]],
                ["tall", "is", ["yes"]],
                ["any", ["weight", "over", 60], ["tall", "is", ["no"]]],
            ],
        }
    )
    loaded.run()
    press(loaded, "Remove")
    assert not loaded.error
    assert current.chosen["where"] == [["arm", "is", ["A"]], ["weight", "over", 60]]
    kept = TABLE[(TABLE["arm"] == "A") & (TABLE["weight"] > 60) & (TABLE["sex"] != "")]
    assert data(loaded).origin.tolist() == kept.index.tolist()
    words = "no longer asks for 'tall', which the table lacks: it is now arm is A and weight over 60."
    assert words in said(loaded).replace("\\", "")
    press(loaded, "Undo")
    assert len(current.chosen["where"]) == 3
    assert "no longer asks" not in said(loaded)


def test_a_table_without_a_column_keeps_the_other_conditions() -> None:
    """Of three that one is to fulfil, two are left; choices and conditions on known columns are untouched."""
    where = [["any", ["a", "is", ["x"]], ["b", "over", 1], ["c", "is missing"]], ["b", "under", 9]]
    kept = still_fitting({"where": where, "kinds": {"a": "nominal", "b": "ignore"}}, {"a", "c"})
    assert kept == {"where": [["any", ["a", "is", ["x"]], ["c", "is missing"]]], "kinds": {"a": "nominal"}}
    assert still_fitting({"where": where}, {"a", "b", "c"})["where"] == where


def test_the_columns_that_are_ready_count_new_ones(loaded: AppTest) -> None:
    """Four of the five in the file (dates are left out), and one that was made."""
    assert "4 of 5 columns are" in said(loaded)
    work(loaded).settle({"derive": {"tall": ["if", [["height", "over", 180]]]}})
    loaded.run()
    assert "5 of 6 columns are" in said(loaded)


def test_no_text_of_a_new_column_is_counted_as_missing() -> None:
    """It is made of what is known already: the box stands at the column of the file only."""
    rows = "".join(f"{['A', 'B', 'C', 'unknown'][i % 4]},{'xyz'[i % 3]}\n" for i in range(120))
    app = with_file("site.csv", f"site,x\n{rows}".encode())
    work(app).settle({"derive": {"site2": ["merge", "site", {"A": "B"}]}})
    app.run()
    box = "Count as missing in this column"
    for column, there in (("site", True), ("site2", False)):
        look_at(app, column)
        assert any(one.label == box for one in app.multiselect) == there
        assert any(one.label.startswith("Count “") for one in app.button) == there


def test_tokens_of_all_columns_in_a_recipe_spare_new_ones(loaded: AppTest) -> None:
    """What Python says of all columns is said of each of the file."""
    recipe = Recipe(missing_tokens=("B",), derive={"tall": ("if", [("height", "over", 180)])})
    upload(loaded, "recipe.json", recipe.to_json().encode(), key=key(loaded, "recipe"))
    assert not loaded.error
    assert "tall" in data(loaded).names
    assert "tall" not in work(loaded).chosen["missing_tokens"]


def test_a_file_that_is_being_read_goes_on_beside_another_table(loaded: AppTest, tmp_path: Any) -> None:
    """A sample that is opened meanwhile drops it neither silently nor at all: it can still be stopped."""

    class Slow:
        name, active, fraction, elapsed, seconds_left = "large.csv", True, 0.5, 3.0, None
        cancelled = False

        def cancel(self) -> None:
            self.cancelled, self.active = True, False

        def wait(self, seconds: float) -> bool:
            return True

        def let_go(self) -> None:
            self.cancel()

    slow = Slow()
    held(loaded).choices["data"][READING] = slow
    loaded.selectbox(key="data.sample").select("symptoms").run()
    loaded.button(key="data.sample.open").click().run()
    assert not loaded.exception
    assert work(loaded).sample == "symptoms"
    assert held(loaded).choices["data"][READING] is slow
    assert not slow.cancelled
    assert source.READING == READING
    held(loaded).end()
    assert slow.cancelled


def test_undo_after_a_recipe_that_read_the_file_otherwise(loaded: AppTest) -> None:
    """The choices come back; the file stays as the recipe read it."""
    work(loaded).choose("kinds", "height", "ignore")
    loaded.run()
    recipe = Recipe(reading={"missing": ["m"]}, bins={"weight": 4})
    upload(loaded, "recipe.json", recipe.to_json().encode(), key=key(loaded, "recipe"))
    assert "sex" not in data(loaded).names  # only one value is left
    press(loaded, "Undo: A saved recipe was used")
    assert not loaded.error
    assert list(work(loaded).reading["missing"]) == ["m"]
    assert "height" not in data(loaded).names
    assert len(data(loaded).levels["weight"]) == 3


def test_a_filter_offers_limits_as_they_stand_in_the_cells() -> None:
    """Neither the values nor the hint show the number that stands in for a cell beyond the limit."""
    table = lab(1)
    app = with_file("lab.csv", table.to_csv(index=False).encode())
    work(app).settle({"limits": {"crp": "level"}})
    app.run()
    app.selectbox(key=key(app, "where", "column", 4)).select("crp").run()
    hints = [one.placeholder for one in app.text_input if one.label == "value"]
    assert hints == [f"<0.5 to {max(float(one) for one in table['crp'] if one != '<0.5'):g}"]
    next(one for one in app.selectbox if one.label == "Condition").select("is").run()
    box = next(one for one in app.multiselect if one.label == "one of")
    shown = [one.replace("\\", "") for one in box.options]
    assert f"<0.5 ({(table['crp'] == '<0.5').sum()})" in shown
    assert not [one for one in shown if one.startswith("0.4")]
