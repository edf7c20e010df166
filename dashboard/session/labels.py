"""What columns are called on the pages: a code by its label, with the code beside it where there is room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING

from dashboard.session.work import work
from dashboard.text import distinct
from engine.words import is_code, with_labels

if TYPE_CHECKING:
    import pandas as pd

LETTERS = 40
"""Of a label; those that begin alike keep their end."""
_given: ContextVar[Mapping[str, str] | None] = ContextVar("labels", default=None)


def shown_names() -> Mapping[str, str]:
    """Column -> its label, cut, of the columns of the open table that are called by a code or run backwards."""
    given = _given.get()
    if given is not None:
        return given
    current = work()
    return _shown(tuple(current.labels.items()), current.reversed)


@contextmanager
def names_shown(names: Mapping[str, str]) -> Iterator[None]:
    """Let these be what is shown, where no session is at hand: files are made in a thread of their own."""
    token = _given.set(names)
    try:
        yield
    finally:
        _given.reset(token)


def full_name(name: str) -> str:
    """The label with the name beside it, else the name."""
    label = shown_names().get(name)
    return name if label is None else f"{label} ({name})"


def labelled(text: str) -> str:
    """A sentence with labels in place of codes."""
    return with_labels(text, shown_names())


def labelled_table(table: pd.DataFrame) -> pd.DataFrame:
    """A table with labels in place of the codes that stand alone in a cell of texts."""
    names = shown_names()
    texts = [column for column in table.columns if names and table[column].dtype.kind not in "iufbM"]
    return table.assign(**{column: [_cell(item, names) for item in table[column]] for column in texts})


def _cell(item: object, names: Mapping[str, str]) -> object:
    return full_name(item) if isinstance(item, str) and item in names else item


@lru_cache(maxsize=16)
def _shown(labels: tuple[tuple[str, str], ...], backwards: tuple[str, ...]) -> Mapping[str, str]:
    codes = {name: label for name, label in labels if label and is_code(name)}
    result = dict(zip(codes, distinct(list(codes.values()), LETTERS), strict=True))
    return {**result, **{name: f"{result.get(name, name)}, reversed" for name in backwards}}
