"""Steps of GES and PC on a few tables: what a path refuses, what a test says, what directs an arrow."""

from __future__ import annotations

import re

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import engine
from engine.search.independence import ChiSquared
from engine.search.step_wording import explain_choice, explain_gain, families_of, headline, tabulate_candidates
from engine.search.steps import Arcs, Obstacle, SearchStep, part_to_step, search_steps
from tests.engine.make import random_data


@pytest.mark.parametrize(
    "search",
    [engine.HillClimbing(), engine.ThickThinning(), engine.GES(), engine.PC()],
    ids=lambda item: type(item).__name__,
)
def test_steps_lead_to_what_the_search_finds(search: engine.HillClimbing) -> None:
    """The last graph is the engine's own, and where there is a score, each move changes it by its gain."""
    data = random_data(500, 8, 12, 4, (2, 3))
    steps = search_steps(data, engine.BDeu(), search)
    assert steps[-1].after == frozenset(engine.learn(data, engine.BDeu(), search).edges)
    moves = [step for step in steps if step.move is not None]
    assert len(moves) > 5
    if not isinstance(search, engine.PC):
        assert [step.score_after - step.score_before for step in moves] == pytest.approx(
            [step.move.gain for step in moves if step.move is not None]
        )
        score = engine.BDeu()
        for item in (item for step in steps for item in step.candidates if item.kind in ("add", "insert")):
            families = ([*item.given, item.source], list(item.given))
            larger, smaller = (score.family(data, item.target, family) for family in families)
            assert item.gain == pytest.approx(larger - smaller, abs=1e-8)
        begun = {(item.source, item.target) for item in steps[0].candidates}
        turned = {arc[::-1] for arc in begun}  # gains equally much: of GES the same class, which is listed once
        assert not begun & turned if isinstance(search, engine.GES) else begun == turned


def test_p_values_of_candidates_are_written_as_everywhere() -> None:
    """Short text that a narrow column shows whole."""
    data = random_data(500, 5, 6, 4, (2, 3))
    tables = [tabulate_candidates(step) for step in search_steps(data, engine.BDeu(), engine.PC())]
    written = [p for table in tables if "p" in table for p in table["p"]]
    assert "<\u00a0.001" in written and any(p.startswith(".") for p in written)
    assert all(re.fullmatch(r"<\u00a0\.001|\.\d{2,4}|1\.00", p) for p in written), written


def test_the_backward_phase_deletes() -> None:
    """GES: after the last Insert come Deletes, whose gains are those of the families without the link."""
    data, score = random_data(400, 7, 14, 12, (2, 2)), engine.BDeu()
    steps = search_steps(data, score, engine.GES())
    kinds = [step.move.kind for step in steps if step.move is not None]
    assert kinds == ["insert"] * (len(kinds) - 3) + ["delete"] * 3
    assert [step.phase for step in steps if step.move is None] == ["inserting links", "deleting links"]
    for item in (item for step in steps[-4:] for item in step.candidates):
        larger, smaller = (score.family(data, item.target, [*item.given, *more]) for more in ([item.source], []))
        assert item.gain == pytest.approx(smaller - larger, abs=1e-8)
        assert {item.source, item.target} in [{*arc} for arc in steps[-4].before]


@pytest.mark.parametrize("search", [engine.HillClimbing(tabu=0), engine.GES()], ids=["hill climbing", "GES"])
def test_a_gain_is_explained_by_scores_of_families(search: engine.GES) -> None:
    """The sum that is written comes to the gain that is written, for every kind of change."""
    data, score = random_data(400, 7, 14, 12, (2, 2)), engine.BDeu()
    kinds = set()
    for item in (item for step in search_steps(data, score, search) for item in step.candidates):
        scores = [score.family(data, child, list(parents)) for child, parents in families_of(item)]
        gain, expression = (
            explain_gain(item, scores).removeprefix("Gain ").replace("−", "-").replace(",", "").split(" = ")
        )
        signs = [-1 if sign == "- " else 1 for sign in re.findall(r"(^|[+-] )\(", expression)]
        figures = [float(figure) for figure in re.findall(r"\((.*?)\)", expression)]
        assert sum(s * f for s, f in zip(signs, figures, strict=True)) == pytest.approx(float(gain), abs=0.26)
        kinds.add(item.kind)
    assert kinds >= ({"insert", "delete"} if isinstance(search, engine.GES) else {"add", "remove", "reverse"})


def test_a_direction_that_gains_no_more_is_called_arbitrary() -> None:
    """Hill climbing under a score of equivalent networks: the first link gains as much in either direction."""
    data = random_data(400, 5, 8, 3, (2, 2))
    equivalent, other = (search_steps(data, score, engine.HillClimbing()) for score in (engine.BDeu(), engine.K2()))
    assert headline(equivalent, 0).endswith("the other direction gains as much, so it is arbitrary.")
    assert "arbitrary" not in headline(other, 0)


