"""Ordered levels cut from a Gaussian network: the world that Luo, Moffa & Kuipers (2021) simulate from.

- DAG: Erdos-Renyi with an expected number of neighbours (4 in the paper's figures, 2 to 5 in its appendix).
- Weights: uniform on (-1, -0.4) and (0.4, 1); noise of sd 1; every variable is then divided by its true sd.
- Levels: their number is uniform on 2 .. 2E - 2, where E is the number expected (2: all binary; 3 in most figures).
- Cuts: shares of the levels from a symmetric Dirichlet(nu), nu = 2, drawn again while a level has no row
  (`full_sample`).

All draws come from the `numpy.random.Generator` handed in, and only uniform and gamma numbers are asked of it: equal
seeds give equal bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError, check_number
from engine.graphs.dag import Parents, check_acyclic, parents_of, topological_order
from engine.lazy import nx, pd, special
from engine.models.network import numbered_names
from engine.simulation.networks import expected_neighbours_dag, random_arities
from engine.words import short

WEAKEST, STRONGEST = 0.4, 1.0
"""Range of the size of a weight, before the variables are scaled."""
USUAL = 0.8
"""Weight of an arc that was drawn without one."""
CONCENTRATION = 2.0
"""The paper's nu; with less the levels are more unequal."""
_REDRAWS = 1_000
_RAREST = 1e-12
_SMALLEST = 2.0**-54  # half a step of the generator's uniform numbers: zero has no normal quantile


