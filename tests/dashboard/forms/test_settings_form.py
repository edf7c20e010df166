"""The form is made from the method's own fields, and each control reaches the method."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.methods.setting import setting
from engine.scores.dirichlet import K2, BDeu


@dataclass(frozen=True)
class Method:
    """A method with one field of every kind."""

    group: str = setting(label="Group column", help="Which column.", role="variable")
    groups: tuple[str, ...] | None = setting(None, label="Groups", help="Which two.", role="levels")
    score: object = field(
        default=K2(), metadata={"label": "Score", "help": "How.", "role": "score", "choices": (K2, BDeu)}
    )
    p_same: float = setting(0.5, label="Prior", help="How likely.", above=0.0, below=1.0)
    search: str = setting("thick", label="Search", help="Which.", choices=("thick", "exact"))
    order: tuple[str, ...] | None = setting(None, label="Order", help="Causes first.", role="order")
    max_parents: int | None = setting(None, label="Most parents", help="Limit.", minimum=0)
    draws: int = setting(10, label="Draws", help="How many.", minimum=1, maximum=100)
    both: bool = setting(True, label="Both", help="Also the other.")
    alpha: float = setting(
        0.05, label="Alpha", help="Chance.", above=0.0, below=1.0, scale="log", used_when={"search": ("exact",)}
    )
    cut: float = setting(0.5, label="Cut", help="Acts at once.", live=True, stops=(0.1, 0.5, 0.9))
    given: str = setting("x", label="Given", help="Not asked for.", place="hidden")
    hidden: int = 3

    def __post_init__(self) -> None:
        if self.draws == 13:
            raise SettingsError("draws is 13; *pick* another.")


def table() -> Dataset:
    codes = np.array([[0, 1, 0, 1], [0, 1, 2, 0], [0, 0, 1, 1]])
    return Dataset.from_codes(codes, [["no", "yes"], ["low", "mid", "high"], 2], ["arm", "stage", "![p](x)"])


def page() -> None:
    import streamlit as st

    from dashboard.forms.settings_form import settings_form
    from tests.dashboard.forms.test_settings_form import Method, table

    st.session_state["made"] = settings_form(Method, table(), "form")


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(page).run()


def control(app: AppTest, kind: str, label: str) -> object:
    return next(one for one in getattr(app, kind) if one.label == label)


def test_defaults_make_the_default_method(app: AppTest) -> None:
    """An untouched form gives the fields' own defaults and the first variable."""
    assert not app.exception
    assert app.session_state["made"] == Method(group="arm")


def test_fields_without_words_are_not_drawn(app: AppTest) -> None:
    """A field that has no label is no setting."""
    labels = [one.label for kind in ("selectbox", "number_input", "slider", "toggle") for one in getattr(app, kind)]
    assert "hidden" not in labels
    assert len(labels) == len(set(labels))


@pytest.mark.parametrize(
    ("kind", "label", "value", "name", "wanted"),
    [
        ("selectbox", "Group column", "stage", "groups", ("low", "mid")),
        ("selectbox", "Score", "BDeu", "score", BDeu(ess=1.0)),
        ("slider", "Prior", 0.9, "p_same", 0.9),
        ("selectbox", "Search", "exact", "search", "exact"),
        ("multiselect", "Order", ["![p](x)"], "order", ("![p](x)", "stage")),
        ("number_input", "Most parents", 3, "max_parents", 3),
        ("number_input", "Draws", 20, "draws", 20),
        ("toggle", "Both", False, "both", False),
    ],
)
def test_each_control_reaches_the_method(
    app: AppTest, kind: str, label: str, value: object, name: str, wanted: object
) -> None:
    """Turning one control changes that setting and no other that does not hang on it."""
    before = app.session_state["made"]
    control(app, kind, label).set_value(value).run()  # type: ignore[attr-defined]
    assert not app.exception
    made = app.session_state["made"]
    assert getattr(made, name) == wanted
    changed = {one for one in before.__dataclass_fields__ if getattr(before, one) != getattr(made, one)}
    assert changed <= {name, "group"}


def test_a_setting_is_asked_for_only_where_it_means_anything(app: AppTest) -> None:
    """Alpha belongs to one search: it appears with it, takes a thousandth, and goes back to its default without it."""
    labels = [one.label for one in app.number_input]
    assert "Alpha" not in labels
    control(app, "selectbox", "Search").set_value("exact").run()  # type: ignore[attr-defined]
    control(app, "number_input", "Alpha").set_value(0.001).run()  # type: ignore[attr-defined]
    assert not app.exception
    assert app.session_state["made"].alpha == 0.001
    control(app, "selectbox", "Search").set_value("thick").run()  # type: ignore[attr-defined]
    assert app.session_state["made"].alpha == 0.05


def test_hidden_settings_are_not_asked_for(app: AppTest) -> None:
    """A field that says so has no control, and its value is the one to begin with."""
    assert "Given" not in [one.label for one in app.text_input]
    assert app.session_state["made"].given == "x"


def test_live_settings_are_left_to_the_answer() -> None:
    """A form that stands beside an answer does not ask for what acts on it."""

    def beside() -> None:
        import streamlit as st

        from dashboard.forms.settings_form import settings_form
        from tests.dashboard.forms.test_settings_form import Method, table

        st.session_state["made"] = settings_form(Method, table(), "form", {"cut": 0.9}, live=False)

    app = AppTest.from_function(beside).run()
    assert not app.exception
    assert "Cut" not in [one.label for one in app.number_input]
    assert app.session_state["made"].cut == 0.9


def test_levels_and_all_other_rows(app: AppTest) -> None:
    """With three levels the user names two, or one against the rest; the same level cannot be named twice."""
    control(app, "selectbox", "Group column").set_value("stage").run()  # type: ignore[attr-defined]
    control(app, "selectbox", "Groups: A").set_value("high").run()  # type: ignore[attr-defined]
    assert app.session_state["made"].groups == ("high", "mid")
    control(app, "selectbox", "B").set_value(-1).run()  # type: ignore[attr-defined]
    assert app.session_state["made"].groups == ("high",)


def test_ess_reaches_the_score(app: AppTest) -> None:
    """The equivalent sample size appears with BDeu and is passed on."""
    control(app, "selectbox", "Score").set_value("BDeu").run()  # type: ignore[attr-defined]
    control(app, "number_input", "Equivalent sample size").set_value(7.5).run()  # type: ignore[attr-defined]
    assert app.session_state["made"].score == BDeu(ess=7.5)


def test_refused_settings_are_a_sentence(app: AppTest) -> None:
    """A SettingsError is shown, escaped, and there is no method."""
    control(app, "number_input", "Draws").set_value(13).run()  # type: ignore[attr-defined]
    assert app.session_state["made"] is None
    assert app.error[0].value.startswith("draws is 13\\; \\*pick\\* another")
