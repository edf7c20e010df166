"""Where the operator lets no small count leave the server: what stands in the place of counts, sentences and files.

Tables and sentences of results are masked by `engine.telling.masking`, as those of a report are. What is not known to
hold no small count is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dashboard.server.memory import memory
from dashboard.session.session import session
from engine.methods.masked import Masked
from engine.telling.masking import OTHER, fewer, gives_away, hidden_counts, is_small
from engine.text import People, Text, joined
from engine.words import count

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.data.preparing.report import ImportReport
    from engine.methods.result import Result

SIMULATED = "evaluate"
"""The page whose figures and files are of tables that it draws itself."""
NO_PEOPLE = "Single people are not shown on this server."
MOST = 64
"""Masked results that a session keeps."""


def smallest_cell() -> int:
    """Counts from 1 to below this are not shown; 0 where all are. Only the command line says it."""
    return memory().smallest_cell


def is_withheld() -> bool:
    """True where figures and files of this page are left out unless they are known to hold no small count."""
    return bool(smallest_cell()) and session().place != SIMULATED


def left_out() -> str:
    """The sentence in place of one that would give a small count away."""
    return f"A sentence was left out: it would give away a count under {smallest_cell()}."


def without(thing: str) -> str:
    """The sentence in place of a chart, table or file that nobody has looked through: "A chart was left out: it"."""
    return f"{thing} could give away a count under {smallest_cell()}."


# -- results --------------------------------------------------------------------------------------------------------


@dataclass
class _MaskedResults:
    """Masked results that were shown last, by the identity of the result, which each holds."""

    known: dict[int, Masked] = field(default_factory=dict)


def masked(result: Result) -> Masked:
    """The masked result: the part of it that is shown."""
    known = session().state(_MaskedResults).known
    current = known.pop(id(result), None)
    if current is None or current.least != smallest_cell():
        current = Masked(result, smallest_cell())
    known[id(result)] = current
    while len(known) > MOST:
        del known[next(iter(known))]
    return current


def sentences_shown(result: Result, sentences: Iterable[str]) -> list[str]:
    """The sentences of a result that give no small count away, and one that says where others were left out."""
    given = list(sentences)
    if not smallest_cell():
        return given
    if result.about_people():
        return [NO_PEOPLE]
    allowed = masked(result).publishable(given)
    return allowed if len(allowed) == len(given) else [*allowed, left_out()]


def table_shown(result: Result, title: str) -> pd.DataFrame | None:
    """One of the tables of a result, its small counts hidden; None where its rows are single people."""
    if not smallest_cell():
        return result.table(title)
    shown = masked(result)
    return shown.written(title) if shown.shows(title) else None


def headline(result: Result) -> str:
    """The result in one sentence."""
    return joined(sentences_shown(result, [result.headline()]))


def doubt(result: Result) -> str:
    """The sentence that says how sure the headline is; "" where the headline is all that may be shown."""
    if smallest_cell() and result.about_people():
        return ""
    return joined(sentences_shown(result, result.how_sure()[:1]))


# -- the open table -------------------------------------------------------------------------------------------------


def sentence_shown(sentence: str) -> str:
    """A sentence about the open table, or one that says what is wrong with a question put to it."""
    least = smallest_cell()
    if not least or not sentence:
        return sentence
    data, table = session().dataset, session().table
    sizes = {*(() if data is None else (data.n_rows,)), *(() if table is None else (len(table),))}
    apart = [size for size in sizes if any(is_small(size - other, least) for other in sizes)]
    told = {part.n for part in sentence.parts if isinstance(part, People)} if isinstance(sentence, Text) else set()
    near = told.intersection(apart) or any(is_small(n - size, least) for n in told for size in sizes)
    return left_out() if near or gives_away(sentence, least, sizes) else sentence


def sentences_about_table(sentences: Iterable[str]) -> list[str]:
    """The same of several; those that are left out are said to be once, at the end."""
    given = [sentence_shown(sentence) for sentence in sentences]
    instead = left_out()
    return [*(item for item in given if item != instead), *([instead] if instead in given else [])]


def count_shown(number: int) -> str:
    """A number of rows; hidden where it is small."""
    least = smallest_cell()
    return fewer(least) if is_small(number, least) else f"{number:,}"


def counts_shown(numbers: Sequence[int]) -> list[str]:
    """The parts of a known whole."""
    small, others = hidden_counts(numbers, smallest_cell())
    return [
        fewer(smallest_cell()) if i in small else OTHER if i in others else f"{number:,}"
        for i, number in enumerate(numbers)
    ]


def are_hidden(numbers: Sequence[int]) -> bool:
    """True where any of the parts of a known whole is hidden."""
    return any(hidden_counts(numbers, smallest_cell()))


def rows_of(data: Dataset) -> str:
    """'527 of 613 rows': those of the table that are used."""
    return rows_shown(data.n_rows, data.report.rows_read if data.report is not None else data.n_rows)


def rows_shown(used: int, given: int) -> str:
    """'1,990 of 2,000 rows', or '2,000 rows' where all are used; where small counts are hidden those used alone.

    What was given would, with the rows of every group, say how many were left out.
    """
    if smallest_cell():
        return f"{count_shown(used)} rows"
    return f"{used:,} of {given:,} rows" if used < given else count(used, "row")


def report_frame(report: ImportReport) -> pd.DataFrame:
    """The import report as a table, a row a column; without cells of single rows where small counts are hidden."""
    frame = report.to_frame()
    if not smallest_cell():
        return frame
    frame["reason"] = [sentence_shown(column.reason) for column in report.columns]
    frame["rows per level"] = [" | ".join(counts_shown(column.counts)) for column in report.columns]
    frame["missing cells"] = counts_shown([column.missing for column in report.columns])
    return frame.drop(columns=["missing tokens", "cells in question"])
