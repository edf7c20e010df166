"""GraphML as a stranger may have written it: without document types, entities or other files."""

from __future__ import annotations

import json
from typing import Any, NoReturn
from xml.etree import ElementTree

from engine.errors import DataError
from engine.lazy import nx

MOST_NODES, MOST_EDGES, MOST_DEPTH = 1_000, 200_000, 50
"""Most variables and edges that are read, and how deep elements may nest (yEd's go twelve deep)."""
_LONGEST = 10_000
"""Characters of a name."""
_NAMES = ("name_json", "label", "name")
"""Attributes of a node that say its name, the surest first; its id where it has none."""


class _Builder(ElementTree.TreeBuilder):
    """Makes the tree of a file; refuses what no network needs before anything of it is made."""

    depth = 0

    def doctype(self, *_: Any) -> NoReturn:
        _fail("it declares a document type or an entity, which no network needs")

    def start(self, tag: str, attributes: dict[str, str]) -> ElementTree.Element:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            _fail("its elements nest too deep")
        return super().start(tag, attributes)

    def end(self, tag: str) -> ElementTree.Element:
        self.depth -= 1
        return super().end(tag)


def from_graphml(content: bytes) -> nx.Graph:
    """The network of a GraphML file: nodes by the name, label or id they have; attributes of edges are passed over."""
    root = _parsed(content)
    keys = {
        key.get("id"): key.get("attr.name") for key in _inside(root, "key") if key.get("for") in (None, "node", "all")
    }
    names: dict[str, str] = {}
    edges: list[tuple[str, str, bool]] = []
    for whole in _inside(root, "graph"):
        if len(_inside(whole, "graph")) > 1:
            _fail("a network stands inside another")
        if _inside(whole, "hyperedge"):
            _fail("it has an edge of more than two variables")
        for node in _inside(whole, "node"):
            ident = node.get("id")
            if ident is None or ident in names:
                _fail("a node has no id, or that of another")
            names[ident] = _name(node, ident, keys)
        usual = "false" if whole.get("edgedefault") == "undirected" else "true"
        for edge in _inside(whole, "edge"):
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
            _fail(f"an edge runs from '{names[source][:60]}' to itself")
        graph.add_edge(names[source], names[target])
        if not way and graph.is_directed():
            graph.add_edge(names[target], names[source])
    return graph


def _parsed(content: bytes) -> ElementTree.Element:
    try:
        parser = ElementTree.XMLParser(target=_Builder())  # noqa: S314 - document types, and so entities, are refused
        parser.feed(content)
        root: ElementTree.Element = parser.close()
    except ElementTree.ParseError as error:
        raise DataError(f"This GraphML file cannot be read at line {error.position[0]}; save it again.") from None
    except (ValueError, LookupError) as error:  # an encoding that nobody knows is a LookupError
        if isinstance(error, DataError):
            raise
        raise DataError("This GraphML file cannot be read; save it again as UTF-8.") from None
    return root


def _inside(element: ElementTree.Element, tag: str) -> list[ElementTree.Element]:
    """The element and all inside it that are called so, whatever the namespace."""
    return [item for item in element.iter() if item.tag.rpartition("}")[2] == tag]


def _name(node: ElementTree.Element, ident: str, keys: dict[str | None, str | None]) -> str:
    given = [(keys.get(part.get("key")), part) for part in _inside(node, "data")]
    given += [("label", part) for part in _inside(node, "NodeLabel")]  # as yEd writes names
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
