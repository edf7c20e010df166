"""The group differences page: empty, with a table, and every control wired to the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.jobs.job_queue import method_key
from dashboard.session.session import Session
from dashboard.text import plain, unbroken
from dashboard.views.group_difference import resampling
from tests.dashboard.app_pages.running import finished
from tests.engine.make import ARMS, balance_scale, trial, two_groups
from tests.engine.methods.group_difference.test_explain import case_mix

APP = str(Path(__file__).parents[4] / "dashboard" / "app.py")
PAGE = Path(APP).parent / "app_pages" / "group_difference.py"


def opened(data: engine.Dataset | None = None, *, run: bool = False, **settings: Any) -> AppTest:
    """The page, its drawer of details open, with this data set; inside the whole app where it links to another page."""
    alone = data is not None and data.n_variables > 1 and data.n_rows > 0
    at = AppTest.from_file(str(PAGE) if alone else APP, default_timeout=60)
    session = Session()
    if data is not None:
        session.dataset, session.source = data, "a *table*.csv"
        session.begin("group_difference", settings, run=run)
    at.session_state["diptych"] = session
    at.session_state["group_difference.details"] = True  # a closed one draws nothing
    if not alone:
        at.switch_page("app_pages/group_difference.py")
    return finished(at.run())


def run_button(at: AppTest) -> Any:
    """The button that runs the method, whatever it is called now."""
    return at.button(key="group_difference.run")


def text(at: AppTest) -> str:
    """All that the page says."""
    return "\n".join(str(one.value) for one in [*at.title, *at.markdown, *at.caption, *at.info, *at.error])


def odds_table(at: AppTest):  # type: ignore[no-untyped-def]
    """The published odds of the drawer."""
    return next(one.value for one in at.dataframe if "log10 odds" in one.value.columns)


def test_without_a_table_the_page_shows_its_example() -> None:
    """Its answer, and the ways to it and to a table of one's own."""
    at = opened()
    assert "early\\_antibiotics differs" in at.title[0].value
    assert [one.label for one in at.button if one.key.startswith("group_difference")] == [
        "Try this example",
        "Use my own table",
    ]


def test_it_waits_for_the_click_and_then_answers() -> None:
    """The group is proposed, nothing runs by itself, and the button gives the engine's own answer."""
    data = two_groups(200, 5, 7, seed=3, changed=True)
    at = opened(data)
    assert at.selectbox(key=next(b.key for b in at.selectbox if b.label == "Group column")).value == "group"
    assert "How probable a difference is for each variable" in text(at)
    run_button(at).click()
    finished(at.run())
    expected = engine.GroupDifference(group="group").run(data)
    shown = at.session_state["diptych"].job_queue.get(method_key(engine.GroupDifference(group="group"), data)).result
    assert shown.to_json() == expected.to_json()
    assert plain(expected.headline()) in text(at)


def test_the_prior_moves_the_verdicts_without_learning_again() -> None:
    """Moving the prior that nothing differs gives the engine's own sentences under it, and starts no job."""
    data = two_groups(200, 5, 7, seed=3, changed=True)
    at = opened(data, group="group", run=True)
    jobs = len(at.session_state["diptych"].job_queue._jobs)
    at.select_slider(key="group_difference.live.p_none").set_value(0.99).run()
    result = engine.GroupDifference(group="group").run(data)
    before, after = result.sentences(), result.with_prior(p_none=0.99).sentences()
    assert before != after
    assert plain(after[0]) in text(at) and plain(before[0]) not in text(at)
    assert plain(" ".join(after[1:])) in text(at)
    assert len(at.session_state["diptych"].job_queue._jobs) == jobs


def test_drawn_orders_leave_the_prior_of_the_run() -> None:
    """Of more than 20 variables the prior cannot be moved, only the margin; a button runs it under another one."""
    at = opened(two_groups(60, 21, 5, seed=3), group="group", max_parents=1, run=True)
    keys = {one.key for one in at.select_slider}
    assert "group_difference.live.p_none" not in keys and "group_difference.live.margin" in keys
    assert "prior probability of 0.5 that nothing differs. Another prior takes another run" in text(at)
    at.select_slider(key="group_difference.next.p_none").set_value(0.9).run()
    at.button(key="group_difference.again").click()
    finished(at.run())
    assert at.session_state["diptych"].page("group_difference").method.p_none == 0.9
    assert "prior probability of 0.9 that nothing differs" in text(at)


def test_the_papers_prior_moves_the_papers_numbers_alone() -> None:
    """The published odds follow it; the answer stays."""
    data = two_groups(200, 5, 7, seed=3, changed=True)
    at = opened(data, group="group", run=True)
    result = engine.GroupDifference(group="group").run(data)
    at.select_slider(key="group_difference.live.p_same").set_value(0.9).run()
    assert odds_table(at)["log10 odds"].to_numpy() == pytest.approx(result.with_prior(0.9).ranking()["log10_odds"])
    assert plain(" ".join(result.sentences()[1:])) in text(at)
    assert plain("probability of 0.9 for 'no difference'") in text(at)


