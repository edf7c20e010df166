"""Two hundred hostile tables that are drawn: twenty sins, ten seeds each."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.hostile.containers import parquet, statistics, workbook
from tests.hostile.more_workbooks import ods, ods_row
from tests.hostile.structural import damaged

Maker = Callable[[np.random.Generator], tuple[str, bytes]]
"""Draws a file's name and its bytes."""

_ODD = (
    "",
    " ",
    "\t",
    "NA",
    "nan",
    "-",
    "=1+1",
    "\u202e",
    "\ufeff",
    "a\x00b",
    "\x1b[31m",
    "1e999",
    "0x1F",
    "🦄",
    "ı",
    "'",
)
_ENCODINGS = (
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-32",
    "cp1252",
    "latin-1",
    "shift_jis",
    "cp437",
    "koi8-r",
)


def _lines(rng: np.random.Generator, header: list[str], rows: int, cell: Callable[[int, int], str]) -> str:
    sep = rng.choice([",", ";", "\t", "|", " ", "^"])
    body = [[cell(i, j) for j in range(len(header))] for i in range(rows)]
    return "\n".join(str(sep).join(line) for line in [header, *body])


def encoded(rng: np.random.Generator) -> tuple[str, bytes]:
    text = _lines(rng, ["größe", "naïve", "x"], 30, lambda i, j: ["ä", "é", "1,5", "ß"][(i * 3 + j) % 4])
    first, second = (str(rng.choice(_ENCODINGS)) for _ in range(2))
    half = len(text) // 2
    return "odd.csv", text[:half].encode(first, "replace") + text[half:].encode(second, "replace")


def controls(rng: np.random.Generator) -> tuple[str, bytes]:
    odd = lambda *_: str(rng.choice(_ODD)) + chr(int(rng.integers(0, 0x300)))  # noqa: E731
    return "control.csv", _lines(rng, [odd() for _ in range(5)], 40, odd).encode("utf-8", "replace")


def repeated_names(rng: np.random.Generator) -> tuple[str, bytes]:
    names = [str(rng.choice(["a", "A", " a", "a\u00a0", "", "a.1", "a_1"])) for _ in range(int(rng.integers(2, 60)))]
    return "names.csv", _lines(rng, names, 25, lambda i, j: str((i * j) % 4)).encode()


def huge_header(rng: np.random.Generator) -> tuple[str, bytes]:
    long = "h" * int(rng.choice([10_000, 300_000, 2_000_000]))
    wide = [f"c{k}" for k in range(int(rng.choice([2, 500, 15_000])))]
    return "header.csv", _lines(rng, [long, *wide], 3, lambda i, j: str(i)).encode()


def ragged(rng: np.random.Generator) -> tuple[str, bytes]:
    lines = [",".join("x" * int(rng.integers(0, 9))) for _ in range(60)]
    return "ragged.csv", str(rng.choice(["\n", "\r", "\r\n", "\n\r"])).join(lines).encode()


def quotes(rng: np.random.Generator) -> tuple[str, bytes]:
    marks = ['"', '""', '"""', "'", '\\"', '",', '\n"', ";", "a", ",", "\n"]
    return "quotes.csv", "".join(str(rng.choice(marks)) for _ in range(400)).encode()


def mixed(rng: np.random.Generator) -> tuple[str, bytes]:
    kinds = ("1", "1.5", "1,5", "1.234.567", "true", "2020-13-45", "31.02.2021", "12:99", "inf", "-inf", "NaN", "1e400")
    return "mixed.csv", _lines(rng, ["a", "b", "c"], 80, lambda *_: str(rng.choice([*kinds, *_ODD]))).encode()


def dates(rng: np.random.Generator) -> tuple[str, bytes]:
    years = (0, 1, 1583, 1677, 1970, 2262, 9999, 10_000, 99_999, -44)
    day = lambda *_: f"{int(rng.choice(years)):04d}-{int(rng.integers(0, 14)):02d}-{int(rng.integers(0, 33)):02d}"  # noqa: E731
    return "dates.csv", _lines(rng, ["when", "then"], 50, day).encode()


def no_rows(rng: np.random.Generator) -> tuple[str, bytes]:
    pieces = (b"", b"\n", b"\r\n\r\n", b"a,b,c", b"a\n", b"\xef\xbb\xbf", b"\x00" * 50, b",,,\n,,,\n", b'""', b"#\n#\n")
    return "nothing.csv", pieces[int(rng.integers(0, len(pieces)))] * int(rng.integers(1, 4))


def packed(rng: np.random.Generator) -> tuple[str, bytes]:
    content = bytes(rng.integers(0, 2, 1)) * int(rng.choice([10, 10**6, 5 * 10**7]))
    for _ in range(int(rng.integers(1, 4))):
        content = gzip.compress(content, 1)
    return "packed.csv.gz", content[: len(content) - int(rng.integers(0, 9))]


def bomb(rng: np.random.Generator) -> tuple[str, bytes]:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as whole:
        for k in range(int(rng.integers(1, 40))):
            whole.writestr(f"xl/worksheets/sheet{k}.xml", b"<c/>" * int(rng.choice([1, 10**6])))
        whole.writestr(str(rng.choice(["[Content_Types].xml", "content.xml", "../up.csv", "a.csv"])), b"<" * 1000)
    return str(rng.choice(["bomb.xlsx", "bomb.ods", "bomb.zip"])), out.getvalue()


