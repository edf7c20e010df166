"""The evidence of every block: one configuration of shared parents, modelled once for each group and once for both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.graphs.dag import Parents
from engine.measures.risk_difference import cluster_risk_difference
from engine.methods.group_difference.rows.clusters import Clusters
from engine.methods.group_difference.rows.groups import Groups
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.storing import storable
from engine.scores.dirichlet import row_scores


@storable
@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of one variable that have rows, under one alignment.

    Attributes
    ----------
    parents : positions of the variables whose configurations are the blocks (C_i of equation 6)
    possible : H_i, how many blocks there could be
    configurations : (m, k) codes of those parents
    counts : (m, 2, r) rows by group and level of the variable
    bayes : (m,) b, natural-log Bayes factor for "different"
    effective : (m, 2, r) what the rows count where they belong together, else None
    ends : (m + 1, 2, r) low and high ends of the difference of each level's share in each block, and at last held
        within all of them, where rows belong together; else None
    """

    parents: tuple[int, ...]
    possible: float
    configurations: np.ndarray
    counts: np.ndarray
    bayes: np.ndarray
    effective: np.ndarray | None = None
    ends: np.ndarray | None = None

    @property
    def weighed(self) -> np.ndarray:
        """(m, 2, r) what the rows count: one each where they are by themselves."""
        return self.counts if self.effective is None else self.effective


def weigh(
    method: GroupDifferenceSettings,
    groups: Groups,
    structures: tuple[Parents, Parents, Parents],
    common: bool,
    known: tuple[Blocks, ...] = (),
) -> tuple[Blocks, ...]:
    """The blocks of every variable: over the parents all three networks share, or all on the pooled network's.

    `known` are blocks that were weighed before; where the parent sets are theirs they serve again.
    """
    families = [(structures[0][i], structures[1][i], structures[2][i]) for i in range(groups.pooled.n_variables)]
    same = [bool(known) and len({*own, known[i].parents}) == 1 for i, own in enumerate(families)]
    families = [own[2:] * 3 if common else own for own in families]
    asked = [(i, parents) for i, own in enumerate(families) if not same[i] for parents in {*own, _shared(own)}]
    groups.ask(asked)
    return tuple(known[i] if same[i] else _weigh_family(method, groups, i, own) for i, own in enumerate(families))


def weigh_clusters(
    method: GroupDifferenceSettings, groups: Groups, parents: Parents, known: tuple[Blocks, ...] = ()
) -> tuple[Blocks, ...]:
    """The blocks of every variable over common parents, with what rows that belong together count."""
    result = weigh(method, groups, (parents,) * 3, common=True, known=known)
    clusters = groups.clusters
    if clusters is None:
        return result
    clusters.ask((i, own.parents) for i, own in enumerate(result))
    return tuple(
        own if own.effective is not None else _with_clusters(method, clusters, i, own) for i, own in enumerate(result)
    )


def _with_clusters(method: GroupDifferenceSettings, clusters: Clusters, child: int, blocks: Blocks) -> Blocks:
    """Effective counts, the odds that follow from them, and intervals."""
    cells = clusters.cells(child, blocks.parents)
    number = {tuple(row): j for j, row in enumerate(blocks.configurations.tolist())}
    strata = np.array([number[tuple(row)] for row in cells.configurations.T.tolist()], dtype=np.int64)
    values, second, of = cells.values, clusters.second[cells.unit] > 0, clusters.cluster[cells.unit]
    effective = np.zeros(blocks.counts.shape)
    weights = clusters.weights(child, blocks.parents)[cells.unit] * cells.times
    np.add.at(effective, (strata, second.astype(np.int64), values), weights)
    alpha = method.score.cell_prior(blocks.possible, blocks.counts.shape[2])
    scores = [row_scores(part, alpha) for part in (effective[:, 0], effective[:, 1], effective.sum(axis=1))]
    ends = []
    order = np.argsort(strata, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(strata, minlength=len(effective)))[:-1])
    for counts, rows, inside in (
        *((blocks.counts[j : j + 1], rows, np.zeros(len(rows), dtype=np.int64)) for j, rows in enumerate(parts)),
        (blocks.counts, order, strata[order]),
    ):
        about = values[rows], inside, second[rows], of[rows]
        ends.append(cluster_risk_difference(counts, *about, times=cells.times[rows])[1:])
    return replace(blocks, bayes=scores[0] + scores[1] - scores[2], effective=effective, ends=np.array(ends))


def stack(blocks: Sequence[Blocks]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All log Bayes factors in a row, where each variable's begin (n + 1,), and H_i (n,), for `odds.log_odds`."""
    starts = np.cumsum([0, *(len(block.bayes) for block in blocks)])
    return np.concatenate([block.bayes for block in blocks]), starts, np.array([block.possible for block in blocks])


def _shared(families: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The parents that a variable has in all three networks."""
    return tuple(x for x in families[2] if x in families[0] and x in families[1])


def _weigh_family(
    method: GroupDifferenceSettings, groups: Groups, child: int, families: tuple[tuple[int, ...], ...]
) -> Blocks:
    """Equations 6 and 7 for one variable: b = sum of row scores, group by group, minus those of the pooled rows."""
    shared = _shared(families)
    arity = groups.pooled.arity
    counted = [
        groups.table(0, child, families[0]),
        groups.table(1, child, families[1]),
        groups.table(None, child, families[2]),
    ]
    configurations = groups.table(None, child, shared)[0]
    number = {tuple(row): j for j, row in enumerate(configurations.tolist())}
    bayes = np.zeros(len(configurations))
    counts = np.zeros((len(configurations), 2, int(arity[child])), dtype=np.int64)
    for place, ((rows, table), parents, sign) in enumerate(zip(counted, families, (1, 1, -1), strict=True)):
        alpha = method.score.cell_prior(float(np.prod(arity[list(parents)], dtype=float)), int(arity[child]))
        if parents == shared and len(rows) == len(configurations):  # all of them, in the same order
            block = np.arange(len(rows))
        else:
            columns = [parents.index(x) for x in shared]
            block = np.array([number[tuple(row)] for row in rows[:, columns].tolist()], dtype=np.int64)
        bayes += sign * np.bincount(block, row_scores(table, alpha), minlength=len(bayes))
        if sign > 0:
            np.add.at(counts[:, place], block, table)
    possible = float(np.prod(arity[list(shared)], dtype=float))
    return Blocks(shared, possible, configurations, counts, bayes)
