"""A network as JSON: nodes and links by name, with a version; read back as if it came from a stranger."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from engine.errors import DataError
from engine.graphs.dag import check_acyclic
from engine.lazy import nx

FORMAT, VERSION = "diptych-graph", 1
MAX_CHARACTERS, MAX_DEPTH = 20_000_000, 8
"""Largest file that is read, and how deep its brackets may nest (our own go four deep)."""
_KINDS = ("dag", "cpdag", "undirected")


def to_json(graph: nx.Graph) -> str:
    """The graph as JSON.

    An object with `format`, `version`, `kind` ("dag", "cpdag" with undirected edges both ways, or
    "undirected"), `nodes` (name, attributes) and `edges` (source, target, attributes). Angle brackets and
    ampersands are written as escapes, so the text can stand inside a web page. Attributes that are no single
    finite value are left out.

    Parameters
    ----------
    graph : a networkx graph

    Returns
    -------
    the text of the file

    Examples
    --------
    >>> import json, networkx as nx
    >>> json.loads(engine.exchange.to_json(nx.DiGraph([("age", "cough")])))["kind"]
    'dag'
    """
    kind = "undirected"
    if graph.is_directed():
        kind = "cpdag" if any(a != b and graph.has_edge(b, a) for a, b in graph.edges) else "dag"
    nodes = [{"name": str(node), "attributes": plain_attributes(a)} for node, a in graph.nodes(data=True)]
    edges = [
        {"source": str(a), "target": str(b), "attributes": plain_attributes(words)}
        for a, b, words in graph.edges(data=True)
    ]
    whole = {"format": FORMAT, "version": VERSION, "kind": kind, "nodes": nodes, "edges": edges}
    text = json.dumps(whole, ensure_ascii=True, allow_nan=False, indent=1)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def from_json(text: str) -> nx.Graph:
    """The graph that `to_json` wrote.

    Parameters
    ----------
    text : the content of the file

    Returns
    -------
    networkx.DiGraph, or networkx.Graph for an undirected one

    Raises
    ------
    DataError : the text is too long or nested, no JSON, of another version or form, or its arcs go in a
        circle

    Examples
    --------
    >>> import networkx as nx
    >>> text = engine.exchange.to_json(nx.DiGraph([("age", "cough")]))
    >>> list(engine.exchange.from_json(text).edges)
    [('age', 'cough')]
    """
    whole = _parse(text)
    _keys(whole, ("format", "version", "kind", "nodes", "edges"), "the file")
    if whole["format"] != FORMAT:
        raise DataError("This JSON file is not a network saved by Diptych.")
    if type(whole["version"]) is not int or whole["version"] != VERSION:
        raise DataError(f"This file has version {_show(whole['version'])}; this Diptych reads version {VERSION}.")
    if whole["kind"] not in _KINDS:
        raise DataError(f"'kind' is {_show(whole['kind'])}; it can be {', '.join(_KINDS)}.")
    graph = nx.Graph() if whole["kind"] == "undirected" else nx.DiGraph()
    for i, node in enumerate(_list(whole, "nodes"), start=1):
        _keys(node, ("name", "attributes"), f"node {i}")
        if not isinstance(node["name"], str):
            raise DataError(f"The name of node {i} is {_show(node['name'])}; it must be text.")
        if node["name"] in graph:
            raise DataError(f"Two nodes are called {_show(node['name'])}; give each its own name.")
        graph.add_node(node["name"])
        graph.nodes[node["name"]].update(_attributes(node, f"node {i}"))
    for i, edge in enumerate(_list(whole, "edges"), start=1):
        _add_edge(graph, edge, f"edge {i}")
    if graph.is_directed():
        _check_arcs(graph, whole["kind"])
    return graph


def _add_edge(graph: nx.Graph, edge: Any, where: str) -> None:
    _keys(edge, ("source", "target", "attributes"), where)
    ends = edge["source"], edge["target"]
    for end in ends:
        if not isinstance(end, str) or end not in graph:
            raise DataError(f"{where.capitalize()} names {_show(end)}, which is not one of the nodes.")
    if ends[0] == ends[1]:
        raise DataError(f"{where.capitalize()} runs from {_show(ends[0])} to itself; remove it.")
    if graph.has_edge(*ends):
        raise DataError(f"{where.capitalize()}, {_show(ends[0])} to {_show(ends[1])}, is listed twice.")
    graph.add_edge(*ends)
    graph.edges[ends].update(_attributes(edge, where))


def _check_arcs(graph: nx.DiGraph, kind: str) -> None:
    """No circle of arcs; in a CPDAG an edge both ways is undirected and no arc."""
    names = list(graph.nodes)
    place = {name: i for i, name in enumerate(names)}
    parents: list[list[int]] = [[] for _ in names]
    for a, b in graph.edges:
        if kind == "dag" or not graph.has_edge(b, a):
            parents[place[b]].append(place[a])
    check_acyclic(parents, names)


def _parse(text: str) -> Any:
    if len(text) > MAX_CHARACTERS:
        raise DataError(f"The file has {len(text):,} characters; up to {MAX_CHARACTERS:,} are read.")
    depth = deepest = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', text, re.DOTALL):
        first = token[0][0]
        depth += (first in "[{") - (first in "]}")
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        raise DataError(f"The brackets of this file nest {deepest:,} deep; a network needs no more than {MAX_DEPTH}.")
    try:
        return json.loads(text, parse_constant=_not_finite, object_pairs_hook=_once)
    except DataError:
        raise
    except ValueError as problem:
        line = getattr(problem, "lineno", None)
        place = f" at line {line}" if line else ""
        raise DataError(f"This is not a whole JSON file{place}; save it again and try once more.", row=line) from None


def _not_finite(word: str) -> NoReturn:
    raise DataError(f"The file holds {word}, which is no number; take it out.")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise DataError("An object in this file has the same key twice; keep one.")
    return result


def _keys(value: Any, wanted: tuple[str, ...], where: str) -> None:
    """Exactly these keys, but `attributes` may be left out."""
    if not isinstance(value, dict):
        raise DataError(f"In this network {where} is {_show(value)}; it must be an object in braces.")
    for key in value:
        if key not in wanted:
            raise DataError(
                f"In this network {where} has an unknown key {_show(key)}; it can have {', '.join(wanted)}."
            )
    for key in wanted:
        if key not in value and key != "attributes":
            raise DataError(f"In this network {where} lacks {key!r}.")


def _list(whole: dict[str, Any], key: str) -> list[Any]:
    if not isinstance(whole[key], list):
        raise DataError(f"'{key}' is {_show(whole[key])}; it must be a list.")
    return list(whole[key])


def _attributes(item: dict[str, Any], where: str) -> dict[str, Any]:
    given = item.get("attributes", {})
    if not isinstance(given, dict) or plain_attributes(given) != given:
        raise DataError(f"The attributes of {where} must be single texts, numbers or true and false.")
    return given


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


Plain = str | int | float | bool


def plain_attributes(attributes: Mapping[Any, Any]) -> dict[str, Plain]:
    """The attributes that are single values, numpy's scalars as Python's; what is not one, or not finite, is
    left out."""
    result: dict[str, Plain] = {}
    for key, value in attributes.items():
        if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
            value = value.item()
        if isinstance(value, str | int | float) and not (isinstance(value, float) and not math.isfinite(value)):
            result[str(key)] = value
    return result
