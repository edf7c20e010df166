"""The associations page: empty, with a table, every control wired to the engine, and whatever may be wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import engine
import sample_data
from dashboard.jobs.job_queue import method_key
from dashboard.session.session import Session
from dashboard.views.log_linear.clique import AssociationState
from engine.telling.log_linear.wording import p_words
from tests.dashboard.app_pages.running import finished
from tests.engine.make import random_data

APP = str(Path(__file__).parents[4] / "dashboard" / "app.py")
PAGE = Path(APP).parent / "app_pages" / "log_linear.py"
JOINT = engine.LogLinear(joint=True)


def opened(data: engine.Dataset | None = None, *, run: bool = False, **settings: Any) -> AppTest:
    """The page, with this data set in the session; inside the whole app where it links to another page."""
    refused = data is None or data.n_variables < 2 or not data.n_rows
    at = AppTest.from_file(APP if refused else str(PAGE), default_timeout=60)
    session = Session()
    if data is not None:
        session.dataset, session.source = data, "a *table*.csv"
        session.begin("log_linear", settings, run=run)
    at.session_state["diptych"] = session
    if refused:
        at.switch_page("app_pages/log_linear.py")
    return finished(at.run())


def text(at: AppTest) -> str:
    """All that the page says."""
    return "\n".join(str(one.value) for one in [*at.title, *at.markdown, *at.caption, *at.info, *at.error, *at.warning])


def run_button(at: AppTest) -> Any:
    """The button that runs the method, whatever it is called now."""
    return at.button(key="log_linear.run")


def press(at: AppTest, label: str) -> AppTest:
    next(one for one in at.button if one.label == label).click()
    return finished(at.run())


def change(at: AppTest, label: str) -> AppTest:
    """Press what redraws only its own part of the page; nothing here runs a part alone, so the page is drawn again."""
    next(one for one in at.button if one.label == label).click()
    return finished(at.run().run())


def look(at: AppTest, view: str) -> AppTest:
    """Choose one of the closer looks."""
    at.session_state["log_linear.view"] = view
    return finished(at.run())


def asked(at: AppTest) -> engine.LogLinear:
    method = at.session_state["diptych"].page("log_linear").method
    assert isinstance(method, engine.LogLinear)
    return method


def linked(seed: int = 1) -> engine.Dataset:
    """Six variables with some links."""
    return random_data(600, 6, 6, seed)


@pytest.fixture(scope="module")
def survey() -> engine.Dataset:
    """The sample table made for this page."""
    return sample_data.dataset("health_survey")


def test_without_a_table_the_page_shows_its_example() -> None:
    """The sample's answer, and the ways to it and to a table of one's own."""
    at = opened()
    assert "The strongest of 23 links" in at.title[0].value
    assert [one.label for one in at.button if one.key.startswith("log_linear")] == [
        "Try this example",
        "Use my own table",
    ]


@pytest.mark.usefixtures("on_a_press")
def test_before_running_it_says_what_could_show(survey: engine.Dataset) -> None:
    """Rows, variables, how strong a link must be; nothing runs by itself."""
    at = opened(survey)
    assert "3,000 rows, 20 variables" in text(at)
    assert "power is 80\u00a0\\% for a link between" in text(at)
    assert "the measured size nearest to this table" in text(at)
    assert not at.dataframe
    assert at.session_state["diptych"].job_queue.get(method_key(JOINT, survey)) is None


def test_copies_are_told_before_the_run_and_with_the_answer() -> None:
    """Which column follows from which, and what to do."""
    rng = np.random.default_rng(1)
    ward, diet = rng.integers(0, 3, (2, 200))
    data = engine.Dataset.from_codes(
        np.array([ward, 2 - ward, diet], dtype=np.uint8), [3, 3, 3], ["ward", "again", "diet"]
    )
    for run in (False, True):
        said = text(opened(data, run=run))
        assert "again is a copy of ward" in said
        assert "leave one of them out" in said


def test_the_button_gives_the_engines_own_answer(survey: engine.Dataset) -> None:
    """Two links at once are on from the start, and what is shown is what the engine finds."""
    at = press(opened(survey), "Find the links")
    assert asked(at) == JOINT
    expected = JOINT.run(survey)
    shown = at.session_state["diptych"].job_queue.get(method_key(JOINT, survey)).result
    assert shown.to_json() == expected.to_json()
    assert "The strongest of 23 links" in text(at)
    assert run_button(at).label == "Run again"
    assert "A link is not a cause" in text(at)


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("smt", {"criterion": "smt", "joint": False}),
        ("chi2", {"criterion": "chi2", "joint": False}),
        ("bic", {"criterion": "bic", "joint": True}),
        ("kl", {"criterion": "kl", "joint": False}),
        ("ah", {"criterion": "ah", "joint": False}),
    ],
)
def test_the_criterion_reaches_the_engine(criterion: str, expected: dict[str, Any]) -> None:
    """Each criterion runs; the extra move is asked for only where there is one."""
    at = opened(linked(), run=True)
    at.selectbox(key="log_linear.criterion").set_value(criterion).run()
    assert [one.label for one in at.toggle] == (["Also two links at once"] if expected["joint"] else [])
    at = press(at, "Find the links")
    assert asked(at) == engine.LogLinear(**expected)
    assert "The strongest of " in text(at)


def test_switch_alpha_limit_and_seed_reach_the_engine() -> None:
    """The other settings are handed on as they stand."""
    at = opened(linked(), run=True)
    at.toggle[0].set_value(False).run()
    next(one for one in at.number_input if one.label == "Largest clique").set_value(3)
    next(one for one in at.number_input if one.label == "Seed").set_value(7)
    at = press(at, "Find the links")
    assert asked(at) == engine.LogLinear(joint=False, max_clique=3, seed=7)
    at.selectbox(key="log_linear.criterion").set_value("smt").run()
    next(one for one in at.number_input if one.label.startswith("Significance")).set_value(0.001)
    assert asked(press(at, "Find the links")).alpha == 0.001


def test_pairs_reach_the_engine_and_a_contradiction_is_a_sentence() -> None:
    """A forbidden link stays out; forcing it too is refused in words and the page stays usable."""
    data = linked()
    a, b = next(iter(JOINT.run(data).graph.edges))
    at = opened(data, run=True)
    for name in ("forbidden", "forced"):
        key = f"log_linear.{name}.{data.fingerprint[:12]}"
        at.selectbox(key=f"{key}.a").set_value(a).run()
        at.selectbox(key=f"{key}.b.{a}").set_value(b).run()
        at.button(key=f"{key}.add").click().run()
        if name == "forbidden":
            at = press(at, "Find the links")
            assert asked(at).forbidden == ((a, b),)
            assert f"{a} - {b}" not in at.dataframe[0].value.to_string()
    assert "is forbidden\\, but also in forced" in text(at)
    assert run_button(at).disabled
    chosen = next(one for one in at.multiselect if ".forced." in str(one.key))
    chosen.set_value([]).run()
    assert "is forbidden" not in text(at)
    assert not run_button(at).disabled


def test_changed_settings_are_said_to_be_unused() -> None:
    """After the run a changed setting leaves the answer and says how to use it."""
    at = opened(linked(), run=True)
    at.selectbox(key="log_linear.criterion").set_value("smt").run()
    assert "The settings have changed" in text(at)
    assert "The strongest of " in text(at)


def test_the_slider_replays_the_steps(survey: engine.Dataset) -> None:
    """Each step's sentence carries the engine's own numbers."""
    at = opened(survey, run=True)
    steps = JOINT.run(survey).steps
    for step in (1, 21):
        at.slider(key="log_linear.step.24").set_value(step).run()
        row = steps.iloc[step - 1]
        assert f"Step {step}: {row['a']} with".replace("_", "\\_") in text(at)
        assert f"{p_words(row['log10_p'])} when taken" in text(at)
    assert " it adds; about" in text(at) and " bits short" not in text(at)
    assert "times the rows would do" in text(at) and "how many this criterion would need" in text(at)


def test_a_group_shows_what_its_link_explains(survey: engine.Dataset) -> None:
    """The group and the link left out choose the engine's table of residuals."""
    at = opened(survey, run=True)
    group, without = ("age", "education", "income"), ("age", "income")
    at.selectbox(key="log_linear.group").set_value(1).run()
    box = next(one for one in at.selectbox if one.label == "Rows expected if no link joined")
    box.set_value(1).run()
    expected = JOINT.run(survey).residuals(group, without)
    shown = next(one.value for one in at.dataframe if "adjusted" in one.value.columns)
    pd.testing.assert_frame_equal(shown, expected, check_dtype=False)
    assert "no link between **age** and **income**, given education, would give" in text(at)
    next(one for one in at.selectbox if one.label == "Rows expected if no link joined").set_value(3).run()
    assert "fitted whole" in text(at)


