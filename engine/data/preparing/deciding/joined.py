"""Questions of one kind as one card, so that no table asks more than a user reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.data.preparing.deciding.decision import Change, Finding, columns_in, key_of

MOST_CARDS = 7
JOINED = "joined"
"""The value in the key of a decision that stands for several."""
_NEVER = {"rows-together", "name-rows", "rows-below", "decimal-mark", "copied-rows", "row-order"}


def joined(findings: Iterable[Finding], settled: Iterable[str], names: Iterable[str]) -> list[Finding]:
    """The findings with those that are asked alike as one: what was settled so, and what would be too many cards.

    Parameters
    ----------
    findings : that are open or settled
    settled : keys of decisions that are settled
    names : of all columns
    """
    left, names, settled = list(findings), list(names), list(settled)
    result: list[Finding] = []
    for key in settled:
        kind, columns = key.partition(":")[0], columns_in(key, names)
        own = [item for item in left if item.kind == kind and set(item.columns) <= set(columns)]
        if key == key_of(kind, columns, JOINED) and own and _are_free(own, settled):
            result.append(_one(own, columns))
            left = [item for item in left if item not in own]
    open_now = [item for item in left if not item.chosen and item.key not in settled]
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for item in open_now:
        if item.kind not in _NEVER and item.columns:
            groups.setdefault((item.kind, item.rule, *item.changes), []).append(item)
    many = len(open_now)
    for group in sorted(groups.values(), key=len, reverse=True):
        if len(group) > 1 and many > MOST_CARDS:
            columns = list(dict.fromkeys(name for item in group for name in item.columns))
            result.append(_one(group, columns))
            left = [item for item in left if item not in group]
            many -= len(group) - 1
    return [*result, *left]


def _are_free(own: Iterable[Finding], settled: Sequence[str]) -> bool:
    """Whether none of the findings was settled by itself."""
    return all(item.key not in settled for item in own)


def _one(group: Sequence[Finding], columns: Sequence[str]) -> Finding:
    """Several findings as one, in the words of the most costly."""
    first = max(group, key=lambda item: item.cost)
    if len(group) == 1:
        return first
    changes: dict[str, Change] = {option: _merged(item.changes[option] for item in group) for option in first.changes}
    also = [name for name in columns if name not in first.columns]
    return replace(
        first,
        columns=columns,
        value=JOINED,
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
