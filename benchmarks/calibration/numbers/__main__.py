"""Numbers compared as numbers, on generators of its own: false calls, power, what follows, equivalence and intervals.

    python -m benchmarks.calibration.numbers --keep FOLDER                       100 tables a cell, every cell
    python -m benchmarks.calibration.numbers --keep FOLDER --only 'null*' --tables 25 --jobs 2
    python -m benchmarks.calibration.numbers --keep FOLDER --against FOLDER/COMMIT.json
    python -m benchmarks.calibration.numbers --keep FOLDER --markdown docs/calibration-numbers.md
    python -m benchmarks.calibration.numbers --keep FOLDER --ship                its shares become those of the package
    python -m benchmarks.calibration.numbers --list

Bars stand in `measuring.py`, and stood there before any table was drawn; a cell misses its bar only where the 95 %
Clopper-Pearson interval of its share lies wholly on the wrong side. What every table gave is FOLDER/COMMIT.json (or the
file that is named); a run that was broken off, or is asked for more tables, goes on from there. A table depends on its
cell's name, its number and the seed, so `--against` sets two commits side by side on the same tables.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from zlib import crc32

import numpy as np
import pandas as pd

from benchmarks.calibration.__main__ import renew
from benchmarks.calibration.group_differences import Cell, Counted
from benchmarks.calibration.methods import numbers as part
from benchmarks.calibration.numbers.cells import cells, numbers
from benchmarks.calibration.numbers.kept import Kept, beside
from benchmarks.calibration.numbers.measuring import TOLD, NumberShare
from benchmarks.calibration.shares import MISSED, Page, pooled, row
from benchmarks.calibration.study import CalibrationStudy, Plan
from benchmarks.papers.results import RESULTS
from engine import execution

PROGRAM = "python -m benchmarks.calibration.numbers"
TITLE = "Numbers compared as numbers"
BLOCK = 10
"""Tables that are worked on at once."""
Outcome = tuple[dict[int, tuple[int, Counted]], float]


def table(cell: Cell, seed: int, number: int) -> tuple[int, Counted]:
    """A number that tells whether the table was drawn alike, and what it gave.

    Parameters
    ----------
    cell : which;  seed, number : of the table
    """
    generator = np.random.default_rng([seed, crc32(cell.name.encode()), number])
    given = cell.measure(generator)
    return int(generator.integers(2**32)), dict(given)


def _block(cell: Cell, seed: int, numbers: list[int]) -> Outcome:
    start = time.process_time()
    with execution.using(1):
        found = {number: table(cell, seed, number) for number in numbers}
    return found, time.process_time() - start


def run(cell: Cell, number: int, kept: Kept, file: Path | None, jobs: int) -> list[NumberShare]:
    """Draw what is lacking of the first tables of a cell.

    Parameters
    ----------
    cell : which;  number : tables;  kept : takes what they give
    file : where that is written after every block; None for nowhere
    jobs : processes
    """
    own = kept.tables.setdefault(cell.name, {})
    lacking = [t for t in range(number) if t not in own]
    blocks = [lacking[k : k + BLOCK] for k in range(0, len(lacking), BLOCK)]

    def finished(place: int, outcome: Outcome) -> None:
        own.update(outcome[0])
        kept.seconds[cell.name] = kept.seconds.get(cell.name, 0.0) + outcome[1]
        if file is not None:
            kept.write(file)

    execution.map(partial(_block, cell, kept.seed), blocks, jobs=jobs, finished=finished)
    return kept.shares(cell.name, number, cell.held)


def ship(kept: Kept, tables: int) -> None:
    """Put what the first tables of the cells of numbers gave in the place of the package's rows.

    Parameters
    ----------
    kept : the tables;  tables : of a cell
    """
    rows = [
        {"method": part.SLUG, "cell": cell.name, "run": t // BLOCK, "quantity": quantity, "hits": hits, "of": of}
        for cell in numbers()
        for t, (_, given) in sorted(kept.tables.get(cell.name, {}).items())
        if t < tables * cell.times
        for quantity, (hits, of, _) in given.items()
        if not quantity.startswith(TOLD)
    ]
    spent = {part.SLUG: sum(kept.seconds.get(cell.name, 0.0) for cell in numbers())}
    of_blocks = pd.DataFrame(rows).groupby(["method", "cell", "run", "quantity"], sort=False, as_index=False).sum()
    renew(CalibrationStudy(Plan(tables * part.FULL, kept.seed), of_blocks, spent), part.SLUG, RESULTS)


def _commit() -> str:
    """The last that changed the engine, marked where it was changed since."""

    def told(*command: str) -> str:
        return subprocess.run(["git", *command, "--", "engine"], capture_output=True, text=True, check=False).stdout

    last = told("log", "-1", "--format=%h", "--abbrev=10").strip() or "unknown"
    return last + ("-changed" if told("status", "--porcelain").strip() else "")


def main(arguments: list[str]) -> int:
    """Draw, print and write; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(
        prog=PROGRAM, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=100, help="tables of a cell; nulls take four times as many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes, of one thread each")
    parser.add_argument("--only", nargs="*", default=["*"], metavar="GLOB", help="only cells of such a name")
    parser.add_argument("--keep", type=Path, help="folder for COMMIT.json, or a file")
    parser.add_argument("--against", type=Path, metavar="FILE", help="another commit's file, for side by side")
    parser.add_argument("--markdown", type=Path, help="file for the page")
    parser.add_argument("--ship", action="store_true", help="put the shares of numbers into the package")
    parser.add_argument("--list", action="store_true", help="name the cells, and draw nothing")
    chosen = parser.parse_args(arguments)
    wanted = [cell for cell in cells() if any(fnmatchcase(cell.name, one) for one in chosen.only)]
    if chosen.list:
        print("\n".join(f"{chosen.tables * cell.times:6} {cell.name}" for cell in wanted))
        return 0
    if not wanted:
        parser.error("no cell has such a name; --list has them all")
    commit = _commit()
    file = chosen.keep
    if file is not None and file.suffix != ".json":
        file = file / f"{commit}.json"
    kept = Kept.read(file) if file is not None and file.is_file() else Kept(commit, chosen.seed)
    if (kept.commit, kept.seed) != (commit, chosen.seed):
        parser.error(f"{file} is of commit {kept.commit} and seed {kept.seed}; name another file")
    which = "" if chosen.only == ["*"] else " --only " + " ".join(f"'{one}'" for one in chosen.only)
    page = Page(TITLE, f"{PROGRAM} --tables {chosen.tables} --seed {chosen.seed}{which}", strict=False)
    print("\n".join(page.lines()), flush=True)
    for cell in wanted:
        found = run(cell, chosen.tables * cell.times, kept, file, chosen.jobs)
        page.shares += found
        print("\n".join(map(row, found)), flush=True)
        if chosen.markdown is not None:
            chosen.markdown.write_text(page.markdown(), encoding="utf-8")
    together = pooled(page.shares)
    print("\n".join(map(row, together)))
    if chosen.against is not None:
        other = Kept.read(chosen.against)
        lines = "\n".join(beside(kept, other, [cell.name for cell in wanted]))
        print(f"\n{lines}")
        if chosen.markdown is not None:
            text = f"{page.markdown()}\n## Beside commit {other.commit}, on the same tables\n\n{lines}\n"
            chosen.markdown.write_text(text, encoding="utf-8")
    if chosen.ship:
        ship(kept, chosen.tables)
    return int(MISSED in [one.verdict() for one in [*page.shares, *together]])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