def test_small_cells_are_warned_of_not_refused() -> None:
    """Expected counts under 5 get a sentence, and the residuals are shown all the same."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 60)
    table = pd.DataFrame({"a": a, "b": np.where(rng.random(60) < 0.95, a, 1 - a)})
    table.loc[58:59, "a"] = 2
    at = opened(engine.Dataset.from_frame(table.astype(str), kinds=dict.fromkeys(table, "nominal")), run=True)
    assert "fewer than 5 rows" in text(at)


def test_what_if_prices_changes_and_searches_on(survey: engine.Dataset) -> None:
    """A missing link has its sentence and price; taken up it makes a model by hand, from which a search starts."""
    at = look(opened(survey, run=True), "What if")
    found = JOINT.run(survey)
    at.selectbox(key="log_linear.a").set_value("region").run()
    at.selectbox(key="log_linear.b").set_value("checkup").run()
    assert "region and checkup: nothing seen" in text(at).replace("\\", "")
    assert f"cost {-found.what_if(survey, 'region', 'checkup').saving_bits:,.1f} bits" in text(at)
    at = change(at, "Add the link")
    by_hand = at.session_state["diptych"].state(AssociationState).by_hand[-1]
    assert by_hand.graph.has_edge("region", "checkup")
    assert "By hand: 1 change" in text(at)
    table = next(one.value for one in at.dataframe if "model" in one.value.columns)
    assert list(table["model"]) == ["no links", "the model found", "by hand"]
    assert table["total"].iloc[2] == pytest.approx(by_hand.message["total"].iloc[1])
    at = press(at, "Search on from here")
    assert {frozenset(edge) for edge in asked(at).start} == {frozenset(edge) for edge in by_hand.graph.edges}
    assert "The settings have changed" not in text(at)


def test_links_that_were_given_are_not_counted_as_agreement() -> None:
    """A model begun by hand says so; neither the other criterion nor the drawings begin from the links by hand."""
    data = linked()
    free = JOINT.run(data)
    a, b = next((a, b) for a in data.names for b in data.names if a < b and not free.graph.has_edge(a, b))
    by_hand = free.edited(data, add=[(a, b)])
    at = opened(data, run=True, joint=True, start=tuple(by_hand.graph.edges))
    given = by_hand.graph.number_of_edges()
    assert f"{given} of the {given} links were given" in text(at)
    at = look(at, "Another criterion")
    assert all(not one.start for one in methods_of(at) if one.criterion == "smt")
    assert "not given to the other" in text(at)
    at = look(at, "Stability")
    at.select_slider(key="log_linear.runs").set_value(50).run()
    at = press(at, "Resample the rows")
    shown = next(one.value for one in at.dataframe if "share" in one.value.columns)
    asked_for = shown[(shown["a"] == a) & (shown["b"] == b)]
    assert asked_for["in the model"].all()
    assert float(asked_for["share"].iloc[0]) < 1
    assert "searched from no link at all" in text(at)


def methods_of(at: AppTest) -> list[engine.LogLinear]:
    """The settings of all results that the page has asked for."""
    results = [getattr(job, "result", None) for job in at.session_state["diptych"].job_queue._jobs.values()]
    return [one.method for one in results if isinstance(getattr(one, "method", None), engine.LogLinear)]


def test_the_story_of_a_search_begun_elsewhere_starts_there(survey: engine.Dataset) -> None:
    """Before the first step stand the links given, not none."""
    at = opened(survey, run=True, joint=True, start=(("region", "checkup"),))
    result = engine.LogLinear(joint=True, start=(("region", "checkup"),)).run(survey)
    at.slider(key=f"log_linear.step.{len(result.steps)}").set_value(0).run()
    assert "the model has 1 link, given beforehand" in text(at)


def test_a_link_that_does_not_go_alone_names_the_others(survey: engine.Dataset) -> None:
    """Links that come along are named, and undo takes the change back."""
    at = look(opened(survey, run=True), "What if")
    at.selectbox(key="log_linear.a").set_value("age").run()
    at.selectbox(key="log_linear.b").set_value("education").run()
    assert "does not go alone" in text(at)
    at = change(at, "Take the link away")
    at = change(at, "Undo the last")
    assert not at.session_state["diptych"].state(AssociationState).by_hand


def test_a_link_is_forced_or_forbidden_from_what_if(survey: engine.Dataset) -> None:
    """The search runs again with it, and the form on the left knows."""
    at = look(opened(survey, run=True), "What if")
    at = press(at, "Search again with it forbidden")
    assert asked(at).forbidden == (("age", "income"),)
    assert (
        not at.session_state["diptych"]
        .job_queue.get(method_key(asked(at), survey))
        .result.graph.has_edge("age", "income")
    )
    at.selectbox(key="log_linear.a").set_value("age").run()
    at.selectbox(key="log_linear.b").set_value("income").run()
    at = press(at, "Search again with it forced")
    assert (asked(at).forced, asked(at).forbidden) == ((("age", "income"),), ())
    assert "The settings have changed" not in text(at)


def test_another_criterion_beside_it(survey: engine.Dataset) -> None:
    """Links of one criterion only are named; the dial changes what is run."""
    at = look(opened(survey, run=True), "Another criterion")
    assert "23 links in both" in text(at)
    assert "Only SMT, alpha 0.05: weight \\- blood\\_pressure" in text(at)
    at.select_slider(key="log_linear.other.alpha").set_value(0.001).run()
    at = finished(at)
    methods = [job.result.method for job in at.session_state["diptych"].job_queue._jobs.values()]
    assert engine.LogLinear(criterion="smt", alpha=0.001) in methods
    at.selectbox(key="log_linear.other.mml").set_value("bic").run()
    at = finished(at)
    methods = [job.result.method for job in at.session_state["diptych"].job_queue._jobs.values()]
    assert any(method.criterion == "bic" for method in methods)


def test_stability_is_one_click() -> None:
    """The rows are drawn again as often as asked, and the table is the engine's."""
    data = linked()
    at = look(opened(data, run=True), "Stability")
    at.select_slider(key="log_linear.runs").set_value(50).run()
    at = press(at, "Resample the rows")
    expected = JOINT.stability(data, 50)
    shown = next(one.value for one in at.dataframe if "share" in one.value.columns)
    assert list(shown["share"]) == list(expected["share"])
    assert "of 50 bootstrap samples" in text(at)


