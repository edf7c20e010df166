"""Words that are one, numbers whose marks are open, and "None" as an answer."""

from __future__ import annotations

import pytest

import engine
from engine.data.reading.columns import spellings
from engine.data.reading.numbers import find_decimal, parts_thousands


def test_blanks_and_dashes_tell_nothing() -> None:
    """The plain spelling stays, else the most frequent; capitals are never touched."""
    assert spellings({"Ward A": 3, "Ward\u00a0A": 1, "Ward  A": 1}) == {"Ward\u00a0A": "Ward A", "Ward  A": "Ward A"}
    assert spellings({"0-4": 1, "0\u20134": 2, "5-9": 1}) == {"0\u20134": "0-4"}
    assert spellings({"0\u20144": 1, "0\u20134": 2}) == {"0\u20144": "0\u20134"}
    assert spellings({"aa": 1, "Aa": 1, "AA": 1}) == {}


def test_capitals_are_asked() -> None:
    """One card for all columns, which merges into the most frequent spelling."""
    content = "id,sex\n" + "".join(f"{i},{('Male', 'male', 'Female', 'Male')[i % 4]}\n" for i in range(40))
    table = engine.read_table(content.encode())
    card = engine.decisions(table, engine.Recipe())[0]
    assert card.kind == "same-words"
    assert card.option("one").change == {"merge": {"sex": {"male": "Male"}}}


def test_first_letters_are_asked_and_never_merged_unasked() -> None:
    """One card for all columns, which says what becomes of each spelling; a letter never takes the place of a word."""
    sexes, answers = ("m", "M", "m", "male", "female", "F"), ("Yes", "yes", "Y", "no", "N", "no", "n")
    rows = [f"{i},{sexes[i % 6]},{answers[i % 7]}\n" for i in range(84)]
    table = engine.read_table(("id,sex,smoker\n" + "".join(rows)).encode())
    assert len(engine.Dataset.from_frame(table).levels["sex"]) == 5
    card = next(item for item in engine.decisions(table, engine.Recipe()) if item.kind == "same-words")
    asked = "'F' and 'female' of 'sex' may be one word: count them as one? (So for 'smoker'.)"
    assert (card.sentence, card.columns) == (asked, ("sex", "smoker"))
    assert "'m' counts as 'male'" in card.option("one").effect
    one, apart = (engine.settle(engine.Recipe(), card, card.option(key)) for key in ("one", "apart"))
    data = engine.Dataset.from_frame(table, **one)
    assert set(data.levels["sex"]) == {"male", "female"} and len(data.levels["smoker"]) == 2
    assert len(engine.Dataset.from_frame(table, **apart).levels["sex"]) == 5


@pytest.mark.parametrize(
    ("texts", "mark", "expected"),
    [
        (["1.100", "732", "2.345"], ".", True),
        (["1,100", "732"], ",", True),
        (["1.100", "2.345"], ".", False),  # three decimals, maybe
        (["1.100", "72"], ".", False),
        (["1.1", "732"], ".", False),
        (["0.100", "732"], ".", False),
        (["1.100", "7320"], ".", False),  # who parts thousands parts these too
    ],
)
def test_a_column_says_whether_its_mark_parts_thousands(texts: list[str], mark: str, expected: bool) -> None:
    """1.100 beside 732 can only be thousands: decimals would be written 732.000."""
    assert parts_thousands(texts, mark) is expected


def test_an_open_mark_is_asked() -> None:
    """What two readings could be is a card, whose answer reads the file again."""
    assert find_decimal(["1.234", "2.345", "3.456"], ";") == (".", False)
    assert find_decimal(["7,2%", "8,1%"], ";") == (",", True)
    assert find_decimal(["1,30E+04", "2,1e-3"], ";") == (",", True)
    assert find_decimal(["1.5", "2,7", "2.5"], ";") == (".", True)  # nothing that may be thousands
    assert find_decimal(["1.5", "2,7", "1,234"], ";") == (",", False)
    content = "cost;arm\n" + "".join(f"{i}.{i}00;{'AB'[i % 2]}\n" for i in range(1, 9))
    table = engine.read_table(content.encode())
    card = next(item for item in engine.decisions(table, engine.Recipe()) if item.kind == "decimal-mark")
    again = engine.read_table(content.encode(), **card.option("thousands").change["reading"])
    assert again["cost"].tolist() == [1000 * x for x in table["cost"]]


