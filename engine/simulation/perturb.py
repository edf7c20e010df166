"""Pairs of networks that differ in known places, as in Sverchkov & Cooper (2015), section 4.2.

- Parametric: a variable uniformly at random, a row of its table likewise, and the row's numbers permuted.
- Structural: with probability 1/2 an arc is removed, else one is added, uniformly among those that can be. The child is
  what has changed, and nothing else.
- Several draws one after the other, each on what the one before left: a variable may be drawn twice.

What the paper leaves open is read so:

- A permutation is never the identity. It may still leave a row with equal numbers as it was; the variable counts as
  changed all the same, as in the paper's text.
- Without the parent that is removed, a row is the plain mean of the rows over that parent's levels (as in the first
  author's public program).
- With a parent that is added, one of its levels, drawn at random, keeps the old rows; for every other level the rows
  are new, uniform over all distributions.
- An arc can be added where it closes no circle. Where there is no arc to remove one is added, and the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import SettingsError, check_choice, check_number
from engine.graphs.dag import Parents, ancestors, find_cycle, topological_order
from engine.lazy import pd
from engine.models.network import Network, numbered_names

KINDS = ("parametric", "structural")
MOVED = 0.5
"""How far a changed number moves, in standard deviations of what its parents leave open."""


@dataclass(frozen=True)
class Change:
    """One thing that was done to a network.

    Attributes
    ----------
    what : "permuted", "removed", "added" or "moved"
    child : the variable whose distribution given its parents is another now
    parent : the parent removed or added; None where a row was permuted
    configuration : the row that was permuted; None where an arc was removed or added
    """

    what: str
    child: int
    parent: int | None = None
    configuration: int | None = None


@dataclass(frozen=True, eq=False)
class Pair:
    """Two networks over the same variables.

    Attributes
    ----------
    original, perturbed : the networks
    changes : what was done to the first to make the second, in order

    Examples
    --------
    >>> network = engine.models.random_network(((), (0,)), [2, 3], np.random.default_rng(0))
    >>> [one.what for one in perturbed_pair(network, "parametric", 2, np.random.default_rng(1)).changes]
    ['permuted', 'permuted']
    """

    original: Network
    perturbed: Network
    changes: tuple[Change, ...]

    @property
    def truth(self) -> np.ndarray:
        """(p,) true for the variables that are different."""
        different = np.zeros(len(self.original.names), dtype=bool)
        different[[change.child for change in self.changes]] = True
        return different

    @property
    def undone(self) -> np.ndarray:
        """(p,) true for the variables that were drawn and are in the end as they were: later draws swapped them back.

        `truth` has them all the same, as in the paper.
        """
        item, two = self.original, self.perturbed
        same = [
            item.parents[i] == two.parents[i] and np.array_equal(item.tables[i], two.tables[i])
            for i in range(len(item.names))
        ]
        return self.truth & np.array(same, dtype=bool)

    @property
    def order(self) -> tuple[int, ...]:
        """Variables with their parents in either network before them; where no order fits both, one of the original.

        Both fit after one change. Later an arc may have been removed and added the other way round.
        """
        both = [{*parent, *two} for parent, two in zip(self.original.parents, self.perturbed.parents, strict=True)]
        return topological_order(self.original.parents if find_cycle(both) else both)

    def sample(self, rows: int, generator: np.random.Generator, group: str = "group") -> Dataset:
        """`rows` independent rows of either network, and the column `group` that says "original" or "perturbed".

        Parameters
        ----------
        rows : of either network
        generator : all randomness comes from it
        group : name of the column that says which

        Raises
        ------
        SettingsError : a variable is called like the group column
        """
        names = self.original.names
        if group in names:
            raise SettingsError(f"A variable is called {group!r} already; choose another name for the group column.")
        parts = [network.sample_codes(rows, generator) for network in (self.original, self.perturbed)]
        labels = np.repeat([0, 1], rows).astype(parts[0].dtype)
        codes = np.vstack([np.hstack(parts), labels])
        return Dataset.from_codes(codes, [*self.original.levels, ("original", "perturbed")], [*names, group])


@dataclass(frozen=True, eq=False)
class MovedNumbers:
    """A Gaussian network of two groups, in the second of which some variables are higher or lower given their parents.

    Attributes
    ----------
    names, parents : p variables, and the positions of the parents of each
    weights : of the parents of each, while what they leave open has SD 1
    moves : (p,) how far each variable moves in the second group, in these SDs
    """

    names: tuple[str, ...]
    parents: Parents
    weights: tuple[np.ndarray, ...]
    moves: np.ndarray

    @property
    def original(self) -> MovedNumbers:
        """The network of the first group; the second has the same links."""
        return self

    perturbed = original

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes that were made, by variable."""
        return tuple(Change("moved", child) for child in np.flatnonzero(self.moves).tolist())

    @property
    def truth(self) -> np.ndarray:
        """(p,) true for the variables that are different."""
        return self.moves != 0

    @property
    def undone(self) -> np.ndarray:
        """(p,) false: no variable moves back."""
        return np.zeros(len(self.moves), dtype=bool)

    @property
    def order(self) -> tuple[int, ...]:
        """Variables with their parents before them."""
        return topological_order(self.parents)

    def sample(self, rows: int, generator: np.random.Generator, group: str = "group") -> Dataset:
        """`rows` rows of either group as numbers of SD 1 with two decimals, and the column `group`.

        Parameters
        ----------
        rows, generator, group : as `Pair.sample` takes them
        """
        values = generator.standard_normal((len(self.names), 2 * rows))
        values[:, rows:] += self.moves[:, None]
        for child in self.order:
            values[child] += self.weights[child] @ values[list(self.parents[child])]
        values /= values.std(axis=1, keepdims=True)
        frame = pd.DataFrame(values.round(2).T, columns=list(self.names))
        frame[group] = np.repeat(["original", "perturbed"], rows)
        return Dataset.from_frame(frame, kinds=dict.fromkeys(self.names, "continuous"))


