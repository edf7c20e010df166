"""The small changes that can be made to a file, found by walking its syntax tree.

What is never changed, since no test should notice it: docstrings, annotations, decorators, sentences, the arguments of
an error that is raised, what is reported as progress, and imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARE: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">"),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<"),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
}
_BINARY: dict[type[ast.operator], tuple[str, ...]] = {
    ast.Add: ("-",),
    ast.Sub: ("+",),
    ast.Mult: ("+", "/"),
    ast.Div: ("*",),
    ast.FloorDiv: ("*",),
    ast.Mod: ("//",),
    ast.BitAnd: ("|",),
    ast.BitOr: ("&",),
    ast.LShift: (">>",),
    ast.RShift: ("<<",),
    ast.Pow: ("*",),
}
_SWAPPED = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "minimum": "maximum",
    "maximum": "minimum",
    "argmin": "argmax",
    "argmax": "argmin",
    "ceil": "floor",
    "floor": "ceil",
    "log1p": "log",
    "zeros": "ones",
    "sorted": "list",
    "nanmax": "nanmin",
    "nanmin": "nanmax",
    "flatnonzero": "asarray",
    "abs": "float",
    "issubset": "issuperset",
}
_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Pow: "**",
}


@dataclass(frozen=True)
class Change:
    """One small change: the bytes from `start` to `end` of a file become `text`.

    Attributes
    ----------
    path : of the file, from the root of the project
    place : the function it is in, with its classes
    line : of the file, from 1
    told : what it was and what it became, for people
    nth : which of several equal changes of that place, from 1
    """

    path: str
    place: str
    line: int
    told: str
    nth: int
    start: int
    end: int
    text: str

    @property
    def name(self) -> str:
        """The change without its line, so that it stays the same while other code moves."""
        again = f" #{self.nth}" if self.nth > 1 else ""
        return f"{self.path}::{self.place}: {self.told}{again}"

    def applied(self, source: bytes) -> bytes:
        """The file with this change made."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def changes(path: str, source: bytes) -> list[Change]:
    """Every change that can be made to a file, in the order of its lines."""
    walker = _Walker(path, source)
    walker.visit(ast.parse(source))
    return walker.found


