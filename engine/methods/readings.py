"""Worked out once for all readings of the same evidence: a prior or a margin that is moved back and forth finds it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

STORE = "_worked_out"
MOST_KEPT = 8
"""Readings of one property that are kept, the latest."""


def once(*settings: str) -> Callable[[Callable[[Any], Any]], Any]:
    """Make a method a property that is worked out once for all readings which agree in these settings."""

    def decorated(work: Callable[[Any], Any]) -> property:
        def read(reading: Any) -> Any:
            key = (work.__name__, *(getattr(reading.method, name) for name in settings))
            store = _store(reading)
            try:
                return store[key]
            except KeyError:
                pass
            result = store[key] = work(reading)
            for old in [item for item in list(store) if item[0] == key[0]][:-MOST_KEPT]:  # a slider leaves many behind
                store.pop(old, None)
            return result

        return property(read, doc=work.__doc__)

    return decorated


def told_once(*settings: str) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """`once` of what is called: sentences about a reading. Each caller has a list of its own."""

    def decorated(work: Callable[[Any], Any]) -> Callable[[Any], Any]:
        known = once(*settings)(work)

        @wraps(work)
        def tell(reading: Any) -> Any:
            said = known.__get__(reading)
            return list(said) if isinstance(said, list) else said

        return tell

    return decorated


def same_evidence(reading: Any, other: Any) -> None:
    """Let another reading find what this one has worked out, and the other way round."""
    other.__dict__[STORE] = _store(reading)


def without_store(reading: Any) -> dict[str, Any]:
    """The state that goes to another process, which works out what it needs."""
    return {name: value for name, value in reading.__dict__.items() if name != STORE}


def _store(reading: Any) -> dict[Any, Any]:
    result: dict[Any, Any] = reading.__dict__.setdefault(STORE, {})
    return result
