"""An export as clinics make them: semicolons, decimal commas, an id, dates, remarks, gaps and odd headers."""

from __future__ import annotations

from datetime import date, timedelta
from statistics import NormalDist

import numpy as np

from sample_data.sampling import Columns, Entry, Made

_REMARKS = ("comes with daughter", "diet advice given", "wants to stop smoking", "moved house", "travels in summer")
_FOLLOW_UPS = (
    "call again in {} days",
    "seen by nurse {}; no complaints",
    "letter of {}.3. answered",
    "dose as of day {}",
)

# header: (label, unit, mean, sd, decimals) of what is measured; the arm shifts what _EFFECTS names
_MEASURED = {
    "Age (years)": ("Age at inclusion", "years", 61.0, 11.0, 0),
    "Height cm": ("Height", "cm", 170.0, 9.5, 0),
    " Weight kg": ("Weight", "kg", 82.0, 15.0, 1),
    "SBP mmHg": ("Systolic blood pressure", "mmHg", 142.0, 16.0, 0),
    "DBP mmHg": ("Diastolic blood pressure", "mmHg", 84.0, 10.0, 0),
    "Pulse /min": ("Pulse", "/min", 74.0, 11.0, 0),
    "HbA1c %": ("Glycated haemoglobin", "%", 7.4, 1.1, 1),
    "Glucose mmol/l": ("Fasting glucose", "mmol/l", 8.1, 2.0, 1),
    "LDL mmol/l": ("LDL cholesterol", "mmol/l", 3.1, 0.8, 2),
    "HDL mmol/l": ("HDL cholesterol", "mmol/l", 1.3, 0.3, 2),
    "Creatinine µmol/l": ("Creatinine", "µmol/l", 86.0, 20.0, 0),
    "CRP mg/l": ("C-reactive protein; '<0,5' where it is below the limit of detection", "mg/l", 3.2, 2.4, 1),
    "Hb g/dl": ("Haemoglobin", "g/dl", 13.9, 1.4, 1),
    "K+ mmol/l": ("Potassium", "mmol/l", 4.3, 0.4, 1),
    "Steps/day": ("Steps a day", "", 5200.0, 2100.0, 0),
    "HbA1c % (6 months)": ("Glycated haemoglobin after six months", "%", 7.2, 1.0, 1),
}
_ASKED = {
    "Sex": ("Sex", ("f", "m"), (0.46, 0.54)),
    "Smoker?": ("Smokes", ("no", "yes"), (0.76, 0.24)),
    "NYHA": ("Heart failure class", ("I", "II", "III", "IV"), (0.52, 0.30, 0.14, 0.04)),
    "Education": ("Highest education", ("basic", "middle", "higher"), (0.30, 0.45, 0.25)),
    "Insulin": ("Takes insulin", ("no", "yes"), (0.68, 0.32)),
    "Statin": ("Takes a statin", ("no", "yes"), (0.41, 0.59)),
    "Retinopathy": ("Retinopathy", ("no", "yes"), (0.83, 0.17)),
    "Neuropathy": ("Neuropathy", ("no", "yes"), (0.75, 0.25)),
    "Adherence": ("Takes medicines as agreed", ("low", "medium", "high"), (0.2, 0.4, 0.4)),
}
_ORDINAL = ("NYHA", "Education", "Adherence")
_ARMS = ("usual care", "coaching")
ROWS = 300


