"""`python -m engine.evaluation.studies NAME`: a paper's tables again, as Markdown on standard output or in a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.errors import DiptychError
from engine.evaluation.associations import LEVELS
from engine.evaluation.studies.group_difference import GroupDifferenceStudy, group_difference
from engine.evaluation.studies.group_difference_printed import SETS
from engine.evaluation.studies.group_difference_printed import SIZES as GROUP_SIZES
from engine.evaluation.studies.instance_specific import KAPPAS, StudyResult, instance_specific
from engine.evaluation.studies.log_linear import METHODS, SIZES, SMALL_SETS, LogLinearStudy, log_linear


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the study named on the command line; returns the exit code."""
    chosen = _parser().parse_args(arguments)
    try:
        study = RUN[chosen.study](chosen)
    except DiptychError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    page = study.markdown()
    if chosen.out is None:
        sys.stdout.write(page)
    else:
        chosen.out.write_text(page, encoding="utf-8")
    return 0


def _instance_specific(chosen: argparse.Namespace) -> StudyResult:
    return instance_specific(
        networks=chosen.networks,
        instances=chosen.instances,
        rows=chosen.rows,
        arcs=chosen.arcs,
        kappas=chosen.kappas,
        seed=chosen.seed,
        jobs=chosen.jobs,
        progress=_report,
    )


def _log_linear(chosen: argparse.Namespace) -> LogLinearStudy:
    return log_linear(
        sizes=chosen.sizes,
        levels=chosen.levels,
        methods=chosen.methods,
        sets=chosen.sets,
        small_sets=chosen.small_sets,
        seed=chosen.seed,
        jobs=chosen.jobs,
        progress=_report,
    )


def _groups(chosen: argparse.Namespace) -> GroupDifferenceStudy:
    return group_difference(
        sets=chosen.sets,
        sizes=GROUP_SIZES[:1] if chosen.quick else GROUP_SIZES,
        pairs=chosen.pairs,
        repeats=1 if chosen.quick else chosen.repeats,
        lasso=not chosen.no_lasso,
        seed=chosen.seed,
        folder=chosen.data,
        jobs=chosen.jobs,
        progress=_report,
    )


RUN: dict[str, Callable[[argparse.Namespace], StudyResult | LogLinearStudy | GroupDifferenceStudy]] = {
    "groups": _groups,
    "instance-specific": _instance_specific,
    "log-linear": _log_linear,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine.evaluation.studies", description=__doc__)
    studies = parser.add_subparsers(dest="study", required=True)
    show = argparse.ArgumentDefaultsHelpFormatter
    one = studies.add_parser(
        "instance-specific", help="Jabbari, Visweswaran & Cooper 2018, tables 1 and 2", formatter_class=show
    )
    one.add_argument("--networks", type=int, default=10, help="networks for each number of arcs")
    one.add_argument("--instances", type=int, default=20, help="test patients a network")
    one.add_argument("--rows", type=int, default=1000, help="training rows")
    one.add_argument("--kappas", type=float, nargs="+", default=list(KAPPAS), help="priors for a change")
    one.add_argument("--arcs", type=int, nargs="+", default=[50, 100], help="numbers of arcs over 50 variables")
    two = studies.add_parser("log-linear", help="Petitjean, Allison & Webb 2014, figures 3 and 4", formatter_class=show)
    two.add_argument("--sizes", type=int, nargs="*", default=list(SIZES), help="rows of D3 (none: only D1 and D2)")
    two.add_argument("--levels", nargs="+", default=list(LEVELS), help="of the variables")
    two.add_argument("--methods", nargs="+", default=list(METHODS), help="what selects the edges")
    two.add_argument("--sets", type=int, default=3, help="models of D3 for each kind of levels")
    two.add_argument("--small-sets", type=int, default=SMALL_SETS, help="models of D1 and of D2")
    three = studies.add_parser("groups", help="Sverchkov & Cooper 2015, table 1", formatter_class=show)
    three.add_argument("--data", type=Path, help="folder with car.csv, hayes-roth.csv and nursery.csv of UCI")
    three.add_argument("--sets", nargs="+", choices=SETS, help="of data (default: what there is)")
    three.add_argument("--pairs", type=int, default=20, help="pairs of groups a block")
    three.add_argument("--repeats", type=int, default=3, help="blocks of each sort")
    three.add_argument("--no-lasso", action="store_true", help="leave the lasso out, which takes most of the time")
    three.add_argument("--quick", action="store_true", help="500 rows a group only, one block of each sort")
    for study, worked_on in ((one, "networks"), (two, "models"), (three, "blocks")):
        study.add_argument("--seed", type=int, default=0, help="equal seeds give equal tables")
        study.add_argument("--jobs", type=int, default=1, help=f"{worked_on} worked on at once")
        study.add_argument("--out", type=Path, help="Markdown file to write")
    return parser


def _report(fraction: float, words: str) -> None:
    sys.stderr.write(f"{fraction:4.0%}  {words}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
