"""The part of the document on one table: its rows, what is worth a look, how each column became a variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from markupsafe import Markup

from engine import words
from engine.data.dataset import Dataset
from engine.methods.result import Result
from engine.project.report.markup import render
from engine.project.report.tables import Cell, text_cell
from engine.telling.charts.labels import name_of
from engine.telling.masking import OTHER, fewer, gives_away, hidden_counts, is_small
from engine.words import short

MOST_LEVELS, MOST_COLUMNS = 14, 150


class TableReport:
    """The part of the document on one table.

    Parameters
    ----------
    result : one that was made of it
    data : the table itself, where it is at hand
    least : the least count that is shown
    source : what the table is called
    questions : what nobody has decided about it, sentences
    """

    def __init__(
        self, result: Result, data: Dataset | None, least: int, source: str, questions: Sequence[str] = ()
    ) -> None:
        self.result, self.data, self.least = result, data, least
        self.report = None if data is None else data.report
        self.hidden = 0
        reading = self.report.reading if self.report is not None and self.report.reading else {}
        self.source = name_of(source or reading.get("file") or "the table")
        self.questions = self._safe_sentences([name_of(text) for text in questions])

    def summary(self) -> str:
        """Its name, how many rows were used, why not all, and how many variables it has."""
        provenance = self.result.made
        variables = words.count(len(self.result.names if self.data is None else self.data.names), "variable")
        if not self.least and self.report is not None and self.report.rows_dropped:
            return f"{self.source}, {variables}: {self.report.rows_sentence()}"
        used = self._count(provenance.rows_used)
        if provenance.rows_given != provenance.rows_used:  # with the rows of every group it says how many are left out
            self.hidden += bool(self.least)
            used += f" of {'a number that is hidden' if self.least else self._count(provenance.rows_given)}"
        return f"{self.source}: {used} rows used, {variables}"

    def markup(self, label: str) -> tuple[Markup, Markup]:
        """What is to be known of it; and for the appendix how each column became a variable."""
        rows = self._columns()
        header = ["column", "kind", "levels and rows" if self.data is not None else "levels"]
        header += ["missing", "why"] if self.report is not None else []
        return (
            render("data.html", sentences=self._sentences(), problems=self._problems(), questions=self.questions),
            render(
                "columns.html",
                label=label,
                about=self._about_columns(len(rows)),
                header=[Cell(text, "n" if text == "missing" else "") for text in header],
                rows=[  # what the levels of a column are is markup already
                    [Cell(text) if i == 2 else text_cell(text, i == 3) for i, text in enumerate(row)]
                    for row in rows[:MOST_COLUMNS]
                ],
                ident=f"data-{self.result.fingerprint[:12]}",
            ),
        )

    # -- inside -------------------------------------------------------------------------------------------------------

    def _count(self, number: int) -> str:
        if not is_small(number, self.least):
            return f"{number:,}"
        self.hidden += 1
        return fewer(self.least)

    def _sentences(self) -> list[str]:
        size = self.summary().removeprefix(self.source).lstrip(":, ").rstrip(".")
        if not self.least or self.report is None or not self.report.rows_dropped:
            return [f"{size}."]
        why = "How many rows were dropped for which column is hidden."
        return [f"{size}.", *self._safe_sentences([self.report.rows_sentence()], why)]

    def _safe_sentences(self, sentences: Sequence[str], instead: str = "") -> list[str]:
        if not self.least:
            return list(sentences)
        provenance = self.result.made
        few = is_small(provenance.rows_given - provenance.rows_used, self.least)
        result = [
            sentence
            for sentence in sentences
            if not gives_away(sentence, self.least) and not (few and "dropped" in sentence)
        ]
        return result + ([instead] if instead and len(result) < len(sentences) else [])

    def _about_columns(self, number: int) -> str:
        text = "How each column became a variable. "
        if self.data is None:
            text = "As the results remember it; counts of levels need the table itself. "
        if number > MOST_COLUMNS:
            text += f"The first {MOST_COLUMNS} of {number:,} columns."
        return text

    def _columns(self) -> list[list[str]]:
        if self.report is not None and self.data is not None:
            return [self._reported(column, self.data) for column in self.report.columns]
        if self.data is not None:
            return [
                [name_of(name), self.data.kinds[name], self._levels(self.data.levels[name], _counts(self.data, name))]
                for name in self.data.names
            ]
        columns = self.result.provenance.recipe.get("columns", ())
        if columns:
            return [
                [
                    name_of(column["name"]),
                    column["kind"],
                    self._levels(column["levels"], (), column["cuts"]),
                ]
                for column in columns
            ]
        return [[name_of(name), "–", "–"] for name in self.result.names]

    def _reported(self, item: Any, data: Dataset) -> list[str]:
        """A line of the report of the import, with the counts of the rows that were used."""
        levels: Sequence[str] = data.levels.get(item.name, item.levels)
        counts = _counts(data, item.name) if item.name in data.names else item.counts
        cuts = data.cuts.get(item.name, item.cuts)
        why = f"chosen; {item.reason}" if item.chosen and item.reason else "chosen" if item.chosen else item.reason
        kind = {"ignore": "left out", "continuous": "number, in intervals"}.get(item.kind, item.kind)
        name = name_of(item.name)
        if item.renamed_from is not None:
            why = f"{why}; in the file: {short(name_of(item.renamed_from), 80)}"
        return [name, kind, self._levels(levels, counts, cuts), self._count(item.missing) if item.missing else "–", why]

    def _levels(self, levels: Sequence[str], counts: Sequence[int], cuts: Sequence[float] = ()) -> Markup:
        small, others = hidden_counts(counts, self.least) if self.least else (set(), set())
        self.hidden += len(small | others)
        chips = []
        for i, level in enumerate(list(levels)[:MOST_LEVELS]):
            number = ""
            if i < len(counts):
                number = fewer(self.least) if i in small else OTHER if i in others else f"{counts[i]:,}"
            chips.append((name_of(level), number))
        more = f" and {len(levels) - MOST_LEVELS:,} more" if len(levels) > MOST_LEVELS else ""
        cut = f" cut at {words.listed(f'{number:g}' for number in cuts)}" if len(cuts) else ""
        return render("levels.html", chips=chips, more=more + cut)

    def _problems(self) -> list[str]:
        return [] if self.report is None else self._safe_sentences([*self.report.problems, *self.report.suggestions])


def _counts(data: Dataset, name: str) -> list[int]:
    result = np.bincount(data.column(name), minlength=len(data.levels[name]))
    return [int(item) for item in result]


def by_table(results: Sequence[Result], given: Sequence[Dataset]) -> list[tuple[Result, Dataset | None, list[int]]]:
    """The tables of the results, each once: a result made of it, the table where it is at hand, and whose it is."""
    tables: dict[str, tuple[Result, Dataset | None, list[int]]] = {}
    for number, result in enumerate(results, 1):
        table = next((entry for entry in given if entry.is_of(result.fingerprint)), None)
        item = tables.setdefault(result.fingerprint, (result, table, []))
        item[2].append(number)
    return list(tables.values())