@dataclass(frozen=True, eq=False)
class LatentModel:
    """A Gaussian network of variables of variance 1, each seen only as the level that its value falls into.

    Attributes
    ----------
    names : p variable names
    parents : for each variable its parents, ascending positions
    weights : for each variable the weights of its parents while the noise has sd 1, before variables are scaled
    probabilities : for each variable (levels,) shares of its levels, from the lowest

    Raises
    ------
    DataError : the arcs go round in a circle, weights that are not one a parent, shares that are no distribution

    Examples
    --------
    >>> even = (np.full(3, 1 / 3),) * 2
    >>> model = LatentModel(("worry", "sleep"), ((), (0,)), (np.zeros(0), np.array([-0.75])), even)
    >>> round(float(model.correlation[0, 1]), 9), model.thresholds[0].round(2).tolist()
    (-0.6, [-0.43, 0.43])
    """

    names: tuple[str, ...]
    parents: Parents
    weights: tuple[np.ndarray, ...]
    probabilities: tuple[np.ndarray, ...]

    def __post_init__(self) -> None:
        check_acyclic(self.parents, self.names)
        each = zip(self.names, self.parents, self.weights, self.probabilities, strict=True)
        for name, family, weights, shares in each:
            if len(family) != len(weights) or not np.isfinite(weights).all():
                raise DataError(f"{name!r} has {len(family)} parents; it needs a finite weight for each of them.")
            if len(shares) < 2 or not (np.asarray(shares) > 0).all() or abs(float(np.sum(shares)) - 1.0) > 1e-9:
                raise DataError(f"The levels of {name!r} need two or more shares above 0 whose sum is 1.")

    @cached_property
    def covariance(self) -> np.ndarray:
        """(p, p) covariances before the variables are scaled: (I - B)^-1 (I - B)^-T, row i of B the weights of i."""
        size = len(self.names)
        arcs = np.zeros((size, size))
        for child, (family, weights) in enumerate(zip(self.parents, self.weights, strict=True)):
            arcs[child, list(family)] = weights
        spread = np.linalg.inv(np.eye(size) - arcs)
        return spread @ spread.T

    @cached_property
    def sd(self) -> np.ndarray:
        """(p,) standard deviations before the variables are scaled; that of the noise is 1."""
        return np.sqrt(np.diag(self.covariance))

    @cached_property
    def correlation(self) -> np.ndarray:
        """(p, p) true correlations of what is behind the levels."""
        result = self.covariance / np.outer(self.sd, self.sd)
        result = (result + result.T) / 2
        np.fill_diagonal(result, 1.0)
        return result

    @cached_property
    def scaled_weights(self) -> tuple[np.ndarray, ...]:
        """For each variable, the sds it moves by when a parent moves by one sd and its other parents stay."""
        each = enumerate(zip(self.parents, self.weights, strict=True))
        return tuple(weights * self.sd[list(family)] / self.sd[child] for child, (family, weights) in each)

    @cached_property
    def thresholds(self) -> tuple[np.ndarray, ...]:
        """For each variable the (levels - 1,) cuts between its levels, in sds from its mean."""
        return tuple(map(_cuts, self.probabilities))

    @property
    def arities(self) -> tuple[int, ...]:
        """Number of levels of each variable."""
        return tuple(len(shares) for shares in self.probabilities)

    @property
    def graph(self) -> nx.DiGraph:
        """The true DAG over the names; `weight` of an arc is that of `scaled_weights`."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.names)
        for child, (family, weights) in enumerate(zip(self.parents, self.scaled_weights, strict=True)):
            for parent, weight in zip(family, weights.tolist(), strict=True):
                graph.add_edge(self.names[parent], self.names[child], weight=weight)
        return graph

    def latent(self, rows: int, generator: np.random.Generator) -> np.ndarray:
        """(p, rows) values behind the levels, of mean 0 and variance 1."""
        values: np.ndarray = special.ndtri(np.maximum(generator.random((len(self.names), rows)), _SMALLEST))
        for child in topological_order(self.parents):
            values[child] += self.weights[child] @ values[list(self.parents[child])]
        return values / self.sd[:, None]

    def cut(self, values: np.ndarray) -> Dataset:
        """Values as `latent` gives them, as the levels they fall into; levels are named "1", "2", ..."""
        codes = np.array([_codes(value, cuts) for value, cuts in zip(values, self.thresholds, strict=True)])
        levels = [[str(level) for level in range(1, many + 1)] for many in self.arities]
        return Dataset.from_codes(codes, levels, self.names, dict.fromkeys(self.names, "ordinal"))

    def sample(self, rows: int, generator: np.random.Generator) -> Dataset:
        """Independent rows as `cut` gives them.

        Examples
        --------
        >>> model = random_latent_model(12, np.random.default_rng(0))
        >>> data = model.sample(500, np.random.default_rng(1))
        >>> data.shape, data.kinds["X01"], data.levels["X01"]
        ((500, 12), 'ordinal', ('1', '2', '3', '4'))
        """
        return self.cut(self.latent(rows, generator))


def random_latent_model(
    variables: int,
    generator: np.random.Generator,
    neighbours: float = 4.0,
    levels: int = 3,
    concentration: float = CONCENTRATION,
) -> LatentModel:
    """A model as the paper draws them; see the module.

    Examples
    --------
    >>> model = random_latent_model(4, np.random.default_rng(0), neighbours=2, levels=2)
    >>> model.names, model.arities
    (('X1', 'X2', 'X3', 'X4'), (2, 2, 2, 2))
    """
    check_number("levels", levels, least=2, whole=True)
    parents = expected_neighbours_dag(variables, neighbours, generator)
    weights = random_weights(parents, generator)
    arities = random_arities(variables, (2, 2 * levels - 2), generator)
    return LatentModel(
        numbered_names(variables), parents, weights, random_shares(arities.tolist(), generator, concentration)
    )


def random_weights(parents: Parents, generator: np.random.Generator) -> tuple[np.ndarray, ...]:
    """For each variable a weight for every parent, of either sign and a size from 0.4 to 1."""
    result = []
    for family in parents:
        size = WEAKEST + (STRONGEST - WEAKEST) * generator.random(len(family))
        result.append(np.where(generator.random(len(family)) < 0.5, -size, size))
    return tuple(result)


def random_shares(
    arities: Sequence[int], generator: np.random.Generator, concentration: float = CONCENTRATION
) -> tuple[np.ndarray, ...]:
    """For each variable (levels,) shares of its levels, from a symmetric Dirichlet distribution."""
    check_number("concentration", concentration, above=0)
    return tuple(_share(levels, generator, concentration) for levels in arities)


def cut_graph(
    graph: nx.DiGraph,
    levels: int | Mapping[str, int],
    generator: np.random.Generator | None = None,
) -> LatentModel:
    """A model of a DAG that somebody has drawn.

    Examples
    --------
    >>> import networkx
    >>> model = cut_graph(networkx.DiGraph([("worry", "sleep")]), 4)
    >>> model.probabilities[0].tolist(), round(float(model.correlation[0, 1]), 3)
    ([0.25, 0.25, 0.25, 0.25], 0.625)
    """
    names = tuple(str(name) for name in graph)
    if isinstance(levels, Mapping):
        lacking = [name for name in names if name not in levels]
        if lacking:
            raise SettingsError(f"levels says nothing of '{short(lacking[0], 60)}'.", setting="levels")
    arities = [levels[name] if isinstance(levels, Mapping) else levels for name in names]
    if min(arities, default=2) < 2:
        raise SettingsError(f"levels has {min(arities)}; a variable has 2 or more levels.", setting="levels")
    nodes = list(graph)
    parents = parents_of(graph, nodes)
    weights = tuple(
        np.array([float(graph.edges[nodes[parent], nodes[child]].get("weight", USUAL)) for parent in family])
        for child, family in enumerate(parents)
    )
    even = tuple(np.full(many, 1 / many) for many in arities)
    shares = even if generator is None else random_shares(arities, generator)
    return LatentModel(names, parents, weights, shares)


def full_sample(model: LatentModel, rows: int, generator: np.random.Generator) -> tuple[LatentModel, Dataset]:
    """Rows in which every level occurs: where one does not, the shares of its variable are drawn again.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> model, data = full_sample(random_latent_model(12, rng), 300, rng)
    >>> all(set(column) == set(range(many)) for column, many in zip(data.codes.tolist(), model.arities))
    True
    """
    values = model.latent(rows, generator)
    shares = list(model.probabilities)
    for i, many in enumerate(model.arities):
        for _ in range(_REDRAWS if rows >= many else 0):
            if np.bincount(_codes(values[i], _cuts(shares[i])), minlength=many).all():
                break
            shares[i] = _share(many, generator, CONCENTRATION)
        else:
            raise SettingsError(f"{rows} rows are too few for {many} levels: some stay without a row.", setting="rows")
    full = replace(model, probabilities=tuple(shares))
    return full, full.cut(values)


MOST_MISSING = 0.9
"""Share of any level's rows that may lack the next variable's answer."""


def with_gaps(data: Dataset, share: float, generator: np.random.Generator) -> Dataset:
    """The same rows, every second variable without some answers: the more, the higher the variable before it.

    Whether an answer is missing depends on what is observed, so it is missing at random but not completely.

    Parameters
    ----------
    data : answers as `LatentModel.sample` gives them
    share : of the answers that are missing, on average
    generator : all randomness comes from it

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> data = with_gaps(random_latent_model(4, rng, neighbours=2).sample(400, rng), 0.3, rng)
    >>> [data.missing_level(name) for name in data.names]
    [None, 'missing', None, 'missing']
    """
    columns: dict[str, np.ndarray] = {}
    for i, name in enumerate(data.names):
        answers = np.array(data.levels[name], dtype=object)[data.column(name)]
        if i % 2:
            before = data.column(data.names[i - 1]).astype(float)
            chance = np.minimum(MOST_MISSING, share * before / max(float(before.mean()), 1e-9))
            answers[generator.random(data.n_rows) < chance] = None
        columns[name] = answers
    levels = {name: list(data.levels[name]) for name in data.names}
    kinds = dict.fromkeys(data.names, "ordinal")
    return Dataset.from_frame(pd.DataFrame(columns), kinds=kinds, levels=levels, missing="level")


def _share(levels: int, generator: np.random.Generator, concentration: float) -> np.ndarray:
    """One draw; with a small concentration a share would come out as 0."""
    drawn = np.maximum(generator.dirichlet(np.full(levels, concentration)), _RAREST)
    return np.asarray(drawn / drawn.sum())


def _cuts(shares: np.ndarray) -> np.ndarray:
    return np.asarray(special.ndtri(np.cumsum(shares)[:-1]))


def _codes(values: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    return np.searchsorted(cuts, values)
