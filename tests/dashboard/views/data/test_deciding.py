"""Cards on the data page: a press decides, everything can be undone, taken back or decided again."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dashboard.session.work import Work
from engine.data.preparing.deciding.decision import Decision
from tests.dashboard.app_pages.test_data import data, held, said, with_file, work
from tests.engine.data.rows.tables import clustered, frame

ROWS = 120
STAGES = random.Random(1).choices(["low", "mid", "high", "unknown"], k=ROWS)
CSV = "sex,chol,trig,stage\n" + "".join(
    f"{'fm'[i % 2]},{999 if i % 3 == 0 else 150 + i},{999 if i % 3 == 0 else 80 + i},{STAGES[i]}\n" for i in range(ROWS)
)


@pytest.fixture
def loaded() -> AppTest:
    return with_file("lab.csv", CSV.encode())


def cards(app: AppTest) -> dict[str, Decision]:
    """What is open, by its kind and first column."""
    table = held(app).table
    assert table is not None
    settled = work(app).chosen.get("settled", {})
    return {
        f"{one.kind} {''.join(one.columns[:1])}": one for one in work(app).decisions(table) if one.key not in settled
    }


def press(app: AppTest, label: str) -> None:
    next(one for one in app.button if one.label.replace("\\", "").startswith(label)).click().run()
    assert not app.exception
    assert not app.error


def test_every_open_decision_is_a_card_with_its_buttons(loaded: AppTest) -> None:
    """Sentence, reason, a button for each option; what it does, and which option holds now."""
    found = cards(loaded)
    assert set(found) == {"missing-code chol", "missing-code stage"}
    shown = said(loaded).replace("\\", "")
    labels = [one.label.replace("\\", "") for one in loaded.button]
    assert "To decide (2)" in shown
    for one in found.values():
        assert one.sentence in shown
        assert one.why in shown
        assert any(f"{way.label}** (as it stands)" in shown for way in one.options if way.now)
        chosen = {way.label for way in one.options if way.now}
        assert chosen <= {at.label.replace("\\", "") for at in loaded.button if at.icon == ":material/check:"}
        for way in one.options:
            assert way.label in labels
            assert way.effect in shown


def test_a_press_changes_the_data_set_and_settles(loaded: AppTest) -> None:
    """The codes are gaps in both columns, the card is among those decided, and one press undoes all of it."""
    before = data(loaded)
    assert before.n_rows == ROWS
    press(loaded, "Missing in both")
    assert data(loaded).n_rows == ROWS - ROWS // 3
    assert max(data(loaded).numbers["chol"].values[:-1]) < 999
    assert list(work(loaded).chosen["settled"].values()) == ["missing"]
    assert "missing-code chol" not in cards(loaded)
    assert any(one.label == "Decided (1)" for one in loaded.expander)
    press(loaded, "Undo: 'chol': '999'")
    assert data(loaded).fingerprint == before.fingerprint
    assert "missing-code chol" in cards(loaded)
    assert work(loaded).done == []


def test_what_stays_as_it_stands_is_decided_too(loaded: AppTest) -> None:
    """A value is a value: nothing changes but that nobody is asked again."""
    before = data(loaded)
    press(loaded, "It is a value")
    assert data(loaded).fingerprint == before.fingerprint
    assert work(loaded).undecided == 1


def test_deciding_again_takes_back_what_was_done(loaded: AppTest) -> None:
    """The card is open again, the choice it made is gone, others stay."""
    before = data(loaded)
    press(loaded, "Missing in both")
    press(loaded, "Missing")
    assert not {"missing-code chol", "missing-code stage"} & set(cards(loaded))
    after = data(loaded).n_rows
    press(loaded, "Decide again")
    assert data(loaded).n_rows > after
    assert len(work(loaded).chosen["settled"]) == 1
    press(loaded, "Decide again")
    assert data(loaded).fingerprint == before.fingerprint
    assert not any(work(loaded).chosen.values())


def test_what_is_taken_back_elsewhere_is_open_again(loaded: AppTest) -> None:
    """In the steps, or by another choice for the column: nothing is said to be decided that does not hold."""
    press(loaded, "Missing in both")
    step = next(one for one in work(loaded).steps({}) if one.what == "missing_tokens" and one.column == "chol")
    work(loaded).take_back(step)
    loaded.run()
    assert "missing-code chol" in cards(loaded)
    assert not any(one.label.startswith("Decided") for one in loaded.expander)
    assert not [one for one in work(loaded).steps({}) if one.what == "settled"]
    press(loaded, "Undo: Taken back: 'chol'")
    assert "missing-code chol" not in cards(loaded)
    assert any(one.label == "Decided (1)" for one in loaded.expander)


def test_what_is_taken_back_is_open_again_behind_what_nobody_decided(loaded: AppTest) -> None:
    """The second card by itself, the first being open."""
    first, second = cards(loaded)
    next(one for one in loaded.button if one.label == "Missing").click().run()
    assert first in cards(loaded) and second not in cards(loaded)
    step = next(one for one in work(loaded).steps({}) if one.what == "missing_tokens")
    work(loaded).take_back(step)
    loaded.run()
    assert {first, second} <= set(cards(loaded))


def test_a_value_that_is_made_missing_is_no_value(loaded: AppTest) -> None:
    """What was decided to stay as it stands is open again once the opposite is chosen by hand."""
    press(loaded, "It is a value")
    work(loaded).choose("kinds", "sex", "ordinal")
    loaded.run()
    assert work(loaded).chosen["settled"]
    tokens = {name: ["999"] for name in ("chol", "trig")}
    work(loaded).settle({"missing_tokens": tokens})
    loaded.run()
    assert not work(loaded).chosen["settled"]
    assert work(loaded).undecided == 3  # whole numbers that are all different may be identifiers


def test_decisions_are_looked_for_once(loaded: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is drawn again asks the engine nothing; a choice that asks nothing neither."""
    from dashboard.session import work as module

    def never(*_: object) -> tuple[Decision, ...]:
        raise AssertionError("looked again")

    monkeypatch.setattr(module, "decisions", never)
    loaded.run()
    work(loaded).chosen["tiers"] = [["sex"], ["chol"]]
    loaded.run()
    assert not loaded.exception
    work(loaded).choose("kinds", "sex", "ignore")
    loaded.run()
    assert loaded.exception


