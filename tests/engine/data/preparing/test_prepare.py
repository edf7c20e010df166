"""From a pandas table to a data set: every choice, every refusal, and the report."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data.dataset import Dataset
from engine.data.preparing.report import ImportReport
from engine.errors import DataError


def clinic(n: int = 60) -> pd.DataFrame:
    """A table with an identifier, words, grades, numbers and gaps."""
    rng = np.random.default_rng(7)
    return pd.DataFrame(
        {
            "patient": [f"P{i}" for i in range(n)],
            "sex": rng.choice(["m", "f"], n),
            "stage": rng.choice(["I", "II", "III"], n),
            "age": rng.normal(60, 9, n).round(1),
            "score": pd.array([None if i % 10 == 0 else i % 4 for i in range(n)], dtype="Int64"),
        }
    )


def report_of(data: Dataset) -> ImportReport:
    """The report a data set carries."""
    assert data.report is not None
    return data.report


def test_defaults() -> None:
    """The identifier is left out, grades are ordered, numbers are cut, incomplete rows are dropped."""
    data = Dataset.from_frame(clinic())
    assert data.kinds == {"sex": "nominal", "stage": "ordinal", "age": "continuous", "score": "ordinal"}
    assert data.levels["stage"] == ("I", "II", "III")
    assert data.levels["score"] == ("0", "1", "2", "3")
    assert (data.n_rows, report_of(data).rows_read, report_of(data).rows_dropped) == (54, 60, 6)
    assert report_of(data).dropped_for == {"score": 6}
    assert len(data.cuts["age"]) == 2


def test_codes_match_the_table() -> None:
    """Every code stands for the value of its row (checked cell by cell)."""
    table = clinic()
    data = Dataset.from_frame(table)
    kept = table[table["score"].notna()].reset_index(drop=True)
    for name in ("sex", "stage", "score"):
        assert [data.levels[name][code] for code in data.column(name)] == [str(value) for value in kept[name]]
    cuts = data.cuts["age"]
    assert [sum(value >= cut for cut in cuts) for value in kept["age"]] == data.column("age").tolist()


def test_kinds_can_be_chosen() -> None:
    """The user's kind wins, and the report keeps the reason of the proposal."""
    data = Dataset.from_frame(clinic(), kinds={"age": "ignore", "score": "nominal", "stage": "identifier"})
    assert data.names == ("sex", "score")
    assert report_of(data).column("age").chosen
    assert "continuous" in report_of(data).column("age").reason


def test_levels_can_be_chosen_and_may_be_empty() -> None:
    """Given levels set the order; one that no row has stays, with a word about it."""
    data = Dataset.from_frame(clinic(), levels={"stage": ["III", "II", "I", "0"], "score": [3, 2, 1, 0]})
    assert data.levels["stage"] == ("III", "II", "I", "0")
    assert data.levels["score"] == ("3", "2", "1", "0")
    assert any("'0'" in words for words in report_of(data).problems)


def test_a_value_outside_the_levels_is_an_error_with_its_row() -> None:
    """A forgotten level is named with the first row that has it."""
    table = clinic()
    row = int(np.flatnonzero(table["stage"] == "III")[0]) + 1
    with pytest.raises(DataError, match=f"'III' in row {row} ") as caught:
        Dataset.from_frame(table, levels={"stage": ["I", "II"]})
    assert (caught.value.column, caught.value.row) == ("stage", row)


def test_missing_as_a_level() -> None:
    """Missing becomes a last level with a name of its own, and an order is given up."""
    table = clinic().assign(sex=["missing" if i % 5 == 0 else "m" if i % 5 == 1 else "f" for i in range(60)])
    table.loc[3, "sex"] = None
    data = Dataset.from_frame(table, missing="level")
    assert data.n_rows == 60
    assert data.levels["sex"] == ("f", "m", "missing", "missing (2)")
    assert data.kinds["score"] == "nominal" and data.levels["score"][-1] == "missing"
    assert report_of(data).rows_dropped == 0


