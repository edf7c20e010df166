"""One method's part of the calibration study again: its rows take the place of those in the run of the package.

    python -m benchmarks.calibration.renew group_difference --keep FOLDER

All other methods' rows stay as they are, to the letter; the page says which part is of another day.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from engine.evaluation.studies.blocks import Running
from engine.evaluation.studies.calibration.study import CalibrationStudy
from engine.evaluation.studies.stored import SHIPPED

HELD = "## Held to a bar"


def replaced(lines: Sequence[str], own: Sequence[bool], new: Sequence[str]) -> list[str]:
    """The lines with the new ones in the place of a method's own.

    Parameters
    ----------
    lines : of a file;  own : which of them are the method's, in one piece;  new : what stands there now
    """
    places = [k for k, one in enumerate(own) if one]
    if not places:  # a part that the run did not have yet
        return [*lines, *new]
    if places != list(range(places[0], places[-1] + 1)):
        raise SystemExit("The method's rows are not in one piece.")
    return [*lines[: places[0]], *new, *lines[places[-1] + 1 :]]


def section(page: Sequence[str], heading: str) -> tuple[int, int]:
    """Where the lines of a section begin, with its heading, and end."""
    start = page.index(heading)
    return start, next((k for k in range(start + 1, len(page)) if page[k].startswith("## ")), len(page))


def renew(study: CalibrationStudy, slug: str, folder: Path) -> None:
    """Write the study's rows over those of a run on disk.

    Parameters
    ----------
    study : a run of this method's part alone;  slug : of the method;  folder : of the run
    """
    file = "{}/calibration{}".format
    page = Path(file(folder, ".md")).read_text(encoding="utf-8").splitlines()
    first, last = section(page, HELD)
    methods = [line.split(" | ")[0].removeprefix("| ") for line in page[first:last] if line.startswith("| ")][2:]
    for ending, table in (
        ("-compared.csv", study.compared()),
        ("-runs.csv", study.runs()),
        ("-verdicts.csv", study.verdicts()),
    ):
        lines = Path(file(folder, ending)).read_text(encoding="utf-8").splitlines()
        if ending == "-verdicts.csv":  # its rows name no method; they are those of the page's first table
            own = [False, *(method == slug for method in methods)]
        else:
            own = [line.startswith(f"{slug},") for line in lines]
        text = replaced(lines, own, table.to_csv(index=False).splitlines()[1:])
        Path(file(folder, ending)).write_text("\n".join(text) + "\n", encoding="utf-8")
    new = study.markdown().splitlines()
    for heading in (HELD, f"## {slug}"):
        if heading not in page:
            page += ["", *new[slice(*section(new, heading))]]
            continue
        (start, end), (begin, stop) = section(page, heading), section(new, heading)
        rows = [line for line in new[begin:stop] if line.startswith("| ")][2:]
        mark = f"| {slug} |" if heading == HELD else "| "
        head = start + 4  # title, an empty line, names of the columns, dashes
        own = [start <= k < end and k >= head and line.startswith(mark) for k, line in enumerate(page)]
        last = max(k for k in range(start, end) if page[k].startswith("| ")) + 1
        page = replaced(page, own, rows) if any(own) else [*page[:last], *rows, *page[last:]]
    seconds = sum(study.seconds.values())
    note = (
        f" The rows of {slug} are a later run of that part alone: {datetime.now(UTC).date().isoformat()}, "
        f"{study.plan.tables} tables of every kind, seed {study.plan.seed}, {seconds:.0f} s of CPU."
    )
    page[0] = page[0].split(f" The rows of {slug} are a later run")[0] + note
    Path(file(folder, ".md")).write_text("\n".join(page) + "\n", encoding="utf-8")
    facts = json.loads(Path(file(folder, ".json")).read_text(encoding="utf-8"))
    if facts["plan"] != {"tables": study.plan.tables, "seed": study.plan.seed}:
        print(f"The other methods' rows are of {facts['plan']}; the page says so.")


def main(arguments: list[str]) -> int:
    """Run the part and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("method", help="slug of the method")
    parser.add_argument("--tables", type=int, default=CalibrationStudy.full["tables"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for finished blocks")
    parser.add_argument("--folder", type=Path, default=SHIPPED, help="the run that is renewed")
    chosen = parser.parse_args(arguments)
    running = Running(jobs=chosen.jobs, keep=chosen.keep, progress=lambda _, words: print(words, flush=True))
    study = CalibrationStudy.run(chosen.tables, chosen.seed, running, only=chosen.method)
    renew(study, chosen.method, chosen.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
