"""Every key of a widget is made here, so that a file that writes another's widget cannot misspell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


def widget_key(*parts: object) -> str:
    """The key of a widget: page or method, name, and what it depends on, so that no stale value stays."""
    return ".".join(map(str, parts))


def of_table(data: Dataset) -> str:
    """A part of a key that is another for another table, or for the same prepared otherwise."""
    return data.fingerprint[:12]
