"""Filter of rows, new columns, steps and recipes on the data page."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.session.work import Work
from dashboard.views.data import source
from dashboard.views.data.columns_table import matching
from dashboard.views.data.conditions import parts, whole
from engine.data.dataset import Recipe
from tests.dashboard.app_pages.test_data import app, control, data, held, said, upload, with_file, work

__all__ = ["app"]

ROWS = 90
TABLE = pd.DataFrame(
    {
        "sex": [["f", "m", ""][i % 3] for i in range(ROWS)],
        "arm": ["AB"[i % 2] for i in range(ROWS)],
        "weight": [50 + 37 * i % 90 for i in range(ROWS)],
        "height": [150 + 2 * (i % 30) for i in range(ROWS)],
        "seen": [f"2024-{1 + i % 12:02d}-0{1 + i % 9}" for i in range(ROWS)],
    }
)


@pytest.fixture
def loaded() -> AppTest:
    return with_file("trial.csv", TABLE.to_csv(index=False).encode())


def key(app: AppTest, *parts: object) -> str:
    return ".".join(map(str, ("data", *parts[:1], id(work(app)), *parts[1:])))


def press(app: AppTest, label: str) -> None:
    next(one for one in app.button if one.label.replace("\\", "").startswith(label)).click().run()
    assert not app.exception


def add_condition(app: AppTest, column: str, what: str, *values: Any) -> None:
    """Fill the boxes of the filter and press its button."""
    names = list(work(app).proposals(held(app).table))
    place = len(parts(work(app).chosen.get("where", []))[0])
    at = key(app, "where", names.index(column), place)
    app.selectbox(key=key(app, "where", "column", len(names))).select(column).run()
    control(app, "selectbox", "Condition").select(what).run()
    if what in ("is", "is not"):
        app.multiselect(key=f"{at}.{what}.values").set_value(list(values))
    else:
        for i, value in enumerate(values):
            app.text_input(key=f"{at}.{what}.{i}").set_value(value)
    press(app, "Add")


def test_conditions_one_after_the_other(loaded: AppTest) -> None:
    """Each narrows the rows; a chip takes it away; in place of all of them one can do."""
    add_condition(loaded, "arm", "is", "A")
    assert set(data(loaded).origin) <= set(range(0, ROWS, 2))
    add_condition(loaded, "weight", "over", "100")
    kept = TABLE[(TABLE["arm"] == "A") & (TABLE["weight"] > 100) & (TABLE["sex"] != "")]
    assert data(loaded).origin.tolist() == kept.index.tolist()
    assert "Only rows where arm is A and weight over 100" in said(loaded).replace("\\", "")
    control(loaded, "segmented_control", "Which are to hold").set_value("any of them").run()
    either = TABLE[((TABLE["arm"] == "A") | (TABLE["weight"] > 100)) & (TABLE["sex"] != "")]
    assert data(loaded).origin.tolist() == either.index.tolist()
    press(loaded, "arm is A")
    assert work(loaded).chosen["where"] == [("weight", "over", 100)]
    press(loaded, "weight over 100")
    assert not work(loaded).chosen["where"]
    assert data(loaded).n_rows == ROWS - ROWS // 3


def test_rows_of_which_it_is_not_known_are_counted(loaded: AppTest) -> None:
    """A gap in a column that is asked about."""
    add_condition(loaded, "sex", "is", "f")
    assert f"{ROWS // 3} of {ROWS}; of {ROWS // 3} it is not known" in said(loaded).replace("\\", "")


def test_only_fitting_conditions_are_offered(loaded: AppTest) -> None:
    """Words have no order; what has no gap is not asked for gaps; dates are compared."""
    offered = {}
    names = list(TABLE)
    for name in names:
        loaded.selectbox(key=key(loaded, "where", "column", len(names))).select(name).run()
        offered[name] = control(loaded, "selectbox", "Condition").options
    assert offered["arm"] == ["is", "is not"]
    assert offered["sex"] == ["is", "is not", "is known", "is missing"]
    assert offered["weight"][:2] == ["over", "at least"]
    assert "between" in offered["seen"]
    add_condition(loaded, "seen", "at least", "2024-07-01")
    assert data(loaded).origin.tolist() == TABLE[(TABLE["seen"] >= "2024-07-01") & (TABLE["sex"] != "")].index.tolist()


@pytest.mark.parametrize(("what", "values"), [("between", ("60", "")), ("over", ("tall",)), ("is", ())])
def test_a_condition_that_says_nothing_is_refused(loaded: AppTest, what: str, values: tuple[str, ...]) -> None:
    """A sentence beside the boxes; nothing changes."""
    before = data(loaded)
    add_condition(loaded, "weight", what, *values)
    assert len(loaded.error) == 1
    assert data(loaded) is before


@pytest.mark.parametrize("given", [[], [["a", "is", "x"]], [["a", "is", "x"], ["b", "over", 3]]])
@pytest.mark.parametrize("one_will_do", [False, True])
def test_conditions_survive_their_parts(given: list[Any], *, one_will_do: bool) -> None:
    """All or any: what is taken apart and put together is the same."""
    every, any_of = parts(whole(given, one_will_do))
    assert every == given
    assert any_of == (one_will_do and len(given) > 1)


def test_any_inside_any_is_one() -> None:
    """A recipe's own "any" joins the others where one is to do."""
    nested: list[Any] = [["any", ["arm", "is", "A"], ["weight", "over", 100]], ["sex", "is", "f"]]
    assert whole(nested, any_suffices=True) == [
        ["any", ["arm", "is", "A"], ["weight", "over", 100], ["sex", "is", "f"]]
    ]


