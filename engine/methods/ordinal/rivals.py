"""The five that OSEM is compared with: they learn from the levels themselves, as numbers or as mere names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.execution import Progress
from engine.graphs.dag import topological_order
from engine.graphs.pdag import Pdag, complete
from engine.methods.ordinal.settings import BY_TEST, OrdinalSettings
from engine.methods.ordinal.structural_em import Learned, member, searched_by
from engine.models.latent_normal import fitted, information, lifted, polychoric
from engine.models.tables import posterior_mean
from engine.scores.dirichlet import BDe
from engine.scores.gaussian import BGe
from engine.search.constraint import PC
from engine.search.problem import Problem

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
    data = answers.data
    constraints = method.knowledge.constraints(data.names)
    score = BGe(method.am) if method.approach == "bge" else BDe(method.ess)
    search = PC(method.alpha, TESTS[method.approach]) if method.approach in BY_TEST else searched_by(method)
    found = search.find(Problem(data, score, constraints, progress=progress))
    parents = found.parents if found.parents is not None else member(found.cpdag)
    cpdag = found.cpdag if found.cpdag is not None else complete(parents)
    correlation = fitted(start, parents, topological_order(parents))
    learned = Learned(parents, start, correlation, start, was_lifted, np.nan, information(boxes), ())
    return learned, cpdag


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
    data, found = answers.data, []
    for child, family in enumerate(parents):
        cells = float(np.prod([float(data.arity[x]) for x in (child, *family)]))
        table = posterior_mean(data, data.names[child], [data.names[x] for x in family], method.ess / cells)
        found.append(table.table.reshape(-1, int(data.arity[child])))
    return tuple(found)
