"""What SPSS, Stata and SAS write: labels of all codes or some, missing values of their own, whole numbers with gaps."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.exports.reading import OUT, Export, Right

_N = 60
_AGREE = ("strongly disagree", "disagree", "undecided", "agree", "strongly agree")


def exports() -> Iterator[Export]:
    """Each program with its switches."""
    for kind, program in (("sav", "SPSS"), ("dta", "Stata")):
        yield _export(program, kind, "labels of all codes", labels=_labels())
        yield _export(program, kind, "no labels", labels={})
        yield _export(program, kind, "labels at the ends only", labels={**_labels(), "mood": {1: "bad", 5: "good"}})
        some = {**_labels(), "arm": {1: "placebo", 3: "high dose"}}
        yield _export(program, kind, "one code without a label", labels=some)
        yield _export(program, kind, "gaps", labels=_labels(), gaps=True)
        yield _export(program, kind, "a label among measurements", labels={**_labels(), "age": {97: "refused"}}, odd=97)
        yield _export(program, kind, "a floor with a label", labels={**_labels(), "age": {18: "18 or younger"}})
    for measure in ("nominal", "ordinal", "scale"):
        yield _export("SPSS", "sav", f"all {measure}", labels=_labels(), measure=measure)
    yield _export("SPSS", "sav", "nominal by default", labels={}, measure="nominal", gaps=True)
    yield _export("SPSS", "sav", "declared missing", labels=_labels(), declared=99)
    yield _export("Stata", "dta", "missing letters", labels=_labels(), letters=True)
    yield _export("SAS xpt", "xpt", "plain", labels={})
    yield _export("SAS xpt", "xpt", "gaps", labels={}, gaps=True)


def _labels() -> dict[str, dict[int, str]]:
    return {
        "sex": {1: "male", 2: "female"},
        "arm": {1: "placebo", 2: "low dose", 3: "high dose"},
        "mood": dict(enumerate(_AGREE, 1)),
    }


def _export(
    program: str,
    kind: str,
    switch: str,
    *,
    labels: dict[str, dict[int, str]],
    gaps: bool = False,
    odd: int = 0,
    declared: int = 0,
    letters: bool = False,
    measure: str = "",
) -> Export:
    import pandas as pd
    import pyreadstat

    columns: dict[str, list[Any]] = {
        "pat_id": [1001 + i for i in range(_N)],
        "sex": [1 + i * 5 % 7 % 2 for i in range(_N)],
        "age": [18 + i * 7 % 53 for i in range(_N)],
        "arm": [1 + i * 11 % 3 for i in range(_N)],
        "mood": [1 + i * 7 % 5 for i in range(_N)],
        "sbp": [118.5 + i * 13 % 41 for i in range(_N)],
    }
    missing = dict.fromkeys(columns, 0)
    for name, value in (("age", None), ("mood", None), ("sbp", None)) if gaps else ():
        columns[name][5] = columns[name][17] = value
        missing[name] = 2
    for value in filter(None, (odd, declared)):
        columns["age"][3] = columns["age"][9] = value
    missing["age"] += 2 * bool(odd or declared or letters)
    if letters:
        columns["age"][3], columns["age"][9] = "a", "b"
    table = pd.DataFrame(
        {name: pd.array(values, object if letters and name == "age" else None) for name, values in columns.items()}
    )
    options: dict[str, Any] = {}
    if kind != "xpt":
        options["variable_value_labels"] = labels
    if declared:
        options["missing_ranges"] = {"age": [declared]}
    if letters:
        options["missing_user_values"] = {"age": ["a", "b"]}
    if measure:
        options["variable_measure"] = dict.fromkeys(columns, measure)
    write = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport}[kind]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"study.{kind}"
        write(table, str(path), **options)
        content = path.read_bytes()
    named = {
        name: tuple(labels.get(name, {}).get(code, str(code)) for code in codes)
        for name, codes in (("sex", (1, 2)), ("arm", (1, 2, 3)), ("mood", (1, 2, 3, 4, 5)))
    }
    arm = "nominal" if labels or measure == "nominal" else "nominal|ordinal"
    right = {
        "pat_id": Right(OUT),
        "sex": Right("nominal|ordinal" if measure == "ordinal" else "nominal", named["sex"], 0),
        "age": Right("continuous", None, missing["age"]),
        "arm": Right("ordinal" if measure == "ordinal" else arm, named["arm"], 0),
        "mood": Right("ordinal", named["mood"], missing["mood"]),
        "sbp": Right("ordinal" if measure == "ordinal" else "continuous", None, missing["sbp"]),
    }
    return Export(program, switch, f"study.{kind}", content, _N, right)
