"""A network from a file, whatever it is: BIF, GraphML, our JSON, or an edge list."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

from engine.data.reading.limits import Limits
from engine.errors import DataError
from engine.exchange.edge_list import NetworkRead, guess_columns, network_from_table, read_network
from engine.exchange.graphml_reader import from_graphml
from engine.exchange.rehearsal import rehearse

if TYPE_CHECKING:
    import networkx as nx

Source = str | os.PathLike[str] | bytes | IO[bytes]


def read_graph(source: Source, name: str | None = None) -> nx.Graph:
    r"""The network of a BIF, GraphML or JSON file or of an edge list, found out by content.

    Parameters
    ----------
    source : a path, the content as bytes, or a file opened for bytes
    name : of the file, for the sentences; that of the path where None

    Returns
    -------
    networkx.DiGraph with texts as names, an undirected edge both ways; networkx.Graph where no edge has a direction.
    Probabilities, scores and attributes are passed over

    Raises
    ------
    DataError : it is none of these, too large, damaged, or its arcs go round where they must not

    Examples
    --------
    >>> list(engine.exchange.read_graph(b"from,to\nage,cough\nsmoking,cough\n").edges)
    [('age', 'cough'), ('smoking', 'cough')]
    """
    content, name = _content(source, name)
    start = content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not content.strip():
        raise DataError("The file is empty; choose one that holds a network.")
    if start.startswith(b"<") and b"<gexf" not in start:
        rehearse(content, "graphml")
        return from_graphml(content)
    try:
        result = read_network(content, name)
        if not isinstance(result, NetworkRead):
            result = network_from_table(result, guess_columns(result))
    except (UnicodeDecodeError, LookupError, RecursionError):
        raise DataError("This file cannot be read as a network. Give an edge list, BIF, GraphML or JSON.") from None
    graph = result.graph
    undirected = bool(graph.edges) and all(graph.has_edge(b, a) for a, b in graph.edges)
    return graph.to_undirected() if undirected and start.startswith(b"{") else graph


def _content(source: Source, name: str | None) -> tuple[bytes, str]:
    if isinstance(source, bytes | bytearray):
        content = bytes(source)
    elif isinstance(source, str | os.PathLike):
        path = Path(source)
        name = path.name if name is None else name
        try:
            Limits().check_file(path.stat().st_size)
            content = path.read_bytes()
        except (OSError, ValueError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(f"There is no file '{path.name[:100]}' that can be read at the path given.") from None
    elif hasattr(source, "read"):
        content = source.read(Limits().file_bytes + 1)
        if not isinstance(content, bytes):
            raise DataError("Open the file for bytes: open(path, 'rb').")
    else:
        raise DataError(f"Give a path, bytes or an open file, not a {type(source).__name__}.")
    Limits().check_file(len(content))
    return content, name or ""
