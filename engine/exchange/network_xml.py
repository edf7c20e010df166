"""XDSL, the files of GeNIe and SMILE, and XMLBIF 0.3 (Cozman 1998): networks with their probabilities in XML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree

import numpy as np

from engine.errors import DataError
from engine.exchange.network_file import (
    FileVariable,
    NetworkFile,
    Point,
    build,
    checked_point,
    numbers_of,
    plain_variables,
    point_of,
)
from engine.exchange.xml_reader import all_inside, local_name, words_of
from engine.models.network import Network
from engine.words import short

_BARRED = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML file may hold."""
_WIDE, _HIGH = 120, 50
"""Pixels of a node in GeNIe."""


def from_xdsl(root: ElementTree.Element) -> NetworkFile:
    """The network of an XDSL file; tables and deterministic nodes, without utilities, decisions and time."""
    variables: dict[str, FileVariable] = {}
    for node in (node for whole in root if local_name(whole) == "nodes" for node in whole):
        kind, word = local_name(node), node.get("id", "")
        if kind not in ("cpt", "deterministic"):
            raise DataError(
                f"The node {short(word, 60)!r} is of the kind '{short(kind, 30)}'; only general tables are read."
            )
        if not word or word in variables:
            raise DataError("A node has no id, or that of another.")
        about = FileVariable(tuple(state.get("id", "") for state in node if local_name(state) == "state"))
        about.properties = {p.get("id", ""): words_of(p) for p in node if local_name(p) == "property"}
        parts = {local_name(part): words_of(part) for part in node}
        about.parents = tuple(parts.get("parents", "").split())
        about.numbers = numbers_of(parts.get("probabilities", "").split(), word)
        if kind == "deterministic":
            about.numbers = _certain(about.levels, parts.get("resultingstates", "").split(), word)
        variables[word] = about
    if any(local_name(part) == "dynamic" for part in root):
        raise DataError("This network has steps in time; only networks without them are read.")
    for node in (part for part in root.iter() if local_name(part) == "node"):
        if (drawn := variables.get(node.get("id", ""))) is not None:
            drawn.label = next((words_of(part) for part in node if local_name(part) == "name"), "")
            drawn.point = next((_middle(words_of(part)) for part in node if local_name(part) == "position"), None)
    return build(variables)


def _certain(levels: tuple[str, ...], states: list[str], word: str) -> list[float]:
    """The table of a node that follows from its parents."""
    if not set(states) <= set(levels):
        raise DataError(f"The table of {short(word, 60)!r} names a level that it does not have.")
    if len(states) * len(levels) > 5_000_000:
        raise DataError(f"The table of {short(word, 60)!r} is too large.")
    return [float(p) for state in states for p in np.eye(len(levels))[levels.index(state)]]


def _middle(text: str) -> Point | None:
    """The middle of "left top right bottom"."""
    try:
        left, top, right, bottom = map(float, text.split())
    except ValueError:
        return None
    return checked_point((left + right) / 2, (top + bottom) / 2)


def to_xdsl(network: Network, positions: Mapping[str, Point] | None = None) -> str:
    """An XDSL file: words of letters and digits, true names beside them, places in pixels."""
    root = ElementTree.Element("smile", version="1.0", id="diptych", numsamples="10000", discsamples="10000")
    nodes, extensions = ElementTree.SubElement(root, "nodes"), ElementTree.SubElement(root, "extensions")
    genie = ElementTree.SubElement(extensions, "genie", version="1.0", app="Diptych", name="diptych")
    for word, one in plain_variables(network, positions).items():
        node = ElementTree.SubElement(nodes, "cpt", id=word)
        for level in one.levels:
            ElementTree.SubElement(node, "state", id=level)
        if one.parents:
            ElementTree.SubElement(node, "parents").text = " ".join(one.parents)
        ElementTree.SubElement(node, "probabilities").text = _table(one)
        for key, text in one.properties.items():
            ElementTree.SubElement(node, "property", id=key).text = text
        drawn = ElementTree.SubElement(genie, "node", id=word)
        ElementTree.SubElement(drawn, "name").text = _BARRED.sub("", one.label)
        ElementTree.SubElement(drawn, "interior", color="e5f6f7")
        ElementTree.SubElement(drawn, "outline", color="0000bb")
        ElementTree.SubElement(drawn, "font", color="000000", name="Arial", size="8")
        if one.point is not None:
            left, top = round(one.point[0]) - _WIDE // 2, round(one.point[1]) - _HIGH // 2
            ElementTree.SubElement(drawn, "position").text = f"{left} {top} {left + _WIDE} {top + _HIGH}"
    return _written(root)


def from_xmlbif(root: ElementTree.Element) -> NetworkFile:
    """The network of an XMLBIF file; variables of nature only."""
    variables: dict[str, FileVariable] = {}
    for item in all_inside(root, "variable"):
        word = _first(item, "name")
        if item.get("TYPE", "nature").lower() != "nature":
            raise DataError(f"The variable {short(word, 60)!r} is a decision or a utility; only chances are read.")
        if not word or word in variables:
            raise DataError("A variable has no name, or that of another.")
        about = FileVariable(tuple(words_of(part) for part in all_inside(item, "outcome")))
        for text in map(words_of, all_inside(item, "property")):
            key, _, rest = text.partition(" ")
            about.properties = {**about.properties, key: rest}
            about.point = point_of(text) or about.point
        variables[word] = about
    defined = set()
    for item in [*all_inside(root, "definition"), *all_inside(root, "probability")]:
        word = _first(item, "for")
        if word not in variables or word in defined:
            raise DataError(f"A table is for {short(word, 60)!r}, which is no variable or has one already.")
        defined.add(word)
        variables[word].parents = tuple(words_of(part) for part in all_inside(item, "given"))
        variables[word].numbers = numbers_of(_first(item, "table").split(), word)
    return build(variables)


def _first(element: ElementTree.Element, tag: str) -> str:
    return next((words_of(part) for part in all_inside(element, tag)), "")


def to_xmlbif(network: Network, positions: Mapping[str, Point] | None = None) -> str:
    """An XMLBIF file, without declarations of its elements, over which some readers stumble."""
    root = ElementTree.Element("BIF", VERSION="0.3")
    whole = ElementTree.SubElement(root, "NETWORK")
    ElementTree.SubElement(whole, "NAME").text = "diptych"
    plain = plain_variables(network, positions)
    for word, one in plain.items():
        item = ElementTree.SubElement(whole, "VARIABLE", TYPE="nature")
        ElementTree.SubElement(item, "NAME").text = word
        for level in one.levels:
            ElementTree.SubElement(item, "OUTCOME").text = level
        place = [] if one.point is None else ["position = ({:.0f}, {:.0f})".format(*one.point)]
        for text in [*place, *(f"{key} {text}" for key, text in one.properties.items())]:
            ElementTree.SubElement(item, "PROPERTY").text = text
    for word, one in plain.items():
        item = ElementTree.SubElement(whole, "DEFINITION")
        ElementTree.SubElement(item, "FOR").text = word
        for parent in one.parents:
            ElementTree.SubElement(item, "GIVEN").text = parent
        ElementTree.SubElement(item, "TABLE").text = _table(one)
    return _written(root)


def _table(one: FileVariable) -> str:
    return " ".join(repr(float(p)) for p in np.ravel(one.numbers))


def _written(root: ElementTree.Element) -> str:
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'
