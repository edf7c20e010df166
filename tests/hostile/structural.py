"""Drawn changes of a JSON document's structure, and of bytes."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

_VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1, 2**31, -(2**63), 2**70, 1.5, -0.0, 1e308, "", "x", "\u202e", "a\x00b", "=1+1"),
    *([], {}, [[]], {"": {}}, [None], [1, "a", None], {"format": 1}, "9" * 5_000, [0] * 1_000),
)


def changed(document: Any, rng: np.random.Generator) -> Any:
    """The document with one to four changes at places that are drawn."""
    result = copy.deepcopy(document)
    for _ in range(int(rng.integers(1, 5))):
        places = list(_places(result))
        if not places:
            return _VALUES[int(rng.integers(0, len(_VALUES)))]
        inside, key = places[int(rng.integers(0, len(places)))]
        _change(inside, key, rng)
    return result


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of the document: what holds it, and its key or position there."""
    keys: Any = list(document) if isinstance(document, dict) else range(len(document))
    for key in keys:
        yield document, key
        if isinstance(document[key], dict | list):
            yield from _places(document[key])


def _change(inside: Any, key: Any, rng: np.random.Generator) -> None:
    """One change: another value, a neighbour's value, gone, twice, under another name, or deeper."""
    way = int(rng.integers(0, 6))
    if way == 0:
        inside[key] = copy.deepcopy(_VALUES[int(rng.integers(0, len(_VALUES)))])
    elif way == 1:
        keys: Any = list(inside) if isinstance(inside, dict) else range(len(inside))
        inside[key] = copy.deepcopy(inside[keys[int(rng.integers(0, len(keys)))]])
    elif way == 2:
        del inside[key]
    elif way == 3 and isinstance(inside, list):
        inside.insert(key, copy.deepcopy(inside[key]))
    elif way == 3:
        inside[f"{key} "] = copy.deepcopy(inside[key])
    elif way == 4 and isinstance(inside, dict):
        inside[str(_VALUES[int(rng.integers(9, 16))])] = inside.pop(key)
    else:
        inside[key] = [inside[key]] if rng.integers(0, 2) else {"x": inside[key]}


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """Some bytes changed, taken out, put in twice, or cut off at the end."""
    result = bytearray(content)
    for _ in range(int(rng.integers(1, 6))):
        begin = int(rng.integers(0, max(len(result), 1)))
        end = min(begin + int(rng.integers(1, 40)), len(result))
        way = int(rng.integers(0, 4))
        if way == 0:
            result[begin:end] = bytes(rng.integers(0, 256, end - begin, dtype=np.uint8))
        elif way == 1:
            del result[begin:end]
        elif way == 2:
            result[begin:begin] = result[begin:end]
        else:
            del result[max(len(result) - int(rng.integers(1, 30)), 4) :]
    return bytes(result)
