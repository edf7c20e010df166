"""The parts of the page of class networks that can be looked at without a page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import engine
from dashboard.charts.discriminative import lesson_figure
from dashboard.network.boxes import BETWEEN, GAP, node_height, node_sizes, two_columns
from dashboard.theme import ARCS, DIVERGING
from dashboard.views.discriminative.family import family_label
from dashboard.views.discriminative.networks import (
    ALL,
    BEYOND,
    USED,
    drawn,
    first_choice,
    links,
    picture_words,
    status_words,
    supported,
)
from dashboard.views.discriminative.verdicts import items_of, line_of
from engine.evaluation.lessons.discriminative import Lesson, switching
from engine.methods.discriminative.result import DiscriminativeResult
from engine.telling.discriminative.figures import benefit_figure
from tests.engine.methods.discriminative.make import METHOD, dataset, row_frame, series_frame

BAD = "<b>v0</b>"


@pytest.fixture(scope="module")
def found() -> DiscriminativeResult:
    """Series whose first variable has a hostile name."""
    frame = series_frame().rename(columns={"v0": BAD})
    return replace(METHOD, shuffles=19).run(dataset(frame))


def test_what_comes_before_stands_left_of_what_comes_after() -> None:
    """Rows as high as the longer column."""
    places = two_columns(["a (t)", "b (t)", "c (t)"], ["b (t+1)"])
    (left,) = {x for x, _ in (places["a (t)"], places["b (t)"], places["c (t)"])}
    names = ["a (t)", "b (t)", "c (t)", "b (t+1)"]
    assert places["b (t+1)"] == (-left, 0.0)
    assert -2 * left == BETWEEN + max(node_sizes(names).values())
    assert places["b (t)"][1] - places["a (t)"][1] == node_height(names) + GAP
    assert two_columns([], []) == {}


def test_networks_are_drawn_by_what_is_asked_for(found: DiscriminativeResult) -> None:
    """Beyond chance, the ten worth most, all; both classes in one panel or each in its own."""
    assert first_choice(found) == BEYOND
    assert len(links(found, BEYOND)) < len(links(found, ALL))
    assert len(links(found, USED)) <= 10
    panels, places = drawn(found, ["difference"], BEYOND)
    assert not any(edge.mark for edge in panels[0].edges)  # a number beside a link would not say of what it is
    assert picture_words(panels) == "Thicker: larger gain."
    edges = {(edge.source, edge.target): edge for edge in panels[0].edges}
    strongest = edges[f"{BAD} (t)", "v1 (t+1)"]
    assert strongest.weight == 1.0
    assert "in 100\u00a0% of the folds' networks" in strongest.words
    assert strongest.status == "only_a"  # it stands in both networks, and shifts its child among the ill alone
    assert "both networks" in strongest.words
    assert set(places) == {node.name for node in panels[0].nodes}
    assert any(node.changed for node in panels[0].nodes)
    both, _ = drawn(found, ["ill", "well"], ALL)
    assert [panel.title for panel in both] == ["ill", "well"]
    graphs = found.graphs()
    for panel in both:
        assert {(edge.source, edge.target) for edge in panel.edges} == set(graphs[panel.title].edges)
    assert status_words(found)["only_a"] == "shifts more in ill"


def test_without_a_link_beyond_chance_none_is_drawn_before_it_is_asked_for() -> None:
    """Noise; untested links are drawn, since nothing is known against them."""
    noise = replace(METHOD, shuffles=19).run(dataset(series_frame(strength=0.0, steps=20)))
    assert first_choice(noise) == BEYOND and not supported(noise)
    assert not drawn(noise, ["difference"], BEYOND)[0][0].edges
    pale = drawn(noise, ["difference"], USED)[0][0].edges
    assert pale and not any(edge.certainty for edge in pale)
    assert first_choice(replace(noise, chance=np.empty(0))) == USED


def test_rows_have_no_places_of_their_own() -> None:
    """They are laid out as on the other pages."""
    rows = METHOD.run(engine.Dataset.from_frame(row_frame()))
    panels, places = drawn(rows, ["difference"], ALL)
    assert not places
    assert {node.name for node in panels[0].nodes} <= set(rows.names)


def test_signs_have_the_colours_of_the_lines_of_networks(found: DiscriminativeResult) -> None:
    """Redder or bluer at both ends of the scale of differences; a family is called by its link."""
    for colour, sign in ((DIVERGING[0], "negative"), (DIVERGING[-1], "positive")):
        red, blue = (int(colour[at : at + 2], 16) for at in (1, 5))
        line_red, line_blue = (int(ARCS[sign].colour[at : at + 2], 16) for at in (1, 5))
        assert (red > blue) == (line_red > line_blue)
    rows = found.families()
    assert family_label(rows.iloc[0], "ill").startswith(f"{BAD} → v1 (network of ill)")
    assert family_label({**rows.iloc[0], "parents": ()}, "") == "v1 by itself"


def test_the_curve_and_its_words_are_of_the_class_looked_for(found: DiscriminativeResult) -> None:
    """Either class; bare names get the target's beside them."""
    held = found.held_out
    line = line_of(held, "ill")
    assert np.array_equal(line.truth, held.labels == 0)
    assert line.auc.value == pytest.approx(held.auc("ill").value)
    assert items_of(held, "ill").case == "ill"
    frame = row_frame(120)
    frame["class"] = np.where(frame["class"] == "ill", "yes", "no")
    rows = METHOD.run(engine.Dataset.from_frame(frame)).held_out
    assert items_of(rows, "yes").case == "class = yes"
    table = rows.net_benefit()
    assert len(benefit_figure(table, "yes").data) == 2


def test_the_lesson_has_a_bar_a_method() -> None:
    """With its mean and the interval of that."""
    lesson = Lesson(0.08, {"one": np.array([0.5, 0.7]), "other": np.array([1.0, 1.0])})
    assert lesson.interval("one")[0] == pytest.approx(0.6)
    assert lesson.interval("other") == (1.0, 1.0, 1.0)
    assert "0.14 in the other" in lesson.headline()
    assert "the best here is other" in lesson.headline()
    figure = lesson_figure(lesson)
    assert list(figure.data[0].y) == ["one", "other"]


def test_the_lesson_of_a_switching_link_has_the_same_bars() -> None:
    """A bar an approach, with the shares of the runs."""
    result = switching(2, 25, runs=2)
    bars = lesson_figure(result).data[0]
    assert list(bars.y) == list(result.accuracies)
    assert list(bars.x) == [result.interval(name)[0] for name in result.accuracies]


def test_the_curve_of_rows_of_few_subjects_draws_whole_subjects() -> None:
    """Its interval is that of the verdicts' own area, not DeLong's."""
    frame = row_frame(120)
    frame["who"] = [f"p{i % 20}" for i in range(120)]
    frame["class"] = np.where(np.arange(120) % 2 == 0, "ill", "well")
    held = METHOD.evaluate(engine.Dataset.from_frame(frame, roles={"who": "subject"}))
    area = held.auc("ill")
    assert line_of(held, "ill").limits == pytest.approx((area.low, area.high))
