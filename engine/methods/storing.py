"""Settings and results as plain JSON values and back: no pickle, and only classes that are listed here by name.

What is read is held to what its class says: every field has the type that stands there, and where a class has a method
`_check_read`, that says whether its parts fit each other.

A class is written as {"$": its name, field: value, ...}; an array as {"$array": type, "shape": [...], "data": [...]},
or, where the file has room for it beside the document, as {"$stored": its number}; tuples are lists and come back as
tuples. Floats come back to the last bit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Self, TypeVar

import numpy as np

from engine.errors import DataError
from engine.graphs.pdag import Pdag
from engine.methods.fitting import check_pdag, misfit
from engine.scores.dirichlet import K2, BDe, BDeu
from engine.scores.gaussian import BGe, GaussianBIC
from engine.search.best import Best
from engine.search.constraint import PC
from engine.search.equivalence import GES
from engine.search.exact import Exact
from engine.search.hill_climbing import HillClimbing
from engine.search.knowledge import Knowledge
from engine.search.orders.mcmc import OrderMCMC
from engine.search.thick_thinning import ThickThinning

Kind = TypeVar("Kind", bound=type)
ARRAY_TYPE = re.compile(r"[<>|=]?(?:b1|[iu][1248]|f[248])|\?|bool")
"""The arrays that are written: of numbers or flags."""
LONG = 4096
"""Entries from which an array stands beside the document."""
_NO_NUMBERS = ("inf", "-inf", "nan")
_DAMAGED = "This was not written by Diptych, or by a newer version, or it is damaged; make it again"
_KINDS: dict[str, type] = {}
_MADE: dict[type, tuple[Callable[[Any], Mapping[str, Any]], Callable[..., Any]]] = {}


def storable(kind: Kind) -> Kind:
    """Let a dataclass be written and read; a decorator.

    Parameters
    ----------
    kind : a dataclass; fields with `metadata={"stored": False}` are left out

    Returns
    -------
    the same class

    Raises
    ------
    TypeError : another class has this name
    """
    if _KINDS.setdefault(kind.__name__, kind).__qualname__ != kind.__qualname__:
        raise TypeError(f"two stored classes are called {kind.__name__}")
    _KINDS[kind.__name__] = kind
    return kind


def storable_as(kind: type, parts: Callable[[Any], Mapping[str, Any]], make: Callable[..., Any]) -> None:
    """Let a class be written and read where its fields alone would not do.

    Parameters
    ----------
    kind : the class
    parts : gives its parts by name
    make : called with the parts, gives an equal object
    """
    storable(kind)
    _MADE[kind] = (parts, make)


for _value in (
    *(K2, BDeu, BDe, BGe, GaussianBIC),
    *(ThickThinning, HillClimbing, Exact, GES, Best, PC, OrderMCMC, Knowledge),
):
    storable(_value)
storable_as(
    Pdag,
    lambda graph: {"parents": graph.parents, "children": graph.children, "neighbours": graph.neighbours},
    lambda parents, children, neighbours: check_pdag(Pdag(list(parents), list(children), list(neighbours))),
)


def encode(value: Any, long_arrays: list[np.ndarray] | None = None) -> Any:
    """The value as JSON takes it.

    Parameters
    ----------
    value : plain values, arrays, lists, mappings, and dataclasses that `storable` lists
    long_arrays : arrays of `LONG` entries and more are put here, and the document has only their numbers

    Returns
    -------
    plain values, lists and dictionaries

    Raises
    ------
    TypeError : something in it is of a class that is not listed

    Examples
    --------
    >>> from engine.methods.storing import decode, encode
    >>> encode(engine.BDeu(ess=2.0))
    {'$': 'BDeu', 'ess': 2.0}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": repr(value)}
    if isinstance(value, np.ndarray):
        if long_arrays is not None and value.size >= LONG:
            long_arrays.append(value)
            return {"$stored": len(long_arrays) - 1}
        flat = value.ravel().tolist()
        if value.dtype.kind == "f":
            flat = [item if math.isfinite(item) else repr(item) for item in flat]
        return {"$array": value.dtype.str, "shape": list(value.shape), "data": flat}
    if isinstance(value, list | tuple):
        return [encode(entry, long_arrays) for entry in value]
    if isinstance(value, Mapping):
        return _encode_mapping(value, long_arrays)
    kind = type(value)
    if _KINDS.get(kind.__name__) is not kind:
        raise TypeError(f"{kind.__name__} is not one of the classes that can be stored")
    if kind in _MADE:
        parts = _MADE[kind][0](value)
    else:
        parts = {part.name: getattr(value, part.name) for part in fields(value) if part.metadata.get("stored", True)}
    return {"$": kind.__name__} | {name: encode(part, long_arrays) for name, part in parts.items()}


