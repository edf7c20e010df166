"""Roles of long tables: proposed where name and values agree, and nowhere else."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sample_data
from engine.data.dataset import Dataset
from engine.data.preparing.roles import (
    demographics,
    propose_group,
    propose_pair,
    propose_roles,
    propose_weight,
    roles_reason,
)
from engine.data.reading.name_words import names_group
from engine.data.reading.read import read_table
from engine.errors import DataError
from tests.hostile.make import ODD

WHO, STEPS = 12, 5
ROWS = WHO * STEPS


def long(subject: str = "patient", when: str = "visit", times: Any = None, **more: Any) -> pd.DataFrame:
    """Twelve subjects of five steps, out of order, with a measure; a third of them are cases."""
    who = np.repeat(np.arange(WHO), STEPS)
    step = np.tile(np.arange(1, STEPS + 1), WHO)
    columns = {
        "row id": np.arange(ROWS),
        subject: [f"P{i:02d}" for i in who],
        when: step if times is None else [times[i - 1] for i in step],
        "pain": np.random.default_rng(0).normal(size=ROWS).round(2),
    }
    columns |= {name: [make(i) for i in who] if callable(make) else make for name, make in more.items()}
    return pd.DataFrame(columns).sample(frac=1, random_state=3).reset_index(drop=True)


@pytest.mark.parametrize(
    ("subject", "when"),
    [
        ("subject", "scan"),
        ("PatientID", "Visit No"),
        ("patient_nr", "study day"),
        ("USUBJID", "VISITNUM"),
        ("id", "t"),
        ("Participant", "time_point"),
        ("who", "WEEK"),
        ("person.id", "date/time"),
        ("animal", "days"),
        ("hospital id", "year"),
    ],
)
def test_names_that_suggest_it(subject: str, when: str) -> None:
    """Capitals, underscores and endings do not matter."""
    assert propose_roles(long(subject, when)) == {subject: "subject", when: "time"}


@pytest.mark.parametrize(
    "times",
    [
        [1.5, 2.25, 9, 4, 3],
        list(pd.date_range("2021-01-05", periods=STEPS)),
        ["05.01.2021", "25.01.2021", "05.02.2021", "07.03.2021", "30.03.2021"],
        ["never", "rarely", "sometimes", "often", "always"],
        ["10", "9", "8", "7", "1,5"],
        [1, None, 2, 3, 4],
    ],
)
def test_times_in_order(times: list[Any]) -> None:
    """Numbers, dates, texts of either, words with a known order; some may be missing."""
    assert propose_roles(long(times=times)) == {"patient": "subject", "visit": "time"}


@pytest.mark.parametrize(
    "table",
    [
        long("town"),
        long(when="mood"),
        long(times=["a", "cat", "then", "no", "order"]),
        long(times=[1, 2, 2, 3, 4]),
        long(times=[7, 7, 7, 7, 7]),
        long(times=[True, False, True, False, None]),
        long(times=[1, None, None, None, None]),
        long(times=[[1], [2], [3], [4], [5]]),
        long(when="visit id"),
        long(when="response time"),
        long(when="cigarettes/day"),
        long().drop_duplicates("patient"),
        long().groupby("patient").head(1),
        long().assign(patient=range(ROWS)),
        long().assign(patient="the same"),
        long().assign(patient=[[i] for i in range(ROWS)]),
        long().assign(patient=np.arange(ROWS) // 2 + 0.5),
        long().assign(patient=None),
        long().head(0),
        pd.DataFrame(),
        pd.DataFrame([[1, 1, 1]] * 4, columns=["patient", "visit", "visit"]),
    ],
)
def test_nothing_where_one_of_both_is_wanting(table: pd.DataFrame) -> None:
    """No name, no order, a step twice, no repeats, no rows: then there is no proposal and no sentence."""
    assert propose_roles(table) == {}
    assert roles_reason({}) == ""


def test_the_column_that_fits_is_found_among_others() -> None:
    """Numbers of rows and of sites are no subjects; a count of steps is no time where a date is there."""
    table = long(when="date").rename(columns={"row id": "id"})
    table.insert(0, "steps", np.random.default_rng(1).permutation(ROWS))
    table.insert(0, "site id", [i // 2 for i in table["patient"].str[1:].astype(int)])
    assert propose_roles(table) == {"patient": "subject", "date": "time"}


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({"diagnosis": lambda i: "ill" if i % 3 else "well"}, "diagnosis"),
        ({"sex": lambda i: "fm"[i % 2], "Group": lambda i: i % 3}, "Group"),
        ({"status": lambda i: i % 2, "class": lambda i: i % 4}, "class"),
        ({"sex": lambda i: "fm"[i % 2]}, "sex"),
        ({"sex": lambda i: "fm"[i % 2], "smoker": lambda i: i % 3 > 0}, None),
        ({"diagnosis": lambda i: i % 7}, None),
        ({"diagnosis": lambda i: "ill" if i else "well"}, None),
        ({"diagnosis": lambda i: "ill" if i < 3 else None}, None),
        ({"diagnosis": ["ill", "well"] * (ROWS // 2)}, None),
        ({"diagnosis": [["ill"]] * ROWS}, None),
        ({"outcome date": lambda i: pd.Timestamp(2020, 1, 1 + i % 3)}, None),
    ],
)
def test_the_class(more: dict[str, Any], outcome: str | None) -> None:
    """Two to six levels of two subjects each, one a subject: by name, or the only one; gaps are allowed."""
    roles = propose_roles(long(**more))
    assert (roles.pop("patient"), roles.pop("visit")) == ("subject", "time")
    assert roles == ({} if outcome is None else {outcome: "outcome"})


def test_the_reason_is_one_sentence() -> None:
    """It names the columns."""
    roles = propose_roles(long(diagnosis=lambda i: i % 2))
    inside = "inside each, 'visit' never has a value twice and 'diagnosis' never changes."
    assert roles_reason(roles) == f"'patient' has several rows a value; {inside}"
    assert roles_reason({"patient": "subject", "visit": "time"}).endswith("twice.")
    assert roles_reason({"arm": "outcome"}) == ""


def test_only_the_sample_of_series_gets_roles() -> None:
    """Its own are those that are proposed; a wide table has none, whatever ids and dates it has."""
    found = {key: propose_roles(sample_data.load(key)) for key, sample in sample_data.CATALOG.items() if sample.file}
    assert found.pop("regions") == dict(sample_data.CATALOG["regions"].choices["roles"])
    assert not any(found.values())


def test_hostile_tables_are_looked_at_without_harm() -> None:
    """Whatever can be read, with duplicate headers renamed; what is proposed is used without an error."""
    looked = 0
    for fixture in ODD.values():
        try:
            table = read_table(fixture.make(), name=fixture.file)
        except DataError:
            continue
        looked += 1
        assert set(propose_roles(table).values()) <= {"subject", "time", "outcome"}
    assert looked > 20


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.one_of(st.none(), st.sampled_from(["a", "b", "c", " a", ""])),
            st.one_of(st.none(), st.integers(-3, 6), st.sampled_from(["1", "01", "2.0", "x", "1e999"])),
            st.sampled_from(["well", "ill", None]),
        ),
        min_size=1,
        max_size=14,
    )
)
def test_what_is_proposed_the_engine_takes(rows: list[tuple[Any, Any, Any]]) -> None:
    """No proposal is refused for the steps it makes, however odd the values are."""
    table = pd.DataFrame(rows, columns=["patient", "visit", "class"]).assign(pain=[i % 3 for i in range(len(rows))])
    roles = propose_roles(table)
    if roles:
        data = Dataset.from_frame(table, roles=roles, kinds={"pain": "nominal"}, missing="level")
        assert data.steps is not None
        assert data.steps.sentence().endswith("steps")


def test_a_hundred_thousand_rows_take_no_time() -> None:
    """Well below what reading them takes; 15 ms on the machine it was written on."""
    n = 100_000
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"row": np.arange(n), "patient": [f"P{i // 100:05d}" for i in range(n)]})
    table["visit"], table["dx"] = np.arange(n) % 100, np.where(np.arange(n) // 100 % 3, "well", "ill")
    table = table.join(pd.DataFrame(rng.normal(size=(n, 20))).add_prefix("x")).sample(frac=1, random_state=1)
    took = []
    for _ in range(3):
        start = time.perf_counter()
        assert propose_roles(table) == {"patient": "subject", "visit": "time", "dx": "outcome"}
        took.append(time.perf_counter() - start)
    assert min(took) < 0.2


@pytest.mark.parametrize(
    ("levels", "column", "why"),
    [
        ({"sex": "fm", "trt": "12", "site": "abc"}, "trt", "an arm or a group"),
        ({"sex": "fm", "arm": "abc"}, "arm", "an arm or a group"),
        ({"Gender": "fm", "rx": "12"}, "rx", "an arm or a group"),
        ({"sex": "fm", "randomised_to": "12"}, "randomised_to", "an arm or a group"),
        ({"sex": "fm", "Diagnosis": "BM"}, "Diagnosis", "a class"),
        ({"sex": "fm", "case_control": "01"}, "case_control", "a class"),
        ({"class": "01", "treatment": "ab"}, "treatment", "an arm or a group"),
        ({"smoker": "01", "sex": "fm"}, "sex", "a sex"),
        ({"smoker": "01", "hospital": "ab"}, "hospital", "a place"),
        ({"died": "01", "hospital": "ab"}, "hospital", "a place"),
        ({"died": "01", "hospital": "abcd"}, "died", "an outcome"),
        ({"age group": "abc", "smoker": "01"}, "smoker", "the first column of 2 levels"),
        ({"town": "abcdefgh", "smoker": "01"}, "smoker", "the first column of 2 levels"),
        ({"drug": "abcdefgh", "sex": "fm"}, "sex", "a sex"),
        ({"farm": "01", "alarm": "01", "exported": "01", "region": "abcd"}, "region", "a place"),
        ({"clinical stage": "12", "sexual activity": "01", "studygroup": "ab"}, "studygroup", "an arm"),
        ({"bloodgroup": "ab", "subgroup": "ab", "pretreatment": "01", "sex": "fm"}, "sex", "a sex"),
        ({"sex": "fm", "ARMCD": "ab"}, "ARMCD", "an arm or a group"),
        ({"Pain at the first visit to the group, as treated": "ab", "arm": "01"}, "arm", "an arm or a group"),
        ({"Pain as rated by the treating clinician": "ab", "arm": "01"}, "arm", "an arm or a group"),
        ({"army": "01", "casein": "12", "drugstore": "ab", "arms": "ab"}, "arms", "an arm or a group"),
    ],
)
def test_groups_by_name(levels: dict[str, str], column: str, why: str) -> None:
    """Arms come before classes, those before two places, outcomes, more places, the sex; the reason says which."""
    found = propose_group({name: tuple(some) for name, some in levels.items()})
    assert found is not None
    assert found[0] == column
    assert why in found[1]


def test_a_level_that_reads_as_a_control_makes_a_group() -> None:
    """Whatever its column is called; not where both levels do, as in how well something is controlled."""
    found = propose_group({"sex": ("f", "m"), "care": ("coaching", "usual care"), "hospital": ("A", "B")})
    assert found == ("care", "'care' has a control among its levels.")
    both = propose_group({"sex": ("f", "m"), "asthma": ("good control", "poor control")})
    assert both is not None and both[0] == "sex"


def test_no_group_without_levels() -> None:
    """Columns of one level or of many cannot be groups."""
    assert propose_group({"arm": ("a",), "group": tuple("abcdefghij")}) is None


@pytest.mark.parametrize(
    ("name", "values", "found"),
    [
        ("pweight", [0.4, 1.2, 2.5], True),
        ("survey weight", [0.4, 1.2, 2.5], True),
        ("WTMEC2YR", [20_311.5, 1_800.25, 9.5], True),
        ("sampling_wt", [0.4, 1.2, 2.5], True),
        ("weight", [70.5, 81.2, 64.0], False),
        ("birth weight", [3.1, 2.8, 3.9], False),
        ("pweight", [1, 2, 3], False),
        ("pweight", [-0.4, 1.2, 2.5], False),
        ("pweight", ["a", "b", "c"], False),
    ],
)
def test_weights_by_name_and_values(name: str, values: list[Any], found: bool) -> None:
    """A sampling weight is called so, is never negative and not always whole; a body's weight is a measure."""
    table = pd.DataFrame({"age": [40, 50, 60], name: values})
    assert propose_weight(table) == (name if found else None)
    assert propose_weight(pd.DataFrame()) is None


