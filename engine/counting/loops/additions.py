"""Counts of one family with every candidate parent, from bit planes."""

from __future__ import annotations

from typing import NamedTuple

from numba import types
from numba.extending import intrinsic

from engine.counting.loops.calling import checked, parts_of
from engine.counting.loops.code import Code, Routine, Value, Variable, Words, processor
from engine.counting.loops.grid import TALL, count_grid, counted, intersect, reduce, sums

_BUFFER = 32768  # words that the planes of a row block may fill: 256 KiB, inside the second-level cache
_BLOCK = 512  # most words of a row block
_NEAR = 4096  # words of planes that are kept in the first-level cache


class _Sizes(NamedTuple):
    many: Value  # variables of the family: parents, and the child where there is one
    cells: Value  # combinations of their levels
    block: Value  # words of a row block
    columns: Value  # planes of the candidates and once or twice that of every row, which makes them even
    total: Value  # words of room


def _sizes(
    code: Code, arity: Words, parents: Words, n_parents: Value, child: Value, candidates: Words, n: Value, long: Value
) -> _Sizes:
    cells, stored, columns = (Variable(code, code.word(1)) for _ in range(3))
    many = (child < 0).chosen(n_parents, n_parents + 1)
    with code.loop(0, many) as i:
        levels = arity[_member(code, i, parents, n_parents, child)]
        cells.now = cells.now * levels
        stored.now = stored.now + levels - 1
    with code.loop(0, n) as m:
        columns.now = columns.now + arity[candidates[m]] - 1
    columns.now = (columns.now + 1) & -2
    made = code.most(cells.now - stored.now + 1, 1)  # one of them the plane of every row
    block = code.least(long, code.least(_BLOCK, code.most(code.word(_BUFFER) // made, 64)))
    total = many + cells.now + columns.now + cells.now * columns.now + (made + 1) * block + 8
    return _Sizes(many, cells.now, block, columns.now, total)


def _member(code: Code, i: Value, parents: Words, n_parents: Value, child: Value) -> Value:
    """The i-th variable of a family, the child last."""
    found = Variable(code, child)
    with code.when(i < n_parents):
        found.now = parents[i]
    return found.now


@Routine
def room_of_additions(
    code: Code, arity: Words, parents: Words, n_parents: Value, child: Value, candidates: Words, n: Value, long: Value
) -> Value:
    """How many words `additions` works in for `long` words of a plane."""
    return _sizes(code, arity, parents, n_parents, child, candidates, n, long).total


@Routine
def additions(
    code: Code,
    words: Words,
    stride: Value,
    starts: Words,
    arity: Words,
    parents: Words,
    n_parents: Value,
    child: Value,
    candidates: Words,
    n_candidates: Value,
    n_rows: Value,
    first: Value,
    last: Value,
    tables: Words,
    width_of_tables: Value,
    room: Words,
) -> None:
    """See `add_planes`."""
    sizes = _sizes(code, arity, parents, n_parents, child, candidates, n_candidates, last - first)
    many, cells, block, columns, _ = sizes
    family = room
    rows = family + many  # the addresses of the planes of cells, then of candidates
    found = rows + cells + columns
    planes = code.words(((found + cells * columns).address + 63) & -64)
    everything = planes.address
    with code.loop(0, many) as i:
        family[i] = _member(code, i, parents, n_parents, child)
    with code.loop(0, cells * columns) as i:
        found[i] = 0
    with code.loop(0, block) as w:
        planes[w] = -1
    with code.loop(first, last, block) as base:
        width = code.least(block, last - base)
        with code.loop(code.most((n_rows >> 6) - base, 0), width) as w:  # words that rows end in or before
            left = n_rows - ((base + w) << 6)
            planes[w] = (left < 1).chosen(0, (code.word(1) << (left & 63)) - 1)
        here = words + base
        count, free = Variable(code, code.word(1)), Variable(code, everything + (block << 3))
        rows[0] = everything
        with code.loop(0, many) as i:
            levels, start = arity[family[i]], starts[family[i]]
            with code.loop(0, count.now) as behind:
                j = count.now - 1 - behind
                whole = rows[j]
                with code.loop(0, levels - 1) as level:
                    plane = here + (start + level) * stride
                    place = Variable(code, plane.address)
                    with code.when(whole.differs(everything)):
                        code.call(intersect, code.words(free.now), code.words(whole), plane, width)
                        place.now = free.now
                        free.now = free.now + (block << 3)
                    rows[j * levels + level] = place.now
                rows[j * levels + levels - 1] = whole
            count.now = count.now * levels
        _columns(code, here, stride, starts, arity, candidates, n_candidates, rows + cells, everything)
        rows[cells + columns - 1] = everything
        tile = code.most(TALL, code.word(_NEAR) // width)
        with code.loop(0, cells, tile) as j:
            n_left = code.least(tile, cells - j)
            code.call(count_grid, rows + j, n_left, rows + cells, columns, width, found + j * columns, columns)
    inner = Variable(code, columns)
    with code.loop(0, many) as behind:
        levels = arity[family[many - 1 - behind]]
        with code.loop(0, cells * columns, inner.now * levels) as top:
            rest = found + top + (levels - 1) * inner.now
            with code.loop(0, levels - 1) as level:
                code.call(reduce, rest, found + top + level * inner.now, inner.now)
        inner.now = inner.now * levels
    column = Variable(code, code.word(0))
    with code.loop(0, n_candidates) as m:
        levels, table = arity[candidates[m]], tables + m * width_of_tables
        with code.loop(0, cells) as c:
            counts, to = found + c * columns, table + c * levels
            unseen = Variable(code, counts[columns - 1])
            with code.loop(0, levels - 1) as level:
                shared = counts[column.now + level]
                to.add(level, shared)
                unseen.now = unseen.now - shared
            to.add(levels - 1, unseen.now)
        column.now = column.now + levels - 1


def _columns(
    code: Code,
    here: Words,
    stride: Value,
    starts: Words,
    arity: Words,
    candidates: Words,
    n: Value,
    out: Words,
    everything: Value,
) -> None:
    """Write the addresses of the planes of all candidates, and that of every row behind them."""
    at = Variable(code, code.word(0))
    with code.loop(0, n) as m:
        start = starts[candidates[m]]
        with code.loop(0, arity[candidates[m]] - 1) as level:
            out[at.now] = (here + (start + level) * stride).address
            at.now = at.now + 1
    out[at.now] = everything


@Routine
def three(code: Code, a: Words, b: Words, c: Words, width: Value, out: Words) -> None:
    """Add to `out` how many bits are set in each two of a, b, c and in all three; a vector of words or more."""

    def look(word: Value) -> list[Value]:
        x, y, z = (row.load(word, code.lanes) for row in (a, b, c))
        return [x & y, x & z, y & z, x & y & z]

    found = counted(code, look, 4, width)
    for k in range(0, 4, 2):
        out.add(k, sums(code, found[k], found[k + 1]), 2)


@Routine
def alone(code: Code, a: Words, width: Value, out: Words) -> None:
    """Add to `out` how many bits are set in a; a vector of words or more."""
    (found,) = counted(code, lambda word: [a.load(word, code.lanes)], 1, width)
    out.add(0, sums(code, found, code.nothing()), 2)


@intrinsic
def room_of_planes(_typing_context, arity, parents, child, candidates, long):  # type: ignore[no-untyped-def]
    """How many words `add_planes` needs to work in, for `long` words of a plane."""
    checked(arity, parents, candidates)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        (arity, _), (parents, n_parents), (child, _), (candidates, n), (long, _) = (
            parts_of(context, builder, *one) for one in zip(signature.args, arguments, strict=True)
        )
        made_for = processor(*context.codegen().magic_tuple())
        return room_of_additions.call(builder, made_for, [arity, parents, n_parents, child, candidates, n, long])

    return types.int64(arity, parents, types.int64, candidates, types.int64), generate


@intrinsic
def add_planes(  # type: ignore[no-untyped-def]
    _typing_context, words, starts, arity, child, parents, candidates, n_rows, first, last, tables, room
):
    """Add to `tables[m]` the (q, r, s) counts with candidate m in the words `first` to `last`, in one pass.

    Without a child, where that is below 0, the (q, s) counts. The planes of all combinations of levels that are stored
    (no level, which holds for every row, among them: it stands where the last level stands) are counted with every
    plane of every candidate; what the others leave is the last level's.
    """
    checked(words, starts, arity, parents, candidates, tables, room)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        given = [parts_of(context, builder, *one) for one in zip(signature.args, arguments, strict=True)]
        (words, stride), (starts, _), (arity, _), (child, _), (parents, n_parents), *others = given
        (candidates, many), (n_rows, _), (first, _), (last, _), (tables, width), (room, _) = others
        family = [parents, n_parents, child, candidates, many]
        values = [words, stride, starts, arity, *family, n_rows, first, last, tables, width, room]
        additions.call(builder, processor(*context.codegen().magic_tuple()), values)
        return context.get_dummy_value()

    number = types.int64
    kinds = (words, starts, arity, number, parents, candidates, number, number, number, tables, room)
    return types.none(*kinds), generate


@intrinsic
def count_three(_typing_context, words, x, y, z, first, last, found):  # type: ignore[no-untyped-def]
    """Add to `found` (4,) how many bits planes x and y, x and z, y and z, and all three share in `first` to `last`.

    At least eight words.
    """
    checked(words, found)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        given = [parts_of(context, builder, *one) for one in zip(signature.args, arguments, strict=True)]
        (words, stride), *planes, (first, _), (last, _), (found, _) = given
        rows = [builder.gep(words, [builder.add(builder.mul(plane, stride), first)]) for plane, _ in planes]
        made_for = processor(*context.codegen().magic_tuple())
        three.call(builder, made_for, [*rows, builder.sub(last, first), found])
        return context.get_dummy_value()

    number = types.int64
    return types.none(words, number, number, number, number, number, found), generate


@intrinsic
def count_plane(_typing_context, words, x, first, last, found):  # type: ignore[no-untyped-def]
    """Add to `found` (2,) how many bits of plane x are set in the words `first` to `last`, at least eight; and 0."""
    checked(words, found)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        given = [parts_of(context, builder, *one) for one in zip(signature.args, arguments, strict=True)]
        (words, stride), (plane, _), (first, _), (last, _), (found, _) = given
        row = builder.gep(words, [builder.add(builder.mul(plane, stride), first)])
        made_for = processor(*context.codegen().magic_tuple())
        alone.call(builder, made_for, [row, builder.sub(last, first), found])
        return context.get_dummy_value()

    number = types.int64
    return types.none(words, number, number, number, found), generate