def make(app: AppTest, name: str, sort: str) -> str:
    """Begin a new column; the beginning of its keys."""
    at = key(app, "new", len(work(app).chosen.get("derive", {})))
    app.text_input(key=f"{at}.name").set_value(name)
    app.selectbox(key=f"{at}.sort").select(sort).run()
    return at


def test_a_ratio_is_shown_added_and_removed(loaded: AppTest) -> None:
    """The preview is there before it is added; afterwards it is a variable, and a step that can be taken back."""
    at = make(loaded, "slim", "ratio")
    assert not loaded.error
    loaded.selectbox(key=f"{at}.ratio.one").select("weight").run()
    loaded.selectbox(key=f"{at}.ratio.other").select("height").run()
    assert "The first rows: 0.3333" in said(loaded).replace("\\", "")
    press(loaded, "Add the column")
    assert data(loaded).kinds["slim"] == "continuous"
    assert data(loaded).numbers["slim"].column[0] == pytest.approx(50 / 150)
    at = make(loaded, "slimmer", "cut")
    loaded.selectbox(key=f"{at}.cut.one").select("slim").run()
    loaded.text_input(key=f"{at}.cuts").set_value("0.4; 0,5").run()
    press(loaded, "Add the column")
    assert len(data(loaded).levels["slimmer"]) == 3
    work(loaded).settle({"where": [["slim", "over", 0.4]]})
    loaded.run()
    press(loaded, "Remove")  # the first, and with it what is made of it
    assert not loaded.error
    assert not {"slim", "slimmer"} & set(data(loaded).names)
    assert not any(work(loaded).chosen.values())


def test_what_cannot_be_made_is_said_in_place(loaded: AppTest) -> None:
    """Words have no ratio; a name that is taken, cut points that fall."""
    at = make(loaded, "odd", "ratio")
    loaded.selectbox(key=f"{at}.ratio.one").select("arm").run()
    loaded.selectbox(key=f"{at}.ratio.other").select("height").run()
    assert "holds words" in loaded.error[0].value
    loaded.selectbox(key=f"{at}.ratio.one").select("weight").run()
    loaded.text_input(key=f"{at}.name").set_value("arm").run()
    assert "already" in loaded.error[0].value
    make(loaded, "odd", "cut")
    loaded.text_input(key=f"{at}.cuts").set_value("3; 2").run()
    assert "rising" in loaded.error[0].value
    assert "derive" not in work(loaded).chosen


def test_yes_or_no_from_conditions(loaded: AppTest) -> None:
    """The same boxes as the filter's; added, the draft is empty again."""
    at = make(loaded, "heavy", "if")
    loaded.selectbox(key=f"{at}.if.column.5").select("weight").run()
    control(loaded, "selectbox", "Condition").select("over").run()
    loaded.text_input(key=f"{at}.if.2.0.over.0").set_value("100")
    [one for one in loaded.button if one.label == "Add"][-1].click().run()
    assert not loaded.error
    press(loaded, "Add the column")
    assert data(loaded).levels["heavy"] == ("no", "yes")
    told = data(loaded)["heavy"].tolist()
    assert told == ["yes" if weight > 100 else "no" for weight in TABLE["weight"][data(loaded).origin]]


def test_steps_are_listed_and_taken_back(loaded: AppTest) -> None:
    """Every choice in words, each with its own way back."""
    current = work(loaded)
    current.settle({"where": [["arm", "is", "A"]], "kinds": {"height": "ignore"}})
    loaded.run()
    shown = said(loaded).replace("\\", "")
    assert "Rows: only those where arm is A." in shown
    assert "'height' is left out." in shown
    rows = data(loaded).n_rows
    press(loaded, "Take back")
    assert data(loaded).n_rows > rows
    assert "height" not in data(loaded).names
    press(loaded, "Take back")
    assert "height" in data(loaded).names
    press(loaded, "Undo: Taken back: 'height'")
    assert "height" not in data(loaded).names


