"""What the log-linear study is asked to do, and the methods that it selects with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.errors import SettingsError
from engine.methods.log_linear.method import LogLinear
from engine.simulation.associations import LEVELS

JOINT, UNDERFLOW = "mml joint", "chi2, 1 - P"
METHODS: dict[str, LogLinear | None] = {
    "mml": LogLinear("mml"),
    JOINT: LogLinear("mml", joint=True),
    "smt": LogLinear("smt", thin_tables="published"),
    "chi2": LogLinear("chi2", alpha=0.001, thin_tables="published"),
    UNDERFLOW: None,
    "bic": LogLinear("bic"),
    "ah": LogLinear("ah"),
    "kl": LogLinear("kl", max_clique=5),
}
SIZES = (10_000, 30_000, 100_000, 150_000, 300_000, 1_000_000)
"""Rows of D3; the paper names 100,000 and 150,000 and draws 200,000 to a million."""
SMALL_SIZES = {"D1": (10, 100, 1_000, 10_000, 100_000), "D2": (1_000, 3_000, 10_000, 100_000, 1_000_000)}
SMALL_SETS = 5


@dataclass(frozen=True)
class Plan:
    """What is drawn and selected; equal plans give equal edges, whatever the number of workers."""

    sizes: tuple[int, ...] = SIZES
    levels: tuple[str, ...] = tuple(LEVELS)
    methods: tuple[str, ...] = tuple(METHODS)
    sets: int = 3
    small_sets: int = SMALL_SETS
    seed: int = 0

    def __post_init__(self) -> None:
        for name, known in (("levels", LEVELS), ("methods", METHODS)):
            chosen = getattr(self, name)
            for one in chosen:
                if one not in known:
                    raise SettingsError(f"{name} has {one!r}; it may have {', '.join(_quoted(known))}.")
            if not chosen:
                raise SettingsError(f"The study needs at least one of {name}.")
        for name in ("sets", "small_sets"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is {getattr(self, name)}; it must be at least 1.")
        if any(size < 1 for size in self.sizes):
            raise SettingsError("A size is below 1; every data set needs at least one row.")


def _quoted(known: Iterable[str]) -> list[str]:
    """Names in quotation marks."""
    return [repr(name) for name in known]