def moved_numbers(parents: Parents, draws: int, generator: np.random.Generator) -> MovedNumbers:
    """Numbers with weights of .4 to 1 of either sign, up to `draws` of which move by `MOVED` up or down.

    Parameters
    ----------
    parents : of every variable
    draws : variables drawn, with replacement
    generator : all randomness comes from it
    """
    weights = tuple(generator.choice([-1, 1], len(own)) * generator.uniform(0.4, 1, len(own)) for own in parents)
    moves = np.zeros(len(parents))
    for child in generator.integers(len(parents), size=draws).tolist():
        moves[child] = generator.choice([-MOVED, MOVED])
    return MovedNumbers(numbered_names(len(parents)), parents, weights, moves)


def perturbed_pair(network: Network, kind: str, draws: int, generator: np.random.Generator) -> Pair:
    """A network and one that differs from it in up to `draws` variables.

    Parameters
    ----------
    network : the first of the pair
    kind : "parametric" or "structural"
    draws : changes drawn with replacement, one after the other; the paper has 1, 3 and 5
    generator : all randomness comes from it

    Returns
    -------
    both networks, and what was done

    Raises
    ------
    SettingsError : an unknown kind, fewer than one draw, or a network in which nothing can change

    Examples
    --------
    >>> from engine.models.network import random_network
    >>> network = random_network(((), (0,), (1,)), [2, 2, 2], np.random.default_rng(0))
    >>> pair = perturbed_pair(network, "parametric", 1, np.random.default_rng(1))
    >>> [(change.what, change.child) for change in pair.changes], pair.truth.tolist()
    ([('permuted', 1)], [False, True, False])
    >>> pair.sample(50, np.random.default_rng(2)).shape
    (100, 4)
    """
    check_choice("kind", kind, KINDS)
    check_number("draws", draws, least=1, whole=True)
    change = permute_row if kind == "parametric" else change_arc
    changed, changes = network, []
    for _ in range(draws):
        changed, description = change(changed, generator)
        changes.append(description)
    return Pair(network, changed, tuple(changes))


def permute_row(network: Network, generator: np.random.Generator) -> tuple[Network, Change]:
    """Permute the numbers of a random row of a random variable's table; never by the identity."""
    choices = np.flatnonzero(network.arities > 1)
    if not len(choices):
        raise SettingsError("No variable of the network has two levels, so no distribution can change.")
    child = int(generator.choice(choices))
    row = int(generator.integers(network.configurations(child)))
    still = np.arange(network.arities[child])
    order = still
    while (order == still).all():
        order = generator.permutation(still)
    table = network.tables[child].copy()
    table[row] = table[row, order]
    return _with_family(network, child, network.parents[child], table), Change("permuted", child, configuration=row)


def change_arc(network: Network, generator: np.random.Generator) -> tuple[Network, Change]:
    """Remove a random arc or add one, with equal probability where both can be."""
    arcs = [(parent, child) for child, family in enumerate(network.parents) for parent in family]
    absent = _addable(network)
    if not arcs and not absent:
        raise SettingsError("The network has a single variable, so no arc can be added or removed.")
    removing = bool(generator.random() < 0.5)
    if (removing and arcs) or not absent:
        parent, child = arcs[generator.integers(len(arcs))]
        return without_arc(network, parent, child), Change("removed", child, parent)
    parent, child = absent[generator.integers(len(absent))]
    return with_arc(network, parent, child, generator), Change("added", child, parent)


def without_arc(network: Network, parent: int, child: int) -> Network:
    """The network without an arc that it has; a row is the plain mean of the rows over the parent's levels."""
    family = network.parents[child]
    table = _cells(network, child).mean(axis=family.index(parent))
    rest = tuple(other for other in family if other != parent)
    return _with_family(network, child, rest, table.reshape(-1, table.shape[-1]))


def with_arc(network: Network, parent: int, child: int, generator: np.random.Generator) -> Network:
    """The network with one arc more; a random level of the parent keeps its rows, the others get new ones."""
    family = tuple(sorted((*network.parents[child], parent)))
    axis = family.index(parent)
    old = _cells(network, child)
    levels = int(network.arities[parent])
    unchanged = int(generator.integers(levels))
    slices = [
        old if level == unchanged else generator.dirichlet(np.ones(old.shape[-1]), size=old.shape[:-1])
        for level in range(levels)
    ]
    table = np.stack(slices, axis=axis)
    return _with_family(network, child, family, table.reshape(-1, table.shape[-1]))


def _addable(network: Network) -> list[tuple[int, int]]:
    """(parent, child) of every arc that is absent and closes no circle."""
    above = ancestors(network.parents)
    count = len(network.names)
    return [
        (parent, child)
        for child in range(count)
        for parent in range(count)
        if parent != child and parent not in network.parents[child] and not above[parent] >> child & 1
    ]


def _cells(network: Network, child: int) -> np.ndarray:
    """A variable's table with one axis for each parent and a last one for its own levels."""
    shape = [len(network.levels[parent]) for parent in network.parents[child]]
    return network.tables[child].reshape(*shape, -1)


def _with_family(network: Network, child: int, family: tuple[int, ...], table: np.ndarray) -> Network:
    parents = tuple(family if i == child else old for i, old in enumerate(network.parents))
    tables = tuple(table if i == child else old for i, old in enumerate(network.tables))
    return replace(network, parents=parents, tables=tables)
