"""Tables of numbers that all methods make alike, and rows of them for JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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


def record(row: Mapping[Any, Any]) -> dict[Any, Any]:
    """A row as JSON takes it: no numpy scalars, no NaN or infinity, lists for tuples."""
    result = {}
    for key, value in row.items():
        value = value.item() if hasattr(value, "item") else value
        value = list(value) if isinstance(value, tuple) else value
        result[key] = None if isinstance(value, float) and not math.isfinite(value) else value
    return result


def in_points(table: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """A table with the shares of these columns in percentage points."""
    return table.assign(**{name: 100 * table[name] for name in names})
