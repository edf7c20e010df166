"""The group differences page: empty, with a table, and every control wired to the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.jobs.desk import method_key
from dashboard.session.session import Session
from dashboard.text import plain
from dashboard.views.group_difference import resampling
from dashboard.views.group_difference.resampling import shuffle_words
from tests.dashboard.app_pages import hostile_tables
from tests.dashboard.app_pages.running import finished
from tests.engine.make import balance_scale, two_groups

APP = str(Path(__file__).parents[3] / "dashboard" / "app.py")
PAGE = Path(APP).parent / "app_pages" / "group_difference.py"


def opened(data: engine.Dataset | None = None, *, run: bool = False, **settings: Any) -> AppTest:
    """The page, with this data set in the session; inside the whole app where it links to another page."""
    alone = data is not None and data.n_variables > 1 and data.n_rows > 0
    at = AppTest.from_file(str(PAGE) if alone else APP, default_timeout=60)
    session = Session()
    if data is not None:
        session.dataset, session.source = data, "a *table*.csv"
        session.begin("group_difference", settings, run=run)
    at.session_state["diptych"] = session
    if not alone:
        at.switch_page("app_pages/group_difference.py")
    return finished(at.run())


def text(at: AppTest) -> str:
    """All that the page says."""
    return "\n".join(str(one.value) for one in [*at.markdown, *at.caption, *at.info, *at.error])


def odds_table(at: AppTest):  # type: ignore[no-untyped-def]
    """The published odds of the drawer."""
    return next(one.value for one in at.dataframe if "log10 odds" in one.value.columns)


def test_without_a_table_the_page_says_where_to_get_one() -> None:
    """No traceback, a sentence and the way to the data page."""
    at = opened()
    assert "no table yet" in text(at)
    assert not at.button


def test_it_waits_for_the_click_and_then_answers() -> None:
    """The group is proposed, nothing runs by itself, and the button gives the engine's own answer."""
    data = two_groups(200, 5, 7, seed=3, changed=True)
    at = opened(data)
    assert at.selectbox(key=next(b.key for b in at.selectbox if b.label == "Group column")).value == "group"
    assert "every variable is then asked whether it differs" in text(at)
    at.button[0].click()
    finished(at.run())
    expected = engine.GroupDifference(group="group").run(data)
    shown = at.session_state["diptych"].desk.get(method_key(engine.GroupDifference(group="group"), data)).result
    assert shown.to_json() == expected.to_json()
    assert plain(expected.headline()) in text(at)


def test_the_prior_re_ranks_without_learning_again() -> None:
    """Moving the slider changes the sentence and starts no job."""
    at = opened(two_groups(200, 5, 7, seed=3, changed=True), group="group", run=True)
    jobs = len(at.session_state["diptych"].desk._jobs)
    assert "0\\.5" in text(at)
    at.select_slider(key="group_difference.live.p_same").set_value(0.9).run()
    assert "0\\.9" in text(at)
    assert len(at.session_state["diptych"].desk._jobs) == jobs


@pytest.mark.parametrize("level", ["overall", "context"])
def test_the_level_of_the_prior_reaches_the_engine(level: str) -> None:
    """The table on screen holds the odds under the chosen level."""
    data = two_groups(200, 5, 7, seed=3, changed=True)
    at = opened(data, group="group", run=True)
    at.selectbox(key="group_difference.live.p_level").set_value(level).run()
    expected = engine.GroupDifference(group="group", p_level=level).run(data).ranking()
    table = odds_table(at)
    assert list(table["variable"]) == list(expected.index)
    assert table["log10 odds"].to_numpy() == pytest.approx(expected["log10_odds"].to_numpy())


def test_the_alignment_reaches_the_engine() -> None:
    """The ranking follows the common parents when they are asked for."""
    data = two_groups(150, 5, 7, seed=1, changed=True)
    at = opened(data, group="group", run=True)
    at.selectbox(key="group_difference.live.alignment").set_value("common").run()
    expected = engine.GroupDifference(group="group", alignment="common").run(data).ranking()
    assert odds_table(at)["log10 odds"].to_numpy() == pytest.approx(expected["log10_odds"].to_numpy())


@pytest.mark.parametrize(
    ("label", "value", "expected"),
    [
        ("Score", "BDeu", {"score": engine.BDeu(1.0)}),
        ("Search", "hill_climbing", {"search": "hill_climbing"}),
        ("Search", "exact", {"search": "exact"}),
    ],
)
def test_every_setting_reaches_the_engine(label: str, value: str, expected: dict[str, Any]) -> None:
    """A changed setting changes the method that is run."""
    data = two_groups(150, 4, 5, seed=2)
    at = opened(data, group="group", run=True)
    at.selectbox(key=next(box.key for box in at.selectbox if box.label == label)).set_value(value).run()
    next(b for b in at.button if b.label == "Compare the groups").click()
    finished(at.run())
    assert at.session_state["diptych"].page("group_difference").asked == engine.GroupDifference(
        group="group", **expected
    )


def test_number_settings_reach_the_engine() -> None:
    """The limit on parents and the seed are handed on."""
    data = two_groups(150, 4, 5, seed=2)
    at = opened(data, group="group", run=True)
    for label, value in (("Most parents of a variable", 1), ("Seed", 7)):
        next(one for one in at.number_input if one.label == label).set_value(value)
    next(b for b in at.button if b.label == "Compare the groups").click()
    finished(at.run())
    asked = at.session_state["diptych"].page("group_difference").asked
    assert (asked.max_parents, asked.seed) == (1, 7)


