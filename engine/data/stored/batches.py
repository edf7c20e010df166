"""Batches of rows that somebody hands over, and what a query of a database gives, as rows that come some at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar

from engine.data.reading.formats.declared import texts_of
from engine.data.reading.headers import clean_names
from engine.data.stored.parquet import kind_of_type
from engine.data.stored.sources import MOST_ROWS, RowSource, variable_types
from engine.errors import DataError, InputError
from engine.lazy import pa, pd
from engine.words import short

_WRITES = re.compile(r"\b(insert|update|delete|merge|into|create|drop|alter|truncate)\b", re.IGNORECASE)
_READS = re.compile(r"\s*\(*\s*(select|with|values|from|table)\b", re.IGNORECASE)
_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(\w*)\$.*?\$\1\$|--[^\n]*|/\*.*?\*/""", re.DOTALL)
"""Texts, quoted names and comments."""
_DIFFERS = re.compile(r"""\\['"`]|\[.*?['"`]|\$\w*\$|\#|--(?!\s|$)|\r(?!\n)|/\*M?!|/\*(?:(?!\*/).)*/\*""", re.DOTALL)
"""What begins or ends a text or a comment in some databases only."""


class Batches(RowSource):
    """Arrow batches, arrow tables or pandas tables, one after the other, all of the same columns.

    Parameters
    ----------
    batches : what can be gone through, as often as it is asked to where levels are not fixed; or a function that gives
        such a thing anew
    name : for sentences
    tokens : texts that count as missing, None for the usual ones
    """

    noun: ClassVar[str] = "table"

    def __init__(self, batches: Any, name: str, tokens: Iterable[str] | None = None) -> None:
        if not callable(batches) and (isinstance(batches, str | bytes) or not hasattr(batches, "__iter__")):
            raise InputError(
                f"batches is a {type(batches).__name__}; give arrow batches or pandas tables one after the other, or a "
                "function that gives them."
            )
        self._batches = batches
        self._begun: Iterator[pa.Table] | None = self._restarted()
        first = next(self._begun, None)
        if first is None:
            raise InputError("There are no batches, so there is nothing to count.")
        self._begun = chain([first], self._begun)
        super().__init__(name, variable_types(first.schema), None, tokens)
        self._read: int | None = None

    def _restarted(self) -> Iterator[pa.Table]:
        return map(_as_table, self._batches() if callable(self._batches) else iter(self._batches))

    def tables(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """See `RowSource.tables`."""
        if self._begun is None and not callable(self._batches) and iter(self._batches) is self._batches:
            raise InputError(
                "These batches can be gone through once only, and the levels are not fixed yet; give a recipe, or a "
                "function that gives the batches anew."
            )
        batches, self._begun = self._begun or self._restarted(), None
        read = 0
        for batch in batches:
            found = variable_types(batch.schema)
            for name in columns:
                self._check(name, found)
            whole = pa.table(
                [_typed_column(batch.column(name), self.types[name]) for name in columns], names=list(columns)
            )
            for begin in range(0, len(batch), MOST_ROWS):
                read += len(part := whole.slice(begin, MOST_ROWS))
                yield part.combine_chunks()
        if self._read not in (None, read):
            raise InputError(
                f"The batches had {self._read:,} rows when they were counted, and {read:,} when they were coded; give "
                "those of a table that does not change."
            )
        self._read, self.share = read, 1.0

    def _check(self, name: str, found: dict[str, pa.DataType]) -> None:
        if name not in found:
            raise InputError(f"A batch has no column '{short(name, 60)}', which the others have.", column=name)
        if pa.types.is_null(self.types[name]):
            self.types[name] = found[name]
        here, there = kind_of_type(found[name]), kind_of_type(self.types[name])
        if here != there and not pa.types.is_null(found[name]):
            raise InputError(
                f"Column '{short(name, 60)}' holds {here} in one batch and {there} in those before it; give batches "
                "of one type.",
                column=name,
            )


def _typed_column(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """A column that is empty in this batch, as the others have it."""
    return pa.chunked_array([pa.nulls(len(column), kind)]) if pa.types.is_null(column.type) else column


def _as_table(batch: Any) -> pa.Table:
    """One batch under clean names."""
    try:
        if isinstance(batch, pd.DataFrame):
            batch = pa.Table.from_pandas(batch, preserve_index=False)
        table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else pa.table(batch)
    except (pa.ArrowException, TypeError, ValueError):
        raise InputError(
            f"A batch is a {type(batch).__name__}, no table of named columns; give arrow batches or pandas tables."
        ) from None
    return table.rename_columns(clean_names(table.column_names)[0])


def query_batches(connection: Any, query: Any) -> Callable[[], Iterator[Any]]:
    """Return what gives the rows of a query, each time it is called; a query that could write is refused."""
    if not isinstance(query, str) or not query.strip():
        raise InputError("query is the text of a SELECT; give one.")
    if not hasattr(connection, "cursor"):
        raise InputError(
            f"connection is a {type(connection).__name__}; give an open one of DuckDB, ADBC or another DB-API module."
        )
    check_reads_only(query)
    return lambda: _rows_of(connection, query)


def check_reads_only(query: str) -> None:
    """`DataError` where a query is not one SELECT that changes nothing, as far as its words say.

    Where databases differ in what is a text or a comment, words and semicolons in these count too.
    """
    bare = _QUOTED.sub(" ", query).strip().removesuffix(";")
    searched = query.strip().removesuffix(";") if _DIFFERS.search(query) else bare
    if ";" in bare + searched:
        raise InputError("The query has more than one statement; give one SELECT.")
    found = _WRITES.search(searched)
    if found or not _READS.match(bare):
        what = found[1].upper() if found else (bare.split() or [""])[0][:20].upper()
        raise InputError(f"The query writes or does not read ({what}); only a SELECT that changes nothing is run.")


def _check_statements(connection: Any, query: str) -> None:
    """`DataError` where DuckDB itself does not take a query for one SELECT."""
    types = [statement.type.name for statement in connection.extract_statements(query)]
    if types != ["SELECT"]:
        raise InputError(f"DuckDB does not take the query for one SELECT ({short(', '.join(types), 60) or 'nothing'}).")


def _rows_of(connection: Any, query: str) -> Iterator[Any]:
    try:
        of_duckdb = type(connection).__module__.partition(".")[0].lstrip("_") == "duckdb"
        if of_duckdb:
            _check_statements(connection, query)
        cursor = connection if of_duckdb else connection.cursor()  # a cursor of DuckDB does not see registered tables
        cursor.execute(query)
        if hasattr(cursor, "fetch_record_batch"):
            reader = cursor.fetch_record_batch()
            yield from reader
        else:
            names = [str(column[0]) for column in cursor.description]
            while rows := cursor.fetchmany(MOST_ROWS):
                yield pa.table([_array(cells) for cells in zip(*rows, strict=True)], names=names)
        if not of_duckdb:
            cursor.close()
    except (DataError, GeneratorExit):
        raise
    except Exception as error:  # every module has errors of its own
        words = " ".join(str(error).split())
        raise InputError(f"The database refuses the query ({type(error).__name__}: {short(words, 200)}).") from error


def _array(cells: tuple[Any, ...]) -> pa.Array:
    try:
        return pa.array(cells)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return texts_of(pd.Series(cells, dtype=object))