def test_the_plainest_name_of_a_weight_comes_first() -> None:
    """A name of surveys before words beside "weight", and of those the shorter."""
    names = ["final person sample weight", "sample weight", "pweight"]
    table = pd.DataFrame({name: [0.4, 1.2, 2.5] for name in names})
    assert propose_weight(table) == "pweight"
    assert propose_weight(table[names[:2]]) == "sample weight"


@pytest.mark.parametrize(
    ("name", "shared"),
    [
        *((name, True) for name in ("site_id", "school no", "hospital code")),
        *((name, False) for name in ("patient_id", "id", "subject", "sample_no", "case number", "mrn")),
    ],
)
def test_identifiers_of_what_many_share(name: str, shared: bool) -> None:
    """A school has a number, as a patient has; only the school's may be a variable."""
    assert names_group(name) is shared


def test_demographics_are_known_by_name_or_label_in_english_and_german() -> None:
    """An item about sex, an age at which something began, and a word that only holds one are none."""
    labels = {
        "V2": "Sex of the respondent",
        "V3": "Highest level of education",
        "V4": "Geschlecht",
        "q7": "Loss of interest in sex",
        "q8": "My thoughts race",
        "q9": "Age at onset of illness",
    }
    names = [
        *labels,
        "age",
        "Alter",
        "gender",
        "edu_years",
        "Schulbildung",
        "ethnicity",
        "language",
        "age_onset",
        "mood",
    ]
    assert demographics(names, labels) == [
        *("V2", "V3", "V4"),
        *("age", "Alter", "gender", "edu_years", "Schulbildung", "ethnicity"),
    ]


