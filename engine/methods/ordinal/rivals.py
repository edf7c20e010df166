"""The five that OSEM is compared with: they learn from the levels themselves, as numbers or as mere names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.execution import Progress
from engine.graphs.dag import bits, topological_order
from engine.graphs.pdag import Pdag, complete, extend
from engine.methods.ordinal.clusters import DividedBDe, DividedBGe, DividedPC
from engine.methods.ordinal.settings import BY_TEST, OrdinalSettings
from engine.methods.ordinal.structural_em import Learned, searched_by
from engine.models.latent_normal import fitted, information, lifted
from engine.models.network import posterior_mean
from engine.models.polychoric import polychoric
from engine.scores.dirichlet import BDe
from engine.scores.gaussian import BGe
from engine.search.constraint import PC
from engine.search.problem import Problem, Search

if TYPE_CHECKING:
    from engine.methods.ordinal.answers import Answers

TESTS = {"gpc": "fisher_z", "opc": "jonckheere", "npc": "chi_squared"}
NOMINAL = ("bde", "npc")
"""Approaches that take levels for mere names: they predict by tables of shares, the others by the latent normal."""


def learn(method: OrdinalSettings, answers: Answers, progress: Progress) -> tuple[Learned, Pdag]:
    """The network of a rival, and the latent correlations that fit it.

    Parameters
    ----------
    method : approach and its tuning
    answers : the table, without gaps
    progress : told how far it is

    Returns
    -------
    what was learned, and the class (of a PC search one that need not have a DAG)
    """
    boxes = answers.boxes()
    start, was_lifted = lifted(polychoric(boxes))
    data = answers.complete
    constraints = method.knowledge.constraints(data.names)
    score, search = _score(method, answers.effect), _search(method, answers.effect)
    result = search.find(Problem(data, score, constraints, progress=progress))
    exact = True
    if result.cpdag is None:
        parents = result.parents or ()
        cpdag = complete(parents)
    else:
        cpdag = result.cpdag
        extended = extend(cpdag)
        exact = extended is not None
        parents = extended if extended is not None else nearest(cpdag, constraints.required)
    correlation = fitted(start, parents, topological_order(parents))
    learned = Learned(parents, start, correlation, start, was_lifted, np.nan, information(boxes), ())
    return replace(learned, exact=exact), cpdag


def _score(method: OrdinalSettings, effect: float) -> BGe | BDe:
    if method.approach == "bge":
        return BGe(method.am) if effect == 1.0 else DividedBGe(method.am, effect=effect)
    return BDe(method.ess) if effect == 1.0 else DividedBDe(method.ess, effect=effect)


def _search(method: OrdinalSettings, effect: float) -> Search:
    if method.approach not in BY_TEST:
        return searched_by(method)
    test = TESTS[method.approach]
    return PC(method.alpha, test) if effect == 1.0 else DividedPC(method.alpha, test, effect)


def nearest(graph: Pdag, required: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """A DAG with the links of a graph that has no consistent extension, and as many of its arrows as go together.

    Tests can contradict each other, so that the arrows of a PC search go round in a circle or meet where no two were
    seen to meet. Required arcs come first, then arrows, then lines, each turned only where it would close a circle.

    Parameters
    ----------
    graph : of a PC search
    required : parents that every variable must keep

    Returns
    -------
    for each variable its parents
    """
    p = graph.n_variables
    result: list[set[int]] = [set() for _ in range(p)]
    must = [(x, child) for child, family in enumerate(required) for x in family]
    arrows = [(x, child) for child in range(p) for x in bits(graph.parents[child])]
    lines = [(x, child) for child in range(p) for x in bits(graph.neighbours[child]) if x < child]
    for source, target in [*must, *arrows, *lines]:
        if source in result[target] or target in result[source]:
            continue
        if _leads(result, target, source):
            result[source].add(target)
        else:
            result[target].add(source)
    return tuple(tuple(sorted(family)) for family in result)


def _leads(parents: list[set[int]], source: int, target: int) -> bool:
    """Whether arcs lead from one variable to another."""
    seen: set[int] = set()
    waiting = [target]
    while waiting:
        x = waiting.pop()
        if x == source:
            return True
        waiting += parents[x] - seen
        seen |= parents[x]
    return False


def tables(method: OrdinalSettings, answers: Answers, parents: tuple[tuple[int, ...], ...]) -> tuple[np.ndarray, ...]:
    """What an approach without an order predicts by: posterior mean shares of every family under the BDeu prior.

    Parameters
    ----------
    method : its `ess`
    answers : the table, variables sorted
    parents : of one DAG of the class, by position

    Returns
    -------
    for each variable (configurations, levels), see `engine.models.network.Network`
    """
    data, result = answers.complete, []
    for child, family in enumerate(parents):
        cells = float(np.prod([float(data.arity[x]) for x in (child, *family)]))
        table = posterior_mean(data, data.names[child], [data.names[x] for x in family], method.ess / cells)
        result.append(table.table.reshape(-1, int(data.arity[child])))
    return tuple(result)
