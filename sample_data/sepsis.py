"""Two hospitals and a laboratory value: lactate six hours after admission with sepsis, as a number in its unit."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from sample_data.sampling import Entry, Made

ROWS = 1_200
HIGH, LOW = 4.1, 1.9
"""Median lactate of patients in shock at night, at South and at North."""


def sepsis(rng: np.random.Generator) -> Made:
    """1,200 patients; North and South differ only in the lactate of those who come in shock at night."""

    def normal() -> np.ndarray:
        """Uniform numbers alone are asked of the generator: their stream is the same in every version of numpy."""
        return np.array([NormalDist().inv_cdf(u) for u in rng.random(ROWS).clip(1e-9, 1 - 1e-9).tolist()])

    south, night = rng.random(ROWS) < 0.5, rng.random(ROWS) < 0.45
    age = np.clip(66 + 14 * normal(), 18, 97)
    lungs = rng.random(ROWS) < 0.46
    shock = rng.random(ROWS) < 0.3
    median = np.where(shock & night & south, HIGH, np.where(shock, LOW, 1.2))
    lactate = median * np.exp(0.32 * normal())
    creatinine = 88 * np.exp(0.012 * (age - 66) + 0.25 * shock + 0.22 * normal())
    died = rng.random(ROWS) < np.where(shock, 0.34, 0.06)
    columns = {
        "hospital": _words(south, "North", "South"),
        "admission": _words(night, "day", "night"),
        "age": [f"{value:.0f}" for value in age],
        "source": _words(lungs, "other", "lungs"),
        "shock": _words(shock, "no", "yes"),
        "lactate": [f"{value:.1f}" for value in lactate],
        "creatinine": [f"{value:.0f}" for value in creatinine],
        "died": _words(died, "no", "yes"),
    }
    dictionary = [
        Entry("hospital", "nominal", "Hospital of admission", ("North", "South")),
        Entry("admission", "nominal", "Time of admission", ("day", "night")),
        Entry("age", "continuous", "Age at admission", unit="years"),
        Entry("source", "nominal", "Where the infection began", ("other", "lungs")),
        Entry("shock", "nominal", "In shock at admission", ("no", "yes")),
        Entry("lactate", "continuous", "Lactate six hours after admission", unit="mmol/L"),
        Entry("creatinine", "continuous", "Creatinine six hours after admission", unit="µmol/L"),
        Entry("died", "nominal", "Died within 30 days", ("no", "yes")),
    ]
    truth = {
        "arcs": [
            ["shock", "lactate"],
            ["admission", "lactate"],
            ["age", "creatinine"],
            ["shock", "creatinine"],
            ["shock", "died"],
        ],
        "group": "hospital",
        "changed": ["lactate"],
        "contexts": [
            {
                "variable": "lactate",
                "context": {"shock": "yes", "admission": "night"},
                "median": {"North": LOW, "South": HIGH},
            }
        ],
    }
    return Made(columns, dictionary, truth)


def _words(is_so: np.ndarray, no: str, yes: str) -> list[str]:
    return [yes if one else no for one in is_so]
