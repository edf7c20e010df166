"""What the figures of the group-difference study are held to, under both readings of the order.

The paper gives its lasso "an ordering from a true generating model", and there are two such models in a pair. We first
read: an order that fits both networks. Then, having seen how often the odds are ahead, we read: one of the original
network. Both stand here. A reading that was chosen after its figures were seen gets no verdict, neither tick nor miss.

The bands on the lasso, on the split by kind and on the agreement block by block were set when our figures were known:
the first is the one that the odds have, the others say how far our own repeats lie apart. They are targets of ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from benchmarks.papers.group_difference.data import COLUMNS, MADE
from benchmarks.papers.group_difference.plan import BOTH, KEYS
from benchmarks.papers.group_difference.printed import (
    AGREEMENT,
    BIAS,
    COUNTS,
    DEVIATION,
    SPLIT,
    WILCOXON,
    printed,
)
from benchmarks.papers.results import OPEN, OUTSIDE, WITHIN
from engine.simulation.perturb import KINDS

BLOCK = KEYS[:4]
VARIABLES = {MADE: 5, **COLUMNS}
LEVEL = 0.05
P = "p, "
AFTERWARDS = " (set when ours were known)"
"""The end of a band that is a target of ours and not the paper's."""


class Line(NamedTuple):
    """What is held to a band, our figure, the band, and "within", "outside" or "no verdict".

    `sentence` is what is held to it without the reading.
    """

    what: str
    ours: str
    band: str
    verdict: str
    sentence: str


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
    by = [*BLOCK, "run"]
    table = runs.pivot_table(values="value", index=by, columns="quantity", sort=False).reset_index()
    return table.rename(columns={"run": "repeat"})


def held(found: pd.DataFrame, lasso: bool = True) -> list[Line]:
    """All that is held to a band; nothing where not all printed blocks were run.

    Parameters
    ----------
    found : a row a block and repeat;  lasso : whether it was run
    """
    known = beside_printed(found)
    if len(known) < len(printed()):
        return []
    lines = [*_near(known, "odds", "odds"), *_of_odds(known)]
    if lasso:
        for both in zip(*(_of_reading(found, known, reading) for reading in READINGS), strict=True):
            lines += [_named(line, reading) for line, reading in zip(both, READINGS, strict=True)]
    return lines


def p_of(odds: str, lasso: str) -> str:
    """The column of DeLong's p of a duel."""
    return f"{P}{odds}" if lasso == "lasso" else f"{P}{odds} against {lasso}"


def count_ahead(here: pd.DataFrame, odds: str, lasso: str) -> tuple[int, int, int]:
    """Blocks in which the odds are ahead of the lasso, significantly ahead and significantly behind."""
    ahead, behind = here[odds] > here[lasso], here[odds] < here[lasso]
    clear = here[p_of(odds, lasso)] < LEVEL
    return int(ahead.sum()), int((ahead & clear).sum()), int((behind & clear).sum())


def signed_rank(differences: pd.Series) -> float:
    """Two-sided p of the signed rank test; not a number where nothing differs."""
    from scipy.stats import wilcoxon

    there = differences[differences.notna() & (differences != 0)]
    return float(wilcoxon(there).pvalue) if len(there) else math.nan


def _named(line: Line, reading: Reading) -> Line:
    """With its reading; one that was chosen later gets no verdict."""
    verdict = OPEN if reading.later else line.verdict
    return line._replace(what=f"{line.what}; {reading.words}", verdict=verdict)


def _of_odds(known: pd.DataFrame) -> Iterator[Line]:
    """Where the odds are better, whatever the order."""
    by_rows = known.groupby("rows")["odds"].mean().sort_index()
    by_variables = known["odds"].groupby(known["data"].map(VARIABLES)).mean().sort_index()
    by_kind = known.groupby("kind")["odds"].mean()[list(KINDS)]
    for what, means, band, kept in (
        ("by rows", by_rows, "better with more rows", by_rows.is_monotonic_increasing),
        ("by variables", by_variables, "better with fewer variables", by_variables.is_monotonic_decreasing),
        ("by kind", by_kind, "structural differences are easier", by_kind.is_monotonic_increasing),
    ):
        ours = ", ".join(f"{mean:.3f} ({at})" for at, mean in means.items())
        yield _line(f"mean area of the odds {what}", ours, band, kept)


