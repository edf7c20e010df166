"""`engine.learn`: the plain structure learner that every method stands on."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, Literal

from engine.data.dataset import Dataset, as_dataset
from engine.errors import SettingsError, check_choice
from engine.execution import Progress, as_progress, silent
from engine.lazy import nx
from engine.scores.dirichlet import K2, BDeu
from engine.scores.local import LocalScore
from engine.search.best import Best
from engine.search.constraint import PC
from engine.search.equivalence import GES
from engine.search.exact import Exact
from engine.search.hill_climbing import HillClimbing
from engine.search.knowledge import Arc, Knowledge
from engine.search.orders.mcmc import OrderMCMC
from engine.search.problem import Problem, Search
from engine.search.thick_thinning import ThickThinning

SearchName = Literal["thick_thinning", "hill_climbing", "exact", "ges", "best", "order_mcmc", "pc"]
SEARCHES: dict[SearchName, Any] = {
    "thick_thinning": ThickThinning,
    "hill_climbing": HillClimbing,
    "exact": Exact,
    "ges": GES,
    "best": Best,
    "order_mcmc": OrderMCMC,
    "pc": PC,
}
"""The short name of each search."""


def learn(
    data: Dataset,
    score: LocalScore | None = None,
    search: SearchName | Search = "thick_thinning",
    order: Sequence[str] | None = None,
    max_parents: int | None = None,
    forbidden: Iterable[Arc] = (),
    required: Iterable[Arc] = (),
    tiers: Sequence[Iterable[str]] | None = None,
    *,
    knowledge: Knowledge | None = None,
    progress: Progress = silent,
    **options: Any,
) -> nx.DiGraph:
    """The DAG, or with GES, PC and the best of several the CPDAG, that a search finds for a decomposable score.

    Equal gains are decided by variable name (first in alphabetical order), so the order of columns changes nothing.

    Parameters
    ----------
    data : the rows that are explained
    score : where None K2(), and BDeu() for GES and Best; GES needs a score that treats equivalent DAGs alike
    search : a search (`ThickThinning()`, `HillClimbing(tabu=10)`, `Exact()` for up to 20 variables, `GES()`), or its
        short name: "thick_thinning", "hill_climbing", "exact", "ges", "best", "order_mcmc" or "pc"
    order : all variables, parents before children
    max_parents : most parents of a variable, None for no limit
    forbidden, required : arcs (parent, child)
    tiers : groups of variables, earliest first; no arc runs from a later tier to an earlier one
    knowledge : the same five as one value, in their place
    progress : called with a fraction from 0 to 1 and words
    options : of the search, where it is given by name

    Returns
    -------
    networkx.DiGraph over the variable names, in column order; of GES, PC and Best a CPDAG: arcs one way,
    undirected edges both ways

    Raises
    ------
    SettingsError : an unknown search or option, knowledge that contradicts itself, GES with K2
    DataError : something else than a data set

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9], [2, 2], ["a", "b"])
    >>> list(engine.learn(data, engine.BDeu()).edges)
    [('a', 'b')]
    """
    data = as_dataset(data, "engine.learn(data, ...)")
    searching = as_search(search, **options)
    own = Knowledge(forbidden=forbidden, required=required, tiers=tiers, order=order, max_parents=max_parents)
    if knowledge is not None and own != Knowledge():
        raise SettingsError("Give what is known either as knowledge=... or as order, tiers, ..., not both.")
    chosen = as_score(score) if score is not None else BDeu() if isinstance(searching, GES | Best) else K2()
    structure = searching.find(problem_of(data, chosen, knowledge or own, progress))
    graph: nx.DiGraph = importlib.import_module("engine.graphs.learned_graph").LearnedGraph()
    graph.add_nodes_from(data.names)
    graph.add_edges_from((data.names[source], data.names[target]) for source, target in structure.arcs())
    return graph


def problem_of(data: Dataset, score: LocalScore, knowledge: Knowledge, progress: Progress) -> Problem:
    """The problem that a search is asked, with ties decided by the names of the variables."""
    priority = sorted(range(data.n_variables), key=lambda i: data.names[i])
    return Problem(data, score, knowledge.constraints(data.names), priority, as_progress(progress))


def as_search(search: SearchName | Search, **options: Any) -> Search:
    """A search from its short name and options, or as it is.

    Examples
    --------
    >>> from engine.search.learn import as_search
    >>> as_search("hill_climbing", tabu=5)
    HillClimbing(tabu=5, restarts=0, seed=0)
    """
    if not isinstance(search, str):
        if options:
            raise SettingsError(f"{', '.join(options)}: give options to the search itself, beside {search!r} none.")
        if isinstance(search, type) or not isinstance(search, Search):
            check_choice("search", search, SEARCHES, "or a value such as HillClimbing()")
        return search
    check_choice("search", search, SEARCHES)
    known = sorted(field.name for field in fields(SEARCHES[search]))
    others = [name for name in options if name not in known]
    if others:
        raise SettingsError(
            f"{', '.join(others)}: the search {search!r} has no such option; "
            f"it has {', '.join(known) or 'none'}. Leave it out or choose another search."
        )
    chosen: Search = SEARCHES[search](**options)
    return chosen


def as_score(score: Any) -> LocalScore:
    """The score, after a look at the commonest slip: its name in place of it."""
    if isinstance(score, type) or not isinstance(score, LocalScore):
        raise SettingsError(
            f"score is {score!r}; give a score, such as engine.K2() or engine.BDeu(ess=1.0).", setting="score"
        )
    return score
