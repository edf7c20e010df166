"""Names in two rows: joined, or codes with labels, in CSV and Excel; an ordinary header stays one row."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Sequence
from typing import Any

import pytest

import engine
import sample_data
from engine.data.reading.report import reading_report

GROUPS = [["id", "Mean", "", "", "Worst", "", ""], ["", "radius", "texture", "area", "radius", "texture", "area"]]
JOINED = ["id", "Mean radius", "Mean texture", "Mean area", "Worst radius", "Worst texture", "Worst area"]
ITEMS = [f"I found it hard to {verb}" for verb in ("wind down", "sleep", "start", "rest")]
CODES = [["DASS_1", "DASS_2", "DASS_3", "DASS_4"], ITEMS]
IMPORT = [[f'{{"ImportId":"QID{i}"}}' for i in range(4)]]
LONG = ["not at all true", "a little true", "somewhat true", "very much true"]
WORDS = ("never", "sometimes", "often", "always")


def numbers(columns: int, rows: int = 30) -> list[list[str]]:
    source = random.Random(1)
    return [[f"{source.random():.3f}" for _ in range(columns)] for _ in range(rows)]


def answers(columns: int, rows: int = 30) -> list[list[str]]:
    source = random.Random(2)
    return [[source.choice(WORDS) for _ in range(columns)] for _ in range(rows)]


def as_csv(rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def as_excel(rows: Sequence[Sequence[str]]) -> bytes:
    """Numbers as numbers, and the groups above as merged cells."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append([float(cell) if cell[:1].isdigit() else cell or None for cell in row])
    for j, cell in enumerate(rows[0]):
        end = next((k for k in range(j + 1, len(rows[0])) if rows[0][k]), len(rows[0]))
        if cell and end > j + 1:
            book.active.merge_cells(start_row=1, end_row=1, start_column=j + 1, end_column=end)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize("written", [as_csv, as_excel])
@pytest.mark.parametrize("values", [numbers, answers])
def test_two_rows_of_names_are_joined_and_are_no_data(written: object, values: object) -> None:
    """Above numbers and above words; a name that stands above only, or below only, is taken as it is."""
    table = engine.read_table(written(GROUPS + values(7)))  # type: ignore[operator]
    assert list(table.columns) == JOINED
    assert len(table) == 30
    assert values is answers or all(table[name].dtype.kind == "f" for name in JOINED)
    assert list(table.attrs["reading"]["name_rows"]) == ["join", "lower", "upper", "one"]


@pytest.mark.parametrize("written", [as_csv, as_excel])
@pytest.mark.parametrize("rows", [CODES + numbers(4), CODES + answers(4), CODES + IMPORT + answers(4)])
def test_codes_over_texts_are_names_with_labels(written: object, rows: list[list[str]]) -> None:
    """Also where a survey program writes codes of its own below."""
    table = engine.read_table(written(rows))  # type: ignore[operator]
    assert list(table.columns) == CODES[0]
    assert len(table) == 30
    assert table.attrs["reading"]["labels"] == dict(zip(*CODES, strict=True))


@pytest.mark.parametrize(
    ("way", "names", "rows"),
    [
        ("upper", ["id", "Mean", "Mean (2)", "Mean (3)", "Worst", "Worst (2)", "Worst (3)"], 30),
        ("lower", ["id", "radius", "texture", "area", "radius (2)", "texture (2)", "area (2)"], 30),
        ("one", ["id", "Mean", "column 3", "column 4", "Worst", "column 6", "column 7"], 31),
    ],
)
def test_a_choice_is_taken_and_stands_in_what_repeats_it(way: str, names: list[str], rows: int) -> None:
    """In the decision's own options, a recipe, and the exported Python."""
    data = as_csv(GROUPS + numbers(7))
    (card,) = [item for item in engine.decisions(engine.read_table(data), engine.Recipe()) if item.kind == "name-rows"]
    assert card.sentence == "The names stand in two rows: join them ('Mean radius')?"
    assert [option.key for option in card.options if option.now] == ["join"]
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option(way)))
    table = recipe.read(data)
    assert (list(table.columns), len(table)) == (names, rows)
    assert engine.Recipe.from_dict(recipe.to_dict()).reading == {"name_rows": way}
    assert f"name_rows='{way}'" in engine.exchange.recipe_script(recipe, "a.csv", recipe.reading)
    (card,) = [item for item in engine.decisions(table, recipe) if item.kind == "name-rows"]
    assert [option.key for option in card.options if option.now] == [way]


