"""From a table to the answer of a group comparison by its public names, what is counted of it, and the bars.

Bars stood here before any table was drawn. A cell misses its bar only where the 95 % Clopper-Pearson interval of its
share lies wholly on the wrong side. *Called* is *differs* or *probably differs*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

import engine
from benchmarks.calibration.cell import Bar
from benchmarks.calibration.group_differences import CALLED, Counted
from benchmarks.calibration.numbers.generators import GROUP, NOMINAL, NUMBERS, ORDERED, Drawn
from benchmarks.calibration.shares import Share
from engine.data.dataset import Dataset
from engine.methods.group_difference.result import GroupDifferenceResult

TOLD = "told: "
"""How quantities begin that are held to nothing."""
NULL_DIFFERS, NULL_CALLED = "null: any 'differs'", "null: any called"
SMALL_CALLED = "null, small groups: any called"
SHIFT_3, SHIFT_5 = "shift .3 SD, 500: 'differs'", "shift .5 SD, 200: 'differs'"
SPREAD, TAIL = "SD x 1.5, 200: 'differs'", "6 % with +3 SD, 500: called"
THIRD = "inside a third, 1,000: 'differs'"
LEVEL, SCALE = "one level of four +10 points, 500: 'differs'", "ordered, shift .3, 500: 'differs'"
POINTS = "15 points everywhere, 500: 'differs'"
CONTEXT = "30 points in one context of six, 500: 'differs'"
MOVER, FOLLOWERS_DIFFER = "r .9, 1,000: what moves 'differs'", "r .9, 1,000: a follower 'differs'"
FOLLOWERS_CALLED, FOLLOWER = "r .9, 1,000: a follower called", "a follower called"
COPY, TOTAL = "an exact copy: both 'differs'", "a total of items: both 'differs'"
SLOPE = "slope .4 against -.4: the unchanged end 'differs'"
HUMPS, HUMPS_LEVELS = "two humps, 500: 'differs'", "told: two humps, cut into thirds that are nominal, 500: 'differs'"
ROUNDED, ROUNDED_NOTE = (
    "the same values, steps .01 and .5: called",
    "the same values, steps .01 and .5: the note stands",
)
PAIRS_CALLED, PAIRS = "100 pairs, shift .5 SD: called", "100 pairs, shift .5 SD: 'differs'"
BARE = "'equivalent' without 'overall'"
EQUIVALENT_CUT = "'equivalent' where a distribution differs by 15 points at a cut point"
EQUIVALENT_SIX = "'equivalent' where one context of six differs by 24 points, the others by -5"
EQUIVALENT_FOUR = "'equivalent' where four contexts differ by 17 points in turn"
EQUIVALENT = "nothing differs, 3,000 a group: variables that are 'equivalent'"
UNITS = "interval of a difference in units holds it"
PICKED = "interval of the picked context holds it"
FIRM = "fork of r .9: a firm link between its ends, any criterion"
OTHERS_CALLED = "told: another called"
NOT_YET = "told: not there yet: {}"
BARS = {
    NULL_DIFFERS: Bar(high=0.01),
    NULL_CALLED: Bar(high=0.05),
    SMALL_CALLED: Bar(high=0.08),
    SHIFT_3: Bar(low=0.8),
    SHIFT_5: Bar(low=0.85),
    SPREAD: Bar(low=0.75),
    TAIL: Bar(low=0.45),
    THIRD: Bar(low=0.95),
    LEVEL: Bar(low=0.55),
    SCALE: Bar(low=0.65),
    POINTS: Bar(low=0.8),
    MOVER: Bar(low=0.9),
    FOLLOWERS_DIFFER: Bar(high=0.02),
    FOLLOWERS_CALLED: Bar(high=0.08),
    FOLLOWER: Bar(high=0.05),
    COPY: Bar(high=0.0),
    TOTAL: Bar(high=0.0),
    SLOPE: Bar(high=0.05),
    ROUNDED: Bar(high=0.05),
    ROUNDED_NOTE: Bar(low=0.95),
    PAIRS_CALLED: Bar(low=0.9),
    PAIRS: Bar(low=0.55),
    BARE: Bar(high=0.0),
    EQUIVALENT_CUT: Bar(high=0.02),
    EQUIVALENT_SIX: Bar(high=0.35),
    EQUIVALENT_FOUR: Bar(high=0.15),
    EQUIVALENT: Bar(low=0.8),
    UNITS: Bar(low=0.93, high=0.97),
    PICKED: Bar(low=0.92),
    FIRM: Bar(high=0.05),
}
"""By quantity; the others are only told, or held to the commit before."""
SLACK = 0.05
KEPT = {HUMPS: 0.0, CONTEXT: SLACK}
"""Quantities that may not be lower than at the commit before by more than this; so may none of COMPARE's cells."""


