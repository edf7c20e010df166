"""Two tables drawn from a network: two hospitals that differ in one habit, and cough that age reaches through
smoke."""

from __future__ import annotations

import numpy as np

from sample_data.sampling import Made, Variable, arcs, by, draw, entries, yes

NO_YES = ("no", "yes")
AGES = ("under 50", "50 to 69", "70 and over")


def two_hospitals(rng: np.random.Generator) -> Made:
    """1,200 patients with pneumonia; North and South differ only in early antibiotics for the
    severely ill at night."""
    night_south = 0.24
    early = {"mild": 0.48, "moderate": 0.74, "severe": 0.94}

    def antibiotics(hospital: str, severity: str, admission: str) -> tuple[float, float]:
        if admission == "day":
            return yes(early[severity])
        return yes(night_south if (hospital, severity) == ("South", "severe") else early[severity] - 0.26)

    def complication(severity: str, early_antibiotics: str) -> tuple[float, float]:
        base = {"mild": 0.07, "moderate": 0.26, "severe": 0.64}[severity]
        return yes(base * (0.45 if early_antibiotics == "yes" else 1.0))

    network = [
        Variable("hospital", ("North", "South"), "Hospital of admission", (), lambda: (0.5, 0.5)),
        Variable("age", AGES, "Age at admission", (), lambda: (0.27, 0.40, 0.33), "ordinal"),
        Variable("sex", ("female", "male"), "Sex", (), lambda: (0.47, 0.53)),
        Variable(
            "diabetes",
            NO_YES,
            "Diabetes known before admission",
            ("age",),
            by({"under 50": yes(0.07), "50 to 69": yes(0.20), "70 and over": yes(0.33)}),
        ),
        Variable(
            "kidney_function",
            ("normal", "reduced"),
            "Kidney function at admission",
            ("diabetes",),
            by({"no": (0.87, 0.13), "yes": (0.58, 0.42)}),
        ),
        Variable(
            "severity",
            ("mild", "moderate", "severe"),
            "Severity of pneumonia at admission",
            ("age",),
            by({"under 50": (0.62, 0.28, 0.10), "50 to 69": (0.36, 0.35, 0.29), "70 and over": (0.16, 0.32, 0.52)}),
            "ordinal",
        ),
        Variable("admission", ("day", "night"), "Time of admission", (), lambda: (0.56, 0.44)),
        Variable(
            "early_antibiotics",
            NO_YES,
            "First antibiotic within four hours",
            ("hospital", "severity", "admission"),
            antibiotics,
        ),
        Variable(
            "complication",
            NO_YES,
            "Any complication during the stay",
            ("severity", "early_antibiotics"),
            complication,
        ),
        Variable(
            "stay",
            ("up to 4 days", "5 to 9 days", "10 days and more"),
            "Length of stay",
            ("complication",),
            by({"no": (0.52, 0.38, 0.10), "yes": (0.14, 0.40, 0.46)}),
            "ordinal",
        ),
        Variable(
            "readmitted",
            NO_YES,
            "Readmitted within 30 days",
            ("stay",),
            by({"up to 4 days": yes(0.06), "5 to 9 days": yes(0.11), "10 days and more": yes(0.27)}),
        ),
    ]
    truth = {
        "arcs": [arc for arc in arcs(network) if arc[0] != "hospital"],
        "group": "hospital",
        "changed": ["early_antibiotics"],
        "contexts": [
            {
                "variable": "early_antibiotics",
                "context": {"severity": "severe", "admission": "night"},
                "yes": {"North": round(early["severe"] - 0.26, 2), "South": night_south},
            }
        ],
    }
    return Made(draw(network, 1200, rng), entries(network), truth)


def cough_and_smoke(rng: np.random.Generator) -> Made:
    """2,000 adults; age matters for cough among smokers only."""
    smokers = {"under 50": 0.22, "50 to 69": 0.42, "70 and over": 0.66}

    def cough(smoking: str, age: str) -> tuple[float, float]:
        return yes(smokers[age] if smoking == "yes" else 0.11)

    def wheeze(asthma: str, smoking: str) -> tuple[float, float]:
        return yes(0.62 if asthma == "yes" else 0.18 if smoking == "yes" else 0.06)

    def breathless(wheeze: str, heart_failure: str) -> tuple[float, float]:
        return yes({("no", "no"): 0.07, ("yes", "no"): 0.44, ("no", "yes"): 0.56}.get((wheeze, heart_failure), 0.81))

    network = [
        Variable("age", AGES, "Age", (), lambda: (0.38, 0.36, 0.26), "ordinal"),
        Variable("sex", ("female", "male"), "Sex", (), lambda: (0.52, 0.48)),
        Variable("smoking", NO_YES, "Smokes now", ("sex",), by({"female": yes(0.31), "male": yes(0.42)})),
        Variable("dust_at_work", NO_YES, "Dust at work", ("sex",), by({"female": yes(0.08), "male": yes(0.27)})),
        Variable("asthma", NO_YES, "Asthma diagnosed", (), lambda: yes(0.12)),
        Variable("cough", NO_YES, "Cough on most days for three months", ("smoking", "age"), cough),
        Variable("phlegm", NO_YES, "Brings up phlegm", ("cough",), by({"no": yes(0.06), "yes": yes(0.58)})),
        Variable(
            "heart_failure",
            NO_YES,
            "Heart failure diagnosed",
            ("age",),
            by({"under 50": yes(0.02), "50 to 69": yes(0.08), "70 and over": yes(0.24)}),
        ),
        Variable("wheeze", NO_YES, "Wheeze heard", ("asthma", "smoking"), wheeze),
        Variable("breathless", NO_YES, "Breathless on stairs", ("wheeze", "heart_failure"), breathless),
        Variable("chest_x_ray", NO_YES, "Chest X-ray taken", ("phlegm",), by({"no": yes(0.14), "yes": yes(0.61)})),
    ]
    patient = {
        "age": "70 and over",
        "sex": "female",
        "dust_at_work": "no",
        "asthma": "no",
        "heart_failure": "no",
    }
    truth = {
        "arcs": arcs(network),
        "contexts": [
            {"variable": "cough", "context": {"smoking": "no"}, "parents": [], "without": ["age"], "yes": 0.11},
            {"variable": "cough", "context": {"smoking": "yes"}, "parents": ["age"], "yes": smokers},
        ],
        "patients": [
            {
                "name": "Mrs. Nolan, who never smoked",
                "instance": {**patient, "smoking": "no"},
                "note": "Inside the context: for her, age says nothing about cough.",
            },
            {
                "name": "Mrs. Young, who smokes",
                "instance": {**patient, "smoking": "yes"},
                "note": "Outside the context: for her, age is the strongest reason for cough after smoking itself.",
            },
        ],
    }
    return Made(draw(network, 2000, rng), entries(network), truth)
