"""The calibration study, all of it or the part of one method.

    python -m benchmarks.calibration --out FOLDER                        25 tables of every kind
    python -m benchmarks.calibration --tables 500 --out FOLDER           the full size
    python -m benchmarks.calibration --only group_difference             its rows take the place of those of the package

With `--only` all other methods' rows stay as they are; the page says which part is of another day.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.calibration.study import CalibrationStudy
from benchmarks.papers.blocks import Running
from benchmarks.papers.results import RESULTS, read_results
from benchmarks.papers.writing import results_of, save, write

if TYPE_CHECKING:
    import pandas as pd

BARS = "## Held to a bar"


def renew(study: CalibrationStudy, slug: str, folder: Path) -> None:
    """Put the rows of a run of one method's part in the place of those in the results of a folder."""
    old, new = read_results(study.slug, folder), results_of(study, "")
    page = old.page.splitlines()
    first, last = _section(page, BARS)
    # a line of the verdicts names no method; they are those of the page's first table
    methods = [line.split(" | ")[0].removeprefix("| ") for line in page[first:last] if line.startswith("| ")][2:]
    renewed = replace(
        old,
        compared=_replaced(old.compared, [method == slug for method in old.compared["method"]], new.compared),
        runs=_replaced(old.runs, [method == slug for method in old.runs["method"]], new.runs),
        verdicts=_replaced(old.verdicts, [method == slug for method in methods], new.verdicts),
        page="\n".join(_renewed_page(page, new.page.splitlines(), slug, study)) + "\n",
    )
    save(renewed, folder)
    if old.plan != new.plan:
        print(f"The other methods' rows are of {old.plan}; the page says so.")


def _renewed_page(page: list[str], new: list[str], slug: str, study: CalibrationStudy) -> list[str]:
    """The lines of the page with a method's new ones, and in the first line the day of its run."""
    for heading in (BARS, f"## {slug}"):
        if heading not in page:
            page = [*page, "", *new[slice(*_section(new, heading))]]
            continue
        (start, end), (begin, stop) = _section(page, heading), _section(new, heading)
        rows = [line for line in new[begin:stop] if line.startswith("| ")][2:]
        mark = f"| {slug} |" if heading == BARS else "| "
        head = start + 4  # title, an empty line, names of the columns, dashes
        own = [head <= k < end and line.startswith(mark) for k, line in enumerate(page)]
        last = max(k for k in range(start, end) if page[k].startswith("| ")) + 1
        before, after = _around(own) if any(own) else (last, last)
        page = [*page[:before], *rows, *page[after:]]
    seconds = sum(study.seconds.values())
    note = (
        f" The rows of {slug} are a later run of that part alone: {datetime.now(UTC).date().isoformat()}, "
        f"{study.plan.tables} tables of every kind, seed {study.plan.seed}, {seconds:.0f} s of CPU."
    )
    return [page[0].split(f" The rows of {slug} are a later run")[0] + note, *page[1:]]


def _section(page: Sequence[str], heading: str) -> tuple[int, int]:
    """Where the lines of a section begin, with its heading, and end."""
    start = page.index(heading)
    return start, next((k for k in range(start + 1, len(page)) if page[k].startswith("## ")), len(page))


def _replaced(table: pd.DataFrame, own: Sequence[bool], new: pd.DataFrame) -> pd.DataFrame:
    """The table with the new rows in the place of a method's own; behind all others where it had none."""
    import pandas as pd

    before, after = _around(own) if any(own) else (len(table), len(table))
    return pd.concat([table[:before], new, table[after:]], ignore_index=True)


def _around(own: Sequence[bool]) -> tuple[int, int]:
    """Where a method's own lines begin and end; they are in one piece."""
    lines = [k for k, is_own in enumerate(own) if is_own]
    if lines != list(range(lines[0], lines[-1] + 1)):
        raise SystemExit("The method's rows are not in one piece.")
    return lines[0], lines[-1] + 1


def main(arguments: list[str]) -> int:
    """Run the study, or the part, and write it."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.calibration",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", metavar="METHOD", default="", help="slug of one method, related_rows or numbers")
    parser.add_argument("--tables", type=int, help="of every kind (25; with --only 500)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="blocks worked on at once")
    parser.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler to use instead")
    parser.add_argument("--keep", type=Path, help="folder for finished blocks")
    parser.add_argument("--out", type=Path, help="folder for the results; with --only that of the run to renew")
    chosen = parser.parse_args(arguments)
    if not chosen.only and chosen.out is None:
        parser.error("name the folder for the results: --out FOLDER")
    try:  # before hours of work, not after
        (chosen.out or RESULTS).mkdir(parents=True, exist_ok=True)
    except OSError:
        print(f"The folder '{chosen.out}' cannot be made; choose another one with --out.", file=sys.stderr)
        return 2
    size = CalibrationStudy.full if chosen.only else CalibrationStudy.quick
    tables = chosen.tables or size["tables"]
    running = Running(
        jobs=chosen.jobs,
        cluster=chosen.dask,
        keep=chosen.keep,
        progress=lambda _, words: print(words, file=sys.stderr, flush=True),
    )
    study = CalibrationStudy.run(tables, chosen.seed, running, only=chosen.only)
    if chosen.only:
        renew(study, chosen.only, chosen.out or RESULTS)
    else:
        options = f"--tables {tables} --seed {chosen.seed}"
        write(study, chosen.out, f"python -m benchmarks.calibration {options} --out FOLDER")
        print(study.markdown())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
