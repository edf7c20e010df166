"""Digests of rows, the same wherever the rows are kept.

A table is cut every `ROWS` rows, and each piece has a digest of its own: XXH3 with 128 bits (package `xxhash`) of its
variables in order, of bit planes or, where a variable has many levels, of its codes, whichever is less.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from xxhash import xxh3_128

if TYPE_CHECKING:
    from engine.data.store import Block

ROWS = 1 << 16
"""Rows a digest stands for; every block of a store but the last holds a multiple of them."""

_MOST_PLANES = 8
"""More planes than this are more bits than a code has."""


def fingerprint(data: Any) -> str:
    """See `CodedTable.fingerprint`."""
    result = xxh3_128(_schema(data))
    result.update(data.store.digests())
    result.update(_steps(data))
    return result.hexdigest()


def _schema(data: Any) -> bytes:
    schema = {
        "names": data.names,
        "levels": [data.levels[name] for name in data.names],
        "kinds": [data.kinds[name] for name in data.names],
        "cuts": {name: list(data.cuts[name]) for name in sorted(data.cuts)},
        "shape": (len(data.names), data.store.n_rows),
    }
    if data.roles:  # without roles the digest stays what it was before there were any
        schema["roles"] = dict(sorted(data.roles.items()))
    return json.dumps(schema, ensure_ascii=True).encode()


def _steps(data: Any) -> bytes:
    """Whose row each is, where that is known."""
    if data.subjects is not None:
        return bytes(data.subjects.digest)
    if data.steps is None:
        return b"in stretches" if data.in_stretches else b""
    steps = data.steps
    result = json.dumps(steps.subjects).encode() + steps.subject.tobytes() + steps.step.tobytes()
    # rows whose subject is known and whose time is not belong to a subject and to no series
    return result if np.array_equal(steps.owner, steps.subject) else result + steps.owner.tobytes()


def block_digests(block: Block) -> bytes:
    """The digests of the rows of a whole block."""
    levels = block.arity.tolist()
    packed = any(2 <= r <= _MOST_PLANES + 1 for r in levels)
    words = block.words if packed else None
    starts = block.starts.tolist() if packed else []
    result = []
    for begin in range(0, block.n_rows, ROWS):
        end = min(begin + ROWS, block.n_rows)
        item = xxh3_128()
        for x, r in enumerate(levels):
            if r > _MOST_PLANES + 1:
                item.update(_plain(block.codes([x], begin, end), r))
            elif words is not None:
                for plane in range(starts[x], starts[x] + r - 1):
                    item.update(words[plane, begin // 64 : -(-end // 64)].data)
        result.append(item.digest())
    return b"".join(result)


def _plain(codes: np.ndarray, levels: int) -> bytes:
    """Codes in the smallest type for this variable alone, little-endian."""
    kind = "<u1" if levels <= 256 else "<u2" if levels <= 65536 else "<u4"
    return codes.astype(kind, copy=False).tobytes()
