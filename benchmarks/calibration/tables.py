"""Tables of two groups whose truth is known, by generators that neither the studies nor the tests use.

Directed networks have conditional distributions by logistic regression or by an ordered probit on their parents, with
random coefficients; without a difference there are thresholded Gaussian factors and latent classes too. A last
generator draws from the very prior that the averages over orders assume, written apart from the engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from scipy.stats import norm

Families = tuple[tuple[int, ...], ...]
PARENT_NUMBERS = (0.15, 0.4, 0.3, 0.15)
"""Shares of variables with 0 to 3 parents, as far as there are variables before them."""
COEFFICIENT = 0.9
"""Standard deviation of the effects of parents' levels on log odds and hidden values."""
WEIGHED = 50_000
"""Rows by which the share of a context is known."""


@dataclass(frozen=True, eq=False)
class Causes:
    """A directed network.

    Attributes
    ----------
    arities : (n,) numbers of levels
    parents : for each variable positions before its own
    tables : for each variable (configurations, levels); the first parent's code is the most significant digit
    """

    arities: np.ndarray
    parents: Families
    tables: tuple[np.ndarray, ...]

    def contexts(self, codes: np.ndarray, child: int) -> np.ndarray:
        """(rows,) the configuration of a variable's parents in every row of (n, rows) codes."""
        number = np.zeros(codes.shape[1], dtype=np.int64)
        for x in self.parents[child]:
            number = number * self.arities[x] + codes[x]
        return number

    def sample(self, rows: int, generator: np.random.Generator) -> np.ndarray:
        """(n, rows) codes."""
        codes = np.zeros((len(self.parents), rows), dtype=np.int64)
        for child, table in enumerate(self.tables):
            codes[child] = _drawn(table[self.contexts(codes, child)], generator)
        return codes


@dataclass(frozen=True, eq=False)
class Classes:
    """Latent classes: variables that are independent within each.

    Attributes
    ----------
    weights : (classes,);  tables : for each variable (classes, levels)
    """

    weights: np.ndarray
    tables: tuple[np.ndarray, ...]

    def sample(self, rows: int, generator: np.random.Generator) -> np.ndarray:
        """(n, rows) codes."""
        hidden = generator.choice(len(self.weights), rows, p=self.weights)
        return np.array([_drawn(table[hidden], generator) for table in self.tables])


Truth = TypeVar("Truth", Causes, Classes)


# -- networks without a difference ------------------------------------------------------------------------------------


def logistic(variables: int, levels: tuple[int, int], generator: np.random.Generator) -> Causes:
    """Multinomial logits: an intercept a level, and main effects of every parent's levels.

    Parameters
    ----------
    variables : how many;  levels : fewest and most of a variable
    """
    arities = _arities(variables, levels, generator)
    parents = _families(variables, generator)
    tables = []
    for child, family in enumerate(parents):
        logits = np.broadcast_to(
            generator.normal(0, 0.7, arities[child]), (_configurations(arities, family), arities[child])
        )
        for x, codes in zip(family, _grid(arities, family), strict=True):
            logits = logits + generator.normal(0, COEFFICIENT, (arities[x], arities[child]))[codes]
        tables.append(_softmax(logits))
    return Causes(arities, parents, tuple(tables))


def probit(variables: int, levels: tuple[int, int], generator: np.random.Generator) -> Causes:
    """Ordered probits: a hidden value moved by the parents' scores and cut at thresholds of a random margin.

    Parameters
    ----------
    variables : how many;  levels : fewest and most of a variable
    """
    arities = _arities(variables, levels, generator)
    parents = _families(variables, generator)
    tables = []
    for child, family in enumerate(parents):
        mean = np.zeros(_configurations(arities, family))
        for x, codes in zip(family, _grid(arities, family), strict=True):
            mean = mean + generator.normal(0, COEFFICIENT) * (codes / (arities[x] - 1) - 0.5) * 2
        cuts = norm.ppf(np.cumsum(_margin(int(arities[child]), generator))[:-1])
        below = norm.cdf(cuts * math.sqrt(1 + mean.var()) - mean[:, None])
        tables.append(np.diff(np.column_stack([np.zeros(len(mean)), below, np.ones(len(mean))]), axis=1))
    return Causes(arities, parents, tuple(tables))


