"""What a docstring names under Parameters or Attributes is what its function or class has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from tests.floor.tree import modules, parsed

Function = ast.FunctionDef | ast.AsyncFunctionDef
_SECTION = re.compile(r"^(?:Parameters|Attributes)\n-+\n(.*?)(?=\n\n\w+\n---|\Z)", re.MULTILINE | re.DOTALL)
NAMES = re.compile(r"(?:^|; +|  +)(\*{0,2}\w+(?:, \*{0,2}\w+)*) : ", re.MULTILINE)
"""`name : meaning` or `a, b : meaning`; several of them may share a line."""
OBJECTS = frozenset({"self", "cls", "result"})
"""The first parameter of a method; `result` in a function that a class of answers takes as its method."""


def documented(node: Function | ast.ClassDef) -> list[str]:
    """The names of a docstring's parameters and attributes."""
    sections = _SECTION.findall(ast.get_docstring(node) or "")
    return [name.lstrip("*") for part in sections for names in NAMES.findall(part) for name in names.split(", ")]


def parameters(node: Function) -> list[str]:
    """The names of a function's parameters."""
    given = node.args
    known = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return [argument.arg for argument in (*known, *filter(None, (given.vararg, given.kwarg)))]


@cache
def classes() -> dict[str, list[ast.ClassDef]]:
    """Name -> the classes of ours that have it."""
    table: dict[str, list[ast.ClassDef]] = {}
    for file in modules().values():
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.ClassDef):
                table.setdefault(node.name, []).append(node)
    return table


def members(node: ast.ClassDef) -> set[str]:
    """The fields, properties, parameters and attributes of a class and of those above it."""
    names: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
            names.add(inner.attr)
    for inner in node.body:
        if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
            names.add(inner.target.id)
        elif isinstance(inner, ast.Assign):
            names.update(target.id for target in inner.targets if isinstance(target, ast.Name))
        elif isinstance(inner, Function):
            names.update([inner.name, *parameters(inner)] if inner.name == "__init__" else [inner.name])
    for base in node.bases:
        name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
        for above in classes().get(name, ()):
            names |= members(above)
    return names


def described() -> Iterator[tuple[str, Function | ast.ClassDef, list[str]]]:
    """Every function and class whose docstring names parameters or attributes: where it stands, it, and these."""
    for module, file in modules().items():
        for node in ast.walk(parsed(file)):
            if isinstance(node, Function | ast.ClassDef) and (names := documented(node)):
                yield f"{module}:{node.lineno} {node.name}", node, names


def test_what_a_docstring_names_exists() -> None:
    """No name that a parameter, field or attribute had once, and none twice."""
    wrong = {}
    for place, node, names in described():
        there = members(node) if isinstance(node, ast.ClassDef) else set(parameters(node))
        odd = [name for i, name in enumerate(names) if name not in there or name in names[:i]]
        if odd := [name for name in odd if not name.endswith("_in_")]:  # scikit-learn sets these
            wrong[place] = odd
    assert not wrong


def test_where_one_parameter_is_documented_all_are() -> None:
    """In the engine, but for the object that a method is asked of; `tests/test_examples.py` asks for the section."""
    wrong = {}
    for place, node, names in described():
        if place.startswith("engine.") and not isinstance(node, ast.ClassDef):
            taken = parameters(node)
            missing = set(taken[1:] if taken and taken[0] in OBJECTS else taken) - set(names)
            if missing:
                wrong[place] = sorted(missing)
    assert not wrong
