"""Rows of the table and rows of the data set: which became which, and what an incomplete row still holds."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pandas as pd

from engine.data.dataset import Dataset
from engine.data.table_rows import (
    data_row,
    far_out,
    far_out_rows,
    first_row,
    identifier_of,
    known_values,
    table_length,
    table_rows,
)


def table(n: int = 60) -> pd.DataFrame:
    """Words, numbers that are cut, a token for missing, a merged spelling, and gaps."""
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "id": [f"P{i}" for i in range(n)],
            "smoker": rng.choice(["yes", "Yes", "no"], n),
            "age": rng.normal(60, 9, n).round(1),
            "dose": [None if i % 7 == 0 else float(i % 3) for i in range(n)],
            "mark": ["-" if i % 11 == 0 else "ab"[i % 2] for i in range(n)],
        }
    )


CHOICES: dict[str, Any] = {"merge": {"smoker": {"Yes": "yes"}}, "missing_tokens": {"mark": ["-"]}}


def test_every_row_of_the_data_set_knows_its_place_in_the_table() -> None:
    """The two ways agree, and exactly the rows with a gap are left out."""
    data = Dataset.from_frame(table(), **CHOICES)
    kept = [i for i in range(60) if i % 7 and i % 11]
    assert list(table_rows(data, np.arange(data.n_rows))) == kept
    assert [data_row(data, i) for i in kept] == list(range(len(kept)))
    assert first_row(data) == kept[0]
    assert all(data_row(data, i) is None for i in {*range(61)} - {*kept})
    assert (table_length(data), data.n_rows) == (60, len(kept))


def test_without_gaps_rows_are_the_same() -> None:
    """A complete table, and codes without any table, keep their numbers."""
    whole = Dataset.from_frame(table()[["smoker", "age"]])
    codes = Dataset.from_codes(np.zeros((1, 5), int), [2], ["a"])
    for data in (whole, codes):
        assert list(table_rows(data, np.array([0, 3]))) == [0, 3]
        assert (data_row(data, 3), data_row(data, data.n_rows)) == (3, None)
        assert table_length(data) == data.n_rows


def test_a_row_is_coded_as_its_columns_were() -> None:
    """Cut points, merged spellings and tokens hold for one row too; in complete rows it is the data set itself."""
    whole = table()
    data = Dataset.from_frame(whole, **CHOICES)
    for row in range(60):
        found = known_values(data, whole, row)
        lacking = {name for name, gap in (("dose", row % 7 == 0), ("mark", row % 11 == 0)) if gap}
        assert set(found) == set(data.names) - lacking
        place = data_row(data, row)
        if place is None:
            filled = whole.copy()
            filled.loc[row, "dose"] = filled.loc[row, "dose"] if row % 7 else 1.0
            filled.loc[row, "mark"] = "a"
            again = Dataset.from_frame(
                filled, **CHOICES, bins={"age": list(data.cuts["age"])}, levels={"dose": list(data.levels["dose"])}
            )
            at = data_row(again, row)
            assert at is not None
            assert all(
                found[name] == data.levels[name][again.column(name)[at]] for name in ("age", "smoker") if name in found
            )


def test_a_row_left_out_is_coded_by_the_recipe() -> None:
    """A rare level is the level it went into, a gap is not known, and without the table nothing is."""
    frame = pd.DataFrame({"a": ["x"] * 9 + ["y"] * 9 + ["rare", "scarce"], "b": [*"pq" * 9, "p", None]})
    data = Dataset.from_frame(frame, rare={"a": 3})
    assert known_values(data, frame, 19) == {"a": "other"}
    assert known_values(data, None, 19) == {}
    assert known_values(data, frame, 0) == {"a": "x", "b": "p"}


def test_rows_of_a_part_know_their_place_in_the_table() -> None:
    """Rows taken from rows, a group or other variables keep the numbers of the table."""
    data = Dataset.from_frame(table(), **CHOICES)
    kept = [i for i in range(60) if i % 7 and i % 11]
    part = data.rows(np.array([3, 4]))
    assert list(table_rows(part, np.array([0, 1]))) == kept[3:5]
    assert (data_row(part, kept[4]), data_row(part, kept[0]), table_length(part)) == (1, None, 60)
    assert list(part.select(["age"]).without_empty_levels()[0].origin) == kept[3:5]
    assert list(part.rows(np.array([1])).origin) == kept[4:5]
    smokers = data.split("smoker")
    assert sorted(np.concatenate([one.origin for one in smokers.values()]).tolist()) == kept
    whole = table()
    assert all((whole["smoker"].str.lower()[one.origin] == level).all() for level, one in smokers.items())
    assert list(pickle.loads(pickle.dumps(part)).origin) == kept[3:5]  # noqa: S301


def test_the_report_stays_plain() -> None:
    """The report fits into JSON, and equal tables have equal reports."""
    report = Dataset.from_frame(table(), **CHOICES).report
    assert report is not None
    assert json.loads(json.dumps(report.to_dict())) == report.to_dict()
    assert report == Dataset.from_frame(table(), **CHOICES).report


def test_the_identifier_of_a_row_of_the_table() -> None:
    """That of the column with the role, else the subject's; nothing without such a column or table."""
    frame = pd.DataFrame({"id": ["p1", None, "p3"], "who": ["s1", "s2", "s3"], "a": ["x", "y", "x"]})
    data = Dataset.from_frame(frame, roles={"id": "identifier", "who": "subject"})
    assert [identifier_of(data, frame, row) for row in range(3)] == ["p1", "s2", "p3"]
    assert identifier_of(data, None, 0) == ""
    named = frame.rename(columns={"who": "patient id"}).drop(columns="id")
    assert identifier_of(Dataset.from_frame(named, kinds={"patient id": "ignore"}), named, 2) == "s3"
    assert identifier_of(Dataset.from_frame(frame[["a"]]), frame[["a"]], 0) == ""
    numbered = frame[["a"]].assign(case=[5000, 5001, 5002])
    assert identifier_of(Dataset.from_frame(numbered, kinds={"case": "ignore"}), numbered, 0) == "5000"
    numbered["case"] = [1, 0, 1]
    assert identifier_of(Dataset.from_frame(numbered, kinds={"case": "ignore"}), numbered, 0) == ""


