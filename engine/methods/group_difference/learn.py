"""Three networks with one order, and the evidence of every block for "independent" against "same"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.counting import family_table
from engine.errors import DataError
from engine.execution import Progress, part
from engine.methods.group_difference.odds import row_scores
from engine.search.constraints import Constraints
from engine.search.learn import Parents, learn_parents

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.group_difference.result import GroupDifferenceResult
    from engine.methods.group_difference.settings import GroupDifference

REST = "all other rows"
"""What the second group is called when one level is compared with the rest."""


@dataclass(frozen=True, eq=False)
class Groups:
    """The two groups over the same variables and levels.

    Attributes
    ----------
    labels : what the two groups are called
    first, second, pooled : their data; levels that neither group has are gone
    dropped : name -> levels that were declared, or belong to other groups, but neither of the two has
    """

    labels: tuple[str, str]
    first: Dataset
    second: Dataset
    pooled: Dataset
    dropped: dict[str, tuple[str, ...]]

    def relabelled(self, generator: np.random.Generator) -> Groups:
        """The same rows with the group labels shuffled."""
        n = self.first.n_rows
        shuffled = generator.permutation(self.pooled.n_rows)
        first, second = (self.pooled.rows(np.sort(rows)) for rows in (shuffled[:n], shuffled[n:]))
        return Groups(self.labels, first, second, self.pooled, self.dropped)


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
    """

    parents: tuple[int, ...]
    possible: float
    configurations: np.ndarray
    counts: np.ndarray
    bayes: np.ndarray


def compare_groups(method: GroupDifference, data: Dataset, progress: Progress) -> GroupDifferenceResult:
    """The whole comparison: split, learn three networks, weigh every block."""
    from engine.methods.group_difference.result import GroupDifferenceResult

    groups = split_groups(method, data)
    priority = sorted(range(groups.pooled.n_variables), key=lambda i: groups.pooled.names[i])
    structures = learn_three(method, groups, priority, part(progress, 0.0, 0.9))
    progress(0.9, "weighing the evidence")
    published = weigh(method, groups, structures, common=False)
    result = GroupDifferenceResult(
        method=method,
        names=groups.pooled.names,
        levels=groups.pooled.levels,
        labels=groups.labels,
        n=(groups.first.n_rows, groups.second.n_rows),
        structures=structures,
        published=published,
        common=weigh(method, groups, structures, common=True, known=published),
        marginal=weigh(method, groups, (((),) * groups.pooled.n_variables,) * 3, common=True),
        dropped=groups.dropped,
        fingerprint=data.fingerprint,
    )
    progress(1.0, "done")
    return result


def split_groups(method: GroupDifference, data: Dataset) -> Groups:
    """The rows of the two groups, without the group column and without levels that neither has."""
    if data.n_variables < 2:
        raise DataError("There is nothing to compare: the table has no variable beside the group column.")
    column = data.column(method.group)
    levels = data.levels[method.group]
    present = [level for code, level in enumerate(levels) if (column == code).any()]
    chosen = method.groups
    if chosen is None:
        if len(present) != 2:
            raise DataError(
                f"'{method.group}' has {len(present)} levels with rows ({_listed(present)}); "
                "a comparison needs two. Choose two of them, or one to compare with the rest.",
                column=method.group,
            )
        chosen = (present[0], present[1])
    for level in chosen:
        if level not in levels:
            raise DataError(f"'{method.group}' has no level {level!r}; it has {_listed(levels)}.", column=method.group)
        if level not in present:
            raise DataError(f"No row has {method.group} = {level!r}; choose another level.", column=method.group)
    first = column == levels.index(chosen[0])
    second = column == levels.index(chosen[1]) if len(chosen) == 2 else ~first
    if not second.any():
        raise DataError(f"All rows have {method.group} = {chosen[0]!r}; there is no other group.")
    others = data.select(name for name in data.names if name != method.group)
    both, dropped = others.rows(first | second).without_empty_levels()
    inside = first[first | second]
    rest = REST if chosen[0] != REST else f"{REST} (not that level)"
    labels = (chosen[0], chosen[1] if len(chosen) == 2 else rest)
    return Groups(labels, both.rows(inside), both.rows(~inside), both, dropped)


