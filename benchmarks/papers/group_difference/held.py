"""What the figures of the group-difference study are held to, under both readings of the order.

The paper gives its lasso "an ordering from a true generating model", and there are two such models in a pair. We first
read: an order that fits both networks. Then, having seen how often the odds are ahead, we read: one of the original
network. Both stand here. A reading that was chosen after its figures were seen may miss a band, but earns no tick.

The bands on the lasso, on the split by kind and on the agreement block by block were set when our figures were known:
the first is the one that the odds have, the others say how far our own repeats lie apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from benchmarks.papers.group_difference.plan import BOTH, KEYS
from benchmarks.papers.group_difference.printed import (
    AGREEMENT,
    BIAS,
    COUNTS,
    DEVIATION,
    SPLIT,
    printed,
)
from engine.evaluation.papers import OPEN, OUTSIDE, WITHIN
from engine.simulation.perturb import KINDS

BLOCK = KEYS[:4]


class Line(NamedTuple):
    """What is held to a band, our figure, the band, and "within", "outside" or "no verdict"."""

    what: str
    ours: str
    band: str
    verdict: str


class Reading(NamedTuple):
    """Which order is given: in words, the odds that have it, the lasso that has it, and whether it came second."""

    words: str
    odds: str
    lasso: str
    later: bool


READINGS = (
    Reading("first reading, order of both networks", *BOTH, later=False),
    Reading("later reading, order of the original", "odds, order", "lasso", later=True),
)


def beside_printed(found: pd.DataFrame) -> pd.DataFrame:
    """The blocks that the paper has: our means, and the printed areas as "paper odds" and "paper lasso".

    Parameters
    ----------
    found : a row a block and repeat, with the columns `BLOCK` and a column a score
    """
    means = found.groupby(BLOCK, sort=False).mean(numeric_only=True).reset_index()
    keys = list(means[BLOCK].itertuples(index=False, name=None))
    known = means[[key in printed() for key in keys]].copy()
    for which in ("odds", "lasso"):
        known[f"paper {which}"] = [getattr(printed()[key], which) for key in keys if key in printed()]
    return known


def of_runs(runs: pd.DataFrame) -> pd.DataFrame:
    """The areas of `Study.runs` with a column a score again, as `beside_printed` takes them."""
    return runs.pivot_table(values="value", index=[*BLOCK, "run"], columns="quantity", sort=False).reset_index()


def held(found: pd.DataFrame, lasso: bool = True) -> list[Line]:
    """All that is held to a band; nothing where not all printed blocks were run.

    Parameters
    ----------
    found : a row a block and repeat;  lasso : whether it was run
    """
    known = beside_printed(found)
    if len(known) < len(printed()):
        return []
    lines = list(_near(known, "odds", "odds"))
    if lasso:
        for both in zip(*(_of_reading(known, reading) for reading in READINGS), strict=True):
            lines += [_named(line, reading) for line, reading in zip(both, READINGS, strict=True)]
    return lines


def _named(line: Line, reading: Reading) -> Line:
    """With its reading; one that was chosen later earns no tick."""
    verdict = OPEN if reading.later and line.verdict == WITHIN else line.verdict
    return line._replace(what=f"{line.what}; {reading.words}", verdict=verdict)


def _of_reading(known: pd.DataFrame, reading: Reading) -> Iterator[Line]:
    """The lasso's own areas, where the odds are ahead without the order, and how often with it."""
    yield from _near(known, reading.lasso, "lasso")
    ours, theirs = known["odds"] > known[reading.lasso], known["paper odds"] > known["paper lasso"]
    yield _least("blocks with the odds ahead, without order", int(ours.sum()), COUNTS["odds"].ahead)
    for kind in KINDS:
        here = known["kind"] == kind
        count, expected = int(ours[here].sum()), int(theirs[here].sum())
        band = f"{expected} ± {SPLIT}"
        kept = abs(count - expected) <= SPLIT
        yield Line(f"{kind} blocks with the odds ahead, without order", str(count), band, _verdict(kept))
    share = float((ours == theirs).mean())
    what = "share of blocks with the same one ahead as printed"
    yield Line(what, f"{share:.2f}", f"≥ {AGREEMENT}", _verdict(share >= AGREEMENT))
    ahead = int((known[reading.odds] > known[reading.lasso]).sum())
    yield _least("blocks with the odds ahead, with order", ahead, COUNTS["odds, order"].ahead)


def _near(known: pd.DataFrame, score: str, which: str) -> Iterator[Line]:
    """How far our areas are from the printed ones of a score, and to which side."""
    apart = known[score] - known[f"paper {which}"]
    far, bias = float(apart.abs().mean()), float(apart.mean())
    yield Line(f"{which}: mean absolute difference", f"{far:.3f}", f"≤ {DEVIATION}", _verdict(far <= DEVIATION))
    yield Line(f"{which}: mean difference", f"{bias:+.3f}", f"−{BIAS} to {BIAS}", _verdict(abs(bias) <= BIAS))


def _least(what: str, count: int, least: int) -> Line:
    return Line(what, str(count), f"≥ {least}", _verdict(count >= least))


def _verdict(kept: bool) -> str:
    return WITHIN if kept else OUTSIDE
