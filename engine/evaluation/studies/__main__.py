"""`diptych study NAME --out FOLDER`: a paper's tables again, with everything that was scored beside them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.errors import DiptychError
from engine.evaluation.studies.blocks import Running
from engine.evaluation.studies.group_difference.printed import SETS
from engine.evaluation.studies.group_difference.printed import SIZES as GROUP_SIZES
from engine.evaluation.studies.group_difference.study import GroupDifferenceStudy, group_difference
from engine.evaluation.studies.instance_specific.study import InstanceSpecificStudy, instance_specific
from engine.evaluation.studies.log_linear.study import SIZES, LogLinearStudy, log_linear
from engine.evaluation.studies.stored import write
from engine.evaluation.studies.study import Study

STUDIES: dict[str, tuple[Callable[..., Study], str]] = {
    kind.name: (run, kind.paper)
    for kind, run in (
        (GroupDifferenceStudy, group_difference),
        (InstanceSpecificStudy, instance_specific),
        (LogLinearStudy, log_linear),
    )
}
"""What runs a study, and the tables that it makes again."""
QUICK: dict[str, dict[str, Any]] = {
    "groups": {"sizes": GROUP_SIZES[:1], "repeats": 1},
    "instances": {"instances": 20},
    "associations": {"sizes": [size for size in SIZES if size <= 100_000], "sets": 1, "small_sets": 2},
}
"""What is left out for a first look: one to two minutes of one core each."""
FULL: dict[str, dict[str, Any]] = {
    "groups": {"repeats": 3},
    "instances": {"instances": 500},
    "associations": {"sets": 10},
}


def main(arguments: Sequence[str] | None = None, program: str = "python -m engine.evaluation.studies") -> int:
    """Run the study named on the command line; returns the exit code."""
    chosen = _parser(program).parse_args(arguments)
    study, _ = STUDIES[chosen.study]
    settings = (FULL if chosen.full else QUICK)[chosen.study] | {"seed": chosen.seed}
    if chosen.study == "groups":
        settings |= {"folder": chosen.data, "sets": chosen.sets}
    running = Running(jobs=chosen.jobs, cluster=chosen.dask, keep=chosen.out / "blocks", progress=_report)
    try:
        found = study(**settings, running=running)
    except DiptychError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    write(found, chosen.out, _command(chosen))
    sys.stdout.write(found.markdown())
    return 0


def _command(chosen: argparse.Namespace) -> str:
    """What makes the same tables again anywhere: without the folders of this machine."""
    parts = ["diptych study", chosen.study, "--full" if chosen.full else "--quick", f"--seed {chosen.seed}"]
    if chosen.study == "groups":
        parts += ["--sets", *chosen.sets] if chosen.sets else []
        parts += ["--data FOLDER"] if chosen.data else []
    return " ".join([*parts, "--out FOLDER"])


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description=__doc__)
    studies = parser.add_subparsers(dest="study", required=True)
    for name, (_, words) in STUDIES.items():
        one = studies.add_parser(name, help=words, description=f"{words}, again.")
        one.add_argument(
            "--out", type=Path, required=True, help="folder for the tables; finished blocks are kept in it as well"
        )
        size = one.add_mutually_exclusive_group()
        size.add_argument("--quick", action="store_true", help="a first look, a minute or two (the default)")
        size.add_argument("--full", action="store_true", help="the paper's size: a quarter to half an hour of one core")
        one.add_argument("--seed", type=int, default=0, help="equal seeds give equal tables (default: 0)")
        one.add_argument("--jobs", type=int, default=1, help="blocks worked on at once (default: 1)")
        one.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler to use instead, such as tcp://host:8786")
        if name == "groups":
            one.add_argument("--data", type=Path, help="folder with car.csv, hayes-roth.csv and nursery.csv of UCI")
            one.add_argument("--sets", nargs="+", choices=SETS, help="of data (default: what there is)")
    return parser


def _report(fraction: float, words: str) -> None:
    sys.stderr.write(f"{fraction:4.0%}  {words}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
