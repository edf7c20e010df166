"""A few words to write the compiler's own code in, for the innermost loops over bit planes.

Numba compiles Python slowly and leaves the choice of vectors to the compiler. What is written here is a tenth of the
code, in vectors of the width that the processor has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

from llvmlite import binding, ir
from numba.core import cgutils

_WORD = ir.IntType(64)
_PROBE = """
declare <8 x i64> @llvm.ctpop.v8i64(<8 x i64>)
define <8 x i64> @probe(<8 x i64> %bits) {
  %counts = call <8 x i64> @llvm.ctpop.v8i64(<8 x i64> %bits)
  ret <8 x i64> %counts
}
"""


class Processor(NamedTuple):
    """What code is made for: words in a vector, whether one instruction counts the bits of each, and whether one
    combines three vectors by any table of truth."""

    lanes: int
    counts: bool
    ternary: bool


@lru_cache
def processor(triple: str, name: str, features: str) -> Processor:
    """What the compiler makes of counting bits for a processor: asked of it, so no list of names can be out of date.

    Parameters
    ----------
    triple, name, features : as LLVM names them
    """
    machine = binding.Target.from_triple(triple).create_target_machine(cpu=name, features=features, opt=1)
    code = machine.emit_assembly(binding.parse_assembly(_PROBE))
    if "zmm" in code:
        return Processor(8, "vpopcntq" in code, True)
    if "ymm" in code:
        return Processor(4, "vpopcntq" in code, False)
    return Processor(2, True, False)  # adders gain nothing in vectors of two words


class Value:
    """A word or a vector of words while the code runs; numbers beside it are spread over its places."""

    def __init__(self, code: Code, value: Any) -> None:
        self.code, self.value = code, value

    def _with(self, name: str, other: Any) -> Value:
        return Value(self.code, getattr(self.code.builder, name)(self.value, self.code.like(self.value, other)))

    def __add__(self, other: Any) -> Value:
        return self._with("add", other)

    def __sub__(self, other: Any) -> Value:
        return self._with("sub", other)

    def __mul__(self, other: Any) -> Value:
        return self._with("mul", other)

    def __floordiv__(self, other: Any) -> Value:
        return self._with("udiv", other)

    def __and__(self, other: Any) -> Value:
        return self._with("and_", other)

    def __or__(self, other: Any) -> Value:
        return self._with("or_", other)

    def __xor__(self, other: Any) -> Value:
        return self._with("xor", other)

    def __rshift__(self, other: Any) -> Value:
        return self._with("ashr", other)

    def __lshift__(self, other: Any) -> Value:
        return self._with("shl", other)

    def _compared(self, sign: str, other: Any) -> Value:
        builder = self.code.builder
        return Value(self.code, builder.icmp_signed(sign, self.value, self.code.like(self.value, other)))

    def __lt__(self, other: Any) -> Value:
        return self._compared("<", other)

    def __ge__(self, other: Any) -> Value:
        return self._compared(">=", other)

    def differs(self, other: Any) -> Value:
        return self._compared("!=", other)

    def chosen(self, yes: Any, no: Any) -> Value:
        """One of two, where this is a comparison."""
        yes = yes if isinstance(yes, Value) else Value(self.code, self.code.like(no.value, yes))
        return Value(self.code, self.code.builder.select(self.value, yes.value, self.code.like(yes.value, no)))

    def to(self, bits: int, lanes: int = 1) -> Value:
        """The same numbers in so many bits, none below zero; one number in every place of a vector of `lanes`."""
        builder, value = self.code.builder, self.value
        many = value.type.count if isinstance(value.type, ir.VectorType) else 1
        now = value.type.element if many > 1 else value.type
        kind = ir.IntType(bits) if many == 1 else ir.VectorType(ir.IntType(bits), many)
        if now.width != bits:
            value = builder.zext(value, kind) if now.width < bits else builder.trunc(value, kind)
        found = Value(self.code, value)
        return found if lanes == many else self.code.spread(found, lanes)


class Variable:
    """A place for a value that changes."""

    def __init__(self, code: Code, start: Value) -> None:
        self.code = code
        self.place = cgutils.alloca_once(code.builder, start.value.type)
        self.now = start

    @property
    def now(self) -> Value:
        return Value(self.code, self.code.builder.load(self.place))

    @now.setter
    def now(self, value: Value) -> None:
        self.code.builder.store(value.value, self.place)


class Words:
    """Words in memory from an address on, or smaller numbers."""

    def __init__(self, code: Code, pointer: Any) -> None:
        self.code, self.pointer, self.kind = code, pointer, pointer.type.pointee

    def _place(self, index: Any, lanes: int) -> Any:
        builder = self.code.builder
        place = builder.gep(self.pointer, [self.code.word(index).value])
        return place if lanes == 1 else builder.bitcast(place, ir.VectorType(self.kind, lanes).as_pointer())

    def load(self, index: Any, lanes: int = 1) -> Value:
        return Value(self.code, self.code.builder.load(self._place(index, lanes), align=self.kind.width // 8))

    def store(self, index: Any, value: Any, lanes: int = 1) -> None:
        value = value if isinstance(value, Value) else Value(self.code, ir.Constant(self.kind, value))
        self.code.builder.store(value.value, self._place(index, lanes), align=self.kind.width // 8)

    def add(self, index: Any, value: Value, lanes: int = 1) -> None:
        self.store(index, self.load(index, lanes) + value, lanes)

    def __getitem__(self, index: Any) -> Value:
        return self.load(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.store(index, value)

    def __add__(self, index: Any) -> Words:
        return Words(self.code, self._place(index, 1))

    def seen_as(self, bits: int) -> Words:
        """The same memory, as numbers of so many bits."""
        return Words(self.code, self.code.builder.bitcast(self.pointer, ir.IntType(bits).as_pointer()))

    @property
    def address(self) -> Value:
        return Value(self.code, self.code.builder.ptrtoint(self.pointer, _WORD))


class Code:
    """One function while it is written.

    Parameters
    ----------
    builder : at its beginning
    made_for : the processor
    """

    def __init__(self, builder: ir.IRBuilder, made_for: Processor) -> None:
        self.builder = builder
        self.made_for = made_for
        self.lanes, self.counts, self.ternary = made_for
        self.vector = ir.VectorType(_WORD, self.lanes)

    def like(self, value: Any, other: Any) -> Any:
        """Another operand for a value."""
        if isinstance(other, Value):
            return other.value
        return ir.Constant(value.type, [other] * value.type.count if isinstance(value.type, ir.VectorType) else other)

    def word(self, value: Any) -> Value:
        return value if isinstance(value, Value) else Value(self, ir.Constant(_WORD, value))

    def nothing(self, bits: int = 64, lanes: int | None = None) -> Value:
        """A vector of zeros, or a zero."""
        lanes, kind = lanes or self.lanes, ir.IntType(bits)
        return Value(self, ir.Constant(ir.VectorType(kind, lanes), [0] * lanes) if lanes > 1 else ir.Constant(kind, 0))

    def spread(self, number: Value, lanes: int) -> Value:
        """A number in every place of a vector."""
        nothing = ir.Constant(ir.VectorType(number.value.type, lanes), ir.Undefined)
        first = Value(self, self.builder.insert_element(nothing, number.value, self.word(0).value))
        return self.shuffled(first, first, [0] * lanes)

    def words(self, address: Value) -> Words:
        return Words(self, self.builder.inttoptr(address.value, _WORD.as_pointer()))

    def least(self, a: Any, b: Any) -> Value:
        a, b = self.word(a), self.word(b)
        return (a < b).chosen(a, b)

    def most(self, a: Any, b: Any) -> Value:
        a, b = self.word(a), self.word(b)
        return (a < b).chosen(b, a)

    @contextmanager
    def loop(self, start: Any, stop: Any, step: Any = 1) -> Iterator[Value]:
        """`for index in range(start, stop, step)`."""
        index = Variable(self, self.word(start))
        head, inside, after = (self.builder.append_basic_block(name) for name in ("head", "inside", "after"))
        self.builder.branch(head)
        self.builder.position_at_end(head)
        now = index.now
        self.builder.cbranch((now < stop).value, inside, after)
        self.builder.position_at_end(inside)
        yield now
        index.now = now + step
        self.builder.branch(head)
        self.builder.position_at_end(after)

    def sweep(self, width: Value, lanes: int, body: Callable[[Value, int], None]) -> None:
        """`body(index, lanes)` for a row of numbers: vectors of them, then single ones (`lanes` is 1)."""
        done = Variable(self, self.word(0))
        with self.loop(0, width - (lanes - 1), lanes) as index:
            body(index, lanes)
            done.now = index + lanes
        with self.loop(done.now, width) as index:
            body(index, 1)

    def when(self, condition: Value) -> Any:
        """`if condition:`, in a with."""
        return self.builder.if_then(condition.value)

    def population(self, value: Value) -> Value:
        """How many bits of every word are set."""
        kind = value.value.type
        suffix = "i64" if kind is _WORD else f"v{kind.count}i64"
        return self._call(f"llvm.ctpop.{suffix}", kind, value)

    def truth(self, table: int, a: Value, b: Value, c: Value) -> Value:
        """One instruction for any function of three bits."""
        kind = ir.FunctionType(self.vector, [self.vector] * 3 + [ir.IntType(32)])
        function = cgutils.get_or_insert_function(self.builder.module, kind, "llvm.x86.avx512.pternlog.q.512")
        operands = [a.value, b.value, c.value, ir.Constant(ir.IntType(32), table)]
        return Value(self, self.builder.call(function, operands))

    def _call(self, name: str, kind: Any, *values: Value) -> Value:
        function_kind = ir.FunctionType(kind, [value.value.type for value in values])
        function = cgutils.get_or_insert_function(self.builder.module, function_kind, name)
        return Value(self, self.builder.call(function, [value.value for value in values]))

    def call(self, routine: Routine, *arguments: Any) -> Value:
        """Call another routine."""
        values = [one.pointer if isinstance(one, Words) else self.word(one).value for one in arguments]
        return Value(self, routine.call(self.builder, self.made_for, values))

    def shuffled(self, a: Value, b: Value, which: Sequence[int] | range) -> Value:
        """The elements of two vectors side by side that stand in these places."""
        mask = ir.Constant(ir.VectorType(ir.IntType(32), len(which)), list(which))
        return Value(self, self.builder.shuffle_vector(a.value, b.value, mask))


class Routine:
    """A function of the compiler's own, written once into every module that calls it, for every kind of arguments.

    Parameters
    ----------
    write : writes it, from a `Code` and its arguments: a `Words` for memory, a `Value` for a number; gives its result
    """

    def __init__(self, write: Callable[..., Value | None]) -> None:
        self.write = write

    def call(self, builder: ir.IRBuilder, made_for: Processor, arguments: Sequence[Any]) -> Any:
        """Call it where a builder stands.

        Parameters
        ----------
        builder, made_for : what writes the caller, and the processor
        arguments : values and pointers of the compiler

        Returns
        -------
        its result, a word
        """
        kinds = [one.type for one in arguments]
        marks = [str(kind.pointee) if kind.is_pointer else "n" for kind in kinds]
        name = f"diptych_{self.write.__name__}_{'_'.join(marks)}"
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_WORD, kinds), name)
        if function.is_declaration:
            function.linkage = "internal"
            function.attributes.add("noinline")
            code = Code(ir.IRBuilder(function.append_basic_block("entry")), made_for)
            given = [Words(code, one) if one.type.is_pointer else Value(code, one) for one in function.args]
            code.builder.ret((self.write(code, *given) or code.word(0)).value)
        return builder.call(function, arguments)
