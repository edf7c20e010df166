"""GraphML (Gephi, yEd, Cytoscape, networkx) and DOT (Graphviz).

Nodes are called n0, n1, ... in both, in the order of the graph; the name stands in the label. So no name,
however long or odd, is ever part of the file's own language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from engine.exchange.graph_json import plain_attributes
from engine.lazy import nx

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")


def to_graphml(graph: nx.Graph, labels: Mapping[str, str] | None = None) -> str:
    """GraphML with the name of each node as `label`, and the plain attributes of nodes and edges.

    XML cannot hold control characters; they become U+FFFD in the label, and the exact name stands beside it
    in `name_json` (a JSON string). An undirected edge of a CPDAG is two arcs.

    Parameters
    ----------
    graph : a networkx graph
    labels : name -> `label` in place of it; the name then stands beside it as `name` and in `name_json`

    Returns
    -------
    the text of the file

    Examples
    --------
    >>> import networkx as nx
    >>> engine.exchange.to_graphml(nx.DiGraph([("age", "cough")])).count("<node")
    2
    """
    out = graph.__class__()
    ids = {node: f"n{i}" for i, node in enumerate(graph.nodes)}
    for node, attributes in graph.nodes(data=True):
        words: dict[str, object] = _xml_attributes(attributes)
        words["label"] = _xml((labels or {}).get(str(node), str(node)))
        if labels and str(node) in labels:
            words["name"] = _xml(str(node))
        if words["label"] != str(node) or "\r" in str(node):
            words["name_json"] = json.dumps(str(node))
        out.add_node(ids[node], **words)
    for a, b, attributes in graph.edges(data=True):
        out.add_edge(ids[a], ids[b], **_xml_attributes(attributes))
    return "\n".join(nx.generate_graphml(out)) + "\n"


def _xml_attributes(attributes: dict[object, object]) -> dict[str, object]:
    plain = plain_attributes(attributes)
    big = 2**63
    return {
        _xml(key): _xml(value) if isinstance(value, str) else float(value) if abs(value) >= big else value
        for key, value in plain.items()
    }


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)


def to_dot(graph: nx.Graph) -> str:
    """DOT with the name of each node as its label; an undirected edge of a CPDAG is drawn once, without
    arrowhead.

    Parameters
    ----------
    graph : a networkx graph

    Returns
    -------
    the text of the file

    Examples
    --------
    >>> import networkx as nx
    >>> engine.exchange.to_dot(nx.DiGraph([("age", "cough")])).splitlines()[2]
    '  n0 ["label"="age"];'
    """
    directed = graph.is_directed()
    ids = {node: f"n{i}" for i, node in enumerate(graph.nodes)}
    lines = ["digraph {" if directed else "graph {", "  node [shape=box];"]
    for node, attributes in graph.nodes(data=True):
        lines.append(f"  {ids[node]} {_dot_attributes({**plain_attributes(attributes), 'label': str(node)})};")
    done = set()
    for a, b, attributes in graph.edges(data=True):
        both = directed and a != b and graph.has_edge(b, a)
        if both and (b, a) in done:
            continue
        done.add((a, b))
        words = {**plain_attributes(attributes), **({"dir": "none"} if both else {})}
        lines.append(f"  {ids[a]} {'->' if directed else '--'} {ids[b]} {_dot_attributes(words)};")
    return "\n".join([*lines, "}"]) + "\n"


def _dot_attributes(words: dict[str, str | int | float | bool]) -> str:
    return "[" + ", ".join(f"{_dot(key)}={_dot(str(value))}" for key, value in words.items()) + "]" if words else ""


def _dot(text: str) -> str:
    r"""A quoted DOT string; backslashes are doubled, so that Graphviz' own escapes (\N, \G) stay letters."""
    text = _SURROGATE.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROL.sub("\ufffd", text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n"))
    return f'"{text}"'
