"""What the paper says of its Figures 3 to 6, sentence by sentence, and whether the same is seen here.

"Significantly" is the paper's: a t test for two dependent samples at 0.05, here over the runs of a cell, one-sided
where a side is claimed. What the paper calls CCL is held to both ways of moving, with a parent for every variable, and
Figure 5 to noise in one table and in all: a sentence may be read in up to four ways, and counts as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from benchmarks.papers.discriminative.earlier import Cell
from benchmarks.papers.discriminative.plan import (
    ALL,
    ANEW,
    DIFFERENCES,
    FORCED,
    LEAST_SQUARES,
    NOISE,
    ROTATED,
    SIZE,
    SIZE_ALL,
    SIZE_ONE,
)
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
from benchmarks.papers.results import OPEN, OUTSIDE, WITHIN
from engine.evaluation.lessons.discriminative import BDE, MAX, MID, ML, PAIRED, SINGLE

LEVEL = 0.05
PERFECT = 0.995
"""Mean accuracy from which it is 1.00, as a curve would show it."""
LOST = 0.1
"""A fall of accuracy that a curve shows as dramatic, and the least change that is not "essentially constant"."""
BY_CHANCE = 0.25
"""Share of tests that may be significant where nothing is: of eleven three or more are in 1.5 % of cases."""
MOVES = {
    name: "both networks at once" if PAIRED in name else "one network at a time" for name in (SINGLE, PAIRED, *FORCED)
}
"""How a search by CCL moves, in words."""
Cells = Mapping[Cell, np.ndarray]
Line = dict[float, np.ndarray]


class Claim(NamedTuple):
    """A sentence of the paper under one reading.

    Attributes
    ----------
    figure : of which it is said
    sentence : what is claimed of what
    reading : how it was read; empty where there is one way
    said : what the paper has
    ours : what is seen here
    alike : whether ours is like it
    later : whether the reading was chosen when figures were known
    """

    figure: str
    sentence: str
    reading: str
    said: str
    ours: str
    alike: bool
    later: bool = False

    @property
    def what(self) -> str:
        """The sentence with its reading."""
        return f"{self.sentence} ({self.reading})" if self.reading else self.sentence

    @property
    def verdict(self) -> str:
        """A reading that was chosen later gets none."""
        return OPEN if self.later else WITHIN if self.alike else OUTSIDE


def claims(cells: Cells, ratios: Cells) -> list[Claim]:
    """The paper's claims on what was run, in the order of its figures; last those by the second generator.

    Parameters
    ----------
    cells : accuracy of every run, by cell
    ratios : how many times as long as ACL, by cell
    """
    lines = [*_figure_3(cells, DIFFERENCES), *_figure_4(cells, NOISE)]
    for experiment in (SIZE_ONE, SIZE_ALL):
        lines += _figure_5(cells, experiment)
    lines += [*_without_noise(cells), *_slower(ratios)]
    for line in (*_figure_3(cells, ROTATED[DIFFERENCES]), *_figure_4(cells, ROTATED[NOISE])):
        reading = ", ".join(filter(None, (line.reading, "rotated tables")))
        lines.append(line._replace(reading=reading, later=True))
    return lines


def better(one: np.ndarray, other: np.ndarray, level: float = LEVEL) -> bool:
    """Whether the first is significantly higher, run by run (paired t test, one-sided)."""
    from scipy.stats import ttest_1samp

    apart = np.round(one - other, 9)  # shares of ten series: equal differences are equal
    if len(apart) < 2 or not apart.any():
        return False
    if np.ptp(apart) == 0:
        return bool(apart[0] > 0)
    return bool(ttest_1samp(apart, 0.0, alternative="greater").pvalue < level)


def _line(cells: Cells, experiment: str, method: str) -> Line:
    """{at: accuracies} of a method with all families."""
    found = {
        at: values
        for (where, at, families, name), values in cells.items()
        if (where, families, name) == (experiment, ALL, method)
    }
    return dict(sorted(found.items()))


def _figure_3(cells: Cells, experiment: str) -> Iterator[Claim]:
    """Accuracy by c."""
    ml, mid, most, bde = (_line(cells, experiment, method) for method in (ML, MID, MAX, BDE))
    if not ml:
        return
    ccl = {MOVES[name]: _line(cells, experiment, name) for name in FORCED}
    for name, reading, line, least in (
        (ML, "", ml, ML_PERFECT_FROM),
        *(("CCL", reading, line, CCL_PERFECT_FROM) for reading, line in ccl.items()),
    ):
        high = [(float(values.mean()), c) for c, values in line.items() if c >= least]
        if high:
            worst, c = min(high)
            ours = f"{worst:.3f} at worst (c = {c:g})"
            yield Claim("3", f"{name}: accuracy where c is {least:g} or more", reading, "1", ours, worst >= PERFECT)
    for reading, line in ccl.items():
        yield from _collapse(line, reading)
    means = [float(values.mean()) for values in bde.values()]
    ours = f"{min(means):.3f} to {max(means):.3f}"
    yield Claim("3", f"{BDE}: accuracy", "", "cannot tell", ours, max(means) < CHANCE + LOST)
    c = min(ml)
    told = better(ml[c], np.full(len(ml[c]), CHANCE))
    yield Claim("3", f"{ML}: accuracy at c = {c:g}", "", "better than guessing", f"{ml[c].mean():.3f}", told)
    middle = [c for c in ml if 0.05 <= c <= CCL_PERFECT_FROM]
    if middle:
        yield _ahead("3", ml, mid, middle, f"{ML} above {MID}, c from {middle[0]:g} to {middle[-1]:g}", "")
    count = sum(better(mid[c], most[c], LEVEL / 2) or better(most[c], mid[c], LEVEL / 2) for c in ml)
    ours = f"at {count} of {len(ml)} c"
    yield Claim("3", f"{MAX} and {MID} apart", "", "insignificantly", ours, count <= BY_CHANCE * len(ml))
    subtle = [c for c in ml if CCL_CHANCE_TO <= c < CCL_PERFECT_FROM]
    for reading, line in ccl.items() if subtle else ():
        for own, name in ((ml, ML), (mid, MID)):
            yield _ahead("3", own, line, subtle, f"{name} above CCL, c from {subtle[0]:g} to {subtle[-1]:g}", reading)
    yield from _boundary(cells, experiment)


def _collapse(line: Line, reading: str) -> Iterator[Claim]:
    """Where CCL is no better than guessing, and where its accuracy begins to fall."""
    low = {c: values for c, values in line.items() if c <= CCL_CHANCE_TO}
    if low:
        c = max(low)
        told = better(low[c], np.full(len(low[c]), CHANCE))
        ours = f"{low[c].mean():.3f}"
        yield Claim("3", f"CCL: accuracy at c = {c:g}", reading, "no better than guessing", ours, not told)
    fallen = [c for c, values in line.items() if values.mean() < 1 - LOST]
    if fallen:
        what = f"CCL: largest c with an accuracy under {1 - LOST:g}"
        alike = abs(max(fallen) - CCL_LOST_FROM) <= 0.025
        yield Claim("3", what, reading, f"about {CCL_LOST_FROM:g}", f"{max(fallen):g}", alike)


def _ahead(figure: str, own: Line, other: Line, where: list[float], sentence: str, reading: str) -> Claim:
    """Significantly above everywhere."""
    count = sum(better(own[at], other[at]) for at in where)
    return Claim(figure, sentence, reading, "significantly", f"at {count} of {len(where)}", count == len(where))


def _boundary(cells: Cells, experiment: str) -> Iterator[Claim]:
    """Section 3.2: the boundary of ACL does not help the others."""
    gains = {}
    for name, with_it in LEAST_SQUARES.items():
        line, other = _line(cells, experiment, name), _line(cells, experiment, with_it)
        if other:
            gains[name] = (sum(better(other[c], line[c]) for c in line), len(line))
    for name in FORCED:
        if {BDE, name} <= set(gains):
            both = {BDE: gains[BDE], "CCL": gains[name]}
            ours = "; ".join(f"{one} better at {count} of {many} c" for one, (count, many) in both.items())
            alike = all(count <= BY_CHANCE * many for count, many in both.values())
            yield Claim("3", f"{BDE} and CCL: boundary by least squares", MOVES[name], "no improvement", ours, alike)


def _figure_4(cells: Cells, experiment: str) -> Iterator[Claim]:
    """Accuracy by rho."""
    ml, mid = (_line(cells, experiment, method) for method in (ML, MID))
    noisy = [rho for rho in ml if rho > 0]
    if not noisy:
        return
    ccl = {MOVES[name]: _line(cells, experiment, name) for name in FORCED}
    for name, reading, line in ((MID, "", mid), *(("CCL", reading, line) for reading, line in ccl.items())):
        ahead = [rho for rho in noisy if better(line[rho], ml[rho])]
        ours = f"at {len(ahead)} of {len(noisy)}" + (f", first at {ahead[0]:g}" if ahead else "")
        alike = len(ahead) == len(noisy)
        yield Claim("4", f"{name} above {ML}, every rho above 0", reading, "significantly", ours, alike)
    late = [rho for rho in noisy if rho >= NOISE_MATTERS_FROM]
    for reading, line in ccl.items() if late else ():
        count = sum(better(line[rho], mid[rho]) for rho in late)
        what = f"CCL above {MID}, rho from {late[0]:g}"
        ours = f"at {count} of {len(late)}"
        yield Claim("4", what, reading, "significantly, at most rho", ours, count > len(late) / 2)
    means = [float(values.mean()) for values in _line(cells, experiment, BDE).values()]
    ours = f"{min(means):.3f} to {max(means):.3f}"
    yield Claim("4", f"{BDE}: accuracy", "", "cannot tell", ours, max(means) < CHANCE + LOST)


def _figure_5(cells: Cells, experiment: str) -> Iterator[Claim]:
    """Accuracy by variables, by whose tables the noise disturbs."""
    ml, mid = (_line(cells, experiment, method) for method in (ML, MID))
    if len(ml) < 2:
        return
    where = "noise in one table" if experiment == SIZE_ONE else "noise in all tables"
    yield _change(ml, "drops dramatically", where, falls=True)
    for name in FORCED:
        line = _line(cells, experiment, name)
        apart = [float(line[n].mean() - mid[n].mean()) for n in ml]
        ours = ", ".join(f"{one:+.3f}" for one in apart)
        alike = min(apart) > 0 and max(apart) - min(apart) <= LOST
        said = "slightly more, essentially constant"
        yield Claim("5", f"CCL less {MID}", f"{MOVES[name]}, {where}", said, ours, alike)


def _without_noise(cells: Cells) -> Iterator[Claim]:
    """The paper's remark that without noise ACL-ML need not drop."""
    ml = _line(cells, SIZE, ML)
    if len(ml) > 1:
        yield _change(ml, "need not drop", "", falls=False)


def _change(line: Line, said: str, reading: str, *, falls: bool) -> Claim:
    """How far ACL-ML comes down from the smallest network to the largest."""
    small, large = min(line), max(line)
    fall = float(line[small].mean() - line[large].mean())
    what = f"{ML}: accuracy from {small:g} to {large:g} variables" + ("" if falls else ", no noise")
    ours = f"{line[small].mean():.3f} to {line[large].mean():.3f}"
    return Claim("5", what, reading, said, ours, (fall >= LOST) == falls)


def _slower(ratios: Cells) -> Iterator[Claim]:
    """Figure 6, for searches that have no memory."""
    for method in (SINGLE, PAIRED):
        values = ratios.get((ANEW, SLOWER_AT, ALL, method))
        if values is not None:
            what = f"CCL: times as long as ACL with {SLOWER_AT} variables, every family anew"
            ratio = float(values.mean())
            yield Claim("6", what, MOVES[method], f"over {SLOWER:g}", f"{ratio:.0f}", ratio > SLOWER)
