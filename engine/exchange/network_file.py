"""What a network's file holds beside the network, and the parts that all its formats share.

A format has words for variables and levels, and not every text is one. Where it is not, a plain word stands for it and
a property holds the true text, as in BIF; other programs pass over the property.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.errors import DataError
from engine.exchange.bif import LEVEL, WORD, plain_words, true_levels, true_name, true_words
from engine.exchange.bif_reader import checked_table
from engine.graphs.dag import topological_order
from engine.models.network import Network, check_size
from engine.words import short

MOST_VARIABLES = 1_000
FARTHEST = 1e6
"""Largest coordinate that is read."""
Point = tuple[float, float]
_POSITION = re.compile(r"position\s*=?\s*\(?\s*([-+.\deE]+)[\s,]+([-+.\deE]+)")


@dataclass(frozen=True, eq=False)
class NetworkFile:
    """A network as a file has it.

    Attributes
    ----------
    network : names, levels, parents and tables
    positions : name -> where it is drawn, y downwards, in the file's units; empty where the file does not say
    format : what the file is called, such as "XDSL (GeNIe)"
    encoding : that it was read in, "" where the file names its own
    ends : variables whose roles are exposure and outcome, "" where it names none
    notes : what was made of it, in sentences

    Examples
    --------
    >>> engine.exchange.read_network_file(b"dag { drug [exposure] ; death [outcome] ; drug -> death }").ends
    ('drug', 'death')
    """

    network: Network
    positions: Mapping[str, Point] = field(default_factory=dict)
    format: str = ""
    encoding: str = ""
    ends: tuple[str, str] = ("", "")
    notes: tuple[str, ...] = ()


@dataclass
class FileVariable:
    """A variable by the words of its file.

    Attributes
    ----------
    levels, parents, numbers : words, and the table, its first parent slowest and its own level fastest
    label : name for readers, "" for none
    properties : key -> text
    point : where it is drawn
    """

    levels: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    numbers: Sequence[float] | np.ndarray = ()
    label: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    point: Point | None = None


def build(variables: Mapping[str, FileVariable]) -> NetworkFile:
    """The network of a file's variables; `DataError` for a table, a parent or a name that does not fit."""
    if not variables:
        raise DataError("The file has no variables.")
    if len(variables) > MOST_VARIABLES:
        raise DataError(f"The network has {len(variables):,} variables; up to {MOST_VARIABLES:,} are read.")
    words = list(variables)
    names = _names(variables)
    place = {word: i for i, word in enumerate(words)}
    parents, tables = [], []
    for word, about in variables.items():
        if not about.levels or len(set(about.levels)) != len(about.levels):
            raise DataError(f"The variable {short(word, 60)!r} has no levels, or one of them twice.")
        if len(set(about.parents)) != len(about.parents) or word in about.parents:
            raise DataError(f"A variable stands twice in the table of {short(word, 60)!r}.")
        for parent in about.parents:
            if parent not in place:
                raise DataError(f"The parent {short(parent, 60)!r} of {short(word, 60)!r} is not in the file.")
        shape = [len(variables[parent].levels) for parent in about.parents]
        check_size(word, (*shape, len(about.levels)))
        wanted = math.prod(shape) * len(about.levels)
        if len(about.numbers) != wanted:
            raise DataError(
                f"The table of {short(word, 60)!r} lists {len(about.numbers):,} numbers where {wanted:,} belong."
            )
        table = np.array(about.numbers, dtype=float).reshape(*shape, -1)
        table = checked_table(word, about.parents, table).table
        order = sorted(range(len(shape)), key=lambda axis: place[about.parents[axis]])
        rows = np.transpose(table, [*order, len(order)]).reshape(-1, len(about.levels))
        parents.append(tuple(place[about.parents[axis]] for axis in order))
        tables.append(rows / rows.sum(axis=1, keepdims=True))
    levels = [true_levels(one.levels, {k: v.split() for k, v in one.properties.items()}) for one in variables.values()]
    points = {name: one.point for name, one in zip(names, variables.values(), strict=True) if one.point is not None}
    network = Network(tuple(names), tuple(levels), tuple(parents), tuple(tables))
    return NetworkFile(network, points if len(points) == len(names) else {})


def _names(variables: Mapping[str, FileVariable]) -> list[str]:
    """True names where the file has them, else labels where all differ, else its words."""
    labels = [one.label.strip() or word for word, one in variables.items()]
    if len(set(labels)) < len(labels):
        labels = list(variables)
    given = [{key: text.split() for key, text in one.properties.items()} for one in variables.values()]
    names = [true_name(label, words) for label, words in zip(labels, given, strict=True)]
    if len(set(names)) != len(names):
        raise DataError("Two variables of this file have the same name; give each its own.")
    return names


def numbers_of(words: Iterable[str], name: str) -> list[float]:
    """Words as numbers; `DataError` for what is none."""
    try:
        return [float(word) for word in words]
    except ValueError:
        raise DataError(f"What is said of {short(name, 60)!r} holds a word where a number belongs.") from None


def point_of(text: str) -> Point | None:
    """Where "position = (x, y)" says; None where it says nothing of the kind."""
    found = _POSITION.search(text)
    try:
        return checked_point(float(found[1]), float(found[2])) if found else None
    except ValueError:
        return None


def checked_point(x: float, y: float) -> Point | None:
    """The point, None where no picture reaches so far."""
    return (x, y) if math.isfinite(x) and math.isfinite(y) and max(abs(x), abs(y)) <= FARTHEST else None


def plain_variables(network: Network, positions: Mapping[str, Point] | None) -> dict[str, FileVariable]:
    """The variables by plain words, parents before children as some programs ask for; labels are the true names."""
    words = plain_words(network.names, WORD, "v")
    levels = [tuple(plain_words(each, LEVEL, "s")) for each in network.levels]
    return {
        words[i]: FileVariable(
            levels[i],
            tuple(words[parent] for parent in network.parents[i]),
            network.tables[i].reshape(*(len(network.levels[parent]) for parent in network.parents[i]), -1),
            network.names[i],
            true_words(network.names[i], words[i], network.levels[i], levels[i]),
            (positions or {}).get(network.names[i]),
        )
        for i in topological_order(network.parents)
    }
