"""Three and more groups: every arm against the control in one answer, with the trend where arms are ordered."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from engine.counting.requests import family_table
from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.execution import Progress, as_progress, part, silent
from engine.lazy import go, pd
from engine.measures.multiple import holm
from engine.methods.evidence import RunRecord
from engine.methods.fitting import check_shape, check_that
from engine.methods.group_difference.arms_evidence import ArmsEvidence, shared_prior
from engine.methods.group_difference.gap.gap import Gap
from engine.methods.group_difference.learn import compare_groups
from engine.methods.group_difference.result import SLUG, GroupDifferenceResult, claims_of
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.group_pair import dose_order
from engine.methods.result import Result
from engine.methods.storing import storable
from engine.methods.table_one import TITLE, DescribedResult, TableOne, table_one
from engine.telling.group_difference import arms as telling
from engine.telling.group_difference import figures
from engine.telling.group_difference.gap import figure_makers as gap_figures
from engine.telling.group_difference.gap import sections_of, table_of
from engine.telling.group_difference.wording import CAUTION
from engine.telling.sections import METHOD_TITLE, Section


@storable
@dataclass(frozen=True, eq=False, repr=False)
class ArmsResult(ArmsEvidence, DescribedResult):
    """The answer to "which variables differ between each arm and the control?"; see its base for the fields."""

    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/group-difference-arms/1"
    titles = ("Variables", "Arms", TITLE, "Gap", "Settings")
    table_descriptions = telling.TABLES
    several: ClassVar[str] = (
        "An answer of three and more groups is several comparisons; choose two groups and run these."
    )
    caution: ClassVar[str] = CAUTION
    thick: ClassVar[str] = "the more probable the link"

    pairs: tuple[GroupDifferenceResult, ...]
    described: TableOne | None = None

    headline = telling.headline
    question = telling.question
    how_sure = telling.how_sure
    sentences = telling.sentences
    notes = telling.notes
    row_notes = telling.row_notes
    arms = telling.arms

    def pair(self, arm: str) -> GroupDifferenceResult:
        """The comparison of one arm with the control.

        Parameters
        ----------
        arm : one of `labels` but the first

        Returns
        -------
        `GroupDifferenceResult`

        Raises
        ------
        DataError : there is no such arm
        """
        result = next((pair for pair in self.pairs if pair.labels[1] == arm), None)
        if result is None:
            raise DataError(f"There is no arm {arm!r}; there are {', '.join(map(repr, self.labels[1:]))}.")
        return result

    def with_prior(self, p_none: float) -> Self:
        """The same evidence under another prior probability that nothing differs in any arm.

        Parameters
        ----------
        p_none : above 0 and below 1

        Returns
        -------
        another answer

        Raises
        ------
        SettingsError : orders were drawn, under the prior of the run
        """
        each = shared_prior(p_none, len(self.pairs))
        pairs = tuple(pair.with_prior(p_none=each) for pair in self.pairs)
        return replace(self, method=replace(self.method, p_none=p_none), pairs=pairs)

    def with_margin(self, margin: float) -> Self:
        """The same evidence read with another difference that would matter.

        Parameters
        ----------
        margin : a difference of a probability, above 0 and below 1

        Returns
        -------
        another answer
        """
        pairs = tuple(pair.with_margin(margin) for pair in self.pairs)
        return replace(self, method=replace(self.method, margin=margin), pairs=pairs)

    def explain_gap(
        self,
        outcome: str,
        level: str | None = None,
        draws: int = 2000,
        *,
        first: Sequence[str] = (),
        data: Dataset | None = None,
        progress: Progress = silent,
    ) -> dict[str, Gap]:
        """Explain the gap of an outcome between each arm and the control.

        Parameters
        ----------
        outcome, level, draws, first, data, progress : as for `GroupDifferenceResult.explain_gap`

        Returns
        -------
        arm -> `engine.methods.group_difference.gap.gap.Gap`

        Raises
        ------
        DataError, SettingsError : as there
        """
        listener, many = as_progress(progress), len(self.pairs)
        result = {}
        for k, pair in enumerate(self.pairs):
            inner = part(listener, k / many, (k + 1) / many)
            arm = pair.labels[1]
            result[arm] = pair.explain_gap(outcome, level, draws, first=first, data=data, progress=inner)
        self.__dict__.pop("_parts", None)
        return result

    @property
    def gaps(self) -> list[Gap]:
        """Gaps that were explained, arm by arm."""
        return [gap for pair in self.pairs for gap in pair.gaps.values()]

    def table_titles(self) -> tuple[str, ...]:
        """The titles of the tables that this answer has."""
        return tuple(title for title in self.titles if title != "Gap" or self.gaps)

    def variables(self) -> pd.DataFrame:
        """One row a variable, what differs first: the arm in which it differs most surely, and its trend.

        Returns
        -------
        pandas.DataFrame by variable: arm, and the columns of that pair's `variables`; trend, the rank correlation with
        the order of the arms, and p_trend, corrected
        """
        return self._in_words.copy()

    @cached_property
    def _in_words(self) -> pd.DataFrame:
        return telling.variables(self)

    def claims(self) -> pd.DataFrame:
        """One row a variable: whether it differs, in the arm where that is surest."""
        return claims_of(self.verdicts, self.n_rows)

    def short_title(self) -> str:
        """The group column, and what is compared with what."""
        return f"{self.method.group}: all against {self.control}"

    def sections(self) -> list[Section]:
        """The answer, every arm, the strongest context by context, networks and settings."""
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            self._described_section(),
            Section("ranking", "Every arm against the control", tables=("Variables", "Arms"), figures=("ranking",)),
            *sections_of(self.pairs),
            Section("networks", "Networks of the groups", (self.caution,), figures=("networks",)),
            Section("method", METHOD_TITLE, tables=("Settings",)),
        ]

    def _own_figures(self) -> dict[str, Callable[[], go.Figure]]:
        return figures.figure_makers(self.strongest) | gap_figures(self.pairs)

    def _made_of(self) -> tuple[Result, ...]:
        return self.pairs

    def _table_makers(self) -> dict[str, Callable[[], pd.DataFrame]]:
        rows = {f"rows in {label}": n for label, n in zip(self.labels, self.n, strict=True)}
        columns = ["arm", "verdict", "probability", "trend", "p_trend"]
        return {
            "Variables": lambda: self.verdicts[columns].reset_index(),
            "Arms": self.arms,
            TITLE: self._described_table,
            "Gap": lambda: table_of(self.pairs),
            "Settings": lambda: self.settings_table(rows),
        }

    def _check_read(self) -> None:
        super()._check_read()
        check_that(len(self.pairs) > 1, "there is one arm only")
        check_that(all(pair.names == self.names for pair in self.pairs), "the arms are of other variables")
        check_that(len({pair.labels[0] for pair in self.pairs}) == 1, "the arms have no common control")
        check_that(len(set(self.labels)) == len(self.labels), "two arms are one")
        for numbers in (self.trend, self.p_trend):
            check_shape(numbers, len(self.names))


def compare_arms(method: GroupDifferenceSettings, data: Dataset, arms: Sequence[str], progress: Progress) -> ArmsResult:
    """Every arm against the first, one after the other, and the trend where they are ordered."""
    control, *others = arms
    each = shared_prior(method.p_none, len(others))
    pairs = []
    for k, arm in enumerate(others):
        inner = part(progress, k / len(others), (k + 1) / len(others))

        def told(fraction: float, step: str, inner: Progress = inner, arm: str = arm) -> None:
            inner(fraction, f"{arm} v {control}: {step}")

        pairs.append(compare_groups(replace(method, groups=(control, arm), p_none=each), data, told))
    names = pairs[0].names
    places = dose_order(arms, data.kinds[method.group] == "ordinal")
    trends: Any = np.full((len(names), 2), math.nan)
    if places and data.clusters is None and data.subjects is None:  # rows that belong together are no evidence each
        trends = np.array([_trend(data, method.group, name, dict(zip(arms, places, strict=True))) for name in names])
    known = np.isfinite(trends[:, 1])
    trends[known, 1] = holm(trends[known, 1])
    return ArmsResult(
        method=method,
        names=names,
        fingerprint=data.fingerprint,
        made=RunRecord.of(data, method.group, tuple(arms)),
        pairs=tuple(pairs),
        trend=trends[:, 0],
        p_trend=trends[:, 1],
        described=table_one(data, method.group, arms),
    )


def _trend(data: Dataset, group: str, name: str, places: dict[str, int]) -> tuple[float, float]:
    """Rank correlation of a variable with the place of the arms, and p of the linear-by-linear test.

    On ranks of values or levels (Mantel 1963): of two levels it is the test of Cochran and Armitage. A variable without
    an order has none.
    """
    table = _by_place(data, group, name, places)
    n, margins = table.sum(), (table.sum(axis=1), table.sum(axis=0))
    x, y = ((ranks := np.cumsum(margin) - margin / 2) - ranks @ margin / max(n, 1) for margin in margins)
    scale = math.sqrt((margins[0] @ x**2) * (margins[1] @ y**2))
    if not scale:
        return math.nan, math.nan
    from scipy.stats import chi2

    r = float(x @ table @ y / scale)
    return r, float(chi2.sf((n - 1) * r**2, 1))


def _by_place(data: Dataset, group: str, name: str, places: dict[str, int]) -> np.ndarray:
    """Rows of each arm, in their order, with each value of a number or each level but gaps; none without an order."""
    place = np.array([places.get(level, -1) for level in data.levels[group]])
    table = np.zeros((max(places.values()) + 1, 0))
    if data.in_memory and name in data.numbers:
        values, own = data.values(name), place[data.column(group)]
        known = np.isfinite(values) & (own >= 0)
        distinct, at = np.unique(values[known], return_inverse=True)
        table = np.zeros((len(table), len(distinct)))
        np.add.at(table, (own[known], at), 1.0)
        return table
    levels = [k for k, level in enumerate(data.levels[name]) if level != data.missing_level(name)]
    if len(levels) > 2 and data.kinds[name] == "nominal":
        return table
    configurations, counts = family_table(data, data.index(name), (data.index(group),))
    table = np.zeros((len(table), len(levels)))
    for (code,), row in zip(np.asarray(configurations).reshape(-1, 1), counts, strict=True):
        if place[int(code)] >= 0:
            table[place[int(code)]] += row[levels]
    return table
