"""What the compiler says of processors, and the small language that loops are written in."""

from __future__ import annotations

import platform

import numpy as np
import pytest
from numba import njit, types
from numba.extending import intrinsic

from engine.counting.loops.calling import checked, parts_of
from engine.counting.loops.code import Code, Processor, Routine, Value, Variable, Words, processor


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="names of x86 processors")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nehalem", Processor(2, counts=True, ternary=False)),
        ("haswell", Processor(4, counts=False, ternary=False)),
        ("znver3", Processor(4, counts=False, ternary=False)),
        ("skylake-avx512", Processor(8, counts=False, ternary=True)),
        ("icelake-server", Processor(8, counts=True, ternary=True)),
        ("znver4", Processor(8, counts=True, ternary=True)),
    ],
)
def test_the_compiler_knows_its_processors(name: str, expected: Processor) -> None:
    """Vectors are as wide as the processor has them, and adders are only for those that cannot count."""
    assert processor("x86_64-unknown-linux-gnu", name, "+popcnt") == expected


def test_a_feature_that_is_taken_away_counts() -> None:
    """A virtual machine may hide an instruction: the features say more than the name."""
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("names of x86 processors")
    assert not processor("x86_64-unknown-linux-gnu", "znver4", "-avx512vpopcntdq").counts


@Routine
def _collatz(code: Code, given: Words, n: Value, out: Words) -> Value:
    """Steps of each number down to 1; gives how many numbers took more than ten."""
    many = Variable(code, code.word(0))
    with code.loop(0, n) as i:
        number, steps = Variable(code, given[i]), Variable(code, code.word(0))
        with code.loop(0, 1000):
            odd = number.now & 1
            with code.when(number.now.differs(1)):
                number.now = odd.differs(0).chosen(number.now * 3 + 1, number.now // 2)
                steps.now = steps.now + 1
        out[i] = steps.now
        with code.when(steps.now >= 11):
            many.now = many.now + 1
    return many.now


@intrinsic
def _collatz_call(_context, given, out):  # type: ignore[no-untyped-def]
    checked(given, out)

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        (given, n), (out, _) = (parts_of(context, builder, *one) for one in zip(signature.args, arguments, strict=True))
        return _collatz.call(builder, Processor(2, counts=True, ternary=False), [given, n, out])

    return types.int64(given, out), generate


def test_loops_conditions_and_variables_do_what_python_does() -> None:
    """A function with nested loops, against the same in Python."""
    given = np.arange(1, 40)
    out = np.zeros(39, dtype=np.int64)
    many = njit(lambda a, b: _collatz_call(a, b))(given, out)

    def steps(n: int) -> int:
        return 0 if n == 1 else 1 + steps(3 * n + 1 if n % 2 else n // 2)

    slow = [steps(int(n)) for n in given]
    assert out.tolist() == slow
    assert many == sum(n > 10 for n in slow)


def test_arrays_with_gaps_are_refused() -> None:
    """An address says nothing of strides: such an array is an error of types, not of memory."""
    with pytest.raises(Exception, match="without gaps"):
        njit(lambda a, b: _collatz_call(a, b))(np.arange(20)[::2], np.zeros(10, np.int64))
    with pytest.raises(Exception, match="without gaps"):
        njit(lambda a, b: _collatz_call(a, b))(np.arange(10, dtype=np.int32), np.zeros(10, np.int64))