class _Walker(ast.NodeVisitor):
    """Notes the changes of every node that it meets; what it does not visit stays as it is."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.found: list[Change] = []
        self.places: list[str] = []
        self.lines = [0]
        for line in source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.lines[node.lineno - 1] + node.col_offset, self.lines[node.end_lineno - 1] + node.end_col_offset

    def code(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def note(self, node: ast.expr | ast.stmt, text: str) -> None:
        start, end = self.span(node)
        told = f"{_short(self.code(node))} -> {_short(text)}"
        place = ".".join(self.places) or "(module)"
        nth = 1 + sum(other.place == place and other.told == told for other in self.found)
        self.found.append(Change(self.path, place, node.lineno, told, nth, start, end, text))

    def between(self, node: ast.expr, left: ast.expr, right: ast.expr, sign: str) -> None:
        """Replace the operator between two operands, keeping their text and any brackets around them."""
        start, end = self.span(node)
        (_, a), (b, _) = self.span(left), self.span(right)
        gap = self.source[a:b].decode()
        old = gap.strip(" ()\\\n\t")
        if gap.count(old) != 1 or "#" in gap:
            return
        text = self.source[start:a].decode() + gap.replace(old, sign) + self.source[b:end].decode()
        self.note(node, text)

    def inside(self, node: ast.AST, name: str) -> None:
        self.places.append(name)
        self.generic_visit(node)
        self.places.pop()

    # what is left alone

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.places.append(node.name)
        for statement in _without_docstring(node.body):
            self.visit(statement)
        self.places.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.places.append(node.name)
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)
        for statement in _without_docstring(node.body):
            self.visit(statement)
        self.places.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """The sentence of an error is not changed; that it is raised hangs on a condition, which is."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Sentences are not changed."""

    def visit_keyword(self, node: ast.keyword) -> None:
        """`strict=True` is an assertion of ours about lengths, `stops` where a slider may stand."""
        if node.arg not in ("strict", "stops"):
            self.visit(node.value)

    def visit_Import(self, node: ast.Import) -> None:
        """Imports are not changed."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Imports are not changed."""

    # what is changed

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        if not isinstance(node.test, ast.Compare):
            self.note(node.test, f"not ({self.code(node.test)})")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, sign, right in zip(operands, node.ops, operands[1:], strict=False):
            for other in _COMPARE[type(sign)]:
                self.between(node, left, right, other)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.between(node, left, right, "or" if isinstance(node.op, ast.And) else "and")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.BitOr) and _is_type(node):
            return
        words = any(isinstance(side, ast.JoinedStr) or _is_text(side) for side in (node.left, node.right))
        for other in () if words else _BINARY.get(type(node.op), ()):
            self.between(node, node.left, node.right, other)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        start, end = self.span(node)
        _, a = self.span(node.target)
        b, _ = self.span(node.value)
        if type(node.op) in _SIGNS and not (_is_text(node.value) or isinstance(node.value, ast.JoinedStr)):
            self.note(node, "pass")
            for other in _BINARY[type(node.op)][:1]:
                self.note(node, self.source[start:a].decode() + f" {other}= " + self.source[b:end].decode())
        self.visit(node.value)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            self.note(node, f"({self.code(node.operand)})")
        if not isinstance(node.operand, ast.Constant):
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.note(node, str(not node.value))
        elif isinstance(node.value, int):
            self.note(node, str(node.value + 1))
            if node.value > 1:
                self.note(node, str(node.value - 1))
        elif isinstance(node.value, float):
            self.note(node, repr(node.value * 2 if node.value else 1.0))

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and not _is_progress(node.value):
            self.note(node, "pass")
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if any(isinstance(target, ast.Subscript) for target in node.targets):
            self.note(node, "pass")
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.note(node, "break")

    def visit_Break(self, node: ast.Break) -> None:
        self.note(node, "pass")

    def visit_Call(self, node: ast.Call) -> None:
        if _is_progress(node):
            return
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in _SWAPPED:
            start, end = self.span(node.func)
            before = self.source[start : end - len(name)].decode()
            self.note(node.func, before + _SWAPPED[name])
        self._swap_arguments(node, name)
        self.generic_visit(node)

    def _swap_arguments(self, node: ast.Call, name: str) -> None:
        """The first two arguments of a call of ours change places."""
        if len(node.args) < 2 or any(isinstance(one, ast.Starred) for one in node.args[:2]):
            return
        if name in _SYMMETRIC or any(isinstance(one, ast.JoinedStr) or _is_text(one) for one in node.args[:2]):
            return
        first, second = node.args[:2]
        (start, end), (a, b), (c, d) = self.span(node), self.span(first), self.span(second)
        parts = self.source[start:a], self.source[c:d], self.source[b:c], self.source[a:b], self.source[d:end]
        self.note(node, b"".join(parts).decode())


_SYMMETRIC = {
    "min", "max", "minimum", "maximum", "isinstance", "logaddexp", "allclose", "setdefault", "getattr", "zip", "cast",
    "gcd", "union",
}  # fmt: skip


def _without_docstring(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    yield from (one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _is_type(node: ast.BinOp) -> bool:
    """`int | None`, which is a type and no figure."""
    for side in (node.left, node.right):
        if isinstance(side, ast.Constant) and side.value is None:
            return True
        if isinstance(side, ast.Name) and side.id in {"int", "float", "str", "bool", "bytes"}:
            return True
        name = side.attr if isinstance(side, ast.Attribute) else getattr(side, "id", "")
        if name[:1].isupper() and not name.isupper():
            return True
    return False


def _is_progress(node: ast.Call) -> bool:
    """A report of progress, which is for the waiting bar alone."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in {"progress", "part", "sub_progress"}


def _short(text: str) -> str:
    """One line of at most 90 characters."""
    line = " ".join(text.split())
    return line if len(line) <= 90 else f"{line[:60]} ... {line[-25:]}"
