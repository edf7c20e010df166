"""What evidence does to every variable of a network, and how much of a change each piece of evidence accounts for.

Posteriors of all variables come from one pass along a tree of cliques (Lauritzen & Spiegelhalter 1988); where its
tables would be too large, from rows drawn and weighted by the evidence (Fung & Chang 1990). A change is split by
Shapley values (Shapley 1953): the mean, over all orders in which the evidence could have come, of what each piece
changes when it comes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.errors import DataError
from engine.graphs.dag import topological_order
from engine.models.elimination import MOST_CELLS, clique_marginals, sum_out
from engine.models.network import Network

DRAWS = 20_000
"""Rows drawn where exact tables would be too large."""
MOST_ORDERED = 10
"""Pieces of evidence up to which all orders are counted; of more, orders are drawn."""
ORDER_PAIRS = 50
"""Orders that are drawn, each together with its reverse."""


class Posteriors(Mapping[str, np.ndarray]):
    """Probabilities of every variable's levels given some evidence, by name.

    Attributes
    ----------
    log_evidence : natural log of the probability of the evidence
    draws : rows they were estimated from; 0 where they are exact
    standard_errors : name -> (levels,) Monte Carlo standard errors; empty where they are exact
    """

    def __init__(
        self,
        probabilities: Mapping[str, np.ndarray],
        log_evidence: float,
        draws: int = 0,
        standard_errors: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self._probabilities = dict(probabilities)
        self.log_evidence = log_evidence
        self.draws = draws
        self.standard_errors = dict(standard_errors or {})

    def __getitem__(self, name: str) -> np.ndarray:
        return self._probabilities[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._probabilities)

    def __len__(self) -> int:
        return len(self._probabilities)


def posteriors(
    network: Network,
    evidence: Mapping[str, str] | None = None,
    *,
    seed: int = 0,
    draws: int = DRAWS,
    most_cells: int = MOST_CELLS,
) -> Posteriors:
    """Probabilities of every variable's levels given the levels of some, all at once.

    Parameters
    ----------
    network : any discrete network
    evidence : name -> level of what is known
    seed : of the rows drawn where exact tables would be too large
    draws : how many rows are drawn then
    most_cells : cells that all tables together may have for exact results

    Returns
    -------
    name -> (levels,) probabilities, exact or with Monte Carlo standard errors; a known variable has probability 1 at
    its level

    Raises
    ------
    DataError : no such variable or level, or the evidence has probability 0 (or is too rare for the rows drawn)

    Examples
    --------
    >>> tables = (np.array([[0.75, 0.25]]), np.array([[1.0, 0.0], [0.25, 0.75]]))
    >>> network = engine.models.Network(("rain", "wet"), (("no", "yes"), ("no", "yes")), ((), (0,)), tables)
    >>> engine.models.posteriors(network, {"wet": "no"})["rain"].round(3).tolist()
    [0.923, 0.077]
    """
    known = network.positions_of(evidence or {})
    try:
        result = clique_marginals(network.factors(known), network.arities, most_cells)
    except ValueError:
        raise _impossible(evidence) from None
    if result is None:
        return _sampled(network, known, draws, np.random.default_rng(seed))
    log_evidence, marginals = result
    return Posteriors(
        {
            name: np.eye(len(levels))[known[i]] if i in known else marginals[i]
            for i, (name, levels) in enumerate(zip(network.names, network.levels, strict=True))
        },
        log_evidence,
    )


def certain_variables(network: Network, evidence: Mapping[str, str]) -> set[str]:
    """The known variables that could have no other level, given what else is known.

    Parameters
    ----------
    network : any discrete network
    evidence : name -> level of what is known

    Returns
    -------
    names among those of the evidence

    Raises
    ------
    DataError : no such variable or level, or the evidence has probability 0

    Examples
    --------
    >>> tables = (np.array([[0.75, 0.25]]), np.array([[1.0, 0.0], [0.25, 0.75]]))
    >>> network = engine.models.Network(("rain", "wet"), (("no", "yes"), ("no", "yes")), ((), (0,)), tables)
    >>> engine.models.evidence.certain_variables(network, {"rain": "no", "wet": "no"})
    {'wet'}
    """
    if all((table > 0).all() for table in network.tables):
        return set()
    others = {name: {key: level for key, level in evidence.items() if key != name} for name in evidence}
    return {name for name, rest in others.items() if np.count_nonzero(posteriors(network, rest)[name]) == 1}


def _impossible(evidence: Mapping[str, str] | None) -> DataError:
    given = ", ".join(f"{name} = {level}" for name, level in (evidence or {}).items())
    if evidence and len(evidence) == 1:
        return DataError(f"{given} cannot occur in this network.")
    return DataError(f"This evidence has probability 0: {given}. Leave out a part of it.")


def _sampled(network: Network, known: Mapping[int, int], draws: int, generator: np.random.Generator) -> Posteriors:
    """Likelihood weighting: free variables drawn along the arrows, each row weighted by its chance of the evidence."""
    codes = np.zeros((len(network.names), draws), dtype=np.int64)
    log_weights = np.zeros(draws)
    with np.errstate(divide="ignore"):
        for variable in topological_order(network.parents):
            rows = network.tables[variable][network.configuration(variable, codes)]
            if variable in known:
                codes[variable] = known[variable]
                log_weights += np.log(rows[:, known[variable]])
            else:
                passed = generator.random(draws)[:, None] >= rows.cumsum(axis=1)[:, :-1]
                codes[variable] = passed.sum(axis=1)
    largest = log_weights.max()
    if not np.isfinite(largest):
        raise DataError(f"None of {draws:,} rows drawn agrees with this evidence: it is too rare, or impossible.")
    weights = np.exp(log_weights - largest)
    total = weights.sum()
    shares, errors = {}, {}
    for i, (name, levels) in enumerate(zip(network.names, network.levels, strict=True)):
        hits = codes[i] == np.arange(len(levels))[:, None]
        shares[name] = (weights * hits).sum(axis=1) / total
        errors[name] = np.sqrt((weights**2 * (hits - shares[name][:, None]) ** 2).sum(axis=1)) / total
    return Posteriors(shares, float(largest + math.log(total / draws)), draws, errors)


@dataclass(frozen=True)
class Explanation:
    """The change of a probability, split over the evidence.

    Attributes
    ----------
    target, level : whose probability it is
    before, after : the probability without any and with all evidence
    shares : name of each known variable -> its share of the change; they sum to `after - before`
    orders : how many orders of the evidence they are a mean over where orders were drawn; 0 where all were counted
    standard_errors : name -> standard error of its share, where orders were drawn
    """

    target: str
    level: str
    before: float
    after: float
    shares: Mapping[str, float]
    orders: int
    standard_errors: Mapping[str, float]

    @property
    def change(self) -> float:
        """Changes by all evidence together."""
        return self.after - self.before


def explain_change(
    network: Network, target: str, level: str, evidence: Mapping[str, str], *, seed: int = 0
) -> Explanation:
    """Split the change of P(target = level) that some evidence makes over its pieces, by Shapley values.

    Up to ten pieces of evidence all orders are counted, exactly. Of more, 50 orders are drawn, each with its reverse;
    the shares sum to the change all the same.

    Parameters
    ----------
    network : any discrete network
    target, level : whose probability changes
    evidence : name -> level of what is known, the target not among them
    seed : of the orders drawn

    Returns
    -------
    the probability before and after, and the shares of the difference

    Raises
    ------
    DataError : no such variable or level, the target is itself known, the evidence has probability 0, or a table on
        the way would be too large

    Examples
    --------
    >>> tables = (np.array([[0.75, 0.25]]), np.array([[1.0, 0.0], [0.25, 0.75]]))
    >>> network = engine.models.Network(("rain", "wet"), (("no", "yes"), ("no", "yes")), ((), (0,)), tables)
    >>> engine.models.explain_change(network, "rain", "yes", {"wet": "yes"}).shares
    {'wet': 0.75}
    """
    child, code = next(iter(network.positions_of({target: level}).items()))
    known = network.positions_of(evidence)
    if child in known:
        raise DataError(f"{target!r} is itself known, so nothing is left to explain; clear it first.")
    chances = _Chances(network, child, code, known, evidence)
    if len(known) <= MOST_ORDERED:
        shares, orders, errors = _all_orders(chances, len(known)), 0, np.zeros(0)
    else:
        each = _drawn_orders(chances, len(known), np.random.default_rng(seed))
        shares, orders = each.mean(axis=0), 2 * len(each)
        errors = each.std(axis=0, ddof=1) / math.sqrt(len(each))
    return Explanation(
        target,
        level,
        float(chances.of(0)),
        float(chances.of((1 << len(known)) - 1)),
        dict(zip(evidence, map(float, shares), strict=True)),
        orders,
        dict(zip(evidence, map(float, errors), strict=True)) if orders else {},
    )


class _Chances:
    """P(target = level) for each subset of the evidence, a bit set of its positions."""

    def __init__(
        self, network: Network, child: int, code: int, known: Mapping[int, int], evidence: Mapping[str, str]
    ) -> None:
        self.network, self.child, self.code, self.evidence = network, child, code, evidence
        self.known = list(known.items())
        self._cached: dict[int, float] = {}
        if len(known) <= MOST_ORDERED:
            self._cached = self._at_once() or {}

    def of(self, subset: int) -> float:
        """The probability when the pieces of the subset are known."""
        if subset not in self._cached:
            items = [item for place, item in enumerate(self.evidence.items()) if subset >> place & 1]
            self._cached[subset] = float(self.network.query(self.network.names[self.child], dict(items))[self.code])
        return self._cached[subset]

    def _at_once(self) -> dict[int, float] | None:
        """All subsets from one elimination: a switch beside each known variable says whether its evidence counts."""
        arity = self.network.arities
        n, count = len(arity), len(self.known)
        factors = self.network.factors({})
        for place, (variable, code) in enumerate(self.known):
            factors.append(
                ((variable, n + place), np.stack([np.ones(arity[variable]), np.eye(arity[variable])[code]], 1))
            )
        kept = (*range(n, n + count), self.child)
        result = sum_out(factors, np.concatenate([arity, np.full(count, 2)]), kept)
        if result is None:
            return None
        joint = result[1].reshape([2] * count + [-1])
        if not joint[(1,) * count].sum() > 0:
            raise _impossible(self.evidence)
        chances = joint[..., self.code] / joint.sum(axis=-1)
        return {
            sum(1 << i for i in range(count) if cell[i]): float(chances[cell]) for cell in np.ndindex(chances.shape)
        }


def _all_orders(chances: _Chances, count: int) -> np.ndarray:
    """(count,) means over all orders, each subset weighted by the share of orders that pass it."""
    shares = np.zeros(count)
    for subset in range(1 << count):
        size = subset.bit_count()
        for item in range(count):
            if not subset >> item & 1:
                weight = math.factorial(size) * math.factorial(count - size - 1) / math.factorial(count)
                shares[item] += weight * (chances.of(subset | 1 << item) - chances.of(subset))
    return shares


def _drawn_orders(chances: _Chances, count: int, generator: np.random.Generator) -> np.ndarray:
    """(pairs, count) means of an order and its reverse; every row sums to the whole change."""
    pairs = np.zeros((ORDER_PAIRS, count))
    for row in pairs:
        order = generator.permutation(count)
        for direction in (order, order[::-1]):
            for item, before, after in _steps(direction):
                row[item] += (chances.of(after) - chances.of(before)) / 2
    return pairs


def _steps(order: Sequence[int] | np.ndarray) -> Iterator[tuple[int, int, int]]:
    """(piece, subset before it, subset with it) along an order."""
    subsets = [0]
    for item in order:
        subsets.append(subsets[-1] | 1 << int(item))
    for item, (before, after) in zip(order, pairwise(subsets), strict=True):
        yield int(item), before, after
