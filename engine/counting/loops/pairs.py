"""How many rows any two bit planes share."""

from __future__ import annotations

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from engine.counting.loops.calling import checked, parts_of
from engine.counting.loops.code import Code, Routine, Value, Words, processor
from engine.counting.loops.grid import TALL, count_grid, intersect

_BLOCK = 256  # words of a row block of all planes, which then fit the second-level cache for a few hundred planes
PANEL = _BLOCK + 8
"""Words that a plane takes in the copy of a block."""


@Routine
def pairs(
    code: Code,
    words: Words,
    planes: Value,
    stride: Value,
    first: Value,
    last: Value,
    begin: Value,
    end: Value,
    counts: Words,
    rows: Words,
    panel: Words,
) -> None:
    """See `add_pairs`. Planes of a block are copied side by side, so that they do not push each other out of the caches
    where the length of a plane is a power of two."""
    pitch, panel = code.word(PANEL), code.words((panel.address + 63) & -64)
    copied = code.most(first - 1, 0)
    with code.loop(copied, planes) as i:
        rows[i] = (panel + i * pitch).address
    with code.loop(begin, end, _BLOCK) as base:
        width = code.least(_BLOCK, end - base)
        padded = (width + 7) & -8
        with code.loop(copied, planes) as i:
            row = panel + i * pitch
            code.call(intersect, row, words + (i * stride + base), words + (i * stride + base), width)
            with code.loop(width, padded) as w:
                row[w] = 0
        with code.loop(first, last, TALL) as i:
            begin_at = (i < 1).chosen(i, i - ((planes - i) & 1))  # an even number of rights is faster
            out = counts + ((i - first) * planes + begin_at)
            tall, long = code.least(TALL, last - i), planes - begin_at
            code.call(count_grid, rows + i, tall, rows + begin_at, long, padded, out, planes)


@intrinsic
def add_pairs(_typing_context, words, first, last, begin, end, counts, rows, panel):  # type: ignore[no-untyped-def]
    """Add to `counts[i - first, j]` how many bits plane i and plane j >= i share in the words `begin` to `end`.

    It works in `rows`, a word a plane, and in `panel`, `PANEL` words a plane.
    """
    checked(words, counts, rows, panel)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        given = [parts_of(context, builder, *one) for one in zip(signature.args, arguments, strict=True)]
        (words, stride), *others = given
        shape = context.make_array(signature.args[0])(context, builder, arguments[0]).shape
        planes = cgutils.unpack_tuple(builder, shape, 2)[0]
        values = [words, planes, stride, *(value for value, _ in others)]
        pairs.call(builder, processor(*context.codegen().magic_tuple()), values)
        return context.get_dummy_value()

    number = types.int64
    return types.none(words, number, number, number, number, counts, rows, panel), generate
