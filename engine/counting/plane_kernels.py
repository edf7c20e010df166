"""Counts from bit planes: one bit a row and level, AND, bits counted, the last level by subtraction.

Four planes are counted with a fifth at once, so that the fifth is read once; the compiler makes vectors of these loops.
"""

from __future__ import annotations

import numpy as np

from engine.counting.compiling import njit

_BUFFER = 32768  # words that the planes of all cells may fill for one block of rows: 256 KiB, second-level cache
_BLOCK = 512  # most words of a block of rows for `plane_additions`
_FEW_CELLS = 10  # up to so many cells, planes come by fours: 1.1 to 1.6 times as fast
_LONG = 128  # words from which that pays
_PAIR_BLOCK = 256  # words of a block of rows for `plane_pairs`: all planes of it fit the second-level cache

_FAST = {"cache": True, "nogil": True, "error_model": "numpy"}


@njit(**_FAST)
def bits_set(word):  # type: ignore[no-untyped-def]
    """How many bits of a word are set; LLVM knows these lines and makes the processor's own count of them."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@njit(**_FAST)
def shared_bits(plane, other):  # type: ignore[no-untyped-def]
    """How many bits two planes share."""
    count = np.uint64(0)
    for w in range(plane.shape[0]):
        count += bits_set(plane[w] & other[w])
    return np.int64(count)


@njit(inline="always", **_FAST)
def shared_bits_of_four(planes, which, first, base, others, row, start, width, counts):  # type: ignore[no-untyped-def]
    """Write to `counts` (4,) how many bits four planes, `which[first:]`, share with a row of `others`.

    The first are read from word `base` on, the row from word `start` on. Put in place of every call, with whole arrays:
    a call, and the references to views that numba counts, are dear beside the bits of a short table.
    """
    end, other = base + width, others[row, start : start + width]
    a, b, c, d = (
        planes[which[first], base:end],
        planes[which[first + 1], base:end],
        planes[which[first + 2], base:end],
        planes[which[first + 3], base:end],
    )
    in_a, in_b, in_c, in_d = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    for w in range(width):
        word = other[w]
        in_a += bits_set(a[w] & word)
        in_b += bits_set(b[w] & word)
        in_c += bits_set(c[w] & word)
        in_d += bits_set(d[w] & word)
    counts[0], counts[1], counts[2], counts[3] = in_a, in_b, in_c, in_d


@njit(**_FAST)
def split_cells(words, starts, arity, family, n_rows, base, width, masks):  # type: ignore[no-untyped-def]
    """Write to `masks` (cells, width or more) the rows of every cell of some variables, for the words from `base` on.

    The last variable changes fastest.
    """
    for w in range(width):
        rows = n_rows - (base + w) * 64
        masks[0, w] = 0
        if rows > 0:
            masks[0, w] = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(max(64 - rows, 0))
    cells = 1
    for x in family:
        levels = arity[x]
        for cell in range(cells - 1, -1, -1):  # backwards: what is written stands at or behind what is still to be read
            whole, rest = masks[cell], masks[cell * levels + levels - 1]
            for level in range(levels - 1):
                mask, plane = masks[cell * levels + level], words[starts[x] + level, base : base + width]
                for w in range(width):
                    rows_left = whole[w]
                    rest[w] = rows_left & ~plane[w]
                    mask[w] = rows_left & plane[w]
                whole = rest
        cells *= levels


@njit(**_FAST)
def plane_additions(words, starts, arity, family, candidates, n_rows, first, last, tables):  # type: ignore[no-untyped-def]
    """Add to `tables[m]` the (cells, s) counts of a family (parents, then child) with candidate m, in one pass.

    Counted are the words `first` to `last` of the planes.
    """
    cells, many = 1, 0
    for x in family:
        cells *= arity[x]
    for x in candidates:
        many += arity[x] - 1
    planes, owners = np.zeros(many + 3, np.int64), np.zeros(many + 3, np.int64)  # groups of four may reach beyond
    many = 0
    for m in range(candidates.shape[0]):
        for level in range(arity[candidates[m]] - 1):
            planes[many], owners[many] = starts[candidates[m]] + level, m
            many += 1
    block = min(max(last - first + 7, 1), _BLOCK, max(_BUFFER // cells, 64)) & ~7
    room = np.empty(cells * block + 8, np.uint64)
    begin = -(room.ctypes.data // 8) % 8  # where a line of the cache begins
    masks, seen = room[begin : begin + cells * block].reshape(cells, block), np.zeros(cells + 3, np.int64)
    rows, shared = np.empty(cells, np.int64), np.empty(4, np.int64)
    counts = np.empty((many + 3, cells + 3), np.int64)
    for base in range(first, last, block):
        width = min(block, last - base)
        split_cells(words, starts, arity, family, n_rows, base, width, masks)
        occupied = 0
        for cell in range(cells):
            rows[cell] = shared_bits(masks[cell, :width], masks[cell, :width])
            if rows[cell]:
                seen[occupied] = cell
                occupied += 1
        for m in range(candidates.shape[0]):
            s = arity[candidates[m]]
            for i in range(occupied):
                tables[m, seen[i] * s + s - 1] += rows[seen[i]]
        if occupied > _FEW_CELLS or width < _LONG:
            for i in range(0, occupied, 4):  # four masks stay in the first-level cache for all planes
                for j in range(many):
                    shared_bits_of_four(masks, seen, i, 0, words, planes[j], base, width, shared)
                    for k in range(4):
                        counts[j, i + k] = shared[k]
        else:  # four cells at once would often be fewer: four candidates' planes at once, read once for all cells
            for j in range(0, many, 4):
                for i in range(occupied):
                    shared_bits_of_four(words, planes, j, base, masks, seen[i], 0, width, shared)
                    for k in range(4):
                        counts[j + k, i] = shared[k]
        for j in range(many):
            m, x = owners[j], candidates[owners[j]]
            s, level = arity[x], planes[j] - starts[x]
            for i in range(occupied):
                tables[m, seen[i] * s + level] += counts[j, i]
                tables[m, seen[i] * s + s - 1] -= counts[j, i]


@njit(**_FAST)
def plane_pairs(words, first, last, begin, end, counts):  # type: ignore[no-untyped-def]
    """Add to `counts` (last - first, planes) how many rows planes `first` to `last` share with every later one,
    in the words `begin` to `end`.

    Planes of a block are copied side by side: where a plane is a power of two long they would push each other out of
    the caches.
    """
    later = words.shape[0] - first
    panel, shared = np.empty((later, _PAIR_BLOCK + 8), np.uint64), np.empty(4, np.int64)
    four = np.empty(4, np.int64)
    for base in range(begin, end, _PAIR_BLOCK):
        width = min(_PAIR_BLOCK, end - base)
        for i in range(later):
            panel[i, :width] = words[first + i, base : base + width]
        for i in range(0, last - first, 4):
            for k in range(4):
                four[k] = min(i + k, later - 1)
            for j in range(i, later):
                shared_bits_of_four(panel, four, 0, 0, panel, j, 0, width, shared)
                for k in range(min(4, last - first - i)):
                    counts[i + k, first + j] += shared[k]


_SET_BUFFER = 16384  # words that the planes of one prefix of a set may fill for one block of rows


@njit(**_FAST)
def plane_sets(words, starts, arity, members, sizes, begins, first, last, counts):  # type: ignore[no-untyped-def]
    """Add how many rows have each combination of levels of some variables, none of them at its last level.

    Sets that begin alike stand one after the other, so that what their first variables share is made once.

    members, sizes : (k, w), (k,) variables of each set, at least one
    begins : (k,) where the counts of a set begin, the last variable changing fastest
    """
    most, deepest = 1, 0
    for k in range(sizes.shape[0]):
        many = 1
        for d in range(sizes[k] - 1):
            many *= arity[members[k, d]] - 1
        most, deepest = max(most, many), max(deepest, sizes[k] - 1)
    block = min(max(last - first, 1), max(_SET_BUFFER // (most + 3), 64), _BLOCK)
    masks = np.zeros((deepest + 1, most + 3, block), np.uint64)  # groups of four may reach beyond
    masks[0, 0, :] = np.uint64(0xFFFFFFFFFFFFFFFF)
    stack, many_at = np.empty(deepest + 1, np.int64), np.ones(deepest + 1, np.int64)
    which, shared = np.arange(most + 6), np.empty(4, np.int64)
    for base in range(first, last, block):
        width = min(block, last - base)
        depth = 0
        for k in range(sizes.shape[0]):
            same, m = 0, sizes[k] - 1
            while same < min(depth, m) and stack[same] == members[k, same]:
                same += 1
            for d in range(same, m):
                x, cell = members[k, d], 0
                for i in range(many_at[d]):
                    for level in range(arity[x] - 1):
                        mask, plane = masks[d + 1, cell], words[starts[x] + level, base : base + width]
                        whole = masks[d, i]
                        for w in range(width):
                            mask[w] = whole[w] & plane[w]
                        cell += 1
                stack[d], many_at[d + 1] = x, cell
            depth = m
            x, many = members[k, m], many_at[m]
            planes = masks[m]
            for level in range(arity[x] - 1):
                row = starts[x] + level
                for i in range(0, many, 4):
                    if many - i == 1:
                        total = shared_bits(planes[i, :width], words[row, base : base + width])
                        counts[begins[k] + i * (arity[x] - 1) + level] += total
                        continue
                    shared_bits_of_four(planes, which, i, 0, words, row, base, width, shared)
                    for j in range(min(4, many - i)):
                        counts[begins[k] + (i + j) * (arity[x] - 1) + level] += shared[j]


@njit(**_FAST)
def compress_planes(words, which, mask, first, out):  # type: ignore[no-untyped-def]
    """Write to `out` (planes, W) the rows of some planes that a mask has, side by side.

    A word is compressed by six shifts whose masks hang on the mask alone (Warren 2012, section 7-4), so that they are
    made once for all planes.

    which : (planes,) of `words`;  mask : (m,) words, of the words from `first` on
    """
    step = 256
    moves = np.empty((6, step), np.uint64)
    places, bits = np.empty(step, np.int64), np.empty(step, np.uint64)
    place = np.int64(0)
    for base in range(0, mask.shape[0], step):
        width = min(step, mask.shape[0] - base)
        for w in range(width):
            places[w] = place
            left = mask[base + w]
            place = place + np.int64(bits_set(left))
            skipped = ~left << np.uint64(1)
            for i in range(6):
                odd = skipped ^ (skipped << np.uint64(1))
                odd ^= odd << np.uint64(2)
                odd ^= odd << np.uint64(4)
                odd ^= odd << np.uint64(8)
                odd ^= odd << np.uint64(16)
                odd ^= odd << np.uint64(32)
                move = odd & left
                left = (left ^ move) | (move >> np.uint64(1 << i))
                skipped &= ~odd
                moves[i, w] = move
        for k in range(which.shape[0]):
            plane, target = words[which[k], first + base : first + base + width], out[k]
            for w in range(width):
                bits[w] = plane[w] & mask[base + w]
            for i in range(6):  # word by word, so that the compiler makes vectors of it
                move = moves[i]
                for w in range(width):
                    moved = bits[w] & move[w]
                    bits[w] = (bits[w] ^ moved) | (moved >> np.uint64(1 << i))
            for w in range(width):
                x, at, bit = bits[w], places[w] >> 6, np.uint64(places[w] & 63)
                if not x:  # its place may lie beyond the rows that are kept
                    continue
                target[at] |= x << bit
                rest = (x >> np.uint64(1)) >> (np.uint64(63) - bit)
                if rest:
                    target[at + 1] |= rest
