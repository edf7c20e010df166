"""The rivals that OSEM is compared with: they learn from the levels themselves, as numbers or as mere names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.counting.requests import strata_counts
from engine.data.dataset import Dataset
from engine.execution import Progress
from engine.graphs.dag import bits, topological_order
from engine.graphs.pdag import Pdag, complete, extend
from engine.lazy import nx, special
from engine.methods.ordinal.answers import Answers
from engine.methods.ordinal.settings import BY_TEST, OrdinalSettings
from engine.methods.ordinal.structural_em import Learned, searched_by
from engine.models.latent_normal import fitted, information, lifted
from engine.models.network import posterior_mean
from engine.models.polychoric import polychoric
from engine.scores.dirichlet import BDe
from engine.scores.divided import Divided
from engine.scores.gaussian import BGe, GaussianBIC
from engine.scores.local import BoundScore, LocalScore
from engine.search.constraint import PC
from engine.search.independence import FisherZ, FullGSquared, IndependenceTest, Jonckheere
from engine.search.ordinal_regression import OrdinalRegression
from engine.search.problem import Problem, Search


@dataclass(frozen=True)
class DividedPC(PC):
    """PC by tests whose statistic is divided by the design effect (Rao & Scott 1981).

    Parameters
    ----------
    effect : what it is divided by
    """

    effect: float = 1.0

    def _bound(self, data: Dataset, score: BoundScore) -> IndependenceTest:
        """The test with its rows, divided."""
        return divided_test(super()._bound(data, score), data, self.effect)


def divided_test(test: IndependenceTest, data: Dataset, effect: float) -> IndependenceTest:
    """A test that takes rows for so many times fewer.

    Parameters
    ----------
    test : Fisher's z, chi-squared, ordinal regressions, or one whose statistic is standard normal
    data : the rows
    effect : what they are divided by
    """
    if isinstance(test, FisherZ):
        return FisherZ(test._correlation, test.n_rows / effect)  # type: ignore[arg-type]
    if isinstance(test, FullGSquared):
        test = FullGSquared(data, data.n_rows / effect)
    if isinstance(test, OrdinalRegression):
        return OrdinalRegression(data, effect)
    return _Divided(test, data, effect)


class _Divided:
    """A test on tables with its statistic divided: of its p the statistic is known."""

    def __init__(self, test: IndependenceTest, data: Dataset, effect: float) -> None:
        self.n_variables = test.n_variables
        self._test, self._data, self._effect = test, data, effect

    def p_values(self, x: int, y: int, groups: np.ndarray) -> np.ndarray:
        """(m,) p-values given each row of (m, l) other variables."""
        result = self._test.p_values(x, y, groups)
        degrees = np.ones(len(groups))
        if isinstance(self._test, FullGSquared):
            degrees = self._test.degrees(x, y, groups)
        elif not isinstance(self._test, Jonckheere):
            for k, group in enumerate(groups.tolist()):
                (tables,) = strata_counts(self._data, [(*group, x, y)])
                lines = [np.maximum((tables.sum(axis=axis) > 0).sum(axis=1) - 1, 0) for axis in (2, 1)]
                degrees[k] = float(np.sum(lines[0] * lines[1]))
        tested = (result < 1) & (degrees > 0)
        result[tested] = special.chdtrc(degrees[tested], special.chdtri(degrees[tested], result[tested]) / self._effect)
        return result


TESTS: dict[str, Any] = {
    "gpc": {"test": "fisher_z"},
    "opc": {"test": "jonckheere"},
    "npc": {"test": "chi_squared"},
    "npc_pcalg": {"test": "g_squared", "few": "independent"},
    "rpc": {"test": "kendall", "orientation": "conservative"},
    "cpc": {"test": "copula", "orientation": "conservative"},
    "mmpc": {"test": "ordinal_regression"},
}
NOMINAL = ("bde", "npc", "npc_pcalg")
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
    return Learned(parents, start, correlation, start, was_lifted, np.nan, information(boxes), (), exact=exact), cpdag


def _score(method: OrdinalSettings, effect: float) -> LocalScore:
    score: GaussianBIC | BGe | BDe = BDe(method.ess)
    if method.approach == "bic":
        score = GaussianBIC(method.penalty)
    elif method.approach == "bge":
        score = BGe(method.am, prior_mean=method.prior_mean)
    return score if effect == 1.0 else Divided(score, effect)


def _search(method: OrdinalSettings, effect: float) -> Search:
    if method.approach not in BY_TEST:
        return searched_by(method)
    tests = TESTS[method.approach]
    if effect == 1.0:
        return PC(method.alpha, **tests, seed=method.seed)
    return DividedPC(method.alpha, **tests, seed=method.seed, effect=effect)


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
    network = nx.empty_graph(p, nx.DiGraph)
    must = [(x, child) for child, family in enumerate(required) for x in family]
    arrows = [(x, child) for child in range(p) for x in bits(graph.parents[child])]
    lines = [(x, child) for child in range(p) for x in bits(graph.neighbours[child]) if x < child]
    for source, target in [*must, *arrows, *lines]:
        if not network.has_edge(source, target) and not network.has_edge(target, source):
            turned = nx.has_path(network, target, source)
            network.add_edge(*((target, source) if turned else (source, target)))
    return tuple(tuple(sorted(network.predecessors(x))) for x in range(p))


def tables(method: OrdinalSettings, answers: Answers, parents: tuple[tuple[int, ...], ...]) -> tuple[np.ndarray, ...]:
    """Network that an approach without an order predicts by: posterior mean shares of every family under BDeu.

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
