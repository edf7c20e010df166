"""`engine.learn`: the plain structure learner that every method stands on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from engine.errors import SettingsError
from engine.execution import Progress, silent
from engine.scores.structure_prior import with_structure_prior
from engine.search.constraints import Arc, Constraints
from engine.search.exact import exact
from engine.search.hill_climbing import hill_climbing
from engine.search.thick_thinning import thick_thinning

if TYPE_CHECKING:
    import networkx as nx

    from engine.data.dataset import Dataset
    from engine.graphs.pdag import Pdag
    from engine.scores.local import LocalScore

SEARCHES = {"thick_thinning": thick_thinning, "hill_climbing": hill_climbing, "exact": exact}
Parents = tuple[tuple[int, ...], ...]


def learn(
    data: Dataset,
    score: LocalScore | None = None,
    search: str = "thick_thinning",
    order: Sequence[str] | None = None,
    max_parents: int | None = None,
    forbidden: Iterable[Arc] = (),
    required: Iterable[Arc] = (),
    tiers: Sequence[Iterable[str]] | None = None,
    *,
    progress: Progress = silent,
    **options: Any,
) -> nx.DiGraph:
    """The DAG, or with "ges" the CPDAG, that a search finds for a decomposable score.

    Equal gains are decided by variable name (first in alphabetical order), so the order of columns changes nothing.

    Parameters
    ----------
    score : where None K2(), and BDeu() for "ges", which needs a score that treats equivalent DAGs alike
    search : "thick_thinning", "hill_climbing", "exact" (up to 20 variables) or "ges"
    order : all variables, parents before children
    max_parents : most parents of a variable, None for no limit
    forbidden, required : arcs (parent, child)
    tiers : groups of variables, earliest first; no arc runs from a later tier to an earlier one
    options : of hill climbing `tabu`, `restarts`, `seed` (see `engine.search.hill_climbing`); of GES `fast` and
        `structure_prior` (see `learn_cpdag`)

    Returns
    -------
    networkx.DiGraph over the variable names, in column order; of "ges" a CPDAG: arcs one way, undirected edges both
    ways

    Raises
    ------
    SettingsError : an unknown search or option, knowledge that contradicts itself, GES with K2
    """
    from engine.graphs import dag, pdag
    from engine.scores.dirichlet import K2, BDeu

    _refuse_unknown(search, (*SEARCHES, "ges"))
    constraints = Constraints.from_names(
        data.names,
        forbidden=forbidden,
        required=required,
        tiers=tiers,
        order=order,
        max_parents=max_parents,
    )
    by_name = tuple(sorted(range(data.n_variables), key=lambda i: data.names[i]))
    if search == "ges":
        _refuse_others(options, ("fast", "structure_prior"), search)
        found = learn_cpdag(data, score or BDeu(), constraints, by_name, progress=progress, **options)
        return pdag.to_networkx(found, data.names)
    parents = learn_parents(data, score or K2(), constraints, search, by_name, progress=progress, **options)
    return dag.to_networkx(parents, data.names)


def learn_cpdag(
    data: Dataset,
    score: LocalScore,
    constraints: Constraints,
    priority: Sequence[int],
    *,
    structure_prior: float | None = None,
    fast: bool = False,
    progress: Progress = silent,
) -> Pdag:
    """The CPDAG that GES finds, by position; among equal gains the variables that come first in `priority` win.

    Parameters
    ----------
    structure_prior : how many parents a variable is expected to have (see `engine.scores.structure_prior`); None for
        no prior over structures
    fast : the faithfulness shortcut (see `engine.search.equivalence`)

    Raises
    ------
    SettingsError : the score is not score-equivalent, or structure_prior is not above 0
    """
    from engine.graphs.dag import bits, mask_of
    from engine.graphs.pdag import Pdag
    from engine.search.equivalence import ges

    if not score.equivalent:
        raise SettingsError(
            f"GES needs a score that treats equivalent networks alike, and {score!r} does not. "
            "Choose BDeu, or search by thick thinning, hill climbing or exactly."
        )
    bound = score.bind(data.select(data.names[i] for i in priority))
    if structure_prior is not None:
        bound = with_structure_prior(bound, structure_prior)
    found = ges(bound, constraints.permuted(priority), progress, fast=fast)
    place = {old: new for new, old in enumerate(priority)}

    def back(masks: list[int]) -> list[int]:
        return [mask_of(priority[x] for x in bits(masks[place[child]])) for child in range(data.n_variables)]

    return Pdag(back(found.parents), back(found.children), back(found.neighbours))


def learn_parents(
    data: Dataset,
    score: LocalScore,
    constraints: Constraints,
    search: str,
    priority: Sequence[int],
    *,
    progress: Progress = silent,
    **options: Any,
) -> Parents:
    """The same by position; among equal gains the variable that comes first in `priority` wins."""
    _refuse_unknown(search, SEARCHES)
    _refuse_others(options, ("tabu", "restarts", "seed") if search == "hill_climbing" else (), search)
    place = {old: new for new, old in enumerate(priority)}
    bound = score.bind(data.select(data.names[i] for i in priority))
    found = SEARCHES[search](bound, constraints.permuted(priority), progress, **options)
    return tuple(tuple(sorted(priority[x] for x in found[place[child]])) for child in range(data.n_variables))


def _refuse_unknown(search: str, known: Iterable[str]) -> None:
    if search not in known:
        raise SettingsError(f"search is {search!r}; it can be {', '.join(map(repr, known))}.")


def _refuse_others(options: dict[str, Any], known: Sequence[str], search: str) -> None:
    others = [name for name in options if name not in known]
    if others:
        raise SettingsError(
            f"{', '.join(others)}: the search {search!r} has no such option; "
            f"it has {', '.join(known) or 'none'}. Leave it out or choose another search."
        )
