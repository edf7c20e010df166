"""Scores beside known labels, in a table that somebody brings: which rows count, and what is a case."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from engine.data.preparing.proposals import propose_column
from engine.errors import DataError
from engine.execution import Progress, silent
from engine.measures.bootstrap import bootstrap_interval
from engine.measures.curves import auc, auc_by

MOST_PARTS = 200
"""Values up to which a column can split the rows."""
RUNS, AT_ONCE, FEWEST = 2000, 8_000_000, 200
"""Tables drawn again for an interval; rows drawn in all; tables drawn however many rows."""
CASE_WORDS = (
    "1",
    "true",
    "yes",
    "y",
    "case",
    "positive",
    "pos",
    "sick",
    "ill",
    "changed",
    "different",
    "dead",
    "event",
)


@dataclass(frozen=True, eq=False)
class Labelled:
    """Rows with a label and all their scores.

    Attributes
    ----------
    scores : name -> (n,) scores, turned so that larger means more likely a case
    truth : (n,) true for cases
    clusters : (n,) what belongs together, or None
    parts : (n,) what the rows are split by, or None
    rows : of the table
    without_label, without_score, without_group : rows left out, each counted once, by the first that was missing
    """

    scores: dict[str, np.ndarray]
    truth: np.ndarray
    clusters: list[Hashable] | None
    parts: list[Hashable] | None
    rows: int
    without_label: int
    without_score: int
    without_group: int

    def sentence(self) -> str:
        """Say how many rows count, and why others do not."""
        left = [
            f"{count:,} without {noun}"
            for count, noun in (
                (self.without_label, "a label"),
                (self.without_score, "a score"),
                (self.without_group, "a group to belong to"),
            )
            if count
        ]
        words = f"{len(self.truth):,} of {self.rows:,} rows count"
        return f"{words}; left out: {', '.join(left)}." if left else f"All {self.rows:,} rows count."

    def by_part(self) -> pd.DataFrame:
        """A line for each part: rows, cases, and the area of each score with its interval (none without a curve)."""
        if self.parts is None:
            return pd.DataFrame()
        numbers, labels = pd.factorize(np.array(self.parts, dtype=object))
        areas = {name: auc_by(self.parts, values, self.truth) for name, values in self.scores.items()}
        lines = []
        for number, label in enumerate(labels):
            here = numbers == number
            line: dict[str, object] = {
                "part": str(label),
                "rows": int(here.sum()),
                "cases": int(self.truth[here].sum()),
            }
            for name in self.scores:
                area = areas[name][label]
                values = (np.nan,) * 3 if area is None else (area.value, area.low, area.high)
                line |= dict(zip((f"AUC, {name}", f"low, {name}", f"high, {name}"), values, strict=True))
            lines.append(line)
        return pd.DataFrame(lines)


def label_columns(table: pd.DataFrame) -> list[str]:
    """The columns with exactly two values."""
    return [str(name) for name in table.columns if table[name].nunique() == 2]


def score_columns(table: pd.DataFrame, label: str) -> list[str]:
    """The columns of numbers that vary, the label apart: many values first, then two, then what looks like an id."""
    result = [
        str(name)
        for name in table.columns
        if name != label and pd.api.types.is_numeric_dtype(table[name]) and table[name].nunique() >= 2
    ]
    return sorted(
        result, key=lambda name: (propose_column(table[name], name).kind == "ignore", table[name].nunique() <= 2)
    )


def group_columns(table: pd.DataFrame, label: str, most: int | None = None) -> list[str]:
    """The columns that could say what belongs together, or split the rows into at most so many parts."""
    counts = {str(name): table[name].nunique() for name in table.columns if name != label}
    return [name for name, count in counts.items() if count > 1 and (most is None or count <= most)]


def likely_case(levels: list[str]) -> str:
    """Of two levels the one that reads like a case; the second where neither does."""
    return next((level for level in levels if level.strip().lower() in CASE_WORDS), levels[-1])


def levels_of(table: pd.DataFrame, column: str) -> list[str]:
    """The values of a column in order, as texts."""
    return [
        str(entry) for entry in sorted(table[column].dropna().unique(), key=lambda item: (isinstance(item, str), item))
    ]


def labelled(
    table: pd.DataFrame,
    label: str,
    case: str,
    scores: dict[str, bool],
    clusters: str | None = None,
    parts: str | None = None,
) -> Labelled:
    """The rows of a table that have a label, all scores and, where they are asked for, a cluster and a part.

    Examples
    --------
    >>> from engine.evaluation.examples import example_labels
    >>> found = labelled(example_labels(), "diagnosis", "ill", {"new score": True})
    >>> len(found.truth), int(found.truth.sum()), found.without_label
    (171, 40, 3)
    """
    levels = levels_of(table, label)
    if len(levels) != 2:
        raise DataError(f"The column of labels has {len(levels)} values; it needs two: cases and others.", column=label)
    if case not in levels:
        raise DataError(f"{case!r} is not a value of the column of labels.", column=label)
    for name in scores:
        if not pd.api.types.is_numeric_dtype(table[name]):
            raise DataError(f"The column {name!r} has values that are no numbers, so it is no score.", column=name)
    known = table[label].notna().to_numpy()
    scored = table[list(scores)].notna().all(axis=1).to_numpy()
    placed = table[[item for item in (clusters, parts) if item is not None]].notna().all(axis=1).to_numpy()
    usable = known & scored & placed
    truth = np.array(
        [str(entry) == case for entry in table.loc[usable, label]], dtype=bool
    )  # a date as `levels_of` has it
    if not truth.any() or truth.all():
        noun = "case" if not truth.any() else "other"
        raise DataError(f"No {noun} is left among the rows with a label and a score, so there is no curve.")
    values = {name: table.loc[usable, name].to_numpy(dtype=float) for name in scores}
    return Labelled(
        scores={name: values[name] if larger else -values[name] for name, larger in scores.items()},
        truth=truth,
        clusters=None if clusters is None else table.loc[usable, clusters].tolist(),
        parts=None if parts is None else table.loc[usable, parts].astype(str).tolist(),
        rows=len(table),
        without_label=int((~known).sum()),
        without_score=int((known & ~scored).sum()),
        without_group=int((known & scored & ~placed).sum()),
    )


def cluster_intervals(
    labelled: Labelled, runs: int | None = None, progress: Progress = silent
) -> dict[str, tuple[float, float]]:
    """The interval of every score's area when whole clusters are drawn again; none where rows stand by themselves."""
    if labelled.clusters is None:
        return {}
    draws = max(FEWEST, min(RUNS, AT_ONCE // len(labelled.truth))) if runs is None else runs
    intervals = {}
    for number, (name, values) in enumerate(labelled.scores.items()):
        words = f"bootstrap of whole clusters: score {number + 1} of {len(labelled.scores)}"
        progress(number / len(labelled.scores), words)
        intervals[name] = bootstrap_interval(values, labelled.truth, clusters=labelled.clusters, runs=draws)
    return intervals


def upside_down(labelled: Labelled) -> list[str]:
    """The scores that are worse than none: probably a smaller value means a case."""
    return [name for name, values in labelled.scores.items() if auc(values, labelled.truth).high < 0.5]
