"""The example scripts run as a reader would start them, and print what they are about."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.floor.tree import ROOT

FOLDER = ROOT / "docs" / "examples"
PRINTED = {
    "classify_new_rows": r"[Aa]ccuracy \d+\s%.*\{'South': \d+, 'North': \d+\}.*on 300 rows of the second table",
    "compare_two_groups": r"differs? .*source +target .*2 figures; the networks are in adhd\.html",
    "find_a_known_truth": r"100 rows: .*10000 rows: (8|9|10) links found, 0 wrong",
    "first_table": r"'severity' is ordinal.*early_antibiotics differs where severity = severe",
    "how_sure_is_a_link": r"probability .*\d+ arcs are more probable than not",
    "learn_and_query": r"\('severity', 'complication'\).*mild \{'no': 0\.\d+.*severe \{'no': 0\.\d+.*network diptych",
    "one_patient": r"Probability of complication = yes.*population.*networks, strength",
    "questionnaire_network": r"low_mood and guilt: partial correlation.*\{'low_mood': ",
    "report_for_a_colleague": r"\d+ kB, scripts: 0, addresses: 0",
    "what_explains_a_gap": r"death: “yes” in \d+\s% of North, .*with severity.*not explained",
    "scikit_learn_pipeline": r"class networks: 0\.9\d.*logistic regression: 0\.9\d.*'levels': \d",
}
"""Script -> what it prints, line ends aside."""


def test_every_script_is_checked() -> None:
    """A script without an expectation would say nothing when it breaks."""
    assert {file.stem for file in FOLDER.glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_a_script_prints_what_it_is_about(name: str) -> None:
    """In an interpreter of its own, without a warning that is ours."""
    known = os.environ | {"PYTHONPATH": str(ROOT)}
    shown = subprocess.run(
        [sys.executable, FOLDER / f"{name}.py"], capture_output=True, text=True, env=known, cwd=ROOT, encoding="utf-8"
    )
    assert shown.returncode == 0, shown.stderr
    assert re.search(PRINTED[name], shown.stdout, re.DOTALL), shown.stdout
    assert "Warning" not in shown.stderr
