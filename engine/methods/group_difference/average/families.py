"""Families in two groups: what every parent set is worth, block by block, and how many of them fit into memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from engine import words
from engine.counting.backend import kernels
from engine.counting.differences.forms import (
    BLOCKS,
    BOTH,
    COMMON,
    FORMS,
    LEVELS,
    NOMINAL,
    NUMBER,
    ORDERED,
    ChildComparison,
)
from engine.data.dataset import Dataset
from engine.data.fine_codes import CELLS
from engine.data.store import watched_pass
from engine.errors import SettingsError
from engine.execution import Progress, part, share, threads
from engine.methods.cost import gigabytes
from engine.methods.fitting import check_shape, check_that
from engine.methods.group_difference.numbers.scales import MANY_ROWS, Scales, level_scores, nodes
from engine.methods.group_difference.rows.counted_groups import MOST_CELLS, CountedGroups
from engine.methods.group_difference.rows.fine_groups import FineGroups
from engine.methods.group_difference.rows.groups import Groups
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.storing import storable
from engine.search.constraints import Constraints
from engine.search.knowledge import Knowledge
from engine.search.orders.average import MOST_VARIABLES, masks_before, memory_needed
from engine.search.orders.parent_sets import ParentSets, all_parent_sets

USUAL_PARENTS = 3
"""Most parents of a variable where the settings name no number."""
MOST_BYTES = 1_000_000_000
"""Bytes that the families and the sums over orders may take."""
_MOST_CELLS = float(1 << 62)
_TOGETHER = 4
"""Most variables between two looks at whether to go on."""


@storable
@dataclass(frozen=True, eq=False)
class Families:
    """Every family that is averaged over, scored in both groups; kept, so that another prior counts nothing again.

    Attributes
    ----------
    starts, members, sizes : of `ParentSets`, by position
    scores : (k,) ln P(rows of both groups) of each family
    factor_starts, factors : (k + 1,), ln Bayes factors of a difference in the blocks that have rows of both groups
    common, halves : (k,) ln Bayes factor of one difference over all blocks, and whether a difference may be BLOCKS,
        BOTH or
        COMMON (`mixed_families`)
    blocks : (k,) how many blocks each family could have
    before : (n,) masks of the variables that come first in every order
    """

    starts: np.ndarray
    members: np.ndarray
    sizes: np.ndarray
    scores: np.ndarray
    factor_starts: np.ndarray
    factors: np.ndarray
    common: np.ndarray
    halves: np.ndarray
    blocks: np.ndarray
    before: np.ndarray

    @property
    def sets(self) -> ParentSets:
        """The parent sets."""
        return ParentSets(self.starts, self.members, self.sizes)

    def weighed(self, log_same: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(k,) ln w and surprise of each family (`mixed_families`), under (n,) ln P(each variable is the same)."""
        mixed, surprise = np.empty(len(self.scores)), np.empty(len(self.scores))
        scores, evidence = self.scores + self.sets.log_prior(), (self.factor_starts, self.factors)
        about = self.common, self.halves, log_same[self.sets.children], self.blocks
        kernels().mixed_families(scores, *evidence, *about, mixed, surprise)
        return mixed, surprise

    def _check_read(self) -> None:
        """Kernels read these without a look at their bounds."""
        n, many = len(self.before), len(self.sizes)
        check_that(1 <= n <= MOST_VARIABLES, "orders of so many variables are not summed over")
        check_shape(self.starts, n + 1)
        check_shape(self.members, many, None)
        check_shape(self.factor_starts, many + 1)
        for numbers in (self.scores, self.blocks, self.common, self.halves):
            check_shape(numbers, many)
        for steps, end in ((self.starts, many), (self.factor_starts, len(self.factors))):
            check_that(steps[0] == 0 and steps[-1] == end and (np.diff(steps) >= 0).all(), "families overlap")
        check_that((np.diff(self.starts) > 0).all(), "a variable has no family")
        width = self.members.shape[1]
        check_that(((self.sizes >= 0) & (self.sizes <= width)).all(), "a family has no such size")
        meant = np.arange(width) < self.sizes[:, None]
        check_that(((self.members >= 0) & (self.members < n)).all(), "a parent is no variable")
        check_that(not (meant & (self.members == self.sets.children[:, None])).any(), "a variable is its own parent")
        rising = np.diff(self.members, axis=1) > 0
        check_that((rising | ~meant[:, 1:]).all(), "parents are not in order")
        check_that((self.blocks >= 1).all(), "a family has no blocks")


