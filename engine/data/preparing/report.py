"""The import report: how a table became a data set, decision by decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.data.reading.naming import shown_name
from engine.data.reading.report import ReadingReport, plain
from engine.lazy import pd
from engine.text import Count, Name, People, joined, listed, told
from engine.words import distinct, short

NAME = 32
"""Letters of a column's name in a sentence that lists several."""


@dataclass(frozen=True)
class ColumnReport:
    """One column of the table in the report.

    Attributes
    ----------
    name, kind : the kind is "nominal", "ordinal", "continuous" or "ignore"
    reason : why it has that kind
    chosen : whether the user chose the kind
    levels, counts : level names in order, and kept rows with each
    cuts : cut points of a continuous column
    missing : cells without a value;  missing_tokens : text taken for missing -> cells
    cells : (row from 1, text) of the first cells that kept the column from being numeric or are not finite
    renamed_from : the header as it stood in the file, where it was changed
    """

    name: str
    kind: str
    reason: str
    chosen: bool = False
    levels: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    cuts: tuple[float, ...] = ()
    missing: int = 0
    missing_tokens: Mapping[str, int] = field(default_factory=dict)
    cells: tuple[tuple[int, str], ...] = ()
    renamed_from: str | None = None


@dataclass(frozen=True)
class ImportReport:
    """The way a table became a data set.

    Attributes
    ----------
    rows_read, rows_kept : rows of the table and of the data set
    dropped_for : column -> dropped rows that lack its value (a row may lack several)
    columns : one report a column of the table, in its order
    problems : sentences on what needs a look, each with its place
    suggestions : sentences on what could be done better
    questions : what only a user can decide about the columns (see `engine.decisions`), with the argument of each answer
    reading : the reading report as a plain dictionary, or None
    rows_outside : rows that the filter leaves out, those among them of which it cannot be told (`rows_untold`)
    where : which rows are meant, in words; "" where all are
    rows_copied : rows that are copies of another one and do not count
    rows_weightless : rows with the weight 0
    rows_counted : rows of the data set where the column `weight` says how often each counts, else 0
    """

    rows_read: int
    rows_kept: int
    dropped_for: Mapping[str, int]
    columns: tuple[ColumnReport, ...]
    problems: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    reading: Mapping[str, Any] | None = None
    rows_outside: int = 0
    rows_untold: int = 0
    where: str = ""
    rows_copied: int = 0
    rows_weightless: int = 0
    rows_counted: int = 0
    weight: str = ""
    questions: tuple[str, ...] = ()

    @property
    def rows_dropped(self) -> int:
        """Rows that were left out because they lack a value."""
        return self.rows_read - self.rows_outside - self.rows_copied - self.rows_weightless - self.rows_kept

    def column(self, name: str) -> ColumnReport:
        """The report of one column; `KeyError` when there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def sentences(self) -> list[str]:
        """The report in words: reading, rows, every column, problems, suggestions, questions."""
        words: list[str] = []
        if self.reading is not None:
            words += ReadingReport.from_dict(self.reading).sentences()
        words.append(self.rows_sentence())
        words += [_column_sentence(column) for column in self.columns]
        return [*words, *self.problems, *self.suggestions, *self.questions]

    @property
    def mostly_dropped(self) -> bool:
        """True where more rows were left out than are used."""
        return 2 * self.rows_kept < self.rows_read

    def rows_sentence(self) -> str:
        """The number of rows that were kept, and why the others were not."""
        meant = self.rows_read - self.rows_outside
        start, counted = "", ""
        if self.weight:
            counted = told(" and count as {}, by '{}'", People(self.rows_counted), shown_name(self.weight))
        if self.where:
            untold = told("; of {} it is not known", People(self.rows_untold)) if self.rows_untold else ""
            start = told("Only rows where {}: {}{}. ", self.where, People(meant, of=self.rows_read), untold)
        if meant == self.rows_kept:
            return told("{}All {} rows {}are used{}.", start, People(meant), "of them " if self.where else "", counted)
        clauses = []
        if self.rows_copied:
            clauses.append(People(self.rows_copied, "row is a copy of another one", "rows are copies of another one"))
        if self.rows_weightless:
            clauses.append(People(self.rows_weightless, "row has the weight 0", "rows have the weight 0"))
        more_words = told(" {}.", listed(clauses)) if clauses else ""
        start += told("{} are used{};", People(self.rows_kept, "row", of=meant), counted)
        if not self.rows_dropped:
            return start + more_words
        lacking = sorted(self.dropped_for.items(), key=lambda item: -item[1])
        names = distinct([name for name, _ in lacking[:5]], NAME)
        each = zip(names, lacking[:5], strict=True)
        named = joined((told("'{}' ({})", Name(name), People(rows)) for name, (_, rows) in each), ", ")
        more = told(" and {}", Count(len(lacking) - 5, "more column")) if len(lacking) > 5 else ""
        several = "; some lack several" if sum(self.dropped_for.values()) > self.rows_dropped else ""
        lack = named, more, told(several)
        why = told("{} were dropped because they lack a value in {}{}{}.", People(self.rows_dropped), *lack)
        return told("{} {}{}", start, why, more_words)

    def to_frame(self) -> pd.DataFrame:
        """One row a column: kind, reason, levels, counts, missing cells and tokens, offending cells."""
        return pd.DataFrame(
            {
                "column": [column.name for column in self.columns],
                "kind": [column.kind for column in self.columns],
                "reason": [column.reason for column in self.columns],
                "levels": [" | ".join(column.levels) for column in self.columns],
                "rows per level": [" | ".join(map(str, column.counts)) for column in self.columns],
                "missing cells": [column.missing for column in self.columns],
                "missing tokens": [_tokens(column.missing_tokens) for column in self.columns],
                "cells in question": ["; ".join(f"row {r}: {t}" for r, t in column.cells) for column in self.columns],
                "header in file": [column.renamed_from or "" for column in self.columns],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries, lists, texts and numbers."""
        whole: dict[str, Any] = plain(asdict(self))
        return whole


def _column_sentence(column: ColumnReport) -> str:
    by = "chosen" if column.chosen else column.reason
    detail = f": {column.reason}" if column.chosen and column.reason else ""
    levels = f"; levels {', '.join(column.levels[:12])}" if column.levels else ""
    levels += ", ..." if len(column.levels) > 12 else ""
    gaps = f"; {column.missing:,} missing" if column.missing else ""
    tokens = f" (taken for missing: {_tokens(column.missing_tokens)})" if column.missing_tokens else ""
    return f"'{short(column.name, 60)}' is {_KIND_WORDS[column.kind]} ({by}{detail}){levels}{gaps}{tokens}."


_KIND_WORDS = {
    "nominal": "nominal",
    "ordinal": "ordinal",
    "continuous": "continuous, cut into intervals",
    "ignore": "left out",
}


def _tokens(tokens: Mapping[str, int]) -> str:
    return ", ".join(f"{'empty' if token == '' else repr(token)} {count:,}" for token, count in tokens.items())
