"""Tables of two groups and more whose links are known: plain NumPy, none of the package's own models.

Binary tables are log-linear with pairs only and are drawn from all 2^p states, so that a coefficient is the log odds
ratio of its pair given all others, whatever the margins; larger ones are chains of small blocks of that kind. Ratings
are cut normal values whose precision matrix is given. Nominal tables are random directed networks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import multivariate_normal, norm

Random = np.random.Generator


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of all groups.

    Attributes
    ----------
    codes : (p, n);  levels : of each variable;  label : (n,) group of each row
    ordered : whether levels have an order;  subject : (n,) whose each row is; None where rows are independent
    """

    codes: np.ndarray
    levels: tuple[int, ...]
    label: np.ndarray
    ordered: bool = False
    subject: np.ndarray | None = None


def stacked(parts: Sequence[np.ndarray], levels: Sequence[int], ordered: bool = False) -> Table:
    """A table of groups that were drawn one by one."""
    label = np.repeat(np.arange(len(parts)), [one.shape[1] for one in parts])
    return Table(np.hstack(list(parts)), tuple(levels), label, ordered)


# -- which pairs are linked -------------------------------------------------------------------------------------------


def random_pairs(variables: int, many: int, generator: Random, most: int = 3) -> list[tuple[int, int]]:
    """So many different pairs, no variable in more than `most`."""
    while True:
        degree, found = np.zeros(variables, dtype=int), set()
        for _ in range(50 * many):
            a, b = sorted(generator.choice(variables, 2, replace=False).tolist())
            if (a, b) not in found and degree[a] < most and degree[b] < most:
                found.add((a, b))
                degree[[a, b]] += 1
            if len(found) == many:
                return sorted(found)


def signs(many: int, generator: Random) -> np.ndarray:
    """So many of 1 and -1."""
    found: np.ndarray = generator.choice([-1.0, 1.0], many)
    return found


# -- binary -----------------------------------------------------------------------------------------------------------


def states(variables: int) -> np.ndarray:
    """(2^p, p) all of them."""
    found: np.ndarray = (np.arange(2**variables)[:, None] >> np.arange(variables)) & 1
    return found


def coefficients(variables: int, pairs: Sequence[tuple[int, int]], values: Sequence[float] | np.ndarray) -> np.ndarray:
    """(p, p) symmetric, 0 where there is no link."""
    found = np.zeros((variables, variables))
    for (a, b), value in zip(pairs, values, strict=True):
        found[a, b] = found[b, a] = value
    return found


def joint(theta: np.ndarray, prevalence: np.ndarray) -> np.ndarray:
    """(2^p,) share of each state: log odds ratios `theta`, fields such that the margins are `prevalence`."""
    every = states(len(theta))
    weight = np.exp(0.5 * np.einsum("si,ij,sj->s", every, theta, every, optimize=True))
    for _ in range(200):
        worst = 0.0
        for i, wanted in enumerate(prevalence):
            share = weight @ every[:, i] / weight.sum()
            factor = wanted / (1 - wanted) * (1 - share) / share
            weight = np.where(every[:, i] == 1, weight * factor, weight)
            worst = max(worst, abs(np.log(factor)))
        if worst < 1e-8:
            break
    found: np.ndarray = weight / weight.sum()
    return found


def binary(theta: np.ndarray, prevalence: np.ndarray, rows: int, generator: Random) -> np.ndarray:
    """(p, rows) of the log-linear model; up to 12 variables."""
    drawn = generator.choice(2 ** len(theta), size=rows, p=joint(theta, prevalence))
    found: np.ndarray = states(len(theta))[drawn].T
    return found


def chain(variables: int, log_odds: np.ndarray, rows: int, generator: Random) -> np.ndarray:
    """(p, rows) of a stationary chain of balanced binary variables whose neighbours have these log odds ratios."""
    found = np.empty((variables, rows), dtype=np.int64)
    found[0] = generator.random(rows) < 0.5
    for i in range(1, variables):
        same = 1 / (1 + np.exp(-log_odds[i - 1] / 2))
        found[i] = np.where(generator.random(rows) < same, found[i - 1], 1 - found[i - 1])
    return found


