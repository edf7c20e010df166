"""The links of two variables in either group: which are there, in which network, and what each arc is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.graphs.comparison import panels
from engine.graphs.dag import Parents, to_networkx
from engine.graphs.pdag import compelled
from engine.lazy import nx, pd
from engine.methods import frames
from engine.methods.group_difference.average.averaging import Average, Posterior
from engine.methods.group_difference.verdicts import EVEN, NOT_THERE, SURE, THERE, LinkStatus

_ARC_STATUS = {
    "same": LinkStatus.BOTH,
    "only_a": LinkStatus.ONLY_FIRST,
    "only_b": LinkStatus.ONLY_SECOND,
    "reversed": LinkStatus.REVERSED,
    "neither": LinkStatus.NEITHER,
}
"""Status of an arc of the paper's networks in the two groups, as `edges` has it."""


def link_status(average: Average | None, posterior: Posterior | None) -> np.ndarray:
    """(n, n) what the link of two variables is to the two groups; empty where orders are not averaged.

    A link of one group only makes its child differ given its parents, and which end that is may be open. So "only"
    asks, beside P(link) in either group, that P(differs) of both ends adds up to `SURE`, and that of one is at least
    `EVEN`: halves of one table would show it else.
    """
    if average is None or posterior is None:
        return np.empty((0, 0), dtype=object)
    links = average.arcs + average.arcs.transpose(0, 2, 1)
    there = links - 2 * average.errors >= THERE
    absent = links + 2 * average.errors <= NOT_THERE
    p = posterior.probabilities
    carried = (np.add.outer(p, p) >= SURE) & (np.maximum.outer(p, p) >= EVEN)
    names = [LinkStatus.BOTH, LinkStatus.ONLY_FIRST, LinkStatus.ONLY_SECOND, LinkStatus.NEITHER]
    found = (there.all(axis=0), there[0] & absent[1] & carried, absent[0] & there[1] & carried, absent.all(axis=0))
    return np.select(found, np.array(names, dtype=object), default=np.array(LinkStatus.CANNOT_TELL, dtype=object))


def averaged_network(names: Sequence[str], arcs: np.ndarray, status: np.ndarray) -> nx.DiGraph:
    """A network of what is more probable than not there, by the order of its variables."""
    graph = nx.empty_graph(names, nx.DiGraph)
    both = arcs + arcs.T
    for i, j in zip(*np.nonzero(np.triu(both, 1) > NOT_THERE), strict=True):
        about = {"status": str(status[i, j]), "probability": min(float(both[i, j]), 1.0)}
        for source, target in ((i, j), (j, i)):
            if arcs[target, source] < THERE * both[i, j]:
                graph.add_edge(names[source], names[target], **about)
    return graph


def single_order_networks(names: Sequence[str], structures: Sequence[Parents], equivalent: bool) -> list[nx.DiGraph]:
    """The paper's three networks with what every arc is."""
    graphs = [to_networkx(parents, names) for parents in structures]
    for graph, arcs in zip(graphs, panels(*graphs), strict=True):
        fixed = compelled(graph) if equivalent else set(graph.edges)
        for arc in arcs:
            graph.edges[arc.source, arc.target].update(
                status=str(_ARC_STATUS[arc.status]), compelled=(arc.source, arc.target) in fixed
            )
    return graphs


def link_table(names: Sequence[str], average: Average | None, status: np.ndarray) -> pd.DataFrame:
    """One row a pair, the most probable link first."""
    columns = ["source", "target", "probability_first", "probability_second", "larger", "status", "error"]
    if average is None:
        return frames.data_frame(columns=columns)
    links = np.minimum(average.arcs + average.arcs.transpose(0, 2, 1), 1.0)
    errors = average.errors.max(axis=0)
    largest = links.max(axis=0)
    places = zip(*(ends.tolist() for ends in np.triu_indices(len(names), 1)), strict=True)
    pairs = sorted(places, key=lambda pair: -largest[pair])
    rows = [(names[i], names[j], *links[:, i, j], largest[i, j], str(status[i, j]), errors[i, j]) for i, j in pairs]
    return frames.data_frame(rows, columns=columns)
