"""`python -m engine.evaluation.studies NAME`: a paper's tables again, as Markdown on standard output or in a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.errors import DiptychError
from engine.evaluation.studies.instance_specific import KAPPAS, instance_specific


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the study named on the command line; returns the exit code."""
    chosen = _parser().parse_args(arguments)
    try:
        study = instance_specific(
            networks=chosen.networks,
            instances=chosen.instances,
            rows=chosen.rows,
            arcs=chosen.arcs,
            kappas=chosen.kappas,
            seed=chosen.seed,
            jobs=chosen.jobs,
            progress=_report,
        )
    except DiptychError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    page = study.markdown()
    if chosen.out is None:
        sys.stdout.write(page)
    else:
        chosen.out.write_text(page, encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine.evaluation.studies", description=__doc__)
    studies = parser.add_subparsers(dest="study", required=True)
    one = studies.add_parser(
        "instance-specific",
        help="Jabbari, Visweswaran & Cooper 2018, tables 1 and 2",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    one.add_argument("--networks", type=int, default=10, help="networks for each number of arcs")
    one.add_argument("--instances", type=int, default=20, help="test patients a network")
    one.add_argument("--rows", type=int, default=1000, help="training rows")
    one.add_argument("--kappas", type=float, nargs="+", default=list(KAPPAS), help="priors for a change")
    one.add_argument("--arcs", type=int, nargs="+", default=[50, 100], help="numbers of arcs over 50 variables")
    one.add_argument("--seed", type=int, default=0, help="equal seeds give equal tables")
    one.add_argument("--jobs", type=int, default=1, help="networks worked on at once")
    one.add_argument("--out", type=Path, help="Markdown file to write")
    return parser


def _report(fraction: float, words: str) -> None:
    sys.stderr.write(f"{fraction:4.0%}  {words}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
