"""The calibration study: every verdict, interval and probability of every method on tables whose truth is known.

A part of a method is `benchmarks/calibration/methods/<slug>.py`, with its `cells` and `BARS`; so is that of rows
that belong together or were left out, `related_rows`, and that of numbers compared as numbers. A block is some
tables of a cell; table number t of a cell is the same whatever the number of tables.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar
from zlib import crc32

import numpy as np

from benchmarks.calibration.cell import Bar, Cell
from benchmarks.calibration.methods import numbers, related_rows
from benchmarks.papers.blocks import HERE, Outcome, Running, run_blocks, table_of, total
from benchmarks.papers.results import OUTSIDE, WITHIN
from benchmarks.papers.study import Study
from engine.evaluation.trials import of_methods
from engine.measures.intervals import share_interval

if TYPE_CHECKING:
    import pandas as pd

BLOCK = 25
"""Tables of a cell that are worked on at once."""


@dataclass(frozen=True)
class Plan:
    """What decides the figures.

    Attributes
    ----------
    tables : of every cell;  seed : all tables are drawn from it
    """

    tables: int
    seed: int


def parts() -> dict[str, Any]:
    """Slug -> the cells of every method that has a part here, of related rows and of numbers."""
    found = of_methods("benchmarks.calibration.methods.{}".format, "cells")
    return found | {part.SLUG: part.cells for part in (related_rows, numbers)}


def bars() -> dict[str, Mapping[str, Bar]]:
    """Slug -> quantity -> what it is held to."""
    found = of_methods("benchmarks.calibration.methods.{}".format, "BARS")
    return found | {part.SLUG: part.BARS for part in (related_rows, numbers)}


@dataclass(frozen=True, eq=False)
class CalibrationStudy(Study):
    """What came out.

    Attributes
    ----------
    plan : what was asked for
    rows : one row for each block and quantity: method, quantity, cell, run, hits, of
    seconds : CPU time by method
    """

    slug = "calibration"
    paper = "What the program's own sentences are worth"
    title = "Calibration"
    asked = "On tables whose truth is known: how often is a sentence of this program wrong, and how often does it find?"
    reading = "The bars were set before the tables were drawn; a miss is named with its number."
    quick: ClassVar = {"tables": 25}
    full: ClassVar = {"tables": 500}
    keys: ClassVar = ["method", "cell"]
    by = "method"
    along = "cell"

    plan: Plan

    @classmethod
    def run(cls, tables: int = 500, seed: int = 0, running: Running = HERE, only: str = "") -> CalibrationStudy:
        """Draw the tables and count.

        Parameters
        ----------
        tables : of every cell
        seed : all tables are drawn from it
        running : where and how
        only : slug of one method, "related_rows" or "numbers"; all of them where empty

        Returns
        -------
        the study
        """
        chosen = [(slug, cell) for slug, cells in parts().items() if only in ("", slug) for cell in cells()]
        blocks = [
            (slug, cell.name, first)
            for slug, cell in chosen
            for first in range(0, math.ceil(tables * cell.share), BLOCK)
        ]
        plan = Plan(tables, seed)
        once = partial(_block, plan, {(slug, cell.name): cell for slug, cell in chosen})
        outcomes = run_blocks(once, blocks, plan, running, words="tables")
        return cls(plan, table_of(outcomes), total(outcomes))

    @staticmethod
    def _done(plan: Mapping[str, Any]) -> str:
        return f"Here: {plan['tables']} tables of every kind."

    def heading(self) -> str:
        """What was run, and how to read the cells."""
        return (
            f"{self.plan.tables} tables of every kind, seed {self.plan.seed}. A share is of all tables, or of all that "
            "was said in them; in brackets its 95 % interval (Jeffreys)."
        )

    def tables(self) -> dict[str, pd.DataFrame]:
        """The bars first, then every share by method."""
        import pandas as pd

        held = pd.DataFrame([row for row in self._shares() if row["bar"]])
        found = {"Held to a bar": held} if len(held) else {}
        told = pd.DataFrame(self._shares())
        for slug, rows in told.groupby("method", sort=False):
            found[str(slug)] = rows.drop(columns="method")
        return found

    def compared(self) -> pd.DataFrame:
        """Every share; what it is held to stands where a paper's figure would."""
        import pandas as pd

        rows = [
            {
                "method": row["method"],
                "cell": row["cell"],
                "quantity": row["quantity"],
                "printed": math.nan,
                "printed_spread": math.nan,
                "ours": row["share"],
                "ours_spread": math.nan,
                "difference": math.nan,
            }
            for row in self._shares()
        ]
        return pd.DataFrame(rows)

    def runs(self) -> pd.DataFrame:
        """The share of every block."""
        rows = self.rows[self.rows["of"] > 0]
        return rows.assign(value=rows["hits"] / rows["of"])[["method", "cell", "quantity", "run", "value"]]

    def verdicts(self) -> pd.DataFrame:
        """Every share that is held to a bar."""
        import pandas as pd

        rows = [
            {
                "what": f"{row['quantity']}; {row['cell']}",
                "band": row["bar"],
                "ours": row["share"],
                "verdict": row["verdict"],
            }
            for row in self._shares()
            if row["bar"]
        ]
        return pd.DataFrame(rows, columns=["what", "band", "ours", "verdict"])

    def _shares(self) -> list[dict[str, Any]]:
        """One row a method, quantity and cell."""
        held = bars()
        found = []
        for (slug, quantity, cell), rows in self.rows.groupby(["method", "quantity", "cell"], sort=False):
            hits, of = int(rows["hits"].sum()), int(rows["of"].sum())
            if not of:
                continue
            low, high = (float(end) for end in share_interval(hits, of))
            bar = held[str(slug)].get(str(quantity))
            bar = None if bar is not None and of < bar.least else bar
            found.append(
                {
                    "method": slug,
                    "quantity": quantity,
                    "cell": cell,
                    "share": round(hits / of, 4),
                    "low": round(low, 4),
                    "high": round(high, 4),
                    "of": of,
                    "bar": "" if bar is None else bar.words(),
                    "verdict": "" if bar is None else WITHIN if bar.holds(hits / of) else OUTSIDE,
                }
            )
        return found


STUDY = CalibrationStudy


def _block(plan: Plan, cells: Mapping[tuple[str, str], Cell], block: tuple[str, str, int]) -> Outcome:
    """Some tables of a cell."""
    slug, name, first = block
    cell = cells[slug, name]
    counted: dict[str, list[int]] = {}
    start = time.process_time()
    for number in range(first, min(first + BLOCK, math.ceil(plan.tables * cell.share))):
        generator = np.random.default_rng([plan.seed, crc32(f"{slug}: {name}".encode()), number])
        for quantity, (hits, of) in cell.measure(generator).items():
            place = counted.setdefault(quantity, [0, 0])
            place[0] += hits
            place[1] += of
    rows = [
        {"method": slug, "quantity": quantity, "cell": name, "run": first, "hits": hits, "of": of}
        for quantity, (hits, of) in counted.items()
    ]
    return rows, {slug: time.process_time() - start}
