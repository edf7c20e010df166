"""The data set follows the choices, however they were made; and what widgets say is found and forgotten by its key."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import engine
from dashboard.session import keys, preparing
from dashboard.session.session import Session
from dashboard.session.work import Work

TABLE = pd.DataFrame({"kg": [*range(50, 90, 2)] * 2, "m": [1.5, 1.7, 1.8, 1.6] * 10, "sex": ["f", "m"] * 20})


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> tuple[Session, Work]:
    """A session with a table that is prepared, and its choices."""
    state, current = Session(table=TABLE), Work()
    monkeypatch.setattr(preparing, "session", lambda: state)
    monkeypatch.setattr(preparing, "work", lambda: current)
    preparing.prepare_table(state, current)
    return state, current


def data(state: Session) -> engine.Dataset:
    assert state.dataset is not None
    return state.dataset


def test_columns_that_come_first_are_an_earlier_tier(opened: tuple[Session, Work]) -> None:
    state, current = opened
    preparing.put_first(["sex"], ["kg", "m"])
    assert (current.tiers, current.version, len(current.done)) == ([["sex"], ["kg", "m"]], 1, 1)
    assert data(state).recipe is not None
    assert data(state).recipe.tiers == (("sex",), ("kg", "m"))  # type: ignore[union-attr]


def test_columns_that_are_left_out_are_in_no_analysis(opened: tuple[Session, Work]) -> None:
    """As if the data page had been told so; that can be taken back there."""
    state, current = opened
    preparing.leave_out(["kg"])
    assert "kg" not in data(state).names and {"sex", "m"} <= set(data(state).names)
    assert (current.chosen["kinds"]["kg"], current.version, len(current.done)) == ("ignore", 1, 1)


def test_the_table_is_prepared_once_for_the_same_choices(
    opened: tuple[Session, Work], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that cannot be used are said once, with their column, and leave the data set; a change tries anew."""
    state, current = opened
    before, asked = data(state), []
    ask = preparing.ask_table

    def counted(*question: Any) -> Any:
        asked.append(question[0])
        return ask(*question)

    monkeypatch.setattr(preparing, "ask_table", counted)
    preparing.prepare_table(state, current)
    assert (asked, data(state) is before) == ([], True)
    current.choose("kinds", "kg", "nominal")
    current.chosen["levels"] = {"kg": ["50", "51"]}
    for _ in range(2):
        preparing.prepare_table(state, current)
        assert (len(asked), data(state) is before, current.error_column) == (1, True, "kg")
        assert "kg" in current.error
    current.chosen.clear()
    preparing.prepare_table(state, current)
    assert (len(asked), current.error, current.error_column) == (2, "", None)
    assert data(state).fingerprint == before.fingerprint
    current.chosen["missing"] = {"kg": "strange"}
    preparing.prepare_table(state, current)
    assert (len(asked), "strange" in current.error) == (2, True)


def test_without_a_table_nothing_is_prepared() -> None:
    state, current = Session(), Work(chosen={"kinds": {"kg": "ignore"}})
    preparing.prepare_table(state, current)
    assert (state.dataset, current.error, current._stood) == (None, "", None)


def test_a_note_about_fixed_levels_goes_and_comes_with_them(opened: tuple[Session, Work]) -> None:
    """A choice takes them away and says so; the choice taken back, they count again, with the notes of before."""
    state, current = opened
    current.notes = ("of the dictionary",)
    current.freeze(engine.Recipe(bins={"kg": (60.0,)}).apply(TABLE).recipe)
    current.begin()
    preparing.prepare_table(state, current)
    assert (len(data(state).levels["kg"]), current.notes) == (2, ("of the dictionary",))
    current.choose("bins", "m", 2)
    preparing.prepare_table(state, current)
    assert (len(data(state).levels["kg"]), len(current.notes)) == (3, 1)
    assert "no longer those that came with the table" in current.notes[0]
    current.choose("bins", "m", None)
    preparing.prepare_table(state, current)
    assert (len(data(state).levels["kg"]), current.notes) == (2, ("of the dictionary",))


def test_what_widgets_say_is_found_and_forgotten_by_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """One key, all of a form, or all but the session itself, that the tab arrived, and whose it is."""
    said: dict[str, Any] = {"page.a": 1, "page.b": 2, "pages.a": 3, "page": 4}
    monkeypatch.setattr(keys.st, "session_state", said)
    assert (keys.value_of("page.a"), keys.value_of("none"), keys.value_of("none", 7)) == (1, None, 7)
    assert (keys.begin_with("page.a", 9), keys.begin_with("new", 9), keys.has_value("new")) == (1, 9, True)
    keys.set_value("page.a", 5)
    keys.drop_value("new")
    keys.drop_value("never")
    assert (keys.value_of("page.a"), keys.has_value("new")) == (5, False)
    keys.drop_values("page")
    assert said == {"pages.a": 3, "page": 4}
    said.update({"diptych": "session", "diptych.arrived": True, "diptych.proof": "proof"})
    keys.drop_all_values()
    assert said == {"diptych": "session", "diptych.arrived": True, "diptych.proof": "proof"}


def test_a_key_of_names_is_another_for_other_names() -> None:
    """Twelve letters; one name of two parts is not two."""
    parts = {keys.of_names(names) for names in (["a", "b"], ["b", "a"], ["ab"], [])}
    assert (len(parts), {len(part) for part in parts}) == (4, {12})
