"""The names of a comparison's groups, and the record of its rows and runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.comparison.links import Answer
from engine.data.dataset import Dataset
from engine.data.spoken_levels import says_yes
from engine.methods.evidence import RunRecord
from engine.methods.result import Result


def label_of(column: str, level: str) -> str:
    """The name of a group: by its level where that is a word, else with its column."""
    return level if any(item.isalpha() for item in level) and len(level) > 1 else f"{column} = {level}"


def group_labels(
    answers: Sequence[Answer], parts: Sequence[Dataset] | None
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The column that parts the rows, its levels, and what the groups are called."""
    split = [part.split_by for part in parts or () if part.split_by is not None]
    columns = {(item.column, item.fingerprint) for item in split}
    levels = tuple(entry.level for entry in split)
    if len(columns) != 1 or len(set(levels)) < len(answers):
        return "", (), tuple("ABCDEF"[: len(answers)])
    column = split[0].column
    labels = tuple(label_of(column, level) for level in levels)
    if len(set(labels)) < len(labels) or says_yes(levels) is not None:
        labels = tuple(f"{column} = {level}" for level in levels)
    return column, levels, labels


def joined_fingerprint(answers: Sequence[Answer], parts: Sequence[Dataset] | None) -> str:
    """Of the table that the rows were taken out of; joined where there are several."""
    if parts is not None:
        result = [part.whole if part.split_by is None else part.split_by.fingerprint for part in parts]
    else:
        result = [answer.fingerprint for answer in answers if isinstance(answer, Result)]
    return "-".join(dict.fromkeys(result))


def rows_of(answers: Sequence[Answer], parts: Sequence[Dataset] | None) -> list[int]:
    """The rows of each group; 0 of a network from a file."""
    if parts is not None:
        return [part.n_rows for part in parts]
    return [answer.made.rows_used if isinstance(answer, Result) else 0 for answer in answers]


def joined_record(answers: Sequence[Answer], parts: Sequence[Dataset] | None) -> RunRecord:
    """Of the first answer, with the rows of all and what is said of any's rows."""
    named: list[Any] = [answer.made for answer in answers if isinstance(answer, Result)]
    named = named or [RunRecord.of(part) for part in parts or ()] or [RunRecord(0, 0, {})]
    text = tuple(dict.fromkeys(sentence for record in named for sentence in record.rows))
    used = sum(rows_of(answers, parts))
    given = (record.rows_given for record in named)
    margins: dict[str, Counter[str]] = {}
    for record in named:
        for name, counts in record.margins.items():
            margins.setdefault(name, Counter()).update(counts)
    return replace(named[0], rows_used=used, rows_given=max(used, *given, 0), rows=text, margins=margins)
