"""Networks whose truth is known, and rows drawn from them.

The parts stand alone, so that other studies combine them otherwise: a DAG (`random_dag`, `expected_neighbours_dag`,
`scale_free_dag`), levels (`random_arities`), conditional probability tables (`random_rows`,
`near_deterministic_table`), contexts in which some parents stop mattering (`draw_contexts`, `share_rows`); rows are
drawn by `engine.models.Network`. Every draw comes from the `numpy.random.Generator` handed in, so the same
seed gives the same bits.

`random_context_network` puts them together as in the simulation of Jabbari, Visweswaran & Cooper (2018), section 5.
The paper states sizes only; the rest follows the first author's public program of that year:

- DAG: Tetrad's random forward graph: distinct pairs uniformly at random, each directed along one order. (Tetrad caps
  in- and outdegree at 15 and degree at 30, which 50 to 100 arcs over 50 variables do not reach: no cap here. Its
  order is the column order; here it is a random one, so that no tie rule of a search can profit from it.)
- Levels: 2 or 3, equally likely. Tables: nearly deterministic where there are parents; see `near_deterministic_table`.
- Contexts: see `draw_contexts`. All rows of a table that agree with a context share one row of `random_rows` with
  exaggeration 3 (only there does that program exaggerate).
- Truth for one case: the arcs from the parents outside the key of the context that the case is in are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import SettingsError
from engine.graphs.dag import Parents
from engine.models.network import Network, level_numbers, numbered_names

CANDIDATES, ROUNDS = 100, 5
"""Random rows to choose from, and how many times each row of a table is chosen again."""
EXAGGERATION = 3.0
"""How much more uneven than a plain random row that of a context is; see `random_rows`."""


@dataclass(frozen=True)
class Context:
    """A few parents held at fixed values; while they are, the other parents of the child do not matter.

    Attributes
    ----------
    key : (parent position, code) pairs, in the order in which the parents joined
    """

    key: tuple[tuple[int, int], ...]

    @property
    def parents(self) -> tuple[int, ...]:
        """The parents that still matter in this context, ascending."""
        return tuple(sorted(parent for parent, _ in self.key))

    def holds(self, codes: np.ndarray) -> bool:
        """True where a case, (p,) codes of all variables, is in this context."""
        return all(codes[parent] == value for parent, value in self.key)


@dataclass(frozen=True, eq=False)
class ContextNetwork(Network):
    """A discrete Bayesian network with context-specific independences; levels are named "0", "1", ...

    Attributes
    ----------
    names, levels, parents, tables : as of a `Network`
    contexts : for each variable its contexts, none where it has fewer than two parents

    Examples
    --------
    >>> network = random_context_network(4, 4, np.random.default_rng(0))
    >>> [len(contexts) for contexts in network.contexts]
    [0, 0, 0, 1]
    """

    contexts: tuple[tuple[Context, ...], ...]

    def context_of(self, variable: int, codes: np.ndarray) -> Context | None:
        """The first context of a variable that a case is in, None where there is none.

        Parameters
        ----------
        variable : its position
        codes : (p,) the case
        """
        return next((context for context in self.contexts[variable] if context.holds(codes)), None)

    def nodes_in_context(self, codes: np.ndarray) -> tuple[int, ...]:
        """The variables that have lost parents for a case, ascending positions.

        Parameters
        ----------
        codes : (p,) the case
        """
        return tuple(v for v in range(len(self.names)) if self.context_of(v, codes) is not None)

    def instance_dag(self, codes: np.ndarray) -> Parents:
        """The true parents of every variable for a case.

        Parameters
        ----------
        codes : (p,) the case
        """
        result = [(self.context_of(v, codes), family) for v, family in enumerate(self.parents)]
        return tuple(family if context is None else context.parents for context, family in result)


def random_context_network(
    variables: int, arcs: int, generator: np.random.Generator, levels: tuple[int, int] = (2, 3)
) -> ContextNetwork:
    """A network of the kind that Jabbari et al. (2018) simulate from; see the module.

    Parameters
    ----------
    variables, arcs : how many; the paper has 50 and 50 or 100
    generator : all randomness comes from it
    levels : fewest and most levels of a variable

    Returns
    -------
    the network, its variables named X1, X2, ...

    Raises
    ------
    SettingsError : more arcs than pairs of variables

    Examples
    --------
    >>> network = random_context_network(5, 6, np.random.default_rng(0))
    >>> network.names, sum(map(len, network.parents))
    (('X1', 'X2', 'X3', 'X4', 'X5'), 6)
    """
    parents = random_dag(variables, arcs, generator)
    arities = random_arities(variables, levels, generator)
    tables, contexts = [], []
    for variable, family in enumerate(parents):
        shape = [int(arities[parent]) for parent in family]
        table = near_deterministic_table(math.prod(shape), int(arities[variable]), generator)
        result = draw_contexts(family, arities, generator)
        for context in result:
            share_rows(
                table, family, shape, context, random_rows(1, int(arities[variable]), generator, EXAGGERATION)[0]
            )
        tables.append(table)
        contexts.append(result)
    return ContextNetwork(numbered_names(variables), level_numbers(arities), parents, tuple(tables), tuple(contexts))


def random_dag(variables: int, arcs: int, generator: np.random.Generator) -> Parents:
    """A DAG with exactly `arcs` arcs: distinct pairs uniformly at random, directed along a random order.

    Parameters
    ----------
    variables, arcs : how many
    generator : all randomness comes from it

    Returns
    -------
    for each variable its parents, ascending

    Raises
    ------
    SettingsError : more arcs than pairs of variables, or fewer than none

    Examples
    --------
    >>> random_dag(4, 3, np.random.default_rng(0))
    ((2,), (2,), (), (1,))
    """
    pairs = variables * (variables - 1) // 2
    if not 0 <= arcs <= pairs:
        raise SettingsError(f"arcs is {arcs}; {variables} variables have room for 0 to {pairs} arcs.")
    order = generator.permutation(variables)
    early, later = np.triu_indices(variables, k=1)
    chosen = generator.choice(pairs, size=arcs, replace=False)
    return _families(order, early[chosen], later[chosen])


def expected_neighbours_dag(variables: int, neighbours: float, generator: np.random.Generator) -> Parents:
    """An Erdos-Renyi DAG: every pair is joined with probability neighbours / (variables - 1), along a random order.

    Parameters
    ----------
    variables : how many
    neighbours : expected number of parents and children of a variable, from 0 to variables - 1
    generator : all randomness comes from it

    Returns
    -------
    for each variable its parents, ascending

    Raises
    ------
    SettingsError : as many neighbours as there cannot be

    Examples
    --------
    >>> expected_neighbours_dag(4, 1.5, np.random.default_rng(0))
    ((2,), (2,), (), ())
    """
    if not 0 <= neighbours <= max(variables - 1, 0):
        raise SettingsError(f"neighbours is {neighbours}; with {variables} variables it can be 0 to {variables - 1}.")
    order = generator.permutation(variables)
    early, later = np.triu_indices(variables, k=1)
    joined = generator.random(len(early)) < neighbours / max(variables - 1, 1)
    return _families(order, early[joined], later[joined])


def _families(order: np.ndarray, early: np.ndarray, later: np.ndarray) -> Parents:
    """The parents of every variable, where arcs run between these places of an order."""
    families: list[list[int]] = [[] for _ in order]
    for source, target in zip(order[early], order[later], strict=True):
        families[target].append(int(source))
    return tuple(tuple(sorted(family)) for family in families)


def scale_free_dag(variables: int, links: int, generator: np.random.Generator) -> Parents:
    """A DAG grown as Barabasi & Albert (1999) do: each variable that comes takes parents in proportion to their arcs.

    Variables come in a random order. The first `links` + 1 come as a star: the second to the last of them are children
    of the first. Arcs run from the old to the new, so hubs have many children and nobody more than `links` parents.

    Parameters
    ----------
    variables : how many
    links : parents of each newcomer, from 1 to variables - 1
    generator : all randomness comes from it

    Returns
    -------
    for each variable its parents, ascending

    Raises
    ------
    SettingsError : as many links as there cannot be

    Examples
    --------
    >>> scale_free_dag(5, 1, np.random.default_rng(0))
    ((2,), (4,), (), (2,), (2,))
    """
    if not 1 <= links <= variables - 1:
        raise SettingsError(f"links is {links}; with {variables} variables it can be 1 to {variables - 1}.")
    order = [int(variable) for variable in generator.permutation(variables)]
    families: list[tuple[int, ...]] = [()] * variables
    ends: list[int] = []  # every variable once for each of its arcs
    for place, child in enumerate(order[1:], start=1):
        chosen = {order[0]} if place <= links else set[int]()
        while place > links and len(chosen) < links:
            chosen.add(ends[generator.integers(len(ends))])
        families[child] = tuple(sorted(chosen))
        ends += [*families[child], *[child] * len(chosen)]
    return tuple(families)


def random_arities(variables: int, levels: tuple[int, int], generator: np.random.Generator) -> np.ndarray:
    """(variables,) numbers of levels, uniform from the first to the last of `levels`, both included.

    Parameters
    ----------
    variables : how many
    levels : fewest and most levels of a variable
    generator : all randomness comes from it

    Returns
    -------
    (variables,) numbers of levels

    Examples
    --------
    >>> random_arities(6, (2, 4), np.random.default_rng(0)).tolist()
    [4, 3, 3, 2, 2, 2]
    """
    return generator.integers(levels[0], levels[1] + 1, size=variables)


def random_rows(rows: int, levels: int, generator: np.random.Generator, exaggeration: float = 1.0) -> np.ndarray:
    """(rows, levels) probabilities: uniform numbers over their sum.

    `exaggeration` multiplies the numbers above one half and divides those below, before they are summed: from a
    row with one large number nearly all goes to that level.

    Examples
    --------
    >>> random_rows(3, 2, np.random.default_rng(0)).sum(axis=1).round(9).tolist()
    [1.0, 1.0, 1.0]
    """
    weights = generator.random((rows, levels))
    weights = np.where(weights > 0.5, weights * exaggeration, weights / exaggeration)
    return weights / weights.sum(axis=1, keepdims=True)


def near_deterministic_table(rows: int, levels: int, generator: np.random.Generator) -> np.ndarray:
    """(rows, levels) probabilities, nearly deterministic where there is more than one row.

    As the first author's program of 2018 does it: each row is the most uneven of 100 random ones (largest sum of
    squares; the very first row is a plain one), and is then replaced five times by that of 100 new ones which is
    farthest (squared distance) from what it was before. The intention was distance from the *other* rows; the slip
    is kept, because the printed tables come from it. A table of one row (no parents) is one plain random row.

    Examples
    --------
    >>> near_deterministic_table(3, 2, np.random.default_rng(0)).max(axis=1).round(2).tolist()
    [1.0, 0.98, 0.97]
    """
    if rows == 1:
        return random_rows(1, levels, generator)
    table = np.zeros((rows, levels))
    for turn in range(1 + ROUNDS):
        candidates = random_rows(rows * CANDIDATES, levels, generator).reshape(rows, CANDIDATES, levels)
        distances = ((candidates - table[:, None, :]) ** 2).sum(axis=2)
        best = distances.argmax(axis=1)
        if turn == 0:
            best[0] = 0
        table = candidates[np.arange(rows), best]
    return table


def draw_contexts(family: Sequence[int], arities: np.ndarray, generator: np.random.Generator) -> tuple[Context, ...]:
    """Contexts of one child: nested in their parents, disjoint in their values.

    One parent at a time joins the key, at random, until one is left outside; each time every parent of the key gets
    a value that it has had in no context before. Where a parent of the key has no value left there is no further
    context: a binary first parent allows two, so a child with m parents has at most m - 1 and never more than the
    first parent has levels. No case is in two of them.

    Examples
    --------
    >>> draw_contexts([0, 1], np.array([2, 2]), np.random.default_rng(0))
    (Context(key=((0, 0),)),)
    """
    joining = [int(parent) for parent in generator.permutation(np.asarray(family, dtype=np.int64))][:-1]
    values = {parent: generator.permutation(int(arities[parent])) for parent in joining}
    contexts = []
    for size in range(1, len(joining) + 1):
        used = [(parent, size - 1 - joined) for joined, parent in enumerate(joining[:size])]
        if any(turn >= arities[parent] for parent, turn in used):
            break
        contexts.append(Context(tuple((parent, int(values[parent][turn])) for parent, turn in used)))
    return tuple(contexts)


def share_rows(
    table: np.ndarray, family: Sequence[int], shape: Sequence[int], context: Context, row: np.ndarray
) -> None:
    """Give, in place, one row of probabilities to all configurations that agree with a context."""
    cells = table.reshape(*shape, table.shape[1])
    fixed = dict(context.key)
    cells[tuple(fixed.get(parent, slice(None)) for parent in family)] = row
