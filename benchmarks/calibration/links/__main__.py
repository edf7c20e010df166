"""Which links differ, on generators of its own: what is found, what is called where nothing differs, and coverage.

    python -m benchmarks.calibration.links                                100 tables a cell, every cell
    python -m benchmarks.calibration.links --cells paired floors --tables 20
    python -m benchmarks.calibration.links --keep FOLDER --markdown docs/calibration-links.md

Bars stand in `measuring.py`, and stood there before any table was drawn. A cell misses its bar only if the 95 %
Clopper-Pearson interval of its share excludes it; the cells of a quantity pooled must meet it. All is judged by the
answer's own words.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zlib import crc32

import numpy as np

from benchmarks.calibration.links import cells, covering, numbers
from benchmarks.calibration.links.measuring import Cell, LinkShare, missed, pooled
from benchmarks.calibration.shares import row

PROGRAM = "python -m benchmarks.calibration.links"
HEAD = (
    "| cell | quantity | hits | of | share | 95 % interval | bar | verdict | seconds |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def run(cell: Cell, number: int, seed: int) -> list[LinkShare]:
    """All tables of a cell; table t of a seed is the same whatever the number."""
    total: dict[str, list[int]] = {}
    start = time.process_time()
    for table in range(number):
        generator = np.random.default_rng([seed, crc32(cell.name.encode()), table])
        for quantity, (hits, of) in cell.measure(generator, table).items():
            place = total.setdefault(quantity, [0, 0])
            place[0] += int(hits)
            place[1] += int(of)
    seconds = time.process_time() - start
    return [LinkShare(cell.name, name, hits, of, seconds=seconds) for name, (hits, of) in total.items() if of]


def lines(shares: list[LinkShare]) -> Iterator[str]:
    """The table of all shares, cells pooled last."""
    yield HEAD
    yield from map(row, shares)
    yield from (row(one, pooled=True) for one in pooled(shares))


def page(shares: list[LinkShare], command: str) -> str:
    """All as Markdown."""
    barred = sum(one.bar is not None for one in [*shares, *pooled(shares)])
    head = (
        f"# Which links differ\n\n    {command}\n\nRun of {datetime.now(UTC).date().isoformat()}. Of {barred} shares "
        f"that are held to a bar, {missed(shares)} miss it: a cell only where the 95 % Clopper-Pearson interval "
        "excludes the bar, cells pooled where their share does. Generators stand in "
        "`benchmarks/calibration/links`; the studies and the tests use others.\n\n"
    )
    return head + "\n".join(lines(shares)) + "\n"


def main(arguments: list[str]) -> int:
    """Draw, print and write; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(
        prog=PROGRAM, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=100, help="tables of a cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cells", nargs="*", default=[""], help="only cells whose name contains one of these")
    parser.add_argument("--keep", type=Path, help="folder for finished cells")
    parser.add_argument("--markdown", type=Path, help="file for the page")
    chosen = parser.parse_args(arguments)
    shares: list[LinkShare] = []
    print(HEAD, flush=True)
    for cell in [*cells.cells(), *covering.cells(), *numbers.cells()]:
        if not any(one in cell.name for one in chosen.cells):
            continue
        file = chosen.keep and chosen.keep / f"{crc32(cell.name.encode()):08x}-{chosen.tables}-{chosen.seed}.json"
        if file and file.is_file():
            found = [LinkShare(**values) for values in json.loads(file.read_text(encoding="utf-8"))]
        else:
            found = run(cell, chosen.tables, chosen.seed)
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps([vars(one) for one in found]), encoding="utf-8")
        shares += found
        print("\n".join(map(row, found)), flush=True)
    print("\n".join(row(one, pooled=True) for one in pooled(shares)))
    which = "" if chosen.cells == [""] else " --cells " + " ".join(f"'{one}'" for one in chosen.cells)
    if chosen.markdown is not None:
        text = page(shares, f"{PROGRAM} --tables {chosen.tables} --seed {chosen.seed}{which}")
        chosen.markdown.write_text(text, encoding="utf-8")
    return int(missed(shares) > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
