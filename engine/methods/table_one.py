"""A Table 1: every variable of a table, overall and by group; counted here, told in `engine.telling.table_one`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.counting.requests import level_counts, many_observed_counts
from engine.data.dataset import Dataset, recipe_of
from engine.data.item_scales import lowest_code
from engine.data.preparing.deciding.decision import columns_in
from engine.data.preparing.deciding.extremes import EXTREMES, odd_values
from engine.errors import DataError
from engine.lazy import pd
from engine.measures import table_one as measures
from engine.methods.described_rows import DescribedRows, DescribedVariable
from engine.methods.group_pair import REST, likely_arms, likely_pair
from engine.methods.result import Result
from engine.methods.storing import storable
from engine.telling import table_one as telling
from engine.telling.masking import Hidden
from engine.telling.sections import Section
from engine.telling.tables import TableDescription
from engine.words import short

TITLE = telling.TITLE
MOST_GROUPS = 12


@storable
@dataclass(frozen=True, eq=False)
class TableOne(DescribedRows):
    """Rows described overall and by group: the first table of a paper; see its base for the fields."""

    frame = telling.frame
    heads = telling.heads
    hidden = telling.hidden
    to_html = telling.to_html
    notes = telling.notes


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
        """See `Result.table_description`.

        Parameters
        ----------
        title : one of `table_titles()`
        """
        return telling.DESCRIPTION if title == TITLE else super().table_description(title)

    def hidden_in(self, title: str, least: int) -> Hidden | None:
        """See `Result.hidden_in`.

        Parameters
        ----------
        title : one of `table_titles()`
        least : the smallest count that is shown
        """
        return self.described.hidden(least) if title == TITLE and self.described is not None else None

    def _described_table(self) -> pd.DataFrame:
        return pd.DataFrame(columns=["variable", "level"]) if self.described is None else self.described.frame()

    def _described_section(self) -> Section:
        notes = () if self.described is None else tuple(self.described.notes())
        # no digit in the title: where counts are hidden it would be left out as one
        return Section("described", "Who is compared", notes, (TITLE,))


def table_one(
    data: Dataset,
    group: str | None = None,
    groups: Sequence[str] | None = None,
    *,
    source: pd.DataFrame | None = None,
) -> TableOne:
    """Describe a table, overall and by group.

    Rows that are only counted have the numbers of a table of at most 127 cells, which is said.

    Parameters
    ----------
    data : the table
    group : the column of the groups; None for a plain description
    groups : some of its levels in their order, or one to set beside all other rows; None for all that have rows, what
        reads as a control first
    source : the table that the data set was made of, where the rows that were left out for a gap are described too

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
    gaps = data.report is not None and data.report.rows_dropped > 0
    used = data
    if gaps and source is not None:
        fitted = recipe_of(data.schema)
        data = replace(fitted, missing="level", kinds=data.kinds, columns=()).apply(source).select(used.names)
    labels, membership = _groups(data, group, groups)
    names = [name for name in data.names if name != group]
    which = [(data.index(name), *(() if group is None else (data.index(group),))) for name in names]
    fine, variables = _fine(data, names, group), []
    ordinal = {name for name in names if used.kinds[name] == "ordinal"}
    for name, (codes, counts) in zip(names, many_observed_counts(data, which), strict=True):
        table = np.zeros((len(data.levels[name]), len(membership)), dtype=np.int64)
        table[codes[:, 0], codes[:, -1] if group is not None else 0] = counts
        variables.append(_described(data, name, table @ membership, fine.get(name), membership, name in ordinal))
    rows = np.array([data.n_rows]) if group is None else level_counts(data.select([group]))[0]
    subjects: tuple[int, ...] = ()
    if data.in_memory and data.subjects is None and data.clusters is not None:
        inside = membership[0 if group is None else data.column(group)] > 0
        inside = np.broadcast_to(inside, (data.n_rows, membership.shape[1]))
        subjects = tuple(len(np.unique(data.clusters[own])) for own in inside.T)
    subject = data.subject_column if subjects else ""
    n, complete = tuple((rows @ membership).tolist()), ()
    if used is not data:
        kept = level_counts(used.select([group]))[0] if group is not None else np.array([used.n_rows])
        place = {level: k for k, level in enumerate(data.levels[group])} if group is not None else {}
        own = [place[level] for level in used.levels[group]] if group is not None else [0]
        complete = tuple((kept @ membership[own]).tolist())
    return TableOne(group or "", labels, n, tuple(variables), subject, subjects, gaps, complete)


def _groups(data: Dataset, group: str | None, groups: Sequence[str] | None) -> tuple[tuple[str, ...], np.ndarray]:
    """Names of the groups, and (levels, c) the column that each level of the group counts in, all rows first."""
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
    column = f"'{short(group, 60)}'"
    if len(chosen) > MOST_GROUPS:
        raise DataError(f"{column} has {len(chosen)} levels; a table has {MOST_GROUPS} groups at most.", column=group)
    for level in chosen:
        if level not in levels:
            raise DataError(f"{column} has no level {level!r}.", column=group)
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
    data: Dataset,
    name: str,
    table: np.ndarray,
    fine: tuple[np.ndarray, np.ndarray] | None,
    membership: np.ndarray,
    ordinal: bool,
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
            odd=_odd(data, name, values, counts[:, 0]),
        )
    nothing, levels = np.zeros(0), tuple(level for level in data.levels[name] if level != absent)
    p, few = measures.p_of_levels(table[:, 1:])
    return DescribedVariable(
        name=name,
        unit="",
        levels=levels,
        counts=table,
        missing=missing,
        means=nothing,
        deviations=nothing,
        quartiles=nothing,
        difference=measures.difference_of_shares(table[:, 1:]),
        p_means=p,
        p_ranks=p,
        few=few,
        ordered=ordinal and int(known.sum()) > 2,
        lowest=lowest_code(data, name, levels),
    )


def _odd(data: Dataset, name: str, values: np.ndarray, counts: np.ndarray) -> tuple[float, ...]:
    """Values that look like errors, one for each row, as long as nobody has said that they are values."""
    settled = data.made_by.settled if data.made_by is not None else {}
    if data.fine is not None or any(key.startswith(f"{EXTREMES}:") and columns_in(key, [name]) for key in settled):
        return ()  # a cell's mean is no value
    odd = np.isin(values, odd_values(name, values, counts))
    return tuple(np.repeat(values[odd], counts[odd]).tolist())