def test_missing_as_a_level_beside_rare_levels() -> None:
    """A level of what is missing is no obstacle to merging rare ones; it is not counted as one of them."""
    table = pd.DataFrame({"a": ["x"] * 5 + ["y", "z"] + [None] * 2, "b": ["p", "q", "p"] * 3})
    data = Dataset.from_frame(table, missing="level", rare={"a": 3})
    assert data.levels["a"] == ("x", "other", "missing")
    assert report_of(data).column("a").counts == (5, 2, 2)


@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
def test_a_level_with_just_enough_rows_stays(kind: str) -> None:
    """ "Fewer than" three rows is two at most: the level with three rows keeps its name."""
    table = pd.DataFrame({"a": ["1"] * 6 + ["2"] * 3 + ["3"] * 3, "b": ["p", "q"] * 6})
    data = Dataset.from_frame(table, kinds={"a": kind}, rare=3)
    assert data.levels["a"] == ("1", "2", "3")
    assert Dataset.from_frame(table, kinds={"a": kind}, rare=4).levels["a"] == (
        ("1", "other") if kind == "nominal" else ("1", "2 to 3")
    )


@pytest.mark.parametrize(("kind", "levels"), [("nominal", ("3", "4", "other")), ("ordinal", ("1 to 2", "3", "4"))])
def test_just_enough_rows_are_enough_beside_rare_levels(kind: str, levels: tuple[str, ...]) -> None:
    """A level, or neighbours joined, with exactly as many rows as asked for is joined to nothing more."""
    table = pd.DataFrame({"a": ["1", "2", "2", "3", "3", "3", *["4"] * 6], "b": ["p", "q"] * 6})
    assert Dataset.from_frame(table, kinds={"a": kind}, rare=3).levels["a"] == levels


def test_rare_levels_join_the_level_that_is_called_other() -> None:
    """There is one level "other", not two, and it has the rows of both."""
    table = pd.DataFrame({"a": ["x"] * 5 + ["other"] * 4 + ["y", "z"], "b": ["p"] * 6 + ["q"] * 5})
    data = Dataset.from_frame(table, rare={"a": 3})
    assert data.levels["a"] == ("x", "other")
    assert report_of(data).column("a").counts == (5, 6)


def test_merged_levels_are_put_in_order_again() -> None:
    """A word outside a known scale hides its order; once it is merged into the scale, the order is seen."""
    table = pd.DataFrame({"pain": ["heavy", "mild", "none", "severe"] * 5, "b": ["p", "q"] * 10})
    assert Dataset.from_frame(table).levels["pain"] == ("heavy", "mild", "none", "severe")
    merged = Dataset.from_frame(table, merge={"pain": {"heavy": "severe"}})
    assert merged.levels["pain"] == ("none", "mild", "severe")


def test_half_of_the_rows_are_no_reason_to_warn_and_fewer_are() -> None:
    """Exactly half complete is quiet; one row less is said, with the column that costs most."""
    table = pd.DataFrame({"a": ["x", "y"] * 6, "b": ["p", "q", "p"] * 4})
    quiet = Dataset.from_frame(table.assign(a=[None] * 6 + ["x", "y"] * 3))
    assert quiet.n_rows == 6 and not any("rows are complete" in words for words in report_of(quiet).problems)
    said = Dataset.from_frame(
        table.assign(a=[None] * 6 + ["x", "y"] * 3, b=["p"] * 6 + [None] + ["p", "q"] * 2 + ["q"])
    )
    assert said.n_rows == 5
    assert any(
        words.startswith("Only 5 of 12 rows are complete; leaving out 'a'") for words in report_of(said).problems
    )


@pytest.mark.parametrize(("missing", "words"), [("drop", "No row is complete"), ("level", "no numbers to cut")])
def test_a_continuous_column_of_tokens_only_is_a_sentence(missing: str, words: str) -> None:
    """A column of which nothing is left cannot be cut, whatever becomes of its gaps."""
    table = pd.DataFrame({"a": ["x"] * 6, "b": ["p", "q"] * 3})
    with pytest.raises(DataError, match=words):
        Dataset.from_frame(table, kinds={"a": "continuous"}, missing_tokens={"a": ["x"]}, missing=missing)


