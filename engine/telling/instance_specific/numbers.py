"""A patient's numbers in words: how far out they lie."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine import words
from engine.data.units import name_without_unit
from engine.methods.instance_specific.patient_numbers import PatientNumber
from engine.telling.charts.labels import short
from engine.text import Name, Number, Share, Text, told


def written(number: PatientNumber, most: int = 60) -> Text:
    """'lactate 17.4 mmol/L', its name in at most so many letters."""
    name = Name(short(name_without_unit(number.name, number.unit), most))
    value = words.with_minus(f"{number.value:.6g}")
    return told("{} {}", name, Number(f"{value} {number.unit}" if number.unit else value))


def percentiles(number: PatientNumber) -> str:
    """'percentile 99.8; 62 given the others'."""
    shares = [number.overall, *([] if math.isnan(number.given) else [number.given])]
    overall, *given = (
        f"{100 * x:.0f}" if 0.01 <= x <= 0.99 else f"{100 * min(max(x, 1e-3), 0.999):.1f}" for x in shares
    )
    return f"percentile {overall}" + "".join(f"; {share} given the others" for share in given)


def number_words(number: PatientNumber, most: int = 60, *, clause: bool = False) -> Text:
    """'lactate 17.4 mmol/L: above 99.9 % of all rows, and of patients like this one'; with a comma for a clause."""
    text = told("{}, {} of all rows" if clause else "{}: {} of all rows", written(number, most), _beyond(number))
    if math.isnan(number.given):
        return text
    given = _beyond(number, given=True)
    if given == _beyond(number):
        return told("{}, and of patients like this one", text)
    return told("{}, {} of patients like this one", text, given)


def farthest(numbers: Sequence[PatientNumber]) -> Text:
    """'beyond 99.8 % of all rows', which all of some numbers are."""
    least = min(numbers, key=lambda number: max(number.overall, 1 - number.overall))
    return told("beyond {} of all rows", _beyond(least).parts[-1])


def _beyond(number: PatientNumber, *, given: bool = False) -> Text:
    """'above 99.8 %', 'below 62 %': the larger side, never all of many rows."""
    share = number.given if given else number.overall
    part = max(share, 1.0 - share)
    most = min(part, 1.0 - 0.5 / max(number.rows, 1), 0.999)
    fine = words.in_percent(math.floor(1000 * most + 1e-9) / 1000, 1)
    percent = fine if most >= 0.99 else words.in_percent(most)
    figure = Number(percent) if given else Share(part * number.rows, number.rows, written=percent)
    return told("above {}" if share >= 0.5 else "below {}", figure)
