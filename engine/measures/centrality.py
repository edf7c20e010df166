"""How central the nodes of a signed, weighted network without directions are.

Every function takes weights of shape (..., p, p), symmetric, whose diagonal does not count, and gives (..., p); several
networks, such as draws of one, are measured in one call. Values equal those of the R packages qgraph (strength,
closeness, betweenness) and networktools (expected influence, bridges) on the same weights.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from engine.lazy import nx


def strength(weights: np.ndarray) -> np.ndarray:
    """Sum of the sizes of a node's links, sum over j of |w_ij| (Barrat et al. 2004).

    Parameters
    ----------
    weights : (..., p, p)

    Examples
    --------
    >>> strength(np.array([[0, 0.5, -0.2], [0.5, 0, 0], [-0.2, 0, 0]])).tolist()
    [0.7, 0.5, 0.2]
    """
    return np.asarray(np.abs(_links(weights)).sum(axis=-1))


def expected_influence(weights: np.ndarray, steps: int = 1) -> np.ndarray:
    """Sum of a node's links with their signs, e_i = sum over j of w_ij (Robinaugh, Millner & McNally 2016).

    Parameters
    ----------
    weights : (..., p, p)
    steps : 1, or 2 for e_i + sum over j of w_ij e_j, what goes on from its neighbours

    Examples
    --------
    >>> weights = np.array([[0, 0.5, -0.2], [0.5, 0, 0], [-0.2, 0, 0]])
    >>> expected_influence(weights).tolist()
    [0.3, 0.5, -0.2]
    """
    links = _links(weights)
    result = np.asarray(links.sum(axis=-1))
    return result if steps == 1 else result + np.einsum("...ij,...j->...i", links, result)


def bridge_strength(weights: np.ndarray, communities: Sequence[Hashable]) -> np.ndarray:
    """`strength` of the links to nodes of other communities (Jones, Ma & McNally 2021).

    Parameters
    ----------
    weights : (..., p, p)
    communities : (p,) what each node belongs to; None for nothing
    """
    return strength(_links(weights) * _apart(communities))


def bridge_expected_influence(weights: np.ndarray, communities: Sequence[Hashable]) -> np.ndarray:
    """`expected_influence` over the links to nodes of other communities (Jones, Ma & McNally 2021).

    Parameters
    ----------
    weights : (..., p, p)
    communities : (p,) what each node belongs to; None for nothing
    """
    return expected_influence(_links(weights) * _apart(communities))


def closeness(weights: np.ndarray) -> np.ndarray:
    """One over the sum of the distances to all other nodes, a link being 1 / |w| long; 0 where one is out of reach.

    Parameters
    ----------
    weights : (p, p)
    """
    graph, p = _distances(weights), len(weights)
    result = np.zeros(p)
    for node, reached in nx.all_pairs_dijkstra_path_length(graph, weight="distance"):
        if len(reached) == p and p > 1:
            result[node] = 1.0 / sum(reached.values())
    return result


def betweenness(weights: np.ndarray) -> np.ndarray:
    """On how many shortest paths between two others a node lies, both ways counted, a link being 1 / |w| long.

    Parameters
    ----------
    weights : (p, p)
    """
    between = nx.betweenness_centrality(_distances(weights), normalized=False, weight="distance")
    return 2.0 * np.array([between[node] for node in range(len(weights))])


def _links(weights: np.ndarray) -> np.ndarray:
    """The weights with zeros on the diagonal."""
    return np.asarray(weights, dtype=float) * ~np.eye(np.shape(weights)[-1], dtype=bool)


def _apart(communities: Sequence[Hashable]) -> np.ndarray:
    """(p, p) whether two nodes belong to different communities; one of none is apart from nobody."""
    place = {community: number for number, community in enumerate(dict.fromkeys(communities))}
    numbers = np.array([place[community] for community in communities])
    member = np.array([community is not None for community in communities])
    return (numbers[:, None] != numbers) & member[:, None] & member


def _distances(weights: np.ndarray) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(range(len(weights)))
    for i, j in np.argwhere(np.triu(weights, 1) != 0).tolist():
        graph.add_edge(i, j, distance=1.0 / abs(float(weights[i, j])))
    return graph
