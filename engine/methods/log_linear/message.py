"""Message lengths of a decomposable model (Wallace's minimum message length as in Petitjean, Allison & Webb 2014).

In nats; divide by ln 2 for bits. With O_A(x) the counts of the cells of the variables A, M pairs of variables, E edges
(where rows belong together, N and O are divided by the design effect):

    graph       ln(1 + M) + ln binom(M, E)
    parameters  ln(N + 1) (sum over cliques of #P(C) - sum over separators of #P(S)),   #P(A) = prod r - 1
    data        sum over cliques of L(C) - sum over separators of L(S),                 L(A) = ln N! - sum ln O_A(x)!
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from engine.lazy import special
from engine.measures.tails import log_chi2_tail
from engine.methods.log_linear.counts import Margin
from engine.methods.log_linear.criteria import AH, BIC, KL, LN2, MML, Criterion, SearchState, graph_term
from engine.methods.log_linear.search import Step
from engine.methods.log_linear.thin_tables import drawn_log_p, is_thin, seed_of, strata

MOST_ROWS_FACTOR = 1e6


@dataclass(frozen=True)
class Message:
    """Length of a message in nats, by its three parts."""

    graph: float
    parameters: float
    data: float

    @property
    def total(self) -> float:
        """All three."""
        return self.graph + self.parameters + self.data

    def __neg__(self) -> Message:
        return Message(-self.graph, -self.parameters, -self.data)

    def saved(self) -> dict[str, Any]:
        """Where it is what a change adds: the bits that are saved, by its parts."""
        parts = {"graph_bits": self.graph, "parameter_bits": self.parameters, "data_bits": self.data}
        return {name: -value / LN2 for name, value in parts.items()}

    def bits(self) -> dict[str, float]:
        """{"graph", "parameters", "data", "total"} in bits."""
        return {name: value / LN2 for name, value in {**asdict(self), "total": self.total}.items()}


@dataclass(frozen=True)
class EdgeEvidence:
    """The evidence for one edge given its separator.

    Attributes
    ----------
    message : dI by its parts (negative: the edge shortens the message);  degrees : of freedom
    statistic : G, likelihood ratio;  log10_p : of the chi-squared test, exact however small
    """

    message: Message
    degrees: float
    statistic: float
    log10_p: float

    @property
    def saving_bits(self) -> float:
        """Bits the edge saves."""
        return -self.message.total / LN2


@dataclass(frozen=True)
class EdgeValue:
    """The value of an edge of a model, in bits that it saves.

    Attributes
    ----------
    evidence_bits : what taking it away would cost; NaN where it cannot go alone
    removable : whether it can
    cliques : in how many it lies
    entry_bits : what it saved when it came; NaN for edges of the start
    from_the_cut : whether the numbers that were cut do not show it
    """

    evidence_bits: float
    removable: bool
    cliques: int
    entry_bits: float
    from_the_cut: bool = False

    @property
    def strength(self) -> float:
        """The worth of the edge: the evidence; of one that cannot go alone what it saved when it came, else 0."""
        known = (bits for bits in (self.evidence_bits, self.entry_bits) if math.isfinite(bits))
        return next(known, 0.0)


def data_length(counts: np.ndarray) -> float:
    """L(A) in nats of the counts of a table's cells: ln N! - sum of ln O!; also for counts that are not whole."""
    return data_lengths([counts])[0]


def data_lengths(tables: Sequence[np.ndarray], factor: float = 1.0) -> list[float]:
    """`data_length` of several tables with so many times the rows."""
    flat = np.concatenate([np.asarray(counts, dtype=float).ravel() for counts in tables]) * factor
    ends = list(itertools.accumulate(np.size(counts) for counts in tables))
    spans = [slice(begin, end) for begin, end in zip([0, *ends], ends, strict=False)]
    logs = special.gammaln(flat + 1)
    whole = special.gammaln(np.array([np.add.reduce(flat[span]) for span in spans]) + 1)
    return [float(total - np.add.reduce(logs[span])) for total, span in zip(whole, spans, strict=True)]


def entropy_sum(counts: np.ndarray) -> float:
    """The sum of k ln k over a table's cells."""
    counts = np.asarray(counts, dtype=float)
    return float((counts * np.log(np.where(counts > 0, counts, 1))).sum())


