"""Whether what was read from a file is what its class says: types of fields, and parents that make a network."""

from __future__ import annotations

import collections.abc
import sys
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np

from engine.data.reading.limits import Limits
from engine.errors import DataError
from engine.graphs.dag import check_acyclic
from engine.graphs.pdag import Pdag
from engine.models.network import Network

MOST_VARIABLES, MOST_ROWS, MOST_LEVELS = Limits().columns, 999_999_999, 1_000_000
"""What an answer can be about: as many variables as a table that is read can have columns, and as many rows as tables
on disk or on a cluster have and NumPy's hypergeometric numbers take. Memory is asked for by the variables and levels,
so they are looked at first; by no number of rows, since answers keep counts."""
_AT_ONCE = 1024
"""Variables whose edges are laid out at once, one byte for each of two variables; a multiple of 8."""
_LISTS = (list, tuple, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)


def misfit(kind: type, parts: Mapping[str, Any]) -> str:
    """The name of the first part that is of another type than the class's field; "" where all fit."""
    hints = _hints(kind)
    return next((name for name, value in parts.items() if not _fits(value, hints.get(name, Any))), "")


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    """Field -> type, of all classes that this one is made of; `Any` where the type is imported for checkers only."""
    result: dict[str, Any] = {}
    for item in reversed(kind.__mro__):
        names = vars(sys.modules[item.__module__])
        for field, written in vars(item).get("__annotations__", {}).items():
            try:
                result[field] = eval(written, dict(names)) if isinstance(written, str) else written  # noqa: S307
            except (NameError, AttributeError):  # our own source text, whose name stands under TYPE_CHECKING
                result[field] = Any
    return result


def _fits(value: Any, hint: Any) -> bool:
    if hint is Any or isinstance(hint, typing.TypeVar):
        return True
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, item) for item in inner)
    if origin is typing.Literal:
        return value in inner
    if origin in (dict, collections.abc.Mapping) or hint in (dict, Mapping):
        key, kind = inner or (Any, Any)
        return isinstance(value, Mapping) and all(_fits(a, key) and _fits(b, kind) for a, b in value.items())
    if (origin or hint) in _LISTS:
        return isinstance(value, list | tuple) and _fit_each(value, inner, origin is tuple)
    if origin is not None:
        return not isinstance(origin, type) or isinstance(value, origin)
    if hint is None:
        return value is None
    if not isinstance(hint, type):
        return True
    if hint in (int, float):
        return isinstance(value, (int, float) if hint is float else int) and not isinstance(value, bool)
    return isinstance(value, hint)


def _fit_each(value: Sequence[Any], inner: tuple[Any, ...], fixed: bool) -> bool:
    if not inner:
        return True
    if fixed and inner[-1] is not Ellipsis:
        return len(value) == len(inner) and all(map(_fits, value, inner))
    return all(_fits(item, inner[0]) for item in value)


def check_that(fits: Any, fault: str) -> None:
    """Raise `DataError` unless something read from a file fits."""
    if not fits:
        raise DataError(f"This file is damaged, or was not written by Diptych: {fault}.")


def check_names(names: Sequence[str]) -> None:
    """Raise `DataError` unless names of variables are texts, each once."""
    check_that(len(names) <= MOST_VARIABLES, "it has too many variables")
    check_that(names and all(isinstance(name, str) for name in names), "it has no names of variables")
    check_that(len(set(names)) == len(names), "two of its variables have the same name")


def check_levels(names: Sequence[str], levels: Mapping[str, Sequence[str]]) -> None:
    """Raise `DataError` unless every variable has its levels, each once."""
    check_that(set(levels) == set(names), "it has levels of other variables than its own")
    check_that(sum(map(len, levels.values())) <= MOST_LEVELS, "it has too many levels")
    check_that(all(len(set(level)) == len(level) for level in levels.values()), "a variable has a level twice")


def check_counts(*given: int | np.ndarray) -> None:
    """Raise `DataError` unless numbers of rows can be some."""
    for item in given:
        counts = np.atleast_1d(np.asarray(item))
        check_that(counts.dtype.kind in "iu" and (counts >= 0).all(), "a number of rows is none")
        check_that(float(counts.astype(float).sum()) <= MOST_ROWS, "it counts more rows than a table has")


