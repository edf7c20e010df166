"""The samples and scikit-learn's tables: every card has been judged by hand, and no other appears."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import datasets

import engine
import sample_data

JUDGED = {
    "symptoms": {f"gaps:{','.join(sample_data.load('symptoms').columns)}"},  # 50 rows lack an answer
    "clinic_export": {
        "gaps:Retinopathy,LDL mmol/l,HbA1c % (6 months)",
        "detection-limit:CRP mg/l",
        "missing-code:Steps/day:-|999",
    },
    "regions": {"rows-together:subject"},  # read without its roles: 40 subjects of many scans each
    "digits": {"rare-levels:pixel_0_1,pixel_7_1"},  # false: a pixel has no levels
}
"""Table -> the cards it has."""
BUNDLED = ("iris", "wine", "breast_cancer", "diabetes", "linnerud", "digits")


@pytest.mark.parametrize("key", sample_data.CATALOG)
def test_no_card_is_wrong_on_a_sample(key: str) -> None:
    """The tables that come with the program ask what is theirs to ask."""
    assert {one.key for one in engine.decisions(sample_data.load(key), engine.Recipe())} == JUDGED.get(key, set())


@pytest.mark.parametrize("name", BUNDLED)
def test_one_false_alarm_in_ten_columns_at_most(name: str) -> None:
    """Plain tables of numbers ask nothing."""
    table: pd.DataFrame = getattr(datasets, f"load_{name}")(as_frame=True).frame
    found = {one.key for one in engine.decisions(table, engine.Recipe())}
    assert found == JUDGED.get(name, set())
    assert len(found) <= table.shape[1] / 10


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20)
def test_ordinary_measures_ask_for_no_code(seed: int) -> None:
    """Counts, ages, incomes, pressures, changes, years, answers: in all of them a value may look like a code."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(80, 1000))
    table = {
        "children": rng.poisson(1, n),
        "visits": rng.negative_binomial(1, 0.3, n),
        "age": rng.normal(50, 18, n).clip(18, 99).round(),
        "income": rng.lognormal(10, 1, n).round(-2),
        "hours": np.where(rng.random(n) < 0.3, 0, rng.normal(38, 8, n).clip(5, 90).round()),
        "cigarettes": np.where(rng.random(n) < 0.6, 0, rng.choice([5, 10, 15, 20, 30, 40], n)),
        "pressure": rng.normal(130, 20, n).round(-1),
        "score": (100 * rng.beta(5, 1, n)).round(),
        "born": rng.integers(1920, 2005, n),
        "temperature": rng.normal(2, 6, n).round(),
        "change": rng.normal(0, 3, n).round(),
        "pain": rng.integers(0, 11, n),
        "platelets": rng.normal(250, 80, n).round(),
        "room": rng.integers(1, 120, n),
        "alcohol": np.where(rng.random(n) < 0.35, 0, rng.gamma(2, 5, n).round(1)),
    }
    found = engine.decisions(pd.DataFrame(table), engine.Recipe())
    assert sum(one.kind != "rare-levels" for one in found) <= 1, [one.key for one in found]
