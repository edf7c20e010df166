"""What follows from a prepared table alone, worked out once: pages are drawn again at every click."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from engine import Dataset

Value = TypeVar("Value")

_KNOWN: WeakKeyDictionary[Dataset, dict[Any, Any]] = WeakKeyDictionary()


def cached(data: Dataset, find: Callable[..., Value], *more: Any, **named: Any) -> Value:
    """What `find` says of a table; remembered as long as the table is there. Nobody may change it.

    Parameters
    ----------
    data : the table, which never changes
    find : a function, or a method of a class, of the table and of what follows
    more, named : what it takes beside the table; they can be hashed

    Raises
    ------
    whatever `find` raises, which is not remembered
    """
    known = _KNOWN.setdefault(data, {})
    key = (getattr(find, "__self__", None), getattr(find, "__func__", find), more, tuple(sorted(named.items())))
    if key not in known:
        known[key] = find(data, *more, **named)
    result: Value = known[key]
    return result
