"""Pairs of columns before any model: their own tests, columns that determine others, and shared gaps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.data.dataset import Dataset
from engine.measures.tails import log_chi2_tail
from engine.methods.log_linear.counts import Counts, Margin
from engine.methods.log_linear.thin_tables import drawn_log_p, seed_of, strata, thin_pairs
from engine.methods.storing import storable

MOST_VARIABLES = 400
"""Beyond these the pairs are too many to be kept one by one."""
MOST_DRAWN = 500
"""Pairs with thin tables whose p is drawn; of more the weaker ones have no p."""
CHANCE = 0.05
"""The bar of chance: among all pairs, one so far off comes less often than this where nothing is linked."""
NEARLY = 0.01
"""Share of rows that may break a rule for the column to be nearly determined."""
OF_GUESSES = 0.1
"""And of the rows that the commonest level alone gets wrong."""
ROWS_A_LEVEL, WRONG_GUESSES = 5, 5
"""Fewer rows a level determine anything by luck; a column that is nearly constant needs no other to be known."""


@storable
@dataclass(frozen=True)
class Rule:
    """A column that follows from another.

    Attributes
    ----------
    source, target : names;  both : whether it holds the other way too, so that they are copies or relabelled
    exceptions : rows that break it
    """

    source: str
    target: str
    both: bool
    exceptions: int


@storable
@dataclass(frozen=True, eq=False)
class PairScreening:
    """The pairs by themselves.

    Attributes
    ----------
    log10_p : of every pair's own G test, variables in alphabetical order, pairs as `numpy.triu_indices` has them; NaN
        where it is not known, empty where there are too many variables
    rules : columns that follow from another
    """

    log10_p: np.ndarray = field(default_factory=lambda: np.zeros(0))
    rules: tuple[Rule, ...] = ()

    def alone(self, a: int, b: int, variables: int) -> float:
        """log10 p of two variables by themselves, by their positions in alphabetical order; NaN where unknown."""
        a, b = sorted((a, b))
        place = a * variables - a * (a + 1) // 2 + b - a - 1
        return float(self.log10_p[place]) if place < len(self.log10_p) else math.nan


NOT_SCREENED = PairScreening()
"""Of a result that was made without."""


def beyond_chance(log10_p: float, pairs: int) -> bool:
    """True of a p too small for chance when so many pairs are asked about; not where it is unknown."""
    return log10_p + math.log10(max(pairs, 1)) <= math.log10(CHANCE)


def screen_pairs(counts: Counts, seed: int | None) -> PairScreening:
    """Every pair by itself.

    Parameters
    ----------
    counts : of the table
    seed : of the draws for thin tables; None for the chi-squared distribution whatever the table

    Returns
    -------
    `PairScreening`; empty beyond `MOST_VARIABLES`
    """
    p = len(counts.names)
    if p > MOST_VARIABLES or not counts.n_rows:
        return PairScreening()
    margins = [counts.margins[i] for i in counts.column]
    information = counts.all_pairs(counts.entropy_terms)
    upper = np.triu_indices(p, k=1)
    seen = np.array([np.count_nonzero(margin) - 1 for margin in margins], dtype=float)
    log_p = log_chi2_tail(2 * np.maximum(information[upper], 0), np.outer(seen, seen)[upper])
    if seed is None:
        return PairScreening(log_p / math.log(10), _rules(counts, margins, information))
    thin = thin_pairs(margins, counts.n_rows, counts.effect)[upper]
    doubtful = np.flatnonzero(thin & (log_p <= math.log(CHANCE / max(len(log_p), 1))))
    order = doubtful[np.argsort(np.round(log_p[doubtful], 6), kind="stable")]
    log_p[order[MOST_DRAWN:]] = math.nan
    for place in order[:MOST_DRAWN].tolist():
        a, b = int(upper[0][place]), int(upper[1][place])
        rng = seed_of(seed, [counts.names[a], counts.names[b]])
        log_p[place] = drawn_log_p(strata(counts.margin((a, b))), rng, effect=counts.effect)
    return PairScreening(log_p / math.log(10), _rules(counts, margins, information))


def rules_of(data: Dataset) -> tuple[Rule, ...]:
    """Columns of a table that follow from another; none looked for beyond `MOST_VARIABLES`."""
    if data.n_variables > MOST_VARIABLES or not data.n_rows:
        return ()
    counts = Counts(data, effect=1.0)
    return _rules(counts, [counts.margins[i] for i in counts.column], counts.all_pairs(counts.entropy_terms))


def _rules(counts: Counts, margins: Sequence[np.ndarray], information: np.ndarray) -> tuple[Rule, ...]:
    """Both directions of a pair are asked where its information says that a rule is near."""
    whole = counts.size * math.log(counts.size) - np.array(
        [counts.entropy_terms[margin].sum() for margin in margins]
    )  # N H of every variable
    near = (information >= 0.8 * np.minimum.outer(whole, whole)) & (np.minimum.outer(whole, whole) > 0)
    result = []
    for a, b in np.argwhere(np.triu(near, k=1)).tolist():
        table = counts.margin((a, b)).dense(counts.arity)
        forward, back = _exceptions(table), _exceptions(table.T)
        item, two = sorted((a, b), key=lambda x: counts.column[x])
        if forward is not None and back is not None:
            result.append(Rule(counts.names[item], counts.names[two], True, max(forward, back)))
        elif forward is not None:
            result.append(Rule(counts.names[a], counts.names[b], False, forward))
        elif back is not None:
            result.append(Rule(counts.names[b], counts.names[a], False, back))
    return tuple(sorted(result, key=lambda rule: (rule.exceptions, not rule.both)))


def _exceptions(table: np.ndarray) -> int | None:
    """Rows in which the column is not what the row of the table says it mostly is; None where that is no rule."""
    rows, levels = int(table.sum()), int((table.sum(axis=1) > 0).sum())
    broken = rows - int(table.max(axis=1).sum())
    guessed = rows - int(table.sum(axis=0).max())
    if rows < ROWS_A_LEVEL * levels or guessed < WRONG_GUESSES:
        return None
    return broken if broken <= NEARLY * rows and broken <= OF_GUESSES * guessed else None


TOGETHER, COINCIDE = 5, 0.5
"""Rows in which two columns lack their values, at least; and the share of the rarer one's gaps that they are."""


