"""A Table 1: every variable of a table in words and numbers, overall and by group; counted, told, hidden, written."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from engine import words
from engine.counting.requests import level_counts, many_observed_counts
from engine.data.dataset import Dataset
from engine.data.preparing.variables import day_text
from engine.data.units import name_without_unit
from engine.errors import DataError, SettingsError
from engine.lazy import pd
from engine.measures import table_one as measures
from engine.measures.multiple import holm
from engine.methods.fitting import check_counts, check_shape, check_that
from engine.methods.group_pair import REST, likely_arms, likely_pair
from engine.methods.result import Result
from engine.methods.storing import storable
from engine.telling.masking import OTHER, Hidden, fewer, hidden_cells, hidden_counts, is_small
from engine.telling.sections import Section
from engine.telling.spoken import decimal, spoken_level
from engine.telling.tables import Column, TableDescription, described

TITLE, OVERALL, MISSING = "Characteristics", "Overall", "missing"
MOST_GROUPS = 12
Numbers = Literal["both", "mean", "median"]
"""How numbers are told: mean (SD) and median [quartiles], or one of them."""
DESCRIPTION = TableDescription(
    "What the rows are like, overall and by group.",
    described(text="variable; level", number="SMD"),
    others=Column("", "text"),
    blanks=True,
)


@storable
@dataclass(frozen=True, eq=False)
class DescribedVariable:
    """One variable, overall and in each group; c columns, those of the groups after the overall one.

    Attributes
    ----------
    name, unit : of the variable
    levels : its levels in order, without that of missing values; none of a number
    counts : (k, c) rows with each level; of a number (1, c) rows with a value
    missing : (c,) rows without a value
    means, deviations, quartiles : (c,), (c,), (c, 3) of a number; empty of others
    difference : standardised mean difference; NaN where there is none
    p_means, p_ranks : of the tests of means and of ranks; of levels both are that of the levels
    few : the test is in doubt, since rows are few
    dates : a number is days since 1970
    exact : its numbers are those of the rows, and not of cells that they were put into
    limited : a value beyond a limit of detection is taken as the limit
    """

    name: str
    unit: str
    levels: tuple[str, ...]
    counts: np.ndarray
    missing: np.ndarray
    means: np.ndarray
    deviations: np.ndarray
    quartiles: np.ndarray
    difference: float
    p_means: float
    p_ranks: float
    few: bool = False
    dates: bool = False
    exact: bool = True
    limited: bool = False

    def _check_read(self) -> None:
        check_counts(self.counts, self.missing)
        columns = len(self.missing)
        check_shape(self.counts, len(self.levels) or 1, columns)
        for numbers, *shape in ((self.means, columns), (self.deviations, columns), (self.quartiles, columns, 3)):
            check_shape(numbers, *([0] if self.levels else shape))


@storable
@dataclass(frozen=True, eq=False)
class TableOne:
    """What rows are like, overall and by group: the first table of a paper.

    Attributes
    ----------
    group : the column of the groups, "" for none
    labels : what the groups are called, the control first
    n : rows overall, then of each group
    variables : every variable but the group
    subject, subjects : the column that says which rows belong together, and how many subjects overall and in each group
    gaps : rows with a gap were left out before
    """

    group: str
    labels: tuple[str, ...]
    n: tuple[int, ...]
    variables: tuple[DescribedVariable, ...]
    subject: str = ""
    subjects: tuple[int, ...] = ()
    gaps: bool = False

    def frame(
        self,
        *,
        numbers: Numbers = "both",
        p: bool = False,
        hide_below: int = 0,
        names: Mapping[str, str] | None = None,
    ) -> pd.DataFrame:
        """The table as one reads it.

        Parameters
        ----------
        numbers : "both", mean (SD) and median [quartiles]; "mean" or "median" for one of them
        p : whether p is there, corrected by Holm: of means (Welch's t-test, analysis of variance) where `numbers` is
            "mean", else of ranks (Kruskal and Wallis); of levels chi-squared, or Fisher's where few
        hide_below : counts from 1 to below this are hidden, with all from which they could be worked out
        names : variable -> what it is called

        Returns
        -------
        pandas.DataFrame of texts: variable, named once; level, or what stands in the row; a column overall and one a
        group; SMD, where there are groups, and p as numbers

        Raises
        ------
        SettingsError : there is no such way to tell numbers
        """
        rows = list(self._rows(numbers, hide_below, names or {}))
        table = pd.DataFrame(
            [[row.name, row.level, *row.cells] for row in rows], columns=["variable", "level", *self.heads()]
        )
        if len(self.labels) > 1:
            table["SMD"] = [row.number(None if row.of is None else row.of.difference) for row in rows]
        if p:
            chances = dict(zip(map(id, self.variables), self._chances(numbers).tolist(), strict=True))
            table["p"] = [row.number(chances.get(id(row.of))) for row in rows]
        return table

    def heads(self) -> tuple[str, ...]:
        """What stands above the columns of counts: no two are alike, whatever groups are called."""
        heads: list[str] = ["variable", "level", "SMD", "p", OVERALL]
        for label in self.labels:
            while label in heads:
                label += "*"
            heads.append(label)
        return tuple(heads[4:])

    def hidden(self, least: int) -> Hidden:
        """Which cells of `frame()` are hidden where counts from 1 to below `least` are.

        Parameters
        ----------
        least : the smallest count that is shown; 0 for all
        """
        result, table = Hidden(least), self.frame(hide_below=least)
        for name in table.columns[2:] if least else ():
            for i, text in enumerate(table[name]):
                if text == fewer(least):
                    result.small.add((i, name))
                elif text == OTHER:
                    (result.derived if name == "SMD" else result.others).add((i, name))
        return result

    def to_html(self, **choices: Any) -> str:
        """The table as a page that a word processor opens, or whose table can be pasted.

        Parameters
        ----------
        choices : as for `frame`

        Returns
        -------
        HTML; names and levels are escaped
        """
        table = self.frame(**choices)
        rule = "border-top:1px solid #000"
        cells = [
            "".join(
                f"<td style='padding:1pt 5pt;text-align:{'left' if k < 2 else 'right'};{rule if row[0] else ''}'>"
                f"{html.escape(written(value, str(table.columns[k])))}</td>"
                for k, value in enumerate(row)
            )
            for row in table.itertuples(index=False, name=None)
        ]
        heads = "".join(
            f"<th style='padding:1pt 5pt;text-align:{'left' if k < 2 else 'right'}'>"
            f"{html.escape({'variable': '', 'level': ''}.get(name, name))}</th>"
            for k, name in enumerate(map(str, table.columns))
        )
        notes = html.escape(" ".join(self.notes(choices.get("numbers", "both"), choices.get("p", False))))
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        return (
            "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>Table 1</title></head>"
            "<body style='font-family:serif;font-size:10pt'>"
            "<table style='border-collapse:collapse;border-bottom:1px solid #000'>"
            f"<caption style='text-align:left'><b>Table 1</b></caption><thead><tr>{heads}</tr></thead>"
            f"<tbody>{body}</tbody></table><p>{notes}</p></body></html>"
        )

    def notes(self, numbers: Numbers = "both", p: bool = False) -> list[str]:
        """What stands below the table: what its cells are, one sentence each.

        Parameters
        ----------
        numbers, p : as for `frame`
        """
        told = " and ".join(_FORMS[name] for name in _shown(numbers))
        notes = [f"Numbers: {told}; levels: rows and their share of the rows with a value."]
        if len(self.labels) == 2:
            first, second = (words.first([label[:40]]) for label in self.labels)
            notes.append(
                f"SMD: standardised mean difference, {second} minus {first} for numbers, without sign for levels."
            )
        elif self.labels:
            notes.append("SMD: standardised mean difference, the largest of any two groups.")
        if p:
            test = "Welch's t-test or analysis of variance" if numbers == "mean" else "the Kruskal-Wallis test"
            notes.append(f"p, corrected by Holm: of numbers {test}; of levels chi-squared, or Fisher's test where few.")
            if few := [variable.name[:40] for variable in self.variables if variable.few]:
                notes.append(
                    f"Expected counts are under {measures.FEW_EXPECTED}, so p is in doubt: {words.first(few)}."
                )
            if self.subjects:
                notes.append(f"p takes every row as its own, though rows of one '{self.subject[:40]}' belong together.")
        if self.gaps:
            notes.append("Rows with gaps are left out; the data page can keep them, with missing as a level.")
        if limited := [variable.name[:40] for variable in self.variables if variable.limited]:
            notes.append(f"Values beyond a limit of detection count as the limit: {words.first(limited)}.")
        if coarse := [variable.name[:40] for variable in self.variables if not variable.exact]:
            notes.append(
                f"Moments and quartiles are approximate, of 127 cells; counts are exact: {words.first(coarse)}."
            )
        return notes

    def _check_read(self) -> None:
        check_counts(*self.n, *self.subjects)
        columns = len(self.labels) + 1
        check_that(len(self.n) == columns and len(self.subjects) in (0, columns), "a table has other groups")
        for variable in self.variables:
            check_that(len(variable.missing) == columns, "a variable has other groups")

    # -- inside -------------------------------------------------------------------------------------------------------

    def _rows(self, numbers: Numbers, least: int, names: Mapping[str, str]) -> Iterator[_Row]:
        """Every row, the numbers of rows and subjects first."""
        groups = self.n[1:] or self.n
        small, others = hidden_counts(groups, least) if least else (set[int](), set[int]())
        gone = {len(self.n) - len(groups) + g: fewer(least) if g in small else OTHER for g in small | others}
        yield _Row("n", "rows", [gone.get(c) or f"{n:,}" for c, n in enumerate(self.n)])
        if self.subjects:
            few = bool(gone) or any(is_small(n, least) for n in self.subjects)
            told = [OTHER if few else f"{n:,}" for n in self.subjects]
            yield _Row("", f"subjects ({self.subject[:40]})", told)
        for variable in self.variables:
            hidden = _hidden_parts(variable, least, gone)
            called, first = _called(variable, names), variable if self.labels else None
            for level, cells in _cells(variable, hidden, gone, _shown(numbers)):
                yield _Row(called, level, cells, first, bool(hidden))
                called, first = "", None

    def _chances(self, numbers: Numbers) -> np.ndarray:
        """p of every variable, corrected by Holm over those that were tested."""
        p = np.array([item.p_means if numbers == "mean" else item.p_ranks for item in self.variables], dtype=float)
        tested = np.isfinite(p)
        p[tested] = holm(p[tested])
        return p


class DescribedResult(Result):
    """An answer that describes the rows it is about in `described`, a `TableOne`."""

    described: TableOne | None

    def table_one(self) -> TableOne:
        """The rows of the answer in every variable, overall and by group: the first table of a paper.

        Returns
        -------
        `TableOne`

        Raises
        ------
        DataError : the answer was saved by a version that did not describe the rows
        """
        if self.described is None:
            raise DataError("This answer was saved without a Table 1; run it again.")
        return self.described

    def table_description(self, title: str) -> TableDescription:
        """What the columns of one of the tables are.

        Parameters
        ----------
        title : one of `table_titles()`

        Returns
        -------
        `engine.telling.tables.TableDescription`
        """
        return DESCRIPTION if title == TITLE else super().table_description(title)

    def hidden_in(self, title: str, least: int) -> Hidden | None:
        """Which cells of a table are hidden where its numbers stand in texts.

        Parameters
        ----------
        title : one of `table_titles()`
        least : the smallest count that is shown

        Returns
        -------
        those of the Table 1; None of others
        """
        return self.described.hidden(least) if title == TITLE and self.described is not None else None

    def _described_table(self) -> pd.DataFrame:
        return pd.DataFrame(columns=["variable", "level"]) if self.described is None else self.described.frame()

    def _described_section(self) -> Section:
        notes = () if self.described is None else tuple(self.described.notes())
        # no digit in the title: where counts are hidden it would be left out as one
        return Section("described", "Who is compared", notes, (TITLE,))


class _Row(NamedTuple):
    """A row: what it is about, its cells, and the variable whose numbers stand at its end."""

    name: str
    level: str
    cells: list[str]
    of: DescribedVariable | None = None
    hidden: bool = False

    def number(self, value: float | None) -> Any:
        """What stands at its end."""
        return OTHER if self.of is not None and self.hidden else math.nan if value is None else value


_FORMS = {"mean": "mean (SD)", "median": "median [quartiles]"}


def _shown(numbers: Numbers) -> tuple[str, ...]:
    if numbers not in ("both", *_FORMS):
        raise SettingsError(f"numbers is {numbers!r}; it is 'both', 'mean' or 'median'.", setting="numbers")
    return tuple(_FORMS) if numbers == "both" else (numbers,)


def _called(variable: DescribedVariable, names: Mapping[str, str]) -> str:
    """What a variable is called, its unit beside it."""
    name = names.get(variable.name) or name_without_unit(variable.name, variable.unit)
    return name if variable.unit in name else f"{name} ({variable.unit})"


def _hidden_parts(variable: DescribedVariable, least: int, gone: Mapping[int, str]) -> dict[tuple[int, int], str]:
    """What stands for the counts of its levels, and of missing values after them, by level and column.

    Levels are parts of a group, groups of all rows. Where any is hidden, nothing is told of all rows.
    """
    if not least:
        return {}
    counts = np.vstack([variable.counts, variable.missing]) if variable.missing.any() else variable.counts
    first = int(counts.shape[1] > 1)
    forced = [(k, str(c)) for k in range(len(counts)) for c in gone]
    parts = TableDescription(sums=((),), matrix=bool(first))
    columns = [str(c) for c in range(first, counts.shape[1])]
    cells = hidden_cells(pd.DataFrame(counts[:, first:], columns=columns), parts, least, forced=forced)
    result = {(k, int(c)): cells.words((k, c)) or OTHER for k, c in cells.small | cells.others}
    if result and first:
        result |= {(k, 0): fewer(least) if is_small(n, least) else OTHER for k, n in enumerate(counts[:, 0])}
    return result


def _cells(
    variable: DescribedVariable, hidden: Mapping[tuple[int, int], str], gone: Mapping[int, str], shown: Sequence[str]
) -> Iterator[tuple[str, list[str]]]:
    """The rows of a variable: what each is, and its cells."""
    columns, last = range(len(variable.missing)), len(variable.counts)
    known = variable.counts.sum(axis=0)
    if variable.levels:
        one = 0 if len(variable.levels) == 1 else spoken_level(variable.levels)
        if one is None:
            yield "n (%)", ["" for _ in columns]
        for k, level in enumerate(variable.levels):
            if one in (None, k):
                cells = [  # shares would tell how many are missing
                    hidden.get((k, c)) or (OTHER if (last, c) in hidden else _counted(variable.counts[k, c], known[c]))
                    for c in columns
                ]
                yield level if one is None else f"{level}, n (%)", cells
    else:
        few = [
            c in gone or (hidden.get((0, c), OTHER) != OTHER) or (bool(hidden) and c == 0 != columns[-1])
            for c in columns
        ]
        for form in shown:
            texts = _moments(variable) if form == "mean" else _quartiles(variable)
            yield _FORMS[form], [OTHER if few[c] else text if known[c] else "–" for c, text in enumerate(texts)]
    if variable.missing.any():
        whole = known + variable.missing
        missing = [hidden.get((last, c)) or _counted(variable.missing[c], whole[c]) for c in columns]
        yield f"{MISSING}, n (%)", missing


def _counted(part: int, whole: int) -> str:
    return f"{part:,} ({words.in_percent(part / whole, 1)})" if whole else "0"


def _moments(variable: DescribedVariable) -> list[str]:
    means, spread = np.nan_to_num(variable.means), np.nan_to_num(variable.deviations)
    if variable.dates:
        texts = [day_text(round(day)) for day in means] + [
            f"{end} days" for end in decimal(spread, float(spread.max()))
        ]
    else:
        texts = decimal([*means, *spread], float(spread.max()), fewest=False)
    ends = [
        "–" if math.isnan(size) else end for size, end in zip(variable.deviations, texts[len(means) :], strict=True)
    ]
    return [f"{mean} ({end})" for mean, end in zip(texts, ends, strict=False)]


def _quartiles(variable: DescribedVariable) -> list[str]:
    numbers = np.nan_to_num(variable.quartiles)
    if variable.dates:
        texts = [day_text(round(day)) for day in numbers.ravel()]
    else:
        width = float((numbers[:, 2] - numbers[:, 0]).max()) or float(np.nan_to_num(variable.deviations).max())
        texts = decimal(numbers.ravel().tolist(), width)
    rows = (texts[k : k + 3] for k in range(0, len(texts), 3))
    return [f"{median} [{low}, {high}]" for low, median, high in rows]


def written(value: Any, column: str) -> str:
    """A cell of `TableOne.frame` as text: SMD with two decimals, p as elsewhere."""
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return ""
    return words.probability(value) if column == "p" else words.with_minus(f"{value:z.2f}")


# -- counting -------------------------------------------------------------------------------------------------------


def table_one(data: Dataset, group: str | None = None, groups: Sequence[str] | None = None) -> TableOne:
    """Describe a table, overall and by group.

    Rows that are only counted have the numbers of a table of at most 127 cells, which is said.

    Parameters
    ----------
    data : the table
    group : the column of the groups; None for a plain description
    groups : some of its levels in their order, or one to set beside all other rows; None for all that have rows, what
        reads as a control first

    Returns
    -------
    `TableOne`

    Raises
    ------
    DataError : no such column or level, or more than twelve groups

    Examples
    --------
    >>> engine.table_one(sample_data.dataset("two_hospitals"), "hospital").frame()["variable"].head(2).tolist()
    ['n', 'age']
    """
    labels, membership = _groups(data, group, groups)
    names = [name for name in data.names if name != group]
    which = [(data.index(name), *(() if group is None else (data.index(group),))) for name in names]
    fine, variables = _fine(data, names, group), []
    for name, (codes, counts) in zip(names, many_observed_counts(data, which), strict=True):
        table = np.zeros((len(data.levels[name]), len(membership)), dtype=np.int64)
        table[codes[:, 0], codes[:, -1] if group is not None else 0] = counts
        variables.append(_described(data, name, table @ membership, fine.get(name), membership))
    rows = np.array([data.n_rows]) if group is None else level_counts(data.select([group]))[0]
    subjects: tuple[int, ...] = ()
    if data.in_memory and data.subjects is None and data.clusters is not None:
        inside = membership[0 if group is None else data.column(group)] > 0
        inside = np.broadcast_to(inside, (data.n_rows, membership.shape[1]))
        subjects = tuple(len(np.unique(data.clusters[own])) for own in inside.T)
    gaps = data.report is not None and data.report.rows_dropped > 0
    subject = data.subject_column if subjects else ""
    n = tuple((rows @ membership).tolist())
    return TableOne(group or "", labels, n, tuple(variables), subject, subjects, gaps)


def _groups(data: Dataset, group: str | None, groups: Sequence[str] | None) -> tuple[tuple[str, ...], np.ndarray]:
    """What the groups are called, and (levels, c) which column each level of the group counts in, all rows first."""
    if group is None:
        return (), np.ones((1, 1), dtype=np.int64)
    data.index(group)
    levels, missing = data.levels[group], data.missing_level(group)
    there = level_counts(data.select([group]))[0]
    if groups is None:
        arms = likely_arms(data, group) if data.in_memory else ()
        pair = likely_pair(data, group)[0]
        likely = (*arms, *(pair or ())[:1])
        named = dict.fromkeys([*likely, *levels])
        chosen = tuple(level for level in named if there[levels.index(level)] and level != missing)
    else:
        chosen = tuple(groups)
    if len(chosen) > MOST_GROUPS:
        raise DataError(
            f"'{group[:60]}' has {len(chosen)} levels; a table has {MOST_GROUPS} groups at most.", column=group
        )
    for level in chosen:
        if level not in levels:
            raise DataError(f"'{group[:60]}' has no level {level!r}.", column=group)
    parts = np.array([[level == own for own in chosen] for level in levels], dtype=np.int64).reshape(len(levels), -1)
    if groups is not None and len(chosen) == 1:
        rest = REST if chosen[0] != REST else f"{REST} (not that level)"
        chosen, parts = (*chosen, rest), np.column_stack([parts, 1 - parts])
    return chosen, np.column_stack([parts.sum(axis=1), parts])


def _fine(data: Dataset, names: Sequence[str], group: str | None) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Number -> its distinct values, and (d + 1, levels of the group) rows with each, those without a number last."""
    by = () if group is None else (group,)
    if data.fine is not None:
        cells = {name: own for name, own in data.fine.cells.items() if name in names}
        tables = data.fine.tables([(name, by) for name in cells])
        parts = zip(cells.items(), (table.reshape(len(table), -1) for table in tables), strict=True)
        return {name: (own.means, np.vstack([part[: len(own.means)], part[-1:]])) for (name, own), part in parts}
    width = 1 if group is None else len(data.levels[group])
    column = 0 if group is None else data.column(group)
    result = {}
    for name in names:
        if name in data.numbers and data.kinds[name] == "continuous":
            known = data.numbers[name]
            counts = np.bincount(known.places.astype(np.int64) * width + column, minlength=len(known.values) * width)
            result[name] = known.values[:-1], counts.reshape(-1, width)
    return result


def _described(
    data: Dataset, name: str, table: np.ndarray, fine: tuple[np.ndarray, np.ndarray] | None, membership: np.ndarray
) -> DescribedVariable:
    """One variable of (levels, c) rows, and of a number the rows with each value."""
    absent, columns = data.missing_level(name), data.made_by.columns if data.made_by is not None else ()
    known = np.array([level != absent for level in data.levels[name]], dtype=bool)
    missing, table = table[~known].sum(axis=0), table[known]
    if fine is not None and ((fine[1] @ membership)[-1] == missing).all():  # else some rows have a level alone
        values, counts = fine[0], (fine[1] @ membership)[:-1]
        n, (means, deviations) = counts.sum(axis=0), measures.moments(values, counts)
        return DescribedVariable(
            name=name,
            unit=data.units.get(name, ""),
            levels=(),
            counts=n[None],
            missing=missing,
            means=means,
            deviations=deviations,
            quartiles=measures.quartiles(values, counts),
            difference=measures.difference_of_means(means[1:], deviations[1:]),
            p_means=measures.p_of_means(means[1:], deviations[1:], n[1:]),
            p_ranks=measures.p_of_ranks(counts[:, 1:]),
            dates=any(own.name == name and own.sort == "date" for own in columns),
            exact=data.fine is None,
            limited=data.made_by is not None and data.made_by.limits.get(name) in ("level", "bound"),
        )
    nothing = np.zeros(0)
    p, few = measures.p_of_levels(table[:, 1:])
    return DescribedVariable(
        name=name,
        unit="",
        levels=tuple(level for level in data.levels[name] if level != absent),
        counts=table,
        missing=missing,
        means=nothing,
        deviations=nothing,
        quartiles=nothing,
        difference=measures.difference_of_shares(table[:, 1:]),
        p_means=p,
        p_ranks=p,
        few=few,
    )
