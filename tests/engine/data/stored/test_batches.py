"""Batches and queries: the rows of a table in memory, and only queries that read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import engine
from engine.data.stored import batches as module
from engine.data.stored.batches import Batches, check_reads_only
from engine.data.stored.value_counts import count_values
from engine.errors import DataError
from engine.execution import silent
from tests.engine.data.stored.make import frame


def parts(table: pd.DataFrame) -> list[pd.DataFrame]:
    """Of unequal sizes, one of them empty."""
    return [table[:100], table[100:100], table[100:1_999], table[1_999:]]


def test_batches_are_the_table(tmp_path: Path) -> None:
    """Of pandas and of arrow, as a list, a function or an iterator; a column may be empty in the first."""
    table = frame(4_000).dropna().reset_index(drop=True)
    table["late"] = [None] * 500 + ["p", "q"] * ((len(table) - 500) // 2) + [None] * (len(table) % 2)
    memory = engine.Dataset.from_frame(engine.read_table(table), missing="level")
    choices = engine.Recipe(missing="level")
    pieces = parts(table)
    pieces[0] = pieces[0].assign(late=None)
    assert pieces[0]["late"].dtype == object
    arrow = [pa.Table.from_pandas(part, preserve_index=False) for part in pieces]
    for batches in (pieces, arrow, lambda: iter(arrow[0].to_batches() + arrow[2].to_batches() + arrow[3:])):
        assert engine.Dataset.from_batches(batches, choices).fingerprint == memory.fingerprint
    fixed = memory.recipe
    disk = engine.Dataset.from_batches(iter(arrow), fixed, folder=tmp_path / "stored")
    assert disk.fingerprint == memory.fingerprint and not disk.in_memory
    with pytest.raises(DataError, match="can be gone through once only"):
        engine.Dataset.from_batches(iter(arrow))


def test_categories_of_batches_add_up() -> None:
    """Also where they are more than the codes of one batch can number."""
    texts = [f"level {k:03}" for k in range(200)]
    batches = [pd.DataFrame({"x": pd.Categorical(texts[begin : begin + 100])}) for begin in (0, 100)]
    pieces = [pd.concat([batch] * 20) for batch in batches]
    variable = count_values(Batches(pieces, "table"), silent)[0]
    assert variable.words == tuple(texts) and variable.counts().tolist() == [20] * 200


def test_faults_of_batches() -> None:
    """None, no tables, other columns, other types, other rows the second time."""
    table = frame(600)
    calls: list[int] = []

    def fewer() -> Iterator[pd.DataFrame]:
        calls.append(0)
        yield table[: len(table) // len(calls)]

    wrong: list[tuple[Any, str]] = [
        (5, "batches is a int"),
        ("path", "batches is a str"),
        ([], "There are no batches"),
        ([5], "A batch is a int, no table"),
        ([table, table.drop(columns="sex")], "A batch has no column 'sex'"),
        ([table, table.assign(pain="x")], "Column 'pain' holds texts in one batch and numbers in those before it"),
        (fewer, "600 rows when they were counted, and 300 when they were coded"),
    ]
    for batches, said in wrong:
        with pytest.raises(DataError, match=said):
            engine.Dataset.from_batches(batches)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """A database with one table."""
    with sqlite3.connect(":memory:") as opened:
        frame(3_000).dropna().astype({"ill": str}).to_sql("patients", opened, index=False)
        yield opened


QUERY = "SELECT sex, age, \"stage\", ill, '; drop' AS word FROM patients -- into\nWHERE arm <> 'c';"


def test_a_query_is_the_table_that_it_gives(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """Run twice where levels are found, once where they are fixed."""
    memory = engine.Dataset.from_frame(engine.read_table(pd.read_sql(QUERY, connection)))
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    disk = engine.Dataset.from_sql(connection, QUERY, folder=tmp_path / "stored")
    assert disk.fingerprint == memory.fingerprint and "word" not in disk and len(asked) == 2
    asked.clear()
    assert engine.Dataset.from_sql(connection, QUERY, memory.recipe).fingerprint == memory.fingerprint
    assert len(asked) == 1


def test_a_query_of_duckdb_comes_in_batches(tmp_path: Path) -> None:
    """As arrow, whatever the number of rows."""
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    table = frame(5_000).dropna()
    with duckdb.connect() as opened:
        opened.register("patients", table)
        data = engine.Dataset.from_sql(opened, "FROM patients", folder=tmp_path / "stored")
        expected = engine.Dataset.from_frame(engine.read_table(table))
        assert data.n_rows == len(table) and np.array_equal(data["sex"], expected["sex"])
        for wrong in ("SELECT nothing FROM patients", "SELECT FROM WHERE"):
            with pytest.raises(DataError, match="The database refuses the query"):
                engine.Dataset.from_sql(opened, wrong)


def test_duckdb_says_itself_whether_a_query_is_one_select(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where its words are taken for harmless; no row is lost."""
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    monkeypatch.setattr(module, "check_reads_only", lambda query: None)
    with duckdb.connect() as opened:
        opened.execute("CREATE TABLE patients AS SELECT range % 2 AS sex FROM range(100)")
        for query in (r"SELECT E'\''; DELETE FROM patients; --'", "DELETE FROM patients", "SELECT 1; SELECT 2", "--"):
            with pytest.raises(DataError, match="DuckDB does not take the query for one SELECT"):
                engine.Dataset.from_sql(opened, query)
        assert opened.execute("SELECT count(*) FROM patients").fetchone() == (100,)


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM patients",
        "SELECT 1; DROP TABLE patients",
        "WITH gone AS (DELETE FROM patients RETURNING *) SELECT * FROM gone",
        "SELECT * INTO other FROM patients",
        "PRAGMA writable_schema = 1",
        "/* SELECT */ UPDATE patients SET sex = 'f'",
        "SELECT 'a' || ''';' FROM patients; ATTACH 'x' AS y",
        "COPY patients TO 'file'",
        "-- SELECT\nTRUNCATE patients",
        r"SELECT E'\''; DELETE FROM patients; --'",
        "SELECT [a'b] FROM patients; DELETE FROM patients WHERE sex = 'c'",
        "SELECT 1 /*! INTO OUTFILE 'x' */",
        "SELECT 1 /*M! INTO OUTFILE 'x' */",
        "SELECT /* /* */ ' */ 1; DELETE FROM patients; --'",
        "SELECT 5--1; DELETE FROM patients",
        "SELECT 5 # '\n; DELETE FROM patients -- '",
        "SELECT a$$; DELETE FROM patients; SELECT b$$",
        "SELECT 5 -- x\r; DELETE FROM patients",
    ],
)
def test_a_query_that_writes_is_refused(connection: sqlite3.Connection, query: str) -> None:
    """Before the database sees it."""
    with pytest.raises(DataError, match=r"The query (writes or does not read|has more than one statement)"):
        engine.Dataset.from_sql(connection, query)
    assert connection.execute("SELECT count(*) FROM patients").fetchone()[0] > 0


def test_queries_that_read_are_not_refused() -> None:
    """Words of writing may stand in texts, names and comments, and be parts of other words."""
    for query in (
        "select updated, \"drop\" from t where x = 'insert into'",
        "WITH a AS (SELECT $$it's$$ AS x) SELECT * FROM a",
        "SELECT x[1], '\\' FROM t WHERE y = 'a' --without a space\n;",
        "  (SELECT created_at FROM t) UNION SELECT 1 /* ; merge */ ;",
    ):
        check_reads_only(query)


def test_faults_of_a_query(connection: sqlite3.Connection) -> None:
    """No connection, no text, a column that is not there."""
    for asked, said in (
        ((object(), "SELECT 1"), "connection is a object"),
        ((connection, ""), "query is the text of a SELECT"),
        ((connection, "SELECT none FROM patients"), r"The database refuses the query \(OperationalError"),
    ):
        with pytest.raises(DataError, match=said):
            engine.Dataset.from_sql(*asked)
