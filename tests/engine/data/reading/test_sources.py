"""What may be given to `read_table`: files of more kinds, tables in memory, and no address."""

from __future__ import annotations

import gzip
import os
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

from engine.data.dataset import Dataset, Recipe
from engine.data.preparing.deciding.decide import decisions
from engine.data.reading.limits import Limits
from engine.data.reading.read import read_table
from engine.data.reading.report import ReadingReport
from engine.errors import DataError
from engine.exchange.network_reader import read_graph
from engine.project.file import load
from tests.hostile.more_declared import _written, feather
from tests.hostile.more_workbooks import ods, ods_row, shared

COLUMNS = {"sex": ["m", "f", "m", None], "age": [40, 41, None, 43], "dose": [0.5, 1.5, 2.5, None]}


def arrow() -> pa.Table:
    """A small table."""
    return pa.table(COLUMNS)


@pytest.mark.parametrize("address", ["http://a.b/t.csv", "HTTPS://a.b/t.csv", "ftp://a/t.csv", "s3://a/t.parquet"])
def test_an_address_is_refused_in_its_own_words(address: str) -> None:
    """It is no path that is missing: nothing is fetched over a network."""
    with pytest.raises(DataError, match="Download the file"):
        read_table(address)


class Stream:
    """A table of another library, which only has arrow's protocol."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return arrow().__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "source", [arrow(), arrow().to_batches()[0], Stream(), pd.DataFrame(COLUMNS), pa.table(pd.DataFrame(COLUMNS))]
)
def test_tables_in_memory(source: Any) -> None:
    """All give the same table as a file of the same content."""
    table = read_table(source)
    same = read_table(feather(arrow()))
    pd.testing.assert_frame_equal(table, same)
    assert str(table["age"].dtype) == "Int64"
    assert table.attrs["reading"]["format"] == "table"


def test_polars_is_read() -> None:
    """Where it is installed."""
    polars = pytest.importorskip("polars")
    pd.testing.assert_frame_equal(read_table(polars.DataFrame(COLUMNS)), read_table(arrow()))


@pytest.mark.parametrize("ordered", [False, True])
def test_levels_of_polars(ordered: bool) -> None:
    """Its categories are views of texts; those of an Enum have an order."""
    polars = pytest.importorskip("polars")
    kind = polars.Enum(["late", "mid", "early", "never"]) if ordered else polars.Categorical
    stages = ["mid", "early", None, "late"]
    found = read_table(polars.DataFrame({"stage": polars.Series(stages, dtype=kind), "b": [1, 2, 3, 4]}))["stage"]
    assert found.astype(object).where(found.notna(), None).tolist() == stages
    assert found.cat.ordered == ordered
    assert list(found.cat.categories) == ["late", "mid", "early"] if ordered else set(found.cat.categories)


def test_views_of_texts_in_a_dictionary_of_several_pieces() -> None:
    """As arrow itself holds them, each piece with a dictionary of its own."""
    pieces = [pa.array(some).dictionary_encode() for some in (["b", "a"], ["c", None, "a"])]
    views = [pa.DictionaryArray.from_arrays(one.indices, one.dictionary.cast(pa.string_view())) for one in pieces]
    found = read_table(pa.table({"x": pa.chunked_array(views), "n": range(5)}))["x"]
    assert found.iloc[[0, 1, 2, 4]].tolist() == ["b", "a", "c", "a"] and pd.isna(found.iloc[3])


def test_intervals_and_periods_of_pandas() -> None:
    """Intervals are texts, in order where they are levels; periods are the days they begin, not their numbers."""
    cut = pd.cut(pd.Series([9, 1, None, 30, 2]), [0, 2, 10, 100])
    months = pd.period_range("2023-12", periods=5, freq="M")
    frame = pd.DataFrame({"cut": cut, "bare": pd.array(cut.tolist(), dtype="interval"), "month": months})
    frame["levels"] = pd.Categorical(months)
    frame.loc[1, "month"] = pd.NaT
    table = read_table(frame)
    assert table["cut"].cat.ordered and list(table["cut"].cat.categories) == list(map(str, cut.cat.categories))
    assert table["cut"].cat.codes.tolist() == cut.cat.codes.tolist()
    texts = [None if pd.isna(one) else str(one) for one in frame["bare"]]
    assert [None if pd.isna(one) else one for one in table["bare"]] == texts
    days = [None if pd.isna(one) else one.strftime("%Y-%m-%d") for one in table["month"]]
    assert days == ["2023-12-01", None, "2024-02-01", "2024-03-01", "2024-04-01"]
    assert table["levels"].tolist() == ["2023-12", "2024-01", "2024-02", "2024-03", "2024-04"]
    assert "day they begin" in table.attrs["reading"]["conversions"]["month"]


@pytest.mark.parametrize(
    ("kind", "far"),
    [
        (pa.timestamp("s"), 2**50), (pa.timestamp("s", "UTC"), -(2**45)), (pa.timestamp("ms"), 2**62),
        (pa.date32(), 2**31 - 1), (pa.date64(), 86_400_000 * 2**36),
    ],
)  # fmt: skip
def test_moments_too_far_away_are_missing_and_told(kind: pa.DataType, far: int) -> None:
    """They do not turn up in another age; those around them stay."""
    plain = pa.int32() if pa.types.is_date32(kind) else pa.int64()
    table = read_table(pa.table({"day": pa.array([0, far, None, 0], plain).cast(kind), "b": [1, 2, 3, 4]}))
    assert table["day"].isna().tolist() == [False, True, True, False]
    assert table["day"].iloc[0].year == 1970
    assert [(one["column"], one["row"]) for one in table.attrs["reading"]["invalid"]] == [("day", 2)]


def test_a_table_of_mixed_objects_and_double_names() -> None:
    """Objects of several kinds are texts; two columns of one name are told apart; order of levels is kept."""
    stage = pd.Categorical(["late", "early"], categories=["late", "early"], ordered=True)
    frame = pd.DataFrame({"a": ["x", 1], "b": [1, 2], "c": stage})
    frame.columns = ["a", "a", "stage"]
    table = read_table(frame)
    assert list(table.columns) == ["a", "a (2)", "stage"]
    assert list(table["a"]) == ["x", "1"]
    assert list(table["stage"].cat.categories) == ["late", "early"] and table["stage"].cat.ordered


def test_limits_hold_for_tables_in_memory() -> None:
    """Too many rows are too many."""
    with pytest.raises(DataError, match="4 rows; the limit is 3"):
        read_table(arrow(), limits=Limits(rows=3))


def test_no_table_at_all() -> None:
    """A number is none."""
    with pytest.raises(DataError, match="pandas, arrow or polars"):
        read_table(3)


def test_a_compressed_text_is_bounded_while_it_is_unpacked() -> None:
    """The limit holds for what is inside."""
    content = b"a,b\n" + b"x,1\ny,2\n" * 1_000
    packed = gzip.compress(content)
    assert len(read_table(packed, limits=Limits(unpacked_bytes=len(content)))) == 2_000
    with pytest.raises(DataError, match="unpacks to more than"):
        read_table(packed, limits=Limits(unpacked_bytes=len(content) - 1))


def test_open_document_gives_numbers_and_words() -> None:
    """As a workbook does."""
    table = read_table(ods(ods_row("sex", "age") + ods_row("m", 40) + ods_row("f", 41.5))())
    assert table["age"].tolist() == [40.0, 41.5] and table["sex"].tolist() == ["m", "f"]


def test_labels_that_were_applied_are_told_in_the_order_of_codes() -> None:
    """All labels of the file, also of codes that no row has."""
    labels = {"pain": {9.0: "refused", 2.0: "some", 1.0: "none", 3.0: "much"}}
    table = read_table(_written("write_sav", "sav", variable_value_labels=labels))
    pairs = [("1", "none"), ("2", "some"), ("3", "much"), ("9", "refused")]
    assert [tuple(pair) for pair in table.attrs["reading"]["labelled"]["pain"]] == pairs
    assert list(table["pain"].cat.categories) == ["none", "some", "much"]
    assert ReadingReport.from_dict(table.attrs["reading"]).labelled == {"pain": tuple(pairs)}


def test_days_without_an_end() -> None:
    """9999-12-31 is a date, in texts and in files that declare it; so is a day of the year 36812."""
    days = "".join(f"2020-0{1 + i % 9}-1{i % 10},{i}\n" for i in range(60)) + "9999-12-31,1\n"
    data = Dataset.from_frame(read_table(b"day,b\n" + days.encode()), kinds={"day": "ordinal"})
    assert any("9999-12-31" in level for level in data.levels["day"])
    far = pa.table({"day": pa.array([1_099_511_627_776_000_000, 0, 5], pa.timestamp("us")), "b": [1, 2, 3]})
    Dataset.from_frame(read_table(feather(far)), kinds={"day": "nominal"})


def test_memory_is_estimated_before_it_is_taken() -> None:
    """A file whose size in memory is known beforehand is refused unread, with the size."""
    few = Limits(memory_bytes=10_000_000)
    with pytest.raises(DataError, match=r"Feather file would take about 17 MB of memory; one read may use 10 MB"):
        read_table(
            feather(pa.table({"a": pa.nulls(1_000_000).cast(pa.int64()), "b": pa.array([0.5] * 1_000_000)})), limits=few
        )
    with pytest.raises(DataError, match="workbook would take about 20 MB"):
        read_table(shared(10_000, 1_000)(), limits=few)


def test_values_that_an_spss_file_declares_missing_are_missing_and_said_to_be() -> None:
    """Single values, ranges and texts; counted, with their label, and no question is asked of them."""
    frame = pd.DataFrame(
        {"pain": [0.0, 1, 99, 1] * 20, "visits": [3.0, -1, -2, 5] * 20, "arm": ["a", "b", "X", ""] * 20}
    )
    options: dict[str, Any] = {
        "column_labels": {"pain": "Pain today"},
        "variable_value_labels": {"pain": {0.0: "no", 1.0: "yes", 99.0: "refused"}},
        "missing_ranges": {"pain": [99], "visits": [{"lo": -9, "hi": -1}], "arm": ["X"]},
    }
    with tempfile.TemporaryDirectory() as folder:
        pyreadstat.write_sav(frame, f"{folder}/a.sav", **options)
        table = read_table(f"{folder}/a.sav")
    reading = ReadingReport.from_dict(table.attrs["reading"])
    assert reading.missing_tokens == {
        "pain": {"99 (refused)": 20},
        "visits": {"-1": 20, "-2": 20},
        "arm": {"X": 20, "": 20},
    }
    assert table["pain"].cat.categories.tolist() == ["no", "yes"]
    assert table.isna().sum().tolist() == [20, 40, 40]
    assert "'pain': value labels applied; missing, as the file declares: 99 (refused) in 20 rows" in " ".join(
        reading.sentences()
    )
    assert reading.labels == {"pain": "Pain today"}
    assert not [card for card in decisions(table, Recipe()) if card.kind in ("missing-code", "labelled-codes")]


@pytest.mark.parametrize("labels", [{}, {"a": "refused"}, {1: "no", 2: "yes", 5: "often", "a": "refused"}])
def test_extended_missing_values_of_stata_are_missing_counted_and_said(labels: dict[object, str]) -> None:
    """.a to .z with their labels, which name no level; texts that are single letters stay."""
    answers = pd.Series([1.0, 2.0, "a", "a", 5.0, "b", float("nan")], dtype=object)
    frame = pd.DataFrame({"q1": answers, "ward": list("abcabca")})
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.dta"
        pyreadstat.write_dta(
            frame,
            path,
            missing_user_values={"q1": ["a", "b"]},
            variable_value_labels={"q1": labels} if labels else None,
        )
        table = read_table(path)
    assert table["q1"].isna().tolist() == [False, False, True, True, False, True, True]
    about = table.attrs["reading"]
    first = ".a (refused)" if labels else ".a"
    assert about["missing_tokens"]["q1"] == {first: 2, ".b": 1}
    assert f"missing, as the file declares: {first} in 2 rows, .b in 1 row" in about["conversions"]["q1"]
    assert "a" not in dict(about["labelled"].get("q1", []))
    assert "ward" not in about["missing_tokens"] and table["ward"].tolist() == list("abcabca")
    assert (table["q1"].dropna().tolist() == ["no", "yes", "often"]) == (1 in labels)


@pytest.mark.parametrize("place", ["/proc/kmsg", "/dev/zero", "pipe", "link"])
def test_what_never_ends_is_not_opened(place: str, tmp_path: Path) -> None:
    """A device, a pipe, what the system makes up while it is read: each refused before it is opened."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/proc/kmsg")
    readers: list[Any] = [read_table, read_graph, load, Dataset.from_csv, Dataset.from_parquet]
    for read in readers:
        with pytest.raises(DataError):
            read(tmp_path / place)
