"""What is compared, an answer or a bare network: names, settings, claims, and networks under their titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.errors import DataError
from engine.exchange.read_graph import read_graph
from engine.methods.result import CLAIMS, Provenance, Result, each_edge

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

BARE = "network"
"""Title of a network that comes alone."""


@dataclass(frozen=True, eq=False)
class Side:
    """One of two that are compared; what a bare network lacks is empty.

    Attributes
    ----------
    names : the variables
    settings : method and settings, by name
    claims : as `Result.claims`
    graphs : title -> network
    provenance : where an answer comes from
    """

    names: tuple[str, ...]
    settings: Mapping[str, Any]
    claims: pd.DataFrame
    graphs: Mapping[str, nx.Graph]
    provenance: Provenance | None = None
    _edges: pd.DataFrame | None = field(default=None)

    def edges(self) -> Iterator[tuple[str, str, str, str]]:
        """Network, source, target and mark of every edge."""
        if self._edges is not None:
            rows = self._edges[["network", "source", "target", "mark"]].itertuples(index=False)
            yield from ((row.network, row.source, row.target, row.mark) for row in rows)
            return
        for title, graph in self.graphs.items():
            for source, target, directed, _ in each_edge(graph):
                yield title, source, target, "->" if directed else "--"


def side_of(given: Any, call: str) -> Side:
    """An answer, a networkx graph or the content of a network's file as a side.

    Parameters
    ----------
    given : what was handed over
    call : what was called, for the sentence

    Returns
    -------
    `Side`

    Raises
    ------
    DataError : it is none of these, or a file that cannot be read
    """
    import pandas as pd

    if isinstance(given, Result):
        settings = {"method": given.slug, **given.settings()}
        return Side(given.names, settings, given.claims(), given.graphs(), given.provenance, given.edges())
    if isinstance(given, bytes | bytearray):
        given = read_graph(bytes(given))
    if not (hasattr(given, "is_directed") and hasattr(given, "nodes") and hasattr(given, "edges")):
        raise DataError(
            f"{call} takes the results of two runs, networkx graphs, or the content of a network's file, not a "
            f"{type(given).__name__}."
        )
    if given.is_multigraph():
        raise DataError("A network with several edges between two variables cannot be compared; keep one of each.")
    names = [str(node) for node in given.nodes]
    if len(set(names)) != len(names):
        raise DataError("Two variables of the network have the same name as texts; give each its own.")
    graph = given.__class__()
    graph.add_nodes_from(names)
    graph.add_edges_from((str(a), str(b)) for a, b in given.edges if a != b)
    return Side(tuple(names), {}, pd.DataFrame(columns=list(CLAIMS)), {BARE: graph})
