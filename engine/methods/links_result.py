"""Base of the answers on the links of one table: evidence told, with the rows that belong to subjects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.lazy import pd
from engine.methods.links_evidence import LinksEvidence
from engine.methods.result import Result
from engine.telling import links

TWO_MEASURES = (
    "Associations (shares of levels) and Ordinal networks (correlations of ranks) measure links differently. "
    "For ratings and numbers read Ordinal networks, for categories Associations."
)
"""What joins both answers on the links of one table."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LinksResult(LinksEvidence, Result):
    """An answer on the links of a table whose rows may belong to subjects; see `LinksEvidence`."""

    row_notes = links.row_notes

    too_few = links.too_few

    caveat = links.caveat

    def settings_table(self, rows: Mapping[str, int]) -> pd.DataFrame:
        if self.subjects:
            worth = {f"subjects ({self.subject})": self.subjects, "rows they are worth": max(round(self.size), 1)}
            rows = {**rows, **worth}
        return super().settings_table(rows)

    def described_data(self, **more: Any) -> dict[str, Any]:
        """The data in a document for other programs, with its rows, and its subjects where it has some.

        Parameters
        ----------
        more : further facts by their names
        """
        if self.subjects:
            more |= {"subject": self.subject, "subjects": self.subjects, "design_effect": self.effect}
        return super().described_data(rows=self.n_rows, **more)


def two_measures(results: Iterable[object]) -> str:
    """Say that two methods which answer on the links of one table measure them differently; "" of other results.

    Parameters
    ----------
    results : of any methods, of one table or of several
    """
    tables = [table for table, _ in {(one.fingerprint, type(one)) for one in results if isinstance(one, LinksResult)}]
    return TWO_MEASURES if len(set(tables)) < len(tables) else ""
