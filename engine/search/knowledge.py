"""What is known before anything is learned: one value for every method and search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import SettingsError, check_number
from engine.lazy import nx
from engine.search.constraints import Constraints

Arc = tuple[str, str]


@dataclass(frozen=True)
class Knowledge:
    """Knowledge that an expert has of the arcs, by names.

    Parameters
    ----------
    forbidden, required : arcs (parent, child) that may not, or must, be there
    tiers : groups of variables, earliest first; no arc runs from a later tier to an earlier one; a variable in no tier
        may have parents and children anywhere
    order : all variables, parents before children
    max_parents : most parents of a variable, None for no limit

    Raises
    ------
    SettingsError : one of them is not of that form; whether the names fit a table is asked when it is used

    Examples
    --------
    >>> engine.Knowledge(forbidden=[("cough", "smoking")], max_parents=3)
    Knowledge(forbidden=(('cough', 'smoking'),), required=(), tiers=None, order=None, max_parents=3)
    """

    forbidden: tuple[Arc, ...] = ()
    required: tuple[Arc, ...] = ()
    tiers: tuple[tuple[str, ...], ...] | None = None
    order: tuple[str, ...] | None = None
    max_parents: int | None = None

    def __init__(
        self,
        forbidden: Iterable[Arc] = (),
        required: Iterable[Arc] = (),
        tiers: Sequence[Iterable[str]] | None = None,
        order: Sequence[str] | None = None,
        max_parents: int | None = None,
    ) -> None:
        given = {
            "forbidden": _arcs("forbidden", forbidden),
            "required": _arcs("required", required),
            "tiers": None if tiers is None else tuple(_names("tiers", tier) for tier in _listed("tiers", tiers)),
            "order": None if order is None else _names("order", order),
            "max_parents": max_parents,
        }
        for name, value in given.items():  # lists are welcome; a frozen value holds tuples
            object.__setattr__(self, name, value)

    def constraints(self, names: Sequence[str]) -> Constraints:
        """The same by position over these variables.

        Parameters
        ----------
        names : of the variables, in column order

        Returns
        -------
        `Constraints`, as a search takes them

        Raises
        ------
        SettingsError : unknown variables, an arc both ways, a cycle of required arcs, too many required parents
        """
        p = len(names)
        position = {name: i for i, name in enumerate(names)}
        allowed = ~np.eye(p, dtype=bool)
        earlier = np.zeros((p, p), dtype=bool)
        if self.order is not None:
            _check_order(self.order, position)
            rank = np.array([self.order.index(name) for name in names], dtype=np.int64)
            earlier |= rank[None, :] < rank[:, None]
        if self.tiers is not None:
            tier = _tier_of(self.tiers, position)
            known = (tier[None, :] >= 0) & (tier[:, None] >= 0)
            earlier |= known & (tier[None, :] < tier[:, None])
        allowed &= ~earlier.T
        for parent, child in _pairs(self.forbidden, position, "forbidden"):
            allowed[child, parent] = False
        must: list[list[int]] = [[] for _ in range(p)]
        for parent, child in _pairs(self.required, position, "required"):
            if not allowed[child, parent]:
                raise SettingsError(
                    f"The arc {names[parent]!r} -> {names[child]!r} is required, but it is forbidden "
                    "or runs against the order or the tiers. Take one of the two away."
                )
            must[child].append(parent)
            earlier[child, parent] = True
        limit = _limit(self.max_parents, p, max(map(len, must), default=0))
        _refuse_cycle(must, names)
        required = tuple(tuple(sorted(set(group))) for group in must)
        return Constraints(allowed, required, limit, earlier if earlier.any() else None)

    def without(self, names: Iterable[str]) -> Knowledge:
        """Return the knowledge of the other variables, for a method that sets one variable aside.

        Parameters
        ----------
        names : of the variables that are set aside

        Returns
        -------
        `Knowledge`
        """
        removed = set(names)

        def kept(given: Iterable[str]) -> tuple[str, ...]:
            return tuple(name for name in given if name not in removed)

        tiers = [left for tier in self.tiers or () if (left := kept(tier))]
        return Knowledge(
            [arc for arc in self.forbidden if not removed & set(arc)],
            [arc for arc in self.required if not removed & set(arc)],
            tiers if len(tiers) > 1 else None,
            None if self.order is None else kept(self.order),
            self.max_parents,
        )


def _listed(setting: str, given: Any) -> Iterable[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SettingsError(f"{setting} is {given!r}; it must be a list.", setting=setting)
    return given


def _names(setting: str, given: Any) -> tuple[str, ...]:
    return tuple(str(name) for name in _listed(setting, given))


def _arcs(setting: str, given: Any) -> tuple[Arc, ...]:
    result = []
    for arc in _listed(setting, given):
        ends = _names(setting, arc)
        if len(ends) != 2:
            raise SettingsError(f"{setting} has {arc!r}; every entry must be a pair (parent, child).", setting=setting)
        result.append((ends[0], ends[1]))
    return tuple(result)


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
    check_number("max_parents", max_parents, least=0, whole=True)
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
