"""What the columns of a result's table are: what a reader is told they are, how they are written, which count rows.

Every kind of result says it of its own tables (`Result.table_descriptions`, in a `columns.py` beside it). A table that
nobody described is shown as it stands, and its whole numbers count as counts, so that nothing is shown by oversight
where counts are hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from engine.lazy import pd

Kind = Literal[
    "text", "verdict", "flag", "count", "whole", "part", "share", "points", "probability", "p", "log_odds",
    "log10_odds", "log10_p", "number", "signed", "size",
]  # fmt: skip
"""How a column is written. A "verdict" is shown by `engine.telling.terms.SHOWN`. A "count" counts rows or people;
"part" is the part of the patients that a count makes; "whole" numbers count nothing of the kind. "share" is a share or
a probability in percent, "points" a difference of two; "p" is of a test, which is no probability of a statement; a
"size" has two decimals."""

COUNTS: tuple[Kind, ...] = ("count", "part")
"""The kinds that a small count could be read from."""
BY_ITSELF: tuple[Kind, ...] = ("text", "verdict", "flag", "whole")
"""The kinds that say nothing of a count in the same row."""

MOST_HIDDEN = 1000
"""Counts up to below this can be hidden."""


@dataclass(frozen=True)
class Column:
    """What stands above a column, and how its values are written."""

    header: str
    kind: Kind


EVERYWHERE = "everywhere"
"""Place of an estimate that is of all rows, which a chart need not say."""


@dataclass(frozen=True)
class TableDescription:
    """What one table of a kind of result is.

    Attributes
    ----------
    about : what it shows, in a sentence
    columns : name -> what it is
    others : what columns are that have names of the user's table
    keys : columns that say what a row is about; they are repeated where a table is cut into parts
    ends : column -> the two that are the ends of its interval
    chart : the one of these that is drawn above the table, row by row
    within : the one that is drawn in its place in the rows of `inside`
    inside : values of the first key
    place : the column that says where that is measured, the one of the chart where there is no other
    level : the column that says of which level of the first key it is the share
    differing : how the verdicts begin that are a difference
    sums : rows that agree in such columns are parts of a whole whose size a reader may know
    matrix : the counts of one row add up to such a whole too
    reveals : columns from which a hidden count of another row of the same whole could be worked out
    persons : a row of it is about one person
    left_out : columns that other columns say better, or that only few readers want
    instead : a column of numbers -> one in percentage points, of the level of its row, that stands in its gaps where it
        has no column of its own; rows without a gap name no level then
    unsaid : values of the first key in whose rows that other column stands though there is no gap
    technical : columns in the method's own units, or beside the main one, that only the appendix of a report prints
    apart : only the appendix prints it
    drawn : it lists the links of the figure, which stand below that in words
    given_by : the method of the result that gives it, where that tells more than `Result.table` does
    ordered_as : title of the table in whose order the values of the first key are shown
    shown : a key that the result has a value of; only rows of that value are shown
    parts_of : title of the table with the same keys and "n in <group>", whose counts are the sums of these counts
    totals_of, totals : title of the table whose counts are added up by these columns beside the first key, and
    estimates : columns from which such a total could be worked out
    blanks : an empty cell stays empty, since it belongs to the row above
    """

    about: str = ""
    columns: Mapping[str, Column] = field(default_factory=lambda: MappingProxyType({}))
    others: Column | None = None
    keys: tuple[str, ...] = ()
    ends: Mapping[str, tuple[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    instead: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    unsaid: tuple[str, ...] = ()
    chart: str = ""
    within: str = ""
    inside: tuple[str, ...] = ()
    place: str = ""
    level: str = ""
    differing: tuple[str, ...] = ()
    sums: tuple[tuple[str, ...], ...] = ()
    matrix: bool = False
    reveals: tuple[str, ...] = ()
    persons: bool = False
    left_out: tuple[str, ...] = ()
    technical: tuple[str, ...] = ()
    apart: bool = False
    drawn: bool = False
    given_by: str = ""
    ordered_as: str = ""
    shown: str = ""
    parts_of: str = ""
    totals_of: str = ""
    totals: tuple[str, ...] = ()
    estimates: tuple[str, ...] = ()
    blanks: bool = False

    def column(self, name: str, whole_numbers: bool = False) -> Column:
        """What a column is; one that nobody declared is a count where it has whole numbers.

        Parameters
        ----------
        name : of the column
        whole_numbers : whether that is what it holds

        Returns
        -------
        the column
        """
        if name in self.columns:
            return self.columns[name]
        if self.others is not None:
            return Column(name, self.others.kind)
        return Column(name, "count" if whole_numbers else "number")

    def with_headers(self, headers: Mapping[str, str], about: str = "") -> TableDescription:
        """The same with other words above some columns, such as the names of this result's groups.

        Parameters
        ----------
        headers : name of a column -> what stands above it
        about : what the table shows, in a sentence; as it is where empty

        Returns
        -------
        `TableDescription`
        """
        named = {name: Column(header, self.columns[name].kind) for name, header in headers.items()}
        return replace(self, about=about or self.about, columns={**self.columns, **named})

    def in_chapter(self, charted: bool = False) -> TableDescription:
        """The same for a chapter of a report, without the technical columns.

        Parameters
        ----------
        charted : its chart stands above it, which has the estimate, its interval and its place

        Returns
        -------
        `TableDescription`
        """
        drawn = (self.chart, *self.ends.get(self.chart, ()), self.place) if charted else ()
        return replace(self, left_out=(*self.left_out, *self.technical, *filter(None, drawn)))


def described(**kinds: str) -> dict[str, Column]:
    """Columns by their kind, written as "name, name: header".

    Parameters
    ----------
    kinds : kind -> its columns, separated by "; "; the name is the header too, underscores read as spaces

    Returns
    -------
    name -> column

    Examples
    --------
    >>> described(count="cases: rows like this")["cases"]
    Column(header='rows like this', kind='count')
    """
    result = {}
    for kind, listed in kinds.items():
        for item in listed.split("; "):
            name, _, header = item.partition(": ")
            result[name] = Column(header or name.replace("_", " "), kind)  # type: ignore[arg-type]
    return result


SETTINGS = TableDescription("", described(text="setting; value"), keys=("setting",))
"""Of the table of settings that every answer has."""


def readable(frame: pd.DataFrame) -> pd.DataFrame:
    """The same table with tuples of names joined by commas."""
    return frame.map(lambda value: ", ".join(value) if isinstance(value, tuple) else value)


def settings_table(
    settings: Mapping[str, Any], rows: Mapping[str, int], fingerprint: str, versions: Mapping[str, str]
) -> pd.DataFrame:
    """Everything needed to repeat an analysis.

    Parameters
    ----------
    settings : by name
    rows : how many there were, by what they are called
    fingerprint : of the data set
    versions : of what computed it

    Returns
    -------
    pandas.DataFrame: setting and value
    """
    result = [(name, "" if value in (None, ()) else str(value)) for name, value in settings.items()]
    result += [(name, str(number)) for name, number in rows.items()]
    result += [("data fingerprint", fingerprint)]
    result += [(name, versions[name]) for name in ("diptych", "numpy", "python") if name in versions]
    return pd.DataFrame(result, columns=["setting", "value"])
