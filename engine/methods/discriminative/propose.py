"""Which column says what class somebody is of: the one whose role says so, or whose name and levels suggest it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

WORDS = ("class", "diagnos", "outcome", "group", "disease", "status", "label", "case", "arm", "target")
MOST_CLASSES = 6


def likely_target(data: Dataset) -> str | None:
    """The likeliest class column; None where none can be one.

    Parameters
    ----------
    data : the table; where it has subjects, each must be of one class
    """
    fit = [name for name in data.names if _fits(data, name)]
    for role in ("outcome", "group"):
        for name in fit:
            if data.roles.get(name) == role:
                return name
    two = {name for name in fit if len(np.unique(data.column(name))) == 2}
    ordered = sorted(fit, key=lambda name: (name not in two, name))
    for word in WORDS:
        for name in ordered:
            if word in name.lower():
                return name
    return ordered[0] if ordered else None


def torn(data: Dataset) -> str:
    """The column that looks like the classes and gives a subject two of them; empty where there is none.

    Parameters
    ----------
    data : a table where no column can be the classes
    """
    if data.steps is None:
        return ""
    named = [name for name in data.names if data.roles.get(name) in ("outcome", "group")]
    named += [name for word in WORDS for name in data.names if word in name.lower()]
    return next((name for name in named if 2 <= len(data.levels[name]) <= MOST_CLASSES), "")


def _fits(data: Dataset, name: str) -> bool:
    """Whether a column has two to six levels in use, two subjects each, and one a subject."""
    if data.kinds[name] == "continuous":
        return False
    column = data.column(name).astype(np.int64)
    if data.steps is None or "time" not in data.roles.values():
        counts = np.bincount(column)
    else:
        inside = data.steps.subject >= 0
        pairs = np.unique(np.stack([data.steps.subject[inside], column[inside]]), axis=1)
        if len(np.unique(pairs[0])) < pairs.shape[1]:
            return False
        counts = np.bincount(pairs[1])
    counts = counts[counts > 0]
    return bool(2 <= len(counts) <= MOST_CLASSES and counts.min() >= 2)
