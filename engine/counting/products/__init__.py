"""Rows in which several planes agree: what the pair counts are for pairs, for many products of two planes at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.counting.products.block import Products, rows_of_products
from engine.counting.requests import WORD

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

__all__ = ["product_counts"]


def product_counts(data: Dataset, item: np.ndarray, two: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How many rows each of some products of two planes shares with each of some planes.

    Planes are numbered variable by variable: each has one for every level but its last. The product of a plane with
    itself is that plane.

    Parameters
    ----------
    data : the rows
    one, two : (m,) the planes of each product
    others : (k,) planes

    Returns
    -------
    (m, k) int64
    """
    asked = Products(*(np.asarray(planes, dtype=np.int64) for planes in (item, two, others)))
    if not len(asked.one) or not len(asked.others):
        return np.zeros((len(asked.one), len(asked.others)), dtype=np.int64)
    work = WORD * len(asked.one) * len(asked.others)
    result: np.ndarray = data.store.totals(rows_of_products, [asked], work)[0]
    return result
