"""Parquet, Feather, SPSS and Stata: every type, times beyond all calendars, and files that are cut or changed."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from tests.hostile.containers import parquet, statistics
from tests.hostile.fixture import Fixture


def feather(table: Any, **options: Any) -> bytes:
    """An arrow table as Feather."""
    from pyarrow import feather as format_of

    out = io.BytesIO()
    format_of.write_feather(table, out, **options)
    return out.getvalue()


WRITERS: dict[str, Callable[..., bytes]] = {"parquet": parquet, "feather": feather}


def table(*columns: Any) -> Any:
    """Columns of four cells beside a good one."""
    import pyarrow as pa

    return pa.table({"good": ["x", "y", "x", "y"], **{f"c{i}": one for i, one in enumerate(columns)}})


def types() -> dict[str, Any]:
    """Name of an arrow type -> four cells of it, the last one missing."""
    import pyarrow as pa

    whole, moments = [0, 1, 100, None], [0, 1, 10**9, None]
    found = {str(kind): pa.array(whole, kind) for kind in (
        pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(),
        pa.float32(), pa.float64(), pa.date32(),
    )}  # fmt: skip
    found |= {str(kind): pa.array(moments, kind) for kind in (
        pa.timestamp("s"), pa.timestamp("ms"), pa.timestamp("us"), pa.timestamp("ns"),
        pa.timestamp("us", "Europe/Berlin"), pa.duration("s"), pa.time64("us"),
    )}  # fmt: skip
    found["half"] = pa.array(np.array([0.5, 1, 2, 3], np.float16))
    found["flag"] = pa.array([True, False, True, None])
    found["decimal"] = pa.array([Decimal("1.50"), Decimal("2.25"), Decimal("-3.00"), None], pa.decimal128(38, 2))
    found["text"] = pa.array(["a", "b", "a", None])
    found["large_text"] = pa.array(["a", "b", "a", None], pa.large_string())
    found["nothing"] = pa.nulls(4)
    found["largest"] = pa.array([2**64 - 1, 1, 2, None], pa.uint64())
    found["infinite"] = pa.array([float("inf"), float("-inf"), 1.0, None])
    found["codes"] = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, None], pa.int8()), pa.array(["a", "b"]))
    return found


def _types() -> Iterator[Fixture]:
    for name, column in types().items():
        for kind, write in WRITERS.items():
            if kind == "feather" or name not in ("duration[s]",):
                yield Fixture(
                    f"{kind}_of_{name}",
                    lambda write=write, column=column: write(table(column)),
                    file=f"t.{kind}",
                    rows=4,
                    columns=("good", "c0"),
                )


def _left_out() -> Iterator[Fixture]:
    import pyarrow as pa

    odd = {
        "bytes": pa.array([b"a", b"b", b"c", None]),
        "lists": pa.array([[1], [2], [], None]),
        "structures": pa.array([{"a": 1}] * 4),
        "maps": pa.array([[("a", 1)]] * 4, pa.map_(pa.string(), pa.int64())),
    }
    for name, column in odd.items():
        for kind, write in WRITERS.items():
            yield Fixture(
                f"{kind}_with_{name}",
                lambda write=write, column=column: write(table(column)),
                file=f"t.{kind}",
                columns=("good",),
                says=("'c0' was left out",),
            )


def _times() -> Iterator[Fixture]:
    import pyarrow as pa

    for unit in ("s", "ms", "us", "ns"):
        for name, moment in (("far", 2**62), ("farthest", 2**63 - 1), ("before_all", -(2**63) + 1)):
            column = pa.array([moment, 0, 1, None], pa.timestamp(unit))
            yield Fixture(f"time_{name}_{unit}", lambda column=column: feather(table(column)), file="t.feather", rows=4)
    for year in (1, 9_999, 36_812, 200_000):
        day = np.datetime64(0, "D") + np.timedelta64(int((year - 1970) * 365.2425), "D")
        column = pa.array([int(day.astype(np.int64)), 0, 1, None], pa.int64()).cast(pa.int32()).cast(pa.date32())
        yield Fixture(f"year_{year}", lambda column=column: parquet(table(column)), file="t.parquet", rows=4)


def _damaged() -> Iterator[Fixture]:
    import pyarrow as pa

    plain = table(pa.array([1, 2, 3, None]))
    for kind, write in WRITERS.items():
        whole = write(plain)
        for tenth in (1, 3, 5, 7, 9):
            size = len(whole) * tenth // 10
            yield Fixture(f"{kind}_cut_{tenth}", lambda whole=whole, size=size: whole[:size], refused=("cut off",))
            ending = whole[-6:] if kind == "feather" else whole[-4:]
            yield Fixture(
                f"{kind}_cut_and_closed_{tenth}",
                lambda whole=whole, size=size, ending=ending: whole[:size] + ending,
                refused=("",),
            )
        yield Fixture(f"{kind}_no_rows", lambda write=write: write(plain.slice(0, 0)), refused=("no rows",))
    for compression in ("lz4", "zstd", "uncompressed"):
        yield Fixture(f"feather_{compression}", lambda c=compression: feather(plain, compression=c), rows=4)
    for kind, write in WRITERS.items():
        wide = pa.table({f"c{i}": [1] for i in range(12_001)})
        yield Fixture(f"{kind}_wide", lambda write=write, wide=wide: write(wide), refused=("12,001 columns",))
        twice = pa.table([pa.array([1, 2]), pa.array(["x", "y"])], names=["a", "a"])
        if kind == "parquet":
            yield Fixture("parquet_twice", lambda twice=twice: parquet(twice), columns=("a", "a (2)"), rows=2)
    broken = pa.array([b"\xff\xfe", b"x", b"y", None]).view(pa.string())  # no text, though the file says so
    yield Fixture("parquet_texts_broken", lambda: parquet(table(broken)), refused=("'c0'", "damaged file"))
    late = pa.array([2**62, 0, 1, None], pa.int64()).view(pa.time64("us"))
    yield Fixture("parquet_times_beyond_a_day", lambda: parquet(table(late)), refused=("'c0'", "damaged file"))
    yield Fixture("parquet_many_cells", _many_cells, file="t.parquet", refused=("cells",))


def _many_cells() -> bytes:
    import pyarrow as pa

    constant = pa.array(np.zeros(11_000_000, np.int8))
    return parquet(pa.table({f"c{i}": constant for i in range(19)}), compression="zstd")


def _statistics() -> Iterator[Fixture]:
    for kind, program in (("sav", "SPSS"), ("dta", "Stata")):
        whole = statistics(kind)
        for tenth in (1, 3, 5):
            size = len(whole) * tenth // 10
            yield Fixture(f"{kind}_cut_at_{tenth}", lambda whole=whole, size=size: whole[:size], refused=(program,))
    for version in (8, 10, 12, 13, 14, 15):
        yield Fixture(f"dta_version_{version}", lambda v=version: _written("write_dta", "dta", version=v), rows=20)
    yield Fixture("zsav", lambda: _written("write_sav", "zsav", compress=True), rows=20)
    labels = {"pain": {1.0: "none", 2.0: "some", 3.0: "much", 9.0: "refused"}}
    yield Fixture("sav_labels", lambda: _written("write_sav", "sav", variable_value_labels=labels), rows=20)
    few = {"pain": {1.0: "none"}}
    yield Fixture(
        "sav_few_labels",
        lambda: _written("write_sav", "sav", variable_value_labels=few),
        says=("value labels applied",),
    )


def _written(function: str, kind: str, **options: Any) -> bytes:
    import pandas as pd
    import pyreadstat

    data = pd.DataFrame({"pain": [1.0, 2.0, 3.0, 2.0, None] * 4, "name": ["a", "ä", "", "b", "c"] * 4})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table.{kind}"
        getattr(pyreadstat, function)(data, path, **options)
        return path.read_bytes()


FIXTURES = (*_types(), *_left_out(), *_times(), *_damaged(), *_statistics())
