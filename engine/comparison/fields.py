"""What a comparison is made of: names, labels, rows and the test, from answers and their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.comparison.difference import find_differences
from engine.comparison.links import Answer, LinkEstimates, check_parts, estimate_links, varying_names, why_no_test
from engine.comparison.settings import Compare
from engine.comparison.sides import Side
from engine.comparison.structure import Structure
from engine.comparison.table import LinkTest
from engine.methods.made import Made
from engine.methods.result import Result

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

NO_DATA = "No rows were given with the answers, so only their structure is compared."


def comparison_fields(
    answers: Sequence[Answer],
    parts: Sequence[Dataset] | None,
    method: Compare,
    networks: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The fields of a comparison of answers that were looked at."""
    sides = [Side(answer) for answer in answers]
    for one in sides[1:]:
        Structure(sides[0], one, networks)  # refuses what cannot be compared
    names = tuple(name for name in sides[0].names if all(name in side.names for side in sides))
    why = NO_DATA
    if parts is not None:
        check_parts(answers, parts)
        why = why_no_test(answers, parts)
    group, levels, labels = _labels(answers, parts)
    return {
        "method": method,
        "names": names,
        "fingerprint": _fingerprint(answers, parts),
        "made": _made(answers, parts),
        "answers": tuple(answers),
        "labels": labels,
        "rows": tuple(_rows(answers, parts)),
        "group": group,
        "levels": levels,
        "test": None if why or parts is None else _test(answers, parts, method, names),
        "no_test": why,
        "networks": dict(networks or {}),
    }


def label_of(column: str, level: str) -> str:
    """What a group is called: by its level where that is a word, else with its column."""
    return level if any(one.isalpha() for one in level) and len(level) > 1 else f"{column} = {level}"


def _test(answers: Sequence[Answer], parts: Sequence[Dataset], method: Compare, names: Sequence[str]) -> LinkTest:
    variables = varying_names(answers, parts)
    found = estimate_links(answers, parts, variables)
    differences = find_differences(found.groups, method.draws, method.seed)
    constant = tuple(name for name in names if name not in variables)
    upper = tuple(_upper_level(parts[0], name) for name in variables)
    units = tuple(len(one.units) for one in found.groups)
    subject = next((part.subject_column for part in parts if part.clusters is not None), "")
    words = _level_words(found, parts[0])
    return LinkTest(found.scale, variables, found.pairs, words, differences, constant, upper, units, subject)


def _upper_level(data: Dataset, name: str) -> str:
    """Of a variable with two levels the one that counts as up; "" where levels have an order of their own."""
    levels = data.levels[name]
    return levels[1] if data.kinds[name] == "nominal" and len(levels) == 2 else ""


def _level_words(found: LinkEstimates, data: Dataset) -> tuple[str, ...]:
    """What is set against what in each number: '' where it is all levels in their order."""
    words = []
    for pair, sides in zip(found.pairs, found.levels, strict=True):
        said = []
        for x, (low, high) in zip(pair, sides, strict=True):
            levels = data.levels[found.variables[x]]
            if low >= 0:
                against = f"{levels[low]} v rest" if high < 0 else f"{levels[high]} v {levels[low]}"
                said.append(f"{found.variables[x]} {against}")
        words.append(", ".join(said))
    return tuple(words)


def _labels(answers: Sequence[Answer], parts: Sequence[Dataset] | None) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The column that parts the rows, its levels, and what the groups are called."""
    split = [part.split_by for part in parts or () if part.split_by is not None]
    columns = {(one.column, one.fingerprint) for one in split}
    levels = tuple(one.level for one in split)
    if len(columns) != 1 or len(set(levels)) < len(answers):
        return "", (), tuple("ABCDEF"[: len(answers)])
    column = split[0].column
    labels = tuple(label_of(column, level) for level in levels)
    if len(set(labels)) < len(labels):
        labels = tuple(f"{column} = {level}" for level in levels)
    return column, levels, labels


def _fingerprint(answers: Sequence[Answer], parts: Sequence[Dataset] | None) -> str:
    """Of the table that the rows were taken out of; joined where there are several."""
    if parts is not None:
        found = [part.whole if part.split_by is None else part.split_by.fingerprint for part in parts]
    else:
        found = [answer.fingerprint for answer in answers if isinstance(answer, Result)]
    return "-".join(dict.fromkeys(found))


def _rows(answers: Sequence[Answer], parts: Sequence[Dataset] | None) -> list[int]:
    if parts is not None:
        return [part.n_rows for part in parts]
    return [answer.made.rows_used if isinstance(answer, Result) else 0 for answer in answers]


def _made(answers: Sequence[Answer], parts: Sequence[Dataset] | None) -> Made:
    """Of the first answer, with the rows of all and what is said of any's rows."""
    named: list[Any] = [answer.made for answer in answers if isinstance(answer, Result)]
    named = named or [Made.of(part) for part in parts or ()] or [Made(0, 0, {})]
    said = tuple(dict.fromkeys(sentence for made in named for sentence in made.rows))
    used = sum(_rows(answers, parts))
    return replace(named[0], rows_used=used, rows_given=max(used, *(made.rows_given for made in named), 0), rows=said)