def two_by_two(first: float, second: float, log_odds: float) -> np.ndarray:
    """(2, 2) shares with these prevalences of 1 and this log odds ratio."""
    low, high = max(0.0, first + second - 1), min(first, second)
    for _ in range(200):
        both = (low + high) / 2
        now = np.log(both) + np.log(1 - first - second + both) - np.log(first - both) - np.log(second - both)
        low, high = (both, high) if now < log_odds else (low, both)
    return np.array([[1 - first - second + both, second - both], [first - both, both]])


def blocks(prevalence: np.ndarray, log_odds: np.ndarray, rows: int, generator: Random) -> np.ndarray:
    """(p, rows): variables 0 and 1, 2 and 3, ... have these log odds ratios, and blocks are independent."""
    found = []
    for place, value in enumerate(log_odds):
        shares = two_by_two(prevalence[2 * place], prevalence[2 * place + 1], value)
        cell = generator.choice(4, size=rows, p=shares.ravel() / shares.sum())
        found += [cell // 2, cell % 2]
    return np.array(found)


def common_log_odds(shares: np.ndarray, u: int, v: int, given: np.ndarray) -> float:
    """Mantel and Haenszel's log odds ratio of a whole population: binary states and the flags of what is held."""
    every = states(int(np.log2(len(shares))))
    context = every[:, given] @ (1 << np.arange(int(given.sum())))
    cell = context * 4 + every[:, u] * 2 + every[:, v]
    table = np.bincount(cell, weights=shares, minlength=4 * (int(context.max()) + 1)).reshape(-1, 4)
    whole = table.sum(axis=1)
    whole[whole == 0] = 1.0
    return float(np.log((table[:, 0] * table[:, 3] / whole).sum() / (table[:, 1] * table[:, 2] / whole).sum()))


# -- ratings ----------------------------------------------------------------------------------------------------------


def from_partial(variables: int, pairs: Sequence[tuple[int, int]], values: np.ndarray) -> np.ndarray:
    """(p, p) correlations whose partial correlations given all others are these, all shrunk until that is possible."""
    values = np.array(values, dtype=float)
    while True:
        precision = np.eye(variables) - coefficients(variables, pairs, values)
        if np.linalg.eigvalsh(precision)[0] > 0.15:
            break
        values = values * 0.95
    return to_correlation(np.linalg.inv(precision))


def to_correlation(matrix: np.ndarray) -> np.ndarray:
    """The same with ones on its diagonal."""
    root = np.sqrt(np.diag(matrix))
    found: np.ndarray = matrix / np.outer(root, root)
    return found


def partial_correlations(correlation: np.ndarray) -> np.ndarray:
    """(p, p) given all others."""
    return -to_correlation(np.linalg.inv(correlation))


def with_leaf(correlation: np.ndarray, on: int, r: float) -> np.ndarray:
    """One variable more that hangs on `on` alone."""
    row = r * correlation[on]
    return np.block([[correlation, row[:, None]], [row[None, :], np.ones((1, 1))]])


def neighbours(variables: int, r: float) -> np.ndarray:
    """(p, p) of a chain whose neighbours correlate r."""
    place = np.arange(variables)
    found: np.ndarray = r ** np.abs(place[:, None] - place[None, :])
    return found


def some_cuts(variables: int, levels: int, generator: Random, floor: tuple[float, float] | None = None) -> np.ndarray:
    """(p, levels - 1) thresholds; with a floor the lowest step has a share between these two."""
    shares = generator.dirichlet(np.full(levels, 8.0), variables)
    if floor is not None:
        lowest = generator.uniform(*floor, variables)
        rest = generator.dirichlet(np.full(levels - 1, 8.0), variables)
        shares = np.column_stack([lowest, rest * (1 - lowest)[:, None]])
    found: np.ndarray = norm.ppf(np.cumsum(shares, axis=1)[:, :-1])
    return found


def hidden(correlation: np.ndarray, rows: int, generator: Random) -> np.ndarray:
    """(p, rows) normal values."""
    found: np.ndarray = np.linalg.cholesky(correlation) @ generator.normal(size=(len(correlation), rows))
    return found


def cut(values: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """(p, rows) levels of hidden values."""
    return np.array([np.searchsorted(own, row) for own, row in zip(cuts, values, strict=True)])


def ratings(correlation: np.ndarray, cuts: np.ndarray, rows: int, generator: Random) -> np.ndarray:
    """(p, rows) of cut normal values."""
    return cut(hidden(correlation, rows, generator), cuts)


def cut_log_odds(r: float, first: float, second: float) -> float:
    """Log odds ratio of two hidden values that correlate r, each cut once."""
    both = float(multivariate_normal.cdf([first, second], mean=[0, 0], cov=[[1, r], [r, 1]]))
    a, b = norm.cdf(first), norm.cdf(second)
    return float(np.log(both) + np.log(1 - a - b + both) - np.log(a - both) - np.log(b - both))


# -- rows that belong together ----------------------------------------------------------------------------------------


def of_subjects(shared: np.ndarray, own: np.ndarray, icc: float, subject: np.ndarray, generator: Random) -> np.ndarray:
    """(p, rows) hidden values: a part of the subject with correlations `shared`, and one of the row with `own`."""
    person = hidden(shared, int(subject.max()) + 1, generator)[:, subject]
    found: np.ndarray = np.sqrt(icc) * person + np.sqrt(1 - icc) * hidden(own, len(subject), generator)
    return found


# -- directed ---------------------------------------------------------------------------------------------------------


def random_network(levels: Sequence[int], rows: int, generator: Random, most: int = 2) -> np.ndarray:
    """(p, rows) of a directed network: up to `most` parents, shares of a flat Dirichlet; columns in a random order."""
    place = generator.permutation(len(levels))
    codes = np.empty((len(levels), rows), dtype=np.int64)
    for position, child in enumerate(place):
        many = min(position, int(generator.integers(0, most + 1)))
        family = generator.choice(place[:position], many, replace=False) if many else np.empty(0, dtype=int)
        context = np.zeros(rows, dtype=np.int64)
        for parent in family:
            context = context * levels[parent] + codes[parent]
        shares = generator.dirichlet(np.ones(levels[child]), int(np.prod([levels[x] for x in family], dtype=int)))
        codes[child] = (generator.random((rows, 1)) > shares[context].cumsum(axis=1)[:, :-1]).sum(axis=1)
    return codes


def coin(log_odds: np.ndarray, generator: Random) -> np.ndarray:
    """(rows,) 0 or 1."""
    found: np.ndarray = (generator.random(len(log_odds)) < 1 / (1 + np.exp(-log_odds))).astype(np.int64)
    return found


def one_table_differs(kind: str, turn: float, rows: int, generator: Random) -> list[np.ndarray]:
    """Two groups of u, v, their child c, and others; only the table of c given u and v differs.

    Where u's effect on c turns its sign, the link of u and v differs given c.

    Parameters
    ----------
    kind : "independent" (u and v), "common parent", "direct" (u -> v, each with a parent of its own, which fixes the
        directions), or "bare" (u -> v alone: no direction among u, v and c can be known)
    turn : u's effect on c in the second group, as a multiple of that in the first
    rows : a group

    Returns
    -------
    the groups, (7, rows) each: u, v, c, a child of c, two that may be parents of u and v, one by itself
    """
    effect = np.concatenate([signs(1, generator) * generator.uniform(1.2, 2), generator.uniform(1.2, 2, 1)])
    effect[1] *= signs(1, generator)[0]
    start, to_child, tie = generator.uniform(-0.5, 0.5), generator.uniform(1, 1.5), generator.uniform(1, 1.5)
    found = []
    for times in (1.0, turn):
        first, second, alone = generator.integers(0, 2, (3, rows))
        nothing = np.zeros(rows)
        if kind == "common parent":
            u, v = (coin(tie * (2 * first - 1), generator) for _ in range(2))
        else:
            u = coin(nothing if kind == "bare" else tie * (2 * first - 1), generator)
            on_v = nothing if kind == "bare" else tie * (2 * second - 1)
            v = coin(on_v + (0 if kind == "independent" else tie) * (2 * u - 1), generator)
        c = coin(start + times * effect[0] * (2 * u - 1) + effect[1] * (2 * v - 1), generator)
        found.append(np.array([u, v, c, coin(to_child * (2 * c - 1), generator), first, second, alone]))
    return found
