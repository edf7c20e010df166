"""Words that readers of statistics do not use stay off the screen: each has a standard term in its place."""

from __future__ import annotations

import ast
import re
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
    "by luck": "by chance",
    "no difference told": "no difference seen",
    "does a link pay": "criterion for a link",
    "same side of one half": "same side of .50",
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


def own_formats(tree: ast.Module) -> list[int]:
    """Lines where an f-string, or Plotly for it, writes a percent sign or a plus by a format of its own."""
    made_minus = {
        id(argument)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func).split(".")[-1] == "with_minus"
        for argument in call.args
    }
    signs = {
        value.lineno
        for string in ast.walk(tree)
        if isinstance(string, ast.JoinedStr) and id(string) not in made_minus
        for value in string.values
        if isinstance(value, ast.FormattedValue) and value.format_spec and "+" in ast.unparse(value.format_spec)
    }
    return sorted(signs | {line for line, text in texts(tree) if re.search(r"\.\d%", text)})


@pytest.mark.parametrize("house", ("dashboard", "engine"))
def test_shares_and_signs_are_written_one_way(house: str) -> None:
    """'76 %' with a no-break space and a true minus: nobody but the words of numbers formats them."""
    found = [
        f"{name}:{line}"
        for name, file in modules().items()
        if name.split(".")[0] == house and name != "engine.words"
        for line in own_formats(parsed(file))
    ]
    assert not found, f"use in_percent or with_sign of engine.words: {', '.join(found)}"


def test_formats_of_shares_and_signs_are_seen() -> None:
    """In an f-string, however deep, and in a text for Plotly; not where a hyphen is made a minus."""
    source = """
a = f"{x:.0%}"
b = f"{', '.join(f'{y:+.2f}' for y in z)}"
c = {"tickformat": ".0%"}
d = with_minus(f"{x:+.3g}") + f"{x:,.2f}" + f"{in_percent(x)} %"
"""
    assert own_formats(ast.parse(source)) == [2, 3, 4]