@pytest.mark.parametrize(
    ("rows", "pair", "why"),
    [
        ({"high dose": 80, "low dose": 97, "placebo": 40}, ("placebo", "low dose"), "'placebo' reads as a control"),
        ({"unknown": 5, "no answer": 3, "drug A": 100, "drug B": 90}, ("drug A", "drug B"), "are its largest groups"),
        ({"A": 9, "Usual care": 9, "B": 12}, ("Usual care", "B"), "and 'B' is the largest other group."),
        ({"drug + placebo": 50, "drug": 60, "placebo": 40}, ("placebo", "drug"), "'placebo' reads"),  # fewest words
        ({"current": 5, "former": 6, "never": 9}, ("never", "former"), "'never' reads"),
        ({"0": 5, "5": 6, "10": 9}, ("0", "10"), "'0' reads"),
        ({"control": 0, "a": 5, "b": 6, "no drug": 7}, ("no drug", "b"), "'no drug' reads"),  # with rows
        ({"North": 30, "South": 60, "West": 50}, ("South", "West"), "'South' and 'West' are its largest groups."),
        ({"North": 50, "South": 60, "West": 50}, ("North", "South"), "'North' and 'South' are its largest groups."),
        ({"noted": 5, "sober": 6, "usually": 9}, ("sober", "usually"), "'sober' and 'usually' are"),
    ],
)
def test_which_groups_are_compared_first(rows: dict[str, int], pair: tuple[str, str], why: str) -> None:
    """The level that reads as a control with the largest other group; else the two largest, in their order."""
    found, said = propose_pair(tuple(rows), list(rows.values()))
    assert found == pair
    assert why in said
