"""What the paper says of its Figures 3 to 6, line by line, and whether the same is seen here.

"Significantly" is the paper's: a t test for two dependent samples at 0.05, here over the runs of a cell, one-sided
where a side is claimed. What the paper calls CCL is held to both ways of moving, with a parent for every variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from benchmarks.papers.discriminative.earlier import Cell
from benchmarks.papers.discriminative.plan import ALL, ANEW, DIFFERENCES, FORCED, NOISE, SIZE, SIZE_ALL, SIZE_ONE
from benchmarks.papers.discriminative.printed import (
    CCL_CHANCE_TO,
    CCL_LOST_FROM,
    CCL_PERFECT_FROM,
    CHANCE,
    ML_PERFECT_FROM,
    NOISE_MATTERS_FROM,
    SLOWER,
    SLOWER_AT,
)
from engine.evaluation.lessons.discriminative import BDE, MAX, MID, ML, PAIRED, SINGLE

LEVEL = 0.05
PERFECT = 0.995
"""Mean accuracy from which it is 1.00, as a curve would show it."""
LOST = 0.1
"""A fall of accuracy that a curve shows as dramatic, and the least change that is not "essentially constant"."""
BY_CHANCE = 0.25
"""Share of tests that may be significant where nothing is: of eleven three or more are in 1.5 % of cases."""
Cells = Mapping[Cell, np.ndarray]


class Claim(NamedTuple):
    """A line: the figure, what is claimed, what the paper has, ours, and whether ours is like it."""

    figure: str
    what: str
    said: str
    ours: str
    alike: bool


def claims(cells: Cells, ratios: Cells) -> list[Claim]:
    """The paper's claims on what was run.

    Parameters
    ----------
    cells : accuracy of every run, by cell
    ratios : how many times as long as ACL, by cell
    """
    lines = [*_perfect(cells), *_subtle(cells), *_noise(cells)]
    for experiment in (SIZE_ONE, SIZE_ALL):
        lines += _size(cells, experiment)
    return [*lines, *_without_noise(cells), *_slower(ratios)]


def better(one: np.ndarray, other: np.ndarray, level: float = LEVEL) -> bool:
    """Whether the first is significantly higher, run by run (paired t test, one-sided)."""
    from scipy.stats import ttest_1samp

    apart = np.round(one - other, 9)  # shares of ten series: equal differences are equal
    if len(apart) < 2 or not apart.any():
        return False
    if np.ptp(apart) == 0:
        return bool(apart[0] > 0)
    return bool(ttest_1samp(apart, 0.0, alternative="greater").pvalue < level)


def _line(cells: Cells, experiment: str, method: str) -> dict[float, np.ndarray]:
    """{at: accuracies} of a method with all families."""
    found = {
        at: values
        for (where, at, families, name), values in cells.items()
        if (where, families, name) == (experiment, ALL, method)
    }
    return dict(sorted(found.items()))


def _perfect(cells: Cells) -> Iterator[Claim]:
    """Figure 3, method by method."""
    for method, least in ((ML, ML_PERFECT_FROM), *((one, CCL_PERFECT_FROM) for one in FORCED)):
        high = [(float(values.mean()), c) for c, values in _line(cells, DIFFERENCES, method).items() if c >= least]
        if high:
            worst, c = min(high)
            ours = f"{worst:.3f} at worst (c = {c:g})"
            yield Claim("3", f"{method}: accuracy where c is {least:g} or more", "1", ours, worst >= PERFECT)
    for method in FORCED:
        line = _line(cells, DIFFERENCES, method)
        low = {c: values for c, values in line.items() if c <= CCL_CHANCE_TO}
        if low:
            c = max(low)
            what = f"{method}: accuracy at c = {c:g}"
            told = better(low[c], np.full(len(low[c]), CHANCE))
            yield Claim("3", what, "no better than guessing", f"{low[c].mean():.3f}", not told)
        fallen = [c for c, values in line.items() if values.mean() < 1 - LOST]
        if fallen:
            what = f"{method}: largest c with an accuracy under {1 - LOST:g}"
            alike = abs(max(fallen) - CCL_LOST_FROM) <= 0.025
            yield Claim("3", what, f"about {CCL_LOST_FROM:g}", f"{max(fallen):g}", alike)
    bde = _line(cells, DIFFERENCES, BDE)
    if bde:
        means = [float(values.mean()) for values in bde.values()]
        ours = f"{min(means):.3f} to {max(means):.3f}"
        yield Claim("3", f"{BDE}: accuracy", "cannot tell", ours, max(means) < CHANCE + LOST)


def _subtle(cells: Cells) -> Iterator[Claim]:
    """Figure 3, method against method."""
    ml, mid, most = (_line(cells, DIFFERENCES, method) for method in (ML, MID, MAX))
    if not ml:
        return
    c = min(ml)
    told = better(ml[c], np.full(len(ml[c]), CHANCE))
    yield Claim("3", f"{ML}: accuracy at c = {c:g}", "better than guessing", f"{ml[c].mean():.3f}", told)
    middle = [c for c in ml if 0.05 <= c <= CCL_PERFECT_FROM]
    if middle:
        count = sum(better(ml[c], mid[c]) for c in middle)
        what = f"{ML} above {MID}, c from {middle[0]:g} to {middle[-1]:g}"
        yield Claim("3", what, "significantly", f"at {count} of {len(middle)}", count == len(middle))
    count = sum(better(mid[c], most[c], LEVEL / 2) or better(most[c], mid[c], LEVEL / 2) for c in ml)
    yield Claim(
        "3", f"{MAX} and {MID} apart", "insignificantly", f"at {count} of {len(ml)} c", count <= BY_CHANCE * len(ml)
    )
    for method in FORCED:
        ccl = _line(cells, DIFFERENCES, method)
        for own, name in ((ml, ML), (mid, MID)):
            subtle = [c for c in ml if CCL_CHANCE_TO <= c < CCL_PERFECT_FROM]
            if subtle:
                count = sum(better(own[c], ccl[c]) for c in subtle)
                what = f"{name} above {method}, c from {subtle[0]:g} to {subtle[-1]:g}"
                yield Claim("3", what, "significantly", f"at {count} of {len(subtle)}", count == len(subtle))


def _noise(cells: Cells) -> Iterator[Claim]:
    """Figure 4."""
    ml, mid = (_line(cells, NOISE, method) for method in (ML, MID))
    noisy = [rho for rho in ml if rho > 0]
    if not noisy:
        return
    for name, line in ((MID, mid), *((name, _line(cells, NOISE, name)) for name in FORCED)):
        ahead = [rho for rho in noisy if better(line[rho], ml[rho])]
        ours = f"at {len(ahead)} of {len(noisy)}" + (f", first at {ahead[0]:g}" if ahead else "")
        yield Claim("4", f"{name} above {ML}, every rho above 0", "significantly", ours, len(ahead) == len(noisy))
    late = [rho for rho in noisy if rho >= NOISE_MATTERS_FROM]
    for name in FORCED if late else ():
        line = _line(cells, NOISE, name)
        count = sum(better(line[rho], mid[rho]) for rho in late)
        what = f"{name} above {MID}, rho from {late[0]:g}"
        yield Claim("4", what, "significantly, at most rho", f"at {count} of {len(late)}", count > len(late) / 2)
    means = [float(values.mean()) for values in _line(cells, NOISE, BDE).values()]
    ours = f"{min(means):.3f} to {max(means):.3f}"
    yield Claim("4", f"{BDE}: accuracy", "cannot tell", ours, max(means) < CHANCE + LOST)


def _size(cells: Cells, experiment: str) -> Iterator[Claim]:
    """Figure 5, by whose tables the noise disturbs."""
    ml, mid = (_line(cells, experiment, method) for method in (ML, MID))
    if len(ml) < 2:
        return
    where = "noise in one table" if experiment == SIZE_ONE else "noise in all tables"
    small, large = min(ml), max(ml)
    fall = float(ml[small].mean() - ml[large].mean())
    what = f"{ML}: accuracy from {small:g} to {large:g} variables, {where}"
    yield Claim("5", what, "drops dramatically", f"{ml[small].mean():.3f} to {ml[large].mean():.3f}", fall >= LOST)
    for name in FORCED:
        line = _line(cells, experiment, name)
        apart = [float(line[n].mean() - mid[n].mean()) for n in ml]
        what = f"{name} less {MID}, {where}"
        ours = ", ".join(f"{one:+.3f}" for one in apart)
        alike = min(apart) > 0 and max(apart) - min(apart) <= LOST
        yield Claim("5", what, "slightly more, essentially constant", ours, alike)


def _without_noise(cells: Cells) -> Iterator[Claim]:
    """The paper's remark that without noise ACL-ML need not drop."""
    ml = _line(cells, SIZE, ML)
    if len(ml) > 1:
        small, large = min(ml), max(ml)
        fall = float(ml[small].mean() - ml[large].mean())
        what = f"{ML}: accuracy from {small:g} to {large:g} variables, no noise"
        yield Claim("5", what, "need not drop", f"{ml[small].mean():.3f} to {ml[large].mean():.3f}", fall < LOST)


def _slower(ratios: Cells) -> Iterator[Claim]:
    """Figure 6, for searches that have no memory."""
    for method in (SINGLE, PAIRED):
        values = ratios.get((ANEW, SLOWER_AT, ALL, method))
        if values is not None:
            what = f"{method}: times as long as ACL with {SLOWER_AT} variables, every family anew"
            ratio = float(values.mean())
            yield Claim("6", what, f"over {SLOWER:g}", f"{ratio:.0f}", ratio > SLOWER)
