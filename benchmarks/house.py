"""How big the house is: `python -m benchmarks.house [--rooms N] [folder ...]`.

Code lines are the lines that hold a token, docstrings, comments and blanks apart. A room holds the rooms below it.
"""

from __future__ import annotations

import argparse
import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

_QUIET = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def lines(source: str) -> tuple[int, int]:
    """Code lines and docstring lines of one file."""
    documented = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node, clean=False
        ):
            documented.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    code = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _QUIET:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(code - documented), len(documented)


def main() -> None:
    """Print rooms with files, code lines and docstring lines."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", default=["engine", "dashboard"])
    parser.add_argument("--rooms", type=int, default=1, help="how many levels of folders are counted apart")
    chosen = parser.parse_args()
    table: dict[str, Counter[str]] = {}
    for folder in chosen.folders:
        for path in sorted(Path(folder).rglob("*.py")):
            inside = path.parts[len(Path(folder).parts) : -1][: chosen.rooms]
            code, documented = lines(path.read_text(encoding="utf-8"))
            for room in {folder, "/".join([folder, *inside])}:
                table.setdefault(room, Counter()).update(files=1, code=code, doc=documented)
    print(f"{'room':44}{'files':>6}{'code':>8}{'doc':>8}")
    for room in sorted(table):
        print(f"{room:44}{table[room]['files']:6}{table[room]['code']:8}{table[room]['doc']:8}")


if __name__ == "__main__":
    main()