@dataclass(frozen=True)
class Gaps:
    """Rows in which both variables of a link lack their values.

    Attributes
    ----------
    table : counts of the rows in which neither does, the ends of the link last
    arity : (p,) numbers of levels without those that mean missing
    """

    table: Margin
    arity: np.ndarray


def missing_levels(data: Dataset, names: Iterable[str]) -> dict[str, str]:
    """The level of each variable that stands for missing values, where it has one.

    Parameters
    ----------
    data : the table
    names : of the variables that are asked about
    """
    return {name: level for name in names if (level := data.missing_level(name)) is not None}


def gaps_of(
    names: tuple[str, str],
    table: Margin,
    arity: np.ndarray,
    levels: Mapping[str, Sequence[str]],
    missing: Mapping[str, str],
) -> Gaps | None:
    """The rows in which both variables of a link lack their values, where these are many.

    Parameters
    ----------
    names : of the last two variables of the table, in its order
    table : counts of what the link is given, and of its two ends
    arity, levels : of all variables
    missing : variable -> its level that stands for missing values

    Returns
    -------
    None where a variable has no such level, or they are seldom missing together
    """
    if not set(names) <= set(missing):
        return None
    code = [levels[name].index(missing[name]) for name in names]
    gap = table.cells[:, -2:] == code
    own, other = (int(table.counts[gap[:, k]].sum()) for k in (0, 1))
    both = int(table.counts[gap.all(axis=1)].sum())
    if both < max(TOGETHER, COINCIDE * min(own, other)):
        return None
    without_gap = ~gap.any(axis=1)
    fewer = arity.copy()
    fewer[list(table.variables[-2:])] -= 1
    return Gaps(Margin(table.variables, table.cells[without_gap], table.counts[without_gap]), fewer)