def classes(variables: int, levels: tuple[int, int], generator: np.random.Generator) -> Classes:
    """Three latent classes, each moving the log odds of every variable's levels.

    Parameters
    ----------
    variables : how many;  levels : fewest and most of a variable
    """
    tables = [
        _softmax(generator.normal(0, 0.7, many) + generator.normal(0, COEFFICIENT, (3, many)))
        for many in _arities(variables, levels, generator)
    ]
    return Classes(generator.dirichlet([5.0, 5.0, 5.0]), tuple(tables))


@dataclass(frozen=True, eq=False)
class Factors:
    """Gaussian factors, cut at thresholds: a copula with margins of one's own.

    Attributes
    ----------
    loadings : (n, factors);  cuts : for each variable its thresholds
    """

    loadings: np.ndarray
    cuts: tuple[np.ndarray, ...]

    def sample(self, rows: int, generator: np.random.Generator) -> np.ndarray:
        """(n, rows) codes."""
        scale = np.sqrt(1 + (self.loadings**2).sum(axis=1, keepdims=True))
        hidden = self.loadings @ generator.normal(size=(self.loadings.shape[1], rows))
        hidden = (hidden + generator.normal(size=hidden.shape)) / scale
        return np.array([np.searchsorted(cut, row) for cut, row in zip(self.cuts, hidden, strict=True)])


def factors(variables: int, levels: tuple[int, int], generator: np.random.Generator) -> Factors:
    """Two common factors, and margins of random shares.

    Parameters
    ----------
    variables : how many;  levels : fewest and most of a variable
    """
    margins = [_margin(int(many), generator) for many in _arities(variables, levels, generator)]
    return _factors(margins, generator)


def floors(variables: int, levels: tuple[int, int], generator: np.random.Generator) -> Factors:
    """Two common factors, and margins as of a symptom list: most people at the lowest level, few at the highest.

    Parameters
    ----------
    variables : how many;  levels : fewest and most of a variable
    """
    margins = []
    for many in _arities(variables, levels, generator):
        shares = generator.uniform(0.2, 0.5) ** np.arange(many)
        margins.append(shares / shares.sum())
    return _factors(margins, generator)


def chain(generator: np.random.Generator) -> tuple[Causes, Causes]:
    """c - x - y - w with two or three levels; the second network's first level of c is 30 points rarer.

    Each link moves the log odds of neighbouring levels by 1 to 2.5.
    """
    arities = _arities(4, (2, 3), generator)
    parents: Families = ((), (0,), (1,), (2,))
    head = np.full((1, arities[0]), 0.35 / (arities[0] - 1))
    head[0, 0] = 0.65
    tables = [head]
    for child in range(1, 4):
        slope = generator.uniform(1.0, 2.5) * generator.choice([-1, 1])
        scores = [np.arange(many) - (many - 1) / 2 for many in (arities[child - 1], arities[child])]
        tables.append(_softmax(slope * np.outer(*scores) + generator.normal(0, 0.3, arities[child])))
    one = Causes(arities, parents, tuple(tables))
    return one, moved(one, 0, [0], 0, 1, 0.3)


# -- one variable moved -----------------------------------------------------------------------------------------------


def moved_everywhere(
    draw: Callable[[np.random.Generator], Truth], size: float, generator: np.random.Generator
) -> tuple[Truth, Truth, int]:
    """A truth, the same with `size` of probability moved between two levels in every context, and of which variable.

    Parameters
    ----------
    draw : a truth; another is drawn where no variable has so much to move;  size : probability
    """
    while True:
        one = draw(generator)
        able = [
            (child, level)
            for child, table in enumerate(one.tables)
            for level in np.flatnonzero(table.min(axis=0) >= size).tolist()
        ]
        if able:
            child, level = able[generator.integers(len(able))]
            contexts = range(len(one.tables[child]))
            return one, moved(one, child, contexts, level, _other(one, child, level, generator), size), child


def moved_in_one_context(
    draw: Callable[[np.random.Generator], Causes], size: float, least: float, generator: np.random.Generator
) -> tuple[Causes, Causes, int]:
    """A network, the same with `size` of probability moved in one context of one variable's parents, and which.

    Parameters
    ----------
    draw : a network; another is drawn where none serves
    size : probability;  least : share of the rows that are in the context
    """
    while True:
        one = draw(generator)
        codes = one.sample(WEIGHED, generator)
        able = []
        for child, table in enumerate(one.tables):
            if not one.parents[child]:
                continue
            weight = np.bincount(one.contexts(codes, child), minlength=len(table)) / WEIGHED
            able += [(child, *place) for place in np.argwhere((table >= size) & (weight >= least)[:, None]).tolist()]
        if able:
            child, context, level = able[generator.integers(len(able))]
            return one, moved(one, child, [context], level, _other(one, child, level, generator), size), child


