"""Twelve tables as public data sets have them: codes for missing, limits, copies, labels; and what is right about each.

Each comes with the same table as it should be: without codes, and only with the columns that are variables. What is
right is made of that, never of the ugly one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat

import engine


@dataclass(frozen=True)
class Ugly:
    """A table, the same one clean, and which options make the one of the other.

    Attributes
    ----------
    table : as it is found
    clean : only the variables, with gaps where nothing is known
    presses : kind of the card and one of its columns -> key of the option
    kinds : of variables whose kind has to be told even of the clean table
    chosen : other arguments of `engine.Recipe` for the clean table
    group : what the groups of the table are by its names, where there are some
    roles : given to both tables
    """

    table: pd.DataFrame
    clean: pd.DataFrame
    presses: dict[tuple[str, str], str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    chosen: dict[str, Any] = field(default_factory=dict)
    group: str | None = None
    roles: dict[str, str] = field(default_factory=dict)

    def right(self) -> engine.Dataset:
        """The data set that should come out."""
        return engine.Recipe(kinds=self.kinds, roles=self.roles, **self.chosen).apply(self.clean)


def _coded(clean: pd.Series, codes: dict[Any, float], rng: np.random.Generator) -> tuple[pd.Series, pd.Series]:
    """A column with codes in some rows, and with gaps there."""
    draw = rng.random(len(clean))
    ugly, bare = clean.astype("object"), clean.astype("object")
    start = 0.0
    for code, share in codes.items():
        hit = (draw >= start) & (draw < start + share)
        ugly[hit], bare[hit] = code, None
        start += share
    if all(isinstance(code, int | float) for code in codes):
        return pd.to_numeric(ugly), pd.to_numeric(bare)
    return ugly, bare


def survey_with_refusals() -> Ugly:
    """A health survey: 7 and 9 for refused and don't know where answers are few, 77 and 99 where they are many."""
    rng = np.random.default_rng(1)
    n = 500
    ugly: dict[str, Any] = {"SEQN": np.arange(109_263, 109_263 + n), "RIDAGEYR": rng.integers(18, 80, n)}
    clean: dict[str, Any] = {"RIDAGEYR": ugly["RIDAGEYR"]}
    for name, top in (("SMQ020", 2), ("DIQ010", 3), ("HUQ010", 5)):
        answers = pd.Series(rng.integers(1, top + 1, n))
        ugly[name], clean[name] = _coded(answers, {7: 0.01, 9: 0.015}, rng)
    for name, top in (("INDFMIN2", 15), ("ALQ130", 12)):
        answers = pd.Series(rng.integers(1, top + 1, n))
        ugly[name], clean[name] = _coded(answers, {77: 0.012, 99: 0.012}, rng)
    presses = {("missing-code", "HUQ010"): "missing", ("missing-code", "ALQ130"): "missing"}
    return Ugly(pd.DataFrame(ugly), pd.DataFrame(clean), presses)


def heart_study() -> Ugly:
    """Ten years of a heart study: gaps in many columns, most of them in one."""
    rng = np.random.default_rng(2)
    n = 600
    table = pd.DataFrame(
        {
            "male": rng.integers(0, 2, n),
            "age": rng.integers(32, 71, n),
            "cigsPerDay": np.where(rng.random(n) < 0.5, 0, rng.integers(1, 41, n)),
            "totChol": rng.normal(236, 44, n).round(),
            "sysBP": (rng.normal(132, 22, n) * 2).round() / 2,
            "glucose": rng.normal(82, 20, n).round(),
            "TenYearCHD": (rng.random(n) < 0.15).astype(int),
        }
    )
    table.loc[rng.random(n) < 0.09, "glucose"] = np.nan
    table.loc[rng.random(n) < 0.01, "totChol"] = np.nan
    return Ugly(table, table.drop(columns="glucose"), {("gaps", "glucose"): "columns"})