def test_one_order_lets_the_papers_odds_carry_the_verdicts() -> None:
    """Not averaged: the note says so, the paper's prior moves what is said, and BIF files are offered."""
    data = two_groups(200, 5, 7, seed=3, changed=True)
    at = opened(data, group="group", average="none", run=True)
    result = engine.GroupDifference(group="group", average="none").run(data)
    assert plain(result.notes()[0]) in text(at)
    at.select_slider(key="group_difference.live.p_same").set_value(0.999).run()
    assert plain(" ".join(result.with_prior(0.999).sentences()[1:])) in text(at)
    assert any(one.proto.label == "BIF" for one in at.get("download_button"))


def test_an_average_is_taken_away_in_formats_that_hold_lines() -> None:
    """Averaged networks have links without a direction: GraphML and DOT, no BIF."""
    at = opened(two_groups(200, 5, 7, seed=3, changed=True), group="group", run=True)
    labels = [one.proto.label for one in at.get("download_button")]
    assert labels.count("GraphML") == labels.count("DOT") == 3
    assert "BIF" not in labels


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
    run_button(at).click()
    finished(at.run())
    assert at.session_state["diptych"].page("group_difference").method == engine.GroupDifference(
        group="group", **expected
    )


def test_number_settings_reach_the_engine() -> None:
    """The limit on parents and the seed are handed on."""
    data = two_groups(150, 4, 5, seed=2)
    at = opened(data, group="group", run=True)
    for label, value in (("Most parents of a variable", 1), ("Seed", 7)):
        next(one for one in at.number_input if one.label == label).set_value(value)
    run_button(at).click()
    finished(at.run())
    asked = at.session_state["diptych"].page("group_difference").method
    assert (asked.max_parents, asked.seed) == (1, 7)


def test_three_levels_ask_for_two_groups() -> None:
    """A group column of three levels offers the two to compare, and those are compared."""
    at = opened(balance_scale(), group="class", groups=("L", "R"), run=True)
    answer = engine.GroupDifference(group="class", groups=("L", "R")).run(balance_scale())
    assert unbroken(plain(answer.headline())) in text(at)
    asked = at.session_state["diptych"].page("group_difference").method
    assert asked.groups == ("L", "R")


def test_all_arms_are_one_run_and_a_press_away_from_each_pair() -> None:
    """Proposed where a level reads as a control: one sentence, one table, one arm in the pictures; then any two."""
    at = opened(trial(), run=False)
    run_button(at).click()
    finished(at.run())
    answer = engine.GroupDifference(group="arm").run(trial())
    assert unbroken(plain(answer.headline())) in text(at)
    assert plain(answer.sentences()[0]) in text(at)
    table = at.dataframe[0].value
    assert list(table.columns) == ["Variable", *ARMS, "Trend"] and len(table) == len(answer.names)
    arm = next(one for one in at.segmented_control if one.label == "Arm")
    assert arm.value == "20 mg"
    arm.set_value("10 mg").run()
    assert "10 mg − placebo".replace(" ", "\u00a0") in text(at).replace(" ", "\u00a0")
    compared = next(box for box in at.selectbox if box.label == "Compared")
    assert compared.options[0] == "all against placebo"
    compared.select("placebo v 10 mg").run()
    finished(at)
    assert at.session_state["diptych"].page("group_difference").method.groups == ("placebo", "10 mg")
    assert plain(engine.GroupDifference(group="arm", groups=("placebo", "10 mg")).run(trial()).headline()) in text(at)


def test_a_number_is_shown_by_its_values_and_a_press_away_by_its_levels() -> None:
    """Its unit in the choice of variables, the difference of means below the tag; levels in pp behind the switch."""
    rng = np.random.default_rng(2)
    group = rng.choice(["North", "South"], 300)
    frame = {"hospital": group, "Lactate (mmol/L)": (2 + (group == "South") + rng.normal(0, 0.8, 300)).round(1)}
    data = engine.Dataset.from_frame(pd.DataFrame(frame | {"sex": rng.choice(["f", "m"], 300)}))
    at = opened(data, group="hospital", run=True)
    assert at.selectbox(key="group_difference.variable").value == "Lactate (mmol/L)"
    assert "**Higher in South**" in text(at) and plain("mmol/L (") in text(at)
    view(at).set_value("Levels").run()
    assert plain("mmol/L (") not in text(at)
    assert any(box.label == "Level" for box in at.selectbox) or "pp" in text(at)


def view(at: AppTest) -> Any:
    """The switch between the pictures of the selected variable."""
    return next(one for one in at.segmented_control if str(one.key).startswith("group_difference.view"))


