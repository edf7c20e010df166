"""Small multiples of series: who is shown, that gaps stay gaps, that names are text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from dashboard.charts.series import MOST_STEPS, MOST_SUBJECTS, lively, series_alt, series_figure, strips
from engine.data.dataset import Dataset

ROLES = {"who": "subject", "visit": "time"}
HOSTILE = "<b>x</b>"


def table(subjects: int = 8, steps: int = 6, cases: int = 3) -> pd.DataFrame:
    """Series in the order of the table; the first subjects are cases."""
    who = np.repeat(np.arange(subjects), steps)
    visit = np.tile(np.arange(1, steps + 1), subjects)
    return pd.DataFrame(
        {
            "who": [f"{HOSTILE}{i}" for i in who],
            "visit": visit,
            "class": np.where(who < cases, "case", "well"),
            "age": 40.0 + who * 1.5,
            "pain": [["none", "mild", "severe"][(i + v) % 3] for i, v in zip(who, visit, strict=True)],
            HOSTILE: np.random.default_rng(0).normal(size=len(who)),
        }
    )


def made(frame: pd.DataFrame, **choices: Any) -> Dataset:
    return Dataset.from_frame(frame, roles=ROLES, kinds={"age": "continuous"}, **choices)


def test_three_of_each_class_by_class() -> None:
    """The first of each in the table; a class with fewer gives its place to the other, and one row is no series."""
    shown = strips(made(table()), "class")
    assert [(one.name[-1], one.words) for one in shown] == [(i, "case") for i in "012"] + [(i, "well") for i in "345"]
    assert [one.words for one in strips(made(table(cases=1)), "class")] == ["case"] + ["well"] * 5
    assert [one.name[-1] for one in strips(made(table()))] == list("012345")
    short = table().drop(index=range(5))
    assert [one.name[-1] for one in strips(made(short), "class")][:2] == ["1", "2"]
    assert strips(Dataset.from_frame(table(), kinds={"age": "continuous"})) == []


def test_a_class_that_changes_is_said_to() -> None:
    """No subject is given a class that only some of its rows have."""
    assert {one.words for one in strips(made(table()), "pain")} == {"several of pain"}
    assert len(strips(made(table()), HOSTILE)) == MOST_SUBJECTS


def test_variables_that_change_come_first() -> None:
    """Numbers before levels; what is the same at every step of everybody tells nothing here."""
    data = made(table())
    assert lively(data, strips(data, "class"), "class") == [HOSTILE, "pain"]
    assert lively(data.select(["class", "age"]), strips(data)) == ["age", "class"]


def test_a_gap_is_not_bridged() -> None:
    """A missing visit and a row that was dropped leave a break; a step between two breaks is a dot."""
    frame = table(subjects=4, steps=40, cases=2)
    frame.loc[3, HOSTILE] = np.nan
    frame = frame.drop(index=5)
    data = made(frame)
    shown = strips(data, "class")
    line = series_figure(data, shown, [HOSTILE]).data[0]
    assert line.connectgaps is False
    assert [x if x == x else None for x in line.x[:8]] == [1, 2, 3, None, 5, None, 7, 8]
    assert [y is None for y in line.y[:8]] == [x != x for x in line.x[:8]]
    assert [size > 0 for size in line.marker.size[:8]] == [False] * 4 + [True] + [False] * 3
    assert line.y[0] == pytest.approx(frame[HOSTILE][0])


def test_levels_are_steps_with_their_names() -> None:
    """Codes with the levels beside them; every subject has the same scales."""
    data = made(table())
    figure = series_figure(data, strips(data, "class"), ["pain", HOSTILE, "age"])
    assert len(figure.data) == 18
    assert [line.line.shape for line in figure.data[:12]] == ["hv"] * 6 + ["linear"] * 6
    assert figure.layout.yaxis.ticktext == ("none", "mild", "severe")
    assert len({figure.layout[f"yaxis{i}"].range for i in (2, 5, 8)}) == 1
    assert len({axis.range for axis in figure.select_xaxes()}) == 1
    assert "step 2: severe" in figure.data[0].hovertext[1]


def test_names_are_text_and_classes_are_words() -> None:
    """No name is markup in a title, a label or a hover text, and colour is not all that tells the classes apart."""
    data = made(table())
    shown = strips(data, "class")
    figure = series_figure(data, shown, [HOSTILE])
    said = [note.text for note in figure.layout.annotations] + [text for line in figure.data for text in line.hovertext]
    assert not any(HOSTILE in text for text in said)
    assert sum(text.endswith("· well") for text in said) == 3
    assert series_alt(shown, ["pain"]).startswith(f"Step by step for {HOSTILE}0 (case), ")


def test_long_and_odd_series() -> None:
    """Four hundred steps are drawn and said to be the first; constants, gaps in numbers and dates are no fault."""
    frame = table(subjects=2, steps=MOST_STEPS + 9, cases=1)
    frame["same"], frame["huge"] = 7.0, frame[HOSTILE] * 1e300
    frame["day"] = pd.Timestamp(2020, 1, 1) + pd.to_timedelta(frame["visit"], unit="D")
    frame.loc[[2, 4], "age"] = np.nan
    kinds = {"age": "continuous", "same": "continuous", "huge": "continuous", "day": "continuous"}
    data = Dataset.from_frame(frame, roles=ROLES, kinds=kinds, missing="level")
    figure = series_figure(data, strips(data), ["age", "same", "huge"])
    assert figure.layout.xaxis4.title.text == "step (the first 400)"
    assert figure.data[0].y[:5] == (40.0, 40.0, None, 40.0, None)
    assert len(figure.data[0].x) == MOST_STEPS
    assert figure.layout.yaxis2.ticktext == ("7",)
    assert series_figure(data, strips(data), ["day"]).data[0].line.shape == "hv"


def test_two_waves_have_no_tick_between_them() -> None:
    """Of a few steps each has its tick."""
    data = made(table(steps=2))
    assert {axis.dtick for axis in series_figure(data, strips(data), ["pain"]).select_xaxes()} == {1}
