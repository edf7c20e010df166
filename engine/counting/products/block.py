"""How a block of rows counts products of planes: they are laid beside the other planes, and all pairs of both counted.

So whatever makes pairs fast on a processor serves here too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.counting.backend import counter
from engine.counting.blocks import planes_of
from engine.data.store import Block

_TOGETHER = 256  # products that are laid out at a time; pairs among them are counted in vain
_SCRATCH = 1 << 20  # words that are laid out at a time


class Products(NamedTuple):
    """The planes of (m,) products, and (k,) others to count them with."""

    one: np.ndarray
    two: np.ndarray
    others: np.ndarray


def rows_of_products(block: Block, asked: Products) -> np.ndarray:
    """(m, k) int64: rows that each product shares with each other plane.

    Parameters
    ----------
    block : rows
    asked : planes, numbered as in `engine.counting.product_counts`
    """
    own = planes_of(block)
    item, two, others = own[asked.one], own[asked.two], own[asked.others]
    words = block.words
    count = counter(64.0 * (block.last - block.first) * len(item)).plane_pairs
    many = min(len(item), _TOGETHER)
    wide = max(256, _SCRATCH // (many + len(others)) // 256 * 256)
    scratch = np.empty((many + len(others), min(wide, block.last - block.first)), dtype=np.uint64)
    result = np.zeros((len(item), len(others)), dtype=np.int64)
    counts = np.empty((many, len(scratch)), dtype=np.int64)
    for base in range(block.first, block.last, scratch.shape[1]):
        width = min(scratch.shape[1], block.last - base)
        part = slice(base, base + width)
        scratch[many:, :width] = words[others, part]
        for first in range(0, len(item), many):
            products = slice(first, first + many)
            begin = many - len(item[products])
            np.bitwise_and(words[item[products], part], words[two[products], part], out=scratch[begin:many, :width])
            counts[:] = 0
            count(scratch, begin, many, 0, width, counts[begin:])
            result[products] += counts[begin:, many:]
    return result
