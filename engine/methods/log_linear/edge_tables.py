"""The edges of a log-linear model and the cells of its groups as tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import DataError
from engine.graphs.dag import bits
from engine.lazy import nx, pd
from engine.methods import frames
from engine.methods.evidence import CANNOT_TELL, CLAIMS, NO, YES, Claim
from engine.methods.log_linear.counts import Margin
from engine.methods.log_linear.criteria import LN2
from engine.methods.log_linear.evidence import LogLinearEvidence
from engine.methods.log_linear.message import MARGIN, EdgeEvidence, largest_shift
from engine.methods.log_linear.pair_screening import beyond_chance
from engine.methods.log_linear.search import Step
from engine.models import elimination
from engine.models.elimination import Factor


def variables(result: LogLinearEvidence) -> pd.DataFrame:
    """One row a variable: levels, links, and the groups that it is in."""
    graph = result.graph
    groups = Counter(name for group in result.linked_cliques for name in group)
    rows = [(len(result.levels[name]), graph.degree[name], groups[name]) for name in result.names]
    return frames.data_frame(rows, ["levels", "links", "groups"], names=result.names)


def _step_values(result: LogLinearEvidence, step: Step, evidence: EdgeEvidence) -> dict[str, Any]:
    """The columns of an edge that came, or was refused."""
    a, b = result.pair((step.a, step.b))
    return {
        "a": a,
        "b": b,
        "saving_bits": evidence.saving_bits,
        "separator": result.in_order(bits(step.separator)),
        "df": evidence.degrees,
        "G": evidence.statistic,
        "log10_p": result.support_of(step.table).log10_p,
    }


def steps(result: LogLinearEvidence) -> pd.DataFrame:
    """The accepted edges in order.

    Returns
    -------
    pandas.DataFrame: step, a, b, saving_bits (its parts graph_bits, parameter_bits, data_bits; positive saves),
    total_bits (of the model after it), separator (names, at entry), df, G, log10_p, joint (came as one of two)
    """
    total, rows = result.start_bits, []
    for number, (step, evidence) in enumerate(zip(result.accepted, result.entries, strict=True), 1):
        total -= evidence.saving_bits
        own = {"step": number, "total_bits": total, "joint": step.joint}
        rows.append(own | _step_values(result, step, evidence) | evidence.message.saved())
    columns = ["step", "a", "b", "saving_bits", "graph_bits", "parameter_bits", "data_bits", "total_bits"]
    return frames.data_frame(rows, columns=[*columns, "separator", "df", "G", "log10_p", "joint"])


def refused(result: LogLinearEvidence) -> pd.DataFrame:
    """The best edges that were not taken, best first.

    Returns
    -------
    pandas.DataFrame: a, b, separator, short_by_bits (under the criterion used), rows_factor (about how many times the
    rows it would need), saving_bits, df, G, log10_p
    """
    rows = []
    for item in result.declined:
        factor = item.rows_factor if math.isfinite(item.rows_factor) else None  # not known, or none tried would do
        own = {"short_by_bits": -item.step.margin / LN2, "rows_factor": factor}
        rows.append(own | _step_values(result, item.step, result.evidence(item.step)))
    columns = ["a", "b", "separator", "short_by_bits", "rows_factor", "saving_bits", "df", "G", "log10_p"]
    return frames.data_frame(rows, columns=columns).astype({"rows_factor": "Float64"})


def replay(result: LogLinearEvidence, step: int) -> nx.Graph:
    """The graph after so many steps.

    Parameters
    ----------
    step : from 0 (the start) to the number of steps

    Returns
    -------
    networkx.Graph

    Raises
    ------
    DataError : there is no such step
    """
    if not 0 <= step <= len(result.accepted):
        raise DataError(f"There is no step {step}; steps are numbered 0 to {len(result.accepted)}.")
    graph = nx.empty_graph(result.names)
    edges = [*result.begun.edges(), *((item.a, item.b) for item in result.accepted[:step])]
    graph.add_edges_from(result.pair(edge) for edge in edges)
    return graph


def directed(result: LogLinearEvidence) -> nx.DiGraph:
    """An equivalent directed network, along the order in which the graph can be taken apart.

    Returns
    -------
    networkx.DiGraph without circles and without v-structures
    """
    order = result.chosen.elimination_order() or []
    rank = {x: i for i, x in enumerate(reversed(order))}
    graph = nx.empty_graph(result.names, nx.DiGraph)
    for a, b in result.chosen.edges():
        first, second = (a, b) if rank[a] < rank[b] else (b, a)
        graph.add_edge(result.sorted_names[first], result.sorted_names[second])
    return graph


def compare(result: LogLinearEvidence, other: LogLinearEvidence) -> pd.DataFrame:
    """The edges of either of two models.

    Parameters
    ----------
    other : a model over the same variables

    Returns
    -------
    pandas.DataFrame, one row an edge: a, b, in_this, in_other, and its evidence in bits in both

    Raises
    ------
    DataError : the models stand over different variables
    """
    if result.names != other.names:
        raise DataError("The two models stand over different variables and cannot be compared.")
    ours, theirs = ({pair: edge.evidence_bits for pair, edge in each.edge_values.items()} for each in (result, other))
    place = {name: i for i, name in enumerate(result.names)}
    rows = [
        (*pair, pair in ours, pair in theirs, ours.get(pair, math.nan), theirs.get(pair, math.nan))
        for pair in sorted({*ours, *theirs}, key=lambda pair: (place[pair[0]], place[pair[1]]))
    ]
    return frames.data_frame(rows, columns=["a", "b", "in_this", "in_other", "bits_here", "bits_there"])


def claims(result: LogLinearEvidence) -> pd.DataFrame:
    """One row a pair that was linked, or nearly: whether it is linked.

    "yes" where the link is in the model, beyond chance and not only of levels that numbers were cut into, "no" where it
    is not and a shift of any share by a tenth or more is improbable; "cannot tell" of every pair where rows belong to
    fewer than six subjects. `chance` is p of the G test times the number of pairs; `effect` the largest shift of a
    share, given what the link is given, and `high` its upper 95 % posterior bound.
    """
    pairs = [(pair, result.edge_table(pair), True) for pair in result.graph.edges]
    pairs += [(result.pair((item.step.a, item.step.b)), item.step.table, False) for item in result.declined]
    return frames.data_frame([_claim(result, *item) for item in pairs], columns=list(CLAIMS))


def _claim(result: LogLinearEvidence, pair: tuple[str, str], table: Margin | None, linked: bool) -> Claim:
    """The claim on one pair."""
    about, n = " -- ".join(pair), result.n_rows
    if table is None or result.undecided or (linked and result.from_the_cut(pair)):
        return Claim(about, "linked", CANNOT_TELL, n=n)
    support = result.support_of(table)
    shift, high = largest_shift(table, result.sorted_names, result.method.seed, result.effect)
    beyond = beyond_chance(support.log10_p, result.pairs)
    verdict = CANNOT_TELL
    if linked and beyond:
        verdict = YES
    elif not linked and not beyond and high < MARGIN:
        verdict = NO
    chance = min(1.0, 10.0**support.log10_p * result.pairs)
    return Claim(about, "linked", verdict, support.log_bayes_factor, chance=chance, effect=shift, high=high, n=n)


MOST_CELLS = 1_000_000
SMALL = 5.0
"""Expected counts below this are marked: their residuals are no approximate normal deviates."""
FAR = 2.0
"""Adjusted residuals beyond this are farther off than chance allows for one cell in twenty."""


def expected(result: LogLinearEvidence, variables: Sequence[str]) -> pd.Series:
    """Expected counts of all cells of some variables under the model; they sum to the rows.

    A product over cliques divided by one over separators.

    Parameters
    ----------
    variables : names, each once

    Returns
    -------
    pandas.Series by their levels

    Raises
    ------
    DataError : an unknown variable, none or one twice, a table of more than a million cells
    """
    names = list(variables)
    if len(set(names)) != len(names) or not names:
        raise DataError("Name one or more different variables to work out their expected counts.")
    keep = [result.position(name) for name in names]
    wanted = 0
    for x in keep:
        wanted |= result.chosen.component(x)
    tables = [keep, *(margin.variables for margin in result.margins if wanted >> margin.variables[0] & 1)]
    cells = [math.prod(float(result.arity[x]) for x in variables) for variables in tables]
    joint = None
    if cells[0] <= MOST_CELLS and max(cells) <= elimination.MOST_CELLS:
        joint = elimination.sum_out(_factors(result, wanted), result.arity, keep)
    if joint is None:
        raise DataError(f"The table of {len(names)} variables has too many cells to be worked out; choose fewer.")
    index = pd.MultiIndex.from_product([result.levels[name] for name in names], names=names)
    return pd.Series(joint[1].ravel() * result.n_rows, index=index, name="expected")


def _factors(result: LogLinearEvidence, wanted: int) -> list[Factor]:
    """The conditional tables p(rest of the clique | separator) of the components in the bit set `wanted`."""
    factors = []
    seen = 0
    for margin in result.margins:  # in the order of the clique tree: what was seen before is the separator
        if not wanted >> margin.variables[0] & 1:
            continue
        joint = margin.dense(result.arity).astype(float)
        new = tuple(i for i, x in enumerate(margin.variables) if not seen >> x & 1)
        below = joint.sum(axis=new, keepdims=True)
        factors.append((margin.variables, np.divide(joint, below, out=np.zeros_like(joint), where=below > 0)))
        seen |= sum(1 << x for x in margin.variables)
    return factors


def residuals(result: LogLinearEvidence, clique: Sequence[str], without: tuple[str, str] | None = None) -> pd.DataFrame:
    """Observed and expected counts of a group of variables, with Pearson and adjusted residuals.

    Inside a group the model reproduces the observed counts. With `without` the two variables of that edge are taken
    as independent given the others of the group (for a whole clique and an edge of no other one, that is the model
    that lacks the edge), so the residuals show what the edge explains. The adjusted ones are Pearson's divided by
    their standard error.

    Parameters
    ----------
    clique : names that lie together in one clique, each once
    without : the two variables of the edge to leave out, None for the model itself

    Returns
    -------
    pandas.DataFrame: the variables, observed, expected, pearson, adjusted, small (expected below 5)

    Raises
    ------
    DataError : an unknown variable or one twice, variables that are not together in one clique, an edge that is not
        between two of them, a table of more than a million cells
    """
    names = list(clique)
    positions = [result.position(name) for name in names]
    if len(set(names)) != len(names) or not names:
        raise DataError("Name one or more different variables to compare their counts with the model.")
    if math.prod(len(result.levels[name]) for name in names) > MOST_CELLS:
        raise DataError("This group has too many cells to be shown; choose fewer variables.")
    observed = result.margin_of(positions).dense(result.arity).astype(float)
    if without is None:
        wanted, adjustment = observed, np.ones_like(observed)
    else:
        if not set(without) <= set(names) or len(set(without)) != 2:
            raise DataError("The edge to leave out must lie between two of these variables.")
        wanted, adjustment = _without(observed, *(names.index(x) for x in without))
    pearson = np.divide(observed - wanted, np.sqrt(wanted * result.effect), out=np.zeros_like(wanted), where=wanted > 0)
    adjusted = np.divide(pearson, np.sqrt(adjustment), out=np.zeros_like(pearson), where=adjustment > 1e-12)
    index = pd.MultiIndex.from_product([result.levels[name] for name in names], names=range(len(names)))
    frame = index.to_frame(index=False)
    frame.columns = pd.Index(names)
    values = {
        "observed": observed.ravel().astype(np.int64),
        "expected": wanted.ravel(),
        "pearson": pearson.ravel(),
        "adjusted": adjusted.ravel(),
        "small": wanted.ravel() < SMALL * result.effect,
    }
    for title, column in values.items():
        while title in names:  # a variable may be called so
            title += "*"
        frame[title] = column
    return frame


def _without(observed: np.ndarray, i: int, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Expected counts when axes i and j are independent given the others, and the variance factor of the residuals.

    expected = n(S+a) n(S+b) / n(S); the Pearson residual has variance (1 - n(S+a)/n(S)) (1 - n(S+b)/n(S)).
    """
    first, second = observed.sum(axis=j, keepdims=True), observed.sum(axis=i, keepdims=True)
    given = observed.sum(axis=(i, j), keepdims=True)
    safe = np.where(given > 0, given, 1)
    return first * second / safe, (1 - first / safe) * (1 - second / safe)


