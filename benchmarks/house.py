"""How big the house is and how it speaks: `python -m benchmarks.house [--rooms N] [--words] [folder ...]`.

Code lines are the lines that hold a token, docstrings, comments and blanks apart. A name is what an assignment, an
argument, a function, a class or an import binds, each place once, split at underscores and at capitals; it counts as
ours where one of its parts is in `OWN`, the words that docs/guide/glossary.md replaces.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

_WORDS = (
    "again anew apart asked before beside brought coin desk doubt far found gone heard heed held kept late look made "
    "manners moment once one places said second shown standing sure talk tell told turns what wish worth"
)
OWN = frozenset(_WORDS.split())
"""The words of a language of our own, as the plan of the house lists them."""
_QUIET = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def lines(source: str) -> tuple[int, int]:
    """Code lines and docstring lines of one file."""
    told = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node, clean=False
        ):
            told.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    code = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _QUIET:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(code - told), len(told)


def names(source: str) -> Iterator[str]:
    """Every name that the file binds, as often as it does."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.rsplit(".", 1)[-1]


def own(name: str) -> list[str]:
    """The parts of a name that are words of our own."""
    return [part for part in (piece.lower() for piece in _PART.findall(name)) if part in OWN]


def main() -> None:
    """Print rooms with files, code lines, docstring lines and share of names of our own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", default=["engine", "dashboard"])
    parser.add_argument("--rooms", type=int, default=1, help="how many levels of folders are told apart")
    parser.add_argument("--words", action="store_true", help="the commonest words and names of our own")
    wanted = parser.parse_args()
    table: dict[str, Counter[str]] = {}
    parts: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for folder in wanted.folders:
        for path in sorted(Path(folder).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            inside = path.parts[len(Path(folder).parts) : -1][: wanted.rooms]
            code, doc = lines(source)
            bound = list(names(source))
            ours = [name for name in bound if own(name)]
            parts.update(part for name in ours for part in own(name))
            whole.update(ours)
            for room in {folder, "/".join([folder, *inside])}:
                table.setdefault(room, Counter()).update(files=1, code=code, doc=doc, names=len(bound), ours=len(ours))
    print(f"{'room':44}{'files':>6}{'code':>8}{'doc':>8}{'names':>8}{'own, %':>8}")
    for room in sorted(table):
        row = table[room]
        share = 100 * row["ours"] / max(row["names"], 1)
        print(f"{room:44}{row['files']:6}{row['code']:8}{row['doc']:8}{row['names']:8}{share:8.1f}")
    if wanted.words:
        print("words:", ", ".join(f"{word} {n}" for word, n in parts.most_common()))
        print("names:", ", ".join(f"{name} {n}" for name, n in whole.most_common(80)))


if __name__ == "__main__":
    main()
