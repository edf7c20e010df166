"""Three and more groups: every arm against the control in one answer, with the trend where arms are ordered."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from engine import words
from engine.counting.requests import family_table
from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.execution import Progress, as_progress, part, silent
from engine.lazy import go, nx, pd
from engine.measures.multiple import holm
from engine.methods import frames
from engine.methods.evidence import CANNOT_TELL, CLAIMS, Claim, RunRecord
from engine.methods.fitting import check_shape, check_that
from engine.methods.group_difference import figures, telling, wording
from engine.methods.group_difference.columns import GAP
from engine.methods.group_difference.gap.gap import Gap, figures_of, sections_of, table_of
from engine.methods.group_difference.learn import compare_groups
from engine.methods.group_difference.result import SLUG, STATES, GroupDifferenceResult
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.group_difference.verdicts import Verdict
from engine.methods.group_pair import dose_order
from engine.methods.result import Result
from engine.methods.storing import storable
from engine.methods.table_one import TITLE, DescribedResult, TableOne, table_one
from engine.telling.sections import Section
from engine.telling.tables import TableDescription, described

_ORDER = list(Verdict)
_OF_AN_ARM = (
    *("verdict", "probability", "unit", "where"),
    *("what", "first", "second", "difference", "difference_low", "difference_high"),
    *("level", "effect", "low", "high", "effect_alone", "low_alone", "high_alone", "p_alone"),
)
"""Columns of a pair's variables that the table of arms has, as far as they are there."""
TABLES = {
    "Variables": TableDescription(
        "One row a variable, with the arm in which it differs most surely. The trend is the rank correlation with the "
        "order of the arms, its p corrected by Holm.",
        described(text="variable; arm", verdict="verdict", probability="probability: P(differs)", number="trend")
        | described(p="p_trend: p of the trend, corrected"),
        keys=("variable",),
        differing=(Verdict.DIFFERS,),
        estimates=("trend", "p_trend"),
    ),
    "Arms": TableDescription(
        "One row a variable and arm, each compared with the control alone; differences are arm minus control, and of "
        "one level in all arms.",
        described(
            text="variable; arm; what; unit; first: control; second: this arm; where; level",
            verdict="verdict",
            probability="probability: P(differs)",
            number="difference: difference (95 %); difference_low; difference_high",
            points="effect: difference, pp (95 %); low; high; effect_alone: overall, pp (95 %); low_alone; high_alone",
            p="p_alone: p overall, corrected",
        ),
        keys=("variable", "arm"),
        ends={
            "effect": ("low", "high"),
            "effect_alone": ("low_alone", "high_alone"),
            "difference": ("difference_low", "difference_high"),
        },
        differing=(Verdict.DIFFERS,),
        estimates=_OF_AN_ARM[4:],
    ),
    "Gap": GAP,
}


