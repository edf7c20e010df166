"""The house as its files say it: every module, and every import of one of ours by another, wherever it stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOUSES = ("engine", "dashboard", "sample_data")


@dataclass(frozen=True, order=True)
class Arrow:
    """One import.

    Attributes
    ----------
    source, target : modules of ours, or a top-level package of others as `target`
    line : in the file of `source`
    inner : it stands inside a function
    typing : it stands under TYPE_CHECKING
    """

    source: str
    target: str
    line: int
    inner: bool = False
    typing: bool = False

    def __str__(self) -> str:
        return f"{self.source}:{self.line} imports {self.target}"


@cache
def modules() -> dict[str, Path]:
    """Dotted name -> file."""
    files = [file for house in HOUSES for file in sorted((ROOT / house).rglob("*.py"))]
    return {name_of(file): file for file in files}


def name_of(file: Path) -> str:
    """The dotted name of a file of ours."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def parsed(file: Path) -> ast.Module:
    """A file's syntax tree; read once for all tests."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def arrows() -> tuple[Arrow, ...]:
    """Every import of a module of ours by another."""
    return tuple(arrow for arrow in _all_arrows() if arrow.target in modules() and arrow.target != arrow.source)


@cache
def foreign() -> tuple[Arrow, ...]:
    """Every import of what is not ours; the target is the top-level package."""
    return tuple(arrow for arrow in _all_arrows() if arrow.target not in modules())


@cache
def _all_arrows() -> tuple[Arrow, ...]:
    found: list[Arrow] = []
    for name, file in modules().items():
        for node, inner, typing in _imports(parsed(file), inner=False, typing=False):
            found += [Arrow(name, target, node.lineno, inner, typing) for target in _targets(node)]
    return tuple(sorted(set(found)))


def _imports(tree: ast.AST, *, inner: bool, typing: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool, bool]]:
    """The import statements below a node, each with where it stands."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, inner, typing
        else:
            function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            guard = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            yield from _imports(node, inner=inner or function, typing=typing or guard)


def _targets(node: ast.Import | ast.ImportFrom) -> list[str]:
    """What an import statement names: modules of ours in full, of others the package."""
    if isinstance(node, ast.Import):
        whole = [name.name for name in node.names]
    else:
        assert not node.level, "imports of ours are written out in full"
        start = str(node.module)
        whole = [f"{start}.{name.name}" if f"{start}.{name.name}" in modules() else start for name in node.names]
    return [one if one in modules() else one.split(".")[0] for one in whole]
