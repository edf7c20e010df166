"""The simulations of Luo, Moffa & Kuipers (2021), section 4: what OSEM and its rivals find of networks cut into levels.

Every run draws an Erdos-Renyi graph of four expected neighbours, weights between 0.4 and 1 of either sign, shares of
levels from a Dirichlet distribution, and rows (`engine.simulation.ordinal`). Graph and weights of a run are the same
for all numbers of rows and levels. All approaches have the same table, each with every setting of its grid; patterns of
what they find are held to the true one. With a folder of tables (`--data`) rows are held out of each, and the log loss
of OSEM, BGe and BDe is compared on the same splits.

- `OSEM` is `engine.Ordinal()`; `OSEM, published` goes through the rounds of the authors' program (`mode="published"`).
- The rivals search as OSEM does (order MCMC), or by PC; BDe has the paper's price of log 2 a parent.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from benchmarks.papers.blocks import HERE, Outcome, Row, Running, run_blocks, table_of, total
from benchmarks.papers.ordinal import tables as told
from benchmarks.papers.ordinal.draw import predicted, recovered, recovered_and_predicted, table_called
from benchmarks.papers.ordinal.plan import MORE_ROWS, TABLES, Plan
from benchmarks.papers.results import AUTHORS, FEW, SENTENCES, TARGETS
from benchmarks.papers.study import Study
from engine.data.dataset import Dataset

if TYPE_CHECKING:
    import argparse

PAPER_SIZE = {"repeats": 100, "others": 100, "splits": 100, "shares": (0.25, 0.5, 0.75), "whole": True}
Block = tuple[str, int, int, float, int]
"""Data, variables, rows, levels and run."""


@dataclass(frozen=True, eq=False)
class OrdinalStudy(Study):
    """What came out.

    Attributes
    ----------
    plan : what was asked for
    rows : one row for each run, approach and setting: data, variables, rows, levels, run, approach, setting, seconds;
        of drawn tables TPR, FPRp and SHD of patterns and of skeletons and true links, of the others log loss
    seconds : CPU time by what took it
    """

    slug = "ordinal"
    paper = "Luo, Moffa & Kuipers 2021, Figures 2, 3, S1, S3 to S6, S9 and S10"
    title = "Ordinal networks"
    asked = (
        "A network of hidden normal values is cut into levels; which approach finds it again, and which predicts rows "
        "that it has not seen?"
    )
    reading = (
        "The paper's figures are curves of TPR against FPRp, without numbers. Each claim stands under two readings: "
        "SHD over true links at each approach's best setting, and true links missed where FPRp is at most 0.5. Both "
        "were fixed before a figure was seen, and a sentence that is read in several ways counts once. What stands as "
        "printed is one run each of the authors' program on one graph of each size, as this project measured it: "
        "anchors, since another graph has other numbers."
    )
    claim = (
        "What may be said: OSEM is ahead of BGe, and BGe of BDe, over all tables and under both readings; at its "
        "default penalty it is level with BGe at its best am for 12 and 20 variables and far ahead for 30. BDe is "
        "not ahead of the PC searches, nor GPC of OPC. That OSEM predicts better than BDe is seen in the means of all "
        "five tables and in the interval of one, votes; than BGe it is not seen. On the 408 patients of section 5, "
        "whose table is not shipped, the default at penalty 6 finds 19 of 26 links of the authors' program, and "
        "mode='published' 22 to 24. The default is 4 to 16 nats better by its own criterion in these rows, but not "
        "for prediction: 0.056 nats a held-out row worse (standard error 0.033)."
    )
    slips = (
        "BGe predicts by conditional variances in the paper's text and by marginal ones in the authors' program; that "
        "makes its log loss 0.03 to 0.2 nats a row higher, and is most of 'much less robust'.",
        "Table 1 gives contraceptive method choice 9 variables; the authors' table has 10, with other cut points.",
        "The bootstrap of section 5 draws rows for the rivals; the authors' script runs OSEM 500 times on all rows.",
    )
    unjudged = FEW
    quick: ClassVar = {"repeats": 2, "others": 1, "sizes": (12,), "rows": (300, 500), "levels": (3,)}
    full: ClassVar = {}
    keys: ClassVar = ["data", "variables", "rows", "levels", "approach", "setting"]
    by = "approach"
    along = "setting"

    plan: Plan

    _done = staticmethod(told.done)
    heading = told.heading
    tables = told.tables
    compared = told.compared
    runs = told.runs
    verdicts = told.verdicts

    @classmethod
    def source_of(cls, what: str, band: str) -> str:
        """The paper's sentences on its figures (curves without numbers); runs of its program; what was asked by us."""
        if what.startswith("Figure"):
            return SENTENCES
        return AUTHORS if band.endswith("the authors' program") else TARGETS

    @classmethod
    def run(
        cls,
        repeats: int = 8,
        others: int = 2,
        sizes: Iterable[int] = (12, 20, 30),
        rows: Iterable[int] = (300, 500, 800),
        levels: Iterable[int] = (2, 3, 4, 5),
        whole: bool = False,
        splits: int = 4,
        shares: Iterable[float] = (0.5,),
        seed: int = 0,
        *,
        folder: Path | None = None,
        running: Running = HERE,
    ) -> OrdinalStudy:
        """Run the study.

        Parameters
        ----------
        repeats : networks of every cell with 500 rows and 3 levels;  others : of the other cells
        sizes, rows : of Figure 2
        levels : expected numbers of levels of Figure S3, for 20 variables and 500 rows
        whole : the paper's whole grids; three times as long
        splits : of every table of the folder
        shares : of its rows that are drawn before, `others` times
        folder : with rogers.csv, votes.csv, cmc.csv, tumor.csv or spect.csv; None for no log loss

        Raises
        ------
        SettingsError : a number that cannot be
        DataError : a table that cannot be read
        Cancelled : out of the progress of `running`
        """
        there = tuple(name for name in TABLES if folder is not None and (folder / f"{name}.csv").is_file())
        every = [tuple(sorted(set(one))) for one in (sizes, rows, levels)]
        plan = Plan(repeats, others, every[0], every[1], every[2], whole, splits, tuple(shares), there, seed)
        held = {name: table_called(name, folder) for name in there if folder is not None}
        prints = [data.fingerprint for data in held.values()]
        found = run_blocks(
            partial(_block, plan, held), blocks_of(plan, held), plan, running, words="tables", data=prints
        )
        return cls(plan, table_of(found), total(found))

    @staticmethod
    def add_options(parser: argparse.ArgumentParser) -> None:
        """Where the tables are, and the whole grids."""
        parser.add_argument("--data", type=Path, help=f"folder with {', '.join(f'{name}.csv' for name in TABLES)}")
        parser.add_argument("--whole-grids", action="store_true", help="the paper's grids; three times as long")
        parser.add_argument(
            "--paper-size",
            action="store_true",
            help="100 networks and splits of everything, on the paper's grids: days",
        )

    @staticmethod
    def options(chosen: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
        """The folder is not spelled out: it is another one on another machine."""
        words = ["--whole-grids"] if chosen.whole_grids else []
        words += ["--paper-size"] if chosen.paper_size else []
        words += ["--data FOLDER"] if chosen.data else []
        settings = {"folder": chosen.data, "whole": chosen.whole_grids}
        return settings | (PAPER_SIZE if chosen.paper_size else {}), words


def blocks_of(plan: Plan, held: dict[str, Dataset]) -> list[Block]:
    """A table each, in the order of the cells."""
    found: list[Block] = [(*cell, run) for cell in plan.cells for run in range(plan.repeats_of(cell))]
    for name, data in held.items():
        mean = round(float(data.arity.mean()), 2)
        found += [(name, data.n_variables, data.n_rows, mean, split) for split in range(plan.splits)]
        for share in plan.shares:
            rows = round(share * data.n_rows)
            found += [(name, data.n_variables, rows, mean, split) for split in range(min(plan.others, plan.splits))]
    return found


def _block(plan: Plan, held: dict[str, Dataset], block: Block) -> Outcome:
    """The rows of a table, and the CPU seconds they took."""
    data, n, rows, levels, run = block
    start = time.process_time()
    key: Row = {"data": data, "variables": n, "rows": rows, "levels": float(levels), "run": run}
    if data in held:
        found = predicted(held[data], rows, run, plan.seed)
    else:
        cell = (data, n, rows, int(levels))
        what = recovered_and_predicted if data == MORE_ROWS else recovered
        found = what(cell, run, plan.seed, plan.grids_of(cell))
    lines = [{**key, **row} for row in found]
    return lines, {"prediction" if data in held else "structure": time.process_time() - start}


STUDY = OrdinalStudy
