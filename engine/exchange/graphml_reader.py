"""GraphML as a stranger may have written it: without document types, entities or other files."""

from __future__ import annotations

import json
from typing import NoReturn
from xml.etree import ElementTree

from engine.errors import DataError
from engine.exchange.xml_reader import all_inside, parse_xml
from engine.lazy import nx
from engine.words import short

MOST_NODES, MOST_EDGES = 1_000, 200_000
"""Most variables and edges that are read."""
_LONGEST = 10_000
"""Characters of a name."""
_NAMES = ("name_json", "label", "name")
"""Attributes of a node that say its name, the surest first; its id where it has none."""


def from_graphml(content: bytes) -> nx.Graph:
    """The network of a GraphML file: nodes by the name, label or id they have; attributes of edges are passed over."""
    root = parse_xml(content, "GraphML")
    keys = {
        key.get("id"): key.get("attr.name")
        for key in all_inside(root, "key")
        if key.get("for") in (None, "node", "all")
    }
    names: dict[str, str] = {}
    edges: list[tuple[str, str, bool]] = []
    for whole in all_inside(root, "graph"):
        if len(all_inside(whole, "graph")) > 1:
            _fail("a network stands inside another")
        if all_inside(whole, "hyperedge"):
            _fail("it has an edge of more than two variables")
        for node in all_inside(whole, "node"):
            ident = node.get("id")
            if ident is None or ident in names:
                _fail("a node has no id, or that of another")
            names[ident] = _name(node, ident, keys)
        usual = "false" if whole.get("edgedefault") == "undirected" else "true"
        for edge in all_inside(whole, "edge"):
            edges.append((edge.get("source", ""), edge.get("target", ""), edge.get("directed", usual) == "true"))
    if len(names) > MOST_NODES:
        _fail(f"it has more than {MOST_NODES:,} variables")
    if len(edges) > MOST_EDGES:
        _fail(f"it has more than {MOST_EDGES:,} edges")
    if not names:
        _fail("it has no variables")
    if len(set(names.values())) != len(names):
        _fail("two of its variables have the same name")
    graph = nx.DiGraph() if not edges or any(way for _, _, way in edges) else nx.Graph()
    graph.add_nodes_from(names.values())
    for source, target, way in edges:
        if source not in names or target not in names:
            _fail("an edge leads to no variable")
        if source == target:
            _fail(f"an edge runs from '{short(names[source], 60)}' to itself")
        graph.add_edge(names[source], names[target])
        if not way and graph.is_directed():
            graph.add_edge(names[target], names[source])
    return graph


def _name(node: ElementTree.Element, ident: str, keys: dict[str | None, str | None]) -> str:
    given = [(keys.get(part.get("key")), part) for part in all_inside(node, "data")]
    given += [("label", part) for part in all_inside(node, "nodelabel")]  # as yEd writes names
    text = {name: "".join(part.itertext()) for name, part in reversed(given) if name in _NAMES}
    if any(len(value) > _LONGEST for value in text.values()):
        _fail("a name is too long")
    try:
        exact = json.loads(text.get("name_json", "null"))
    except (ValueError, RecursionError):
        exact = None
    if isinstance(exact, str):
        return exact
    return next((text[name].strip() for name in _NAMES[1:] if text.get(name, "").strip()), ident)


def _fail(why: str) -> NoReturn:
    raise DataError(f"This GraphML file cannot be read: {why}.")
