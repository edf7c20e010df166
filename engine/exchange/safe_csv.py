"""The one place where tables leave as CSV: safe to open in a spreadsheet."""

from __future__ import annotations

from typing import Any

from engine.lazy import pd

_STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def safe_text(value: Any) -> Any:
    """`value`, with an apostrophe before a text that a spreadsheet would run as a formula."""
    if isinstance(value, str) and value.startswith(_STARTS_FORMULA):
        return "'" + value
    return value


def to_csv(frame: pd.DataFrame, *, index: bool = False) -> str:
    """`frame` as CSV text (comma, RFC 4180 quotes, lines end in CR LF, missing cells empty).

    Texts in cells, headers and the index that start with `= + - @`, tab, CR, LF or NUL get a leading
    apostrophe (OWASP ASVS 5.0, V1.2.10); numbers and numeric columns are written as they are.

    Parameters
    ----------
    frame : a pandas table
    index : whether its index is written too, as the first column

    Returns
    -------
    the text of the file

    Examples
    --------
    >>> import pandas as pd
    >>> engine.exchange.to_csv(pd.DataFrame({"note": ["=1+1", "well"], "n": [-1, 2]})).split()
    ['note,n', "'=1+1,-1", 'well,2']
    """
    columns = {}
    for position in range(frame.shape[1]):
        column = frame.iloc[:, position]
        if isinstance(column.dtype, pd.CategoricalDtype):
            column = column.astype(object)
        if not (pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column)):
            column = column.astype(object).map(safe_text)
        columns[position] = column
    safe = pd.DataFrame(columns, index=frame.index)
    safe.columns = pd.Index([safe_text(str(name)) for name in frame.columns], dtype=object)
    if index:
        safe.index = safe.index.map(lambda label: safe_text(label) if isinstance(label, str) else label)
        safe.index.name = safe_text(frame.index.name)
    text: str = safe.to_csv(index=index, lineterminator="\r\n")
    return text
