"""Networks of an answer with probability tables, for whoever goes on with one: its arrows, and counts of its rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.data.dataset import Dataset
from engine.graphs.pdag import consistent_extension
from engine.lazy import nx
from engine.methods.result import Result
from engine.models.network import Network, fitted


def network_makers(result: Result, data: Dataset | None) -> dict[str, Callable[[], Network]]:
    """Title -> what makes the network with its tables, of those of an answer's graphs whose edges have directions.

    Where an edge has no direction, one DAG of the class is taken; where there is none, making it is a `DataError`.

    Parameters
    ----------
    result : any answer
    data : the rows that it was made from; None where they are not at hand
    """
    own = result.own_networks()
    if own is not None or data is None:
        return own or {}
    names, parts = set(data.names), result.rows_of_networks(data)
    return {
        title: partial(_fit, graph, parts[number])
        for number, (title, graph) in enumerate(result.directed_graphs().items())
        if graph.is_directed() and names.issuperset(graph.nodes)
    }


def _fit(graph: nx.DiGraph, rows: Dataset) -> Network:
    """A network with these arrows, or those of one DAG of the class, and tables from the rows."""
    dag = consistent_extension(graph)
    return fitted(rows.select(list(dag.nodes)), dag)
