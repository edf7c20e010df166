"""Every column of every table of every method is declared, and every whole number is a count or is not."""

from __future__ import annotations

import pytest

from engine.methods.masked import table_of
from engine.telling.tables import Column, TableDescription, described
from tests.engine.project.report.answers import KINDS, answer


@pytest.mark.parametrize("kind", KINDS)
def test_every_column_is_declared(kind: str) -> None:
    """A new column of any table fails here until somebody says whether it counts people."""
    result = answer(kind)
    for title in result.table_titles():
        about = result.table_description(title)
        missing = [
            str(name)
            for name in table_of(result, title).columns
            if str(name) not in about.columns and about.others is None
        ]
        assert not missing, (title, missing)


@pytest.mark.parametrize("kind", KINDS)
def test_every_whole_number_is_a_count_or_is_not(kind: str) -> None:
    """No integer column is written as anything else, so none is forgotten where counts are hidden."""
    result = answer(kind)
    for title in result.table_titles():
        frame, about = table_of(result, title), result.table_description(title)
        for name in frame.columns:
            if frame[name].dtype.kind in "iu":
                assert about.column(str(name)).kind in ("count", "whole", "text"), (title, name)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_declared_of_a_table_is_in_it(kind: str) -> None:
    """Keys, ends of intervals, sums and the like name columns that exist."""
    result = answer(kind)
    of_kind = [answer(other) for other in KINDS if type(answer(other)) is type(result)]  # some answers lack columns
    for title in result.table_titles():
        about, columns = (
            result.table_description(title),
            {str(name) for one in of_kind if title in one.table_titles() for name in table_of(one, title).columns},
        )
        named = {*about.keys, *about.ends, *about.reveals, *about.left_out, *about.estimates}
        named |= {end for pair in about.ends.values() for end in pair} | {name for sums in about.sums for name in sums}
        named |= {about.shown} - {""}
        assert named <= columns, (title, named - columns)
        assert {about.ordered_as, about.parts_of, about.totals_of} - {""} <= set(result.table_titles())


def test_every_declared_table_is_asked_of_some_answer() -> None:
    """The answers that these tests look at have all the tables that are declared."""
    asked = {(type(answer(kind)).__name__, title) for kind in KINDS for title in answer(kind).table_titles()}
    results = [answer(kind) for kind in KINDS]
    assert {(type(result).__name__, title) for result in results for title in result.table_descriptions} <= asked


def test_a_table_that_nobody_declared_is_taken_with_care() -> None:
    """Its whole numbers are counts."""
    assert TableDescription().column("n", whole_numbers=True).kind == "count"
    assert TableDescription().column("n").kind == "number"


def test_headers_are_names_or_words() -> None:
    """Underscores are for programs."""
    assert described(text="few_rows; b: the second") == {
        "few_rows": Column("few rows", "text"),
        "b": Column("the second", "text"),
    }


def test_p_is_no_probability() -> None:
    """A column of p says so above it, none is called chance, and what is written P is none."""
    tables = [table for kind in KINDS for table in answer(kind).table_descriptions.values()]
    headers = {(column.kind, column.header) for one in tables for column in one.columns.values()}
    assert {header for kind, header in headers if kind == "p"} == {
        "p",
        "p, corrected",
        "p, uncorrected",
        "p overall (Holm)",
        "p by permutation",
        "p among all",
        "p given the others",
    }
    assert not any(
        header == "chance" or (header.startswith("P(") and kind != "probability") for kind, header in headers
    )
    for kind, title in (("ordinal", "Edges"), ("discriminative", "Families"), ("group_difference", "Variables")):
        columns = answer(kind).table_description(title).columns
        assert {columns[name].kind for name in ("chance", "p_alone") if name in columns} == {"p"}


def test_notes_and_halves_of_links_stand_in_the_report() -> None:
    """Under headings that are words."""
    shown = answer("one hot").table_description("Edges")
    assert (shown.column("note"), "note" in table_of(answer("one hot"), "Edges")) == (Column("note", "text"), True)
    halves = answer("ordinal with strength").table_description("Edges")
    assert {"half_share", "half_way"} <= set(table_of(answer("ordinal with strength"), "Edges").columns)
    assert halves.column("half_share") == Column("of half samples", "share")
    assert halves.column("half_way") == Column("of these, this way", "share")
