"""What classes are called."""

from __future__ import annotations

import ast
from collections import Counter

from tests.floor.tree import modules, parsed


def test_no_class_name_stands_three_times() -> None:
    """A name that three classes have says of none what it is."""
    names = Counter(
        node.name for file in modules().values() for node in ast.walk(parsed(file)) if isinstance(node, ast.ClassDef)
    )
    assert len(names) > 100
    assert not {name: number for name, number in names.items() if number > 2}
