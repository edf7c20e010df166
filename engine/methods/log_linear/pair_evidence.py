"""Readings of two variables of a log-linear model: whether they are linked, what parts them, where they go together.

A model without a link is no proof that there is none: the link may not pay for its parameters, or run by way of others,
or want more rows. So "no link" is said of the model, and beside it stands what the rows say of the two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from engine.data.spoken_levels import spoken_level
from engine.graphs.dag import bits
from engine.measures.shifts import wilson_interval
from engine.methods.log_linear.evidence import LogLinearEvidence
from engine.methods.log_linear.message import MARGIN, EdgeSupport, largest_shift
from engine.methods.log_linear.pair_screening import beyond_chance


class PairState(StrEnum):
    """The state of two variables: a model without a link is no proof that there is none."""

    LINKED = "linked"
    NOT_NEEDED = "no link needed"
    NOT_SEEN = "nothing seen"
    UNDECIDED = "inconclusive"


@dataclass(frozen=True)
class PairEvidence:
    """The evidence on two variables.

    Attributes
    ----------
    a, b : names
    state : undecided where rows belong to too few subjects
    separator : what parts them in the model, the smallest such part of a's neighbours; empty for a link
    alone : log10 p of the two by themselves; NaN where unknown
    support : what the rows say of the link given others; None where it was not asked
    given : what a link would be given, were it added alone
    parameters : that it would have to pay for; NaN where no link was refused
    shift_high : no level of the one shifts a share of the other by more, with 95 % probability; NaN where not asked
    """

    a: str
    b: str
    state: PairState
    separator: tuple[str, ...]
    alone: float
    support: EdgeSupport | None
    given: tuple[str, ...] = ()
    parameters: float = math.nan
    shift_high: float = math.nan


def pair_of(result: LogLinearEvidence, a: str, b: str) -> PairEvidence:
    """Two variables of a model."""
    x, y = result.edge(a, b)
    alone = result.screening.alone(x, y, len(result.names))
    if result.undecided:
        return PairEvidence(a, b, PairState.UNDECIDED, (), alone, None)
    if result.chosen.has(x, y):
        return PairEvidence(a, b, PairState.LINKED, (), alone, result.supports.get(result.pair((x, y))))
    refused = next((item.step for item in result.declined if (item.step.a, item.step.b) == (x, y)), None)
    support = None if refused is None else result.support_of(refused.table)
    seen = [alone] if support is None else [alone, support.log10_p]
    visible = any(beyond_chance(entry, result.pairs) for entry in seen)
    state = PairState.NOT_NEEDED if visible or math.isnan(alone) else PairState.NOT_SEEN
    parting = parting_of(result, result.position(a), result.position(b))
    given = result.in_order(bits(result.chosen.separator(x, y) or 0))
    high = (
        math.nan
        if refused is None
        else largest_shift(refused.table, result.sorted_names, result.method.seed, result.effect)[1]
    )
    return PairEvidence(a, b, state, parting, alone, support, given, _parameters(result, x, y), high)


def parting_of(result: LogLinearEvidence, x: int, y: int) -> tuple[str, ...]:
    """The smallest part of x's neighbours without which the model does not connect x and y."""
    neighbours = result.chosen.neighbours
    touching = 0
    for z in bits(result.chosen.component(y, neighbours[x])):
        touching |= neighbours[z]
    return result.in_order(bits(touching & neighbours[x]))


def _parameters(result: LogLinearEvidence, x: int, y: int) -> float:
    """The parameters that a link which was refused would have to pay for; NaN where it was not asked."""
    separator, method = result.chosen.separator(x, y), result.method
    barred = any({x, y} == {result.position(name) for name in pair} for pair in method.barred)
    if not result.declined or separator is None or barred:
        return math.nan
    if method.max_clique is not None and separator.bit_count() + 2 > method.max_clique:
        return math.nan
    given = [float(result.arity[z]) for z in bits(separator)]
    return (float(result.arity[x]) - 1) * (float(result.arity[y]) - 1) * math.prod(given)


