"""How often associations are found where there are none: tables of unrelated variables, criterion by criterion.

    python -m benchmarks.calibration.methods.log_linear

writes the table again that the method itself ships and quotes.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.calibration.cell import Bar, Cell, Counted
from engine.data.dataset import Dataset
from engine.graphs.chordal import DecomposableGraph
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.method import LogLinear, criterion_of
from engine.methods.log_linear.power import TABLE
from engine.methods.log_linear.search import JointMoves, Search

if TYPE_CHECKING:
    import pandas as pd

JOINT = " joint"
"""Behind the name of a criterion: two edges at once are tried too."""


@dataclass(frozen=True)
class NullLinks:
    """What a criterion found in tables without any link.

    Attributes
    ----------
    any_link : share of the tables with at least one
    mean_links : links a table
    tables : how many there were
    """

    any_link: float
    mean_links: float
    tables: int


def null_links(
    rows: int, variables: int, levels: int, criterion: str, tables: int, seed: int, thin_tables: str = "drawn"
) -> NullLinks:
    """Draw tables of unrelated variables with even shares, and count the links found.

    Parameters
    ----------
    rows, variables, levels : of every table
    criterion : as `LogLinear` takes it, with " joint" behind it for two edges at once
    tables : how many to draw
    seed : of the draws; the same tables for every criterion
    thin_tables : as `LogLinear` takes it

    Returns
    -------
    `NullLinks`
    """
    name = criterion.removesuffix(JOINT)
    method = LogLinear(criterion=name, joint=criterion != name, thin_tables=thin_tables)
    rng = np.random.default_rng([seed, rows, variables, levels])
    found = [_links(method, rng.integers(0, levels, (variables, rows)), levels) for _ in range(tables)]
    return NullLinks(float(np.mean([one > 0 for one in found])), float(np.mean(found)), tables)


def _links(method: LogLinear, codes: np.ndarray, levels: int) -> int:
    """The links of one table, without all that a result has beside them."""
    variables = len(codes)
    data = Dataset.from_codes(codes.astype(np.uint8), [levels] * variables, [f"v{i:02d}" for i in range(variables)])
    counts = Counts(data)
    search = Search(counts, criterion_of(method, counts), DecomposableGraph(variables))
    search.run(JointMoves(search).take_best if method.joint else None)
    return search.graph.n_edges


ANY = "null tables with any false link, {}"
BARS = {ANY.format(name): Bar(high=0.07) for name in ("smt", "chi2")}
"""Both keep a chance of 0.05 by what they say; the other criteria promise nothing and are only told."""
TRIED = ("smt", "chi2", "mml", "bic")


def cells() -> list[Cell]:
    """Tables of unrelated variables, thin ones among them."""
    return [
        Cell(f"{rows:,} rows, {variables} variables of {levels} levels", partial(_null, rows, variables, levels))
        for rows, variables, levels in itertools.product((100, 300, 1000), (5, 10), (2, 3, 5, 10))
    ]


def _null(rows: int, variables: int, levels: int, generator: np.random.Generator) -> Counted:
    """One table; whether each criterion finds a link in it."""
    codes = generator.integers(0, levels, (variables, rows))
    seed = int(generator.integers(1 << 31))
    return {
        ANY.format(name): (int(_links(LogLinear(criterion=name, seed=seed), codes, levels) > 0), 1) for name in TRIED
    }


ROWS, VARIABLES, LEVELS = (30, 100, 300, 1000, 3000), (3, 5, 10, 20), (2, 3, 5, 10)
CRITERIA = ("mml", "mml joint", "bic", "bic joint", "smt", "chi2")


def false_links(tables: int = 200, seed: int = 0, jobs: int = 1) -> pd.DataFrame:
    """The table that every criterion quotes its rate of false links from, `claims/false_links.csv` of the method.

    Parameters
    ----------
    tables : drawn for each line
    seed : of the draws
    jobs : processes to spread the lines over; equal figures whatever their number

    Returns
    -------
    pandas.DataFrame: criterion, rows, variables, levels, any_link, mean_links, tables
    """
    import pandas as pd
    from joblib import Parallel, delayed

    lines = list(itertools.product(CRITERIA, ROWS, VARIABLES, LEVELS))
    one = delayed(null_links)
    found = Parallel(n_jobs=jobs)(one(n, p, r, criterion, tables, seed) for criterion, n, p, r in lines)
    rows = [
        (*line, round(one.any_link, 4), round(one.mean_links, 4), one.tables)
        for line, one in zip(lines, found, strict=True)
    ]
    return pd.DataFrame(rows, columns=["criterion", "rows", "variables", "levels", "any_link", "mean_links", "tables"])


if __name__ == "__main__":
    false_links(jobs=-1).to_csv(TABLE, index=False)