def _listed(levels: Sequence[str]) -> str:
    shown = ", ".join(repr(level) for level in levels[:6])
    return f"{shown} and {len(levels) - 6} more" if len(levels) > 6 else shown or "none"


def learn_three(
    method: GroupDifference,
    groups: Groups,
    priority: Sequence[int],
    progress: Progress,
    pooled: Parents | None = None,
) -> tuple[Parents, Parents, Parents]:
    """The parents of every variable in the first group, the second and the pooled rows (section 3 of the paper).

    The pooled network comes first, under the user's order if there is one; its topological order binds the other two.
    Among equals the variable that comes first in `priority` wins, in the search and in the topological order.
    """
    from engine.graphs.dag import topological_order

    names = groups.pooled.names

    def search(data: Dataset, order: Sequence[str] | None, start: float, end: float, words: str) -> Parents:
        constraints = Constraints.from_names(names, order=order, max_parents=method.max_parents)
        inner = part(progress, start, end)
        return learn_parents(
            data,
            method.score,
            constraints,
            method.search,
            priority,
            progress=lambda fraction, step: inner(fraction, f"{words}: {step}"),
        )

    given = method.order and [name for name in method.order if name != method.group]
    if pooled is None:
        pooled = search(groups.pooled, given, 0.0, 0.5, "both groups together")
    rank = {variable: place for place, variable in enumerate(priority)}
    sequence = topological_order(pooled, [rank[i] for i in range(len(names))])
    order = given or [names[i] for i in sequence]
    first = search(groups.first, order, 0.5, 0.75, groups.labels[0])
    second = search(groups.second, order, 0.75, 1.0, groups.labels[1])
    return first, second, pooled


def weigh(
    method: GroupDifference,
    groups: Groups,
    structures: tuple[Parents, Parents, Parents],
    common: bool,
    known: tuple[Blocks, ...] = (),
) -> tuple[Blocks, ...]:
    """The blocks of every variable: over the parents all three networks share, or all on the pooled network's.

    `known` are the blocks under the other alignment; where the three parent sets agree they are the same.
    """
    found = []
    for i in range(groups.pooled.n_variables):
        families = (structures[0][i], structures[1][i], structures[2][i])
        if known and families[0] == families[1] == families[2]:
            found.append(known[i])
        else:
            found.append(_weigh_one(method, groups, i, families[2:] * 3 if common else families))
    return tuple(found)


def stack(blocks: Sequence[Blocks]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All log Bayes factors in a row, where each variable's begin (n + 1,), and H_i (n,), for `odds.log_odds`."""
    bayes = np.concatenate([one.bayes for one in blocks])
    return bayes, np.cumsum([0, *(len(one.bayes) for one in blocks)]), np.array([one.possible for one in blocks])


def _weigh_one(method: GroupDifference, groups: Groups, child: int, families: tuple[tuple[int, ...], ...]) -> Blocks:
    """Equations 6 and 7 for one variable: b = sum of row scores, group by group, minus those of the pooled rows."""
    shared = tuple(x for x in families[2] if x in families[0] and x in families[1])
    arity = groups.pooled.arity
    sets = (groups.first, groups.second, groups.pooled)
    counted = [family_table(data, child, parents) for data, parents in zip(sets, families, strict=True)]
    configurations = counted[2][0] if shared == families[2] else family_table(groups.pooled, child, shared)[0]
    number = {tuple(row): j for j, row in enumerate(configurations.tolist())}
    bayes = np.zeros(len(configurations))
    counts = np.zeros((len(configurations), 2, int(arity[child])), dtype=np.int64)
    for place, ((rows, table), parents, sign) in enumerate(zip(counted, families, (1, 1, -1), strict=True)):
        alpha = method.score.cell_prior(float(np.prod(arity[list(parents)], dtype=float)), int(arity[child]))
        columns = [parents.index(x) for x in shared]
        block = np.array([number[tuple(row)] for row in rows[:, columns].tolist()], dtype=np.int64)
        bayes += sign * np.bincount(block, row_scores(table, alpha), minlength=len(bayes))
        if sign > 0:
            np.add.at(counts[:, place], block, table)
    possible = float(np.prod(arity[list(shared)], dtype=float))
    return Blocks(shared, possible, configurations, counts, bayes)
