"""What classes are called."""

from __future__ import annotations

import ast
from collections import Counter

from tests.floor.tree import ROOT


def test_no_class_name_stands_three_times() -> None:
    """A name that three classes have says of none what it is."""
    names = Counter(
        node.name
        for house in ("engine", "dashboard")
        for file in (ROOT / house).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert len(names) > 100
    assert not {name: number for name, number in names.items() if number > 2}