def test_a_recipe_goes_out_and_in(loaded: AppTest) -> None:
    """Next month's table is coded with this month's cut points and levels; what it lacks is told."""
    current = work(loaded)
    current.settle(
        {"where": [["arm", "is", "A"]], "bins": {"weight": 4}, "derive": {"slim": ["ratio", "weight", "height"]}}
    )
    loaded.run()
    old = data(loaded)
    saved = old.recipe.to_json().encode()
    later = TABLE.assign(weight=TABLE["weight"] + 3).drop(columns="sex")
    upload(loaded, "next.csv", later.to_csv(index=False).encode())
    assert data(loaded).cuts["weight"] != old.cuts["weight"]
    upload(loaded, "recipe.json", saved, key=key(loaded, "recipe"))
    assert not loaded.exception
    assert data(loaded).cuts["weight"] == old.cuts["weight"]
    whole = later.assign(sex="f")  # the recipe itself wants every column
    again = Recipe.load(saved).apply(whole).select(data(loaded).names)
    assert again.names == data(loaded).names
    assert (again.codes == data(loaded).codes).all()
    assert work(loaded).chosen["where"] == [["arm", "is", ["A"]]]
    assert "1 column that this table lacks: 'sex'." in said(loaded).replace("\\", "")


def test_a_recipe_that_is_not_fixed_is_choices(loaded: AppTest) -> None:
    """What Python says of all columns is said of each here."""
    upload(
        loaded, "recipe.json", Recipe(bins=5, kinds={"height": "ignore"}).to_json().encode(), key=key(loaded, "recipe")
    )
    assert not loaded.exception
    assert len(data(loaded).levels["weight"]) == 5
    assert "height" not in data(loaded).names
    assert work(loaded).frozen is None


def test_a_file_that_is_no_recipe(loaded: AppTest) -> None:
    """A sentence, and everything stays."""
    before = data(loaded)
    upload(loaded, "recipe.json", json.dumps({"a": 1}).encode(), key=key(loaded, "recipe"))
    assert not loaded.exception
    assert "holds no recipe" in loaded.error[0].value
    assert data(loaded) is before


def test_what_has_too_many_words_is_said_to_have() -> None:
    """A column of names can be asked for nothing but its gaps; without any, a sentence says why."""
    rows = "".join(f"name {i * 7919 % 1000:04d} of many,{i % 3}\n" for i in range(600))
    app = with_file("names.csv", f"who,grade\n{rows}".encode())
    app.selectbox(key=key(app, "where", "column", 2)).select("who").run()
    assert not app.exception
    assert "more than 500 different words" in said(app).replace("\\", "")


def test_columns_are_found_by_name_and_label() -> None:
    """All words somewhere in either, whatever their case."""
    labels = {"q1": "Blood pressure, systolic", "q2": "Blood group"}
    assert matching("BLOOD pres", ["q1", "q2", "age"], labels) == ["q1"]
    assert matching("q", ["q1", "q2", "age"], labels) == ["q1", "q2"]
    assert matching(" ", ["q1", "age"], labels) == ["q1", "age"]
    assert matching("nothing", ["q1"], labels) == []


def test_undo_goes_back_in_the_order_of_doing(loaded: AppTest) -> None:
    """A filter, then a kind: the kind goes first."""
    start = data(loaded).fingerprint
    add_condition(loaded, "arm", "is", "A")
    between = data(loaded).fingerprint
    current: Work = work(loaded)
    current.choose("kinds", "height", "ignore")
    loaded.run()
    press(loaded, "Undo: 'height' is left out")
    assert data(loaded).fingerprint == between
    press(loaded, "Undo: Rows")
    assert data(loaded).fingerprint == start
    assert loaded.button(key=key(loaded, "undo")).disabled


def test_a_large_file_is_read_beside_the_page(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar and a button while it is read; then it is the open table. What is refused is said as ever."""
    monkeypatch.setattr(source, "LARGE", 100)
    upload(app, "large.csv", TABLE.to_csv(index=False).encode())
    assert not app.exception
    reading = held(app).choices["data"].get("reading")
    if reading is not None:
        assert reading.wait(60)
        app.run()
    assert data(app).n_rows == ROWS - ROWS // 3
    assert "reading" not in held(app).choices["data"]
    upload(app, "bad.csv", b"a,b\n1,2\n1,2,3\n" + b"4,5\n" * 50)
    reading = held(app).choices["data"].get("reading")
    if reading is not None:
        assert reading.wait(60)
        app.run()
    assert not app.exception
    assert "still open" in app.error[0].value
