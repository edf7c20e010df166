"""What the links of two variables are to the two groups: which are there, in which network, and how they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.lazy import nx, pd
from engine.methods import frames
from engine.methods.group_difference.verdicts import EVEN, NOT_THERE, THERE, LinkStatus

if TYPE_CHECKING:
    from engine.methods.group_difference.result import GroupDifferenceResult


def status_of(result: GroupDifferenceResult) -> np.ndarray:
    """(n, n) what the link of two variables is to the two groups, in words.

    A link of one group only makes its child differ given its parents. So "only" asks, beside P(link) in either
    group, that one of its ends is more probable than not to differ: halves of one table would show it else.
    """
    posterior = result.posterior
    if result.average is None or posterior is None:
        return np.empty((0, 0), dtype=object)
    links = result.average.arcs + result.average.arcs.transpose(0, 2, 1)
    there = links - 2 * result.average.errors >= THERE
    absent = links + 2 * result.average.errors <= NOT_THERE
    differs = posterior.probabilities >= EVEN
    carried = differs[:, None] | differs
    names = [LinkStatus.BOTH, LinkStatus.ONLY_FIRST, LinkStatus.ONLY_SECOND, LinkStatus.NEITHER]
    found = (there.all(axis=0), there[0] & absent[1] & carried, absent[0] & there[1] & carried, absent.all(axis=0))
    return np.select(found, np.array(names, dtype=object), default=np.array(LinkStatus.CANNOT_TELL, dtype=object))


def add_links(result: GroupDifferenceResult, graph: nx.DiGraph, arcs: np.ndarray) -> None:
    """Put into a network what is more probable than not there, by the order of its variables."""
    status = result._link_status
    both = arcs + arcs.T
    for i, j in zip(*np.nonzero(np.triu(both, 1) > NOT_THERE), strict=True):
        about = {"status": str(status[i, j]), "probability": min(float(both[i, j]), 1.0)}
        for source, target in ((i, j), (j, i)):
            if arcs[target, source] < THERE * both[i, j]:
                graph.add_edge(result.names[source], result.names[target], **about)


def table_of(result: GroupDifferenceResult) -> pd.DataFrame:
    """One row a pair, the most probable link first."""
    columns = ["source", "target", "probability_first", "probability_second", "larger", "status", "error"]
    if result.average is None:
        return frames.data_frame(columns=columns)
    links = np.minimum(result.average.arcs + result.average.arcs.transpose(0, 2, 1), 1.0)
    errors = result.average.errors.max(axis=0)
    largest = links.max(axis=0)
    pairs = sorted(zip(*np.triu_indices(len(result.names), 1), strict=True), key=lambda pair: -largest[pair])
    rows = [
        (result.names[i], result.names[j], *links[:, i, j], largest[i, j], str(result._link_status[i, j]), errors[i, j])
        for i, j in pairs
    ]
    return frames.data_frame(rows, columns=columns)
