"""Questions made from networks: the solution passes, everything else of the same size fails with a reason."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from engine.classroom.network_questions import KINDS, check_answer, make_questions, solve_question
from engine.graphs.dag import to_networkx
from engine.graphs.pdag import cpdag
from engine.models import Network, random_network
from engine.models.drawing import empty_network
from engine.simulation.networks import random_dag
from sample_data.workshop_networks import WORKSHOP_NETWORKS


def drawn(seed: int) -> Network:
    """Seven variables with eight arrows."""
    rng = np.random.default_rng(seed)
    return random_network(random_dag(7, 8, rng), [2] * 7, rng)


def right_answers(network: Network, kind: str, about: tuple[str, ...], chosen: set[str]) -> bool:
    """Whether a choice is right, by networkx and by definition."""
    graph = to_networkx(network.parents, network.names)
    if kind == "separate":
        return nx.is_d_separator(graph, {about[0]}, {about[1]}, chosen)
    if kind == "open":
        return not nx.is_d_separator(graph, {about[0]}, {about[1]}, chosen)
    if kind == "turn":
        pattern = cpdag(graph)
        return chosen == {f"{a} → {b}" for a, b in graph.edges if pattern.has_edge(b, a)}
    blanket = nx.moral_graph(graph).neighbors(about[0])
    return chosen == set(blanket)


@pytest.mark.parametrize("seed", range(6))
def test_every_choice_is_judged_rightly(seed: int) -> None:
    """All choices of up to two options against networkx, and the solution itself."""
    network = drawn(seed)
    questions = make_questions(network)
    assert questions and len({question.kind for question in questions}) == len(questions)
    assert [question.kind for question in questions] == [
        kind for kind in KINDS if kind in {question.kind for question in questions}
    ]
    for question in questions:
        solution = solve_question(network, question)
        assert check_answer(network, question, solution).right
        if question.kind == "explain away":
            continue
        assert right_answers(network, question.kind, question.about, set(solution))
        if question.kind == "blanket":
            spare = next(option for option in question.options if option not in solution)
            check = check_answer(network, question, [*solution, spare])
            assert not check.right and ("can be left out" in check.reason or "is open" in check.reason)
        for size in (0, 1, 2) if question.several else (1,):
            for chosen in combinations(question.options, size):
                check = check_answer(network, question, chosen)
                assert check.right == right_answers(network, question.kind, question.about, set(chosen)), (
                    question,
                    chosen,
                )
                assert check.reason.endswith((".", "!"))


def test_the_first_sample_asks_all_five() -> None:
    """A class meets every kind on it; the direction of the change is that of the probabilities."""
    network = WORKSHOP_NETWORKS["cough"].make()
    questions = {question.kind: question for question in make_questions(network)}
    assert tuple(questions) == KINDS
    question = questions["explain away"]
    assert check_answer(network, question, ["falls"]).right and not check_answer(network, question, ["rises"]).right
    assert "from 49\xa0% to 34\xa0%" in check_answer(network, question, ["rises"]).reason


def test_arrows_that_may_turn_are_counted_and_no_more_is_claimed() -> None:
    """Two arrows that have nothing to do with each other turn in any combination."""
    network = random_network(((), (0,), (), (2,)), [2] * 4, np.random.default_rng(0))
    question = next(question for question in make_questions(network) if question.kind == "turn")
    assert check_answer(network, question, question.options).reason == "2 of 2 arrows may turn."


def test_a_network_that_can_ask_nothing_has_no_questions() -> None:
    """Empty."""
    assert make_questions(empty_network()) == []