def test_true_beside_one_is_true() -> None:
    """Cells of True, False and 1 are flags, gaps among them are gaps."""
    data = Dataset.from_frame(pd.DataFrame({"a": [True, None, False, 1, 0, True], "b": ["x", "y"] * 3}, dtype=object))
    assert data.levels["a"] == ("False", "True")
    assert data.column("a").tolist() == [1, 0, 1, 0, 1] and data.origin.tolist() == [0, 2, 3, 4, 5]


def test_missing_level_of_numbers() -> None:
    """A continuous column with gaps gets its intervals and the level missing."""
    table = clinic()
    table.loc[[1, 2, 3], "age"] = np.nan
    data = Dataset.from_frame(table, missing={"age": "level"})
    assert data.levels["age"][-1] == "missing"
    assert report_of(data).column("age").counts[-1] == 3


def test_columns_with_gaps_can_be_dropped() -> None:
    """The column goes, the rows stay."""
    data = Dataset.from_frame(clinic(), missing="drop_columns")
    assert "score" not in data.names and data.n_rows == 60


def test_missing_tokens_turn_words_into_numbers() -> None:
    """Taking `?` for missing makes a column of numbers of it, and is counted."""
    table = pd.DataFrame({"x": [*(str(i * 7 % 31) for i in range(30)), "?", "?"], "y": ["a", "b"] * 16})
    assert "x" not in Dataset.from_frame(table).names
    data = Dataset.from_frame(table, missing_tokens=["?"])
    assert data.kinds["x"] == "continuous" and data.n_rows == 30
    assert report_of(data).column("x").missing_tokens == {"?": 2}


def test_missing_tokens_of_numbers_by_column() -> None:
    """-9 is missing in the column named, and nowhere else."""
    table = pd.DataFrame({"a": [1, 2, -9] * 8, "b": [1, 2, -9] * 8})
    data = Dataset.from_frame(table, missing_tokens={"a": ["-9"]})
    assert data.levels == {"a": ("1", "2"), "b": ("-9", "1", "2")}
    assert any("'b'" in words and "'-9'" in words for words in report_of(data).suggestions)


def test_merging_levels() -> None:
    """Levels are merged as asked, whatever the kind."""
    data = Dataset.from_frame(clinic(), merge={"stage": {"II": "late", "III": "late"}, "score": {0: 1}})
    assert data.levels["stage"] == ("I", "late")
    assert data.levels["score"] == ("1", "2", "3")


def test_rare_levels() -> None:
    """Rare words join `other`, a rare grade joins its smaller neighbour."""
    table = pd.DataFrame(
        {
            "word": ["a"] * 10 + ["b"] * 10 + ["c", "d"],
            "grade": ["I"] * 6 + ["II"] * 12 + ["III"] * 2 + ["IV"] * 2,
        }
    )
    data = Dataset.from_frame(table, rare=3)
    assert data.levels["word"] == ("a", "b", "other")
    assert data.levels["grade"] == ("I", "II", "III to IV")
    assert report_of(data).column("grade").counts == (6, 12, 4)
    assert Dataset.from_frame(table, rare={"word": 3}).levels["grade"] == ("I", "II", "III", "IV")


def test_bins_and_cut_points() -> None:
    """A number of intervals, equal widths, or the user's own points."""
    table = pd.DataFrame({"x": np.arange(100.0), "y": np.arange(100.0) ** 2, "g": ["a", "b"] * 50})
    data = Dataset.from_frame(table, bins={"x": [10, 20.5], "y": 4}, binning={"y": "width"}, kinds={"x": "continuous"})
    assert data.cuts["x"] == (10.0, 20.5)
    assert data.levels["x"] == ("below 10", "10 to 20.5", "20.5 and above")
    assert np.bincount(data.column("x")).tolist() == [10, 11, 79]
    assert len(data.levels["y"]) == 4


def test_levels_of_dropped_rows_stay() -> None:
    """Levels are those of the whole table."""
    table = pd.DataFrame({"a": ["x", "y", "z"] + ["x", "y"] * 9, "b": ["p", "q", None] + ["p", "q"] * 9})
    data = Dataset.from_frame(table)
    assert data.levels["a"] == ("x", "y", "z")
    assert any("without a row" in words for words in report_of(data).problems)