@dataclass(frozen=True)
class NumberShare(Share):
    """A share that is held to the bars of this file, or as a cell of COMPARE to those of `shares`."""

    @property
    def bar(self) -> Bar | None:
        """What it is held to; None for nothing."""
        return BARS.get(self.quantity) if self.quantity in BARS else super().bar


@dataclass(frozen=True, eq=False)
class Answer:
    """What the comparison says of a table."""

    result: GroupDifferenceResult
    data: Dataset

    @property
    def table(self) -> pd.DataFrame:
        """One row a variable."""
        return self.result.variables()

    def verdict(self, name: str) -> str:
        """The word of a variable; "" where it is not among those compared."""
        table = self.table
        return str(table.at[name, "verdict"]) if name in table.index else ""

    def differs(self, names: Iterable[str]) -> int:
        """1 if any of these *differs*."""
        return int(any(self.verdict(name) == "differs" for name in names))

    def called(self, names: Iterable[str]) -> int:
        """1 if any of these is called."""
        return int(any(self.verdict(name) in CALLED for name in names))

    def others(self, *names: str) -> list[str]:
        """All variables but these."""
        return [str(one) for one in self.table.index if one not in names]

    @property
    def said(self) -> list[str]:
        """All sentences: of the answer, of its rows and of how the table was prepared."""
        result = self.result
        return [result.headline(), *result.sentences(), *result.notes(), *result.row_notes(), *_reported(self.data)]


def _reported(data: Dataset) -> list[str]:
    """What the preparing tells, as one text."""
    report = data.report
    return [] if report is None else [str(report.to_dict()) if hasattr(report, "to_dict") else str(report)]


def answer(drawn: Drawn) -> Answer:
    """The comparison as a person runs it: kinds said, all else by default."""
    names = list(drawn.frame.columns)
    kinds = {name: "continuous" for name in names if name in NUMBERS}
    kinds |= {name: "ordinal" for name in names if name in ORDERED} | {
        name: "nominal" for name in names if name in NOMINAL
    }
    levels = {name: list(ORDERED[name]) for name in names if name in ORDERED}
    choices = {"kinds": kinds, "levels": levels, **drawn.choices}
    choices["kinds"] = {**kinds, **drawn.choices.get("kinds", {})}  # type: ignore[dict-item]
    data = Dataset.from_frame(drawn.frame, **choices)
    return Answer(engine.GroupDifference(group=GROUP).run(data), data)


def found(drawn: Drawn, differs: str = "", called: str = "") -> Counted:
    """Whether what moved *differs*, is called, and whether another variable is called."""
    given = answer(drawn)
    counted: Counted = {OTHERS_CALLED: (given.called(given.others(*drawn.moved, *drawn.followers)), 1, 0.0)}
    if differs:
        counted[differs] = (given.differs(drawn.moved), 1, 0.0)
    word = called or "told: what moved is called"
    counted[word] = (given.called(drawn.moved), 1, 0.0)
    return counted


def bare_equivalent(given: Answer) -> int:
    """1 if anything is claimed to be equivalent without the word *overall* beside it."""
    sentences = [given.result.summary(), *given.result.sentences(), given.result.headline()]
    parts = [part for text in sentences for part in re.split(r"(?<=[.;])\s", text)]
    claims = [part for part in parts if re.search(r"\bequivalent\b", part, re.I)]
    return int(
        any(
            "overall" not in part and not re.search(r"\bnot (make|show|mean|\w+ )?\b.*equivalent", part)
            for part in claims
        )
    )


def sign(given: Answer) -> int:
    """1 where the answer's second group is the table's second."""
    return 1 if str(given.result.labels[1]).startswith("B") else -1


def covered(given: Answer, name: str, truth: float, columns: tuple[str, str]) -> tuple[int, int, float]:
    """Whether an interval of a variable's row holds the truth; of none where there is no interval."""
    row = given.table.loc[name]
    low, high = (float(row[column]) for column in columns)
    truth *= sign(given)
    return (int(low <= truth <= high), 1, 0.0) if np.isfinite([low, high]).all() else (0, 0, 0.0)