def _encode_mapping(value: Mapping[Any, Any], long_arrays: list[np.ndarray] | None) -> Any:
    if all(isinstance(key, str) and not key.startswith("$") for key in value):
        return {key: encode(item, long_arrays) for key, item in value.items()}
    return {"$map": [[encode(key), encode(entry, long_arrays)] for key, entry in value.items()]}


def decode(document: Any, stored_array: Callable[[int], np.ndarray] | None = None) -> Any:
    """The value that `encode` wrote.

    Parameters
    ----------
    document : what it gave, or what JSON made of that
    stored_array : gives the long array with a number

    Returns
    -------
    an equal value; lists come back as tuples, arrays read-only

    Raises
    ------
    DataError : a class that is not known here, parts that do not fit it, or each other
    """
    if isinstance(document, list):
        return tuple(decode(item, stored_array) for item in document)
    if not isinstance(document, dict):
        return document
    try:
        if "$float" in document:
            return float(document["$float"])
        if "$array" in document:
            return _decode_array(document)
        if "$stored" in document and stored_array is not None:
            return stored_array(document["$stored"])
        if "$map" in document:
            return {decode(key): decode(item, stored_array) for key, item in document["$map"]}
        parts = {name: decode(part, stored_array) for name, part in document.items() if name != "$"}
        if "$" not in document:
            return parts
        kind = _KINDS[document["$"]]
        if wrong := misfit(kind, parts):
            raise DataError(f"{_DAMAGED} ({kind.__name__}.{wrong} is not what it should be).")
        value = _MADE[kind][1](**parts) if kind in _MADE else kind(**parts)
        if hasattr(value, "_check_read"):
            value._check_read()
        return value
    except DataError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise DataError(f"{_DAMAGED}.") from error


def _decode_array(document: Mapping[str, Any]) -> np.ndarray:
    kind, shape, data = _array_type(document["$array"]), document["shape"], document["data"]
    if not isinstance(shape, list) or not all(type(item) is int and item >= 0 for item in shape):
        raise DataError(f"{_DAMAGED} (an array has no such shape).")
    if not all(type(number) in (int, float, bool) or number in _NO_NUMBERS for number in data):
        raise DataError(f"{_DAMAGED} (an array holds something else than numbers).")
    if len(data) != math.prod(shape):
        raise DataError(f"{_DAMAGED} (an array has not the length that its shape asks for).")
    array = np.array([float(number) if isinstance(number, str) else number for number in data])
    array = array.astype(kind).reshape(shape)
    array.flags.writeable = False
    return array


def _array_type(written: Any) -> np.dtype[Any]:
    """The type of an array of numbers or flags, as `encode` wrote it."""
    if not isinstance(written, str) or not ARRAY_TYPE.fullmatch(written):
        raise DataError(f"{_DAMAGED} (an array holds something else than numbers).")
    return np.dtype(written)


def is_storable(value: Any) -> bool:
    """True where a class of that value is listed."""
    return is_dataclass(value) and _KINDS.get(type(value).__name__) is type(value)


class Stored:
    """Base of settings and answers, which are written as plain values and read again."""

    def to_dict(self) -> dict[str, Any]:
        """The whole as JSON takes it, from which `from_dict` makes an equal one."""
        document: dict[str, Any] = encode(self)
        return document

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote.

        Parameters
        ----------
        document : what `to_dict` gave

        Returns
        -------
        an equal one

        Raises
        ------
        DataError : the document is damaged, of a newer version, or something else
        SettingsError : a setting has a value that it cannot have
        """
        result = decode(dict(document))
        if not isinstance(result, cls):
            raise DataError(f"This is no {cls.__name__}; read it with engine.load.")
        return result
