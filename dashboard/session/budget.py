"""How many bytes a session holds, and the sentence that refuses a table before they are too many."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from engine import DataError
from engine.data.reading.limits import MEGABYTE

if TYPE_CHECKING:
    import pandas as pd

    from engine import Dataset

_SIZES: dict[int, tuple[weakref.ref[pd.DataFrame], int]] = {}
OF_TEXT = 4
"""Bytes that a table takes once it is open, for each byte of a text file: the file itself, the table, its codes."""


def session_bytes(state: Any) -> int:
    """Of a session's open table, its file, and the data sets that answers were made from, each once."""
    # copies of the lists, since a page may change them while another thread counts
    data = [
        state.dataset,
        *(card.data for card in list(state.cards)),
        *(analysis.data for analysis in list(state.analyses)),
    ]
    sets = {id(value): value for value in data if value is not None}
    files = {id(work): work for about in list(state.choices.values()) for work in list(about.values())}
    contents = sum(len(getattr(work, "content", None) or b"") for work in files.values())
    return table_bytes(state.table) + contents + sum(map(_dataset_bytes, sets.values()))


def refuse_file(state: Any, size: int, current: Any, memory: Any) -> None:
    """`refuse_beyond` of a file of so many bytes, before it is read; what a packed one holds, `refuse_table` sees."""
    _refuse(OF_TEXT * size, state, current, memory)


def refuse_table(state: Any, table: pd.DataFrame, content: bytes, current: Any, memory: Any) -> None:
    """`refuse_beyond` of a table that was read, with its file and its codes, which take less than the table."""
    _refuse(len(content) + 2 * table_bytes(table), state, current, memory)


def refuse_coded(state: Any, data: Dataset, current: Any, memory: Any) -> None:
    """`refuse_beyond` of a table of which only the codes are held."""
    _refuse(_dataset_bytes(data), state, current, memory)


def _refuse(need: int, state: Any, current: Any, memory: Any) -> None:
    """What takes the place of the open table and its file needs only what it takes beyond them."""
    replaced = table_bytes(state.table) + len(current.content or b"")
    everyone = int(memory.counts()["bytes"])
    refuse_beyond(need, session_bytes(state) - replaced, everyone - replaced, memory.most)


def table_bytes(table: pd.DataFrame | None) -> int:
    """Of a table's columns; worked out once, since every upload asks for those of all sessions."""
    if table is None:
        return 0
    which = id(table)
    if which not in _SIZES:
        gone = weakref.ref(table, lambda _: _SIZES.pop(which, None))
        _SIZES[which] = gone, int(table.memory_usage(index=False, deep=False).sum())
    return _SIZES[which][1]


def _dataset_bytes(data: Dataset) -> int:
    return data.store.nbytes + sum(number.places.nbytes + number.values.nbytes for number in data.numbers.values())


def refuse_more_tables(state: Any, memory: Any) -> None:
    """`DataError` where a session without work is to have a table, and its user has too many of them."""
    if memory.limits is None or state.has_work or memory.others(state) < memory.limits.sessions:
        return
    raise DataError(
        f"You have {memory.limits.sessions} tables open in other tabs, which is the limit. Forget one of them first."
    )


def refuse_beyond(need: int, own: int, everyone: int, most: int) -> None:
    """Nothing where a table that takes `need` bytes still fits beside what this session and all of them hold.

    Parameters
    ----------
    most : bytes that all sessions may hold together; one may hold half of them; 0 for no limit

    Raises
    ------
    DataError : it does not fit
    """
    if not most:
        return
    mine = most // 2
    if own + need > mine:
        raise DataError(
            f"The table would take about {_mb(need)} of memory; this session holds {_mb(own)} and may hold "
            f"{_mb(mine)}. {_remedy(own)}"
        )
    if everyone + need > most:
        raise DataError(
            f"The table would take about {_mb(need)} of memory; all sessions of this server together hold "
            f"{_mb(everyone)} and may hold {_mb(most)}. Try again when others have closed theirs, or open a smaller "
            "table."
        )


def _remedy(own: int) -> str:
    less = "Keep fewer columns or rows, or start Diptych with a larger --memory."
    return less if own < MEGABYTE else f"Forget what is no longer needed on Results. {less}"


def _mb(size: Any) -> str:
    return f"{max(1, round(size / MEGABYTE)):,} MB"
