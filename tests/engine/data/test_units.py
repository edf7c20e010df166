"""Units in headers, labels and dictionaries; where they stay, and that nothing else changes with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import engine
from engine import Dataset, Recipe
from engine.data.preparing.dictionary import read_dictionary
from engine.data.units import name_without_unit, unit_in
from engine.errors import DataError
from engine.exchange.data_dictionary import write_dictionary

NAMED = """
Lactate (mmol/L) | mmol/L | Lactate
Lactate [mmol/L] | mmol/L | Lactate
Lactate, mmol/L | mmol/L | Lactate
Lactate in mmol/L | mmol/L | Lactate
CRP mg/l | mg/l | CRP
age_years | years | age
weight_kg | kg | weight
WEIGHT (KG) | KG | WEIGHT
time_min | min | time
sbp_mmHg | mmHg | sbp
SBP (mm Hg) | mm Hg | SBP
hba1c_percent | % | hba1c
HbA1c, % | % | HbA1c
HbA1c % | % | HbA1c
BMI (kg/m²) | kg/m² | BMI
bmi_kg_m2 | kg/m² | bmi
eGFR (mL/min/1.73m2) | mL/min/1.73m2 | eGFR
WBC (x10^9/L) | x10^9/L | WBC
WBC (10⁹/L) | 10⁹/L | WBC
Platelets (K/µL) | K/µL | Platelets
HR (bpm) | bpm | HR
HR (beats/min) | beats/min | HR
Resp rate (min-1) | min-1 | Resp rate
CO (L min⁻¹) | L min⁻¹ | CO
Temp (°C) | °C | Temp
temp_c | °C | temp
Temp (C) | °C | Temp
Age (y) | y | Age
Age (year) | year | Age
Height (m) | m | Height
Dose (mg) [total] | mg | Dose [total]
Glucose (mg/dL) baseline | mg/dL | Glucose baseline
glucose_mg_dl | mg/dL | glucose
crp_mgl | mg/L | crp
reaction_ms | ms | reaction
visits (per year) | per year | visits
drinks (units/week) | units/week | drinks
cost (€) | € | cost
LDL.mmol.L | mmol/L | LDL
"""
NONE = """score (total) | BMI (baseline) | sbp_min | SBP (min) | Sex (m/f) | ill (y/n) | Q5 (g) | item (d) | Vitamin (C)
birth_year | Admission (year) | years | stay_hr | hr | Class (A) | dose (high/low) | pain (0-10) | x_m | score_ms
Born in L | hepatitis C | kg | (kg) | Dose (mg) per weight (kg) | percentile | serum (Mg) | visit in 2020 | ratio (a/b)
systolic, lying | count (n) | temp_max | rate (1/2) | Visit 2 days | Drinks, last 7 days | 日 (本) | x (T/F)"""


@pytest.mark.parametrize("line", NAMED.strip().splitlines())
def test_a_unit_is_found_and_taken_off(line: str) -> None:
    """What a header names, and the header without it."""
    name, unit, rest = line.split(" | ")
    assert (unit_in(name), name_without_unit(name, unit)) == (unit, rest)
    assert name_without_unit(name, "furlongs") == name


@pytest.mark.parametrize("name", [name.strip() for line in NONE.splitlines() for name in line.split("|")])
def test_what_may_be_something_else_is_no_unit(name: str) -> None:
    """Rather none than a guess."""
    assert unit_in(name) == "" and name_without_unit(name, "") == name


def test_a_minimum_beside_a_maximum_is_no_minute() -> None:
    """The names beside it tell."""
    assert unit_in("time_min", ["time_max"]) == "" and unit_in("time_min", ["sbp_max"]) == "min"


def table() -> pd.DataFrame:
    """Numbers with and without units, a code and a day."""
    generator = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "Lactate (mmol/L)": generator.lognormal(0.5, 0.4, 60).round(2),
            "score (total)": generator.normal(0, 1, 60),
            "ward (kg)": ["a", "b"] * 30,
            "seen (days)": pd.date_range("2024-01-01", periods=60),
            "arm": ["x", "y", "x"] * 20,
        }
    )


def test_units_go_wherever_the_numbers_go(tmp_path: Path) -> None:
    """Rows, variables, parts, recipes, files that are only counted; the fingerprint does not know them."""
    data = Dataset.from_frame(table(), kinds={"seen (days)": "continuous"})
    units = {"Lactate (mmol/L)": "mmol/L"}
    assert data.units == units == data.rows([3, 4, 5]).units == data.select(["arm", "Lactate (mmol/L)"]).units
    assert data.select(["arm"]).units == {} and data.split("arm")["x"].units == units
    assert Recipe.load(data.recipe.to_json().encode()).apply(table()[:30]).units == units
    without = Dataset.from_frame(table(), kinds={"seen (days)": "continuous"}, units={"Lactate (mmol/L)": ""})
    assert without.units == {} and without.fingerprint == data.fingerprint
    assert without.recipe.apply(table()).units == {}
    file = tmp_path / "table.parquet"
    table().to_parquet(file)
    with_folder = Dataset.from_parquet(file, folder=tmp_path / "rows", keep=True)
    assert with_folder.units == units == Dataset.open_stored(tmp_path / "rows").units
    ready = Dataset.from_codes([[0, 1], [1, 0]], [2, 2], ["a", "b"], units={"a": "kg", "b": ""})
    assert ready.units == {"a": "kg"} == ready.recipe.units_known


def test_the_user_settles_a_unit() -> None:
    """A choice is stronger than a header, also later; it is told, saved, and refused for what is no column."""
    recipe = Recipe(units={"score (total)": " points ", "Lactate (mmol/L)": "mg/dL"})
    data = recipe.apply(table())
    assert data.units == {"Lactate (mmol/L)": "mg/dL", "score (total)": "points"}
    assert "'score (total)' is measured in points." in recipe.steps()
    later = Recipe(**{**Dataset.from_frame(table()).recipe.given(), "columns": data.recipe.columns})
    assert later.apply(table()).units == data.units
    with pytest.raises(DataError, match="that the table lacks"):
        Dataset.from_frame(table(), units={"lactate": "kg"})
    with pytest.raises(DataError, match="shorten it"):
        Recipe(units={"a": "x" * 41})


def test_labels_and_dictionaries_name_units(tmp_path: Path) -> None:
    """An SPSS label, a column of a dictionary; where name and label contradict each other there is none."""
    plain = table()[["Lactate (mmol/L)", "score (total)"]].set_axis(["lac", "weight_kg"], axis=1)
    file = tmp_path / "table.sav"
    pyreadstat.write_sav(plain, str(file), column_labels=["Lactate in mmol/L", "Weight (lbs)"])
    assert Dataset.from_frame(engine.read_table(file)).units == {"lac": "mmol/L"}
    choices, _ = read_dictionary(b"name,unit\nlac,mmol/L\n").choices(plain.columns)
    data = Dataset.from_frame(plain, **choices)
    assert data.units == {"lac": "mmol/L", "weight_kg": "kg"}
    assert [entry.unit for entry in read_dictionary(write_dictionary(data).encode()).entries] == ["mmol/L", "kg"]
