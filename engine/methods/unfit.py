"""Sentences for a table of which too few columns are in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.data.preparing.roles import names_like
from engine.text import Name, Text, told
from engine.words import short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.data.dataset import Dataset


def lone_column(data: Dataset) -> Text:
    """Why a table of one column or none cannot be asked, and what to do.

    Parameters
    ----------
    data : the table

    Returns
    -------
    sentences; empty where two columns or more are in use
    """
    if data.n_variables > 1:
        return Text()
    used = told("Only '{}' is in use", _brief(data.names[0])) if data.names else told("No column is in use")
    return told("{}. This needs two columns or more: choose them on the data page.{}", used, left_out(data))


def left_out(data: Dataset, words: Sequence[str] = ()) -> Text:
    """A column that is not in use, and why.

    Parameters
    ----------
    data : the table
    words : nouns of names as `names_like` takes them, the likeliest first; a column named so comes before others

    Returns
    -------
    a sentence after a space; empty where all are in use, or nothing is known of how the table was read
    """
    columns = [] if data.report is None else [item for item in data.report.columns if item.kind == "ignore"]
    named = [item for word in words for item in columns if names_like(item.name, word)]
    column = next(iter([*named, *columns]), None)
    return Text() if column is None else told(" '{}' is left out, since {}.", _brief(column.name), column.reason)


def _brief(name: str) -> Name:
    return Name(short(name, 60))
