"""What is said where too few columns of a table are in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.data.preparing.roles import names_like

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.data.dataset import Dataset


def lone_column(data: Dataset) -> str:
    """Why a table of one column or none cannot be asked, and what to do.

    Parameters
    ----------
    data : the table

    Returns
    -------
    sentences; empty where two columns or more are in use
    """
    if data.n_variables > 1:
        return ""
    used = f"Only '{data.names[0][:60]}' is in use" if data.names else "No column is in use"
    return f"{used}. This needs two columns or more: choose them on the data page.{left_out(data)}"


def left_out(data: Dataset, words: Sequence[str] = ()) -> str:
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
    return "" if column is None else f" '{column.name[:60]}' is left out, since {column.reason}."
