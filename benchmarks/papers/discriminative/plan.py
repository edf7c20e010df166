"""What the study of class networks is asked to do, and the methods that it holds against each other."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from engine.errors import SettingsError
from engine.evaluation.lessons.discriminative import BDE, MAX, MID, ML, PAIRED, SINGLE
from engine.simulation.series import MASKED

DIFFERENCES, NOISE = "differences", "noise"
SIZE, SIZE_ONE, SIZE_ALL = "size, no noise", "size, noise in one", "size, noise in all"
SIZES = (SIZE, SIZE_ONE, SIZE_ALL)
ROTATED = {DIFFERENCES: "differences, rotated", NOISE: "noise, rotated"}
"""The same with the second generator of changed tables (`rotate_table`). It was chosen when the
figures of the first were known, and so that Figure 3 may come out as printed: nothing of it is judged."""
ANEW, KEPT = "time, every family anew", "time, sums kept"
"""Experiments; what "at" is: c, rho, nodes for the others."""
ALL, ONE = "all families", "one family"
"""Families that decide on a class."""
TIMES_ACL = "times as long as ACL"

FORCED = {f"{SINGLE}, forced": False, f"{PAIRED}, forced": True}
"""Searches of the study itself: a parent for every variable; whether a link goes to both networks at once."""
LEAST_SQUARES = {name: f"{name}, least squares" for name in (BDE, *FORCED)}
"""Methods of the likelihood ratio, told by ACL's boundary as well (section 3.2)."""
ELR = {name: f"{name}, ELR" for name in FORCED}
"""Structures by CCL whose parameters are then climbed to by conditional likelihood (section 2.5)."""
BEST_ALONE = (ML, MID, MAX)
"""Methods that are tried with one family too."""

AT_C = 0.17
"""Difference of the classes in the experiment on noise."""
NOISE_OF_SIZES = 60
"""Draws of subject noise in the experiments on size, where the paper does not say how many."""
MOST_NODES = 100


@dataclass(frozen=True)
class Plan:
    """What is drawn; equal plans give equal accuracies, whatever the number of workers.

    Attributes
    ----------
    runs : of every cell, each with networks of its own
    timed : runs whose time is taken
    differences : c of the first experiment;  noises : rho of the second
    nodes : numbers of variables of the third;  timed_nodes : of the run times
    seed : all of them are drawn from it
    """

    runs: int = 100
    timed: int = 3
    differences: tuple[float, ...] = (0.01, 0.02, 0.03, 0.05, 0.08, 0.10, 0.114, 0.13, 0.15, 0.17, 0.20)
    noises: tuple[int, ...] = (0, 20, 40, 80, 100, 140, 180, 300)
    nodes: tuple[int, ...] = (4, 16, 28, 40)
    timed_nodes: tuple[int, ...] = (8, 16, 24, 32, 40)
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("runs", "timed"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is {getattr(self, name)}; it must be at least 1.", setting=name)
        bounds = {"differences": (0, MASKED), "noises": (0, 10_000)}
        bounds |= {"nodes": (2, MOST_NODES), "timed_nodes": (2, MOST_NODES)}
        for name, (low, high) in bounds.items():
            for one in getattr(self, name):
                if not low <= one <= high:
                    raise SettingsError(f"{name} has {one}; it can be {low} to {high}.", setting=name)
        if not any(getattr(self, name) for name in bounds):
            raise SettingsError("There is nothing to run: give differences, noises, nodes or timed_nodes.")

    @classmethod
    def of(cls, **given: Any) -> Plan:
        """With lists as they come from a command; what is None is as by default."""
        known = {one.name: one.default for one in fields(cls)}
        return cls(**{name: _settled(given.get(name), default) for name, default in known.items()})


def _settled(value: Any, default: Any) -> Any:
    if value is None:
        return default
    return tuple(sorted(set(value))) if isinstance(default, tuple) else value