@pytest.mark.parametrize(
    "rows",
    [
        [["site", "pain", "mood", "sleep"], *answers(4)],
        [["", "a", "b", "c"], *numbers(4)],
        [["name", "", "city", ""], *answers(4)],
        [["a", "b", "c", "d"], ["NA", "NA", "NA", "NA"], *numbers(4)],
        [["a", "b", "c", "d"], ["unknown", "1", "2", "3"], *numbers(4)],
        [["a", "b", "c"], *[[f"text {i} of one", f"other {i} of two", f"place {i} of it"] for i in range(30)]],
        [["a", "b", "c", "d"], LONG, *[LONG[i % 4 :] + LONG[: i % 4] for i in range(30)]],
        [["first remark", "second remark", "site"], *[[f"text {i} of one", f"other {i}", "A"] for i in range(30)]],
    ],
)
def test_an_ordinary_header_is_one_row(rows: list[list[str]]) -> None:
    """Words, a column without a name, a first row that lacks values or is free text."""
    assert not engine.read_table(as_csv(rows)).attrs["reading"]["name_rows"]


@pytest.mark.parametrize("key", [key for key in sample_data.CATALOG if sample_data.CATALOG[key].file])
def test_no_sample_has_two_rows_of_names(key: str) -> None:
    """Their headers are ordinary."""
    assert not sample_data.load(key).attrs["reading"]["name_rows"]


@pytest.mark.parametrize("written", [as_csv, as_excel])
def test_a_group_that_runs_over_demographics_is_not_put_before_them(written: object) -> None:
    """'sex' stays 'sex'; what is asked of two persons keeps whose it is, an item stays of its scale."""
    upper = ["PHQ", "", "GAD", "", "", "", ""]
    lower = ["sleep", "Sex drive", "worry", "panic", "sex", "Age (years)", "education"]
    table = engine.read_table(written([upper, lower, *numbers(7)]))  # type: ignore[operator]
    assert list(table.columns) == [
        "PHQ sleep", "PHQ Sex drive", "GAD worry", "GAD panic", "sex", "Age (years)", "education",
    ]  # fmt: skip
    upper, lower = ["Mother", "", "Father", "", "Child", "Child"], ["mood", "age", "mood", "age", "mood", "sex"]
    table = engine.read_table(written([upper, lower, *numbers(6)]))  # type: ignore[operator]
    assert list(table.columns) == ["Mother mood", "Mother age", "Father mood", "Father age", "Child mood", "sex"]


MIXED = [["PHQ", "", "GAD", "", "", "", ""], ["sleep", "mood", "worry", "panic", "site", "cohort", "age"]]


def mixed(rows: int = 30) -> list[list[str]]:
    """Four items of four answers each, then what is no item."""
    source = random.Random(3)
    places = ("North", "South")
    items = [[str(source.randrange(4)) for _ in range(4)] for _ in range(rows)]
    return [
        [*row, str(source.randrange(20, 40)), source.choice(places), str(source.randrange(18, 80))] for row in items
    ]


def test_a_merged_cell_ends_where_the_merge_ends() -> None:
    """In Excel the file says it; in a CSV a group runs on but for demographics, and the card offers another end."""
    ends = ["PHQ sleep", "PHQ mood", "GAD worry", "GAD panic", "site", "cohort", "age"]
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.load_workbook(io.BytesIO(as_excel([*MIXED, *mixed()])))
    for merged in list(book.active.merged_cells.ranges):
        book.active.unmerge_cells(str(merged))
    for cells in ("A1:B1", "C1:D1"):
        book.active.merge_cells(cells)
    stream = io.BytesIO()
    book.save(stream)
    table = engine.read_table(stream.getvalue())
    assert list(table.columns) == ends and "end" not in table.attrs["reading"]["name_rows"]
    plain = engine.read_table(as_csv([*MIXED, *mixed()]))
    assert list(plain.columns) == [*ends[:4], "GAD site", "GAD cohort", "age"]
    assert plain.attrs["reading"]["name_rows"]["end"] == "'site', 'cohort' without a group"
    (card,) = [item for item in engine.decisions(plain, engine.Recipe()) if item.kind == "name-rows"]
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("end")))
    assert list(recipe.read(as_csv([*MIXED, *mixed()])).columns) == ends


