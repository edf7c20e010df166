"""Worked out once for all readings of the same evidence: a prior or a margin that is moved back and forth finds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Found = TypeVar("Found")
STORE = "_worked_out"
MOST_KEPT = 8
"""Readings of one property that are kept, the latest."""


class Once(Generic[Found]):
    """A property of a result that hangs on the evidence and on the named settings alone; see `once`."""

    def __init__(self, work: Callable[[Any], Found], settings: tuple[str, ...]) -> None:
        self.work = work
        self.settings = settings
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, reading: None, owner: Any = None) -> Once[Found]: ...

    @overload
    def __get__(self, reading: object, owner: Any = None) -> Found: ...

    def __get__(self, reading: Any, owner: Any = None) -> Any:
        if reading is None:
            return self
        key = (self.work.__name__, *(getattr(reading.method, name) for name in self.settings))
        store = _store(reading)
        try:
            return store[key]
        except KeyError:
            pass
        result = store[key] = self.work(reading)
        for old in [item for item in list(store) if item[0] == key[0]][:-MOST_KEPT]:  # a slider leaves many behind
            store.pop(old, None)
        return result


def once(*settings: str) -> Callable[[Callable[[Any], Found]], Once[Found]]:
    """Make a method a property that is worked out once for all readings which agree in these settings."""
    return lambda work: Once(work, settings)


def same_evidence(reading: Any, other: Any) -> None:
    """Let another reading find what this one has worked out, and the other way round."""
    other.__dict__[STORE] = _store(reading)


def without_store(reading: Any) -> dict[str, Any]:
    """The state that goes to another process, which works out what it needs."""
    return {name: value for name, value in reading.__dict__.items() if name != STORE}


def _store(reading: Any) -> dict[Any, Any]:
    result: dict[Any, Any] = reading.__dict__.setdefault(STORE, {})
    return result
