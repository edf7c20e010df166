"""Different values stay different: long decimals, large whole numbers, identifiers that look like powers of ten."""

from __future__ import annotations

import io
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine import read_table
from engine.data.reading.report import reading_report

_TOO_LONG = ["0.92345678901234567", "0.92345678901234568", "0.5"]


def _words(table: Any) -> list[str]:
    assert str(table["x"].dtype) in ("category", "str")
    return table["x"].tolist()


@pytest.mark.parametrize(
    "texts",
    [
        ["1E2", "10E1", "2E2"],
        ["1E2", "100", "7"],
        ["007", "7", "8"],
        _TOO_LONG,
        ["9007199254740992", "9007199254740993", "5"],
        ["9007199254740993", "9007199254740992", "0.5"],
    ],
)
def test_texts_that_would_become_equal_stay_words(texts: list[str]) -> None:
    """In a text file and in the cells of a workbook; with a decimal comma too."""
    from openpyxl import Workbook

    table = read_table(("x,y\n" + "".join(f"{text},{i}\n" for i, text in enumerate(texts))).encode())
    assert _words(table) == texts
    assert (
        reading_report(table).conversions["x"].endswith(("different ones would be the same number", "no zero is lost"))
    )
    with_comma = [text.replace(".", ",") for text in texts]
    assert _words(read_table(("x;y\n" + "".join(f"{text};0,5\n" for text in with_comma)).encode())) == with_comma
    book, out = Workbook(), io.BytesIO()
    for row in (["x", "y"], *([text, i] for i, text in enumerate(texts))):
        book.active.append(row)
    book.save(out)
    assert _words(read_table(out.getvalue(), name="t.xlsx")) == texts


@pytest.mark.parametrize(
    "texts", [["1.50", "1.5", "2"], ["1e+05", "100000", "7"], ["0.30000000000000004", "0.3", "1"], ["1E2", "2E2", "5"]]
)
def test_numbers_stay_numbers(texts: list[str]) -> None:
    """Trailing zeros, what R and Python write, and powers of ten that are all different."""
    table = read_table(("x,y\n" + "".join(f"{text},{i}\n" for i, text in enumerate(texts))).encode())
    assert table["x"].tolist() == list(map(float, texts))


@pytest.mark.parametrize("kind", [pa.decimal128(20, 17), pa.decimal256(60, 17), pa.int64(), pa.uint64()])
def test_columns_of_parquet_keep_every_value(kind: pa.DataType) -> None:
    """Decimals of 17 digits and whole numbers beyond 2^53 are words where numbers would merge them, else numbers."""
    exact = pa.types.is_decimal(kind)
    long = list(map(Decimal, _TOO_LONG)) if exact else [2**53, 2**53 + 1, 5]
    short = [Decimal("0.5"), None, Decimal("2.25")] if exact else [1, None, 2**53]
    for values, words in ((long, True), (short, False)):
        out = io.BytesIO()
        pq.write_table(pa.table({"x": pa.array(values, kind), "y": [1, 2, 3]}), out)
        table = read_table(out.getvalue(), name="t.parquet")
        if words:
            assert [Decimal(text) for text in _words(table)] == long
            assert "kept as words" in reading_report(table).conversions["x"]
        else:
            assert table["x"].dropna().tolist() == [float(value) for value in values if value is not None]
