"""What is compared, an answer or a bare network: names, settings, claims, and networks under their titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine.errors import DataError
from engine.exchange.network_reader import read_graph
from engine.methods.fitting import check_names, check_that
from engine.methods.result import CLAIMS, Provenance, Result, each_edge
from engine.methods.storing import storable

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

BARE = "network"
"""Title of a network that comes alone."""


@storable
@dataclass(frozen=True)
class BareNetwork:
    """A network without an answer of a method: of another program, or somebody's drawing.

    Attributes
    ----------
    names : the variables
    edges : source and target; one that has no direction stands in it both ways where the network is directed
    directed : whether edges have directions
    """

    names: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    directed: bool

    @classmethod
    def of(cls, graph: nx.Graph) -> BareNetwork:
        """The network of a graph, its nodes by their names as texts."""
        edges = tuple((str(a), str(b)) for a, b in graph.edges if a != b)
        return cls(tuple(str(node) for node in graph.nodes), edges, bool(graph.is_directed()))

    def graph(self) -> nx.Graph:
        """The same as a networkx graph."""
        import networkx as nx

        graph = nx.DiGraph() if self.directed else nx.Graph()
        graph.add_nodes_from(self.names)
        graph.add_edges_from(self.edges)
        return graph

    def _check_read(self) -> None:
        check_names(self.names)
        check_that({name for edge in self.edges for name in edge} <= set(self.names), "an edge has no such end")


class Side:
    """One of two that are compared; what a bare network lacks is empty. Each part is made when it is asked for.

    Parameters
    ----------
    answer : of a method, or a bare network

    Attributes
    ----------
    names : the variables
    provenance : where an answer comes from
    """

    def __init__(self, answer: Result | BareNetwork) -> None:
        self.answer, self.names = answer, answer.names
        self.provenance: Provenance | None = answer.provenance if isinstance(answer, Result) else None

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """Method and settings, by name."""
        return {"method": self.answer.slug, **self.answer.settings()} if isinstance(self.answer, Result) else {}

    @cached_property
    def claims(self) -> pd.DataFrame:
        """As `Result.claims`."""
        import pandas as pd

        return self.answer.claims() if isinstance(self.answer, Result) else pd.DataFrame(columns=list(CLAIMS))

    @cached_property
    def graphs(self) -> Mapping[str, nx.Graph]:
        """Title -> network."""
        return self.answer.graphs() if isinstance(self.answer, Result) else {BARE: self.answer.graph()}

    def edges(self) -> Iterator[tuple[str, str, str, str]]:
        """Network, source, target and mark of every edge."""
        if isinstance(self.answer, Result):
            rows = self.answer.edges()[["network", "source", "target", "mark"]].itertuples(index=False)
            yield from ((row.network, row.source, row.target, row.mark) for row in rows)
            return
        for title, graph in self.graphs.items():
            for source, target, directed, _ in each_edge(graph):
                yield title, source, target, "->" if directed else "--"


def answer_of(given: Any, call: str) -> Result | BareNetwork:
    """An answer as it is, a networkx graph or the content of a network's file as a bare network."""
    if isinstance(given, Result | BareNetwork):
        return given
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
    return BareNetwork.of(given)
