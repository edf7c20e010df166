"""Shares of tables held to bars: intervals, verdicts, all cells pooled, and the page that tells them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from scipy.stats import beta

from benchmarks.calibration.cell import Bar

ANY_DIFFERS, ANY_CALLED = "null tables with any 'differs'", "null tables with any 'differs' or 'probably differs'"
MOVED, ANOTHER = "the moved variable 'differs'", "another 'differs' or 'probably differs'"
HEAD, FOLLOWER = "the chain's head 'differs'", "another of the chain 'differs' or 'probably differs'"
DIFFERS_BIN, LINK_BIN = "P(differs) {:.1f} to {:.1f}: differs", "P(link) {:.1f} to {:.1f}: linked"
BINS, NEAR, ENOUGH = 10, 0.1, 100
"""Bins of a probability; how near to their mean probability the true share must be; of fewer items none is judged."""
BARS = {
    ANY_DIFFERS: Bar(high=0.02),
    ANY_CALLED: Bar(high=0.07),
    MOVED: Bar(low=0.9),
    ANOTHER: Bar(high=0.1),
    FOLLOWER: Bar(high=0.04),
    "role set: any called": Bar(high=0.07),
    "role set: any called (6 + 6 clusters)": Bar(high=0.1),
    "role set: found, 20 clinics": Bar(low=0.95),
    "role set: found, 60 subjects": Bar(low=0.4),
    "role set: another called": Bar(high=0.05),
    "role set: found without the role only": Bar(high=0.05),
    "one miscoded row: a P moves by more than .1": Bar(high=0.05),
    "card for clinics": Bar(low=0.8),
    "any card for a harmless code": Bar(high=0.05),
    "note on gaps, by group and a variable": Bar(low=0.99),
    "note on gaps at random": Bar(high=0.05),
}
"""By quantity, where a cell is held to one."""
MET, CHANCE, MISSED = "met", "met within chance", "missed"


@dataclass(frozen=True)
class Share:
    """One quantity of one cell, or of all cells together.

    Attributes
    ----------
    cell, quantity : what was counted;  hits, of : how often, of how many
    expected : sum of the probabilities that were said, where a probability is judged
    held : whether a bar holds;  seconds : CPU time of the cell
    """

    cell: str
    quantity: str
    hits: int
    of: int
    expected: float = 0.0
    held: bool = True
    seconds: float = 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Clopper and Pearson's, 95 %."""
        low = float(beta.ppf(0.025, self.hits, self.of - self.hits + 1)) if self.hits else 0.0
        high = float(beta.ppf(0.975, self.hits + 1, self.of - self.hits)) if self.hits < self.of else 1.0
        return low, high

    @property
    def is_bin(self) -> bool:
        """Whether this is a bin of a probability."""
        return self.quantity.startswith("P(")

    @property
    def bar(self) -> Bar | None:
        """What the share is held to; None for nothing."""
        if self.is_bin:
            mean = self.expected / self.of
            return Bar(max(mean - NEAR, 0.0), min(mean + NEAR, 1.0)) if self.of >= ENOUGH else None
        return BARS.get(self.quantity) if self.held else None

    def verdict(self, pooled: bool = False) -> str:
        """Whether the bar is met; chance excuses a cell, but not all cells pooled."""
        bar = self.bar
        if bar is None:
            return ""
        if bar.holds(self.hits / self.of):
            return MET
        low, high = self.interval
        excluded = (bar.high is not None and low > bar.high) or (bar.low is not None and high < bar.low)
        return MISSED if pooled or excluded else CHANCE


def pooled(shares: list[Share]) -> list[Share]:
    """The quantities that are held to a bar, over all cells that are."""
    total: dict[str, list[Share]] = {}
    for one in shares:
        if one.held and (one.is_bin or one.bar is not None):
            total.setdefault(one.quantity, []).append(one)
    return [
        type(rows[0])(
            f"all {len(rows)} cells",
            quantity,
            sum(one.hits for one in rows),
            sum(one.of for one in rows),
            math.fsum(one.expected for one in rows),
            seconds=math.fsum(one.seconds for one in rows),
        )
        for quantity, rows in total.items()
        if len(rows) > 1
    ]


@dataclass
class Page:
    """The table of all shares, as Markdown.

    Attributes
    ----------
    title : what it is about;  command : what makes it again;  shares : so far
    strict : whether cells pooled have to meet a bar themselves, where chance excuses a cell
    """

    title: str
    command: str
    shares: list[Share] = field(default_factory=list)
    strict: bool = True

    def lines(self) -> Iterator[str]:
        """One row a share, the cells pooled last."""
        yield "| cell | quantity | hits | of | share | 95 % interval | bar | verdict | seconds |"
        yield "|---|---|---|---|---|---|---|---|---|"
        for one in self.shares:
            yield row(one)
        for one in pooled(self.shares):
            yield row(one, pooled=self.strict)

    def markdown(self) -> str:
        """The page."""
        missed = sum(one.verdict() == MISSED for one in self.shares)
        missed += sum(one.verdict(pooled=self.strict) == MISSED for one in pooled(self.shares))
        together = ", cells pooled where their share does" if self.strict else ", and so all cells pooled"
        barred = sum(one.bar is not None for one in [*self.shares, *pooled(self.shares)])
        head = (
            f"# {self.title}\n\n"
            f"    {self.command}\n\n"
            f"Run of {datetime.now(UTC).date().isoformat()}. Of {barred} shares that are held to a bar, {missed} miss "
            f"it: a cell only where the 95 % Clopper-Pearson interval excludes the bar{together}. "
            "Generators stand in `benchmarks/calibration`; the studies and the tests use others.\n\n"
        )
        return head + "\n".join(self.lines()) + "\n"


def row(one: Share, pooled: bool = False) -> str:
    """A share as a row of the table."""
    low, high = one.interval
    bar = "" if one.bar is None else one.bar.words() if not one.is_bin else f"{one.bar.low:.3f} to {one.bar.high:.3f}"
    cells = (
        one.cell,
        one.quantity,
        str(one.hits),
        f"{one.of:,}",
        f"{one.hits / one.of:.3f}",
        f"{low:.3f} to {high:.3f}",
        bar,
        one.verdict(pooled),
        f"{one.seconds:.0f}",
    )
    return f"| {' | '.join(cells)} |"