def code_inside_the_range() -> Ugly:
    """Laboratory values from 100 to 2,000 of which three in ten are 999, and one with the same code above its range."""
    rng = np.random.default_rng(3)
    n = 500
    ferritin, first = _coded(pd.Series(rng.integers(100, 2001, n)), {999: 0.3}, rng)
    trig, second = _coded(pd.Series(rng.integers(40, 400, n)), {999: 0.05}, rng)
    platelets = rng.normal(250, 60, n).round()  # 99 to 420 or so: 199 and 299 are values
    ugly = pd.DataFrame({"ferritin": ferritin, "trig": trig, "platelets": platelets})
    clean = pd.DataFrame({"ferritin": first, "trig": second, "platelets": platelets})
    presses = {("missing-code", "ferritin"): "missing", ("gaps", "ferritin"): "rows"}
    return Ugly(ugly, clean, presses)


def detection_limits() -> Ugly:
    """Numbers with cells such as <0.5 and >90, with points and with commas."""
    rng = np.random.default_rng(4)
    n = 300
    crp, dimer, psa = (
        rng.lognormal(1, 1.2, n).round(1),
        rng.lognormal(0, 1, n).round(2),
        rng.lognormal(1, 1, n).round(1),
    )
    texts = [f"<{0.5}" if x < 0.5 else ">20" if x > 20 else str(x) for x in crp]
    commas = [("< 0,3" if x < 0.3 else str(x)).replace(".", ",") for x in dimer]
    marks = ["≤ 0.4" if x <= 0.4 else str(x) for x in psa]
    age = rng.integers(20, 90, n)
    ugly = pd.DataFrame({"age": age, "crp": texts, "dimer": commas, "psa": marks})
    clean = pd.DataFrame(
        {
            "age": age,
            "crp": np.clip(crp, 0.5, 20),
            "dimer": np.where(dimer < 0.3, np.nan, dimer),
            "psa": np.where(psa <= 0.4, 0.4, psa),
        }
    )
    cards = {"crp": "bound", "dimer": "missing", "psa": "bound"}
    presses = {("detection-limit", name): way for name, way in cards.items()}
    return Ugly(ugly, clean, presses)


def labelled_ratings() -> Ugly:
    """An SPSS file with ratings from 1 to 7 and labels, 8 and 9 for who gave none, and reasons that have no order."""
    rng = np.random.default_rng(5)
    n = 300
    names = ["very bad", "bad", "rather bad", "so so", "rather good", "good", "very good"]
    labels = {code + 1: name for code, name in enumerate(names)} | {8: "don't know", 9: "refused"}
    reasons = {1: "work", 2: "family", 3: "health", 4: "another"}
    frame = pd.DataFrame({"age": rng.integers(18, 90, n).astype(float)})
    clean = frame.copy()
    for item in ("food", "staff", "room"):
        answers = rng.integers(1, 8, n)
        frame[item], bare = _coded(pd.Series(answers), {8: 0.02, 9: 0.02}, rng)
        clean[item] = [None if code != code else labels[int(code)] for code in bare]
    frame["reason"] = rng.integers(1, 5, n).astype(float)
    clean["reason"] = [reasons[int(code)] for code in frame["reason"]]
    value_labels = {"food": labels, "staff": labels, "room": labels, "reason": reasons}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.sav"
        pyreadstat.write_sav(frame, str(path), variable_value_labels=value_labels)
        table = engine.read_table(path)
    presses = {
        ("missing-code", "food"): "missing",
        ("labelled-codes", "food"): "grades",
        ("labelled-codes", "reason"): "names",
    }
    kinds = dict.fromkeys(("food", "staff", "room"), "ordinal") | {"reason": "nominal"}
    levels = dict.fromkeys(("food", "staff", "room"), names) | {"reason": list(reasons.values())}
    return Ugly(table, clean, presses, kinds, {"levels": levels})


