"""A gap explained: networks drawn from the posterior of a comparison, tables from theirs, and what each splits.

A draw: an order of the variables with the outcome last, parents of each under that order, whether its table is the same
in both groups, and the tables. A common difference draws both groups' tables as a separate one does.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from engine.data.spoken_levels import spoken_level
from engine.errors import DataError, SettingsError
from engine.execution import Progress, part
from engine.methods.group_difference.gap.gap import Gap
from engine.methods.group_difference.gap.shares import Mechanism, ancestors, split_gap
from engine.methods.group_difference.numbers.described import values_of
from engine.search.orders.average import MOST_VARIABLES, draw_orders
from engine.telling.group_difference.belonging import refusal_words

if TYPE_CHECKING:
    from engine.methods.group_difference.evidence import GroupDifferenceEvidence
    from engine.methods.group_difference.rows.groups import Groups

_TOGETHER = 100
"""Draws whose tables are drawn at once, between two looks at whether to go on."""
_EITHER_WAY, _NARROWER = 0.1, 0.7
"""An arrow that points each way in this part of the draws; an interval of a sum that is so much narrower than that of
its parts."""


def check_gap(result: GroupDifferenceEvidence, outcome: str, level: str | None, draws: int) -> None:
    """Nothing where the gap of an outcome can be explained; `DataError` or `SettingsError` elsewhere."""
    if outcome not in result.names:
        raise DataError(f"{outcome!r} was not compared; the group column itself never is.", column=outcome)
    if level is not None and level not in result.levels[outcome]:
        raise DataError(f"'{outcome}' has no level {level!r} here.", column=outcome)
    if draws < 1:
        raise SettingsError(f"draws is {draws}; it must be 1 or more.", setting="draws")
    if result.average is None or result.average.families is None:
        raise SettingsError(
            "A gap is explained by averaging over all orders, of up to "
            f"{MOST_VARIABLES} variables; choose fewer variables, or average over orders.",
            setting="average",
        )
    if result.clusters is not None and result.clusters.too_few:
        raise DataError(f"No gap is explained: {refusal_words(result.clusters, result.labels)}.")


def explain(
    result: GroupDifferenceEvidence,
    groups: Groups,
    outcome: str,
    level: str | None,
    draws: int,
    first: Sequence[str],
    labels: tuple[str, str],
    progress: Progress,
) -> Gap:
    """The gap of an outcome split over the mechanisms that differ; see `GroupDifferenceResult.explain_gap`."""
    place, names = result.names.index(outcome), result.names
    number = result.numbers.get(outcome) if level is None else None
    levels = result.levels[outcome]
    if level is None:
        spoken = spoken_level(levels)
        k = len(levels) - 1 if spoken is None else spoken
    else:
        k = levels.index(level)
    said = "" if number is not None else levels[k]
    seed = [result.method.seed, *(zlib.crc32(text.encode()) for text in (result.fingerprint, outcome, said))]
    generator = np.random.default_rng(seed)
    networks = _draw_networks(result, place, first, draws, generator, part(progress, 0.0, 0.4))
    families = _FamilyTables(result, groups, place, None if number is not None else k)
    shares, differs, error = np.zeros((draws, len(names))), np.zeros((draws, len(names)), dtype=bool), 0.0
    for begin in range(0, draws, _TOGETHER):
        progress(0.4 + 0.6 * begin / draws, f"splitting the gap: network {begin + 1:,} of {draws:,}")
        rows = range(begin, min(begin + _TOGETHER, draws))
        for row, mechanisms in zip(rows, families.drawn(networks, rows, generator), strict=True):
            split, variance = split_gap(mechanisms, place, generator)
            error += variance
            for v, share in split.items():
                shares[row, v], differs[row, v] = share, True
    if number is not None:
        observed = float(number.means[0]), float(number.means[1])
    else:
        counts = result.marginal[place].counts[0]
        one, other = (counts[:, k] / np.maximum(counts.sum(axis=1), 1)).tolist()
        observed = one, other
    model = shares.sum(axis=1)
    gap = observed[1] - observed[0]
    low, high = np.quantile(model, (0.025, 0.975))
    means, ends = shares.mean(axis=0), np.quantile(shares, (0.025, 0.975), axis=0)
    every = np.column_stack([means, *ends])
    chosen = [v for v in np.argsort(-np.abs(means), kind="stable").tolist() if v != place and differs[:, v].any()]
    chosen += [place] * bool(differs[:, place].any())
    pairs, together = _either_way(networks, shares, [v for v in chosen if v != place], every, abs(gap) / 20)
    return Gap(
        outcome=outcome,
        level=said,
        unit="" if number is None else number.unit,
        labels=labels,
        observed=observed,
        names=tuple(names[v] for v in chosen),
        shares=every[chosen],
        chances=differs[:, chosen].mean(axis=0),
        unexplained=(gap - float(means.sum()), gap - float(high), gap - float(low)),
        pairs=tuple((names[a], names[b]) for a, b in pairs),
        together=together,
        first=tuple(names[v] for v in networks.first),
        draws=draws,
        error=math.sqrt(error) / draws,
        p_none=result.method.p_none,
    )


@dataclass(frozen=True, eq=False)
class _Networks:
    """Networks drawn from the posterior.

    Attributes
    ----------
    parents : of each parent set that is there
    chosen : (draws, n) the set of each variable
    same : (draws, n) whether its table is one for both groups
    first : positions of the variables that stand first by choice
    """

    parents: tuple[tuple[int, ...], ...]
    chosen: np.ndarray
    same: np.ndarray
    first: tuple[int, ...]

    def leads(self, a: int, b: int) -> float:
        """In which part of the draws a is a parent of b."""
        has = np.array([a in parents for parents in self.parents])
        return float(has[self.chosen[:, b]].mean())


def _draw_networks(
    result: GroupDifferenceEvidence,
    outcome: int,
    first: Sequence[str],
    draws: int,
    generator: np.random.Generator,
    progress: Progress,
) -> _Networks:
    """Orders with the outcome as late as what is known lets it be, then parents under each order."""
    average = result.average
    if average is None or average.families is None:
        raise RuntimeError("no families are known")
    families, n = average.families, len(result.names)
    sets = families.sets
    mixed, surprise = families.weighed(result.log_priors)
    earlier = families.before.copy()
    chosen = [i for i in range(n) if result.names[i] in set(first) and i != outcome]
    early = sum(1 << i for i in chosen)
    chosen = [i for i in chosen if not earlier[i] & ~early]  # not those that something else must come before
    early = sum(1 << i for i in chosen)
    late = [i for i in range(n) if not early >> i & 1]
    earlier[late] |= early
    among = sum(1 << i for i in range(n) if i != outcome and not earlier[i] >> outcome & 1)
    before = draw_orders(sets, mixed, earlier, among, draws, generator, progress)
    meant = np.arange(sets.members.shape[1]) < sets.sizes[:, None]
    masks = np.where(meant, np.int64(1) << sets.members, 0).sum(axis=1)
    picked = np.zeros((draws, n), dtype=np.int64)
    for child in range(n):
        rows = sets.of(child)
        ahead, of = np.unique(before[:, child], return_inverse=True)
        chances = generator.random(draws)
        for group, mask in enumerate(ahead.tolist()):
            allowed = np.flatnonzero(masks[rows] & ~mask == 0)
            values = mixed[rows][allowed]
            weights = np.cumsum(np.exp(values - values.max()))
            own = np.flatnonzero(of.ravel() == group)
            at = np.searchsorted(weights, chances[own] * weights[-1], side="right")
            picked[own, child] = rows.start + allowed[np.minimum(at, len(allowed) - 1)]
    same = generator.random((draws, n)) < np.exp(-surprise[picked])
    used, place = np.unique(picked, return_inverse=True)
    parents = tuple(sets.parents(int(row)) for row in used)
    return _Networks(parents, place.reshape(draws, n), same, tuple(chosen))


class _FamilyTables:
    """Tables of families in both groups, drawn from their posteriors: of the outcome its mean."""

    def __init__(self, result: GroupDifferenceEvidence, groups: Groups, outcome: int, level: int | None) -> None:
        self._result, self._groups, self._outcome, self._level = result, groups, outcome, level
        self._arity = groups.pooled.arity
        self._weighed = cache(self._counts if level is not None else self._counts_or_values)

    def drawn(self, networks: _Networks, rows: range, generator: np.random.Generator) -> list[dict[int, Mechanism]]:
        """The mechanisms of the variables that lead to the outcome, of each of some draws."""
        result: list[dict[int, Mechanism]] = [{} for _ in rows]
        wanted: dict[tuple[int, tuple[int, ...], bool], list[int]] = {}
        for at, row in enumerate(rows):
            parents = {v: networks.parents[chosen] for v, chosen in enumerate(networks.chosen[row].tolist())}
            for v in ancestors(parents, self._outcome):
                wanted.setdefault((v, parents[v], bool(networks.same[row, v])), []).append(at)
        self._groups.ask((v, parents) for v, parents, _ in wanted)
        for (v, given, same), places in wanted.items():
            for at, table in zip(places, self._draw(v, given, same, len(places), generator), strict=True):
                result[at][v] = Mechanism(given, table)
        return result

    def _draw(
        self, child: int, parents: tuple[int, ...], same: bool, many: int, generator: np.random.Generator
    ) -> np.ndarray:
        """(many, 1 or 2, levels of the parents ..., levels of the child) tables."""
        given = [int(self._arity[x]) for x in parents]
        blocks, levels = math.prod(given), int(self._arity[child])
        counts = self._weighed(child, parents)
        if counts.shape[-1] == 3 and child == self._outcome and self._level is None:
            return _drawn_means(counts, same, many, generator).reshape(many, -1, *given)
        alpha = self._result.method.score.cell_prior(blocks, levels) + (counts.sum(axis=0)[None] if same else counts)
        table = generator.standard_gamma(np.broadcast_to(alpha, (many, *alpha.shape))) + 1e-300
        table /= table.sum(axis=-1, keepdims=True)
        table = table.reshape(many, -1, *given, levels)
        return table[..., self._level] if child == self._outcome else table

    def _counts(self, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """(2, blocks, levels) rows; what they count where they belong together."""
        given = [int(self._arity[x]) for x in parents]
        counts = np.zeros((2, math.prod(given), int(self._arity[child])))
        clusters = self._groups.clusters
        if clusters is None:
            for g in (0, 1):
                configurations, table = self._groups.table(g, child, parents)
                counts[g, _flat(np.asarray(configurations).T, given)] += table
            return counts
        cells = clusters.cells(child, parents)
        weights = clusters.weights(child, parents)[cells.unit] * cells.times
        second = clusters.second[cells.unit].astype(np.int64)
        np.add.at(counts, (second, _flat(cells.configurations, given), cells.values), weights)
        return counts

    def _counts_or_values(self, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """The same; of an outcome that is a number (2, blocks, 3) rows with a value, their mean, squares about it."""
        if child != self._outcome:
            return self._counts(child, parents)
        given, groups = [int(self._arity[x]) for x in parents], self._groups
        values = values_of(groups, groups.pooled.names[child])
        if values is None:
            raise DataError(f"The values of {groups.pooled.names[child]!r} are not at hand.")
        block = _flat(groups.pooled.codes[list(parents)].astype(np.int64), given, len(values))
        result = np.zeros((2, math.prod(given), 3))
        for g, inside in enumerate((groups.inside, ~groups.inside)):
            own = inside & np.isfinite(values)
            rows = np.bincount(block[own], minlength=result.shape[1])
            means = np.bincount(block[own], values[own], minlength=len(rows)) / np.maximum(rows, 1)
            about = (values[own] - means[block[own]]) ** 2
            result[g] = np.column_stack([rows, means, np.bincount(block[own], about, minlength=len(rows))])
        if groups.clusters is not None:
            counts = self._counts(child, parents).sum() / max(len(values), 1)  # what a row counts here
            result[..., [0, 2]] *= counts
        return result


def _flat(configurations: np.ndarray, given: Sequence[int], rows: int = 0) -> np.ndarray:
    """The block of each row from the codes of its parents."""
    if not given:
        return np.zeros(max(rows, configurations.shape[-1] if configurations.size else 1), dtype=np.int64)
    return np.asarray(np.ravel_multi_index(tuple(configurations.astype(np.int64)), tuple(given)))


def _drawn_means(about: np.ndarray, same: bool, many: int, generator: np.random.Generator) -> np.ndarray:
    """(many, g, blocks) means from their posterior: normal, a block's own spread held by that of all its group's rows.

    A block counts one row more, spread over all blocks, at its group's mean; one without rows varies as single values
    do.
    """
    if same:
        rows, means, squares = about.transpose(2, 0, 1)
        total = rows.sum(axis=0)
        middle = (rows * means).sum(axis=0) / np.maximum(total, 1e-300)
        spread = squares.sum(axis=0) + (rows * (means - middle) ** 2).sum(axis=0)
        about = np.stack([total, middle, spread], axis=-1)[None]
    rows, means, squares = about.transpose(2, 0, 1)
    total = np.maximum(rows.sum(axis=1, keepdims=True), 1e-300)
    middle = (rows * means).sum(axis=1, keepdims=True) / total
    overall = (squares + rows * (means - middle) ** 2).sum(axis=1, keepdims=True) / total
    within = squares.sum(axis=1, keepdims=True) / total
    more = 1.0 / rows.shape[1]
    centre = (rows * means + more * middle) / (rows + more)
    variance = np.where(rows > 0, (squares + 4 * within) / (np.maximum(rows, 1e-300) + 4), overall)
    error = np.sqrt(variance / np.maximum(rows + more, 1.0))
    return np.asarray(centre + error * generator.standard_normal((many, *centre.shape)))


def _either_way(
    networks: _Networks, shares: np.ndarray, chosen: Sequence[int], every: np.ndarray, least: float
) -> tuple[list[tuple[int, int]], np.ndarray]:
    """Pairs whose shares are unsure because their arrow may turn, and the sums of their shares."""
    pairs, sums = [], []
    widths = every[:, 2] - every[:, 1]
    for i, a in enumerate(chosen):
        for b in chosen[i + 1 :]:
            if min(networks.leads(a, b), networks.leads(b, a)) < _EITHER_WAY:
                continue
            both = shares[:, a] + shares[:, b]
            low, high = np.quantile(both, (0.025, 0.975))
            if high - low <= _NARROWER * max(widths[a], widths[b]) and abs(both.mean()) >= least:
                pairs.append((a, b))
                sums.append((float(both.mean()), float(low), float(high)))
    return pairs, np.array(sums).reshape(-1, 3)
