"""Conditional probability tables, and how they are fitted to a data set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.counting import observed_counts
from engine.errors import DataError

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

MAX_CELLS = 5_000_000
"""Most probabilities one table may have."""


@dataclass(frozen=True, eq=False)
class Cpt:
    """The distribution of a child for each configuration of its parents.

    Attributes
    ----------
    child, parents : names; the parents in the order of the first axes
    table : (levels of each parent ..., levels of the child) probabilities; the last axis sums to one

    Examples
    --------
    >>> engine.exchange.Cpt("cough", ("smoking",), np.array([[0.9, 0.1], [0.6, 0.4]])).table[1].tolist()
    [0.6, 0.4]
    """

    child: str
    parents: tuple[str, ...]
    table: np.ndarray


def posterior_mean(data: Dataset, child: str, parents: Sequence[str], alpha: float) -> Cpt:
    """Means of the Dirichlet posteriors: (N_jk + alpha) / (N_j + r alpha), with N_jk rows of level k of the child.

    Parameters
    ----------
    child, parents : names of variables of the data
    alpha : Dirichlet prior of a cell, above 0

    Returns
    -------
    the table, its axes the parents in the order given and the child last

    Raises
    ------
    DataError : a variable that the data do not have, a table with too many cells

    Examples
    --------
    >>> from engine.data.dataset import Dataset
    >>> data = Dataset.from_codes(np.array([[0, 0, 1]]), [["no", "yes"]], ["rain"])
    >>> posterior_mean(data, "rain", [], alpha=1.0).table.tolist()
    [0.6, 0.4]
    """
    which = [data.index(name) for name in (*parents, child)]
    shape = tuple(int(data.arity[i]) for i in which)
    check_size(child, shape)
    cells, seen = observed_counts(data, which)
    counts = np.full(shape, float(alpha))
    counts[tuple(cells.T)] += seen
    return Cpt(child, tuple(parents), counts / counts.sum(axis=-1, keepdims=True))


def check_size(child: str, shape: Sequence[int]) -> None:
    """`DataError` for a table that would fill the memory."""
    if math.prod(shape) > MAX_CELLS:
        raise DataError(
            f"The table of {child[:60]!r} would have {math.prod(shape):,} probabilities (up to {MAX_CELLS:,} are "
            "possible); give it fewer parents or levels."
        )
