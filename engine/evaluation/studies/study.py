"""What every study is when it is done: rows, tables beside the printed ones, and a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from engine.evaluation.studies.blocks import versions

if TYPE_CHECKING:
    import pandas as pd

WITHIN, OUTSIDE = "within", "outside"


@dataclass(frozen=True, eq=False)
class Study:
    """A paper's experiment again.

    Attributes
    ----------
    plan : what was asked for
    rows : the tidy table, one row for each thing scored; its columns stand in the class of the study
    seconds : CPU time of all blocks by what took it
    """

    name: ClassVar[str]
    paper: ClassVar[str]
    keys: ClassVar[list[str]]
    """Columns that name a cell of the printed tables."""
    curves: ClassVar[tuple[str, ...]] = ()
    """Scores that curves are drawn of, where the rows have a "truth"."""
    words: ClassVar[str]
    """The module whose functions `heading`, `tables`, `compared`, `runs` and `verdicts` tell of such a study."""

    plan: Any
    rows: pd.DataFrame
    seconds: dict[str, float]

    def heading(self) -> str:
        """What was run, and how to read the cells, as Markdown."""
        return self._words().heading(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """{title: table}: ours beside the printed ones, for readers."""
        return self._words().tables(self)

    def compared(self) -> pd.DataFrame:
        """A row a cell: the keys, "quantity", "printed", "printed_spread", "ours", "ours_spread", "difference".

        Not a number where the paper prints nothing; the spread is a standard deviation over the runs of a cell.
        """
        return self._words().compared(self)

    def runs(self) -> pd.DataFrame:
        """What the cells are means of: the keys, "quantity", "run", "value"."""
        return self._words().runs(self)

    def verdicts(self) -> pd.DataFrame:
        """What the figures are held to: "what", "band", "ours", "verdict" ("within" or "outside")."""
        return self._words().verdicts(self)

    def _words(self) -> Any:
        """The module with the study's tables, loaded when they are asked for: it needs pandas."""
        return import_module(self.words)

    def markdown(self) -> str:
        """All tables as one Markdown page."""
        lines = [self.heading()]
        for title, table in self.tables().items():
            lines += ["", f"## {title}", "", *rows_of(table)]
        return "\n".join(lines) + "\n"


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
