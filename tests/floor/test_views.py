"""Views choose, run and show: they compute nothing. What may stand in them of numbers is formatting and layout."""

from __future__ import annotations

import ast

import pytest

from tests.floor.shrinking import held
from tests.floor.tree import foreign, modules, parsed

NUMERICAL = {"numpy", "scipy", "sklearn", "numba", "networkx", "statistics"}
AGGREGATES = {
    "abs", "corr", "cumsum", "describe", "diff", "dot", "groupby", "idxmax", "idxmin", "max", "mean", "median", "min",
    "mode", "nunique", "pct_change", "prod", "ptp", "quantile", "rank", "std", "sum", "value_counts", "var",
}  # fmt: skip
"""Methods that make one number of many, or other numbers of numbers."""
MATHEMATICS = {"cos", "exp", "expm1", "fsum", "lgamma", "log", "log10", "log1p", "log2", "pow", "prod", "sin", "sqrt"}
VIEWS = sorted(name for name in modules() if name.startswith(("dashboard.views", "dashboard.app_pages")))

IMPORTS: set[str] = set()
"""Views that import a numerical library."""

ARITHMETIC: set[str] = set()
"""Views that compute."""


def test_views_import_nothing_numerical() -> None:
    """Neither a view nor a page loads a numerical library; names for types are free."""
    held(
        {
            f"{one.source} -> {one.target}"
            for one in foreign()
            if one.source in VIEWS and one.target in NUMERICAL and not one.typing
        },
        IMPORTS,
    )


def test_a_page_ends_with_its_foot() -> None:
    """A page that ends early does so by `end_page`; only what stands before any page stops a run by itself."""
    before_pages = "dashboard.views.session."
    ends = {
        name
        for name in VIEWS
        for node in ast.walk(parsed(modules()[name]))
        if isinstance(node, ast.Attribute) and node.attr == "stop" and not name.startswith(before_pages)
    }
    assert ends == {"dashboard.views.shared.foot"}


def test_views_compute_nothing() -> None:
    """No arithmetic on data in a view.

    Free are what makes texts and lists longer, numbers written in the file and names of such numbers in capitals,
    lengths (`len`, a list's `count`), and 1 more or less, since people count from 1. Everything else with an operator
    of arithmetic is computing, and so are the methods that make one number of many, `sum`, and the functions of
    `math` beyond rounding and asking whether a number is one.
    """
    held({name for name in VIEWS if any(map(_computes, ast.walk(parsed(modules()[name]))))}, ARITHMETIC)


def _computes(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor()):
            return False  # a choice of rows, or a union
        case ast.BinOp():
            return not (_joins(node) or _lays_out(node))
        case ast.AugAssign(op=ast.Add() | ast.BitOr() | ast.BitAnd(), value=value):
            return not (_is_text(value) or _lays_out(value) or not _is_number(value))
        case ast.AugAssign():
            return True
        case ast.Call(func=ast.Name(id="sum" | "pow" | "divmod")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr=attr)):
            return attr in MATHEMATICS
        case ast.Call(func=ast.Attribute(attr=attr)):
            return attr in AGGREGATES
    return False


def _joins(node: ast.BinOp) -> bool:
    """Two texts or two lists put together, or one repeated."""
    plus, times = isinstance(node.op, ast.Add), isinstance(node.op, ast.Mult)
    return (plus and (_is_text(node.left) or _is_text(node.right))) or (
        times and (_is_text(node.left) or _is_text(node.right))
    )


def _is_text(node: ast.AST) -> bool:
    """Whether this is by its form a text or a list."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr() | ast.List() | ast.ListComp() | ast.Tuple():
            return True
        case ast.IfExp(body=body, orelse=orelse):
            return _is_text(body) or _is_text(orelse)
        case ast.BinOp(left=left, right=right):
            return _is_text(left) or _is_text(right)
        case ast.Call(func=ast.Attribute(attr="join")):
            return True
        case ast.Call(func=ast.Name(id="plain" | "visible" | "short" | "count" | "first" | "listed")):
            return True
    return False


def _is_number(node: ast.AST) -> bool:
    """Whether something added to a name is by its form a number."""
    return isinstance(node, ast.BinOp | ast.UnaryOp) or (
        isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    )


def _lays_out(node: ast.AST) -> bool:
    """Whether a number is made of written ones, lengths and names in capitals alone; or is something and 1."""
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=ast.Constant(value=1)):
            return not isinstance(left, ast.BinOp) or _lays_out(left)
        case ast.BinOp(left=left, right=right):
            return _lays_out(left) and _lays_out(right)
        case ast.Constant(value=int() | float()):
            return True
        case ast.Name(id=name):
            return name.isupper()
        case ast.Call(func=ast.Name(id="len")) | ast.Call(func=ast.Attribute(attr="count")):
            return True
        case ast.Call(func=ast.Name(id="max" | "min" | "round" | "int"), args=args):
            return all(map(_lays_out, args))
    return False


@pytest.mark.parametrize(
    "source",
    [
        "a + b", "share / 2", "2 ** bits", "len(rows) - shown", "x[0] - y[0]", "total - 2", "-(a - b)", "n += m * 2",
        "table['x'].sum()", "table.groupby('x')", "sum(values)", "math.sqrt(x)", "frame['x'].abs()", "a % 2",
    ],
)  # fmt: skip
def test_the_rule_sees_computing(source: str) -> None:
    """What would be arithmetic on data in a view."""
    assert any(map(_computes, ast.walk(ast.parse(source))))


@pytest.mark.parametrize(
    "source",
    [
        "words + '.'", "[1.3] * len(keys)", "38 + 35 * len(table)", "number + 1", "row - 1", "f'{a}' + b", "a & ~b",
        "(a > 1) | (b < 2)", "math.isfinite(x)", "words += f' {b}'", "one | other", "min(MOST, 3 + ROW * len(cells))",
    ],
)  # fmt: skip
def test_the_rule_lets_formatting_be(source: str) -> None:
    """Texts, lists, positions from 1, heights by number of rows, choices of rows."""
    assert not any(map(_computes, ast.walk(ast.parse(source))))
