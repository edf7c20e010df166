"""Pictures of a try: what is missed, false, turned or switched off; false alarms; the areas of many runs."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import pytest

import engine
from dashboard.charts.trials import alarms_figure, runs_figure
from dashboard.views.evaluate.try_it import MOST_BESIDE, SWITCHED, WORDS, network_panels, network_words
from engine.evaluation.trials.group_difference import GROUP, GroupTrial
from engine.evaluation.trials.outcome import Picture
from engine.evaluation.trials.repeat import repeat
from tests.engine.make import paper

NAMES = ["a", "b", "c", "d"]


def graph(*arcs: tuple[str, str]) -> nx.DiGraph:
    made = nx.DiGraph()
    made.add_nodes_from(NAMES)
    made.add_edges_from(arcs)
    return made


@pytest.fixture
def picture() -> Picture:
    """a -> b found, b -> c turned, a -> d missed, c -> d false."""
    return Picture("Here", graph(("a", "b"), ("b", "c"), ("a", "d")), graph(("a", "b"), ("c", "b"), ("c", "d")))


def test_every_edge_says_what_became_of_it(picture: Picture) -> None:
    """Left the truth with what is missed, right what was found with what is false; a turned one is found."""
    left, right = network_panels(picture, NAMES)
    assert {(one.source, one.target): one.status for one in left.edges} == {
        ("a", "b"): "same",
        ("b", "c"): "reversed",
        ("a", "d"): "only_a",
    }
    assert {(one.source, one.target): one.status for one in right.edges} == {
        ("a", "b"): "same",
        ("c", "b"): "reversed",
        ("c", "d"): "only_b",
    }
    assert [one.words for one in right.edges if one.source == "c" and one.target == "b"] == [WORDS["reversed"]]


def test_of_many_variables_truth_and_result_are_in_one(picture: Picture) -> None:
    """Each link once, as in truth, those found beside."""
    names = [*NAMES, *map(str, range(MOST_BESIDE))]
    (panel,) = network_panels(picture, names)
    assert sorted((one.source, one.target, one.status) for one in panel.edges) == [
        ("a", "b", "same"),
        ("a", "d", "only_a"),
        ("b", "c", "reversed"),
        ("c", "d", "only_b"),
    ]


def test_a_patient_has_what_was_judged_in_one() -> None:
    """Intact and left so, intact and called, switched off, and found where the verdict says so."""
    off = {("c", "d"): "no longer matters", ("d", "a"): "inconclusive", ("a", "c"): "not asked"}
    patient = Picture("Here", graph(("a", "b"), ("b", "c")), graph(("a", "b"), ("d", "a"), ("a", "c")), off=off)
    (panel,) = network_panels(patient, NAMES)
    assert [(one.source, one.target, one.status, one.mark) for one in panel.edges] == [
        ("a", "b", "same", ""),
        ("b", "c", "only_a", ""),
        ("c", "d", "dropped", "✕ found"),
        ("d", "a", "dropped", "✕ missed"),
        ("a", "c", "dropped", "✕ not tested"),
    ]
    assert [one.words for one in panel.edges[2:4]] == ["switched off: no longer matters", "switched off: inconclusive"]
    assert {one.status for one in panel.edges} == set(SWITCHED)
    assert network_words(patient).startswith(
        "1 of 3 switched-off links found (1 not tested); 1 intact link wrongly called."
    )
    intact = Picture("Here", graph(("a", "b")), graph(("a", "b")), off={})
    assert network_words(intact).startswith("No link switched off; 0 intact links wrongly called.")


def test_the_words_count_what_the_picture_shows(picture: Picture) -> None:
    """Found, turned, and not there."""
    said = "2 of 3 true links were found, and 1 false one. The direction differs in 1: 1 reversed."
    assert network_words(picture) == said
    both = [("b", "a"), ("b", "c"), ("c", "b"), ("d", "c"), ("d", "a"), ("a", "d")]
    turned = Picture("Here", graph(("a", "b"), ("b", "c"), ("c", "d"), ("d", "c"), ("a", "d")), graph(*both))
    kinds = "2 without the arrowhead of the truth, 1 reversed, 1 with an arrowhead that the truth has not"
    lines = "Without an arrowhead, a network fits equally well with the line either way round."
    differs = f"The direction differs in 4: {kinds}."
    assert network_words(turned) == f"4 of 4 true links were found, and no false one. {differs} {lines}"
    valued = replace(picture, marked=("a",), claims={"a": "alike", "b": "no difference seen"}, values={"a": 1.0})
    assert network_words(valued).endswith("; the verdict is = equivalent overall, ○ no difference seen.")
    assert network_words(valued).startswith(
        "The headline counts variables. Of the links, 2 of 3 true ones were found, and"
    )


def test_changed_variables_are_marked_without_colour_too() -> None:
    """A sign in both panels, on the left whether it was found or missed, P(differs) and the verdict's on the right."""
    values = {"a": 1.24, "b": -2.0, "c": -0.01, "d": 0.0}
    claims = {"a": "differs", "b": "alike", "c": "no difference seen", "d": "cannot tell"}
    left, right = network_panels(Picture("Here", graph(), graph(), ("a", "b"), claims, values), NAMES)
    assert [one.value.strip() for one in left.nodes] == ["◆ found", "◆ missed", "", ""]
    assert [one.value for one in right.nodes] == [
        "◆ 94.6\u00a0% ▲", "◆ 1.0\u00a0% =", "49\u00a0% ○", "50\u00a0% ?",
    ]  # fmt: skip


def test_false_alarms_are_those_the_method_calls() -> None:
    """Every variable is in the chart once, the highest first; called ones have a sign of their own."""
    trial = GroupTrial(variables=8, rows=100, draws=0, seed=2)
    outcome = trial.run(paper(group=GROUP, p_same=0.05))
    called, left = (trace for trace in alarms_figure(outcome).data if trace.showlegend)
    assert len(called.x) == outcome.called.sum() > 0
    assert sorted([*called.x, *left.x]) == list(range(1, 9))
    assert min(called.y) > 0 >= max(left.y)
    assert called.marker.symbol != left.marker.symbol


def test_every_run_is_a_dot() -> None:
    """The areas of both scores over the seeds, with signs of their own."""
    trial = GroupTrial(variables=6, rows=100, seed=3)
    repeated = repeat(trial, engine.GroupDifference(group=GROUP), "chi-squared", times=4)
    dots = [trace for trace in runs_figure(repeated).data if trace.mode == "markers"]
    assert [list(trace.x) for trace in dots] == [[3, 4, 5, 6]] * 2
    assert [list(trace.y) for trace in dots] == repeated.areas.T.tolist()
    assert dots[0].marker.symbol != dots[1].marker.symbol


def test_what_many_runs_say_of_their_spread() -> None:
    """A deviation of several runs, none of a single one; runs without a curve are counted."""
    method = engine.GroupDifference(group=GROUP)
    mixed = repeat(GroupTrial(variables=3, kind="structural", draws=5, rows=40), method, times=10)
    lacking = sum(run.truth.all() or not run.truth.any() for run in mixed.runs)
    assert 1 < lacking < 9
    assert f"{lacking} runs had not both changed and unchanged variables" in mixed.spread()
    single = repeat(GroupTrial(variables=6, rows=100), method, times=1)
    assert single.spread() == "Only one run has an AUC, so nothing shows how far runs lie apart."
    several = repeat(GroupTrial(variables=6, rows=100), method, times=3)
    assert f"off the mean by {several.mean().deviation:.2f}" in several.spread()
