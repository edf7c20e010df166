"""Networks of an answer with probability tables, for whoever goes on with one: its arrows, and counts of its rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.data.dataset import Dataset
from engine.graphs.pdag import consistent_extension
from engine.lazy import nx
from engine.methods.result import Result
from engine.models.network import Network, fitted


def network_makers(result: Result, data: Dataset | None) -> dict[str, Callable[[], Network]]:
    """Title -> what makes the network with its tables, of those of an answer's graphs whose edges have directions.

    An answer that brings tables along says so by `population_network` or `fitted`, one whose networks were learned on
    other rows each by `rows_of_networks`, one that has an equivalent directed network by `directed`. Where an edge has
    no direction, one DAG of the class is taken; where there is none, making it is a `DataError`.

    Parameters
    ----------
    result : any answer
    data : the rows that it was made from; None where they are not at hand
    """
    answer: Any = result
    if hasattr(answer, "population_network"):
        network = answer.population_network
        return {} if network is None else {"population": lambda: network}
    if hasattr(answer, "fitted"):
        return {} if answer.series else {title: partial(answer.fitted, title) for title in answer.graphs()}
    if data is None:
        return {}
    names = set(data.names)
    graphs = {"directed": answer.directed()} if hasattr(answer, "directed") else answer.graphs()
    parts = answer.rows_of_networks(data) if hasattr(answer, "rows_of_networks") else None
    return {
        title: partial(_fit, graph, data if parts is None else parts[number])
        for number, (title, graph) in enumerate(graphs.items())
        if graph.is_directed() and names.issuperset(graph.nodes)
    }


def _fit(graph: nx.DiGraph, rows: Dataset) -> Network:
    """A network with these arrows, or those of one DAG of the class, and tables from the rows."""
    dag = consistent_extension(graph)
    return fitted(rows.select(list(dag.nodes)), dag)