def test_an_insert_is_named_as_its_class_has_it() -> None:
    """GES: without an arrow where either direction is in the class; the next best leads to another class."""
    seen = set()
    for seed in range(4):
        steps = search_steps(random_data(400, 7, 14, seed, (2, 2)), engine.BDeu(), engine.GES())
        for place, step in enumerate(steps):
            move = step.move
            if move is not None and move.kind == "insert":
                ends = (move.source, move.target)
                either = ends in step.after and ends[::-1] in step.after
                assert f"insert {(' – ' if either else ' → ').join(ends)}" in headline(steps, place)
                seen.add(either)
                pairs = [{item.source, item.target} for item in step.candidates if not item.directed]
                assert all(pairs.count(pair) == 1 for pair in pairs)
    assert seen == {True, False}


def test_a_refused_insert_leads_to_no_class() -> None:
    """GES: what a path refuses makes a graph that no DAG extends, or one that leads back."""
    refused = 0
    for seed in range(12):
        for step in search_steps(random_data(400, 6, 11, seed, (2, 2)), engine.BDeu(1.0), engine.GES()):
            for item in step.candidates:
                if item.obstacle is Obstacle.PATH:
                    refused += 1
                    clique = {name for name in item.given if (name, item.target) in step.before}
                    graph = nx.DiGraph(sorted(step.before))
                    graph.remove_nodes_from(clique)
                    assert nx.has_path(graph, item.target, item.source)
    assert refused


def test_tests_of_independence_decide_as_they_say() -> None:
    """PC: p-values are those of the test, all sets of the round are there, and the largest decides."""
    data = random_data(300, 6, 8, 5, (2, 3))
    test, steps = ChiSquared(data), search_steps(data, engine.BDeu(), engine.PC(alpha=0.1))
    place = {name: i for i, name in enumerate(data.names)}
    for step in (item for item in steps if item.phase.startswith("testing")):
        assert step.move is not None
        x, y = step.move.source, step.move.target
        for item in step.candidates:
            group = np.array([[place[name] for name in item.given]], dtype=np.int64)
            (expected,) = test.p_values(place[x], place[y], group)
            assert item.gain == pytest.approx(expected, rel=1e-12)
        removed = step.before - step.after
        assert removed == ({(x, y), (y, x)} if max(item.gain for item in step.candidates) > 0.1 else set())
        size = len(step.move.given)
        near = [{b for a, b in step.before if a == end} - {x, y} for end in (x, y)]
        sets = {frozenset(item.given) for item in step.candidates}
        assert all(len(item) == size and (item <= near[0] or item <= near[1] or _round(steps, step)) for item in sets)


def _round(steps: tuple[SearchStep, ...], step: SearchStep) -> bool:
    """Whether links went earlier in the same round, whose sets are of what touched when it began."""
    assert step.move is not None
    size = len(step.move.given)
    return any(s.before != s.after for s in steps if s.move is not None and len(s.move.given) == size)


def orientations(data: engine.Dataset) -> list[SearchStep]:
    """What PC does after its tests."""
    return [step for step in search_steps(data, engine.BDeu(), engine.PC()) if not step.phase.startswith("testing")]


def test_colliders_and_rules_direct_what_they_say() -> None:
    """A collider has a middle that separated nothing, a rule its premises; every arrow of the result has its step."""
    rules: set[int] = set()
    for seed in range(12):
        for step in orientations(random_data(1_000, 7, 9, seed, (2, 2))):
            assert step.move is not None
            arcs: Arcs = step.after - step.before
            assert not arcs  # a direction takes the arc back away
            for item in step.candidates:
                assert (item.obstacle is Obstacle.SEPARATES) == (item.given[0] in item.others)
            gone = {(b, a) for a, b in step.before - step.after}
            if step.move.kind == "orient":
                rules.add(step.rule)
                assert gone == {(step.move.source, step.move.target)}
                assert explain_choice(step, step.move)
                avoided = "close a cycle" if step.rule == 2 else "make a new collider"
                assert headline([step], 0).endswith(f"since the other way would {avoided} (Meek's rule {step.rule}).")
            elif step.move.obstacle is None:
                middle = step.move.given[0]
                assert {(step.move.source, middle), (step.move.target, middle)} <= step.after
                assert middle not in step.move.others
                assert not {(middle, step.move.source), (middle, step.move.target)} & step.after
            else:
                assert not gone
    assert {1, 2} <= rules


def test_rows_that_lack_a_value_are_no_part_of_a_search() -> None:
    """Of the chosen variables only, and their level goes with them; nothing left is said."""
    table = pd.DataFrame({"a": ["x", None, "y", "x"], "b": [None, "u", "v", "u"], "c": ["p", "q", "p", "q"]})
    data = engine.Dataset.from_frame(table, missing="level")
    part = part_to_step(data, ["a", "c"])
    assert part.origin.tolist() == [0, 2, 3] and part.levels["a"] == ("x", "y")
    assert part_to_step(data, ["a", "c"], missing=True).n_rows == 4
    with pytest.raises(engine.DataError, match="No row has a value of all these"):
        part_to_step(data.rows([0, 1]), ["a", "b"])


def test_another_search_is_refused() -> None:
    """The exact search has no steps to show."""
    with pytest.raises(engine.SettingsError, match="cannot be stepped through"):
        search_steps(random_data(20, 3, 2, 1), engine.K2(), engine.Exact())