def outcome_of(groups: Groups) -> int:
    """Position of the variable with the role of the outcome; -1 where none has it."""
    return _outcome(groups.pooled)


def _outcome(data: Dataset) -> int:
    return next((i for i, name in enumerate(data.names) if data.roles.get(name) == "outcome"), -1)


def _outcome_last(known: Knowledge, data: Dataset) -> Knowledge:
    """With an outcome as the last tier, where nothing else is said of the order of variables."""
    place = _outcome(data)
    if (
        place < 0
        or known.tiers
        or known.order is not None
        or any(data.names[place] == arc[0] for arc in known.required)
    ):
        return known
    others = tuple(name for i, name in enumerate(data.names) if i != place)
    return replace(known, tiers=(others, (data.names[place],))) if others else known


def average_constraints(method: GroupDifferenceSettings, data: Dataset) -> Constraints:
    """Constraints on the arcs, with the most parents that are averaged over: three, unless the settings say.

    Fewer where three would not fit into memory and the settings do not insist. An outcome comes last.
    """
    known = _outcome_last(method.known(), data)
    constraints = known.constraints(data.names)
    n = data.n_variables
    least = max(map(len, constraints.required), default=0)
    wanted = min(max(USUAL_PARENTS, least) if known.max_parents is None else known.max_parents, max(n - 1, 0))
    if n > MOST_VARIABLES:
        return replace(constraints, max_parents=max(min(wanted, USUAL_PARENTS), least))
    arity, rows = data.arity.astype(float), data.n_rows
    fits = next((k for k in range(wanted, least, -1) if memory_of(constraints, arity, rows, k) <= MOST_BYTES), least)
    if known.max_parents is not None and fits < wanted:
        size = memory_of(constraints, arity, rows, wanted)
        taken = f"about {gigabytes(size)} of memory" if size < 1e15 else "more memory than there is"
        raise SettingsError(
            f"max_parents is {wanted}, which takes {taken} for {words.count(n, 'variable')}; at most {fits} fit. Or "
            "choose fewer variables.",
            setting="max_parents",
        )
    return replace(constraints, max_parents=fits)


def memory_of(constraints: Constraints, arity: np.ndarray, rows: int, max_parents: int) -> float:
    """About how many bytes the families and the sums over orders take."""
    size = float(memory_needed(len(arity)))
    for child, required in enumerate(constraints.required):
        free = constraints.allowed[child].copy()
        free[list(required)] = False
        always = float(arity[list(required)].prod())
        room = min(max_parents - len(required), int(free.sum()))
        blocks = np.zeros(room + 1)  # of all sets of a size together: elementary symmetric sums of the levels
        blocks[0] = always
        for levels in arity[free]:
            blocks[1:] += levels * blocks[:-1]
        many = np.array([math.comb(int(free.sum()), k) for k in range(room + 1)], dtype=float)
        size += float((many * (80 + 8 * max_parents) + 8 * np.minimum(blocks, many * rows / 2)).sum())
    largest = np.sort(arity)[::-1][: max_parents + 1].prod()
    return size if largest < _MOST_CELLS else math.inf


class ScoredChild(NamedTuple):
    """The families of one child in both groups.

    Attributes
    ----------
    rows : their places among the sets
    scores : (k, 3) ln P(rows) of the first group, of the second and of both together
    starts, factors, common, halves : as of `Families`
    """

    rows: slice
    scores: np.ndarray
    starts: np.ndarray
    factors: np.ndarray
    common: np.ndarray
    halves: np.ndarray


