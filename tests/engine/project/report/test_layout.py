"""Names in pictures can be read on paper, and networks over the same variables share their places."""

from __future__ import annotations

import random

import networkx as nx
import pytest

import engine
import sample_data
from engine.graphs.drawing.labels import LETTER
from engine.graphs.drawing.svg import frame
from engine.project.report import write
from engine.telling.charts.network_layout import HALF, LEAST_LETTERS, LYING, TALL, UPRIGHT, FigureLayout, plan_networks


def letters(found: FigureLayout) -> float:
    """Pixels of a letter's body as it is printed."""
    return LETTER * found.width / frame(found.positions, found.boxes).width


def network(n: int, arcs: int, seed: int = 1) -> nx.DiGraph:
    """Arcs at random among variables with names of usual length."""
    made = random.Random(seed)
    names = [f"variable_{i}" for i in range(n)]
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    for _ in range(arcs):
        a, b = sorted(made.sample(range(n), 2))
        graph.add_edge(names[a], names[b])
    return graph


@pytest.mark.parametrize(("n", "arcs", "networks"), [(3, 2, 3), (10, 12, 2), (12, 16, 3), (25, 30, 2), (60, 70, 1)])
def test_letters_are_large_enough(n: int, arcs: int, networks: int) -> None:
    """At least 11 pixels on an A4 page, up to 60 variables."""
    found = plan_networks([network(n, arcs, seed) for seed in range(networks)])
    assert found.small == (letters(found) < LEAST_LETTERS - 1e-9)
    assert not found.small
    assert found.per_row * found.width <= (LYING if found.lying else UPRIGHT)
    view = frame(found.positions, found.boxes)
    assert found.width * view.height / view.width <= TALL + 1


def test_few_variables_stand_three_in_a_row() -> None:
    """And one network stands alone."""
    assert plan_networks([network(3, 2)] * 3).per_row == 3
    assert plan_networks([network(3, 2)] * 5).per_row == 3
    assert plan_networks([network(3, 2)]).per_row == 1


@pytest.mark.parametrize(("height", "halved"), [(430.0, True), (700.0, False)])
def test_two_of_several_tall_networks_stand_on_a_page(height: float, halved: bool) -> None:
    """Where letters allow it; one network alone, and pictures on a screen, are as large as they were."""
    graph = nx.DiGraph([("a", "b")])
    places = [{"a": (0.0, 0.0), "b": (500.0, height)}]

    def tall(networks: int, across: float = UPRIGHT) -> float:
        found = plan_networks([graph] * networks, places, across=across)
        view = frame(found.positions, found.boxes)
        assert found.width / view.width >= LEAST_LETTERS / LETTER
        return found.width * view.height / view.width

    assert (tall(4) <= HALF) is halved
    assert tall(1) > HALF


def test_given_places_are_kept() -> None:
    """Those that have all the variables; others are passed over."""
    graph = nx.DiGraph([("a", "b")])
    wanted = {"a": (0.0, 0.0), "b": (300.0, 5.0), "elsewhere": (0.0, 900.0)}
    assert plan_networks([graph], [{"a": (0.0, 0.0)}, wanted]).positions == {"a": (0.0, 0.0), "b": (300.0, 5.0)}


def test_more_than_a_page_can_hold_is_said() -> None:
    """Smaller letters rather than no picture."""
    assert plan_networks([network(300, 400)]).small


def test_no_variable_is_no_picture() -> None:
    """An empty network has a plan all the same."""
    assert plan_networks([nx.DiGraph()]).positions == {}


def test_a_report_draws_no_link_behind_a_box_where_it_can_stand_elsewhere() -> None:
    """Places that a page had, all in one line, hide links: they are kept only for networks that they hide none of."""
    data = sample_data.dataset("two_hospitals").select(["age", "severity", "admission", "stay", "complication"])
    answer = engine.LogLinear().run(data)
    (graph,) = answer.graphs().values()
    in_line = {name: (300.0 * place, 0.0) for place, name in enumerate(sorted(graph.nodes))}
    path = {name: (300.0 * place, 80.0 * place**2) for place, name in enumerate(sorted(graph.nodes))}
    hidden, kept = (write._plans([answer], [places], [{}])[0] for places in (in_line, path))
    assert write._hides_links(plan_networks([graph], [in_line]), [graph]), "or the test shows nothing"
    assert not write._hides_links(hidden, [graph])
    assert kept.positions == plan_networks([graph], [path]).positions
