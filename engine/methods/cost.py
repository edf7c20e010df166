"""What a run takes, in seconds and bytes, and how that is said before it begins."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine import words

if TYPE_CHECKING:
    from engine.data.coded_table import CodedTable

WORTH_SECONDS, WORTH_ADVICE = 5.0, 60.0
"""Seconds from which a run is told of, and from which it is said how to make it shorter."""
WORTH_BYTES = 500_000_000
"""Bytes beyond the table from which they are told of."""


@dataclass(frozen=True)
class Size:
    """Size of a table.

    Attributes
    ----------
    rows, variables : of the table
    levels : of a variable, on average
    counted : whether rows are only counted, on disk or on a cluster
    classes : of the column that says the classes, where a method asks for one
    numbers : of the variables, those whose values are at hand
    """

    rows: int
    variables: int
    levels: float = 3.0
    counted: bool = False
    classes: int = 2
    numbers: int = 0

    @classmethod
    def of(cls, data: CodedTable) -> Size:
        """Of a data set."""
        every = sum(len(data.levels[name]) for name in data.names)
        levels, numbers = every / max(data.n_variables, 1), len(getattr(data, "numbers", ()))
        return cls(data.n_rows, data.n_variables, levels, not data.in_memory, numbers=numbers)


@dataclass(frozen=True)
class Cost:
    """About what a run takes. Half or twice as much is no surprise: how many links there are decides, too.

    Attributes
    ----------
    seconds : of one core
    memory : bytes, beyond what the table takes
    less : what to change to make it less, as the end of a sentence
    quicker : what else takes less time, though not less memory: "fewer draws"; empty where nothing does
    """

    seconds: float = 0.0
    memory: float = 0.0
    less: str = "choose fewer variables"
    quicker: str = ""

    def times(self, runs: int) -> Cost:
        """Of so many such runs, one after the other."""
        return replace(self, seconds=runs * self.seconds)


def sentence(cost: Cost, size: Size) -> str:
    """Say what to expect of a run, and what to do where it is too much.

    Examples
    --------
    >>> sentence(Cost(90.0, 1.4e9), Size(500, 3_000)).replace("\\N{NO-BREAK SPACE}", " ")
    '3,000 variables and 500 rows will take about 1 min 30 s on one core and 1.4 GB of memory; if that is too much, \
choose fewer variables.'
    """
    long, large = cost.seconds >= WORTH_SECONDS, cost.memory >= WORTH_BYTES
    if not (long or large) or not size.variables or not size.rows:
        return ""
    sentences = [f"{about(cost.seconds)} on one core"] if long else []
    if large:
        sentences.append(f"{'' if long else 'about '}{gigabytes(cost.memory)} of memory")
    table = f"{words.count(size.variables, 'variable')} and {words.count(size.rows, 'row')}"
    more = f", or {cost.quicker}{' for less time' if large else ''}" if long and cost.quicker else ""
    advice = f"; if that is too much, {cost.less}{more}" if large or cost.seconds >= WORTH_ADVICE else ""
    return f"{table} will take {' and '.join(sentences)}{advice}."


def about(seconds: float) -> str:
    """A time to come in words, no finer than it can be known; of days it is only said that they are days."""
    hours = seconds / 3600
    if hours >= 48:
        return "days"
    if hours >= 2:
        return f"about {words.count(round(hours), 'hour')}"
    return f"about {words.duration(_rough(seconds))}"


def gigabytes(size: float) -> str:
    """A number of bytes with two digits, in plain figures.

    Examples
    --------
    >>> gigabytes(999.6e6), gigabytes(1.234e9), gigabytes(1.8e12)
    ('1 GB', '1.2 GB', '1,800 GB')
    """
    rough = _rough(size)
    if rough < 1e9:
        return f"{rough / 1e6:,.0f} MB"
    return f"{rough / 1e9:,.1f}".removesuffix(".0") + " GB"


def _rough(value: float) -> float:
    """With two digits."""
    if value <= 0:
        return 0.0
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return round(value / step) * step