def _of_reading(found: pd.DataFrame, known: pd.DataFrame, reading: Reading) -> Iterator[Line]:
    """The lasso's own areas, where the odds are ahead without the order, and how often with it."""
    yield from _near(known, reading.lasso, "lasso", AFTERWARDS)
    ours, theirs = known["odds"] > known[reading.lasso], known["paper odds"] > known["paper lasso"]
    yield _least("blocks with the odds ahead, without order", int(ours.sum()), COUNTS["odds"].ahead)
    yield _significant(found, "odds", reading.lasso, "odds", "without order")
    p = signed_rank(known["odds"] - known[reading.lasso])
    yield _line("signed rank test over the blocks, without order: p", f"{p:.2g}", f"< {WILCOXON:.4f}", p < WILCOXON)
    yield _structural(found, reading)
    for kind in KINDS:
        here = known["kind"] == kind
        count, expected = int(ours[here].sum()), int(theirs[here].sum())
        band = f"{expected} ± {SPLIT}{AFTERWARDS}"
        kept = abs(count - expected) <= SPLIT
        yield _line(f"{kind} blocks with the odds ahead, without order", str(count), band, kept)
    share = float((ours == theirs).mean())
    what = "share of blocks with the same one ahead as printed"
    yield _line(what, f"{share:.2f}", f"≥ {AGREEMENT}{AFTERWARDS}", share >= AGREEMENT)
    ahead = int((known[reading.odds] > known[reading.lasso]).sum())
    yield _least("blocks with the odds ahead, with order", ahead, COUNTS["odds, order"].ahead)
    yield _significant(found, reading.odds, reading.lasso, "odds, order", "with order")


def _significant(found: pd.DataFrame, odds: str, lasso: str, printed_as: str, order: str) -> Line:
    """Blocks in which the odds are significantly better, and worse: means over the repeats."""
    counts = [count_ahead(here, odds, lasso)[1:] for _, here in found.groupby("repeat")]
    better, worse = (sum(one) / len(counts) for one in zip(*counts, strict=True))
    paper = COUNTS[printed_as]
    kept = better >= paper.better and worse <= paper.worse
    what = f"blocks with the odds significantly better, and worse, {order}"
    return _line(what, f"{better:.1f}, {worse:.1f}", f"≥ {paper.better}, ≤ {paper.worse}", kept)


def _structural(found: pd.DataFrame, reading: Reading) -> Line:
    """Whether all blocks in which the odds are significantly worse are structural."""
    worse = (found["odds"] < found[reading.lasso]) & (found[p_of("odds", reading.lasso)] < LEVEL)
    structural = int((worse & (found["kind"] == "structural")).sum())
    ours = f"{structural} of {worse.sum()}"
    what = "structural ones among the blocks with the odds significantly worse, without order"
    return _line(what, ours, "all of them", structural == worse.sum())


def _near(known: pd.DataFrame, score: str, which: str, until: str = "") -> Iterator[Line]:
    """How far our areas are from the printed ones of a score, and to which side."""
    apart = known[score] - known[f"paper {which}"]
    far, bias = float(apart.abs().mean()), float(apart.mean())
    yield _line(f"{which}: mean absolute difference", f"{far:.3f}", f"≤ {DEVIATION}{until}", far <= DEVIATION)
    yield _line(f"{which}: mean difference", f"{bias:+.3f}", f"−{BIAS} to {BIAS}{until}", abs(bias) <= BIAS)


def _least(what: str, count: int, least: int) -> Line:
    return _line(what, str(count), f"≥ {least}", count >= least)


def _line(what: str, ours: str, band: str, kept: bool) -> Line:
    return Line(what, ours, band, WITHIN if kept else OUTSIDE, what)
