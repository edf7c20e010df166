"""The page of ordinal networks: its answer, cards, jobs and odd tables; every control wired to the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import engine
from dashboard.session.session import Session
from dashboard.views.ordinal.card import LINK, linked_pairs
from dashboard.views.ordinal.compare_approaches import hold_out, walk
from dashboard.views.ordinal.stability import strength_of_drawn_tables
from engine.execution import silent
from engine.words import signed
from tests.dashboard.app_pages.running import finished

SELECTED = {"beside": "selected"}
"""The link or the item that is looked at stands beside the picture."""
APP = str(Path(__file__).parents[4] / "dashboard" / "app.py")
PAGE = Path(APP).parent / "app_pages" / "ordinal.py"
NAMES = ("a_worry", "a_sleep", "a_pain", "b_mood", "b_joy")


def table(rows: int = 120, names: Sequence[str] = NAMES) -> engine.Dataset:
    """Five answers on two scales, a chain of links with one that goes down; seeded."""
    generator = np.random.default_rng(4)
    values = generator.normal(size=(5, rows))
    for i, weight in enumerate((0.9, -0.9, 0.8, 0.9), 1):
        values[i] += weight * values[i - 1]
    codes = [np.searchsorted(np.quantile(one, [0.3, 0.7]), one) for one in values]
    return engine.Dataset.from_codes(
        np.array(codes), [["no", "some", "much"]] * 5, names, dict.fromkeys(names, "ordinal")
    )


def opened(
    data: engine.Dataset, *, run: bool = True, state: Mapping[str, Any] | None = None, **settings: Any
) -> AppTest:
    """The page, with this data set in the session; inside the whole app where it links to another page.

    `state` is what widgets say already, by their keys after "ordinal.".
    """
    refused = bool(engine.Ordinal.unfit(data))
    at = AppTest.from_file(APP if refused else str(PAGE), default_timeout=60)
    session = Session()
    session.dataset, session.source = data, "a *table*.csv"
    session.begin("ordinal", {"draws": 20, **settings}, run=run)
    at.session_state["diptych"] = session
    for key, value in (state or {}).items():
        at.session_state[f"ordinal.{key}"] = value
    if refused:
        at.switch_page("app_pages/ordinal.py")
    return finished(at.run())


def text(at: AppTest) -> str:
    """All that the page says."""
    return "\n".join(str(one.value) for one in [*at.title, *at.markdown, *at.caption, *at.info, *at.error, *at.warning])


def press(at: AppTest, label: str) -> AppTest:
    """A button of a part of the page; the page is drawn again as a whole."""
    next(one for one in at.button if one.label == label).click()
    return finished(at.run().run())


@pytest.fixture(scope="module")
def answer() -> AppTest:
    """The answer without anything asked beside; tests only read it."""
    return opened(table(), state=SELECTED)


@pytest.mark.usefixtures("on_a_press")
def test_a_table_with_an_age_has_its_centrality_too() -> None:
    """The button that lets age come first and the items of the closer look are different widgets."""
    data = table(names=(*NAMES[:-1], "age"))
    at = opened(data, run=False)
    at.session_state["diptych"].table = data.to_frame()
    at = press(at, "Learn the network")
    assert not at.exception
    assert [one.label for one in at.button if one.label == "Age comes first"]
    assert "Do two variables differ in centrality?" in text(at)


@pytest.mark.usefixtures("on_a_press")
def test_before_a_run_it_says_what_would_be_done() -> None:
    """The table in a line, and the button."""
    said = text(opened(table(), run=False))
    assert "120 rows, 5 variables" in said
    assert "*Learn the network*" in said


@pytest.mark.usefixtures("on_a_press")
def test_before_a_run_it_warns_of_levels_and_of_a_long_wait() -> None:
    """Two levels tell little; many rows of many variables take long."""
    codes = np.random.default_rng(0).integers(0, 2, (100, 5000))
    names = [f"v{i}" for i in range(100)]
    said = text(opened(engine.Dataset.from_codes(codes, [2] * 100, names), run=False, draws=5000))
    assert "have only two levels" in said
    assert "on one core" in said


def test_the_answer_comes_first_with_its_doubt(answer: AppTest) -> None:
    """Links, the strongest with its interval, how levels were read; that an arrow is no cause is said once."""
    said = text(answer).replace("\\", "")
    assert "links join all 5 variables" in said
    assert "95\u00a0% interval" in said
    assert "halves of the rows: the link returns in" in said or "In the background: 50 half samples" in said
    assert said.count("A link is not a cause") == 1
    assert not answer.error
    labels = [one.label for one in answer.expander]
    assert "Try it: what cutting does to a network" in labels
    assert any("the largest first" in label for label in labels)


def test_without_drawn_tables_there_is_no_threshold(answer: AppTest) -> None:
    """Neither a slider nor a choice of the averaged network."""
    assert not [one for one in answer.slider if "share of bootstrap samples" in one.label]
    assert not [one for one in answer.get("button_group") if one.proto.label == "Network"]


def test_a_link_has_a_card_in_words() -> None:
    """The strongest to begin with; any other by choice, a line that the search has no link for among them."""
    at = opened(table(), state=SELECTED)
    assert "given all other variables" in text(at)
    options = at.selectbox(key=LINK).options
    result = engine.Ordinal(draws=20).run(table())
    weakest = result.edge_table().iloc[-1]
    assert len(options) == len(linked_pairs(result)) > len(result.edge_table())
    at = opened(table(), state={**SELECTED, "link": (weakest["source"], weakest["target"])})
    said = text(at).replace("\\", "")
    assert f"**{options[len(result.edge_table()) - 1]}**" in said
    lines, ends = result.lines, (weakest["source"], weakest["target"])
    place = tuple(map(lines.names.index, ends))
    effect, low, high = (signed(each[place]) for each in (lines.partial, lines.low, lines.high))
    assert f"{effect} (95\u00a0% interval {low} to {high})" in said


def test_a_variable_has_a_card_with_its_thresholds() -> None:
    """Neighbours, levels with shares, cuts."""
    said = text(opened(table(), state={**SELECTED, "card": "A variable"})).replace("\\", "")
    assert "Levels from low to high: no 30\u00a0%; some 40\u00a0%; much 30\u00a0%." in said
    assert "is cut at" in said


def test_rows_drawn_again_and_other_seeds_stay_on_the_answer() -> None:
    """Both as jobs; then shares are in words, on the slider and in the files."""
    at = opened(table(), state={**SELECTED, "view": "Stability"})
    at.session_state["ordinal.runs"] = 20
    at = press(at.run(), "Resample the rows")
    assert "With the rows resampled 20 times" in text(at)
    at = press(at, "Learn it with 5 seeds")
    said = text(at).replace("\\", "")
    assert "5 seeds give" in said
    assert "With the rows resampled 20 times" in said
    assert "in 100\u00a0% of 20 networks" in said or "of 20 networks (95\u00a0% interval" in said
    assert "No bootstrap was run" not in said
    assert "Links that came back (CSV)" in [one.proto.label for one in at.get("download_button")]
    at.session_state["ordinal.averaged"] = "averaged"
    at = finished(at.run())
    slider = next(one for one in at.slider if "share of bootstrap samples" in one.label)
    result = engine.Ordinal(draws=20).run(table())
    strength = engine.Ordinal(draws=20).edge_strength(table(), runs=20)
    assert slider.value == pytest.approx(round(strength.threshold, 2))
    assert result.with_parts(strength).averaged().number_of_nodes() == 5


def test_more_drawn_tables_go_on_from_those_there_are() -> None:
    """What the job does is what the engine does."""
    method, data = engine.Ordinal(draws=10), table(60)
    few = strength_of_drawn_tables(method, data, 4, None, silent)
    more = strength_of_drawn_tables(method, data, 6, few, silent)
    assert more.runs == 6
    assert np.array_equal(more.links, strength_of_drawn_tables(method, data, 6, None, silent).links)


def test_a_second_approach_stands_beside_the_first() -> None:
    """Two networks on one layout, and where they agree."""
    at = opened(table(), state={"view": "Two approaches"})
    at.selectbox(key="ordinal.second.osem").set_value("npc")
    at = press(at.run(), "Learn this one too")
    said = text(at)
    assert "only on the left" in said or "Both have the same network" in said
    assert any("of the two, as a table" in one.label for one in at.expander)


def test_heat_maps_of_approaches_stand_below() -> None:
    """Those chosen, on as many bootstrap samples as asked."""
    at = opened(table(), state={"view": "Two approaches"})
    at.session_state["ordinal.heat.approaches"] = ["gpc", "npc"]
    at.session_state["ordinal.heat.runs"] = 20
    at = press(at.run(), "Draw")
    assert "Of 20 networks each, in percent" in text(at)


def test_the_path_says_what_it_would_change() -> None:
    """The chosen value among those tried."""
    at = opened(table(), state={"view": "Another penalty"}, approach="gpc", alpha=0.03)
    at.session_state["ordinal.splits"] = 0
    at = press(at.run(), "Try 7 values")
    assert "With 0.03, the one chosen" in text(at)
    path = walk(engine.Ordinal(approach="gpc"), table(), (0.01, 0.05), 2, silent)
    assert path["log_loss"].notna().all()


def test_prediction_says_who_lost_and_by_how_much() -> None:
    """Paired differences with intervals."""
    at = opened(table(), state={"view": "Prediction"}, approach="bde")
    at.session_state["ordinal.against.bde"] = ["bge"]
    at.session_state["ordinal.repeats"] = 5
    at = press(at.run(), "Hold rows out")
    assert "over 5 splits with 24 rows held out each" in text(at)
    assert "nats a row, 95 % interval" in text(at)
    found = hold_out(replace(engine.Ordinal(draws=10), approach="bge"), table(), ("gpc",), 2, silent)
    assert found["approach"].tolist() == ["bge", "gpc"]


def test_behind_the_levels_are_curves_and_correlations() -> None:
    """All three matrices."""
    for which in ("start", "fitted", "difference"):
        at = opened(table(), state={"view": "Behind the levels", "which": which})
        assert "Where a latent value is cut" in text(at)


def test_the_lesson_draws_cuts_and_looks() -> None:
    """Bars and networks for all six ways of reading."""
    at = opened(table())
    at.session_state["ordinal.lesson.graph"] = "Two causes of one effect"
    at.session_state["ordinal.lesson.rows"] = 100
    at = press(at.run(), "Draw, cut and look")
    assert "4 variables cut into 3 levels, 100 rows, 10 tables" in text(at).replace("\\", "")


def test_a_circle_in_the_lesson_is_refused_with_a_sentence() -> None:
    """The engine's."""
    arcs = (("worry", "sleep"), ("sleep", "pain"), ("pain", "worry"))
    at = opened(table(), state={"lesson.arcs.Two groups and a bridge.pairs": arcs})
    at = press(at, "Draw, cut and look")
    assert at.error
    assert not at.exception


def test_a_table_without_an_order_is_refused_by_the_engine() -> None:
    """Its own sentence, and the way to the data page."""
    table = pd.DataFrame(
        {"how": ["by foot", "by car", "by train"] * 20, "where": ["north", "east", "south", "west"] * 15}
    )
    data = engine.Dataset.from_frame(table)
    refused = engine.Ordinal.unfit(data)
    at = opened(data)
    assert "have no order" in refused
    assert refused in text(at).replace("\\", "")


@pytest.mark.usefixtures("on_a_press")
def test_columns_without_an_order_are_left_out_and_named() -> None:
    """The table keeps them, so that other pages have them."""
    table = pd.DataFrame({"a": [1, 2, 3] * 20, "b": [1, 2, 3, 3, 2, 1] * 10, "where": ["north", "east", "south"] * 20})
    session = Session()
    session.load(table, "mine.csv")
    at = AppTest.from_file(APP, default_timeout=60)
    at.session_state["diptych"] = session
    at.run().switch_page("app_pages/data.py").run().switch_page("app_pages/ordinal.py").run()
    at = press(at, "Learn the network")
    assert session.dataset is not None and session.dataset.names == ("a", "b", "where")
    assert "Left out, as its levels have no order: where." in text(at).replace("\\", "")