def list_families(
    method: GroupDifferenceSettings, groups: Groups, constraints: Constraints, progress: Progress
) -> tuple[Families, np.ndarray]:
    """All families with their blocks' factors, and (k, 2) their scores in either group alone."""
    sets = all_parent_sets(constraints)
    scores, common = np.empty((len(sets.sizes), 3)), np.empty(len(sets.sizes))
    halves = np.empty(len(sets.sizes), dtype=np.uint8)
    starts, factors, used = [np.zeros(1, dtype=np.int64)], [np.empty(0)], 0
    for child in score_families(method, groups, sets, progress):
        scores[child.rows], common[child.rows], halves[child.rows] = child.scores, child.common, child.halves
        starts.append(child.starts[1:] + used)
        factors.append(child.factors)
        used += len(child.factors)
    weighed = scores[:, 2].copy(), np.concatenate(starts), np.concatenate(factors), common, halves
    blocks = sets.blocks(groups.pooled.arity)
    families = Families(sets.starts, sets.members, sets.sizes, *weighed, blocks, masks_before(constraints))
    return families, scores[:, :2]


def score_families(
    method: GroupDifferenceSettings, groups: Groups, sets: ParentSets, progress: Progress
) -> Iterator[ScoredChild]:
    """Child by child: scores in the first group, the second and both, and the evidence for a difference."""
    arity = groups.pooled.arity.astype(np.int64)
    clusters, scales = groups.clusters, groups.scales(method)
    lined = sets.with_any(scales.line)  # and with it what scales count, before the families are
    if clusters is None and groups.fine is not None and not scales.by_levels:
        yield from _score_fine(method, groups, groups.fine, sets, progress)
        return
    fewer = min(groups.first.n_rows, groups.second.n_rows)
    if clusters is None and (groups.counted is not None or groups.pooled.n_rows >= MANY_ROWS):
        yield from _score_counted(method, groups, sets, progress)
        return
    blocks = sets.blocks(arity)
    levels = arity[sets.children].tolist()
    alphas = np.array([method.score.cell_prior(*family) for family in zip(blocks.tolist(), levels, strict=True)])
    codes = None if groups.counted is not None else np.concatenate([groups.first.codes, groups.second.codes], axis=1)

    def count(child: int) -> ScoredChild:
        rows, scale = sets.of(child), scales.scales[child]
        many = rows.stop - rows.start
        room = int(np.minimum(blocks[rows], fewer).sum())
        scores, common = np.empty((many, 3)), np.zeros(many)
        starts, factors = np.empty(many + 1, dtype=np.int64), np.empty(room)
        family, alpha = (sets.members[rows], sets.sizes[rows]), alphas[rows]
        halves = np.full(many, BLOCKS if scale.kind == LEVELS else BOTH, dtype=np.uint8)
        if clusters is not None:
            used = clusters.score(child, *family, alpha, (scores, starts, factors))
            if scale.kind != LEVELS:
                own = common_of_clusters(groups, scales, child, *family)
                common[:], lines = own[0], lined[rows]
                halves[lines | (scale.kind != NOMINAL)] = COMMON
            return ScoredChild(rows, scores, starts, factors[:used].copy(), common, halves)
        looked_up = scales.tables, nodes()
        asked = codes, groups.first.n_rows, arity, child, *family, alpha
        kind = LEVELS if scale.kind == NUMBER else scale.kind  # its levels are parents only
        how = ChildComparison(kind, scale.levels, scale.absent, *looked_up)
        used = kernels().group_families(*asked, how, scores, common, starts, factors)
        if scale.kind == NUMBER or (scale.kind != LEVELS and lined[rows].any()):
            before, anew = (starts, factors[:used].copy()), (np.empty_like(starts), np.empty(room))
            how = ChildComparison(scale.kind, scales.known(child), scale.absent, *looked_up)
            used = kernels().value_families(*asked, how, scales.line, scales.scores, common, anew, before)
            starts, factors = anew
        return ScoredChild(rows, scores, starts, factors[:used].copy(), common, halves)

    # what is only counted is counted by all threads for one variable at a time
    step = min(threads(), _TOGETHER) if groups.counted is None else 1
    for child in range(0, sets.n_variables, step):
        progress(child / sets.n_variables, f"scoring parent sets: variable {child + 1} of {sets.n_variables}")
        yield from share(count, range(child, min(child + step, sets.n_variables)))