def test_few_rows_are_far_out_and_each_says_how_many_are_as_far() -> None:
    """Of a skewed column at most a twentieth; either side by itself, ties as one, the fewest rows first."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"skewed": rng.lognormal(0, 2.5, 2000).round(2), "even": rng.normal(0, 1, 2000).round(2)})
    frame.loc[[7, 8, 9], "even"] = [-30.0, 20.0, 20.0]
    frame.loc[7, "skewed"] = 1e6
    data = Dataset.from_frame(frame)
    low, high = frame["skewed"].quantile([0.25, 0.75])
    assert (frame["skewed"] > high + 3 * (high - low)).mean() > 0.08  # as Tukey has it, far too many to be named
    rows = far_out_rows(data)
    assert 0.045 < (rows["skewed"] > 0).mean() <= 0.05
    assert [int(rows["even"][row]) for row in (7, 8, 9)] == [1, 2, 2] and (rows["even"] > 0).sum() == 3
    named = np.flatnonzero(rows["skewed"])
    larger = [(frame["skewed"] >= number).sum() for number in frame["skewed"][named]]
    assert rows["skewed"][named].tolist() == larger
    for name in frame:  # the same of a number alone, and of one that no row has
        assert [far_out(frame[name].to_numpy(), value) for value in frame[name]] == rows[name].tolist()
    assert far_out(frame["even"].to_numpy(), -99.0) == 1 and far_out(np.ones(50), 9.0) == 0
