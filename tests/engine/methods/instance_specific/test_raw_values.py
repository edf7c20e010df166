"""A patient as the file would hold one: values before they are cut into intervals, gaps, rows of a pandas table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine


def table(rows: int = 200) -> pd.DataFrame:
    """Age in years, a yes/no answer that hangs on it, and a score of whole numbers."""
    generator = np.random.default_rng(5)
    age = generator.uniform(20, 90, rows).round(1)
    cough = np.where(generator.random(rows) < (age > 55) * 0.6 + 0.2, "yes", "no")
    return pd.DataFrame({"age": age, "cough": cough, "score": generator.integers(0, 3, rows)})


FRAME = table()
DATA = engine.Dataset.from_frame(FRAME, kinds={"age": "continuous", "score": "ordinal"}, bins=3)
METHOD = engine.InstanceSpecific(kappa=0.5)


def levels_of(row: int) -> dict[str, str]:
    """The level names of a row of the data set."""
    return {name: DATA.levels[name][DATA.codes[i, row]] for i, name in enumerate(DATA.names)}


@pytest.mark.parametrize("row", [0, 17, 101])
def test_raw_values_are_cut_where_the_table_was(row: int) -> None:
    """A dictionary, a row and a table of one row with the file's own values are the patient of that row's levels."""
    wanted = METHOD.run(DATA, levels_of(row))
    forms = (FRAME.iloc[row].to_dict(), FRAME.iloc[row], FRAME.iloc[[row]])
    for instance in forms:
        found = METHOD.run(DATA, instance)
        assert found.patient == levels_of(row)
        assert found.numbers == METHOD.run(DATA, row).numbers  # which levels do not tell
        assert replace(found, numbers=()).to_json() == wanted.to_json()
        assert found.not_known == ()


def test_what_has_no_level_is_not_known_and_said() -> None:
    """A gap and a value beyond all levels are unknown, each with a sentence in the notes."""
    row = FRAME.iloc[3].copy()
    row["age"], row["cough"] = np.nan, "perhaps"
    result = METHOD.run(DATA, row)
    assert set(result.patient) == {"score"}
    assert [said for said in result.notes() if "'age'" in said and "not known" in said]
    assert [said for said in result.notes() if "perhaps" in said and "not known" in said]
    loaded = engine.InstanceSpecific().run(DATA, row).from_dict(result.to_dict())
    assert loaded.not_known == result.not_known


@pytest.mark.parametrize("empty", [None, np.nan, pd.NA, ""])
def test_an_empty_value_in_a_dictionary_is_not_known_and_said(empty: object) -> None:
    """Nothing can be learned from it, and nobody need leave it out by hand."""
    result = METHOD.run(DATA, {"cough": empty, "score": 1})
    assert result.patient == {"score": "1"}
    assert [said for said in result.notes() if "'cough' is empty" in said]


def test_a_table_of_new_patients_is_a_cohort() -> None:
    """Every row of a table of raw values is coded as a single patient is."""
    new = table(12).drop(columns="score").assign(age=lambda frame: frame["age"] + 0.05)
    cohort = METHOD.run_cohort(DATA, new)
    single = [METHOD.run(DATA, new.iloc[[i]]) for i in range(len(new))]
    assert cohort.by_patient()["log_likelihood_ratio"].tolist() == pytest.approx(
        [one.log_likelihood_ratio for one in single]
    )
    assert len(cohort.patients) == 12


def test_a_slip_of_the_pen_in_a_dictionary_is_refused() -> None:
    """What somebody wrote by hand is held to the levels that there are."""
    with pytest.raises(engine.DataError, match="no level 'perhaps'"):
        METHOD.run(DATA, {"cough": "perhaps"})
    with pytest.raises(engine.DataError, match="one row"):
        METHOD.run(DATA, FRAME.iloc[:2])