def model_message(
    cliques: Sequence[Margin],
    separators: Iterable[Margin],
    arity: np.ndarray,
    n_rows: int,
    edges: int,
    effect: float = 1.0,
) -> Message:
    """The whole message of a model, from the tables of its cliques and separators."""
    pairs = len(arity) * (len(arity) - 1) // 2
    graph = math.log(1 + pairs) + math.lgamma(pairs + 1) - math.lgamma(edges + 1) - math.lgamma(pairs - edges + 1)
    parameters, data = 0.0, 0.0
    for sign, tables in ((1, cliques), (-1, separators)):
        for table in tables:
            if table.variables:
                parameters += sign * (math.prod(float(arity[x]) for x in table.variables) - 1)
                data += sign * data_length(table.counts / effect)
    return Message(graph, parameters * math.log(n_rows / effect + 1), data)


def edge_evidence(table: Margin, arity: np.ndarray, pairs: int, edges: int, effect: float = 1.0) -> EdgeEvidence:
    """Equation 18 for an edge between the last two variables of a table, given its others, as one more than `edges`.

    Counts are divided by the design effect, and so is G (Rao & Scott).
    """
    degrees = _degrees(table, arity)
    parts = _parts(table)
    information = _four([-length for length in data_lengths(parts, 1.0 / effect)])
    half = _four([entropy_sum(part) for part in parts]) / effect
    rows = float(table.counts.sum()) / effect
    message = Message(graph_term(pairs, edges), math.log(rows + 1) * degrees, -information)
    log_p = float(log_chi2_tail(np.array([2 * half]), np.array([degrees]))[0])
    return EdgeEvidence(message, degrees, 2 * max(half, 0.0), log_p / math.log(10))


def rows_needed(step: Step, criterion: Criterion, state: SearchState) -> float:
    """Multiple of the rows that a refused edge would need, were the shares to stay as they are; NaN where unknown.

    The information of an edge grows with the rows, what it costs only with their logarithm.
    """
    table = step.table
    effect = criterion.counts.effect
    rows = float(table.counts.sum()) / effect
    degrees = _degrees(table, criterion.counts.arity)
    parts = _parts(table)
    half = _four([entropy_sum(part) for part in parts]) / effect

    def margin(factor: float) -> float:
        if isinstance(criterion, MML):
            information = _four([-length for length in data_lengths(parts, factor / effect)])
            return information - math.log(rows * factor + 1) * degrees - graph_term(state.pairs, state.edges)
        if isinstance(criterion, BIC):
            return factor * half - math.log(rows * factor) / 2 * degrees
        rank = -float(log_chi2_tail(np.array([2 * half * factor]), np.array([degrees]))[0])
        return criterion.margin(rank, state)

    if isinstance(criterion, KL | AH) or half <= 0 or not degrees:
        return math.nan
    low, high = 1.0, 2.0
    while margin(high) <= 0:
        low, high = high, high * 2
        if high > MOST_ROWS_FACTOR:
            return math.inf
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if margin(middle) <= 0 else (low, middle)
    return high


def detectable_odds_ratio(n_rows: int, n_variables: int) -> float:
    """The smallest odds ratio of a table of whole counts at which a first edge between two even yes/no variables pays.

    Under "mml"; infinite where only a table with empty cells would do, or none.
    """
    pairs = n_variables * (n_variables - 1) // 2
    if n_rows < 1 or pairs < 1:
        return math.inf

    half = n_rows // 2

    def saving(cell: int) -> float:
        line = data_length(np.array([half, half]))
        cells = np.array([cell, half - cell, half - cell, cell])
        return 2 * line - data_length(cells) - math.log(n_rows + 1) - graph_term(pairs, 0)

    low, high = half // 2, half
    if half < 1 or saving(high) <= 0:
        return math.inf
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if saving(middle) <= 0 else (low, middle)
    return (high / (half - high)) ** 2 if high < half else math.inf


def _degrees(table: Margin, arity: np.ndarray) -> float:
    *given, a, b = (float(arity[x]) for x in table.variables)
    return (a - 1) * (b - 1) * math.prod(given)


