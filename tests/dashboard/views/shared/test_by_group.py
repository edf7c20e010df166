"""The groups below an answer: those of this very table, and the way to their comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.pages import METHOD_PAGES
from dashboard.session.cards import ColumnNames, parts_of
from dashboard.session.session import Analysis, Session
from dashboard.views.shared import analysis_page, by_group
from dashboard.views.shared.by_group import possible_groups

LINKS = engine.LogLinear(criterion="bic")


def table(seed: int = 0) -> engine.Dataset:
    """Three arms with rows, and one with a single row."""
    generator = np.random.default_rng(seed)
    arm = np.array([0] * 40 + [1] * 40 + [2] * 40 + [3])
    pain = generator.integers(0, 2, 121)
    sleep = np.where(generator.random(121) < 0.8, pain, 1 - pain)
    levels: list[list[str] | int] = [["a", "b", "c", "d"], 2, 2]
    return engine.Dataset.from_codes(np.array([arm, pain, sleep]), levels, ["arm", "pain", "sleep"])


class Failed:
    """A job that ended without an answer."""

    active, result, elapsed, worked, state, error = False, None, 0.0, 0.0, "failed", "Too few rows."


def held_with(asked: engine.Dataset, *, failed: str = "") -> Session:
    """All groups of this table answered; the open one is `table()`."""
    held = Session(dataset=table(), source="table.csv")
    held.page("log_linear").method = LINKS
    held.picked["log_linear.group"] = "arm"
    for name, part in parts_of(asked, "arm").items():
        key: Any = name
        if name == failed:
            held.keep(Analysis(LINKS, key, job=Failed(), data=part, group=name))  # type: ignore[arg-type]
        else:
            held.keep(Analysis(LINKS, key, answer=LINKS.run(part), data=part, group=name))
    return held


def page(held: Session) -> AppTest:
    def groups() -> None:
        from dashboard.pages import method_page
        from dashboard.session.session import session
        from dashboard.views.shared.by_group import show_groups

        show_groups(method_page("log_linear"), session().dataset)  # type: ignore[arg-type]

    at = AppTest.from_function(groups, default_timeout=60)
    at.session_state["diptych"] = held
    at.run()
    assert not at.exception
    return at


def said(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in [*at.markdown, *at.caption, *at.error]).replace("\\", "")


def test_groups_come_before_items() -> None:
    """What is named like a group, an age or a sex is at the top of the list, however late in the table."""
    names = ["sad", "tired", "place", "age group", "sex"]
    kinds = dict.fromkeys(names, "ordinal") | {"place": "nominal"}
    levels: list[list[str] | int] = [3, 3, 3, ["young", "middle", "old"], 2]
    data = engine.Dataset.from_codes(np.array([[0, 1]] * 5), levels, names, kinds)
    assert possible_groups(data) == ["age group", "sex", "place", "sad", "tired"]
    data = engine.Dataset.from_codes(np.array([[0, 1]] * 5), levels, [*names[:2], "arm", "age", "sex"][::-1], kinds={})
    assert possible_groups(data)[:3] == ["arm", "sex", "age"]
    wide = engine.Dataset.from_codes(np.array([[0, 1]] * 2), [9, 3], ["arm", "sad"], {"sad": "ordinal"})
    assert possible_groups(wide) == ["sad"]


def test_all_groups_are_compared_and_those_too_small_are_named() -> None:
    at = page(held_with(table()))
    assert "arm = a, arm = b and arm = c" in said(at)
    assert "too few rows to be asked: d." in said(at)
    assert [one.label for one in at.button] == ["Compare these groups"]


def test_groups_are_asked_without_what_is_known_of_their_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """Demographics come first, and one of them parts the table: the others still do, and the runs are found again."""
    held, asked = Session(dataset=table()), dict[str, Any]()
    monkeypatch.setattr(by_group, "session", lambda: held)
    monkeypatch.setattr(held, "ask_group", lambda method, part, name: asked.update({name: (method, part)}))
    method = engine.Ordinal(knowledge=engine.Knowledge(tiers=[["arm", "pain"], ["sleep"]]))
    by_group.ask_groups(method, table(), "arm")
    assert list(asked) == ["arm = a", "arm = b", "arm = c"]
    for name, (own, part) in asked.items():
        own.knowledge.constraints(part.names)
        assert own.knowledge.tiers == (("pain",), ("sleep",))
        held.keep(Analysis(own, name, answer=LINKS.run(part), data=part, group=name))
    assert len(by_group.runs_of(method, table(), "arm")) == 3
    alone = engine.Knowledge(tiers=[["arm"], ["pain", "sleep"]]).without(["arm"])
    assert alone.tiers is None


def test_one_group_that_failed_leaves_the_way_to_the_others() -> None:
    at = page(held_with(table(), failed="arm = b"))
    assert "Too few rows." in said(at)
    assert [one.label for one in at.button] == ["Compare these groups"]


def test_groups_of_the_table_prepared_otherwise_do_not_stand_below() -> None:
    """The same names and settings, other rows."""
    at = page(held_with(table(1)))
    assert "arm = a" not in said(at)
    assert not at.button


def test_a_guess_says_the_label_of_a_column_that_is_called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Escaped, and not where labels stand in place of names already."""
    said: list[str] = []
    monkeypatch.setattr(by_group.st, "caption", lambda text, **_: said.append(text))
    names = ColumnNames(labels={"arm": "In *therapy* now"})
    monkeypatch.setattr(by_group, "column_names", lambda: names)
    by_group.show_guess("'arm' is named like an arm.", table(), "arm", lambda _: None, "log_linear")
    monkeypatch.setattr(analysis_page.st, "caption", lambda text, **_: said.append(text))
    monkeypatch.setattr(analysis_page, "_holds_guess", lambda *_: False)
    analysis_page.say_guess(METHOD_PAGES["group_difference"], engine.GroupDifference(group="arm"), table())
    assert said.pop() == r"arm: “In \*therapy\* now”", "also of a column that the reader chose"
    monkeypatch.setattr(by_group, "shown_names", lambda: names.labels)
    by_group.show_guess("'arm' is named like an arm.", table(), "arm", lambda _: None, "log_linear")
    assert said[0] == said[1] + r" Its label: “In \*therapy\* now”."