def moved(truth: Truth, child: int, contexts: Iterable[int], level: int, other: int, size: float) -> Truth:
    """The same with `size` of probability moved from one level of a variable to another in these contexts."""
    table = truth.tables[child].copy()
    rows = list(contexts)
    table[rows, level] -= size
    table[rows, other] += size
    return replace(truth, tables=(*truth.tables[:child], table, *truth.tables[child + 1 :]))


def _other(truth: Truth, child: int, level: int, generator: np.random.Generator) -> int:
    many = truth.tables[child].shape[1]
    return int((level + 1 + generator.integers(many - 1)) % many)


# -- the prior of the averages ----------------------------------------------------------------------------------------


def from_the_prior(
    variables: int, levels: tuple[int, int], p_none: float, generator: np.random.Generator, most: int = 3
) -> tuple[Causes, Causes, np.ndarray, list[int]]:
    """Two networks as the averages over orders hold them to be, which variables differ, and the column of each.

    A uniform order; for the variable at a place the set S of those before it with probability proportional to
    1 / C(n - 1, |S|), |S| at most `most`; every block (configuration of S) is the same in both groups with probability
    p_none^(1 / (n blocks)); distributions by BDeu's Dirichlet with an equivalent sample of one row.

    Parameters
    ----------
    variables : how many, n;  levels : fewest and most of a variable
    p_none : prior probability that nothing differs anywhere;  most : parents of a variable

    Returns
    -------
    the networks, (n,) whether a variable differs, and for each variable a column in random order
    """
    arities = _arities(variables, levels, generator)
    parents, pairs, differs = [], [], np.zeros(variables, dtype=bool)
    for child in range(variables):
        weight = np.array([math.comb(child, k) / math.comb(variables - 1, k) for k in range(min(child, most) + 1)])
        many = int(generator.choice(len(weight), p=weight / weight.sum()))
        family = tuple(sorted(generator.choice(child, many, replace=False).tolist())) if many else ()
        blocks, alpha = _configurations(arities, family), np.full(arities[child], 1.0)
        alpha /= blocks * arities[child]
        first = generator.dirichlet(alpha, blocks)
        apart = generator.random(blocks) >= p_none ** (1 / (variables * blocks))
        second = np.where(apart[:, None], generator.dirichlet(alpha, blocks), first)
        parents.append(family)
        pairs.append((first, second))
        differs[child] = apart.any()
    networks = [Causes(arities, tuple(parents), tuple(pair[g] for pair in pairs)) for g in range(2)]
    return networks[0], networks[1], differs, generator.permutation(variables).tolist()


# -- parts ------------------------------------------------------------------------------------------------------------


def _drawn(shares: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """(rows,) one level for each row of (rows, levels) shares."""
    passed = generator.random(len(shares))[:, None] >= np.cumsum(shares, axis=1)[:, :-1]
    return passed.sum(axis=1)


def _arities(variables: int, levels: tuple[int, int], generator: np.random.Generator) -> np.ndarray:
    return generator.integers(levels[0], levels[1] + 1, variables)


def _families(variables: int, generator: np.random.Generator) -> Families:
    found = []
    for child in range(variables):
        many = min(child, int(generator.choice(len(PARENT_NUMBERS), p=PARENT_NUMBERS)))
        found.append(tuple(sorted(generator.choice(child, many, replace=False).tolist())) if many else ())
    return tuple(found)


def _configurations(arities: np.ndarray, family: tuple[int, ...]) -> int:
    return int(np.prod(arities[list(family)], dtype=np.int64))


def _grid(arities: np.ndarray, family: tuple[int, ...]) -> list[np.ndarray]:
    """For each parent (configurations,) its code."""
    return [axis.ravel() for axis in np.indices(tuple(arities[list(family)]))] if family else []


def _softmax(logits: np.ndarray) -> np.ndarray:
    weight = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def _margin(many: int, generator: np.random.Generator) -> np.ndarray:
    """(many,) shares, none below one in twenty."""
    shares = generator.uniform(0.15, 1.0, many)
    return np.asarray(0.05 + (1 - 0.05 * many) * shares / shares.sum())


def _factors(margins: list[np.ndarray], generator: np.random.Generator) -> Factors:
    cuts = tuple(norm.ppf(np.cumsum(margin)[:-1]) for margin in margins)
    return Factors(generator.normal(0, 0.7, (len(margins), 2)), cuts)
