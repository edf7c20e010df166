"""The loop over rows that counts many candidates at once in one histogram, as vector instructions where it can be."""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic

from engine.counting.loops.calling import checked, parts_of
from engine.counting.loops.code import Code, Routine, Value, Variable, Words, processor

_ROWS = 2048  # rows whose codes are combined at a time, in the first-level cache
_TOGETHER = 1 << 15  # cells of a histogram of several candidates at once: 128 KiB
ROOM = _TOGETHER  # the same, and half of it for sums, in words of 64 bits


@Routine
def histograms(
    code: Code,
    cell: Words,
    rows: Value,
    codes: Words,
    length: Value,
    first: Value,
    arity: Words,
    candidates: Words,
    many: Value,
    tables: Words,
    size: Value,
    room: Words,
) -> None:
    """See `add_histograms`."""
    lanes = 2 * code.lanes
    codes, together, combined = codes + first, room.seen_as(32), room.seen_as(32) + _TOGETHER
    cells = _most(code, cell, rows) + 1
    fits = code.least(_TOGETHER, rows >> 1)
    done = Variable(code, code.word(0))
    with code.loop(0, many) as begin, code.when(begin >= done.now):
        end, combinations = _group(code, begin, many, arity, candidates, cells * arity[candidates[begin]], fits)
        done.now = end
        with code.when(end.differs(begin + 1)):
            code.sweep(combinations, lanes, lambda i, n: together.store(i, code.nothing(32, n), n))
        with code.loop(0, rows, _ROWS) as base:
            width, some, here = code.least(_ROWS, rows - base), cell + base, codes + base
            with code.builder.if_else(end.differs(begin + 1).value) as (several, single):
                with several:

                    def combine(i: Value, n: int) -> None:
                        total = Variable(code, code.nothing(32, n))
                        with code.loop(begin, end) as t:
                            x = candidates[t]
                            total.now = total.now * arity[x].to(32, n) + here.load(x * length + i, n).to(32, n)
                        combined.store(i, total.now * cells.to(32, n) + some.load(i, n), n)

                    code.sweep(width, lanes, combine)
                    with code.loop(0, width) as i:
                        together.add(combined[i].to(64), code.word(1).to(32))
                with single:
                    x = candidates[begin]
                    levels, row, table = arity[x], here + x * length, tables + begin * size
                    with code.loop(0, width) as i:
                        table.add(some[i].to(64) * levels + row[i].to(64), code.word(1))
        with code.when(end.differs(begin + 1)):
            stretch = Variable(code, combinations)
            with code.loop(begin, end) as t:
                levels, table = arity[candidates[t]], tables + t * size
                stretch.now = stretch.now // levels
                with code.loop(0, levels) as level:
                    _sum(code, together, combined, table + level, cells, level, levels, stretch.now, combinations)


def _most(code: Code, cell: Words, rows: Value) -> Value:
    """The largest code."""
    lanes = 2 * code.lanes
    several, one = Variable(code, code.nothing(32, lanes)), Variable(code, code.nothing(32, 1))

    def look(i: Value, n: int) -> None:
        most, here = several if n > 1 else one, cell.load(i, n)
        most.now = (most.now < here).chosen(here, most.now)

    code.sweep(rows, lanes, look)
    for lane in range(lanes):
        here = Value(code, code.builder.extract_element(several.now.value, code.word(lane).value))
        one.now = (one.now < here).chosen(here, one.now)
    return one.now.to(64)


def _group(
    code: Code, begin: Value, many: Value, arity: Words, candidates: Words, alone: Value, fits: Value
) -> tuple[Value, Value]:
    """Up to which candidate, from `begin` on, one histogram holds the combinations of all; and how many these are."""
    end, size = Variable(code, begin + 1), Variable(code, alone)
    with code.loop(begin + 1, many) as t:
        wider = size.now * arity[candidates[t]]
        with code.when((end.now >= t) & (wider < fits)):
            end.now, size.now = t + 1, wider
    return end.now, size.now


def _sum(
    code: Code,
    together: Words,
    sums: Words,
    out: Words,
    cells: Value,
    level: Value,
    levels: Value,
    stretch: Value,
    size: Value,
) -> None:
    """Add to every `levels`-th number of `out` the rows of a cell with one level of one candidate."""

    def add(c: Value, n: int) -> None:
        total = Variable(code, code.nothing(32, n))
        with code.loop(level * stretch, size, levels * stretch) as high, code.loop(high, high + stretch, cells) as low:
            total.now = total.now + together.load(low + c, n)
        sums.store(c, total.now, n)

    code.sweep(cells, 2 * code.lanes, add)
    with code.loop(0, cells) as c:
        out.add(c * levels, sums[c].to(64))


@intrinsic
def add_histograms(_typing_context, cell, codes, first, arity, candidates, tables, room):  # type: ignore[no-untyped-def]
    """Add to `tables[m]` the (cells, s) counts with candidate m of the rows from `first` on.

    A row costs one count whatever it counts, so as many candidates as fit are counted together, by all combinations of
    their levels: the cell is the last part of such a combination, so that the counts of one candidate are sums of
    stretches. It works in `room`, `ROOM` words.
    """
    checked(arity, candidates, tables, room)
    checked(cell, bits=(32,))
    checked(codes, bits=(8, 16, 32))

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        values = [parts_of(context, builder, *one) for one in zip(signature.args, arguments, strict=True)]
        (cell, rows), (codes, length), (first, _), (arity, _), (candidates, many), (tables, size), (room, _) = values
        everything = [cell, rows, codes, length, first, arity, candidates, many, tables, size, room]
        histograms.call(builder, processor(*context.codegen().magic_tuple()), everything)
        return context.get_dummy_value()

    return types.none(cell, codes, types.int64, arity, candidates, tables, room), generate
