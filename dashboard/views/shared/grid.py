"""Things in rows of so many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def in_rows(items: Iterable[Item], across: int) -> Iterator[list[Item]]:
    """The items in order, so many in a row; the last row may have fewer."""
    rest = iter(items)
    while row := list(islice(rest, across)):
        yield row
