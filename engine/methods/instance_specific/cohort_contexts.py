"""What sets the networks of some patients apart, in words: shared values, and the links that these switch off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine import words
from engine.scores.instance import UNKNOWN

UNCHANGED = "as the population"
ABSENT, DROPPED, KEPT, ADDED, REVERSED = -1, 0, 1, 2, 3
"""Codes of `CohortResult.arc_matrix`."""


def contexts(
    arcs: Sequence[tuple[str, str]],
    row: np.ndarray,
    values: Mapping[str, np.ndarray],
    levels: Mapping[str, Sequence[str]],
) -> str:
    """What sets one pattern apart, in words: the values its patients share, and the links these switch off.

    Values are those of the parents that stay; levels that differ inside the pattern are joined by "or".
    """
    by_child: dict[str, dict[int, list[str]]] = {}
    for (source, target), code in zip(arcs, row.tolist(), strict=True):
        by_child.setdefault(target, {}).setdefault(code, []).append(source)
    parts = []
    for child, own in by_child.items():
        lost, gained, turned = (own.get(code, []) for code in (DROPPED, ADDED, REVERSED))
        if not lost and not gained and not turned:
            continue
        given = [_values(source, values[source], levels[source]) for source in own.get(KEPT, [])]
        condition = f"{', '.join(given)}: " if given else ""
        changes = [
            f"{words.listed(names)} {_verb(verb, names)} {child}" for names, verb in _worded(lost, gained, turned)
        ]
        parts.append(condition + ", ".join(changes))
    return "; ".join(parts) or UNCHANGED


def _worded(lost: list[str], gained: list[str], turned: list[str]) -> list[tuple[list[str], str]]:
    verbs = (
        (lost, "{is} left out for"),
        (gained, "{is} taken in for"),
        (turned, "{is} linked in another direction to"),
    )
    return [(names, verb) for names, verb in verbs if names]


def _verb(word: str, names: list[str]) -> str:
    one = len(names) == 1
    return word.replace("{is}", "is" if one else "are")


def _values(name: str, codes: np.ndarray, levels: Sequence[str]) -> str:
    met = [levels[code] for code in np.unique(codes[codes != UNKNOWN]).tolist()]
    return f"{name} = {' or '.join(met) or 'unknown'}"


def blanket(arcs: set[tuple[str, str]], target: str) -> set[str]:
    """The Markov blanket of a variable: its parents, its children, and the children's other parents."""
    children = {b for a, b in arcs if a == target}
    near = {a for a, b in arcs if b == target or b in children} | children
    return near - {target}