def test_dates_can_be_cut_into_periods() -> None:
    """Dates are left out unless made continuous; then the periods are named by dates."""
    days = pd.date_range("2020-01-01", periods=60)
    for column in (days, days.strftime("%d.%m.%Y"), days.strftime("%Y-%m-%d")):
        table = pd.DataFrame({"day": column, "g": ["a", "b"] * 30})
        assert Dataset.from_frame(table).names == ("g",)
        data = Dataset.from_frame(table, kinds={"day": "continuous"}, bins=2)
        assert data.levels["day"] == ("below 2020-01-31", "2020-01-31 and above")


def test_declared_order_is_kept() -> None:
    """An ordered category keeps its order and its levels without rows."""
    column = pd.Categorical(["b", "a"] * 10, categories=["z", "b", "a"], ordered=True)
    data = Dataset.from_frame(pd.DataFrame({"x": column, "g": ["p", "q"] * 10}), kinds={"x": "ordinal"})
    assert data.levels["x"] == ("z", "b", "a")


def test_round_trip_through_pandas() -> None:
    """A data set written as a table and prepared again has the same codes and levels."""
    data = Dataset.from_frame(clinic())
    again = Dataset.from_frame(data.to_frame(), kinds=dict.fromkeys(data.names, "ordinal"), levels=dict(data.levels))
    assert again.levels == data.levels
    assert (again.codes == data.codes).all()


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"kinds": {"agee": "nominal"}}, "Did you mean 'age'"),
        ({"kinds": {"age": "numeric"}}, "nominal, ordinal, continuous, ignore"),
        ({"kinds": {"patient": "continuous"}}, "row 1: 'P0'"),
        ({"kinds": dict.fromkeys(("sex", "stage", "age", "score"), "ignore")}, "No column is left"),
        ({"missing": "forget"}, "drop, level, drop_columns"),
        ({"bins": 1}, "2 to 50"),
        ({"bins": {"age": [3, 2]}}, "larger than the one before"),
        ({"bins": [1, 2]}, "belong to one column"),
        ({"bins": "many"}, "number of intervals"),
        ({"binning": {"age": "best"}}, "quantile, width"),
        ({"rare": -1}, "0 or more"),
        ({"merge": {"stage": {"V": "IV"}}}, "no level 'V'"),
        ({"levels": {"stage": ["I", "I", "II", "III"]}}, "twice"),
        ({"levels": {"stage": "I"}}, "as a list"),
        ({"levels": {"age": ["low", "high"]}, "kinds": {"age": "continuous"}}, "cut points"),
        ({"missing_tokens": {"nope": ["x"]}}, "'nope'"),
    ],
)
def test_wrong_choices_are_sentences(choices: dict[str, Any], words: str) -> None:
    """A choice that does not fit is refused with what is possible."""
    with pytest.raises(DataError) as caught:
        Dataset.from_frame(clinic(), **choices)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pd.DataFrame(), "no columns"),
        (pd.DataFrame({"a": []}), "no rows"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "Two columns are called 'a'"),
        (pd.DataFrame({"a": [[1], [2]]}), "lists"),
        ([1, 2], "pandas table"),
    ],
)
def test_wrong_tables_are_sentences(table: Any, words: str) -> None:
    """What is no table is refused."""
    with pytest.raises(DataError, match=words):
        Dataset.from_frame(table)


def test_report_counts_and_exports() -> None:
    """The report adds up, speaks in sentences, and fits into JSON and a table."""
    report = report_of(Dataset.from_frame(clinic()))
    for one in report.columns:
        assert sum(one.counts) in (0, report.rows_kept)
        assert len(one.counts) == len(one.levels)
    assert list(report.to_frame()["column"]) == list(clinic().columns)
    assert json.loads(json.dumps(report.to_dict()))["rows_kept"] == 54
    assert any("'score' (6)" in words for words in report.sentences())


