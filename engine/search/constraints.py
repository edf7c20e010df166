"""What a search may do: forbidden and required arcs, tiers, an order, a largest number of parents.

One object for every search, the forms and the export, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import SettingsError
from engine.lazy import nx

Arc = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Constraints:
    """Background knowledge over p variables, by position.

    Attributes
    ----------
    allowed : (p, p) bool, `allowed[child, parent]`
    required : parents each child must keep
    max_parents : most parents of a variable (p - 1 where there is no limit)
    before : (p, p) bool, `before[later, earlier]`: in every order of the variables the second comes first, by the
        order, the tiers or a required arc; None where nothing is known of orders
    """

    allowed: np.ndarray
    required: tuple[tuple[int, ...], ...]
    max_parents: int
    before: np.ndarray | None = None

    @classmethod
    def from_names(
        cls,
        names: Sequence[str],
        *,
        forbidden: Iterable[Arc] = (),
        required: Iterable[Arc] = (),
        tiers: Sequence[Iterable[str]] | None = None,
        order: Sequence[str] | None = None,
        max_parents: int | None = None,
    ) -> Constraints:
        """Turn names into positions, refusing what contradicts itself."""
        p = len(names)
        position = {name: i for i, name in enumerate(names)}
        allowed = ~np.eye(p, dtype=bool)
        earlier = np.zeros((p, p), dtype=bool)
        if order is not None:
            _check_order(order, position)
            rank = np.array([list(order).index(name) for name in names], dtype=np.int64)
            earlier |= rank[None, :] < rank[:, None]
        if tiers is not None:
            tier = _tier_of(tiers, position)
            known = (tier[None, :] >= 0) & (tier[:, None] >= 0)
            earlier |= known & (tier[None, :] < tier[:, None])
        allowed &= ~earlier.T
        for parent, child in _pairs(forbidden, position, "forbidden"):
            allowed[child, parent] = False
        must: list[list[int]] = [[] for _ in range(p)]
        for parent, child in _pairs(required, position, "required"):
            if not allowed[child, parent]:
                raise SettingsError(
                    f"The arc {names[parent]!r} -> {names[child]!r} is required, but it is forbidden "
                    "or runs against the order or the tiers. Take one of the two away."
                )
            must[child].append(parent)
            earlier[child, parent] = True
        limit = _limit(max_parents, p, max(map(len, must), default=0))
        _refuse_cycle(must, names)
        return cls(allowed, tuple(tuple(sorted(set(m))) for m in must), limit, earlier if earlier.any() else None)

    def permuted(self, priority: Sequence[int]) -> Constraints:
        """The same knowledge with variable `priority[i]` in place i."""
        place = {old: new for new, old in enumerate(priority)}
        required = tuple(tuple(sorted(place[x] for x in self.required[old])) for old in priority)
        earlier = None if self.before is None else self.before[np.ix_(priority, priority)]
        return Constraints(self.allowed[np.ix_(priority, priority)], required, self.max_parents, earlier)


def _position(name: str, position: dict[str, int], setting: str) -> int:
    if name not in position:
        raise SettingsError(f"{setting} names {name!r}, which is not a variable of this table.")
    return position[name]


def _pairs(arcs: Iterable[Arc], position: dict[str, int], setting: str) -> list[tuple[int, int]]:
    pairs = []
    for arc in arcs:
        parent, child = (_position(name, position, setting) for name in arc)
        if parent == child:
            raise SettingsError(f"{setting} has an arc from {arc[0]!r} to itself.")
        pairs.append((parent, child))
    return pairs


def _check_order(order: Sequence[str], position: dict[str, int]) -> None:
    for name in order:
        _position(name, position, "order")
    if len(order) != len(position) or len(set(order)) != len(order):
        missing = sorted(set(position) - set(order))
        raise SettingsError(
            f"order must name every variable once; it misses {', '.join(map(repr, missing[:5])) or 'none'} "
            f"and has {len(order)} entries for {len(position)} variables."
        )


def _tier_of(tiers: Sequence[Iterable[str]], position: dict[str, int]) -> np.ndarray:
    tier = np.full(len(position), -1)
    for number, group in enumerate(tiers):
        for name in group:
            i = _position(name, position, "tiers")
            if tier[i] >= 0:
                raise SettingsError(f"{name!r} stands in two tiers; leave it in one.")
            tier[i] = number
    return tier


def _limit(max_parents: int | None, p: int, required: int) -> int:
    if max_parents is None:
        return max(p - 1, 0)
    if isinstance(max_parents, bool) or not isinstance(max_parents, int) or max_parents < 0:
        raise SettingsError(f"max_parents is {max_parents!r}; it must be a whole number from 0 up, or None.")
    if required > max_parents:
        raise SettingsError(f"max_parents is {max_parents}, but a variable has {required} required parents.")
    return min(max_parents, max(p - 1, 0))


def _refuse_cycle(parents: list[list[int]], names: Sequence[str]) -> None:
    if not any(parents):
        return
    graph = nx.DiGraph((x, child) for child, group in enumerate(parents) for x in group)
    try:
        cycle = nx.find_cycle(graph)
    except nx.NetworkXNoCycle:
        return
    words = " -> ".join([names[cycle[0][0]], *(names[arc[1]] for arc in cycle)])
    raise SettingsError(f"The required arcs go round in a circle: {words}. Take one away.")
