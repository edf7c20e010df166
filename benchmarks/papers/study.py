"""What every study is when it is done: rows, tables beside the printed ones, and a page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from benchmarks.papers.blocks import versions
from benchmarks.papers.results import FIGURES, SENTENCES, TARGETS

if TYPE_CHECKING:
    import argparse

    import pandas as pd


@dataclass(frozen=True, eq=False)
class Study(ABC):
    """A paper's experiment again; `run` makes one.

    Attributes
    ----------
    plan : what was asked for
    rows : the tidy table, one row for each thing scored; its columns stand in the class of the study
    seconds : CPU time of all blocks by what took it
    """

    slug: ClassVar[str]
    """Of the method that it judges; the study's name on the command line, and the beginning of its files."""
    paper: ClassVar[str]
    title: ClassVar[str]
    """What the user chooses."""
    asked: ClassVar[str]
    """What the paper asked, as a sentence."""
    reading: ClassVar[str] = ""
    """What the paper leaves open and how it was read, where that decides how figures compare."""
    claim: ClassVar[str] = ""
    """What a run of the paper's size lets one say of the paper, in a sentence."""
    slips: ClassVar[tuple[str, ...]] = ()
    """Where the paper's text and its own figures disagree, a sentence each."""
    unjudged: ClassVar[str] = ""
    """What figures without a verdict are, where there may be some."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Options of its own that a run of the paper's size must be given, as a command spells them."""
    quick: ClassVar[Mapping[str, Any]]
    """What `run` is given for a first look: one to two minutes of one core."""
    full: ClassVar[Mapping[str, Any]]
    """What `run` is given for the paper's size."""
    keys: ClassVar[list[str]]
    """Columns that name a cell of the printed tables."""
    by: ClassVar[str]
    """The key that gives points of a picture their shape, and lines their name."""
    along: ClassVar[str]
    """The key along which figures without a printed number are drawn."""
    curves: ClassVar[tuple[str, ...]] = ()
    """Scores that curves are drawn of, where the rows have a "truth"."""

    plan: Any
    rows: pd.DataFrame
    seconds: dict[str, float]

    @classmethod
    def source_of(cls, what: str, band: str) -> str:
        """What a line of `verdicts` is held to, read off the line itself, so that it is known of every stored run.

        Parameters
        ----------
        what, band : as `verdicts` has them

        Returns
        -------
        `SENTENCES`, `FIGURES`, `PROGRAM`, `AUTHORS` or `TARGETS`
        """
        return TARGETS

    @classmethod
    def command(cls) -> str:
        """What runs it in the paper's size."""
        return " ".join(["python -m benchmarks.papers", cls.slug, "--full", *cls.needs, "--out FOLDER"])

    @classmethod
    @abstractmethod
    def run(cls, *args: Any, **settings: Any) -> Self:
        """Run the study with the settings of its own class; "seed" and "running" are among them everywhere."""

    @staticmethod  # noqa: B027 - most studies have none
    def add_options(parser: argparse.ArgumentParser) -> None:
        """Options of the command line that only this study has; none unless it says so."""

    @staticmethod
    def options(chosen: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
        """What `run` is given by those options, and how a command spells them on any machine."""
        return {}, []

    @classmethod
    def done(cls, plan: Mapping[str, Any]) -> str:
        """What a run of this plan was, in sentences with its numbers; of a plan that lacks them nothing."""
        seed = f"Seed {plan['seed']}." if "seed" in plan else ""
        try:
            return " ".join(filter(None, (cls._done(plan), seed)))
        except KeyError:
            return seed

    @staticmethod
    def _done(plan: Mapping[str, Any]) -> str:
        """The same without the seed; `KeyError` where a number is missing."""
        return ""

    @abstractmethod
    def heading(self) -> str:
        """What was run, and how to read the cells, as Markdown."""

    @abstractmethod
    def tables(self) -> dict[str, pd.DataFrame]:
        """{title: table}: ours beside the printed ones, for readers."""

    @abstractmethod
    def compared(self) -> pd.DataFrame:
        """A row a cell: the keys, "quantity", "printed", "printed_spread", "ours", "ours_spread", "difference".

        Not a number where the paper prints nothing; the spread is a standard deviation over the runs of a cell.
        """

    @abstractmethod
    def runs(self) -> pd.DataFrame:
        """What the cells are means of: the keys, "quantity", "run", "value"."""

    @abstractmethod
    def verdicts(self) -> pd.DataFrame:
        """What the figures are held to: "what", "band", "ours", "verdict" ("within", "outside", "no verdict")."""

    def markdown(self) -> str:
        """All tables as one Markdown page."""
        lines = [self.heading()]
        for title, table in self.tables().items():
            lines += ["", f"## {title}", "", *rows_of(table)]
        return "\n".join(lines) + "\n"


def printed_or_said(band: str) -> str:
    """Whether what the paper has is a figure, or a sentence without a number.

    Parameters
    ----------
    band : what is claimed
    """
    return FIGURES if any(letter.isdigit() for letter in band) else SENTENCES


def cells(runs: pd.DataFrame, keys: list[str], printed: pd.DataFrame) -> pd.DataFrame:
    """`Study.compared` from its runs and the printed cells (keys, "quantity", "printed", "printed_spread")."""
    by = [*keys, "quantity"]
    found = runs.groupby(by, sort=False, dropna=False)["value"].agg(ours="mean", ours_spread="std").reset_index()
    found = found.merge(printed, on=by, how="left")
    found["difference"] = found["ours"] - found["printed"]
    return found[[*by, "printed", "printed_spread", "ours", "ours_spread", "difference"]]


def made_with() -> str:
    """The versions of what computes, as a sentence."""
    names = {"python": "Python", "diptych": "Diptych"}
    return ", ".join(f"{names.get(what, what)} {number}" for what, number in versions().items()) + "."


def rows_of(table: pd.DataFrame) -> Iterator[str]:
    """The lines of a Markdown table; an index with a name is its first column."""
    shown = table.reset_index() if table.index.name else table
    for line in (list(shown.columns), ["---"] * len(shown.columns), *shown.astype(object).to_numpy().tolist()):
        yield "| " + " | ".join(str(cell) for cell in line) + " |"