@pytest.mark.parametrize(("share", "kept"), [(8, True), (3, True), (0, False)])
def test_a_frequent_none_is_an_answer_and_asked(share: int, kept: bool) -> None:
    """A rare one is what a program writes where there is nothing."""
    words = ["None" if i % 10 < share or i == 9 else ("Infection", "Bleeding")[i % 2] for i in range(100)]
    cells = [f"{word},{'AB'[i // 3 % 2]}\n" for i, word in enumerate(words)]
    table = engine.read_table(("complication,arm\n" + "".join(cells)).encode())
    found = [item.kind for item in engine.decisions(table, engine.Recipe())]
    assert ("None" in table["complication"].cat.categories) is kept
    assert ("missing-code" in found) is kept


@pytest.mark.parametrize(
    ("cells", "first", "told"),
    [
        (["${0},100.50"], 1100.5, "'$' was taken off"),
        (["{0}.100,50\u00a0€"], 1100.5, "'€' was taken off"),
        (["{0} kg"], 1, "'kg' was taken off"),
        (["{0}.5", "{0}.7", "{0}.8 H"], 1.5, "marks behind numbers were taken off, such as in '3.8 H'"),
        (["{0}.5", "{0}.7", "{0}.8*"], 1.5, "marks behind numbers were taken off, such as in '3.8*'"),
        (["\u2212{0}.5", "{0}.5"], -1.5, "true minus signs were read as such"),
        (["\u2212{0}\u00a0%", "{0}\u00a0%"], -1, "percent signs removed; true minus"),
        (["\u2212{0} kg?", "{0}.5"], "\u22121 kg?", ""),
        (["'{0}", "{0}.5"], 1, "apostrophes before numbers were taken off"),
        (["{0}.5", "{0},75"], 1.5, "decimal commas and points stand beside each other"),
        (["{0},5", "{0}"], 1.5, ""),
        (["{0}.5", "{0},7,8"], "1.5", ""),
        (["{0} kg", "{0}"], "1 kg", ""),  # what is open stays as it is
        (["{0}H", "{0}L"], "1H", ""),
    ],
)
def test_what_stands_beside_every_number_is_taken_off(cells: list[str], first: object, told: str) -> None:
    """One currency or unit, and flags of laboratories; each is told."""
    written = [cells[i % len(cells)].format(i + 1) for i in range(24)]
    content = "cost;arm\n" + "".join(f"{cell};{'AB'[i % 2]}\n" for i, cell in enumerate(written))
    table = engine.read_table(content.encode())
    assert table["cost"][0] == first
    assert told in " ".join(table.attrs["reading"]["conversions"].values())


def test_one_dose_of_few_keeps_its_unit() -> None:
    """'5 mg' and '10 mg' are names of groups."""
    content = "dose;arm\n" + "".join(f"{5 + 5 * (i % 2)} mg;{'AB'[i % 2]}\n" for i in range(24))
    assert list(engine.read_table(content.encode())["dose"].cat.categories) == ["5 mg", "10 mg"]


@pytest.mark.parametrize(
    ("name", "cell", "unit"),
    [
        ("crea", "{}.4 mmol/L", "mmol/L"),
        ("weight_kg", "{}.5 kg", "kg"),
        ("weight_lbs", "{}.5 kg", ""),  # the name says another
        ("x", "{}.5 q", ""),  # no unit
    ],
)
def test_a_unit_that_was_taken_off_is_the_unit(name: str, cell: str, unit: str) -> None:
    """Of every number; who sees 60 sees 60 kg, and never what only the name says."""
    content = f"{name},arm\n" + "".join(f"{cell.format(i + 50)},{'AB'[i % 2]}\n" for i in range(24))
    data = engine.Dataset.from_frame(engine.read_table(content.encode()))
    assert data.kinds[name] == "continuous"
    assert data.units.get(name, "") == unit
