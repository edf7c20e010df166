"""What the group-difference study is asked to do, and what its scores are called."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.papers.group_difference.comparators import COMPARATORS
from benchmarks.papers.group_difference.printed import DRAWS, SETS, SIZES
from engine.errors import SettingsError
from engine.simulation.perturb import KINDS

BOTH = ("odds, order of both", "lasso, order of both")
"""With the order that fits both networks; computed where the lasso is, which it serves to judge."""
SCORES = ("odds", "odds, common", "odds, order", "odds, order, common", "lasso", *BOTH, "chi-squared", *COMPARATORS)
KEYS = ["data", "kind", "draws", "rows", "repeat"]


@dataclass(frozen=True)
class Plan:
    """What is drawn and scored; equal plans give equal scores, whatever the number of workers."""

    sets: tuple[str, ...] = SETS
    kinds: tuple[str, ...] = KINDS
    draws: tuple[int, ...] = DRAWS
    sizes: tuple[int, ...] = SIZES
    pairs: int = 20
    repeats: int = 3
    lasso: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        for name, known in (("sets", SETS), ("kinds", KINDS)):
            for one in getattr(self, name):
                if one not in known:
                    raise SettingsError(f"{name} has {one!r}; it may have {', '.join(repr(x) for x in known)}.")
        for name in ("sets", "kinds", "draws", "sizes"):
            if not getattr(self, name):
                raise SettingsError(f"The study needs at least one of {name}.")
        for name, least in (("draws", min(self.draws)), ("sizes", min(self.sizes))):
            if least < 1:
                raise SettingsError(f"{name} has {least}; each must be at least 1.")
        for name in ("pairs", "repeats"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is {getattr(self, name)}; it must be at least 1.")

    @property
    def scores(self) -> tuple[str, ...]:
        """The scores that are computed."""
        return tuple(name for name in SCORES if self.lasso or name not in ("lasso", *BOTH))

    @property
    def blocks(self) -> list[tuple[str, str, int, int, int]]:
        """All blocks, in the order of the printed table, and within it by repeat."""
        return [
            (name, kind, draws, rows, repeat)
            for name in self.sets
            for kind in self.kinds
            for draws in self.draws
            for rows in self.sizes
            for repeat in range(self.repeats)
        ]
