"""Lines: the network of partial correlations of the latent values given all others, and how central its nodes are.

No search chooses these links. Their errors, and those of all that is made of them, come from one set of draws: what
each row (or subject) adds to the estimates, weighted by standard normals (multiplier bootstrap), as in a comparison of
two groups. A link is clear where its p is at most .05 after correction for all pairs. Strength counts links whose 95 %
interval excludes 0, by the same rule in every draw; no measure of a node counts links with covariates. Where answers
are missing the estimates are pooled over completed tables (full information), or each pair rests on its own answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from engine.data.preparing.roles import beside_items
from engine.errors import DataError
from engine.lazy import pd, special
from engine.measures import centrality
from engine.measures.multiple import holm
from engine.methods import frames
from engine.methods.fitting import check_shape, check_that
from engine.methods.ordinal.answers import Answers
from engine.methods.ordinal.effects import ALPHA
from engine.methods.storing import storable
from engine.models.completing import pooled
from engine.models.latent_normal import UNKNOWN
from engine.resampling import number_units

DRAWS, FEWEST_DRAWS = 1000, 100
MOST_ITEMS = 100
"""Items up to which lines are estimated; more are refused."""
MOST_UNITS, _FEWEST_UNITS, _MOST_INFLUENCES = 5000, 1000, 10_000_000
"""Rows or subjects whose influences are in hand; of more, random groups of them. Fewer where pairs are many."""
_BLOCK = 1 << 22
"""Numbers of drawn networks in hand."""
_Z = 1.959963984540054  # the normal quantile of 0.975
_POWER = 0.8416212335729143  # that of 0.8
DETERMINED = 0.9
"""Share of a variable that others explain from which partial correlations with it are not to be relied on: a variance
inflation of 10, the usual bar."""

MEASURES: Mapping[str, str] = {
    "strength": "Strength",
    "expected_influence": "Expected influence",
    "expected_influence_2": "Expected influence, two steps",
    "bridge_strength": "Bridge strength",
    "bridge_expected_influence": "Bridge expected influence",
}
"""What is measured of every node; the last two need scales."""
OF_DRAWN_LINKS = ("strength", "bridge_strength")
"""Sums of sizes are over the drawn links only: over all pairs they would add up noise."""


@storable
@dataclass(frozen=True, eq=False)
class Centrality:
    """One measure of every node.

    Attributes
    ----------
    value : (p,) the measure
    error : (p,) its standard error
    difference_error : (p, p) standard error of the difference of two nodes
    """

    value: np.ndarray
    error: np.ndarray
    difference_error: np.ndarray


@storable
@dataclass(frozen=True, eq=False)
class PartialNetwork:
    """Partial correlations of the latent values, each pair given all others; see `engine.Ordinal.partial_network`.

    Attributes
    ----------
    names : the variables, in column order
    partial, low, high : (p, p) partial correlations and their 95 % intervals (Fisher's z)
    p : (p, p) of no partial correlation, corrected for the number of pairs (Holm)
    explained, explained_low, explained_high : (p,) share of each latent value's variance that all others explain
    scales : name -> scale, of those that have one
    centralities : measure -> what it is of every node, not a number of covariates; see `MEASURES`
    units : rows, or subjects where rows belong together
    draws, seed : of the errors
    origin : fingerprint of the data
    completed : in how many tables missing answers were drawn given all answers of their row; 0 where none were
    correlation : (p, p) mean correlations of these
    """

    names: tuple[str, ...]
    partial: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p: np.ndarray
    explained: np.ndarray
    explained_low: np.ndarray
    explained_high: np.ndarray
    scales: Mapping[str, str]
    centralities: Mapping[str, Centrality]
    units: int
    draws: int
    seed: int
    origin: str
    completed: int = 0
    correlation: np.ndarray | None = None

    @cached_property
    def drawn(self) -> np.ndarray:
        """(p, p) whether the interval of a link excludes 0, so that it counts in strength."""
        return (self.low > 0) | (self.high < 0)

    @cached_property
    def clear(self) -> np.ndarray:
        """(p, p) whether p is at most .05 after correction for all pairs: what a clear line is, wherever it is said."""
        return (self.p <= ALPHA) & ~np.eye(len(self.names), dtype=bool)

    @cached_property
    def covariates(self) -> list[str]:
        """The variables that by name are no items; see `beside_items`."""
        return beside_items(self.names)

    @cached_property
    def item_pairs(self) -> list[tuple[int, int]]:
        """`pairs` without those of a covariate."""
        return [(i, j) for i, j in self.pairs if not {self.names[i], self.names[j]} & {*self.covariates}]

    @cached_property
    def visible(self) -> float:
        """The partial correlation that would be clear in 8 of 10 tables like this, at the middle error of items."""
        freedom = max(self.units - len(self.names) - 1, 1)
        items = tuple(np.transpose(self.item_pairs))
        with np.errstate(divide="ignore"):  # of an end at 1
            width = np.arctanh(self.high[items]) - np.arctanh(self.low[items])
        error = np.median(width) / (2 * special.stdtrit(freedom, 0.975))
        return float(np.tanh(error * (special.stdtrit(freedom, 1 - ALPHA / 2 / len(self.pairs)) + _POWER)))

    @property
    def weights(self) -> np.ndarray:
        """(p, p) partial correlations of the drawn links, 0 elsewhere."""
        return np.where(self.drawn, self.partial, 0.0) * ~np.eye(len(self.names), dtype=bool)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Positions of every pair, the largest partial correlation first."""
        first, second = np.triu_indices(len(self.names), 1)
        order = np.argsort(-np.abs(self.partial[first, second]), kind="stable")
        return [(int(first[place]), int(second[place])) for place in order]

    def is_bridge(self, i: int, j: int) -> bool:
        """True where two nodes, by position, belong to different scales; one of none is no end of a bridge."""
        a, b = self.scales.get(self.names[i]), self.scales.get(self.names[j])
        return a is not None and b is not None and a != b

    def interval(self, measure: str) -> tuple[np.ndarray, np.ndarray]:
        """(p,) ends of the 95 % intervals of one measure; a sum of sizes is not below 0.

        Parameters
        ----------
        measure : one of `centralities`
        """
        item = self.centralities[measure]
        low = item.value - _Z * item.error
        return np.maximum(low, 0.0) if measure in OF_DRAWN_LINKS else low, item.value + _Z * item.error

    def line_table(self) -> pd.DataFrame:
        """One row a pair, the largest partial correlation first.

        Returns
        -------
        pandas.DataFrame: a, b; partial, low, high (95 %); p (corrected for the number of pairs); clear (whether this is
        at most .05); bridge (whether the two belong to different scales; absent without scales)
        """
        rows = []
        for i, j in self.pairs:
            numbers = [float(matrix[i, j]) for matrix in (self.partial, self.low, self.high, self.p)]
            row = (self.names[i], self.names[j], *numbers, bool(self.clear[i, j]))
            rows.append((*row, self.is_bridge(i, j)) if self.scales else row)
        columns = ["a", "b", "partial", "low", "high", "p", "clear"]
        return frames.data_frame(rows, columns=[*columns, "bridge"] if self.scales else columns)

    def centrality_table(self) -> pd.DataFrame:
        """One row a node, in column order.

        Returns
        -------
        pandas.DataFrame: variable, scale (absent without scales); explained, explained_low, explained_high; of every
        measure its value, and with `_low` and `_high` its 95 % interval; closeness and betweenness of the drawn links
        """
        table: dict[str, ArrayLike] = {"variable": list(self.names)}
        if self.scales:
            table["scale"] = [self.scales.get(name, "") for name in self.names]
        table["explained"] = self.explained
        table["explained_low"], table["explained_high"] = self.explained_low, self.explained_high
        for name, item in self.centralities.items():
            table[name] = item.value
            table[f"{name}_low"], table[f"{name}_high"] = self.interval(name)
        both = self.weights, self.weights
        table["closeness"] = of_items(lambda weights: centrality.closeness(weights[1]), self.names)(both)
        table["betweenness"] = of_items(lambda weights: centrality.betweenness(weights[1]), self.names)(both)
        return pd.DataFrame(table)

    def difference_table(self, measure: str) -> pd.DataFrame:
        """Every pair of nodes, without covariates, tested for a difference of one measure, the smallest p first.

        Parameters
        ----------
        measure : one of `centralities`

        Returns
        -------
        pandas.DataFrame: a, b, difference (of a less b), low, high (95 %), p (of no difference), p_corrected (for the
        number of pairs, Holm)
        """
        if measure not in self.centralities:
            raise DataError(f"{measure!r} was not measured; there are {', '.join(self.centralities)}.")
        item = self.centralities[measure]
        first, second = np.array(sorted(self.item_pairs)).reshape(-1, 2).T
        difference, error = item.value[first] - item.value[second], item.difference_error[first, second]
        ratio = np.divide(np.abs(difference), error, out=np.zeros_like(error), where=error > 0)
        p = 2.0 * special.ndtr(-ratio)
        table = pd.DataFrame(
            {
                "a": [self.names[i] for i in first],
                "b": [self.names[j] for j in second],
                "difference": difference,
                "low": difference - _Z * error,
                "high": difference + _Z * error,
                "p": p,
                "p_corrected": holm(p),
            }
        )
        return table.sort_values("p", kind="stable", ignore_index=True)

    def _check_read(self) -> None:
        n = len(self.names)
        for matrix in (self.partial, self.low, self.high, self.p):
            check_shape(matrix, n, n)
        for vector in (self.explained, self.explained_low, self.explained_high):
            check_shape(vector, n)
        check_that(set(self.scales) <= set(self.names), "a scale has another variable")
        check_that(set(self.centralities) <= set(MEASURES), "a measure is not known")
        for item in self.centralities.values():
            check_shape(item.value, n)
            check_shape(item.error, n)
            check_shape(item.difference_error, n, n)


def why_no_lines(answers: Answers) -> str:
    """Why partial correlations given all others cannot be had of these rows; "" where they can.

    Parameters
    ----------
    answers : the rows
    """
    p = len(answers.data.names)
    if p > MOST_ITEMS:
        return f"Lines are estimated for at most {MOST_ITEMS} variables; these are {p}. Leave some out."
    known = (answers.codes != UNKNOWN).astype(float)
    clusters = answers.data.clusters
    if clusters is not None:
        known = np.array([np.bincount(clusters, own) > 0 for own in known], dtype=float)
    fewest = int((known @ known.T).min())
    if fewest < p + 3:
        whom = "rows" if clusters is None else "subjects"
        return (
            f"Partial correlations of {p} variables need at least {p + 3} {whom} with both answers of every pair; "
            f"the fewest are {fewest}."
        )
    return ""


def groups_in_hand(variables: int) -> int:
    """Of how many rows, or groups of them, influences are held at once.

    Parameters
    ----------
    variables : how many there are
    """
    pairs = max(variables * (variables - 1) // 2, 1)
    return max(_FEWEST_UNITS, min(MOST_UNITS, _MOST_INFLUENCES // pairs))


def estimate_partial_network(
    answers: Answers,
    names: Sequence[str],
    scales: Mapping[str, str],
    draws: int,
    seed: int,
    origin: str,
    missing: str = "latent",
) -> PartialNetwork:
    """The lines of a table and how central its nodes are.

    Parameters
    ----------
    answers : the rows
    names : the variables in column order
    scales : name -> scale; empty for none
    draws, seed : of the errors
    origin : fingerprint of the data
    missing : of gaps, "latent" (full information) or "pairwise"
    """
    unit = units_of(answers)
    units = int(unit.max()) + 1
    groups = min(units, groups_in_hand(len(names)))
    if units > groups:
        unit = (np.random.default_rng(seed).permutation(units) % groups)[unit]
    tables = answers.tables(missing, seed)
    estimates = pooled(tables, unit, groups)
    freedom = max(units - len(names) - 1, 1)
    fewer = np.sqrt(units / freedom)
    of_z = np.hstack([fewer * estimates.of_z, estimates.between_z])
    of_precision = np.hstack([fewer * estimates.of_precision, estimates.between_precision])
    error = np.sqrt(np.maximum((of_z**2).sum(axis=1), 1e-12))
    quantile = float(special.stdtrit(freedom, 0.975))
    reach = quantile * error
    chance = 2.0 * special.stdtr(freedom, -np.abs(estimates.z) / error)
    spread = quantile * np.sqrt((of_precision**2).sum(axis=1))
    by_name, p = answers.data.names, len(names)
    measures = measures_of(by_name, scales)
    drawn = _draw_measures(measures, estimates.z, of_z, reach, draws, seed)
    value = {name: measure(link_weights(estimates.z, reach, p)) for name, measure in measures.items()}
    left = 1.0 - estimates.explained
    column = np.array([by_name.index(name) for name in names])  # all above is by name, so that no order changes a bit
    square = np.ix_(column, column)
    return PartialNetwork(
        names=tuple(names),
        partial=estimates.partial[square],
        low=_square(np.tanh(estimates.z - reach), p)[square],
        high=_square(np.tanh(estimates.z + reach), p)[square],
        p=_square(holm(chance), p)[square],
        explained=estimates.explained[column],
        explained_low=np.maximum(1.0 - left * np.exp(spread), 0.0)[column],
        explained_high=(1.0 - left * np.exp(-spread))[column],
        scales=dict(scales),
        centralities={
            name: Centrality(
                value[name][column],
                drawn[name].std(axis=0, ddof=1)[column],
                (drawn[name][:, :, None] - drawn[name][:, None, :]).std(axis=0, ddof=1)[square],
            )
            for name in measures
        },
        units=units,
        draws=draws,
        seed=seed,
        origin=origin,
        completed=len(tables) if len(tables) > 1 else 0,
        correlation=estimates.correlation[square] if len(tables) > 1 else None,
    )


Weights = tuple[np.ndarray, np.ndarray]
"""(..., p, p) partial correlations of all pairs, and of the drawn links."""


def of_items(measure: Callable[[Weights], np.ndarray], names: Sequence[str]) -> Callable[[Weights], np.ndarray]:
    """A measure of nodes, with links among items only; not a number of covariates.

    Parameters
    ----------
    measure : of the weights of items
    names : of all nodes
    """
    beside = beside_items(names)
    if not beside:
        return measure
    items = np.array([place for place, name in enumerate(names) if name not in beside])

    def measured(weights: Weights) -> np.ndarray:
        result = np.full(weights[0].shape[:-1], np.nan)
        result[..., items] = measure((weights[0][..., items[:, None], items], weights[1][..., items[:, None], items]))
        return result

    return measured


def measures_of(names: Sequence[str], scales: Mapping[str, str]) -> dict[str, Callable[[Weights], np.ndarray]]:
    """Measure -> its function of all pairs and the drawn links.

    Parameters
    ----------
    names : of all nodes
    scales : name -> scale; empty without scales
    """
    beside = beside_items(names)
    communities = [scales.get(name) for name in names if name not in beside] if scales else []
    result: dict[str, Callable[[Weights], np.ndarray]] = {
        "strength": lambda weights: centrality.strength(weights[1]),
        "expected_influence": lambda weights: centrality.expected_influence(weights[0]),
        "expected_influence_2": lambda weights: centrality.expected_influence(weights[0], 2),
    }
    if communities:
        result["bridge_strength"] = lambda weights: centrality.bridge_strength(weights[1], communities)
        result["bridge_expected_influence"] = lambda weights: centrality.bridge_expected_influence(
            weights[0], communities
        )
    return {name: of_items(measure, names) for name, measure in result.items()}


def _draw_measures(
    measures: Mapping[str, Callable[[Weights], np.ndarray]],
    z: np.ndarray,
    influence: np.ndarray,
    reach: np.ndarray,
    draws: int,
    seed: int,
) -> dict[str, np.ndarray]:
    """Measure -> (draws, p) what it is in draws of the error."""
    p = round((1 + np.sqrt(1 + 8 * len(z))) / 2)
    generator = np.random.default_rng(seed)
    parts: dict[str, list[np.ndarray]] = {name: [] for name in measures}
    step = max(1, _BLOCK // max(p * p, influence.shape[1]))
    for begin in range(0, draws, step):
        noise = generator.standard_normal((influence.shape[1], min(step, draws - begin)))
        weights = link_weights(z + (influence @ noise).T, reach, p)
        for name, measure in measures.items():
            parts[name].append(measure(weights))
    return {name: np.concatenate(blocks) for name, blocks in parts.items()}


def link_weights(z: np.ndarray, reach: np.ndarray, p: int) -> Weights:
    """All pairs, and the links whose interval excludes 0.

    Parameters
    ----------
    z : (..., q) Fisher's z of every pair
    reach : (q,) half the width of its interval
    p : how many nodes there are
    """
    partial = np.tanh(z)
    return _square(partial, p), _square(np.where(np.abs(z) > reach, partial, 0.0), p)


def _square(values: np.ndarray, p: int) -> np.ndarray:
    """(..., q) numbers of pairs as (..., p, p), 1 on the diagonal."""
    first, second = np.triu_indices(p, 1)
    result = np.ones((*values.shape[:-1], p, p))
    result[..., first, second] = result[..., second, first] = values
    return result


def units_of(answers: Answers) -> np.ndarray:
    """(n,) which unit every row is of, from 0: itself, or its subject.

    Parameters
    ----------
    answers : the rows
    """
    clusters = answers.data.clusters
    return np.arange(answers.data.n_rows) if clusters is None else number_units(clusters, answers.codes)