def lung_trial() -> Ugly:
    """A trial in lung cancer: two arms, types of cells, a time until death and whether it came."""
    rng = np.random.default_rng(6)
    n = 240
    table = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "trt": rng.integers(1, 3, n),
            "celltype": rng.choice(["squamous", "smallcell", "adeno", "large"], n),
            "time": rng.exponential(120, n).round() + 1,
            "status": (rng.random(n) < 0.9).astype(int),
            "karno": rng.integers(2, 10, n) * 10,
            "age": rng.integers(34, 82, n),
        }
    )
    return Ugly(table, table.drop(columns=["time", "status"]), {("survival", "time"): "drop"}, group="trt")


def long_series() -> Ugly:
    """Visits of patients, one row a visit, not sorted: who and when are no variables."""
    rng = np.random.default_rng(7)
    who, visit = np.repeat(np.arange(40), 6), np.tile(np.arange(1, 7), 40)
    table = pd.DataFrame(
        {
            "patient": [f"P{i:03d}" for i in who],
            "visit": visit,
            "diagnosis": np.where(who % 2 == 0, "case", "control"),
            "weight": (70 + rng.normal(size=40)[who] * 9 + visit).round(1),
            "pain": rng.choice(["none", "mild", "severe"], 240),
        }
    )
    table = table.sample(frac=1, random_state=7).reset_index(drop=True)
    roles = {"patient": "subject", "visit": "time", "diagnosis": "outcome"}
    return Ugly(table, table, roles=roles, group="diagnosis")


def sixty_columns() -> Ugly:
    """Sixty columns: identifiers of patients and samples, sites called by an id, dates in three styles, measures."""
    rng = np.random.default_rng(8)
    n = 300
    days = pd.Timestamp("2019-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D")
    measures = {f"marker {i:02d}": rng.normal(50, 10, n).round(1) for i in range(52)}
    sites = rng.integers(101, 115, n)
    table = pd.DataFrame(
        {
            "patient_id": rng.permutation(n) + 4000,
            "slot": rng.permutation(n) + 1,
            "barcode": [f"X{i:06d}" for i in rng.permutation(900_000)[:n]],
            "site_id": sites,
            "visit date": days.strftime("%Y-%m-%d"),
            "Geburtsdatum": days.strftime("%d.%m.%Y"),
            "lab date": days.strftime("%m/%d/%Y"),
            "sex": rng.choice(["f", "m"], n),
            **measures,
        }
    )
    clean = table.drop(columns=["patient_id", "slot", "barcode", "visit date", "Geburtsdatum", "lab date"])
    presses = {("identifier", "site_id"): "use", ("many-levels", "site_id"): "keep", ("identifier", "slot"): "drop"}
    return Ugly(table, clean, presses, {"site_id": "nominal"}, group="sex")


def social_survey() -> Ugly:
    """A social survey with IAP, DK and REFUSED among the answers, weighted."""
    rng = np.random.default_rng(9)
    n = 500
    scales = {
        "happy": ["not too happy", "pretty happy", "very happy"],
        "trust": ["can't trust", "depends", "can trust"],
        "attend": ["never", "once a year", "once a month", "weekly"],
    }
    ugly: dict[str, Any] = {"age": rng.integers(18, 90, n), "wtssall": rng.uniform(0.4, 2.5, n).round(4)}
    clean: dict[str, Any] = dict(ugly)
    for name, answers in scales.items():
        codes = {"IAP": 0.03, "DK": 0.03, "REFUSED": 0.02}
        ugly[name], clean[name] = _coded(pd.Series(rng.choice(answers, n)), codes, rng)
    presses = {("missing-code", "happy"): "missing"}
    return Ugly(pd.DataFrame(ugly), pd.DataFrame(clean), presses, roles={"wtssall": "identifier"})