def strongest_link(result: LogLinearEvidence) -> tuple[str, str] | None:
    """The link that saves most, of those that can be taken away alone; one that numbers and all rows show first."""
    known = [pair for pair in in_order(result) if math.isfinite(result.edge_values[pair].evidence_bits)]
    return next((pair for pair in known if not result.from_the_cut(pair)), known[0] if known else None)


ONLY_HELD = "only with others held fixed"
"""Status of a link that no share shows over all rows."""


def held_fixed(result: LogLinearEvidence) -> dict[tuple[str, str], tuple[str, ...]]:
    """Every link that shows only with others held fixed -> what these are; none that may come from the cut."""
    found = {pair: contrast_of(result, *pair) for pair in result.edge_values}
    return {pair: contrast.alike for pair, contrast in found.items() if contrast is not None and contrast.alike}


def in_order(result: LogLinearEvidence) -> list[tuple[str, str]]:
    """All links, strongest first, those that show only with others held fixed last."""
    return sorted(result.edge_values, key=held_fixed(result).__contains__)


class Contrast(NamedTuple):
    """Levels of two variables whose cell is farthest from no link, rows with both there and elsewhere.

    `alike` is what rows must be alike in for a link to show, where over all rows no share differs beyond chance.
    """

    low: str
    high: str
    here: tuple[float, float]
    elsewhere: tuple[float, float]
    alike: tuple[str, ...] = ()

    @property
    def is_small(self) -> bool:
        """True where the shares differ by less than `MARGIN`."""
        return abs(self.here[0] / self.here[1] - self.elsewhere[0] / self.elsewhere[1]) < MARGIN


def share_ends(result: LogLinearEvidence, share: tuple[float, float]) -> tuple[float, float]:
    """The 95 % interval of a share of a contrast, Wilson's; rows of a subject count as few as they tell."""
    low, high = wilson_interval(share[0] / result.effect, share[1] / result.effect)
    return float(low), float(high)


def contrast_of(result: LogLinearEvidence, a: str, b: str) -> Contrast | None:
    """The cell of two variables farthest from no link; None where no level of either stands beside another one."""
    places = result.position(a), result.position(b)
    counts = result.margin_of(places).dense(result.arity).astype(float)
    rows, columns, total = counts.sum(axis=1, keepdims=True), counts.sum(axis=0, keepdims=True), counts.sum()
    spread = np.sqrt(rows * columns * (1 - rows / total) * (1 - columns / total) / total)
    far = np.divide(abs(counts - rows * columns / total), spread, out=np.full_like(counts, -1.0), where=spread > 0)
    if (far < 0).all():
        return None
    i, j = map(int, np.unravel_index(far.argmax(), far.shape))
    i, j = _spoken(result, a, i), _spoken(result, b, j)
    here, n, level, rows_in_all = (float(x) for x in (counts[i, j], rows[i, 0], columns[0, j], total))
    if not 0 < n < total:
        return None
    found = Contrast(result.levels[a][i], result.levels[b][j], (here, n), (level - here, rows_in_all - n))
    support = result.supports.get(result.pair(places)) if result.chosen.has(*places) else None
    alone = result.screening.alone(*places, len(result.names))
    unseen = found.is_small and not math.isnan(alone) and not beyond_chance(alone, result.pairs)
    unseen = unseen and not result.from_the_cut((a, b))
    return found._replace(alike=support.separator) if support is not None and unseen else found


def _spoken(result: LogLinearEvidence, name: str, k: int) -> int:
    """The level that one speaks of where a level is one of two, beside that of missing values; else itself."""
    levels, missing = result.levels[name], result.missing.get(name)
    known = [level for level in levels if level != missing]
    spoken = spoken_level(known)
    return k if spoken is None or levels[k] == missing else levels.index(known[spoken])