def test_three_levels_ask_for_two_groups() -> None:
    """A group column of three levels offers the two to compare, and those are compared."""
    at = opened(balance_scale(), group="class", groups=("L", "R"), run=True)
    assert "class \\= L" in text(at)
    asked = at.session_state["diptych"].page("group_difference").asked
    assert asked.groups == ("L", "R")


def test_the_group_and_its_levels_are_the_users_choice() -> None:
    """Another group column and other levels of it reach the engine, as does one level against the rest."""
    at = opened(balance_scale(), group="left_weight", run=True)
    next(box for box in at.selectbox if box.label == "Group column").set_value("class").run()
    a = next(box for box in at.selectbox if box.label.endswith(": A"))
    a.set_value("R").run()
    b = next(box for box in at.selectbox if box.label == "B")
    for option, expected in ((b.options[-1], ("R",)), ("L", ("R", "L"))):
        next(box for box in at.selectbox if box.label == "B").select(option).run()
        next(button for button in at.button if button.label == "Compare the groups").click()
        finished(at.run())
        asked = at.session_state["diptych"].page("group_difference").asked
        assert (asked.group, asked.groups) == ("class", expected)


def test_an_order_reaches_the_engine() -> None:
    """Variables put in the order box come first, the others follow."""
    at = opened(two_groups(100, 4, 4, seed=2), group="group", run=True)
    at.multiselect[0].set_value(["v02", "v00"])
    next(button for button in at.button if button.label == "Compare the groups").click()
    finished(at.run())
    asked = at.session_state["diptych"].page("group_difference").asked
    assert asked.order == ("v02", "v00", "v01", "v03")


@pytest.mark.parametrize("name", hostile_tables.NAMES)
def test_every_hostile_table_is_compared_or_refused_in_words(name: str) -> None:
    """Whatever can be read and prepared gets its answer or a sentence, with no name acting as markup."""
    _, data = hostile_tables.prepared(name)
    hostile_tables.answered_or_refused(opened(data, group=data.names[0], run=True), data, "differ")


def test_choosing_a_variable_shows_its_contexts() -> None:
    """The select box of variables decides what the right-hand side explains."""
    data = two_groups(200, 5, 7, seed=3, changed=True)
    at = opened(data, group="group", run=True)
    box = at.selectbox(key="group_difference.variable")
    other = box.options[-1]
    box.set_value(other).run()
    assert at.session_state["diptych"].picked["group_difference"] == other
    assert any(f"{other} behaves" in m.value or f"Whether {other}" in m.value for m in at.markdown)


def test_other_rows_are_one_click() -> None:
    """The button starts the runs; their table says in how many of them a variable differs."""
    at = opened(two_groups(100, 4, 5, seed=3, changed=True), group="group", run=True)
    before = len(at.dataframe)
    at.button(key="group_difference.stability").click()
    finished(at.run())
    assert len(at.dataframe) == before + 1
    assert any("share differs" in one.value.columns for one in at.dataframe)


@pytest.mark.usefixtures("background")
def test_shuffled_labels_run_by_themselves_and_end_the_first_sentence() -> None:
    """No press: the tables with shuffled labels come in the background, and the headline tells what they give."""
    data = two_groups(200, 5, 7, seed=3, changed=True)
    at = opened(data, group="group", run=True)
    method = engine.GroupDifference(group="group")
    null = method.null(data, runs=resampling.SHUFFLES)
    assert plain(f"{method.run(data).headline()} {shuffle_words(null)}") in text(at)
    assert "share as high when shuffled" in odds_table(at).columns


def test_a_named_stop_moves_the_prior_and_the_margin_what_is_alike() -> None:
    """Strict is a prior of 0.99; a margin of half makes all alike that do not differ."""
    at = opened(two_groups(200, 5, 7, seed=3, changed=True), group="group", run=True)
    at.button_group(key="group_difference.sceptic").set_value("Strict").run()
    assert at.select_slider(key="group_difference.live.p_same").value == 0.99
    before = text(at)
    at.select_slider(key="group_difference.live.margin").set_value(0.5).run()
    assert "Alike within 50 points" in text(at)
    assert "Alike within 50 points" not in before


@pytest.mark.parametrize("by", ["Beyond its parents", "On its own", "Size of the difference", "Name"])
def test_the_variables_can_be_sorted(by: str) -> None:
    """The table follows what is asked for."""
    data = two_groups(200, 5, 7, seed=3, changed=True)
    at = opened(data, group="group", run=True)
    at.selectbox(key="group_difference.sort").set_value(by).run()
    found = engine.GroupDifference(group="group").run(data).variables()
    key = {
        "Beyond its parents": -found["log10_bf_beyond"],
        "On its own": -found["log10_bf_alone"],
        "Size of the difference": -found["effect"].abs(),
        "Name": found.index.to_series(),
    }[by]
    assert list(at.dataframe[0].value["variable"]) == list(key.sort_values(kind="stable").index)


def test_a_table_that_cannot_be_compared_gets_a_sentence() -> None:
    """The engine's own words are shown, and the page stays usable."""
    data = two_groups(30, 3, 2, seed=0).select(["group"])
    at = opened(data, group="group", run=True)
    assert "no variable beside the group column" in text(at)
    assert at.button
