"""Questions of one kind as one card, so that no table asks more than a user reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.data.preparing.deciding.decision import Change, Finding, columns_in, key_of

MOST_CARDS = 7
JOINED, REST = "joined", "rest"
"""The value in the key of a decision that stands for several of its kind, or also of others with the same answers."""
_NEVER = {"rows-together", "name-rows", "rows-below", "decimal-mark", "copied-rows", "row-order"}


def as_few_cards(findings: Iterable[Finding], settled: Mapping[str, str], names: Iterable[str]) -> list[Finding]:
    """The findings with those that are asked alike as one: what was settled so, and what would be too many cards.

    Parameters
    ----------
    findings : that are open or settled
    settled : keys of decisions that are settled, and the answers
    names : of all columns
    """
    left, names = list(findings), list(names)
    result: list[Finding] = []
    for key, answer in settled.items():
        kind, columns = key.partition(":")[0], columns_in(key, names)
        value = next((value for value in (JOINED, REST) if key == key_of(kind, columns, value)), "")
        own = [
            item
            for item in left
            if set(item.columns) <= set(columns)
            and (item.kind == kind or (value == REST and item.kind not in _NEVER and answer in item.changes))
        ]
        if value and own and all(item.key not in settled for item in own):
            result.append(replace(_one(own, columns, value), kind=kind))
            left = [item for item in left if item not in own]
    for value in (JOINED, REST):
        open_now = [item for item in left if not item.chosen and item.key not in settled]
        many = len(open_now) + sum(not item.chosen and item.key not in settled for item in result)
        groups: dict[tuple[str, ...], list[Finding]] = {}
        for item in [*open_now, *(item for item in result if item.key not in settled)]:
            if item.kind not in _NEVER and item.columns:
                alike = (item.kind, item.rule) if value == JOINED else ()
                groups.setdefault((*alike, *item.changes), []).append(item)
        for group in sorted(groups.values(), key=len, reverse=True):
            if len(group) > 1 and many > MOST_CARDS:
                together = {name for item in group for name in item.columns}
                columns = [name for name in names if name in together]
                left = [item for item in left if item not in group]
                result = [*(item for item in result if item not in group), _one(group, columns, value)]
                many -= len(group) - 1
    return [*result, *left]


def _one(group: Sequence[Finding], columns: Sequence[str], value: str) -> Finding:
    """Findings as one about all these columns, in the words of the most costly."""
    first = max(group, key=lambda item: item.cost)
    changes: dict[str, Change] = {option: _merged(item.changes[option] for item in group) for option in first.changes}
    also = [name for name in columns if name not in first.columns]
    return replace(
        first,
        rule=first.rule or first.kind,
        columns=columns,
        value=value,
        changes=changes,
        cost=sum(item.cost for item in group),
        effects={},
        also=also,
        chosen=all(item.chosen for item in group),
    )


def _merged(changes: Iterable[Change]) -> Change:
    result: dict[str, dict[str, Any]] = {}
    for change in changes:
        for argument, about in change.items():
            own = result.setdefault(argument, {})
            for name, value in about.items():
                before = own.get(name)
                if argument == "missing_tokens" and before is not None:
                    own[name] = [*before, *value]
                elif isinstance(value, Mapping) and isinstance(before, Mapping):
                    own[name] = {**before, **value}
                else:
                    own[name] = value
    return result
