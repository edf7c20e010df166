"""Several answers in one cell, and cells filled only in the first row of a block: asked, and done as is said."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.preparing.deciding.decision import Decision

SYMPTOMS = ("fever", "cough", "pain, strong", "pain")


def drawn(answers: Sequence[str], fewest: int = 1, n: int = 90) -> list[list[str]]:
    """Some of the answers for each row, in any order."""
    rng = np.random.default_rng(7)
    return [list(rng.permutation(answers)[: rng.integers(fewest, len(answers))]) for _ in range(n)]


def asked(table: pd.DataFrame, kind: str, recipe: engine.Recipe | None = None) -> list[Decision]:
    """Cards of one kind."""
    return [card for card in engine.decisions(table, recipe or engine.Recipe()) if card.kind == kind]


@pytest.mark.parametrize(("mark", "end"), [("; ", ""), (";", ""), (";", ";"), ("|", ""), (" | ", ""), ("\n", "")])
def test_several_answers_in_a_cell_become_a_column_each(mark: str, end: str) -> None:
    """With yes where a row has the answer, in another table too; an empty cell is a gap, or no, as is chosen."""
    rows = drawn(SYMPTOMS, fewest=0)
    table = pd.DataFrame({"sx": [mark.join(row) + end if row else None for row in rows], "arm": ["a", "b"] * 45})
    (card,) = asked(table, "several-answers")
    assert card.sentence.startswith("'sx' has several answers in one cell, such as ")
    assert not asked(table, "many-levels")
    left = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("leave")))
    assert asked(table, "many-levels", left)
    for way in ("split", "empty"):
        recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option(way)))
        assert asked(table, "several-answers", recipe)[0].option(way).now
        data = recipe.apply(table)
        assert "sx" not in data.names
        for answer in SYMPTOMS:
            expected = ["yes" if answer in row else "no" for row in rows if row or way == "empty"]
            levels = data.levels[f"sx: {answer}"]
            assert [levels[code] for code in data.column(f"sx: {answer}")] == expected
        other = [mark.join(("pain", "fever", "itch")), "itch", "pain, strong"]
        written = engine.Recipe.load(data.recipe.to_json().encode())
        again = written.apply(pd.DataFrame({"sx": other, "arm": list("aba")}))
        got = {answer: again.column(f"sx: {answer}").tolist() for answer in SYMPTOMS}
        assert got == {"fever": [1, 0, 0], "cough": [0, 0, 0], "pain, strong": [0, 0, 1], "pain": [1, 0, 0]}


@pytest.mark.parametrize("answers", [("nausea", "rash", "other", "fatigue"), ("1", "2", "3", "4", "5")])
def test_answers_parted_by_commas_are_asked(answers: Sequence[str]) -> None:
    """Words as survey tools write them, and codes; nobody is told to count these as missing."""
    table = pd.DataFrame({"sx": [", ".join(row) for row in drawn(answers)], "arm": ["a", "b"] * 45})
    (card,) = asked(table, "several-answers")
    assert set(card.option("split").change["derive"]) == {f"sx: {answer}" for answer in answers}
    assert [option.key for option in card.options] == ["split", "leave"]  # no cell is empty
    report = engine.Dataset.from_frame(table).report
    assert report is not None and not [one for one in report.problems if "left out" in one]


@pytest.mark.parametrize(
    "cells",
    [
        ["Yes, often", "Yes, rarely", "No, never"],  # answers with a comma of their own
        ["1,5", "2", "3,5", "2,5", "<0,5", "14,9", "1", "5"],  # decimals
        ["1,100", "2,300", "1,300,100", "n"],
        ["Ulm, Germany", "Bonn, Germany", "Wien, Austria", "Linz, Austria"],
        ["m, 20-30", "m, 30-40", "f, 20-30", "f, 30-40"],
        ["3. May, 2021", "4. May, 2021", "3. June, 2021"],
        ["a", "b", "a;b"],  # no more combinations than answers
    ],
)
def test_commas_in_ordinary_values_ask_nothing(cells: list[str]) -> None:
    """What always has as many parts, or as many as there are values, is one value."""
    table = pd.DataFrame({"x": [cells[i % len(cells)] for i in range(96)], "arm": ["a", "b"] * 48})
    if "a;b" in cells:
        table["x"] = table["x"].where(table.index > 5, "b")
        cells.remove("a;b")
        table["x"] = [cells[i % 2] if i > 3 else "a;b" for i in range(96)]
    assert not asked(table, "several-answers")


def blocks() -> pd.DataFrame:
    """Thirty patients with three visits; who it is stands in the first row of each."""
    table = pd.DataFrame({"patient": np.repeat([f"P{i:02d}" for i in range(30)], 3)})
    table["sex"] = np.repeat(np.random.default_rng(1).choice(["f", "m"], 30), 3)
    return table.assign(visit=["pre", "post", "later"] * 30, crp=np.random.default_rng(2).normal(9, 2, 90).round(1))


def test_what_stands_in_the_first_row_of_a_block_is_filled_down() -> None:
    """Both columns at once; filled, the table is the one that was meant, and the card stays answered."""
    meant = blocks()
    written = meant.copy()
    written.loc[written.index % 3 > 0, ["patient", "sex"]] = None
    (card,) = asked(written, "filled-down")
    assert card.sentence == (
        "'patient' and 'sex' stand only in the first row of each block: do they hold for the rows below?"
    )
    recipe = engine.Recipe(**engine.settle(engine.Recipe(), card, card.option("fill")))
    table = recipe.read(written.to_csv(index=False).encode())
    assert table["patient"].tolist() == meant["patient"].tolist()
    assert table["sex"].tolist() == meant["sex"].tolist()
    assert "sex" not in table.attrs["reading"]["missing_tokens"]
    assert asked(table, "filled-down", recipe)[0].option("fill").now
    with pytest.raises(engine.errors.DataError, match="'fill_down' speaks of a column 'x'"):
        engine.read_table(written, fill_down=["x"])


@pytest.mark.parametrize("rows", [(0, 40), (0, 11, 37, 70)])
def test_a_group_that_stands_once_above_its_rows_is_asked(rows: tuple[int, ...]) -> None:
    """Few values, far apart, the first in the first row; not where that has none, or the values stand together."""
    table = blocks().drop(columns=["sex", "visit"])
    arm = pd.Series([None] * 90, dtype=object)
    arm[list(rows)] = [f"arm {i}" for i in range(len(rows))]
    assert [card.columns for card in asked(table.assign(arm=arm)[["arm", "crp"]], "filled-down")] == [("arm",)]
    later, legend, last = arm.copy(), arm.copy(), table.assign(arm=arm)[["crp", "arm"]]
    later[0] = None
    legend[:] = ["a", "b", "c", *[None] * 87]
    for other in (later, legend):
        assert not asked(table.assign(arm=other)[["arm", "crp"]], "filled-down")
    assert not asked(last, "filled-down")  # a remark


@pytest.mark.parametrize("seed", range(12))
def test_gaps_by_chance_are_not_filled(seed: int) -> None:
    """A value that most rows lack, in front of the others, is a gap."""
    rng = np.random.default_rng(seed)
    value = np.where(rng.random(90) < 0.4, rng.normal(9, 2, 90).round(1), np.nan)
    value[0] = 8.0
    table = pd.DataFrame({"crp": value, "age": rng.integers(20, 80, 90), "arm": rng.choice(["a", "b"], 90)})
    assert not asked(table, "filled-down")