def clinic(rng: np.random.Generator) -> Made:
    """300 rows, 30 columns; coaching raises adherence and steps, and lowers HbA1c after six months."""
    columns: Columns = {
        "Patient-ID": [f"{i:05d}" for i in (10 + np.argsort(rng.random(ROWS)) * 7).tolist()],
        "Visit date": [
            (date(2024, 1, 8) + timedelta(days=int(400 * u))).strftime("%d.%m.%Y") for u in rng.random(ROWS)
        ],
        "Arm": [_ARMS[int(u < 0.5)] for u in rng.random(ROWS)],
    }
    coached = np.array([arm == "coaching" for arm in columns["Arm"]])
    for name, (_, levels, chances) in _ASKED.items():
        columns[name] = _asked(rng, levels, chances, coached if name == "Adherence" else coached & False)
    measured = {name: mean + sd * _normal(rng) for name, (_, _, mean, sd, _) in _MEASURED.items()}
    measured["Steps/day"] = np.maximum(measured["Steps/day"] + 1500 * coached, 200)
    measured["CRP mg/l"] = np.abs(measured["CRP mg/l"])
    later = 7.4 + 0.75 * (measured["HbA1c %"] - 7.4) - 0.7 * coached + 0.5 * _normal(rng)
    measured["HbA1c % (6 months)"] = later
    for name, (*_, decimals) in _MEASURED.items():
        columns[name] = [f"{value:.{decimals}f}".replace(".", ",") for value in measured[name]]
    columns["Remarks"] = [_remark(*draws) for draws in rng.random((ROWS, 4)).tolist()]
    columns["Export version"] = ["4,1"] * ROWS
    _spoil(columns, rng)
    truth = {
        "group": "Arm",
        "changed": ["Adherence", "Steps/day", "HbA1c % (6 months)"],
        "identifier": "Patient-ID",
        "constant": "Export version",
    }
    return Made(columns, _dictionary(), truth)


def _normal(rng: np.random.Generator) -> np.ndarray:
    inverse = NormalDist().inv_cdf
    return np.array([inverse(u) for u in np.clip(rng.random(ROWS), 1e-12, 1 - 1e-12)])


def _remark(written: float, first: float, second: float, number: float) -> str:
    """Free text: nothing in a third of the rows, otherwise hardly ever the same twice."""
    if written < 0.33:
        return ""
    follow_up = _FOLLOW_UPS[int(second * len(_FOLLOW_UPS))].format(int(number * 28) + 1)
    return f"{_REMARKS[int(first * len(_REMARKS))]}; {follow_up}"


def _asked(
    rng: np.random.Generator, levels: tuple[str, ...], chances: tuple[float, ...], better: np.ndarray
) -> list[str]:
    """Answers; where `better`, the draw is pulled to the upper levels."""
    uniform = np.where(better, rng.random(ROWS) ** 0.45, rng.random(ROWS))
    return [levels[min(int(k), len(levels) - 1)] for k in np.searchsorted(np.cumsum(chances), uniform)]


def _spoil(columns: Columns, rng: np.random.Generator) -> None:
    """What goes wrong between a clinic and a file: gaps under several names, limits of detection, twins."""
    for name, token, share in (
        ("LDL mmol/l", "", 0.04),
        ("HbA1c % (6 months)", "", 0.05),
        ("Creatinine µmol/l", "n/a", 0.02),
        ("Retinopathy", "", 0.03),
        ("Steps/day", "-", 0.03),
    ):
        columns[name] = [token if u < share else cell for u, cell in zip(rng.random(ROWS), columns[name], strict=True)]
    columns["CRP mg/l"] = ["<0,5" if float(cell.replace(",", ".")) < 0.5 else cell for cell in columns["CRP mg/l"]]
    columns["Smoker?"] = [
        cell.capitalize() if u < 0.04 else cell + " " if u < 0.07 else cell
        for u, cell in zip(rng.random(ROWS), columns["Smoker?"], strict=True)
    ]


def _dictionary() -> list[Entry]:
    return [
        Entry("Patient-ID", "ignore", "Number of the patient"),
        Entry("Visit date", "ignore", "Day of the first visit"),
        Entry("Arm", "nominal", "Arm of the trial", _ARMS),
        *(
            Entry(name, "ordinal" if name in _ORDINAL else "nominal", label, levels if name != "Smoker?" else ())
            for name, (label, levels, _) in _ASKED.items()
        ),
        *(
            Entry(name.strip(), "ignore" if name == "CRP mg/l" else "continuous", label, (), unit)
            for name, (label, unit, *_) in _MEASURED.items()
        ),
        Entry("Remarks", "ignore", "Free text"),
        Entry("Export version", "ignore", "Version of the export"),
    ]
