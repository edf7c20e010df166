"""Changes that change nothing that could be noticed, each with its reason: they are not made."""

from __future__ import annotations

import re

from tests.mutants.changes import Change

RULES: tuple[tuple[str, str], ...] = (
    (
        r"[<>]=? [^<>]*(tolerance|GAIN|1e-1\d)[^<>]* -> [^<>]*[<>]=? ",
        "whether a gain of exactly the rounding tolerance counts: no table can show it",
    ),
)
"""Patterns of a change's words, only for the boundary of a comparison (`<` for `<=`)."""

SPEED = "how much is kept or done at once: the same figures, sooner or later"
PLACES: dict[str, str] = {
    "engine/counting/__init__.py::(module)": "which of three ways counts: all three give the same counts",
    "engine/counting/numba_kernels.py::(module)": SPEED,
    "engine/counting/numba_pairs.py::(module)": SPEED,
    "engine/scores/dirichlet.py::(module)": SPEED,
    "engine/scores/instance.py::(module): 500_000": SPEED,
    "engine/methods/instance_specific/population.py::(module)": SPEED,
    "engine/methods/instance_specific/order_kept.py::(module): 1 << 22": SPEED,
}
"""How the name of a change begins -> why no test can notice it."""

KNOWN: dict[str, str] = {}
"""The name of a change -> why no test can notice it."""


def why_equivalent(change: Change) -> str | None:
    """The reason why a change is left out, None where it has to be noticed."""
    if change.name in KNOWN:
        return KNOWN[change.name]
    for start, reason in PLACES.items():
        if change.name.startswith(start):
            return reason
    if _moves_a_boundary(change.told):
        for pattern, reason in RULES:
            if re.search(pattern, change.told):
                return reason
    return None


def _moves_a_boundary(told: str) -> bool:
    """Whether a change is `<` for `<=`, `>` for `>=` or the other way round, and nothing else."""
    old, _, new = told.partition(" -> ")
    return old != new and old.replace("<=", "<").replace(">=", ">") == new.replace("<=", "<").replace(">=", ">")