def test_groups_that_are_written_above_each_column_end_where_they_are_not() -> None:
    """Behind a group that is written once it runs on."""
    upper, lower = ["PHQ", "PHQ", "GAD", "GAD", "", ""], ["sleep", "mood", "worry", "panic", "site", "wave"]
    table = engine.read_table(as_csv([upper, lower, *numbers(6)]))
    assert list(table.columns)[3:] == ["GAD panic", "site", "wave"]
    upper, lower = ["Mean", "Mean", "Mean", "Worst", "", ""], ["a", "b", "c", "a", "b", "c"]
    table = engine.read_table(as_csv([upper, lower, *numbers(6)]))
    assert list(table.columns)[3:] == ["Worst a", "Worst b", "Worst c"]


def test_ticks_below_their_names_tell_a_survey_program_s_second_row() -> None:
    """One question, one number and boxes, of which those ticked hold their name: 'Response' is no third sex."""
    upper, lower = (
        ["id", "Your sex", "Your age", "Symptoms", "", ""],
        ["", "Response", "Answer", "Fever", "Cough", "Pain"],
    )
    rows = [
        [f"{i}", "mf"[i % 2], f"{30 + i}", *(w if i % k else "" for k, w in ((2, "Fever"), (3, "Cough"), (5, "Pain")))]
        for i in range(1, 41)
    ]
    table = engine.read_table(as_csv([upper, lower, *rows]))
    assert list(table)[3:] == ["Symptoms Fever", "Symptoms Cough", "Symptoms Pain"] and len(table) == 40
    assert set(table.iloc[:, 1]) == {"m", "f"}
    some = [[*row[:2], *row[3:]] for row in rows]
    first = ["", "m", "Fever", "Cough", "Pain"]
    assert len(engine.read_table(as_csv([[*upper[:2], *upper[3:]], first, *some]))) == 41, "a row may lack its number"


@pytest.mark.parametrize("written", [as_csv, as_excel])
@pytest.mark.parametrize("irregular", [False, True])
def test_names_that_stand_again_are_no_row(written: Any, irregular: bool) -> None:
    """Tables put one below the other: the second one's names are left out, and it is said in which line."""
    names = ["id", "age", "sex"]
    body = [[f"{i}", f"{30 + i}", "mf"[i % 2]] for i in range(40)]
    again = [*names, ""] if irregular and written is as_csv else names
    table = engine.read_table(written([names, *body[:20], again, *body[20:]]))
    assert len(table) == 40 and table["age"].sum() == sum(range(30, 70)) and set(table["sex"]) == {"m", "f"}
    assert (report := reading_report(table)) is not None
    said = "1 line(s) had the names of the columns once more and were left out: 22."
    assert said in report.sentences()
    other = engine.read_table(written([names, *body[:20], ["id", "age", "m"], *body[20:]]))
    assert len(other) == 41, "what differs from the names is a row"


def test_a_row_of_units_is_no_row_of_labels() -> None:
    """A spirometry 'FEV1' is not called 'L' on pages; its unit is known, and nothing is asked. Words are labels."""
    rows = [["FEV1", "6MWD", "weight"], ["L", "m", "kg"], *numbers(3)]
    table = engine.read_table(as_csv(rows))
    reading = table.attrs["reading"]
    assert list(table.columns) == rows[0] and reading["labels"]["FEV1"] == "FEV1 (L)" and not reading["name_rows"]
    data = engine.Dataset.from_frame(table)
    assert (data.units["FEV1"], data.units["weight"]) == ("L", "kg")
    texts = engine.read_table(as_csv([rows[0], ["lungs", "walk", "scale"], *numbers(3)])).attrs["reading"]
    assert texts["labels"]["FEV1"] == "lungs" and texts["name_rows"]