def test_choices_that_cannot_be_used_keep_the_cards(loaded: AppTest) -> None:
    """A filter that leaves no row is an error in words; the cards from before stand."""
    found = cards(loaded)
    work(loaded).settle({"where": [["chol", "over", 5000]]})
    loaded.run()
    assert not loaded.exception
    assert "No row is left" in loaded.error[0].value
    assert cards(loaded) == found


def test_hostile_names_on_cards() -> None:
    """A column's name and a value are never markup, on cards, in steps and in what is undone."""
    name = "![p](http://x.example/p.png)"
    rows = "".join(f"{'ab'[i % 2]},{['u', 'v', 'unknown'][i % 3]}\n" for i in range(60))
    app = with_file("names.csv", f'a,"{name}"\n{rows}'.encode())
    assert cards(app)
    press(app, "Missing")
    shown = [said(app), *(one.label for one in (*app.button, *app.expander))]
    assert any("x\\.example" in one for one in shown)
    assert not any(name in one for one in shown)


def test_nothing_is_open_before_the_page_was_seen() -> None:
    """Other pages ask without looking at any table."""
    assert Work().undecided == 0


CLINICS = frame(*clustered(1, [60] * 16, 0.05)).sample(frac=1, random_state=0)


def test_clinics_are_asked_for_and_the_answer_is_told_above() -> None:
    """A press makes the clinic the subject, which the line of roles says; undone, the card is open again."""
    app = with_file("clinics.csv", CLINICS.to_csv(index=False).encode())
    assert "rows-together clinic" in cards(app)
    work(app).choose("kinds", "clinic", "nominal")  # it is used: that it says which rows belong together comes first
    press(app, "They belong together")
    assert dict(data(app).roles) == {"clinic": "subject"}
    assert "clinic" not in data(app).names
    assert data(app).clusters is not None
    assert any("16 of 60 rows each, which no method counts as independent" in str(one.label) for one in app.expander)
    press(app, "Undo")
    assert "rows-together clinic" in cards(app)
    press(app, "They do not")
    assert data(app).relations == ()
    assert "rows-together clinic" not in cards(app)
    assert "clinic" in data(app).names