def test_what_explains_the_gap_is_a_press_away_and_belongs_to_the_answer() -> None:
    """The engine's own sentences; age comes first at one press; the answer then has the section for the report."""
    at = opened(case_mix(), group="site", run=True)
    at.selectbox(key="group_difference.variable").select("dead").run()
    finished(view(at).set_value("What explains the gap").run())
    result = at.session_state["diptych"].answered("group_difference").result
    gap = result.gaps["dead = yes"]
    for sentence in gap.sentences():
        assert plain(sentence) in text(at)
    assert result.section("gap").tables == ("Gap",)
    finished(next(one for one in at.toggle if "first" in one.label).set_value(True).run())
    assert plain("age first: an assumption") in text(at)


def test_the_group_and_its_levels_are_the_users_choice() -> None:
    """Another group column and other levels of it reach the engine, as does one level against the rest."""
    at = opened(balance_scale(), group="left_weight", run=True)
    next(box for box in at.selectbox if box.label == "Group column").set_value("class").run()
    a = next(box for box in at.selectbox if box.label.endswith(": A"))
    a.set_value("R").run()
    b = next(box for box in at.selectbox if box.label == "B")
    for option, expected in ((b.options[-1], ("R",)), ("L", ("R", "L"))):
        next(box for box in at.selectbox if box.label == "B").select(option).run()
        run_button(at).click()
        finished(at.run())
        asked = at.session_state["diptych"].page("group_difference").method
        assert (asked.group, asked.groups) == ("class", expected)


def test_an_order_reaches_the_engine() -> None:
    """Variables put in the order box come first, the others follow."""
    at = opened(two_groups(100, 4, 4, seed=2), group="group", run=True)
    at.multiselect[0].set_value(["v02", "v00"])
    run_button(at).click()
    finished(at.run())
    asked = at.session_state["diptych"].page("group_difference").method
    assert asked.order == ("v02", "v00", "v01", "v03")


def test_choosing_a_variable_shows_its_contexts() -> None:
    """The select box of variables decides what the right-hand side explains."""
    data = two_groups(200, 5, 7, seed=3, changed=True)
    at = opened(data, group="group", run=True)
    box = at.selectbox(key="group_difference.variable")
    other = box.options[-1]
    box.set_value(other).run()
    assert at.session_state["diptych"].picked["group_difference"] == other
    told = engine.GroupDifference(group="group").run(data).explain(other)
    assert plain(" ".join(told)) in text(at)


def test_other_rows_are_one_click() -> None:
    """The button starts the runs; their table says in how many of them a variable differs."""
    data = two_groups(100, 4, 5, seed=3, changed=True)
    at = opened(data, group="group", run=True)
    at.select_slider(key="group_difference.orders").set_value(20).run()
    at.button(key="group_difference.stability").click()
    finished(at.run())
    table = next(one.value for one in at.dataframe if "runs: differs" in one.value.columns).set_index("variable")
    expected = engine.GroupDifference(group="group").stability(data, 20).table()
    assert table["runs: differs"].to_dict() == expected["share_differs"].to_dict()
    assert table["median P"].to_dict() == pytest.approx(expected["p_median"].to_dict())


@pytest.mark.usefixtures("background")
def test_shuffled_labels_and_the_other_score_run_by_themselves() -> None:
    """No press: both come in the background and end the sentences; under another prior they are not told."""
    data = two_groups(200, 5, 7, seed=3, changed=True)
    at = opened(data, group="group", run=True)
    method = engine.GroupDifference(group="group")
    result, null = method.run(data), method.null(data, runs=resampling.SHUFFLES)
    score = method.check_score(data).sentences(result.variables()["probability"])
    assert plain(" ".join([*result.sentences()[1:], null.sentence(result), *score])) in text(at)
    assert "share of permutations as high" in odds_table(at).columns
    at.select_slider(key="group_difference.live.p_none").set_value(0.9).run()
    assert plain(null.sentence(result)) not in text(at)
    assert "under the prior of the run only" in text(at)


def test_the_margin_decides_what_is_equivalent() -> None:
    """A margin of half makes all equivalent that no difference is seen of, marginally neither."""
    at = opened(two_groups(200, 5, 7, seed=3, changed=True), group="group", run=True)
    before = text(at)
    at.select_slider(key="group_difference.live.margin").set_value(0.5).run()
    assert plain("Equivalent overall, ±50\u00a0pp") in text(at)
    assert plain("Equivalent overall, ±50\u00a0pp") not in before


def test_a_table_that_cannot_be_compared_gets_a_sentence() -> None:
    """The engine's own words are shown, and the page stays usable."""
    data = two_groups(30, 3, 2, seed=0).select(["group"])
    at = opened(data, group="group", run=True)
    assert "is in use" in text(at)
    assert not at.exception


pytestmark = pytest.mark.usefixtures("on_a_press")
