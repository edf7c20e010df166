"""Words that readers of statistics do not use stay off the screen: each has a standard term in its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.floor.tree import modules, parsed

OLD = {
    "rightly told": "classified correctly",
    "falsely told": "false positives",
    "rightly left": "true negatives",
    "hang together": "are linked, are associated",
    "hangs together": "is linked, is associated",
    "hanging together": "linked, associated",
    "told apart": "separated, classified",
    "cannot be told": "is inconclusive, is not known",
    "drawn again": "resampled",
    "dealt anew": "permuted",
    "take it away": "export, remove",
}
"""A word of before -> what is said now."""
SHOWN = ("dashboard", "engine", "sample_data")
"""Houses whose texts are shown on screen, in reports, and in errors."""


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every string that is a value: docstrings, and texts below a name that explain it, are none."""
    explains = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in explains:
            yield node.lineno, node.value


def old_words(tree: ast.Module) -> list[tuple[int, str]]:
    """Line and word of each old one in a text."""
    return [(line, word) for line, text in texts(tree) for word in OLD if word in " ".join(text.lower().split())]


@pytest.mark.parametrize("house", SHOWN)
def test_what_is_shown_is_said_in_standard_terms(house: str) -> None:
    """No string of the program has a word of before in it."""
    found = [
        f"{name}:{line} says '{word}'; say '{OLD[word]}'"
        for name, file in modules().items()
        if name.split(".")[0] == house
        for line, word in old_words(parsed(file))
    ]
    assert not found, "\n".join(found)


def test_old_words_are_seen_wherever_a_text_may_stand() -> None:
    """In a constant over two lines, a part of an f-string and a keyword; not in docstrings and comments."""
    source = '''
"""They hang together."""
def f(n):
    """Rightly told."""  # drawn again
    x: int = 1
    """What cannot be told."""
    return g("Rows that hang "
             "together", f"{n} rightly told", key="Take it away")
'''
    assert sorted(word for _, word in old_words(ast.parse(source))) == ["hang together", "rightly told", "take it away"]