def test_copies_count_once_where_that_is_pressed() -> None:
    """The rows that are used are told, and what becomes of the others."""
    rng = np.random.default_rng(1)
    table = pd.DataFrame(rng.integers(0, 3, (250, 9))).add_prefix("x")
    copies = table.loc[table.index.repeat(rng.integers(1, 7, 250))].sample(frac=1, random_state=0)
    app = with_file("copies.csv", copies.to_csv(index=False).encode())
    press(app, "Copies: count once")
    assert data(app).n_rows == len(copies.drop_duplicates())
    assert "are copies of another one" in said(app)
    press(app, "Decide again")
    assert data(app).n_rows == len(copies)


def test_names_in_two_rows_are_read_anew_and_the_card_is_decided() -> None:
    """The file is read as the option says, what was chosen stays, and it can be decided again."""
    rows = "".join(f"{i},{i % 7}.5,{i % 9}.5\n" for i in range(30))
    app = with_file("cells.csv", f"id,Mean,\n,radius,area\n{rows}".encode())
    assert list(held(app).table) == ["id", "Mean radius", "Mean area"]
    press(app, "Only the second row")
    assert list(held(app).table) == ["id", "radius", "area"]
    assert work(app).reading == {"name_rows": "lower"}
    assert not cards(app)
    press(app, "Decide again")
    assert list(held(app).table) == ["id", "Mean radius", "Mean area"]
    assert work(app).reading == {}
    assert list(cards(app)) == ["name-rows "]


def test_a_reversed_item_is_flipped_by_its_card_and_says_so_until_its_order_is_another() -> None:
    """The order that was turned back by hand opens the card again."""
    source = np.random.default_rng(1)
    trait = source.standard_normal(200)
    items = {f"q{i}": (-1 if i == 2 else 1) * trait + 0.7 * source.standard_normal(200) for i in range(1, 6)}
    frame_of = pd.DataFrame({name: np.digitize(item, [-0.8, 0, 0.8]) + 1 for name, item in items.items()})
    app = with_file("items.csv", frame_of.to_csv(index=False).encode())
    assert "reversed-items q2" in cards(app)
    press(app, "Flip it")
    assert held(app).dataset.levels["q2"] == ("4", "3", "2", "1")
    assert work(app).reversed == ("q2",)
    work(app).choose("levels", "q2", ["1", "2", "3", "4"])
    app.run()
    assert work(app).reversed == ()


def test_six_cards_of_one_kind_stand_on_one_page() -> None:
    """Cards of one kind among the first and among the rest: each place has its own key."""
    draw = random.Random(2)
    rows = [[str(draw.randint(20, 90)) for _ in range(6)] for _ in range(ROWS)]
    for j, word in enumerate(("hemolysed", "clotted", "repeat", "see note", "lost", "qns")):
        rows[j + 3][j] = word
    text = "a,b,c,d,e,f,arm\n" + "".join(f"{','.join(row)},{'AB'[i % 3 % 2]}\n" for i, row in enumerate(rows))
    shown = with_file("lab.csv", text.encode())
    assert not shown.exception
    assert len([one for one in cards(shown) if one.startswith("odd-words")]) == 6
