"""GraphML as a stranger may have written it: read in a stream, without document types, entities or other files."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NoReturn
from xml.parsers import expat

from engine.errors import DataError
from engine.lazy import nx

MOST_NODES, MOST_EDGES, MOST_DEPTH = 1_000, 200_000, 50
"""Most variables and edges that are read, and how deep elements may nest (yEd's go twelve deep)."""
_LONGEST = 10_000
"""Characters of a name."""
_NAMES = ("name_json", "label", "name")
"""Attributes of a node that say its name, the surest first; its id where it has none."""


@dataclass
class _Reader:
    """What was read so far; the parser calls the three methods below."""

    keys: dict[str, str] = field(default_factory=dict)
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    edges: list[tuple[str, str, bool]] = field(default_factory=list)
    directed: bool = True
    node: str | None = None
    data: str | None = None
    text: list[str] = field(default_factory=list)
    path: list[str] = field(default_factory=list)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rsplit(":", 1)[-1]
        self.path.append(tag)
        if len(self.path) > MOST_DEPTH:
            _fail("its elements nest too deep")
        if tag == "graph":
            if self.path.count("graph") > 1:
                _fail("a network stands inside another")
            self.directed = attributes.get("edgedefault", "directed") != "undirected"
        elif tag == "key" and attributes.get("for", "node") in ("node", "all"):
            self.keys[attributes.get("id", "")] = attributes.get("attr.name", "")
        elif tag == "node":
            self.node = attributes.get("id")
            if self.node is None or self.node in self.names:
                _fail("a node has no id, or that of another")
            self.names[self.node] = {}
            if len(self.names) > MOST_NODES:
                _fail(f"it has more than {MOST_NODES:,} variables")
        elif tag == "edge":
            way = attributes.get("directed", "true" if self.directed else "false")
            self.edges.append((attributes.get("source", ""), attributes.get("target", ""), way == "true"))
            if len(self.edges) > MOST_EDGES:
                _fail(f"it has more than {MOST_EDGES:,} edges")
        elif tag == "hyperedge":
            _fail("it has an edge of more than two variables")
        elif tag == "data" and self.node is not None:
            self.data, self.text = self.keys.get(attributes.get("key", "")), []
        elif tag == "NodeLabel" and self.node is not None:  # as yEd writes names
            self.data, self.text = "label", []

    def words(self, text: str) -> None:
        if self.data is not None:
            self.text.append(text)
            if sum(map(len, self.text)) > _LONGEST:
                _fail("a name is too long")

    def end(self, tag: str) -> None:
        tag = self.path.pop()
        if tag in ("data", "NodeLabel") and self.node is not None:
            text = "".join(self.text)
            if self.data in _NAMES and text.strip():
                self.names[self.node].setdefault(self.data, text)
            self.data = None
        elif tag == "node":
            self.node = None


def from_graphml(content: bytes) -> nx.Graph:
    """The network of a GraphML file: nodes by the name, label or id they have; attributes of edges are passed over."""
    reader, parser = _Reader(), expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.words
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = parser.ExternalEntityRefHandler = _refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise DataError(f"This GraphML file cannot be read at line {error.lineno}; save it again.") from None
    except (ValueError, LookupError) as error:  # an encoding that nobody knows is a LookupError
        if isinstance(error, DataError):
            raise
        raise DataError("This GraphML file cannot be read; save it again as UTF-8.") from None
    if not reader.names:
        _fail("it has no variables")
    called = {node: _name(node, words) for node, words in reader.names.items()}
    if len(set(called.values())) != len(called):
        _fail("two of its variables have the same name")
    graph = nx.DiGraph() if not reader.edges or any(way for _, _, way in reader.edges) else nx.Graph()
    graph.add_nodes_from(called.values())
    for source, target, way in reader.edges:
        if source not in called or target not in called:
            _fail("an edge leads to no variable")
        if source == target:
            _fail(f"an edge runs from '{called[source][:60]}' to itself")
        graph.add_edge(called[source], called[target])
        if not way and graph.is_directed():
            graph.add_edge(called[target], called[source])
    return graph


def _name(node: str, text: dict[str, str]) -> str:
    if "name_json" in text:
        try:
            exact = json.loads(text["name_json"])
        except (ValueError, RecursionError):
            exact = None
        if isinstance(exact, str):
            return exact
    return next((text[name].strip() for name in _NAMES[1:] if name in text), node)


def _refuse(*_: Any) -> NoReturn:
    _fail("it declares a document type or an entity, which no network needs")


def _fail(why: str) -> NoReturn:
    raise DataError(f"This GraphML file cannot be read: {why}.")
