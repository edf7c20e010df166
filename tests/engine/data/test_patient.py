"""One patient's values: level names as before, and what a file would hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from engine.data.dataset import Dataset
from engine.data.table_rows import code_patient
from engine.errors import DataError
from engine.scores.instance import patient_codes
from tests.engine.data.test_recipe import CHOICES, table


def clinic() -> Dataset:
    """A prepared table with merges, rare levels, tokens, dates and cut points."""
    return Dataset.from_frame(table(), **CHOICES)


def test_level_names_are_codes_as_ever() -> None:
    """A dictionary of level names gives what it always gave, levels of every variable included."""
    data = clinic()
    for pick in (0, -1):
        patient = {name: data.levels[name][pick] for name in data.names}
        codes, words = code_patient(data, patient)
        assert codes.tolist() == patient_codes(data, patient).tolist() and words == ()
    some = {"age": data.levels["age"][2], "sure": True}
    assert code_patient(data, some)[0].tolist() == patient_codes(data, some).tolist()


def test_raw_values_are_coded_as_their_columns_were() -> None:
    """Numbers are cut, spellings merged, dates read, rare levels are the one they went into."""
    data = clinic()
    raw = {"age": 200, "smoker": "Yes", "crp": "12,5", "born": "1940-05-05", "ward": "D", "dose": 1, "sure": False}
    codes, words = code_patient(data, raw)
    said = {name: data.levels[name][code] for name, code in zip(data.names, codes, strict=True) if code >= 0}
    assert words == () and said == {
        "age": data.levels["age"][-1],
        "smoker": "yes",
        "crp": "8 and above",
        "born": data.levels["born"][0],
        "ward": "other",
        "dose": "1",
        "sure": "False",
    }


def test_rows_of_the_table_are_the_rows_of_the_data() -> None:
    """A pandas row and a table of one row, in which other columns stand too, give the codes of that row."""
    data, whole = clinic(), table()
    for place, row in enumerate(data.origin):
        for form in (whole.iloc[row], whole.iloc[[row]]):
            assert (code_patient(data, form)[0] == data.codes[:, place]).all()


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA, pd.NaT, ""])
def test_an_empty_value_is_not_known(nothing: Any) -> None:
    """It is said so, in a dictionary and in a row; where missing is a level it is that level."""
    data = clinic()
    for form in ({"age": nothing, "dose": None}, pd.Series({"age": nothing, "dose": None, "id": "P1"}, dtype=object)):
        codes, words = code_patient(data, form)
        assert codes[data.index("age")] == -1
        assert words == ("'age' is empty, so it counts as not known.",)
        assert data.levels["dose"][codes[data.index("dose")]] == "missing"


def test_a_level_never_seen_is_not_known_or_refused() -> None:
    """In a row it is not known, in so many words; in a dictionary it may be a slip."""
    data = clinic()
    codes, words = code_patient(data, pd.Series({"smoker": "sometimes", "age": "old"}))
    assert (codes == -1).all() and len(words) == 2
    assert words[0] == "'smoker' has no level 'sometimes' (it has 'no', 'yes'), so it counts as not known."
    with pytest.raises(DataError, match="'smoker' has no level 'sometimes'; it has 'no', 'yes'") as caught:
        code_patient(data, {"smoker": "sometimes"})
    assert caught.value.column == "smoker"


@pytest.mark.parametrize(
    ("patient", "words"),
    [({"smokr": "yes"}, "'smoker'"), (table(), "60"), (7, "dictionary"), ("yes", "dictionary")],
)
def test_what_is_no_patient_is_a_sentence(patient: Any, words: str) -> None:
    """A slip in a name, a whole table, a number."""
    with pytest.raises(DataError, match=words):
        code_patient(clinic(), patient)
