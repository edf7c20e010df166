"""Which block each row is in: configurations of parents as one number, dense or numbered as they occur."""

from __future__ import annotations

from engine.counting.compiling import njit

DENSE = 4096
"""Cells up to which a family is counted in a table of all its cells; of more, only those that occur are numbered."""


@njit(cache=True, nogil=True)
def number_keys(keys, slots, places, out):  # type: ignore[no-untyped-def]
    """Number the different keys in the order in which they occur; `slots`, `places`: a hash table of 2^b entries."""
    last = slots.shape[0] - 1
    for s in range(slots.shape[0]):
        places[s] = -1
    many = 0
    for row in range(keys.shape[0]):
        key = keys[row]
        s = (key ^ (key >> 17) ^ (key >> 37)) * 0x9E3779B1 & last
        while places[s] >= 0 and slots[s] != key:
            s = (s + 1) & last
        if places[s] < 0:
            slots[s] = key
            places[s] = many
            many += 1
        out[row] = places[s]
    return many


@njit(cache=True, nogil=True)
def room_of(rows):  # type: ignore[no-untyped-def]
    """Entries of a hash table of so many rows."""
    size = 1
    while size < 2 * rows:
        size *= 2
    return size


@njit(cache=True, nogil=True)
def configure(codes, arity, parents, key):  # type: ignore[no-untyped-def]
    """Fill the configuration of some parents in every row; how many there could be."""
    key[:] = 0
    blocks = 1
    for j in range(parents.shape[0]):
        x = parents[j]
        for row in range(key.shape[0]):
            key[row] = key[row] * arity[x] + codes[x, row]
        blocks *= arity[x]
    return blocks


@njit(cache=True, nogil=True)
def blocks_of(codes, arity, parents, key, slots, places):  # type: ignore[no-untyped-def]
    """Fill the block of every row, those that occur numbered where there could be many; how many there are."""
    blocks = configure(codes, arity, parents, key)
    return number_keys(key, slots, places, key) if blocks > min(DENSE, key.shape[0]) else blocks
