"""What classes are called."""

from __future__ import annotations

import ast
from collections import Counter

from tests.floor.tree import ROOT, modules, parsed


def test_no_class_name_stands_three_times() -> None:
    """A name that three classes have says of none what it is."""
    names = Counter(
        node.name for file in modules().values() for node in ast.walk(parsed(file)) if isinstance(node, ast.ClassDef)
    )
    assert len(names) > 100
    assert not {name: number for name, number in names.items() if number > 2}


def test_names_are_cut_by_one_function() -> None:
    """`engine.words.short` says that something is left out; a slice inside a sentence does not."""
    cut = []
    for file in [file for house in ("engine", "dashboard") for file in sorted((ROOT / house).rglob("*.py"))]:
        told = (node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.FormattedValue))
        parts = (part.slice for node in told for part in ast.walk(node) if isinstance(part, ast.Subscript))
        ends = [part.upper for part in parts if isinstance(part, ast.Slice) and part.lower is None]
        cut += [str(file) for end in ends if isinstance(end, ast.Constant) and int(str(end.value)) >= 20]
    assert not cut