def zeros_for_gaps() -> Ugly:
    """Diabetes in a small people: 0 where a pressure or a sugar was not measured, and true zeros beside it."""
    rng = np.random.default_rng(10)
    n = 700
    frame = {"Pregnancies": rng.poisson(3.8, n)}
    bare = dict(frame)
    measured = {
        "Glucose": (rng.normal(121, 30, n).clip(44, 199).round(), 0.01),
        "BloodPressure": (rng.normal(72, 12, n).clip(24, 122).round(), 0.045),
        "SkinThickness": (rng.normal(29, 10, n).clip(7, 60).round(), 0.295),
        "BMI": (rng.normal(32, 7, n).clip(18.2, 60).round(1), 0.02),
    }
    for name, (values, share) in measured.items():
        frame[name], bare[name] = _coded(pd.Series(values), {0: share}, rng)
    frame["Outcome"] = bare["Outcome"] = rng.integers(0, 2, n)
    clean = pd.DataFrame(bare).drop(columns="SkinThickness")
    presses = {("missing-code", "BMI"): "missing", ("gaps", "SkinThickness"): "columns"}
    return Ugly(pd.DataFrame(frame), clean, presses, group="Outcome")


def trial_with_rare_levels() -> Ugly:
    """A trial with sex and arm, a race that few have, and an unknown that is a level nobody wants."""
    rng = np.random.default_rng(11)
    n = 400
    race = rng.choice(["white", "black", "asian"], n, p=[0.7, 0.2, 0.1]).astype(object)
    race[[5, 90, 91]], race[[17, 18]] = "native", "pacific"
    smoker, bare = _coded(pd.Series(rng.choice(["never", "former", "current"], n)), {"unknown": 0.03}, rng)
    ugly = pd.DataFrame(
        {
            "sex": rng.choice(["female", "male"], n),
            "treatment": rng.choice(["drug A", "drug B", "placebo"], n),
            "race": race,
            "smoker": smoker,
            "response": rng.choice(["no", "yes"], n),
        }
    )
    presses = {("missing-code", "smoker"): "missing", ("rare-levels", "race"): "merge"}
    clean = ugly.assign(smoker=bare, race=ugly["race"].replace({"native": "other", "pacific": "other"}))
    chosen = {"levels": {"race": ["asian", "black", "white", "other"]}}
    return Ugly(ugly, clean, presses, chosen=chosen, group="treatment")


def registry_export() -> Ugly:
    """A registry's export: the sex twice, the age in groups beside it, pounds beside kilos, regions of hospitals."""
    rng = np.random.default_rng(12)
    n = 600
    sex, age = rng.integers(0, 2, n), rng.integers(18, 95, n)
    kilos, hospital = rng.normal(75, 13, n).round(1), rng.integers(0, 9, n)
    table = pd.DataFrame(
        {
            "record id": np.arange(1, n + 1),
            "sex": np.where(sex == 1, "male", "female"),
            "sex_code": sex + 1,
            "age": age,
            "age_group": np.select([age < 40, age < 65], ["18-39", "40-64"], "65+"),
            "weight_kg": kilos,
            "weight_lb": kilos * 2.2046226218,
            "hospital": [f"clinic {'ABCDEFGHI'[i]}" for i in hospital],
            "region": np.array(["north", "south", "west"])[hospital // 3],
            "diagnosis": rng.choice(["benign", "malignant"], n),
        }
    )
    clean = table.drop(columns=["record id", "sex_code", "age_group", "weight_lb", "hospital"])
    presses = {
        ("copy", "sex_code"): "drop",
        ("copy", "weight_lb"): "drop",
        ("determined", "age_group"): "coarse",
        ("determined", "region"): "fine",
    }
    return Ugly(table, clean, presses, group="diagnosis")


UGLY: dict[str, Callable[[], Ugly]] = {
    make.__name__: make
    for make in (
        survey_with_refusals, heart_study, code_inside_the_range, detection_limits, labelled_ratings, lung_trial,
        long_series, sixty_columns, social_survey, zeros_for_gaps, trial_with_rare_levels, registry_export,
    )
}  # fmt: skip
