"""Base of the answers on the links of one table: evidence told, with the rows that belong to subjects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.lazy import pd
from engine.methods.links_evidence import LinksEvidence
from engine.methods.result import Result
from engine.telling import links
from engine.text import Name, Text, first, joined, told

TWO_MEASURES = (
    "Associations (shares of levels) and Ordinal networks (partial correlations) measure links differently. "
    "For ratings and numbers read Ordinal networks, for categories Associations."
)
"""What joins both answers on the links of one table."""
NO_LINK = (
    "{} differs by {} in Group differences, though no link between them is found: links are sought in ranges or "
    "ranks, given the others."
)
"""What joins them with one on groups."""


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


def reconcile_results(results: Iterable[Any]) -> Text:
    """Say how answers on one table that seem to contradict each other go together; empty where none do.

    Parameters
    ----------
    results : of any methods, of one table or of several

    Returns
    -------
    `Text`: that two methods measure links differently; what differs between groups and is linked with them by none
    """
    every = list(results)
    tables = [table for table, _ in {(one.fingerprint, type(one)) for one in every if isinstance(one, LinksResult)}]
    said = [TWO_MEASURES] if len(set(tables)) < len(tables) else []
    for result in every:
        if group := getattr(result.method, "group", ""):
            names = [name for name in _differing(result) if _without_link(every, result.fingerprint, name, group)]
            said += [told(NO_LINK, first(map(Name, names), 3), Name(group))] if names else []
    return joined(dict.fromkeys(said))


def _differing(result: Any) -> list[str]:
    """The variables of which an answer claims that they differ."""
    claims = result.claims()
    return list(claims.loc[(claims["kind"] == "differs") & (claims["verdict"] == "yes"), "about"])


def _without_link(results: Iterable[Any], table: str, *ends: str) -> bool:
    """Whether answers on the links of a table have both variables, and none of their graphs joins them."""
    both = [one for one in results if isinstance(one, LinksResult) and one.fingerprint == table]
    graphs = [graph for one in both if {*ends} <= {*one.names} for graph in one.graphs().values()]
    return bool(graphs) and not any(graph.has_edge(*ends) or graph.has_edge(*ends[::-1]) for graph in graphs)
