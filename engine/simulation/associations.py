"""Tables of associated variables whose true graph is known: decomposable models, and rows drawn from them.

The three data sets of Petitjean, Allison & Webb (2014), section V.A. The paper says how many interactions of how many
variables there are; the rest is chosen here:

- `independent` (D1): three variables, no interaction.
- `nine_variables` (D2): ABC, BCD, DEF, FG, GH, HI: three 3-way and three 2-way interactions, eleven edges.
- `many_variables` (D3): 150 variables: three groups of eight 5-way interactions, three 4-way, two 3-way and three
  2-way ones apart, 55 independent variables; 232 edges. "Interlaced" is read so: in a group each interaction after the
  first shares two or three variables, drawn at random, with one of those before it. Groups of 24, 24 and 23 variables
  make 150 of it all.
- Tables: Dirichlet over the cells of an interaction, total concentration log-uniform from 400 to 8,000, conditioned
  on what it shares; an interaction of any order then carries about df / (2 concentration) nats. A table is drawn again
  until every pair of variables that it brings would be found, the rest of the interaction given, in 10^6 rows. What
  fewer variables of it show is left to chance, and is little.
- Levels: 2, 3, or each of 2 to 4 equally likely. Columns are shuffled, so no tie rule can profit from their order.

All draws come from the `numpy.random.Generator` handed in: equal seeds give equal bits.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import check_choice
from engine.lazy import nx
from engine.models.network import sample_codes

LEVELS: dict[str, tuple[int, int]] = {"binary": (2, 2), "ternary": (3, 3), "mixed": (2, 4)}
"""Fewest and most levels of a variable."""
LEVEL_WORDS = {"binary": "two each", "ternary": "three each", "mixed": "two to four"}
"""What forms call them."""
CONCENTRATION = (400.0, 8000.0)
DETECTABLE_AT = 1_000_000
GROUPS = (2, 2, 3)
"""How many of the seven shared sets of a group of D3 hold three variables; the others hold two."""
APART = (4, 4, 4, 3, 3, 2, 2, 2)
ALONE = 55
_BLOCK = 1 << 16  # rows drawn at once: bounds the memory, and the numbers in work fit the cache


@dataclass(frozen=True, eq=False)
class Interaction:
    """Variables that depend on each other together, and how.

    Attributes
    ----------
    members : positions; first those shared with earlier interactions
    shared : how many are shared
    joint : the probabilities of their levels, one axis a member
    """

    members: tuple[int, ...]
    shared: int
    joint: np.ndarray


@dataclass(frozen=True, eq=False)
class AssociationModel:
    """A decomposable model: interactions in an order in which each shares its variables with one before it.

    Attributes
    ----------
    names : p variable names
    arities : (p,) numbers of levels
    interactions : every variable is new in exactly one, also one that stands alone

    Examples
    --------
    >>> model = nine_variables("binary", np.random.default_rng(0))
    >>> len(model.names), sorted(len(one) for one in model.edges)[:1]
    (9, [2])
    """

    names: tuple[str, ...]
    arities: np.ndarray
    interactions: tuple[Interaction, ...]

    @property
    def edges(self) -> frozenset[tuple[str, str]]:
        """Pairs of names, alphabetical, that are together in an interaction."""
        pairs = (pair for interaction in self.interactions for pair in itertools.combinations(interaction.members, 2))
        return frozenset(tuple(sorted((self.names[a], self.names[b]))) for a, b in pairs)  # type: ignore[misc]

    @property
    def graph(self) -> nx.Graph:
        """The true graph over all variables."""
        graph = nx.Graph()
        graph.update(nodes=self.names, edges=sorted(self.edges))
        return graph

    def sample_codes(self, rows: int, generator: np.random.Generator) -> np.ndarray:
        """(p, rows) codes, one byte each, read-only; a block of rows and a variable at a time.

        Parameters
        ----------
        rows : how many
        generator : all randomness comes from it
        """
        parents: list[tuple[int, ...]] = [()] * len(self.names)
        tables: list[np.ndarray] = [np.zeros(0)] * len(self.names)
        order = []
        for interaction in self.interactions:
            for place in range(interaction.shared, len(interaction.members)):
                variable = interaction.members[place]
                order.append(variable)
                parents[variable] = interaction.members[:place]
                margin = interaction.joint.sum(axis=tuple(range(place + 1, len(interaction.members))))
                table = margin.reshape(-1, margin.shape[-1])
                tables[variable] = table / table.sum(axis=1, keepdims=True)
        codes = np.empty((len(self.names), rows), dtype=np.uint8)
        for start in range(0, rows, _BLOCK):
            block = codes[:, start : start + _BLOCK]
            block[:] = sample_codes(tuple(parents), tables, self.arities, block.shape[1], generator, order)
        codes.flags.writeable = False  # a data set takes it as it is
        return codes

    def sample(self, rows: int, generator: np.random.Generator) -> Dataset:
        """`rows` independent rows; levels are named "0", "1", ...

        Parameters
        ----------
        rows : how many
        generator : all randomness comes from it

        Examples
        --------
        >>> model = nine_variables("binary", np.random.default_rng(0))
        >>> model.sample(100, np.random.default_rng(1)).shape
        (100, 9)
        """
        codes = self.sample_codes(rows, generator)
        return Dataset.from_codes(codes, [int(arity) for arity in self.arities], self.names)


def independent(levels: str, generator: np.random.Generator, variables: int = 3) -> AssociationModel:
    """D1: variables that have nothing to do with each other.

    Examples
    --------
    >>> sorted(independent("binary", np.random.default_rng(0)).edges)
    []
    """
    return association_model([((), 1)] * variables, _range(levels), generator)


def nine_variables(levels: str, generator: np.random.Generator) -> AssociationModel:
    """D2: ABC, BCD, DEF, FG, GH, HI.

    Parameters
    ----------
    levels : "binary", "ternary" or "mixed" (two to four)
    generator : all randomness comes from it

    Returns
    -------
    the model; its columns are shuffled

    Raises
    ------
    SettingsError : levels is none of these

    Examples
    --------
    >>> model = nine_variables("ternary", np.random.default_rng(0))
    >>> len(model.edges), model.arities.tolist()
    (11, [3, 3, 3, 3, 3, 3, 3, 3, 3])
    """
    plan = [((), 3), ((1, 2), 1), ((3,), 2), ((5,), 1), ((6,), 1), ((7,), 1)]
    return association_model(plan, _range(levels), generator)


def many_variables(levels: str, generator: np.random.Generator, copies: int = 1) -> AssociationModel:
    """D3, 150 variables and 232 edges; with `copies`, so many of them side by side.

    Examples
    --------
    >>> model = many_variables("binary", np.random.default_rng(0))
    >>> len(model.names), len(model.edges)
    (150, 232)
    """
    plan: list[tuple[tuple[int, ...], int]] = []
    size = 0
    for _ in range(copies):
        for threes in GROUPS:
            group = _group(threes, size, generator)
            plan += group
            size += sum(new for _, new in group)
        rest = [((), many) for many in (*APART, *[1] * ALONE)]
        plan += rest
        size += sum(new for _, new in rest)
    return association_model(plan, _range(levels), generator)


def health_survey(generator: np.random.Generator) -> AssociationModel:
    """24 variables of 2 to 5 levels like those of a survey of patients: stronger associations, some of four variables.

    The paper's real table (EPESE) has such variables; 5,000 rows were in mind.

    Examples
    --------
    >>> model = health_survey(np.random.default_rng(0))
    >>> len(model.names), len(model.edges)
    (24, 31)
    """
    plan: list[tuple[tuple[int, ...], int]] = [((), 3), ((1, 2), 1), ((2, 3), 2), ((0,), 1), ((5,), 2), ((7, 8), 1)]
    plan += [((), 4), ((11, 12), 1), ((13,), 2), ((), 2), ((17,), 1), ((18,), 1), ((), 2), ((), 1)]
    return association_model(plan, (2, 5), generator, concentration=(20.0, 200.0), detectable_at=5_000)


def association_model(
    plan: Sequence[tuple[tuple[int, ...], int]],
    levels: tuple[int, int],
    generator: np.random.Generator,
    concentration: tuple[float, float] = CONCENTRATION,
    detectable_at: int = DETECTABLE_AT,
) -> AssociationModel:
    """A model with random levels, tables and column order.

    Parameters
    ----------
    plan : for each interaction the variables it shares with one before it, and how many new ones it brings; new
        variables are numbered as they come (before the columns are shuffled)
    levels : fewest and most levels of a variable
    generator : all randomness comes from it
    concentration : range of the total concentration of a Dirichlet table
    detectable_at : rows in which every pair of an interaction would be found, the rest of it given

    Returns
    -------
    the model; its variables are called x0, x1, ... by column

    Examples
    --------
    >>> model = association_model([((), 2), ((1,), 1)], (2, 3), np.random.default_rng(0))
    >>> len(model.names), len(model.edges)
    (3, 2)
    """
    total = sum(new for _, new in plan)
    column = generator.permutation(total)
    arities = generator.integers(levels[0], levels[1] + 1, size=total)  # by column
    result: list[Interaction] = []
    first = 0
    for shared, new in plan:
        members = (*shared, *range(first, first + new))
        first += new
        margin = _margin(result, tuple(int(column[x]) for x in shared))
        positions = tuple(int(column[x]) for x in members)
        shape = tuple(int(arities[x]) for x in positions)
        joint = _table(shape, margin, len(shared), concentration, detectable_at, total, generator)
        result.append(Interaction(positions, len(shared), joint))
    names = tuple(f"x{i:0{len(str(total - 1))}d}" for i in range(total))
    return AssociationModel(names, arities, tuple(result))


def conditional_information(joint: np.ndarray, a: int, b: int) -> float:
    """Nats that axes `a` and `b` of a table of probabilities tell of each other, all other axes given.

    Examples
    --------
    >>> conditional_information(np.full((2, 2), 0.25), 0, 1)
    0.0
    """
    with_a, with_b = joint.sum(axis=b, keepdims=True), joint.sum(axis=a, keepdims=True)
    rest = with_a.sum(axis=a, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = joint * np.log(joint * rest / (with_a * with_b))
    return float(np.where(joint > 0, terms, 0.0).sum())


def _range(levels: str) -> tuple[int, int]:
    check_choice("levels", levels, LEVELS)
    return LEVELS[levels]


def _group(threes: int, first: int, generator: np.random.Generator) -> list[tuple[tuple[int, ...], int]]:
    """The plan of eight interlaced 5-way interactions, `threes` of whose seven shared sets hold three variables."""
    sizes = generator.permutation([3] * threes + [2] * (7 - threes))
    cliques = [tuple(range(first, first + 5))]
    plan: list[tuple[tuple[int, ...], int]] = [((), 5)]
    end = first + 5
    for size in sizes.tolist():
        near = cliques[int(generator.integers(len(cliques)))]
        shared = tuple(sorted(generator.choice(near, size, replace=False).tolist()))
        cliques.append((*shared, *range(end, end + 5 - size)))
        plan.append((shared, 5 - size))
        end += 5 - size
    return plan


def _margin(earlier: Sequence[Interaction], shared: tuple[int, ...]) -> np.ndarray:
    """The probabilities of the shared variables, out of an earlier interaction that has them all."""
    for item in earlier:
        if set(shared) <= set(item.members):
            axes = [item.members.index(x) for x in shared]
            rest = [i for i in range(len(item.members)) if i not in axes]
            return item.joint.transpose(*axes, *rest).sum(axis=tuple(range(len(axes), len(item.members))))
    return np.ones(())


def _table(
    shape: tuple[int, ...],
    margin: np.ndarray,
    shared: int,
    concentration: tuple[float, float],
    rows: int,
    variables: int,
    generator: np.random.Generator,
) -> np.ndarray:
    """The joint probabilities of an interaction, drawn until all its new pairs are detectable."""
    size = math.prod(shape)
    new = tuple(range(shared, len(shape)))
    pairs = [(a, b) for a, b in itertools.combinations(range(len(shape)), 2) if b >= shared]
    while True:
        total = math.exp(generator.uniform(*np.log(concentration)))
        drawn = generator.dirichlet(np.full(size, total / size)).reshape(shape)
        joint = drawn / drawn.sum(axis=new, keepdims=True) * margin.reshape(*margin.shape, *[1] * len(new))
        if all(_detectable(joint, a, b, rows, variables) for a, b in pairs):
            return np.asarray(joint)


def _detectable(joint: np.ndarray, a: int, b: int, rows: int, variables: int) -> bool:
    """True where the edge would shorten the message of so many rows, the rest of its interaction given.

    Half of ln(rows) a parameter is what the message length comes to in the long run; ln(all pairs) is the most that
    stating an edge costs.
    """
    degrees = (joint.shape[a] - 1) * (joint.shape[b] - 1) * joint.size // (joint.shape[a] * joint.shape[b])
    price = degrees * math.log(rows) / 2 + math.log(variables * (variables - 1) / 2)
    return rows * conditional_information(joint, a, b) > price
