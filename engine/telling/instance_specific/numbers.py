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


def number_words(number: PatientNumber, who: str, most: int = 60, *, clause: bool = False) -> Text:
    """'lactate 17.4 mmol/L: higher than in 99.8 % of patients, and of patients like this one'; a comma for a clause."""
    text = told("{}, {} of {}" if clause else "{}: {} of {}", written(number, most), beyond(number), who)
    if math.isnan(number.given):
        return text
    given, like = beyond(number, given=True), told("{} like this one", who)
    if given == beyond(number):
        return told("{}, and of {}", text, like)
    if (number.given >= 0.5) == (number.overall >= 0.5):
        return told("{} and in {} of {}", text, given.parts[-1], like)
    return told("{}, but {} of {}", text, given, like)


def farthest(numbers: Sequence[PatientNumber], who: str) -> Text:
    """'beyond 99.8 % of patients', which all of some numbers are."""
    return told("beyond {} of {}", beyond(min(numbers, key=lambda number: number.beyond)).parts[-1], who)


def beyond(number: PatientNumber, *, given: bool = False) -> Text:
    """'higher than in 99.8 %', 'lower than in 62 %': the larger side, never all of many rows."""
    share = number.given if given else number.overall
    figure = share_beyond(max(share, 1.0 - share) if given else number.beyond, number.rows)
    return told("higher than in {}" if share >= 0.5 else "lower than in {}", Number(figure) if given else figure)


def share_beyond(part: float, rows: int) -> Share:
    """A share of rows, in tenths of a percent where it is nearly all; never all."""
    most = min(part, 1.0 - 0.5 / max(rows, 1), 0.999)
    fine = words.in_percent(math.floor(1000 * most + 1e-9) / 1000, 1)
    return Share(part * rows, rows, written=fine if most >= 0.99 else words.in_percent(most))
