"""Where variables stand: one layout serves every network of the same variables, as the user left it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Point = tuple[float, float]


class Layouts:
    """Places of variables by the set of them, over re-runs, thresholds and pages."""

    def __init__(self) -> None:
        self._positions: dict[frozenset[str], dict[str, Point]] = {}

    def has(self, names: Iterable[str]) -> bool:
        """Whether there is a layout of these variables, so that none need be computed."""
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
