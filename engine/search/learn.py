"""`engine.learn`: the plain structure learner that every method stands on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from engine.errors import SettingsError
from engine.execution import Progress, silent
from engine.search.constraints import Arc, Constraints
from engine.search.exact import exact
from engine.search.hill_climbing import hill_climbing
from engine.search.thick_thinning import thick_thinning

if TYPE_CHECKING:
    import networkx as nx

    from engine.data.dataset import Dataset
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
    """The DAG that a search finds for a decomposable score.

    Equal gains are decided by variable name (first in alphabetical order), so the order of columns changes nothing.

    Parameters
    ----------
    score : K2() where None
    search : "thick_thinning", "hill_climbing" or "exact" (up to 20 variables)
    order : all variables, parents before children
    max_parents : most parents of a variable, None for no limit
    forbidden, required : arcs (parent, child)
    tiers : groups of variables, earliest first; no arc runs from a later tier to an earlier one
    options : of hill climbing alone: `tabu`, `restarts`, `seed` (see `engine.search.hill_climbing`)

    Returns
    -------
    networkx.DiGraph over the variable names, in column order

    Raises
    ------
    SettingsError : an unknown search, or knowledge that contradicts itself
    """
    from engine.graphs.dag import to_networkx
    from engine.scores.dirichlet import K2

    constraints = Constraints.from_names(
        data.names,
        forbidden=forbidden,
        required=required,
        tiers=tiers,
        order=order,
        max_parents=max_parents,
    )
    by_name = tuple(sorted(range(data.n_variables), key=lambda i: data.names[i]))
    parents = learn_parents(data, score or K2(), constraints, search, by_name, progress=progress, **options)
    return to_networkx(parents, data.names)


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
    if search not in SEARCHES:
        raise SettingsError(f"search is {search!r}; it can be {', '.join(map(repr, SEARCHES))}.")
    if options and search != "hill_climbing":
        raise SettingsError(f"{', '.join(options)}: only hill climbing has these options.")
    place = {old: new for new, old in enumerate(priority)}
    bound = score.bind(data.select(data.names[i] for i in priority))
    found = SEARCHES[search](bound, constraints.permuted(priority), progress, **options)
    return tuple(tuple(sorted(priority[x] for x in found[place[child]])) for child in range(data.n_variables))