def check_codes(codes: Iterable[np.ndarray], arity: Sequence[int], least: int = 0) -> None:
    """Raise `DataError` unless codes are those of levels."""
    for row, levels in zip(codes, arity, strict=True):
        check_that(row.dtype.kind in "iu" and ((row >= least) & (row < levels)).all(), "a code has no level")


def check_shape(array: np.ndarray, *shape: int | None) -> None:
    """Raise `DataError` unless an array has a shape."""
    fits = array.ndim == len(shape) and all(a in (None, b) for a, b in zip(shape, array.shape, strict=True))
    check_that(fits, "an array has another shape than the answer asks for")


def check_positions(positions: Iterable[int], n: int) -> None:
    """Raise `DataError` unless positions are those of n variables."""
    check_that(all(type(x) is int and 0 <= x < n for x in positions), "an edge leads to no variable")


def checked_edges(n: int, edges: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Edges without a direction, where they are between n variables, the lower position first."""
    check_that(type(n) is int and 0 < n <= MOST_VARIABLES, "a graph stands over no variables, or too many")
    for a, b in edges:
        check_positions((a, b), n)
        check_that(a < b, "an edge is a loop, or written the wrong way round")
    return edges


def check_parents(parents: Sequence[Iterable[int]], n: int, *, acyclic: bool = True) -> None:
    """Raise `DataError` unless the parents of n variables are some of them, and make no circle."""
    families = [tuple(family) for family in parents]
    check_that(n <= MOST_VARIABLES, "it has too many variables")
    check_that(len(families) == n, "a network stands over other variables than its own")
    for family in families:
        check_positions(family, n)
        check_that(len(set(family)) == len(family), "a network has an edge twice")
    if acyclic:
        check_acyclic(families)


def checked_network(parts: Mapping[str, Any]) -> Network:
    """The network of these parts, by the names of its fields; `DataError` where they are not, or do not fit."""
    check_that(set(parts) == {part.name for part in fields(Network)}, "a network has other parts than its own")
    check_that(not misfit(Network, parts), f"a network's {misfit(Network, parts)} are none")
    network = Network(**parts)
    check_names(network.names)
    check_that(len(network.levels) == len(network.names), "a network has levels of other variables than its own")
    check_levels(network.names, dict(zip(network.names, network.levels, strict=True)))
    check_parents(network.parents, len(network.names))
    return network


def check_pdag(graph: Pdag) -> Pdag:
    """The graph, where what it says of both ends of every edge agrees."""
    n = len(graph.parents)
    check_that(n <= MOST_VARIABLES, "it has too many variables")
    sets = (graph.parents, graph.children, graph.neighbours)
    check_that(all(len(members) == n for members in sets), "a network stands over other variables than its own")
    every = [mask for members in sets for mask in members]
    check_that(all(type(mask) is int and 0 <= mask < 1 << n for mask in every), "a network has an edge to no variable")
    for i in range(n):
        up, down, level = (masks[i] for masks in sets)
        check_that(not (up & down or up & level or down & level or (up | down | level) >> i & 1), "an edge is two")
    parents, children, neighbours = map(_packed, sets)
    check_that(_turned(parents, children) and _turned(neighbours, neighbours), "an edge has one end")
    return graph


def _packed(masks: Sequence[int]) -> np.ndarray:
    """(n, width) bytes of n bit sets."""
    width = -(-len(masks) // 8)
    return np.frombuffer(b"".join(mask.to_bytes(width, "little") for mask in masks), np.uint8).reshape(-1, width)


def _turned(item: np.ndarray, other: np.ndarray) -> bool:
    """True where each of two matrices of bits is the other with rows and columns changed about."""
    n = len(item)
    for begin in range(0, n, _AT_ONCE):
        rows = np.unpackbits(item[begin : begin + _AT_ONCE], axis=1, count=n, bitorder="little")
        columns = other[:, begin // 8 : (begin + _AT_ONCE) // 8]
        if not np.array_equal(rows, np.unpackbits(columns, axis=1, count=len(rows), bitorder="little").T):
            return False
    return True
