"""The patient's cards: the sentence on what a prediction rests on, the picture of unusual values, the strip."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from dashboard.views.instance_specific import patient_cards
from dashboard.views.instance_specific.patient_cards import UNUSUAL, rests_on
from engine.data.dataset import Dataset
from engine.methods.instance_specific.method import InstanceSpecific
from engine.methods.instance_specific.unusual import level_shares
from engine.telling.instance_specific.card_figures import unusual_figure
from engine.words import in_percent
from tests.engine.methods.instance_specific.make import figure_one


@pytest.mark.parametrize(
    ("known", "others", "expected"),
    [
        ({"X0": "0", "X1": "1"}, "", "From {rows} rows with X0 = 0."),
        ({"X0": "0", "X1": "1", "X3": "1"}, "X3", "From {rows} rows with X0 = 0, and the value of X3."),
    ],
)
def test_the_rows_of_a_prediction_are_those_with_its_parents_values(
    known: dict[str, str], others: str, expected: str
) -> None:
    """They are no rows alike: what follows from the outcome is used too, and named."""
    data = figure_one(2000)
    rows = int((data.column("X0") == 0).sum())
    assert rests_on(InstanceSpecific().run(data, known, target="X2")) == expected.format(rows=f"{rows:,}")


def table(*rows: tuple[str, str, float, float]) -> pd.DataFrame:
    """Variable, level, probability of one as rare given the rest, corrected p; the least expected first."""
    frame = pd.DataFrame(rows, columns=["variable", "level", "surprise", "p"]).set_index("variable")
    return frame.sort_values("p", kind="stable")


def test_the_picture_of_unusual_values_writes_what_it_draws() -> None:
    """Each number is that of its own mark: the corrected p of one as rare, as the sentence has it."""
    frame = table(("wet", "yes", 0.25, 0.5), ("rain", "no", 0.4, 0.8)).assign(probability=[0.19, 0.4])
    marks = unusual_figure(frame, UNUSUAL).data
    assert [(mark.x[0], mark.text[0].strip()) for mark in marks] == [(0.8, ".80"), (0.5, ".50")]


def test_names_and_levels_that_begin_alike_do_not_read_alike() -> None:
    """Of a questionnaire: what is cut is the part that they share."""
    steps = ["Applied to me to some degree", "Applied to me to a considerable degree", "Applied to me very much"]
    items = ["I found it hard to wind down at all", "I found it hard to relax at all"]
    data = Dataset.from_frame(pd.DataFrame(dict.fromkeys(items, steps * 9)))
    brief = patient_cards._brief(table((items[0], steps[0], 0.1, 0.1), (items[1], steps[1], 0.2, 0.2)), data)
    assert brief["level"].nunique() == brief.index.nunique() == 2
    assert all(len(text) <= 22 for text in (*brief.index, *brief["level"]))


def test_a_number_stands_with_the_interval_that_it_lies_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strip has the number and what share of rows it lies beyond; a pointer shows the interval of the levels."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"lactate": rng.lognormal(1, 0.5, 300).round(1), "ward": rng.choice(["<b>A</b>", "B"], 300)})
    data = Dataset.from_frame(frame)
    strip: list[str] = []
    monkeypatch.setattr(patient_cards.st, "html", strip.append)
    monkeypatch.setattr(patient_cards, "everybody", level_shares)
    patient_cards.show_strip(InstanceSpecific().run(data, 3), data)
    number, interval = frame.at[3, "lactate"], data.levels["lactate"][data.column("lactate")[3]]
    assert any(digit in interval for digit in "0123456789")
    beyond = r"(higher|lower) than in [\d.]+\u00a0%"
    assert re.search(rf"<b>{number:g}</b><small>{beyond}", strip[0])
    assert re.search(rf"title='lactate: {re.escape(interval)}\n{beyond}\ngiven the others {beyond}", strip[0])
    assert strip[0].count("\ngiven the others ") == 1 and ">given the others" not in strip[0]
    assert "<b>A</b>" not in strip[0]


def test_a_long_ordered_level_stands_by_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pointer shows it whole; one that is short stands itself."""
    rng = np.random.default_rng(1)
    long, brief = ["Not at all, or hardly ever", "Some of the time", "Most of the time"], ["low", "middle", "high"]
    drawn = {name: rng.choice(levels, 200) for name, levels in {"mood": long, "pain": brief}.items()}
    kept = [pd.Categorical(drawn[name], levels, ordered=True) for name, levels in {"mood": long, "pain": brief}.items()]
    data = Dataset.from_frame(pd.DataFrame({"mood": kept[0], "pain": kept[1]}))
    row = list(zip(*drawn.values(), strict=True)).index((long[2], "middle"))
    strip: list[str] = []
    monkeypatch.setattr(patient_cards.st, "html", strip.append)
    patient_cards.show_strip(InstanceSpecific().run(data, row), data)
    assert ">3 of 3</b>" in strip[0] and "title='mood: Most of the time'" in strip[0] and ">middle</b>" in strip[0]


def test_a_number_far_from_all_others_is_named_and_leads_the_strip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its interval holds a third of all rows, so no P says it; a number that a normal tail reaches is not named."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({f"x{i}": rng.normal(0, 1, 400).round(2) for i in range(10)})
    frame.loc[3, "x9"], frame.loc[4, "x9"] = -8.5, 2.9
    data = Dataset.from_frame(frame)
    result = InstanceSpecific().run(data, 3)
    assert [(item.name, item.value, item.as_far) for item in result.extremes] == [("x9", -8.5, 1)]
    assert result.headline() == (
        "Extreme: x9 \N{MINUS SIGN}8.5, lower than in 99.7\u00a0% of patients and in 99.8\u00a0% of patients "
        "like this one."
    )
    open_ = InstanceSpecific().run(data, 4)  # 2.9 of ten normal numbers: P = .010, p = .097
    below = int((frame["x9"] < 2.9).sum())
    assert not open_.extremes and open_.headline() == (
        "No value is clearly unexpected given the others; least expected is x9 2.9, higher than in "
        f"{in_percent(below / 400, 1)} of patients (p\u00a0=\u00a0.097)."
    )
    corrected = "p allows for 10 values: chance makes one this unexpected in up to 9.7\u00a0% of patients."
    assert open_.how_sure()[0] == corrected in open_.summary()
    usual = InstanceSpecific().run(data, dict(result.patient))
    assert usual.headline().startswith("No value ")
    strip: list[str] = []
    monkeypatch.setattr(patient_cards.st, "html", strip.append)
    patient_cards.show_strip(result, data)
    ranks = frame.rank(pct=True).loc[3].drop("x9")  # from the middle outwards
    order = (ranks - 0.5).abs().sort_values(ascending=False).index
    places = [strip[0].index(f"title='{name}:") for name in ("x9", *order)]
    said = "▲ extreme or unexpected, then the farthest out among all patients; p uncorrected"
    assert places == sorted(places) and f">{said}<" in strip[0]
    shown, _, opened = strip[0].partition("<details")
    assert (shown.count("title="), opened.count("title=")) == (8, 2) and ">2 more</summary>" in opened
