"""What is worked out once: what follows from a table alone, figures drawn last, and where variables stand."""

from __future__ import annotations

import hashlib
import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from engine import Dataset

Value = TypeVar("Value")

_KNOWN: WeakKeyDictionary[Dataset, dict[Any, Any]] = WeakKeyDictionary()


def cached(data: Dataset, find: Callable[..., Value], *more: Any, **named: Any) -> Value:
    """What `find` says of a table; remembered as long as the table is there. Nobody may change it.

    Parameters
    ----------
    data : the table, which never changes
    find : a function, or a method of a class, of the table and of what follows
    more, named : what it takes beside the table; they can be hashed

    Raises
    ------
    whatever `find` raises, which is not remembered
    """
    known = _KNOWN.setdefault(data, {})
    key = (getattr(find, "__self__", None), getattr(find, "__func__", find), more, tuple(sorted(named.items())))
    if key not in known:
        known[key] = find(data, *more, **named)
    result: Value = known[key]
    return result


MOST = 32
"""Figures that a session keeps; the one drawn longest ago goes first."""


class Figures:
    """Figures by what they were made of. Nobody changes one after it was made."""

    def __init__(self) -> None:
        self._figures: OrderedDict[bytes, go.Figure] = OrderedDict()

    def of(self, build: Callable[..., go.Figure], *inputs: Any) -> go.Figure:
        """The figure that `build` makes of these; it must be made of nothing else.

        Tables are computed anew at each run of a page, so what counts is what they hold: the same bytes make the same
        figure. Things that are alike and have other bytes cost a figure more, nothing else.
        """
        named = (build.__module__, build.__qualname__, inputs)
        key = hashlib.blake2b(pickle.dumps(named, pickle.HIGHEST_PROTOCOL), digest_size=16).digest()
        if key not in self._figures:
            self._figures[key] = build(*inputs)
        self._figures.move_to_end(key)
        while len(self._figures) > MOST:
            self._figures.popitem(last=False)
        return self._figures[key]

    def __len__(self) -> int:
        return len(self._figures)

    def clear(self) -> None:
        """Keep none."""
        self._figures.clear()


Point = tuple[float, float]


class Layouts:
    """Places of variables by the set of them, over re-runs, thresholds and pages."""

    def __init__(self) -> None:
        self._positions: dict[frozenset[str], dict[str, Point]] = {}

    def has(self, names: Iterable[str]) -> bool:
        """True where there is a layout of these variables, so that none need be computed."""
        return frozenset(names) in self._positions

    def of(self, names: Iterable[str], proposed: Mapping[str, Point]) -> dict[str, Point]:
        """Where each variable stands: as the user left it, else as first proposed."""
        variables = list(names)
        key = frozenset(variables)
        if key not in self._positions:
            self._positions[key] = {name: proposed[name] for name in variables}
        return self._positions[key]

    def move(self, names: Iterable[str], moved: Mapping[str, Point]) -> None:
        """Keep what the user dragged."""
        known = self._positions.get(frozenset(names))
        if known is not None:
            known.update({name: point for name, point in moved.items() if name in known})

    def all(self) -> list[dict[str, Point]]:
        """Every layout, the latest first."""
        return [dict(layout) for layout in reversed(self._positions.values())]

    def put(self, positions: Mapping[str, Point]) -> None:
        """Take a layout as it was saved."""
        self._positions[frozenset(positions)] = dict(positions)

    def clear(self) -> None:
        """Forget every layout."""
        self._positions.clear()