def _parts(table: Margin) -> list[np.ndarray]:
    """Counts over S+a+b, S, S+a, S+b, for a and b the last two variables."""
    *given, a, b = table.variables
    groups = (table.variables, tuple(given), (*given, a), (*given, b))
    return [table.counts if group == table.variables else table.over(group).counts for group in groups]


def _four(values: Sequence[float]) -> float:
    """Of S+a+b + S - S+a - S+b; no separator is one cell with all rows, of length L = 0."""
    whole, given, first, second = values
    return whole + given - first - second


ESS = 1.0
"""Equivalent sample size, as everywhere in the package where nothing else is asked for."""
MARGIN = 0.1
"""A shift of a share that is smaller than this is called small."""
DRAWS = 400


@dataclass(frozen=True)
class EdgeSupport:
    """The support that the rows give one edge, given its separator.

    Attributes
    ----------
    separator : names
    log_bayes_factor : natural log, for the edge
    log10_p : of the G test, by draws where the table is thin
    """

    separator: tuple[str, ...]
    log_bayes_factor: float
    log10_p: float


def edge_support(
    table: Margin,
    names: Sequence[str],
    arity: np.ndarray,
    seed: int | None,
    separator: Sequence[str],
    effect: float = 1.0,
) -> EdgeSupport:
    """Of an edge between the last two variables of a table, given its others.

    Parameters
    ----------
    table : the counts
    names, arity : of all variables, in alphabetical order
    seed : of the draws for a thin table; None for the chi-squared distribution whatever the table
    separator : the names of the others, as they shall be said
    effect : the design effect, which counts are divided by

    Returns
    -------
    `EdgeSupport`
    """
    tables = strata(table)
    *given, a, b = table.variables
    if seed is not None and is_thin(tables, effect):
        rng = seed_of(seed, [names[x] for x in (a, b, *given)])
        log10_p = drawn_log_p(tables, rng, effect=effect) / math.log(10)
    else:
        log10_p = edge_evidence(table, arity, 1, 0, effect).log10_p
    return EdgeSupport(tuple(separator), log_bayes_factor(table, arity, effect=effect), log10_p)


def log_bayes_factor(table: Margin, arity: np.ndarray, ess: float = ESS, effect: float = 1.0) -> float:
    """ln of how many times more probable the counts are with the edge between the last two variables than without."""
    *given, a, b = table.variables
    whole, *parts = (
        _dirichlet(table.over(group), arity, ess, effect) for group in ((*given, a, b), given, (*given, a), (*given, b))
    )
    return whole + parts[0] - parts[1] - parts[2]


def largest_shift(table: Margin, names: Sequence[str], seed: int, effect: float = 1.0) -> tuple[float, float]:
    """The largest difference that a level of one of the last two variables makes to a share of the other.

    Whatever the levels of the variables that are given, and either way round.

    Parameters
    ----------
    table : the counts
    names : of all variables, in alphabetical order
    seed : of the draws
    effect : the design effect, which counts are divided by

    Returns
    -------
    as observed, and below which it lies with 95 % posterior probability under Jeffreys' prior for every line; NaN where
    nothing can be told
    """
    tables = strata(table)
    rng = seed_of(seed, ["shift", *(names[x] for x in table.variables)])
    lines = [side for counts in tables for side in (counts, counts.T)]
    if not lines:
        return math.nan, math.nan
    observed = max(float(np.ptp(line / line.sum(axis=1, keepdims=True), axis=0).max()) for line in lines)
    drawn = np.zeros(DRAWS)
    for line in lines:
        gamma = rng.standard_gamma(line / effect + 0.5, size=(DRAWS, *line.shape))
        shares = gamma / gamma.sum(axis=2, keepdims=True)
        drawn = np.maximum(drawn, np.ptp(shares, axis=1).max(axis=1))
    return observed, float(np.quantile(drawn, 0.95))


def _dirichlet(table: Margin, arity: np.ndarray, ess: float, effect: float) -> float:
    """ln of the marginal likelihood of a table's counts; cells that do not occur add nothing."""
    if not table.variables:
        return 0.0
    each = ess / table.cells_possible(arity)
    rows = float(table.counts.sum()) / effect
    cells = float((special.gammaln(each + table.counts / effect) - special.gammaln(each)).sum())
    return float(special.gammaln(ess) - special.gammaln(ess + rows)) + cells
