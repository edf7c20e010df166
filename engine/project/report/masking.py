"""A whole result with its small counts hidden: tables, settings, and sentences that would give one away."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.methods.columns import TableDescription
from engine.methods.result import Result
from engine.project.report.hiding import Hidden, hidden_cells, hidden_counts, is_small
from engine.project.report.sentences import gives_away, tells_left_out

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class Masked:
    """What of a result is shown where counts from 1 to below `least` are hidden; with 0 everything is.

    Attributes
    ----------
    result : the answer
    least : the least count that is shown
    cells : title of a table -> its hidden cells
    unsure : variables with hidden estimates
    unsaid : the sentences that were left out so far
    """

    result: Result
    least: int = 0
    cells: dict[str, Hidden] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    unsaid: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._frame = cache(self._ordered)
        for title in self.result.table_titles():
            self.cells[title] = self._hidden(title)
        if self.least and {"Contexts", "Distributions", "Variables"} <= self.cells.keys():
            self._follow_contexts()

    def frame(self, title: str) -> pd.DataFrame:
        """One of the tables, nothing hidden, its rows in the order in which they are shown."""
        return self._frame(title)

    def shows(self, title: str) -> bool:
        """Whether a table may be shown: not one whose rows are single people, where counts are hidden."""
        return not (self.least and self.result.table_description(title).persons)

    def said(self, sentences: Iterable[str]) -> list[str]:
        """The sentences that give no small count away; the others stand in `unsaid`."""
        given = list(sentences)
        self.unsaid |= {item for item in given if self._tells(item)}
        return [entry for entry in given if entry not in self.unsaid]

    # -- inside -------------------------------------------------------------------------------------------------------

    def _ordered(self, title: str) -> pd.DataFrame:
        """A table; the details of variables as the first table ranks them, in the alignment of the settings."""
        table = table_of(self.result, title)
        if title not in ("Contexts", "Distributions") or "Variables" not in self.result.table_titles():
            return table
        rank = {name: place for place, name in enumerate(self.result.table("Variables")["variable"])}
        if "alignment" in table.columns:
            table = table[table["alignment"] == self.result.method.alignment].reset_index(drop=True)
        places = sorted(range(len(table)), key=lambda i: rank.get(table["variable"].iloc[i], len(rank)))
        return table.iloc[places].reset_index(drop=True)

    def _tells(self, sentence: str) -> bool:
        if not self.least:
            return False
        if re.search(r"\d", sentence) and any(name in sentence for name in self.unsure):
            return True
        if tells_left_out(sentence, self.least, self._sizes()):
            return True
        return gives_away(sentence, self.least, self._values(), self._people(), self._wholes())

    def _sizes(self) -> dict[str, int]:
        """Rows of each group by its name where groups are compared, else of all."""
        settings = self._frame("Settings") if "Settings" in self.result.table_titles() else None
        rows = [] if settings is None else zip(settings["setting"], settings["value"], strict=True)
        parts = {str(name): int(value) for name, value in rows if str(value).isdecimal()}
        groups = {name.removeprefix("rows in "): n for name, n in parts.items() if name.startswith("rows in ")}
        return groups or {"": self.result.made.rows_used}

    def _wholes(self) -> tuple[int, ...]:
        """Numbers of people or rows that a reader knows, so that a number a little smaller gives the rest away."""
        rows = getattr(self.result, "n_rows", self.result.made.rows_used)
        given = self.result.made.rows_given
        few = (given,) if is_small(given - self.result.made.rows_used, self.least) else ()
        return (*filter(None, (self._people(),)), rows, *few)

    def _people(self) -> int | None:
        """Of how many patients a share in a sentence is; None where shares are of something else."""
        patients = getattr(self.result, "patients", None)
        return None if patients is None else len(patients)

    def _values(self) -> tuple[str, ...]:
        """Names and levels, whose digits count nothing."""
        levels = getattr(self.result, "levels", ())
        parts: Iterable[Sequence[str]] = levels.values() if hasattr(levels, "values") else levels
        result = {*self.result.names, *(str(level) for part in parts for level in part)}
        return tuple(sorted((item for item in result if any(map(str.isdigit, item))), key=len, reverse=True))

    def _hidden(self, title: str) -> Hidden:
        if not self.least or not self.shows(title):
            return Hidden(self.least)
        table, about = self._frame(title), self.result.table_description(title)
        if title == "Settings":
            return self._settings(table)
        whole = self._people() or getattr(self.result, "n_rows", self.result.made.rows_used)
        return hidden_cells(table, about, self.least, whole)

    def _settings(self, table: pd.DataFrame) -> Hidden:
        """The rows that stand below the settings are numbers of rows of the table."""
        result = Hidden(self.least)
        first = len(self.result.settings())
        places = [i for i in range(first, len(table)) if str(table["value"].iloc[i]).isdecimal()]
        counts = [int(table["value"].iloc[i]) for i in places]
        names = [str(table["setting"].iloc[i]) for i in places]
        parts = [k for k, name in enumerate(names) if name.startswith("rows in ")]
        small, others = hidden_counts([counts[k] for k in parts], self.least)
        result.small = {(places[parts[k]], "value") for k in small}
        result.others = {(places[parts[k]], "value") for k in others}
        result.small |= {
            (places[k], "value") for k, count in enumerate(counts) if k not in parts and is_small(count, self.least)
        }
        return result

    def _follow_contexts(self) -> None:
        """What hangs together in the tables of two groups.

        A context whose rows are hidden hides its distribution; a level that a group has in few rows hides the
        differences of its variable's shares, from which it could be worked out.
        """
        contexts, shares = self._frame("Contexts"), self._frame("Distributions")
        hidden = self.cells["Contexts"].small | self.cells["Contexts"].others
        gone = {(*_about(contexts, i), name.removeprefix("n in ")) for i, name in hidden}
        forced = [(i, "count") for i in range(len(shares)) if (*_about(shares, i), shares["group"].iloc[i]) in gone]
        about = self.result.table_description("Distributions")
        self.cells["Distributions"] = hidden_cells(shares, about, self.least, forced=forced)
        sums = shares.groupby(["variable", "alignment", "group", "level"], sort=False)["count"].sum()
        self.unsure = {key[0] for key, sum_value in sums.items() if is_small(sum_value, self.least)}
        self.cells["Variables"].derived |= _estimates(
            self._frame("Variables"), self.result.table_description("Variables"), self.unsure
        )


def table_of(result: Result, title: str) -> pd.DataFrame:
    """One table of a result as the report has it, nothing hidden."""
    description = result.table_description(title)
    table: pd.DataFrame = getattr(result, description.given_by)() if description.given_by else result.table(title)
    return table


def _about(table: pd.DataFrame, i: int) -> tuple[Any, ...]:
    return tuple(table[name].iloc[i] for name in ("variable", "alignment", "context"))


def _estimates(table: pd.DataFrame, about: TableDescription, names: set[str]) -> set[tuple[int, str]]:
    """The differences of shares and the Bayes factors without parents of some variables."""
    made = [column for column in table.columns if about.column(column).kind == "points" or column.endswith("_alone")]
    rows = [i for i, name in enumerate(table["variable"]) if name in names]
    return {(i, name) for i in rows for name in (*made, "marginal_log10_odds", "level") if name in table.columns}
