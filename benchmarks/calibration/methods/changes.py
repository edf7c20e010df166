"""Pairs of networks that differ in known variables, and the true differences of shares between them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.graphs.dag import Parents
from engine.models.network import Network, random_network
from engine.simulation.networks import expected_neighbours_dag, random_arities

NEIGHBOURS = 2.0


def drawn(variables: int, generator: np.random.Generator, levels: tuple[int, int] = (2, 3)) -> Network:
    """A random network of two neighbours each on average.

    Parameters
    ----------
    variables : how many;  levels : fewest and most of a variable
    """
    parents = expected_neighbours_dag(variables, NEIGHBOURS, generator)
    return random_network(parents, random_arities(variables, levels, generator), generator)


# -- one variable changed ---------------------------------------------------------------------------------------------


def perturbed(network: Network, size: float, generator: np.random.Generator) -> tuple[Network, int]:
    """`size` of probability moved from the commonest level to another, in every context of one variable's parents.

    Which level is the commonest, and where its share goes, is another matter in every context; so over all rows the
    moves may cancel.

    Returns
    -------
    the changed network, and of which variable
    """
    wide = [i for i, table in enumerate(network.tables) if (table.max(axis=1) >= size).all()]
    child = int(generator.choice(wide)) if wide else int(generator.integers(len(network.names)))
    table = network.tables[child]
    top = table.argmax(axis=1)
    to = (top + 1 + generator.integers(table.shape[1] - 1, size=len(table))) % table.shape[1]
    return moved(network, child, top, to, size), child


def shifted(variables: int, size: float, generator: np.random.Generator) -> tuple[Network, Network, int]:
    """A network, the same with `size` of probability moved from one level to another in every context, and where.

    Networks are drawn until one has a variable with so much to move everywhere.
    """
    while True:
        network = drawn(variables, generator)
        able = [
            (child, level)
            for child, table in enumerate(network.tables)
            for level in np.flatnonzero((table >= size).all(axis=0))
        ]
        if able:
            child, level = able[generator.integers(len(able))]
            return network, shift(network, child, int(level), size, generator), child


def shift(network: Network, child: int, level: int, size: float, generator: np.random.Generator) -> Network:
    """`size` of probability moved from one level of a variable to another, the same one in every context.

    Parameters
    ----------
    network, child, level : what is moved, and from where;  size : probability
    """
    table = network.tables[child]
    to = (level + 1 + int(generator.integers(table.shape[1] - 1))) % table.shape[1]
    rows = np.ones(len(table), dtype=np.int64)
    return moved(network, child, level * rows, to * rows, size)


def shifted_in_one_context(
    variables: int, size: float, least: float, generator: np.random.Generator
) -> tuple[Network, Network, int]:
    """A network, the same with `size` of probability moved between two levels in one context of one variable's parents.

    Parameters
    ----------
    variables : how many;  size : probability;  least : share of the rows that the context holds

    Returns
    -------
    both networks, and the variable
    """
    while True:
        network = drawn(variables, generator)
        whole = joint(network)
        able = [
            (child, *place)
            for child, table in enumerate(network.tables)
            if network.parents[child]
            for place in np.argwhere(
                (table >= size) & (contexts(whole, network.parents[child]) >= least)[:, None]
            ).tolist()
        ]
        if able:
            child, context, level = able[generator.integers(len(able))]
            other = shift(network, child, level, size, generator)
            table = network.tables[child].copy()
            table[context] = other.tables[child][context]
            return network, _with_table(network, child, table), child


def moved(network: Network, child: int, start: np.ndarray, end: np.ndarray, size: float) -> Network:
    """The network with `size` of probability, or all there is, moved from one level to another in each context."""
    table = network.tables[child].copy()
    rows = np.arange(len(table))
    amount = np.minimum(size, table[rows, start])
    table[rows, start] -= amount
    table[rows, end] += amount
    return _with_table(network, child, table)


def _with_table(network: Network, child: int, table: np.ndarray) -> Network:
    tables = [*network.tables]
    tables[child] = table
    return Network(network.names, network.levels, network.parents, tuple(tables))


# -- small networks of known shape ------------------------------------------------------------------------------------


def chain(generator: np.random.Generator) -> Network:
    """c - x - y - w of two levels each; c is "0" in 65 %, each link moves a share by 30 to 80 points."""
    return _binary(((), (0,), (1,), (2,)), generator, first=0.65)


def collider(generator: np.random.Generator) -> Network:
    """Two causes of one effect, which has an effect of its own, and a variable apart; of two levels each."""
    return _binary(((), (), (0, 1), (2,), ()), generator, first=0.5)


def _binary(parents: Parents, generator: np.random.Generator, first: float) -> Network:
    """Shares of the first level: `first` of the first variable, .3 to .7 of other roots, else by main effects."""
    tables = []
    for child, family in enumerate(parents):
        k = len(family)
        share = np.array([first if child == 0 else generator.uniform(0.3, 0.7)])
        if family:
            effects = generator.uniform(0.15, 0.4, k) * generator.choice([-1, 1], k) / k
            share = 0.5 + effects @ (1 - 2 * np.indices((2,) * k).reshape(k, -1))
        tables.append(np.column_stack([share, 1 - share]))
    names = tuple(f"X{i:02d}" for i in range(1, len(parents) + 1))
    return Network(names, (("0", "1"),) * len(parents), parents, tuple(tables))


def of_the_prior(
    variables: int, p_none: float, most: int, generator: np.random.Generator
) -> tuple[Network, Network, np.ndarray]:
    """Two networks as the average over orders holds them to be, and (n,) whether a variable differs.

    A uniform order; at each place parents among the variables before, of a set of size k with probability proportional
    to 1 / C(n - 1, k); a block of q differs with probability 1 - p_none^(1 / (n q)); shares by BDeu's Dirichlet with an
    equivalent sample size of one.

    Parameters
    ----------
    variables : how many, n, of two or three levels
    p_none : prior probability that nothing differs anywhere;  most : parents of a variable
    """
    arities = random_arities(variables, (2, 3), generator)
    order = generator.permutation(variables)
    parents: list[tuple[int, ...]] = [()] * variables
    tables = [[np.empty((0, 0))] * variables for _ in range(2)]
    differs = np.zeros(variables, dtype=bool)
    for place, child in enumerate(order.tolist()):
        sizes = np.arange(min(place, most) + 1)
        weight = np.array([math.comb(place, k) / math.comb(variables - 1, k) for k in sizes])
        many = generator.choice(sizes, p=weight / weight.sum())
        parents[child] = tuple(sorted(generator.permutation(order[:place])[:many].tolist()))
        blocks, r = int(arities[list(parents[child])].prod()), int(arities[child])
        first, second = generator.dirichlet(np.full(r, 1 / (blocks * r)), (2, blocks))
        apart = generator.random(blocks) < -math.expm1(math.log(p_none) / (variables * blocks))
        tables[0][child], tables[1][child] = first, np.where(apart[:, None], second, first)
        differs[child] = apart.any()
    names = tuple(f"X{i:02d}" for i in range(1, variables + 1))
    levels = tuple(tuple(map(str, range(r))) for r in arities.tolist())
    one, other = (Network(names, levels, tuple(parents), tuple(own)) for own in tables)
    return one, other, differs


# -- true differences -------------------------------------------------------------------------------------------------


def joint(network: Network) -> np.ndarray:
    """The joint distribution, one axis a variable."""
    arities = network.arities
    found: np.ndarray = np.ones(tuple(arities))
    for child, (family, table) in enumerate(zip(network.parents, network.tables, strict=True)):
        axes = [*family, child]
        factor = table.reshape([int(arities[x]) for x in axes])
        factor = factor.transpose(np.argsort(axes))
        shape = [int(arities[x]) if x in axes else 1 for x in range(len(arities))]
        found = found * factor.reshape(shape)
    return found


def contexts(distribution: np.ndarray, family: Sequence[int]) -> np.ndarray:
    """(configurations,) probabilities of some variables' configurations, the first the most significant digit.

    Parameters
    ----------
    distribution : one axis a variable;  family : positions, ascending
    """
    return distribution.sum(axis=tuple(x for x in range(distribution.ndim) if x not in family)).ravel()


def differences(
    joints: tuple[np.ndarray, np.ndarray],
    child: int,
    given: Sequence[int],
    places: Sequence[np.ndarray],
    many: int,
) -> np.ndarray:
    """(many, r) true differences of the shares of a child, second distribution minus first.

    Parameters
    ----------
    joints : the two distributions, one axis a variable
    child, given : positions of a variable and of its parents
    places : for each parent (many,) its codes;  many : how many contexts
    """
    shares = []
    for distribution in joints:
        family = distribution.sum(axis=tuple(x for x in range(distribution.ndim) if x != child and x not in given))
        kept = sorted([*given, child])
        family = family.transpose([kept.index(x) for x in (*given, child)])
        rows = family[tuple(places)] if given else np.repeat(family[None], many, axis=0)
        shares.append(rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-300))
    return np.asarray(shares[1] - shares[0])