def _arrow(rng: np.random.Generator) -> Any:
    import pyarrow as pa

    n = int(rng.choice([0, 1, 7, 60]))
    values: list[Any] = [
        pa.array([float(x) for x in rng.choice([np.nan, np.inf, -np.inf, -0.0, 1e308, 5e-324, 1.0], n)], pa.float64()),
        pa.array(rng.integers(-(2**63), 2**63 - 1, n), pa.int64()),
        pa.array([[int(k)] * int(k % 3) for k in range(n)], pa.list_(pa.int32())),
        pa.array(
            [{"a": int(k), "b": [None]} for k in range(n)], pa.struct([("a", pa.int8()), ("b", pa.list_(pa.null()))])
        ),
        pa.array([bytes(rng.integers(0, 256, 4)) for _ in range(n)], pa.binary()),
        pa.array(rng.integers(-(2**52), 2**52, n), pa.timestamp(str(rng.choice(["s", "ms", "us", "ns"])))),
        pa.array(rng.integers(-(2**31), 2**31 - 1, n), pa.int32()).cast(pa.date32()),
        pa.array([None] * n, pa.null()),
        pa.array([str(rng.choice(_ODD)) for _ in range(n)], pa.large_string()),
        pa.array([bool(k % 2) if k % 3 else None for k in range(n)], pa.bool_()),
        pa.array(rng.integers(0, 2**63, n), pa.uint64()),
        pa.array([f"v{k % 3}" for k in range(n)]).dictionary_encode(),
        pa.array(rng.integers(0, 2**30, n), pa.duration("s")),
        pa.array(rng.integers(0, 86_000, n), pa.int32()).cast(pa.time32("s")),
    ]
    chosen = [values[int(k)] for k in rng.choice(len(values), int(rng.integers(1, 9)), replace=False)]
    names = [
        str(rng.choice([*_ODD, "a", "a", "b.c", "x" * 5_000])) + (str(k) if k % 3 else "") for k in range(len(chosen))
    ]
    return pa.table(chosen, names=names)


def typed_parquet(rng: np.random.Generator) -> tuple[str, bytes]:
    return "types.parquet", parquet(_arrow(rng))


def broken_parquet(rng: np.random.Generator) -> tuple[str, bytes]:
    return "broken.parquet", damaged(parquet(_arrow(rng)), rng)


def odd_workbook(rng: np.random.Generator) -> tuple[str, bytes]:
    import datetime

    cells: list[Any] = [
        1,
        1.5,
        True,
        "x",
        None,
        "=1/0",
        "#REF!",
        datetime.datetime(1900, 1, 1),
        datetime.time(1),
        "🦄" * 300,
    ]

    def change(book: Any) -> None:
        for _ in range(60):
            row, column = int(rng.integers(1, 40)), int(rng.integers(1, 12))
            book.active.cell(row, column, cells[int(rng.integers(0, len(cells)))])
        if rng.integers(0, 2):
            book.active.merge_cells(start_row=1, start_column=1, end_row=int(rng.integers(1, 9)), end_column=3)
        if rng.integers(0, 2):
            book.create_sheet(index=0, title=str(rng.choice(["x", "Ä'", "1"])))

    return "odd.xlsx", workbook(change)


def broken_workbook(rng: np.random.Generator) -> tuple[str, bytes]:
    return "broken.xlsx", damaged(workbook(), rng)


def odd_ods(rng: np.random.Generator) -> tuple[str, bytes]:
    pick: Callable[[], Any] = lambda: (1, "x", "", -2.5, "1e400", "🦄")[int(rng.integers(0, 6))]  # noqa: E731
    repeat = f'table:number-rows-repeated="{int(rng.choice([1, 3, 1_048_576]))}"'
    rows = [ods_row(*(pick() for _ in range(int(rng.integers(1, 6)))), row=repeat) for _ in range(5)]
    made = ods(ods_row("a", "b", "a") + "".join(rows))()
    return "odd.ods", made if rng.integers(0, 2) else damaged(made, rng)


def numbers(rng: np.random.Generator) -> tuple[str, bytes]:
    digits = lambda *_: (  # noqa: E731
        str(rng.choice(["", "-", "+", "$", "€ ", "<", ">="]))
        + "".join(str(k) for k in rng.integers(0, 10, int(rng.choice([1, 3, 19, 400]))))
        + str(rng.choice(["", ",5", ".5", "%", "e9", "e-400", " kg"]))
    )
    return "numbers.csv", _lines(rng, ["a", "b"], 60, digits).encode()


def broken_sav(rng: np.random.Generator) -> tuple[str, bytes]:
    return "broken.sav", damaged(statistics("sav"), rng)


def broken_dta(rng: np.random.Generator) -> tuple[str, bytes]:
    return "broken.dta", damaged(statistics("dta"), rng)


def other_name(rng: np.random.Generator) -> tuple[str, bytes]:
    """A good file under the name of another kind."""
    good = (workbook(), parquet(_arrow(rng)), statistics("sav"), b"a,b\n1,2\n" * 20, b"%PDF-1.7", b"\x89PNG\r\n", b"{}")
    ending = str(rng.choice(["csv", "xlsx", "parquet", "sav", "dta", "ods", "feather", "", "exe"]))
    return f"other.{ending}", good[int(rng.integers(0, len(good)))]


MAKERS: dict[str, Maker] = {
    one.__name__: one
    for one in (
        *(encoded, controls, repeated_names, huge_header, ragged, quotes, mixed, dates, numbers, no_rows, packed, bomb),
        *(typed_parquet, broken_parquet, odd_workbook, broken_workbook, odd_ods, broken_sav, broken_dta, other_name),
    )
}
