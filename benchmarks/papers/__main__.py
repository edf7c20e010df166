"""`python -m benchmarks.papers NAME --out FOLDER`: a paper's tables again, with all that was scored beside them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.papers.blocks import Running
from benchmarks.papers.catalog import every_study, study_called
from benchmarks.papers.writing import write
from engine.errors import DiptychError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the study named on the command line; returns the exit code."""
    chosen = _parser().parse_args(arguments)
    study = study_called(chosen.study)
    own, words = study.options(chosen)
    try:  # before hours of work, not after
        chosen.out.mkdir(parents=True, exist_ok=True)
    except OSError:
        sys.stderr.write(f"The folder '{chosen.out}' cannot be made; choose another one with --out.\n")
        return 2
    settings = dict(study.full if chosen.full else study.quick) | {"seed": chosen.seed} | own
    running = Running(jobs=chosen.jobs, cluster=chosen.dask, keep=chosen.out / "blocks", progress=_report)
    try:
        found = study.run(**settings, running=running)
    except DiptychError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    # what makes the same tables again anywhere: without the folders of this machine
    size = "--full" if chosen.full else "--quick"
    command = " ".join(
        ["python -m benchmarks.papers", study.slug, size, f"--seed {chosen.seed}", *words, "--out FOLDER"]
    )
    write(found, chosen.out, command)
    sys.stdout.write(found.markdown())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=__doc__)
    studies = parser.add_subparsers(dest="study", required=True)
    for slug, study in every_study().items():
        one = studies.add_parser(slug, help=study.paper, description=f"{study.paper}, again.")
        one.add_argument(
            "--out", type=Path, required=True, help="folder for the tables; finished blocks are kept in it as well"
        )
        size = one.add_mutually_exclusive_group()
        size.add_argument("--quick", action="store_true", help="a first look, a minute or two (the default)")
        size.add_argument("--full", action="store_true", help="the paper's size: 15 to 60 minutes of one core")
        one.add_argument("--seed", type=int, default=0, help="equal seeds give equal tables (default: 0)")
        one.add_argument("--jobs", type=int, default=1, help="blocks worked on at once (default: 1)")
        one.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler to use instead, such as tcp://host:8786")
        study.add_options(one)
    return parser


def _report(fraction: float, words: str) -> None:
    sys.stderr.write(f"{fraction:4.0%}  {words}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