@pytest.mark.parametrize(("columns", "more"), [(5, ""), (6, " and 1 more column"), (8, " and 3 more columns")])
def test_five_columns_are_blamed_for_dropped_rows_by_name(columns: int, more: str) -> None:
    """Those that lack most come first; of the others the number."""
    frame = pd.DataFrame({f"c{i}": ["a", "b"] * 20 for i in range(columns)})
    for i in range(columns):
        frame.iloc[: i + 1, i] = None
    said = report_of(Dataset.from_frame(frame)).rows_sentence()
    named = ", ".join(f"'c{i}' ({i + 1})" for i in range(columns - 1, columns - 6, -1))
    assert said.endswith(f" {columns} were dropped because they lack a value in {named}{more}; some lack several.")


def test_clinical_export_needs_no_help() -> None:
    """Thirty columns with gaps, odd headers, semicolons and decimal commas come in right by the defaults."""
    from engine.data.reading.read import read_table

    rng = np.random.default_rng(3)
    n = 300
    columns: dict[str, Any] = {
        "Patient-ID": np.arange(1001, 1001 + n),
        " Age (years) ": rng.normal(60, 9, n).round(1),
        "Sex": rng.choice(["m", "f"], n),
        "Visit": pd.date_range("2020-01-01", periods=n).strftime("%d.%m.%Y"),
        "Ward": [f"{k:03d}" for k in rng.integers(1, 6, n)],
        "Notes": [f"the patient number {i} came back and felt well again" for i in range(n)],
        "Site": "Köln",
        "Almost never measured": [1.5 if i % 10 == 0 else None for i in range(n)],
        "Pain": rng.choice(["None", "mild", "severe"], n),
        "": rng.choice(["drug", "placebo"], n),
    }
    columns |= {f"lab {k}": np.where(rng.random(n) < 0.01, np.nan, rng.lognormal(size=n).round(2)) for k in range(10)}
    columns |= {f"item {k}": rng.integers(1, 6, n) for k in range(10)}
    text = "Export of the ward\r\n\r\n" + pd.DataFrame(columns).to_csv(sep=";", decimal=",", index=False)
    data = Dataset.from_frame(read_table(text.encode("cp1252"), name="export.csv"))
    assert data.kinds == {
        "Age (years)": "continuous",
        "Sex": "nominal",
        "Ward": "nominal",
        "Pain": "ordinal",
        "column 10": "nominal",
        **{f"lab {k}": "continuous" for k in range(10)},
        **{f"item {k}": "ordinal" for k in range(10)},
    }
    assert data.n_rows > 0.85 * n
    words = "\n".join(report_of(data).sentences())
    for expected in (
        "identifier", "dates", "constant", "free text", "90\u00a0%", "decimal comma", "line 1 was skipped", "column 10",
        "leading zeros", "'None' is kept",
    ):  # fmt: skip
        assert expected in words


@settings(max_examples=40)
@given(data=st.data())
def test_row_order_and_column_order_do_not_matter(data: st.DataObject) -> None:
    """Shuffled rows give shuffled codes, shuffled columns the same variables."""
    n = data.draw(st.integers(12, 30))
    words = data.draw(st.lists(st.sampled_from(["x", "y", "é", None]), min_size=n, max_size=n))
    numbers = data.draw(st.lists(st.integers(-3, 99) | st.none(), min_size=n, max_size=n))
    table = pd.DataFrame(
        {"w": words, "k": pd.array(numbers, dtype="Int64"), "g": ["a", "b"] * (n // 2) + ["a"] * (n % 2)}
    )
    kinds = {"w": "nominal", "k": "continuous", "g": "nominal"}
    order = np.array(data.draw(st.permutations(range(n))))
    try:
        one = Dataset.from_frame(table, kinds=kinds)
    except DataError:
        with pytest.raises(DataError):
            Dataset.from_frame(table.iloc[order], kinds=kinds)
        return
    two = Dataset.from_frame(table.iloc[order][["g", "k", "w"]], kinds=kinds)
    assert two.levels == one.levels and two.cuts == one.cuts
    complete = table.notna().all(axis=1).to_numpy()
    place = np.cumsum(complete) - 1
    for name in one.names:
        assert (two.column(name) == one.column(name)[place[order][complete[order]]]).all()