@dataclass(frozen=True)
class Deviation:
    """The distance of counts from those expected.

    Attributes
    ----------
    far, cells : cells farther off than chance allows, of how many
    levels : of the cell farthest off, by variable
    observed, expected : its counts
    thin : cells of which too few rows are expected to judge them
    """

    far: int
    cells: int
    levels: Mapping[str, Any]
    observed: int
    expected: float
    thin: int


def deviation_of(table: pd.DataFrame) -> Deviation:
    """The deviation of a table of residuals, whatever its variables are called."""
    observed, expected, _, adjusted, small = table.columns[-5:]
    size = table[adjusted].abs()
    row: Hashable = size.idxmax()
    levels = {str(name): table.at[row, name] for name in table.columns[:-5]}
    counts = int(table.at[row, observed]), float(table.at[row, expected])
    return Deviation(int((size > FAR).sum()), len(table), levels, *counts, int(table[small].sum()))


def held_fast(table: pd.DataFrame, order: Sequence[str], most: int) -> tuple[list[str], list[str]]:
    """The variables to hold at one level so that at most so many cells are left, and the others; at least two stay."""
    rest, cells = list(order), len(table)
    while cells > most and len(rest) > 2:
        cells //= max(table[rest[0]].nunique(), 1)
        rest = rest[1:]
    return list(order[: len(order) - len(rest)]), rest


def parts_of(table: pd.DataFrame, fixed: Sequence[str]) -> list[tuple[str, ...]]:
    """The combinations of levels of some variables, that with the largest sum of squared residuals first."""
    adjusted = table.columns[-2]
    off: dict[tuple[str, ...], float] = {}
    for row in table.to_dict("records"):
        part = tuple(str(row[name]) for name in fixed)
        off[part] = off.get(part, 0.0) + float(row[adjusted]) ** 2
    return sorted(off, key=lambda part: -off[part])
