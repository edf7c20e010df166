"""Items of a questionnaire added up: the mean over items of each row, and how it differs between the groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from engine.data.item_scales import added_up, items_alike
from engine.measures.mean_difference import mean_difference
from engine.methods.described_rows import DescribedVariable
from engine.methods.fitting import check_counts, check_that
from engine.methods.group_difference.rows.groups import Groups
from engine.methods.storing import storable

CLEAR = 0.99
"""Level of the interval, over all scales at once (Bonferroni), from which on a scale is said to differ."""
MANY = 5
"""Items from which on that is the answer of a table: fewer may be measurements that were cut alike."""


@storable
@dataclass(frozen=True, eq=False)
class ItemScale:
    """Ordered variables that share their levels, and the mean over them of each row that has all of them.

    Attributes
    ----------
    items : those that are added up
    against : those left out, since they go against the rest (negatively correlated with the mean of the others)
    ends : the numbers of the lowest and the highest level
    higher : how many of the items have the higher mean in the first group, and in the second
    n : (2,) rows of either group
    means : (2,) of the mean over the items
    difference : of these, second minus first, with its interval of 95 %
    clear : whether that of 99 %, for all scales at once, leaves out 0, and the items are many
    """

    items: tuple[str, ...]
    against: tuple[str, ...]
    ends: tuple[int, int]
    higher: tuple[int, int]
    n: tuple[int, int]
    means: tuple[float, float]
    difference: tuple[float, float, float]
    clear: bool = False

    def _check_read(self) -> None:
        check_counts(*self.higher, *self.n)
        check_that(len(self.difference) == 3, "a difference has no interval")


def compare_items(groups: Groups, variables: Sequence[DescribedVariable]) -> tuple[ItemScale, ...]:
    """Every scale of ordered variables: all that share their levels, and the beginning of their names where these tell.

    Parameters
    ----------
    groups : their rows
    variables : as Table 1 describes them, which numbers their levels
    """
    if not groups.pooled.in_memory:
        return ()
    ordered = {one.name: one for one in variables if one.ordered and one.name in groups.pooled.names}
    alike = items_alike({name: one.levels for name, one in ordered.items()})
    compared = (_compared(groups, [ordered[name] for name in names], 1 - (1 - CLEAR) / len(alike)) for names in alike)
    return tuple(scale for scale in compared if scale is not None)


def _compared(groups: Groups, items: Sequence[DescribedVariable], level: float) -> ItemScale | None:
    """One scale, clear by an interval of this level; None where its items, less those keyed the other way, do not go
    together."""
    scores = np.array([_scores(groups, one) for one in items])
    whole = np.isfinite(scores).all(axis=0)
    if (kept := added_up(scores)) is None:
        return None
    parts = [scores[kept][:, whole & which] for which in (groups.inside, ~groups.inside)]
    if min(part.shape[1] for part in parts) < 2:
        return None
    first, second = (part.mean(axis=1) for part in parts)
    cluster = None if groups.cluster is None else groups.cluster[whole]
    means = scores[kept][:, whole].mean(axis=0)
    difference_at = partial(mean_difference, means, ~groups.inside[whole], clusters=cluster)
    difference, (_, low, high) = difference_at(), difference_at(level=level)
    if not np.isfinite(difference).all():
        return None
    steps = items[0].steps
    return ItemScale(
        items=tuple(one.name for one, own in zip(items, kept, strict=True) if own),
        against=tuple(one.name for one, own in zip(items, kept, strict=True) if not own),
        ends=(int(steps[0]), int(steps[-1])),
        higher=(int((first > second).sum()), int((second > first).sum())),
        n=(parts[0].shape[1], parts[1].shape[1]),
        means=(float(first.mean()), float(second.mean())),
        difference=difference,
        clear=bool(low * high > 0 and low < high and kept.sum() >= MANY),
    )


def _scores(groups: Groups, item: DescribedVariable) -> np.ndarray:
    """(N,) the numbers of an item's levels in the pooled rows, NaN where missing."""
    numbers = dict(zip(item.levels, item.steps, strict=True))
    levels = groups.pooled.levels[item.name]
    return np.array([numbers.get(level, np.nan) for level in levels])[groups.pooled.column(item.name)]