@pytest.mark.parametrize("view", ["How it was built", "What if", "Another criterion", "Stability"])
def test_no_link_at_all_leaves_every_view_standing(view: str) -> None:
    """Independent variables: a sentence in each place, no traceback."""
    codes = np.random.default_rng(0).integers(0, 2, (4, 40)).astype(np.uint8)
    at = look(opened(engine.Dataset.from_codes(codes, [2] * 4, list("abcd")), run=True), view)
    assert "No link between any two of the 4 variables shows in 40 rows" in text(at)
    assert ("None came near: the best has" in text(at)) == (view == "How it was built")
    assert "No link found (" in text(at) and "Variables looked at together" not in text(at)


def test_of_very_many_variables_only_linked_ones_are_laid_out() -> None:
    """The answer counts them all; the picture's layout holds those with a link on screen."""
    at = opened(random_data(400, 310, 120, seed=5), run=True)
    assert "The strongest of " in text(at)
    laid_out = max(at.session_state["diptych"].layouts._positions, key=len)
    assert 2 <= len(laid_out) <= 180


def test_one_variable_and_no_rows_have_their_sentences() -> None:
    """Neither is run; the page says what to do."""
    assert "is in use" in text(opened(linked().select(["v00"]), run=True))
    nothing = engine.Dataset.from_codes(np.zeros((2, 0), dtype=np.uint8), [2, 2], ["a", "b"])
    assert "has no rows" in text(opened(nothing, run=True))


pytestmark = pytest.mark.usefixtures("on_a_press")
