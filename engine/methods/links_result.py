"""What every answer on the links of one table is: rows that belong to subjects count less in it."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import words
from engine.data.dataset import Dataset
from engine.data.rows.relations import FEWEST
from engine.lazy import pd
from engine.methods.fitting import check_that
from engine.methods.result import Result


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LinksResult(Result):
    """An answer on the links of a table whose rows may belong to subjects: then they count less.

    Attributes
    ----------
    levels, n_rows : of the data set
    effect : the design effect that rows were divided by; 1 where every row is its own
    subject, subjects : the column that says which rows belong together, and how many it tells apart; "" and 0 for none
    alone, undecided : rows without a subject, and whether the subjects are too few for anything to be said of links
    """

    levels: Mapping[str, tuple[str, ...]]
    n_rows: int
    effect: float = 1.0
    subject: str = ""
    subjects: int = 0
    alone: int = 0
    undecided: bool = False

    @property
    def size(self) -> float:
        """Rows by themselves that would tell as much as these."""
        return self.n_rows / self.effect

    @property
    @abstractmethod
    def n_links(self) -> int:
        """How many links there are."""

    @abstractmethod
    def doubtful_links(self) -> list[tuple[str, str]]:
        """The links that chance alone could show among so many pairs, weakest first."""

    def row_notes(self) -> list[str]:
        """What rows that belong together are worth, and what may be said of the rows."""
        if not self.subject or self.undecided:  # of too few subjects nobody knows what the rows are worth
            return list(self.made.rows)
        return [words.together(self.subject, self.n_rows, self.subjects, self.size, self.alone), *self.made.rows]

    def too_few(self) -> str:
        """Why nothing is said of any link."""
        return words.few_subjects(self.subject, self.subjects, FEWEST)

    def caveat(self) -> str:
        """How many of the links are no more than chance shows among so many pairs, as the end of a headline."""
        many = len(self.doubtful_links())
        if not many:
            return ""
        if many == self.n_links:
            return f" Chance alone could show {'it' if many == 1 else 'each of these links'}."
        return f" Chance alone could show {words.count(many, 'link')}."

    def settings_table(self, rows: Mapping[str, int]) -> pd.DataFrame:
        if self.subjects:
            worth = {f"subjects ({self.subject})": self.subjects, "rows they are worth": max(round(self.size), 1)}
            rows = {**rows, **worth}
        return super().settings_table(rows)

    def described_data(self, **more: Any) -> dict[str, Any]:
        """What a document for other programs says of the data, with its rows, and its subjects where it has some.

        Parameters
        ----------
        more : further facts by their names
        """
        if self.subjects:
            more |= {"subject": self.subject, "subjects": self.subjects, "design_effect": self.effect}
        return super().described_data(rows=self.n_rows, **more)

    def _check_read(self) -> None:
        super()._check_read()
        check_that(1.0 <= self.effect < math.inf and self.subjects >= 0, "its design effect is none")


def subject_fields(data: Dataset) -> dict[str, Any]:
    """The fields of a `LinksResult` that say which rows belong together."""
    counted = data.subject_count
    if counted is None:
        return {}
    return {
        "subject": data.subject_column,
        "subjects": counted.subjects,
        "alone": counted.alone,
        "undecided": counted.too_few,
    }
