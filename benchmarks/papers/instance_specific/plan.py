"""What the instance-specific study is asked to do, and what its searches are called."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import SettingsError

GES, SHORTCUT = "GES", "GES, shortcut"
MODES = ("order_kept", "published")
KAPPAS = (0.001, 0.1, 0.5, 0.9)
KEYS = ["arcs", "search", "kappa"]
"""Columns that name a cell of the printed tables."""


@dataclass(frozen=True)
class Plan:
    """What is simulated and searched; equal plans give equal results, whatever the number of workers."""

    networks: int = 10
    instances: int = 20
    rows: int = 1000
    variables: int = 50
    arcs: tuple[int, ...] = (50, 100)
    kappas: tuple[float, ...] = KAPPAS
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("networks", "instances", "rows"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is {getattr(self, name)}; it must be at least 1.")
        if not self.arcs or not self.kappas:
            raise SettingsError("The study needs at least one number of arcs and one kappa.")
