"""Write every sample table that a computer made, its dictionary and its truth again, byte for byte: `python -m
sample_data.make`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from sample_data.associations import associations
from sample_data.clinic import clinic
from sample_data.networks import cough_and_smoke, two_hospitals
from sample_data.questionnaires import questionnaires
from sample_data.regions import regions
from sample_data.sampling import Entry, Made
from sample_data.screening import screening
from sample_data.sepsis import sepsis
from sample_data.symptoms import symptoms

MAKERS: dict[str, tuple[Callable[[np.random.Generator], Made], int]] = {
    "two_hospitals": (two_hospitals, 20172),
    "cough_and_smoke": (cough_and_smoke, 20180),
    "symptoms": (symptoms, 20210),
    "two_questionnaires": (questionnaires, 20211),
    "health_survey": (associations, 20130),
    "regions": (regions, 20057),
    "screening": (screening, 20054),
    "sepsis": (sepsis, 20344),
    "clinic_export": (clinic, 20240),
}
"""Key -> how it is made, and the seed."""


def files(key: str) -> dict[str, bytes]:
    """File name -> content of one sample."""
    maker, seed = MAKERS[key]
    made = maker(np.random.default_rng(seed))
    rows = [list(made.columns), *map(list, zip(*made.columns.values(), strict=True))]
    table = _csv(rows, ";" if key == "clinic_export" else ",")
    truth = json.dumps({"seed": seed, **made.truth}, indent=1, ensure_ascii=False) + "\n"
    return {
        f"{key}.csv": table.encode("utf-8-sig" if key == "clinic_export" else "utf-8"),
        f"{key}_dictionary.csv": _csv(_dictionary(made.dictionary), ",").encode(),
        f"{key}_truth.json": truth.encode(),
    }


def _dictionary(entries: list[Entry]) -> list[list[str]]:
    rows = [[e.name, e.kind, e.label, " | ".join(e.levels), e.unit] for e in entries]
    return [["name", "type", "label", "levels", "unit"], *rows]


def _csv(rows: list[list[str]], separator: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue()


def main() -> None:
    """Write all files beside this script."""
    folder = Path(__file__).with_name("tables")
    folder.mkdir(exist_ok=True)
    for key in MAKERS:
        for name, content in files(key).items():
            (folder / name).write_bytes(content)
            print(f"{name}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
