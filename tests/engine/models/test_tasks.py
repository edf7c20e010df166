"""Tasks made from networks: the solution passes, everything else of the same size fails with a reason."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from engine.graphs.dag import to_networkx
from engine.graphs.pdag import cpdag
from engine.models import Network, random_network
from engine.models.drawing import empty_network
from engine.models.tasks import KINDS, check_task, make_tasks, solve_task
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
    tasks = make_tasks(network)
    assert tasks and len({task.kind for task in tasks}) == len(tasks)
    assert [task.kind for task in tasks] == [kind for kind in KINDS if kind in {task.kind for task in tasks}]
    for task in tasks:
        solution = solve_task(network, task)
        assert check_task(network, task, solution).right
        if task.kind == "explain away":
            continue
        assert right_answers(network, task.kind, task.about, set(solution))
        if task.kind == "blanket":
            spare = next(option for option in task.options if option not in solution)
            check = check_task(network, task, [*solution, spare])
            assert not check.right and ("can be left out" in check.reason or "is open" in check.reason)
        for size in (0, 1, 2) if task.several else (1,):
            for chosen in combinations(task.options, size):
                check = check_task(network, task, chosen)
                assert check.right == right_answers(network, task.kind, task.about, set(chosen)), (task, chosen)
                assert check.reason.endswith((".", "!"))


def test_the_first_sample_asks_all_five() -> None:
    """A class meets every kind on it; the direction of the change is that of the probabilities."""
    network = WORKSHOP_NETWORKS["cough"].make()
    tasks = {task.kind: task for task in make_tasks(network)}
    assert tuple(tasks) == KINDS
    task = tasks["explain away"]
    assert check_task(network, task, ["falls"]).right and not check_task(network, task, ["rises"]).right
    assert "from 49\xa0% to 34\xa0%" in check_task(network, task, ["rises"]).reason


def test_arrows_that_may_turn_are_counted_and_no_more_is_claimed() -> None:
    """Two arrows that have nothing to do with each other turn in any combination."""
    network = random_network(((), (0,), (), (2,)), [2] * 4, np.random.default_rng(0))
    task = next(task for task in make_tasks(network) if task.kind == "turn")
    assert check_task(network, task, task.options).reason == "2 of 2 arrows may turn."


def test_a_network_that_can_ask_nothing_has_no_tasks() -> None:
    """Empty."""
    assert make_tasks(empty_network()) == []
