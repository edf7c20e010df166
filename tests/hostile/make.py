"""The hostile tables: one fixture a sin, made in memory, used by engine tests and page tests alike.

`python -m tests.hostile.make FOLDER` writes them all as files, to try them by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.hostile import containers, headers, texts, values
from tests.hostile.fixture import Fixture

FIXTURES: dict[str, Fixture] = {
    one.name: one for one in (*texts.FIXTURES, *headers.FIXTURES, *values.FIXTURES, *containers.FIXTURES)
}
"""Name -> fixture."""

REFUSED = {name: one for name, one in FIXTURES.items() if one.refused}
READ = {name: one for name, one in FIXTURES.items() if not one.refused}
_SHAPES = ("all_duplicates", "one_column", "one_row")
ODD = {n: one for n, one in READ.items() if n in _SHAPES or one in (*headers.FIXTURES, *values.FIXTURES)}
"""Those whose names, levels or shape are odd; the others are odd as files, which no page after the data page sees."""


def main() -> None:
    """Write every fixture into the folder named on the command line."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, one in FIXTURES.items():
        (folder / f"{name}{Path(one.safe_file).suffix}").write_bytes(one.make())


if __name__ == "__main__":
    main()
