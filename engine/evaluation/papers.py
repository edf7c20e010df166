"""What came of the papers' studies, ours beside the printed figures: one small file a study in `results`, read here.

The studies themselves stand in the repository, in `benchmarks/papers`; `python -m benchmarks.papers SLUG --out FOLDER`
runs one and writes its file. A file is a zip: `facts.json` (words, plan, versions, times), `page.md`, the tables
`compared`, `runs` and `verdicts` as Parquet, and for a study of curves `scores`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import pandas as pd

from engine.errors import DataError
from engine.measures.comparing import compare_curves
from engine.measures.curves import auc
from engine.methods.registry import METHODS

RESULTS = Path(__file__).parent / "results"
COVERAGE = Path(__file__).parent / "coverage"
TABLES = ("compared", "runs", "verdicts", "scores")
WITHIN, OUTSIDE, OPEN = "within", "outside", "no verdict"
"""Verdicts on a figure; `PaperResults.unjudged` says of which none is given."""
SENTENCES, FIGURES, PROGRAM, AUTHORS, TARGETS = (
    "the paper's own sentences",
    "the paper's figures",
    "our own second program",
    "the authors' program",
    "targets of our own",
)
"""What a figure is held to, in the order in which they are counted: never one count for two of them."""
LATER, FEW = "of a reading chosen after it was seen", "of too few tables"
"""Why a figure may get no verdict."""


@dataclass(frozen=True, eq=False)
class PaperResults:
    """A run of a study.

    Attributes
    ----------
    slug : of the method that it judges, or "calibration"
    title : what the user chooses
    paper : and its tables
    asked : what the paper asked
    reading : what the paper leaves open and how it was read
    claim : what a run of the paper's size lets one say of the paper
    slips : where the paper's text and its own figures disagree, a sentence each
    unjudged : what figures without a verdict are, where there may be some
    done : what was run, in sentences with the numbers of the plan
    command : what makes it again;  plan : its settings, the seed among them
    versions : of what computed it;  seconds : CPU time in all;  made : the day, as 2026-01-31
    keys : columns that name a cell, shared by `compared` and `runs`
    by : the key that gives points of a picture their shape, and lines their name
    along : the key along which figures without a printed number are drawn
    compared : a row a cell: keys, "quantity", "printed", "printed_spread", "ours", "ours_spread", "difference"
    runs : what the cells are means of: keys, "quantity", "run", "value"
    verdicts : "what", "band", "ours", "verdict" and "held to"; "sentence" where lines are readings of the same one
    page : all of it as Markdown
    scores : keys, repeat, pair, variable, truth, and the scores that curves are drawn of; where there are curves
    """

    slug: str
    title: str
    paper: str
    asked: str
    reading: str
    claim: str
    slips: Sequence[str]
    unjudged: str
    done: str
    command: str
    plan: dict[str, Any]
    versions: dict[str, str]
    seconds: float
    made: str
    keys: list[str]
    by: str
    along: str
    compared: pd.DataFrame
    runs: pd.DataFrame
    verdicts: pd.DataFrame
    page: str
    scores: pd.DataFrame | None = None


def every_paper(folder: Path = RESULTS) -> list[str]:
    """The slugs of the results in a folder, in the order of the methods; what is no single method's comes last."""
    order = list(METHODS)
    slugs = sorted(file.stem for file in folder.glob("*.zip"))
    return sorted(slugs, key=lambda slug: order.index(slug) if slug in order else len(order))


def read_results(slug: str, folder: Path = RESULTS) -> PaperResults:
    """The results of a study, by default those that come with the package.

    Examples
    --------
    >>> results = read_results("log_linear")
    >>> results.paper, results.keys
    ('Petitjean, Allison & Webb 2014, Figures 3 and 4', ['data', 'levels', 'rows', 'method'])
    >>> sorted(set(results.verdicts["verdict"]))
    ['no verdict', 'outside', 'within']
    """
    file = folder / f"{slug}.zip"
    try:
        with ZipFile(file) as archive:
            facts = json.loads(archive.read("facts.json"))
            page = archive.read("page.md").decode("utf-8")
            members = set(archive.namelist())
            tables = {
                name: pd.read_parquet(BytesIO(archive.read(f"{name}.parquet")))
                for name in TABLES
                if f"{name}.parquet" in members
            }
        if "scores" in tables:  # 16-bit floats, to be small
            halves = tables["scores"].select_dtypes("float16").columns
            tables["scores"] = tables["scores"].astype(dict.fromkeys(halves, "float32"))
        return PaperResults(slug, **facts, page=page, **tables)
    except FileNotFoundError as error:
        raise DataError(
            f"There are no results of {slug!r} in {str(folder)!r}; in the repository "
            f"`python -m benchmarks.papers {slug} --out FOLDER` makes them."
        ) from error
    except (OSError, ValueError, TypeError, KeyError, BadZipFile) as error:
        raise DataError(f"The results of {slug!r} in {str(folder)!r} can't be read; make them again.") from error


