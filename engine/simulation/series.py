"""Dynamic networks of two classes that differ in the strength of a few links, and series drawn from them.

The simulations of Burge & Lane (2005), sections 4.2 and 5.1: every variable depends on variables of the step before,
and a data point is a whole series. The paper gives the strengths (normalised mutual information) of the links that
matter; how tables of such strengths are drawn and changed is told in `engine.simulation.nmis`. All parents are drawn as
if even and independent: in a running series they are so nearly that the strengths of its links are off by some
thousandths.

All randomness comes from the `numpy.random.Generator` handed in: the same state gives the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.errors import DataError, SettingsError
from engine.models.network import check_table, numbered_names
from engine.simulation.nmis import change_table, draw_table
from engine.words import short

BURN_IN = 50
"""Steps that are drawn and thrown away before a series begins."""
OWN = 0.2
"""Strength of the links of `four_nodes` that are the same in both classes; the paper does not print it."""
STRONG, MASKED = 0.3, 0.22
"""Strengths of the shared link that masks the changed one, and of the changed one in the first class."""
NOISE = 0.1
"""What every draw of subject noise adds to one probability."""


@dataclass(frozen=True, eq=False)
class DynamicNetwork:
    """Variables that depend on variables of the step before, the same way at every step.

    Attributes
    ----------
    names : p variable names
    parents : for each variable the variables of the step before that it depends on, itself perhaps among them
    tables : for each variable its (*arities of its parents, r) probabilities

    Raises
    ------
    DataError : a table does not fit its family or is no table of probabilities

    Examples
    --------
    >>> blink = DynamicNetwork(("light",), ((0,),), (np.array([[0.0, 1.0], [1.0, 0.0]]),))
    >>> blink.sample(1, 4, np.random.default_rng(0)).tolist()
    [[[1, 0, 1, 0]]]
    """

    names: tuple[str, ...]
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[np.ndarray, ...]

    def __post_init__(self) -> None:
        arities = self.arities
        for name, family, table in zip(self.names, self.parents, self.tables, strict=True):
            if len(set(family)) < len(family) or not all(0 <= parent < len(self.names) for parent in family):
                raise DataError(f"The parents of {name!r} are {family}; they must be different variables.")
            check_table(name, table, (*(arities[parent] for parent in family), table.shape[-1]))

    @property
    def arities(self) -> tuple[int, ...]:
        """Number of levels of each variable."""
        return tuple(int(table.shape[-1]) for table in self.tables)

    def sample(self, subjects: int, steps: int, generator: np.random.Generator, burn_in: int = BURN_IN) -> np.ndarray:
        """Series of subjects who are all alike.

        Examples
        --------
        >>> one, _ = four_nodes(0.17, np.random.default_rng(0))
        >>> one.sample(5, 500, np.random.default_rng(1)).shape
        (4, 5, 500)
        """
        return _drawn([self], subjects, steps, generator, burn_in)


def sample_subjects(
    networks: Sequence[DynamicNetwork], steps: int, generator: np.random.Generator, burn_in: int = BURN_IN
) -> np.ndarray:
    """One series of each network; the networks have the same variables and parents, and tables of their own.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> one, _ = four_nodes(0.17, rng)
    >>> sample_subjects([with_noise(one, 40, rng, ["X4"]) for _ in range(3)], 100, rng).shape
    (4, 3, 100)
    """
    for network in networks[1:]:
        if network.parents != networks[0].parents or network.arities != networks[0].arities:
            raise SettingsError("The networks of the subjects must have the same parents and numbers of levels.")
    return _drawn(networks, len(networks), steps, generator, burn_in)


def four_nodes(c: float, generator: np.random.Generator, arity: int = 4) -> tuple[DynamicNetwork, DynamicNetwork]:
    """Two classes of four variables: the link from X3 to X4 is weaker in the second (section 4.2.1, figure 2).

    X1 and X3 depend on themselves and X2 on X1, each with strength 0.2 (assumed: the paper prints only those of X4's
    parents). X4 depends on X2 with 0.3 in both classes, and on X3 with 0.22 in the first and 0.22 - c in the second.

    Examples
    --------
    >>> one, two = four_nodes(0.17, np.random.default_rng(0))
    >>> [table is other for table, other in zip(one.tables, two.tables)]
    [True, True, True, False]
    """
    if not 0 <= c <= MASKED:
        raise SettingsError(
            f"c is {c}; it can be 0 to {MASKED}, the strength of the link that it weakens.", setting="c"
        )
    own = [_table((OWN,), arity, generator) for _ in range(3)]
    last = _table((STRONG, MASKED), arity, generator)
    item = DynamicNetwork(numbered_names(4), ((0,), (0,), (2,), (1, 2)), (*own, last))
    return item, _with_table(item, 3, _changed(last, (STRONG, MASKED), (STRONG, MASKED - c)))


def random_pair(
    nodes: int,
    changed: int,
    generator: np.random.Generator,
    arity: int = 4,
    parents: Sequence[float] = (0.1, 0.05),
    before: Sequence[float] = (STRONG, MASKED),
    after: Sequence[float] = (STRONG, 0.05),
) -> tuple[DynamicNetwork, DynamicNetwork, tuple[str, ...]]:
    """Two classes of many variables, each with parents at random; a few have a weaker link in the second class.

    Section 4.2.3, where one variable is changed. Parents are uniformly at random, different from each other; a variable
    may be its own. The defaults are the paper's.

    Examples
    --------
    >>> one, two, names = random_pair(6, 1, np.random.default_rng(0))
    >>> [name for name, t, u in zip(one.names, one.tables, two.tables) if t is not u] == list(names)
    True
    """
    if not 0 <= changed <= nodes:
        raise SettingsError(f"changed is {changed}; of {nodes} variables it can be 0 to {nodes}.", setting="changed")
    if len(before) != len(after):
        raise SettingsError(f"before has {len(before)} strengths and after {len(after)}; they are of the same parents.")
    positions = set(generator.choice(nodes, size=changed, replace=False).tolist()) if changed else set[int]()
    strengths = [tuple(before if child in positions else parents) for child in range(nodes)]
    most = max(map(len, strengths), default=0)
    if not 0 < most <= nodes:
        raise SettingsError(f"A variable cannot have {most} parents among {nodes} variables.", setting="nodes")
    families = tuple(
        tuple(generator.choice(nodes, size=len(strength), replace=False).tolist()) for strength in strengths
    )
    item = two = DynamicNetwork(
        numbered_names(nodes), families, tuple(_table(those, arity, generator) for those in strengths)
    )
    for child in sorted(positions):
        two = _with_table(two, child, _changed(item.tables[child], before, after))
    return item, two, tuple(item.names[child] for child in sorted(positions))


def with_noise(
    network: DynamicNetwork, rho: int, generator: np.random.Generator, children: Iterable[str] | None = None
) -> DynamicNetwork:
    """The network of one subject: that of the class, with some probabilities raised (section 4.2.2).

    As the paper has it, `rho` times a cell of a variable's table is drawn and 0.1 added to it. It does not say that a
    cell may be drawn twice, but its 300 draws are more than a table of 64 cells has; nor that rows are divided by their
    sums, here once in the end, but else they would be no distributions. In section 4.2.3 it does not say whose tables
    are disturbed.

    Examples
    --------
    >>> one, _ = four_nodes(0.17, np.random.default_rng(0))
    >>> mine = with_noise(one, 80, np.random.default_rng(1), ["X4"])
    >>> mine.tables[0] is one.tables[0], bool(np.allclose(mine.tables[3].sum(axis=-1), 1))
    (True, True)
    """
    names = network.names if children is None else tuple(children)
    strange = [name for name in names if name not in network.names]
    if strange:
        raise SettingsError(
            f"The network has no variable '{short(strange[0], 60)}'; it has {', '.join(network.names[:10])}."
        )
    if rho < 0:
        raise SettingsError(f"rho is {rho}; it can be 0, for none, or a number of draws.", setting="rho")
    if rho == 0:
        return network
    tables = list(network.tables)
    for child in map(network.names.index, names):
        drawn = np.bincount(generator.integers(tables[child].size, size=rho), minlength=tables[child].size)
        raised = tables[child] + NOISE * drawn.reshape(tables[child].shape)
        tables[child] = raised / raised.sum(axis=-1, keepdims=True)
    return replace(network, tables=tuple(tables))


def _drawn(
    networks: Sequence[DynamicNetwork], subjects: int, steps: int, generator: np.random.Generator, burn_in: int
) -> np.ndarray:
    """Series drawn step by step, all variables of all subjects at once; one network for each subject or for all."""
    if subjects < 1 or steps < 1 or burn_in < 0:
        raise SettingsError(
            f"{subjects} subjects, {steps} steps, {burn_in} before: take one or more, 0 or more before."
        )
    arities, parents = np.array(networks[0].arities), networks[0].parents
    network_of = np.arange(subjects) if len(networks) > 1 else np.zeros(subjects, dtype=np.int64)
    tables = zip(*(network.tables for network in networks), strict=True)
    ends = [np.stack([table[..., :-1].cumsum(axis=-1) for table in own]) for own in tables]
    codes = (generator.random((len(arities), subjects)) * arities[:, None]).astype(np.int64)
    saved = np.empty((steps, *codes.shape), dtype=np.uint8 if arities.max() <= 256 else np.uint16)
    for step in range(-burn_in, steps):
        if step > -burn_in:
            uniform, rows = generator.random(codes.shape)[..., None], [(network_of, *codes[list(x)]) for x in parents]
            # past the end of a level: one level further
            codes = np.array([(u >= end[row]).sum(axis=1) for u, end, row in zip(uniform, ends, rows, strict=True)])
        if step >= 0:
            saved[step] = codes
    return np.ascontiguousarray(saved.transpose(1, 2, 0))


def _table(strengths: Sequence[float], arity: int, generator: np.random.Generator) -> np.ndarray:
    """A table with even, independent parents and an even child."""
    return draw_table(strengths, _even(len(strengths), arity), np.full(arity, 1 / arity), generator)


def _changed(table: np.ndarray, before: Sequence[float], after: Sequence[float]) -> np.ndarray:
    """The nearest table with other strengths; the table itself where they are the same."""
    same = tuple(before) == tuple(after)
    return table if same else change_table(table, _even(table.ndim - 1, table.shape[-1]), after)


def _even(parents: int, arity: int) -> np.ndarray:
    return np.full((arity,) * parents, 1.0 / arity**parents)


def _with_table(network: DynamicNetwork, child: int, table: np.ndarray) -> DynamicNetwork:
    return replace(network, tables=(*network.tables[:child], table, *network.tables[child + 1 :]))
