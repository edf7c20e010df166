"""What came of the papers' studies, ours beside the printed figures: one small file a study in `kept`, read here.

`python -m benchmarks.papers SLUG --out FOLDER` runs a study and writes its file, a zip: `facts.json` (words, plan,
versions, times), `page.md`, the tables `compared`, `runs` and `verdicts` as Parquet; of a study of curves `scores`.
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
from engine.methods.registry import METHODS

RESULTS = Path(__file__).parent / "kept"
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
    """The results of a study, by default those that are kept here.

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
