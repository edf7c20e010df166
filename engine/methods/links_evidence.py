"""The evidence on the links of one table: rows that belong to subjects count less in it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.data.dataset import Dataset
from engine.methods.evidence import Evidence
from engine.methods.fitting import check_that


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LinksEvidence(Evidence, ABC):
    """The links of a table whose rows may belong to subjects: then they count less.

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
        """The number of links."""

    @property
    def determined(self) -> Mapping[str, float]:
        """Name -> the share that all others explain, of variables that they nearly determine: such links are unsure."""
        return {}

    @abstractmethod
    def doubtful_links(self) -> list[tuple[str, str]]:
        """The links that chance alone could show among so many pairs, weakest first."""

    def _check_read(self) -> None:
        super()._check_read()
        check_that(1.0 <= self.effect < math.inf and self.subjects >= 0, "its design effect is none")


def subject_fields(data: Dataset) -> dict[str, Any]:
    """The fields of a `LinksEvidence` that say which rows belong together."""
    counted = data.subject_count
    if counted is None:
        return {}
    return {
        "subject": data.subject_column,
        "subjects": counted.subjects,
        "alone": counted.alone,
        "undecided": counted.too_few,
    }
