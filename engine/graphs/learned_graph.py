"""A graph of networkx that shows its picture in a notebook; loaded by name, since networkx is heavy."""

from __future__ import annotations

import networkx as nx

from engine.graphs.drawing.svg import graph_bundle


class LearnedGraph(nx.DiGraph):
    """The graph that `engine.learn` finds: a `networkx.DiGraph` in every respect, with a picture of itself.

    Examples
    --------
    >>> from engine.graphs.learned_graph import LearnedGraph
    >>> sorted(LearnedGraph([("age", "cough")])._repr_mimebundle_())
    ['text/html', 'text/plain']
    """

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """A line and the picture for a notebook, which asks nothing of any other host."""
        return graph_bundle(self, str(self))
