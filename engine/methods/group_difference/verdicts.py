"""Words that may be said of a variable, the probabilities from which they hold, and where a difference lies.

P(differs) is the average over orders, or with `average="none"` that of the paper's odds. *Where* and the effect are
read from S*, the variable's likeliest parents (among models in which it differs, where that is the likelier). Beside
it stands the variable on its own, with a permutation test that no prior moves; no verdict hangs on that.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from engine.methods.verdicts import EVEN as EVEN
from engine.methods.verdicts import IMPROBABLE as IMPROBABLE
from engine.methods.verdicts import SURE as SURE
from engine.methods.verdicts import Verdict as Verdict

if TYPE_CHECKING:
    import pandas as pd


class Alone(StrEnum):
    """Words for a variable on its own."""

    DIFFERS = "differs"
    THROUGH_OTHERS = "differs through others"
    NOT_SEEN = "no difference seen"
    ONE_LEVEL = ""


class LinkStatus(StrEnum):
    """Words for a link in the two groups."""

    BOTH = "both"
    ONLY_FIRST = "only A"
    ONLY_SECOND = "only B"
    NEITHER = "neither"
    REVERSED = "reversed"
    CANNOT_TELL = "cannot tell"


CALLED = (Verdict.DIFFERS, Verdict.PROBABLY)
"""Verdicts that name a difference."""
OUTCOME_EVEN = 0.75
"""P(differs) from which an outcome probably differs: its prior is 1/2, and any Bayes factor above 1 would do else."""
RARE_MARGIN = 0.5
"""Part of the rarer of two levels' share up to which a difference can be called equivalent, whatever the margin."""
THERE, NOT_THERE = 0.9, 0.1
"""P(link) from which a link is there, and up to which it is not."""
MOST_R_HAT, WORTH_R_HAT = 1.05, 0.005
"""Walks that disagree more than this carry no verdict, unless the error of P(differs) is below the second."""
EVERYWHERE = "everywhere"
ALL_ROWS = "on its own, all rows"


@dataclass(frozen=True)
class Where:
    """The context that carries most of the evidence for a difference of one variable.

    Attributes
    ----------
    context : in words, `EVERYWHERE` where the variable has no parents in S*
    level : whose share differs most there
    hits, n : rows of that level, and of the context, in either group
    effect, low, high : difference of the share, second group minus first, with its interval of 95 %
    missing : whether the level stands for values that are missing
    """

    context: str
    level: str
    hits: tuple[int, int]
    n: tuple[int, int]
    effect: float
    low: float
    high: float
    missing: bool = False


def averages_out(row: pd.Series) -> bool:
    """True of a variable that differs by the evidence of a context, and the interval of its average holds 0."""
    called = row["verdict"] in CALLED and row["where"] not in ("", EVERYWHERE)
    return bool(called and row["low"] <= 0 <= row["high"])
