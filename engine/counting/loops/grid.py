"""How many bits rows of words share: every row of one list with every row of another.

A processor counts the bits of a whole vector by one instruction, or it does not. Where it does, every AND of two rows
is counted. Where it does not, eight ANDs are first added up place by place (seven full adders, "carry-save": Harley
and Seal; Mula, Kurz & Lemire 2018), and only the eights are counted. Both give the same counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from engine.counting.loops.code import Code, Routine, Value, Variable, Words

TALL = 4
"""Rows that are counted with two others at once."""


def _adder(code: Code, a: Value, b: Value, c: Value) -> tuple[Value, Value]:
    """Sum and carry of three bits, in every place."""
    if code.ternary:
        return code.truth(0x96, a, b, c), code.truth(0xE8, a, b, c)
    half = b ^ c
    return a ^ half, (b & c) | (a & half)


def counted(code: Code, look: Callable[[Value], Sequence[Value]], many: int, width: Value) -> list[Value]:
    """Vectors that add up to how many bits are set in each of several rows of `width` words, a vector or more.

    Parameters
    ----------
    code : what writes it
    look : gives the rows' vectors from a word on
    many : rows
    width : words of a row
    """
    lanes = code.lanes
    totals = [Variable(code, code.nothing()) for _ in range(many)]
    done = Variable(code, code.word(0))
    if not code.counts:
        sums = [[Variable(code, code.nothing()) for _ in range(3)] for _ in range(many)]
        with code.loop(0, width - (8 * lanes - 1), 8 * lanes) as base:
            bits = [look(base + k * lanes) for k in range(8)]
            for row, total in enumerate(totals):
                _add_eight(code, sums[row], total, [one[row] for one in bits])
            done.now = base + 8 * lanes
        for some, total in zip(sums, totals, strict=True):
            total.now = total.now << 3
            for shift, one in enumerate(some):
                total.now = total.now + (code.population(one.now) << shift)
    with code.loop(done.now, width - (lanes - 1), lanes) as base:
        for total, found in zip(totals, look(base), strict=True):
            total.now = total.now + code.population(found)
        done.now = base + lanes
    with code.when(done.now < width):  # the last whole vector again, without the words that were counted
        places = Value(code, ir.Constant(code.vector, list(range(lanes))))
        fresh = places >= code.spread(code.word(lanes) - (width - done.now), lanes)
        for total, found in zip(totals, look(width - lanes), strict=True):
            total.now = total.now + code.population(fresh.chosen(found, code.nothing()))
    return [total.now for total in totals]


def _add_eight(code: Code, sums: list[Variable], total: Variable, bits: list[Value]) -> None:
    """Eight vectors more for the ones, twos and fours, and for the count of the eights."""
    for some in sums:
        now, carries = some.now, []
        for k in range(0, len(bits), 2):
            now, carry = _adder(code, now, bits[k], bits[k + 1])
            carries.append(carry)
        some.now, bits = now, carries
    total.now = total.now + code.population(bits[0])


def sums(code: Code, x: Value, y: Value) -> Value:
    """(sum of x, sum of y): both are added up side by side."""
    n = code.lanes
    first, second = ([i + j for i in range(0, n, 2) for j in (k, n + k)] for k in (0, 1))
    total = code.shuffled(x, y, first) + code.shuffled(x, y, second)
    while n > 2:
        n //= 2
        total = code.shuffled(total, total, range(n)) + code.shuffled(total, total, range(n, 2 * n))
    return total


@Routine
def count_grid(
    code: Code, lefts: Words, n_left: Value, rights: Words, n_right: Value, width: Value, out: Words, step: Value
) -> None:
    """Add to `out[i * step + j]` how many bits of `width` words the rows at `lefts[i]` and `rights[j]` share.

    An even number of rights is faster by far than an odd one.
    """
    few = width < code.lanes

    def wide(i: Value, many: int, j: Value) -> None:
        a, b = ([code.words(rows[at + k]) for k in range(n)] for rows, at, n in ((lefts, i, many), (rights, j, 2)))

        def look(word: Value) -> list[Value]:
            x, y = ([row.load(word, code.lanes) for row in rows] for rows in (a, b))
            return [left & right for left in x for right in y]

        found = counted(code, look, 2 * many, width)
        for k in range(many):
            out.add((i + k) * step + j, sums(code, found[2 * k], found[2 * k + 1]), 2)

    done = Variable(code, few.chosen(n_right, code.word(0)))
    with code.loop(done.now, n_right - 1, 2) as j:
        beyond = Variable(code, code.word(0))
        for tall in (TALL, TALL // 2) if code.counts else ():
            with code.loop(beyond.now, n_left - (tall - 1), tall) as i:
                wide(i, tall, j)
                beyond.now = i + tall
        with code.loop(beyond.now, n_left) as i:
            wide(i, 1, j)
        done.now = j + 2
    with code.loop(few.chosen(code.word(0), done.now), n_right) as j, code.loop(0, n_left) as i:
        a, b, total = code.words(lefts[i]), code.words(rights[j]), Variable(code, code.word(0))
        with code.loop(0, width) as w:
            total.now = total.now + code.population(a[w] & b[w])
        out.add(i * step + j, total.now)


def _combined(code: Code, out: Words, a: Words, b: Words, width: Value, how: Callable[[Value, Value], Value]) -> None:
    """out = how(a, b), word by word."""
    code.sweep(width, code.lanes, lambda w, n: out.store(w, how(a.load(w, n), b.load(w, n)), n))


@Routine
def intersect(code: Code, out: Words, a: Words, b: Words, width: Value) -> None:
    """The words that are in both of two rows."""
    _combined(code, out, a, b, width, lambda x, y: x & y)


@Routine
def reduce(code: Code, out: Words, a: Words, width: Value) -> None:
    """Take the numbers of one row from those of another."""
    _combined(code, out, out, a, width, lambda x, y: x - y)
