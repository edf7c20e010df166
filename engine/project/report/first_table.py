"""Table 1 of the document: short on the first page, whole behind the chapters, where the tables are told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from markupsafe import Markup

from engine import words
from engine.data.dataset import Dataset
from engine.lazy import pd
from engine.methods.group_pair import likely_group
from engine.methods.result import Result
from engine.methods.table_one import MOST_GROUPS, DescribedResult, TableOne, table_one
from engine.project.report.tables import printed, table_markup
from engine.telling.charts.labels import name_of
from engine.telling.table_one import DESCRIPTION, Numbers
from engine.text import Text

MOST_ROWS, MOST_BESIDE = 12, 6
"""Rows on the first page, and where it has several results."""


@dataclass(eq=False)
class FirstTable:
    """Rows described overall and by group, as the document shows them.

    Attributes
    ----------
    rows : the rows that are described
    least : the least count that is shown
    number : from 1, of those of the document
    differing : the variables that a result calls different
    hidden : cells that are hidden; known once they were written
    """

    rows: TableOne
    least: int
    number: int
    differing: frozenset[str] = frozenset()
    hidden: int = 0

    @property
    def title(self) -> str:
        """The groups that stand beside each other."""
        return f"by {name_of(self.rows.group)}" if self.rows.group else "All rows"

    def short(self, most: int, where: str, odd: Text) -> Markup:
        """What differs, then the largest differences, as the first page has room; numbers as medians; what is odd."""
        variables, frame = self.rows.variables, self._frame(self.rows, "median")
        above, *sizes = (frame["variable"] != "").cumsum().value_counts(sort=False)  # rows of n, and of each variable
        far = [(one.name not in self.differing, -abs(np.nan_to_num(one.difference))) for one in variables]
        largest = np.array(sorted(range(len(far)), key=far.__getitem__), dtype=int)
        kept = np.sort(largest[np.cumsum(np.array(sizes)[largest]) <= most - above])
        rows = replace(self.rows, variables=tuple(variables[k] for k in kept)) if kept.size else self.rows
        more = f"; {words.count(rest, 'more variable')} in {where}" if (rest := len(variables) - len(kept)) else ""
        most_of_all = "called different or with the largest SMD" if self.differing else "that differ most"
        by_size = f"; the {len(kept)} {most_of_all}" if more and kept.size and self.rows.labels else ""
        brief = f"Median [quartiles] of numbers, rows (%) of levels{by_size}{more}. {odd}"
        return self._markup(rows, "median", brief.rstrip(". "), "short", most)

    def whole(self) -> Markup:
        """Every row, with means too."""
        return self._markup(self.rows, "both", None, "whole")

    def notes(self) -> list[str]:
        """What its cells are."""
        return self.rows.notes(hide_below=self.least)

    def _frame(self, rows: TableOne, numbers: Numbers) -> pd.DataFrame:
        return rows.frame(numbers=numbers, hide_below=self.least)

    def _markup(
        self, rows: TableOne, numbers: Numbers, brief: str | None, ident: str, most: int | None = None
    ) -> Markup:
        frame, cells = self._frame(rows, numbers).head(most), rows.hidden(self.least, numbers)
        self.hidden += printed(cells, DESCRIPTION, len(frame))
        names = {"label": "Table 1", "title": self.title, "ident": f"described-{self.number}-{ident}"}
        return table_markup(frame, DESCRIPTION, **names, where="", hidden=cells, brief=brief, most=len(frame))


def first_tables(results: Iterable[Result], given: Iterable[Dataset], least: int) -> list[FirstTable]:
    """The Table 1 of every comparison of groups, each once; without one that of the table itself.

    Where small counts are hidden a table of its own is none, since nothing says what it would give away beside others.
    """
    found: dict[tuple[str, str, tuple[str, ...]], tuple[TableOne, set[str]]] = {}
    for result in results:
        if isinstance(result, DescribedResult) and result.described is not None:
            rows = result.described
            claims, key = result.claims(), (result.fingerprint, rows.group, rows.labels)
            found.setdefault(key, (rows, set()))[1].update(claims.loc[claims["verdict"] == "yes", "about"])
    if not found and not least:
        for data in list(given)[:1]:
            group = likely_group(data)
            few = group is not None and len(data.levels[group]) <= MOST_GROUPS
            found["", "", ()] = table_one(data, group if few else None), set()
    return [FirstTable(rows, least, number, frozenset(own)) for number, (rows, own) in enumerate(found.values(), 1)]
