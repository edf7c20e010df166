"""What the tables and documents of all methods share: records for JSON, tables to read, the settings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine import words
from engine.lazy import pd


def data_frame(
    rows: Any = (), columns: Sequence[str] | None = None, *, names: Sequence[Any] | None = None, of: str = "variable"
) -> pd.DataFrame:
    """A table of rows or of columns; where `names` are given, one row a name of what `of` says."""
    return pd.DataFrame(rows, columns=columns, index=None if names is None else pd.Index(names, name=of))


def series_of(values: Iterable[float], names: Sequence[str]) -> pd.Series:
    """One number a variable."""
    return pd.Series(values, index=pd.Index(names, name="variable"))


def stacked(parts: Mapping[Any, pd.DataFrame], keys: Sequence[str]) -> pd.DataFrame:
    """Tables one below the other, what each is about in columns of its own in front."""
    return pd.concat(parts, names=list(keys)).reset_index(list(keys)).reset_index(drop=True)


def readable(frame: pd.DataFrame) -> pd.DataFrame:
    """The same table with tuples of names joined by commas."""
    return frame.map(lambda value: ", ".join(value) if isinstance(value, tuple) else value)


def record(row: Mapping[Any, Any]) -> dict[Any, Any]:
    """A row as JSON takes it: no numpy scalars, no NaN or infinity, lists for tuples."""
    result = {}
    for key, value in row.items():
        value = value.item() if hasattr(value, "item") else value
        value = list(value) if isinstance(value, tuple) else value
        result[key] = None if isinstance(value, float) and not math.isfinite(value) else value
    return result


def settings_table(
    settings: Mapping[str, Any], rows: Mapping[str, int], fingerprint: str, versions: Mapping[str, str]
) -> pd.DataFrame:
    """Everything needed to repeat an analysis.

    Parameters
    ----------
    settings : by name
    rows : how many there were, by what they are called
    fingerprint : of the data set
    versions : of what computed it

    Returns
    -------
    pandas.DataFrame: setting and value
    """
    result = [(name, "" if value in (None, ()) else str(value)) for name, value in settings.items()]
    result += [(name, str(number)) for name, number in rows.items()]
    result += [("data fingerprint", fingerprint)]
    result += [(name, versions[name]) for name in ("diptych", "numpy", "python") if name in versions]
    return pd.DataFrame(result, columns=["setting", "value"])


FEW_ROWS = 30
"""Rows below which a headline says that they are few."""


def of_rows(headline: str, rows: int) -> str:
    """A headline that says so where it rests on few rows.

    Parameters
    ----------
    headline : one sentence
    rows : how many it rests on

    Returns
    -------
    the sentence

    Examples
    --------
    >>> of_rows("No variable is seen to differ.", 12)
    'With only 12 rows, no variable is seen to differ.'
    """
    if rows >= FEW_ROWS:
        return headline
    begins = headline.startswith(("No ", "All ", "Every ", "The "))
    return f"With only {words.count(rows, 'row')}, {headline[0].lower() if begins else headline[0]}{headline[1:]}"


def in_points(table: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """A table with the shares of these columns in percentage points."""
    return table.assign(**{name: 100 * table[name] for name in names})