def covered_papers(folder: Path = COVERAGE) -> list[str]:
    """The methods whose paper has a table of what of it is here, in the order of the methods.

    Returns
    -------
    their slugs

    Examples
    --------
    >>> "group_difference" in covered_papers()
    True
    """
    return [slug for slug in METHODS if (folder / f"{slug}.md").is_file()]


def paper_coverage(slug: str, folder: Path = COVERAGE) -> str:
    """What of a method's paper is here, and what is not and why: every feature, equation, table and figure.

    Parameters
    ----------
    slug : of the method, as in `covered_papers`
    folder : of the tables

    Returns
    -------
    a Markdown document: three counts and one table

    Raises
    ------
    DataError : there is no such table

    Examples
    --------
    >>> paper_coverage("group_difference").splitlines()[0]
    '# What of the paper is here, and what is not'
    """
    try:
        return (folder / f"{slug}.md").read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"There is no table of what of the paper of {slug!r} is here.") from error


@dataclass(frozen=True)
class Agreement:
    """How many sentences (or figures) of one source hold; one that was read in several ways counts as one.

    Attributes
    ----------
    source : `SENTENCES`, `FIGURES`, `PROGRAM`, `AUTHORS` or `TARGETS`
    every : hold under every reading that is judged
    some : hold under one at least, but not under every one
    neither : hold under none
    readings : whether any was read in several ways
    """

    source: str
    every: int
    some: int
    neither: int
    readings: bool

    @property
    def supported(self) -> int:
        """Hold under one reading at least."""
        return self.every + self.some

    @property
    def total(self) -> int:
        """All that are judged."""
        return self.supported + self.neither


def agreements(verdicts: pd.DataFrame) -> list[Agreement]:
    """What holds, source by source, of the lines that have a verdict.

    Parameters
    ----------
    verdicts : as `PaperResults` has them

    Returns
    -------
    One for each source that anything is held to, in their order.

    Examples
    --------
    >>> classes = agreements(read_results("discriminative").verdicts)
    >>> [one.source for one in classes]
    ["the paper's own sentences", "the paper's figures", 'our own second program']
    >>> all(one.supported <= one.total for one in classes)
    True
    """
    judged = verdicts[verdicts["verdict"].isin([WITHIN, OUTSIDE])]
    names = judged["sentence" if "sentence" in judged else "what"]
    found = []
    for source in (SENTENCES, FIGURES, PROGRAM, AUTHORS, TARGETS):
        here = judged["held to"] == source
        if here.any():
            lines = (judged["verdict"] == WITHIN)[here].groupby(names[here])
            every, some = lines.all(), lines.any()
            of_some = int((some & ~every).sum())
            found.append(
                Agreement(source, int(every.sum()), of_some, int((~some).sum()), bool((lines.size() > 1).any()))
            )
    return found


# -- what one asks of the tables --------------------------------------------------------------------------------------


def repeats(block: pd.DataFrame, names: Sequence[str], case: str, other: str) -> pd.DataFrame:
    """A line a repeat (from 1) that has a curve: numbers of cases and others, areas, and DeLong's p of two scores."""
    lines = []
    for repeat, here in block.groupby("repeat"):
        truth = here["truth"].to_numpy()
        cases = int(truth.sum())
        if not 0 < cases < len(truth):
            continue
        line: dict[str, float] = {"repeat": int(repeat) + 1, case: cases, other: len(truth) - cases}
        line |= {f"AUC, {name}": auc(here[name], truth).value for name in names}
        if len(names) == 2:
            line["DeLong p"] = compare_curves(here[names[0]], here[names[1]], truth).p
        lines.append(line)
    return pd.DataFrame(lines)


def scores_of(block: pd.DataFrame, repeat: int) -> pd.DataFrame:
    """The lines of one repeat, counted from 1 as in `repeats`."""
    return block[block["repeat"] == repeat - 1]


def farthest(cells: pd.DataFrame) -> int:
    """The label of the cell whose difference is largest; of the first where nothing is printed."""
    size = cells["difference"].abs()
    return int(size.idxmax() if size.notna().any() else cells.index[0])


def largest(cells: pd.DataFrame, columns: Sequence[str]) -> float:
    """The largest size of any number in some columns; not a number where there is none."""
    return float(cells[list(columns)].abs().max().max())


def printed_share(cells: pd.DataFrame) -> float:
    """Share of the cells that the paper prints a number for."""
    return float(cells["printed"].notna().mean())


def extremes(runs: pd.DataFrame) -> tuple[float, float]:
    """The smallest and the largest value of the runs of a cell."""
    return float(runs["value"].min()), float(runs["value"].max())


def of_cell(table: pd.DataFrame, cell: pd.Series, keys: Sequence[str]) -> pd.DataFrame:
    """The lines of a table with the same keys as a cell; a key that is missing fits one that is missing."""
    matches = table[keys[0]].notna() | True
    for key in keys:
        matches &= table[key].isna() if cell[key] != cell[key] or cell[key] is None else table[key] == cell[key]
    return table[matches]