def common_of_clusters(
    groups: Groups, scales: Scales, child: int, members: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(k,) evidence of common differences where rows belong together; ln Bayes factors and estimates of the last
    family."""
    clusters, scale, arity = groups.clusters, scales.scales[child], groups.pooled.arity.astype(np.int64)
    if clusters is None:
        raise RuntimeError("no rows belong together")
    common, out = np.empty(len(sizes)), (np.zeros(arity[child] + FORMS), np.zeros(arity[child] + FORMS))
    about = clusters.second, clusters.cluster, clusters.crossing
    how = ChildComparison(scale.kind, scale.levels, scale.absent, scales.tables, nodes())
    by_rows = np.full(len(sizes), scale.kind == NUMBER)
    if scale.kind != NUMBER and scales.line.any():
        meant = np.arange(members.shape[1]) < sizes[:, None]
        by_rows |= (scales.line[members] & meant).any(axis=1)
    for k in np.flatnonzero(by_rows).tolist():
        asked = child, members[k : k + 1], sizes[k : k + 1], how, scales.line, scales.scores
        kernels().clustered_families(
            scales.codes, groups.first.n_rows, arity, *asked, groups.unit, about, common[k : k + 1], *out
        )
    counted = np.flatnonzero(~by_rows).tolist()
    clusters.ask((child, tuple(members[k, : sizes[k]].tolist())) for k in counted)
    for k in counted:
        rows = clusters.rows(child, tuple(members[k, : sizes[k]].tolist()))
        given = np.array([rows.parents], dtype=np.int64).reshape(1, -1), sizes[k : k + 1]
        counting = rows.child, *given, how, rows.begins, about
        kernels().clustered_cells(rows.codes, rows.times, rows.arity, *counting, common[k : k + 1], *out)
    return common, *out


def _score_counted(
    method: GroupDifferenceSettings, groups: Groups, sets: ParentSets, progress: Progress
) -> Iterator[ScoredChild]:
    """`score_families` from tables: those of as many children as memory has room for are counted in one pass."""
    counted = CountedGroups(groups.first, groups.second) if groups.counted is None else groups.counted
    arity, n = groups.pooled.arity, sets.n_variables
    families = [
        [(child, sets.parents(k)) for k in range(sets.starts[child], sets.starts[child + 1])] for child in range(n)
    ]
    blocks = sets.blocks(arity)
    child = 0
    while child < n:
        wanted: dict[tuple[int, ...], int] = {}
        end = child
        while end < n:
            more = {tuple(sorted((end, *parents))) for _, parents in families[end]}
            new = {subset: counted.cells(subset) for subset in more if subset not in wanted}
            if end > child and sum(wanted.values()) + sum(new.values()) > MOST_CELLS:
                break
            wanted |= new
            end += 1
        said = f"counting {len(wanted):,} tables in one pass over {groups.pooled.n_rows:,} rows"
        progress(child / n, said)
        with watched_pass(part(progress, child / n, end / n), said):
            counted.ask(family for own in families[child:end] for family in own)
        for i in range(child, end):
            yield _score_child(method, groups, [counted.family(*family)[1] for family in families[i]], sets, blocks, i)
        child = end


def _score_fine(
    method: GroupDifferenceSettings, groups: Groups, fine: FineGroups, sets: ParentSets, progress: Progress
) -> Iterator[ScoredChild]:
    """`_score_counted`, and numbers by their fine codes given the parents that are likeliest by their levels."""
    scored = list(_score_counted(method, groups, sets, part(progress, 0.0, 0.8)))
    numbers = [i for i, name in enumerate(groups.pooled.names) if name in fine.cells]
    missing = [i for i in numbers if i not in fine.known]
    if missing:
        said = f"counting {len(missing):,} numbers in one pass over {groups.pooled.n_rows:,} rows"
        progress(0.8, said)
        with watched_pass(part(progress, 0.8, 1.0), said):
            fine.ask({i: _likely_parents(sets, scored[i]) for i in missing})
    blocks = sets.blocks(groups.pooled.arity)
    for i, child in enumerate(scored):
        yield _with_values(method, groups, fine, sets, blocks, i, child) if i in numbers else child


def _likely_parents(sets: ParentSets, child: ScoredChild) -> list[int]:
    """The other variables by what each is worth as a parent by itself, the best first."""
    sizes, members = sets.sizes[child.rows], sets.members[child.rows]
    alone = np.flatnonzero(sizes == sizes.min() + (sizes.min() == 0))
    order = alone[np.argsort(-child.scores[alone, 2], kind="stable")]
    return list(dict.fromkeys(members[order, : max(int(sizes[alone].max(initial=0)), 0)].ravel().tolist()))


def _with_values(
    method: GroupDifferenceSettings,
    groups: Groups,
    fine: FineGroups,
    sets: ParentSets,
    blocks: np.ndarray,
    i: int,
    child: ScoredChild,
) -> ScoredChild:
    """A number's families with the evidence of its values in those that were counted with them."""
    first_place = child.rows.start
    held = [k for k in range(len(child.common)) if fine.holds(i, sets.parents(first_place + k))]
    tables = [fine.family(i, sets.parents(first_place + k)) for k in held]
    cells = np.cumsum([0, *(table[0].size for table in tables)])
    first, second = (np.concatenate([table[g].ravel() for table in tables]) for g in (0, 1))
    levels = int(groups.pooled.arity[i])
    alphas = [method.score.cell_prior(blocks[first_place + k], levels) * levels / CELLS for k in held]
    scores, starts = np.empty((len(held), 3)), np.empty(len(held) + 1, dtype=np.int64)
    factors, common = np.empty(int(cells[-1]) // CELLS), np.zeros(len(held))
    order = level_scores(tables[0].sum(axis=(0, 1)), CELLS - 1)
    how = ChildComparison(ORDERED, order, CELLS - 1, groups.scales(method).tables, nodes())
    asked = first, second, cells, CELLS, np.array(alphas)
    kernels().counted_families(*asked, how, scores, common, starts, factors)
    place = {k: j for j, k in enumerate(held)}
    own = np.split(child.factors, child.starts[1:-1])
    for k, j in place.items():
        own[k] = factors[starts[j] : starts[j + 1]]
    every = child.common.copy()
    every[held] = common
    ends = np.cumsum([0, *map(len, own)]).astype(np.int64)
    return child._replace(starts=ends, factors=np.concatenate(own), common=every)


def _score_child(
    method: GroupDifferenceSettings,
    groups: Groups,
    tables: list[np.ndarray],
    sets: ParentSets,
    blocks: np.ndarray,
    child: int,
) -> ScoredChild:
    """The families of one child from their (2, J, r) counts."""
    rows, levels, scales = sets.of(child), tables[0].shape[2], groups.scales(method)
    scale = scales.scales[child]
    alphas = np.array([method.score.cell_prior(many, levels) for many in blocks[rows].tolist()])
    cells = np.cumsum([0, *(table[0].size for table in tables)])
    first, second = (np.concatenate([table[g].ravel() for table in tables]) for g in (0, 1))
    scores, starts = np.empty((len(tables), 3)), np.empty(len(tables) + 1, dtype=np.int64)
    factors, common = np.empty(int(cells[-1]) // levels), np.zeros(len(tables))
    how = ChildComparison(scale.kind, scale.levels, scale.absent, scales.tables, nodes())
    used = kernels().counted_families(first, second, cells, levels, alphas, how, scores, common, starts, factors)
    halves = np.full(len(tables), BLOCKS if scale.kind == LEVELS else BOTH, dtype=np.uint8)
    return ScoredChild(rows, scores, starts, factors[:used].copy(), common, halves)


def mixture(
    method: GroupDifferenceSettings, groups: Groups, sets: ParentSets, log_same: np.ndarray, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(k, 2) scores in either group, ln w and surprise of listed families; the blocks' factors are not kept.

    log_same : (n,) ln of the prior probability that each variable is the same
    """
    own, mixed, surprise = np.empty((len(sets.sizes), 2)), np.empty(len(sets.sizes)), np.empty(len(sets.sizes))
    blocks, prior, same = sets.blocks(groups.pooled.arity), sets.log_prior(), log_same[sets.children]
    for child in score_families(method, groups, sets, progress):
        rows = child.rows
        own[rows] = child.scores[:, :2]
        both = child.scores[:, 2] + prior[rows]
        evidence = child.starts, child.factors, child.common, child.halves
        kernels().mixed_families(both, *evidence, same[rows], blocks[rows], mixed[rows], surprise[rows])
    return own, mixed, surprise
