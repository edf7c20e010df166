"""What explains a gap of an outcome between two groups: the numbers, and how they are told."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from engine import words
from engine.lazy import go, pd
from engine.methods import frames
from engine.methods.fitting import check_shape, check_that
from engine.methods.group_difference.gap.figures import waterfall
from engine.methods.group_difference.verdicts import IMPROBABLE
from engine.methods.storing import storable
from engine.telling.sections import Section

UNEXPLAINED = "not explained"
"""What the links and differences that the rows show do not carry."""
SHOWN = 3
"""Variables that a sentence names."""
_SMALL = 0.005
"""Part of the groups' range below which a share is not spoken of: half a point."""


@storable
@dataclass(frozen=True, eq=False)
class Gap:
    """Of a gap between two groups, the share of each variable whose mechanism differs and that leads to the outcome.

    Attributes
    ----------
    outcome, level : whose share of rows is compared; level "" for the mean of a number
    unit : of the number, "" where none is known
    labels : what the two groups are called in sentences
    observed : the share or the mean in either group
    names : the variables with a share, the largest first and the outcome last, whose share is its own part: that of
        rows which are alike in all that leads to it
    shares : (k, 3) mean and central 95 % interval of each, second group minus first
    chances : (k,) in which part of the draws each differs and leads to the outcome
    unexplained : the rest of the observed gap, with its interval
    pairs, together : two variables whose arrow may point either way, and (m, 3) the sum of their shares
    first : the variables that stand first in every order, by choice
    draws : networks that were drawn
    error : Monte Carlo standard error of the shares for orders of exchange that were drawn; 0 where all are used
    p_none : prior probability that nothing differs
    """

    outcome: str
    level: str
    unit: str
    labels: tuple[str, str]
    observed: tuple[float, float]
    names: tuple[str, ...]
    shares: np.ndarray
    chances: np.ndarray
    unexplained: tuple[float, float, float]
    pairs: tuple[tuple[str, str], ...]
    together: np.ndarray
    first: tuple[str, ...]
    draws: int
    error: float
    p_none: float

    @property
    def size(self) -> float:
        """The observed gap, second group minus first."""
        return self.observed[1] - self.observed[0]

    @property
    def of_levels(self) -> bool:
        """Whether it is of a share of rows rather than of a mean."""
        return bool(self.level)

    def table(self) -> pd.DataFrame:
        """One row a variable and one for what is not explained; the rows add up to the observed gap.

        Returns
        -------
        pandas.DataFrame: outcome, level, group (the second), variable; share, low and high, NaN of a mean; mean,
        mean_low and mean_high in the unit, NaN of a level; probability, that it differs and leads to the outcome
        """
        rows = [*zip(self.names, self.shares.tolist(), self.chances.tolist(), strict=True)]
        rows.append((UNEXPLAINED, list(self.unexplained), math.nan))
        unknown = [math.nan] * 3
        columns = ["outcome", "level", "group", "variable", "share", "low", "high", "mean", "mean_low", "mean_high"]
        return frames.data_frame(
            [
                (
                    *(self.outcome, self.level, self.labels[1], name),
                    *(ends + unknown if self.of_levels else unknown + ends),
                    chance,
                )
                for name, ends, chance in rows
            ],
            columns=[*columns, "probability"],
        )

    def figures(self) -> dict[str, go.Figure]:
        """The waterfall from the first group to the second.

        Returns
        -------
        {"gap": plotly.graph_objects.Figure}
        """
        return {name: make() for name, make in self.figure_makers("gap").items()}

    def figure_makers(self, name: str) -> dict[str, Callable[[], go.Figure]]:
        """Name -> what draws it."""
        return {name: partial(waterfall, self)}

    def document(self) -> dict[str, Any]:
        """Its numbers for other programs."""
        table = self.table()
        return {
            "outcome": self.outcome,
            "level": self.level or None,
            "unit": self.unit or None,
            "groups": list(self.labels),
            "observed": list(self.observed),
            "shares": table.astype(object).where(table.notna(), None).to_dict("records"),
            "first": list(self.first),
            "draws": self.draws,
            "error": self.error,
        }

    # -- sentences ----------------------------------------------------------------------------------------------------

    def title(self) -> str:
        """What it is about, as a question."""
        return f"What explains the gap of {self.called}?"

    @property
    def called(self) -> str:
        """'death', and its level where that says more than yes."""
        return (
            self.outcome if not self.of_levels or self.level.casefold() == "yes" else f"{self.outcome} = {self.level}"
        )

    def sentences(self) -> list[str]:
        """The gap, what comes with which variable, the outcome's own part, what is left, and what it rests on."""
        one, other = (self.written(value) for value in self.observed)
        what, where = (f'"{self.level}" in', "of") if self.of_levels else ("mean", "in")
        both = f"{one} {where} {self.labels[0]}, {other} {where} {self.labels[1]}"
        result = [f"{self.outcome}: {what} {both}, a gap of {self.amount(self.size)}.", self._of_others()]
        if self.names and self.names[-1] == self.outcome:
            own = self.shares[-1]
            ends = f"{self.amount(own[0])} ({self.ends(own)})"
            among = f"Among rows alike in what leads to {self.outcome}"
            if self.is_clear(own):
                result.append(f"{among}, it carries {ends} itself.")
            elif self.chances[-1] >= IMPROBABLE:
                result.append(f"{among}, a gap is inconclusive: {ends}.")
            else:  # an interval of 0 to 0 is the prior's, and would read as proof
                result.append(f"{among}, no gap is seen.")
        if abs(self.unexplained[0]) >= self.smallest:
            amount = self.amount(self.unexplained[0])
            result.append(
                f"Not explained of {self.outcome}: {amount}; it may be chance, or differences too weak to see."
            )
        for (a, b), ends in zip(self.pairs, self.together, strict=True):
            result.append(
                f"{a} and {b}: together {self.amount(ends[0])} ({self.ends(ends)}) of {self.outcome}; their arrow may "
                "point either way."
            )
        if self.error:
            size = f"{self.error * (100 if self.of_levels else 1):.2g}"
            result.append(f"Orders of exchange were drawn for the gap of {self.outcome}; Monte Carlo error {size}.")
        early = words.listed if len(self.first) <= SHOWN else words.first
        before = f", {early(self.first)} first" if self.first else ""
        result.append(f"{self.outcome} stands last{before}: an assumption. A share is a cause only if the arrows are.")
        return result

    def _of_others(self) -> str:
        """'Of this gap of death, +6 points (4 to 8) come with severity.'"""
        others = [
            (name, ends)
            for name, ends in zip(self.names, self.shares, strict=True)
            if name != self.outcome and self.is_clear(ends) and abs(ends[0]) >= self.smallest / 5
        ]
        if not others:
            return f"No part of the gap of {self.outcome} is seen to come with another variable."
        said = [f"{self.amount(ends[0])} ({self.ends(ends)}) with {name}" for name, ends in others[:SHOWN]]
        said += [f"more with {words.count(len(others) - SHOWN, 'other')}"] if len(others) > SHOWN else []
        return f"Of the gap of {self.outcome} come {words.listed(said)}."

    @property
    def smallest(self) -> float:
        """The least that is spoken of."""
        return _SMALL if self.of_levels else abs(self.size) / 20

    @staticmethod
    def is_clear(ends: Sequence[float] | np.ndarray) -> bool:
        """Whether an interval leaves 0 out."""
        return bool(ends[1] > 0 or ends[2] < 0)

    def written(self, value: float) -> str:
        """A share in percent, or a mean."""
        return words.in_percent(value) if self.of_levels else words.with_minus(f"{value:,.{self._decimals}f}")

    def amount(self, value: float) -> str:
        """'+6 points', '+1.2 mmol/L'."""
        unit = " points" if self.of_levels else f" {self.unit}" if self.unit else ""
        return f"{self.signed(value)}{unit}"

    def signed(self, value: float) -> str:
        """A part of the gap with its sign, in points or in the unit."""
        return words.with_sign(100 * value if self.of_levels else value, self._decimals)

    def ends(self, ends: Sequence[float] | np.ndarray) -> str:
        """'4.1 to 7.6'."""
        scale = 100 if self.of_levels else 1
        low, high = (words.with_minus(f"{scale * end:z,.{self._decimals}f}") for end in ends[1:])
        return f"{low} to {high}"

    @property
    def _decimals(self) -> int:
        """As many as the gap has meaning for."""
        if self.of_levels:
            return 1
        size = max(abs(self.size), float(np.ptp(self.shares)) if self.shares.size else 0.0, 1e-12)
        return min(max(1 - math.floor(math.log10(size)), 0), 6)

    def _check_read(self) -> None:
        check_shape(self.shares, len(self.names), 3)
        check_shape(self.chances, len(self.names))
        check_shape(self.together, len(self.pairs), 3)
        check_that(len(self.unexplained) == 3 and len(self.observed) == 2, "a gap has no ends")
        check_that(self.draws > 0, "nothing was drawn")


def sections_of(gaps: Sequence[Gap]) -> list[Section]:
    """The part of a report that tells of gaps; none where nothing was asked."""
    if not gaps:
        return []
    title = gaps[0].title() if len(gaps) == 1 else "What explains the gaps?"
    said = dict.fromkeys(sentence for gap in gaps for sentence in gap.sentences())
    return [Section("gap", title, tuple(said), ("Gap",), tuple(figures_of(gaps)))]


def figures_of(gaps: Sequence[Gap]) -> dict[str, Callable[[], go.Figure]]:
    """Name -> what draws it, of several gaps."""
    result: dict[str, Callable[[], go.Figure]] = {}
    for place, gap in enumerate(gaps, start=1):
        result |= gap.figure_makers("gap" if place == 1 else f"gap {place}")
    return result


def table_of(gaps: Sequence[Gap]) -> pd.DataFrame:
    """All gaps, one below the other."""
    return pd.concat([gap.table() for gap in gaps], ignore_index=True) if gaps else pd.DataFrame()