@storable
@dataclass(frozen=True, eq=False, repr=False)
class ArmsResult(DescribedResult):
    """The answer to "which variables differ between each arm and the control?"; each arm is a comparison of two groups.

    Attributes
    ----------
    pairs : the control against each other level, in the order of the levels; the prior that nothing differs is that of
        all together
    trend : (n,) rank correlation of each variable with the order of the arms, NaN where they or it have none
    p_trend : (n,) of the test that it is 0, corrected by Holm
    described : all rows of all arms, in every variable; None in an answer that an older version saved
    """

    slug: ClassVar[str] = SLUG
    format: ClassVar[str] = "diptych/group-difference-arms/1"
    titles = ("Variables", "Arms", TITLE, "Gap", "Settings")
    table_descriptions = TABLES
    several: ClassVar[str] = (
        "An answer of three and more groups is several comparisons; choose two groups and run these."
    )
    caution: ClassVar[str] = wording.CAUTION

    pairs: tuple[GroupDifferenceResult, ...]
    trend: np.ndarray
    p_trend: np.ndarray
    described: TableOne | None = None

    @property
    def control(self) -> str:
        """The level that every other one is compared with."""
        return self.pairs[0].labels[0]

    @property
    def labels(self) -> tuple[str, ...]:
        """The arms, the control first."""
        return (self.control, *(pair.labels[1] for pair in self.pairs))

    @property
    def n(self) -> tuple[int, ...]:
        """Rows of each of `labels`."""
        return (self.pairs[0].n[0], *(pair.n[1] for pair in self.pairs))

    @property
    def n_rows(self) -> int:
        """Rows of all arms."""
        return sum(self.n)

    @property
    def ordered(self) -> bool:
        """Whether the arms have an order, along which a trend was tested."""
        return bool(np.isfinite(self.trend).any())

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

    @cached_property
    def strongest(self) -> GroupDifferenceResult:
        """The pair whose first variable differs most surely."""
        tops = [_sureness(pair.variables()).iloc[0] for pair in self.pairs]
        return self.pairs[min(range(len(tops)), key=lambda k: tuple(tops[k]))]

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
        each = _shared_prior(p_none, len(self.pairs))
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
        """What explains the gap of an outcome between each arm and the control.

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
        told, many = as_progress(progress), len(self.pairs)
        result = {}
        for k, pair in enumerate(self.pairs):
            inner = part(told, k / many, (k + 1) / many)
            arm = pair.labels[1]
            result[arm] = pair.explain_gap(outcome, level, draws, first=first, data=data, progress=inner)
        self.__dict__.pop("_parts", None)
        return result

    @property
    def gaps(self) -> list[Gap]:
        """Those that were explained, arm by arm."""
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
        return self._variables.copy()

    @cached_property
    def _variables(self) -> pd.DataFrame:
        tables = [pair.variables() for pair in self.pairs]
        parts = [
            table.assign(arm=pair.labels[1]).join(_sureness(table))
            for pair, table in zip(self.pairs, tables, strict=True)
        ]
        every = pd.concat(parts).sort_values(["place", "sure"], kind="stable")
        result = every[~every.index.duplicated()].drop(columns=["place", "sure"])
        result.insert(0, "arm", result.pop("arm"))
        trends = frames.data_frame({"trend": self.trend, "p_trend": self.p_trend}, names=self.names)
        return result.join(trends)

    def arms(self) -> pd.DataFrame:
        """One row a variable and arm, in the order of `variables`: verdict and effect, each against the control.

        Returns
        -------
        pandas.DataFrame: variable; arm; verdict, probability and differences as `GroupDifferenceResult.variables` has
        them
        """
        parts = [self._of_same_levels(pair).assign(arm=pair.labels[1]) for pair in self.pairs]
        every = pd.concat(parts).rename_axis("variable").reset_index()
        place = {name: k for k, name in enumerate(self._variables.index)}
        every = every.sort_values("variable", key=lambda column: column.map(place), kind="stable", ignore_index=True)
        return every[["variable", "arm", *_OF_AN_ARM]]

    def _of_same_levels(self, pair: GroupDifferenceResult) -> pd.DataFrame:
        """The variables of one arm; shares are of the level that the surest arm tells, so that arms can be compared."""
        table = pair.variables()[list(_OF_AN_ARM)]
        for name, level in self._variables["level"].items():
            i = self.names.index(str(name))
            own = telling.of_level(pair, i, pair.levels[str(name)].index(level))
            table.loc[name, list(own)] = pd.Series(own)
        return table

    def claims(self) -> pd.DataFrame:
        """One row a variable: whether it differs, in the arm where that is surest."""
        rows = [
            Claim(
                str(name),
                "differs",
                STATES.get(row["verdict"], CANNOT_TELL),
                row["log10_bayes_factor"] * math.log(10),
                **row[["probability", "effect", "low", "high"]],
                n=self.n_rows,
            )
            for name, row in self._variables.iterrows()
        ]
        return frames.data_frame(rows, columns=list(CLAIMS))

    def graphs(self) -> dict[str, nx.DiGraph]:
        """{title: network} of the control and of each arm, what differs marked as against the control."""
        first = dict(list(self.strongest.graphs().items())[:1])
        return first | {title: graph for pair in self.pairs for title, graph in list(pair.graphs().items())[1:2]}

    def short_title(self) -> str:
        """The group column, and what is compared with what."""
        return f"{self.method.group}: all against {self.control}, {type(self.method.score).__name__}"

    def headline(self) -> str:
        """That of the arm which differs most surely."""
        return self.strongest.headline()

    def sentences(self) -> list[str]:
        """In which arms how much differs, the trends, and what is said of the strongest."""
        counts = []
        for pair in self.pairs:
            verdicts = pair.variables()["verdict"]
            many = int(verdicts.isin([Verdict.DIFFERS, Verdict.PROBABLY]).sum())
            counts.append(f"{pair.labels[1]} {words.count(many, 'variable') if many else 'none'}")
        sentences = [f"Against {self.control}, differing or probably so: {words.listed(counts)}."]
        if self.ordered:
            seen = self._variables[self._variables["p_trend"] <= self.method.chance].sort_values("p_trend")
            names = [f"{name} ({'rises' if row['trend'] > 0 else 'falls'})" for name, row in seen.iterrows()]
            found = words.first(names, most=wording.SHOWN) if names else "no variable"
            sentences.append(f"A trend along the arms (Holm): {found}.")
        own = [text for text in self.strongest.sentences() if text not in sentences]
        return [*sentences, f"{self.strongest.labels[1]}: {own[0]}", *own[1:]] if own else sentences

    def notes(self) -> list[str]:
        """How the prior is shared, and what limits the answer of each arm."""
        k, p = len(self.pairs), self.method.p_none
        shared = (
            f"The prior that nothing differs, {words.probability(p)}, is of all {k} arms together: "
            f"{words.probability(_shared_prior(p, k))} for each."
        )
        return list(dict.fromkeys([shared, *(note for pair in self.pairs for note in pair.notes())]))

    def row_notes(self) -> list[str]:
        """Those of every pair, each once."""
        return list(dict.fromkeys(note for pair in self.pairs for note in pair.row_notes()))

    def sections(self) -> list[Section]:
        """The answer, every arm, the strongest context by context, networks and settings."""
        return [
            Section("answer", self.headline(), (*self.sentences(), *self.notes())),
            self._described_section(),
            Section("ranking", "Every arm against the control", tables=("Variables", "Arms"), figures=("ranking",)),
            *sections_of(self.gaps),
            Section("networks", "Networks of the groups", (self.caution,), figures=("networks",)),
            Section("method", "How this is computed, and with which settings", tables=("Settings",)),
        ]

    def _own_figures(self) -> dict[str, Callable[[], go.Figure]]:
        return figures.figure_makers(self.strongest) | figures_of(self.gaps)

    def _made_of(self) -> tuple[Result, ...]:
        return self.pairs

    def _table_makers(self) -> dict[str, Callable[[], pd.DataFrame]]:
        rows = {f"rows in {label}": n for label, n in zip(self.labels, self.n, strict=True)}
        columns = ["arm", "verdict", "probability", "trend", "p_trend"]
        return {
            "Variables": lambda: self._variables[columns].reset_index(),
            "Arms": self.arms,
            TITLE: self._described_table,
            "Gap": lambda: table_of(self.gaps),
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


def _sureness(variables: pd.DataFrame) -> pd.DataFrame:
    """What variables are ordered by: place of the verdict, then evidence."""
    place = [_ORDER.index(item) for item in variables["verdict"]]
    return pd.DataFrame(
        {"place": place, "sure": -variables["log10_bayes_factor"].fillna(-math.inf)}, index=variables.index
    )


def _shared_prior(p_none: float, pairs: int) -> float:
    """The prior of each of several pairs, so that all together have this one."""
    return float(p_none ** (1 / pairs))


def compare_arms(method: GroupDifferenceSettings, data: Dataset, arms: Sequence[str], progress: Progress) -> ArmsResult:
    """Every arm against the first, one after the other, and the trend where they are ordered."""
    control, *others = arms
    each = _shared_prior(method.p_none, len(others))
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
