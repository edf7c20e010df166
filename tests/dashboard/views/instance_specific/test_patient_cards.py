"""The patient's cards: the sentences on what a prediction rests on and on unusual values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dashboard.views.instance_specific import patient_cards
from dashboard.views.instance_specific.patient_cards import UNUSUAL, rests_on, unusual_words
from engine.data.dataset import Dataset
from engine.methods.instance_specific.method import InstanceSpecific
from engine.methods.instance_specific.unusual import level_shares
from engine.telling.instance_specific.card_figures import unusual_figure
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


def test_an_unusual_value_leads_and_the_others_are_counted() -> None:
    """The probability of one as rare given the rest, how many more, and the corrected p of the first."""
    one = table(("wet", "yes", 0.0104, 0.021), ("rain", "no", 0.4, 0.8))
    assert unusual_words(one) == "wet = yes: P\u00a0=\u00a0.010 of one as rare; p\u00a0=\u00a0.021 after correction."
    three = table(("a", "x", 0.001, 0.004), ("b", "y", 0.01, 0.03), ("c", "z", 0.012, 0.049), ("d", "w", 0.3, 0.9))
    p = "p\u00a0=\u00a0.004 after correction"
    assert unusual_words(three) == f"a = x: P\u00a0=\u00a0.001 of one as rare and 2 more values; {p}."
    two = three.iloc[[0, 1, 3]]
    assert "and 1 more value;" in unusual_words(two)


def test_the_picture_of_unusual_values_writes_what_it_draws() -> None:
    """Each number is that of its own mark, the probability of one as rare, and not that of the level alone."""
    frame = table(("wet", "yes", 0.25, 0.5), ("rain", "no", 0.4, 0.8)).assign(probability=[0.19, 0.4])
    marks = unusual_figure(frame, UNUSUAL).data
    assert [(mark.x[0], mark.text[0].strip()) for mark in marks] == [(0.4, ".40"), (0.25, ".25")]


def test_where_none_is_unusual_that_is_said() -> None:
    """At the limit itself a value is not unusual, and nothing says that it is; up to .2 that is left open."""
    words = unusual_words(table(("a", "x", 0.02, UNUSUAL), ("b", "y", 0.4, 0.4)))
    assert (
        words == "Inconclusive (p\u00a0=\u00a0.050 after correction). Probability of a value as rare, given the others:"
    )
    assert unusual_words(table(("a", "x", 0.1, 0.2))).startswith("None is seen to be unusual (p")


def test_long_names_are_cut() -> None:
    """Names and levels of any length leave the sentence one that fits its card."""
    words = unusual_words(table(("n" * 500, "l" * 500, 0.01, 0.01)))
    assert len(words) < 100 and "n" * 19 + "…" in words and "l" * 15 + "…" in words


def test_a_number_stands_with_the_interval_that_it_lies_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strip has the patient's own number and its percentile; a pointer shows the interval of the levels."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"lactate": rng.lognormal(1, 0.5, 300).round(1), "ward": rng.choice(["<b>A</b>", "B"], 300)})
    data = Dataset.from_frame(frame)
    strip: list[str] = []
    monkeypatch.setattr(patient_cards.st, "html", strip.append)
    monkeypatch.setattr(patient_cards, "everybody", level_shares)
    patient_cards.show_strip(InstanceSpecific().run(data, 3), data)
    number, interval = frame.at[3, "lactate"], data.levels["lactate"][data.column("lactate")[3]]
    assert any(digit in interval for digit in "0123456789")
    assert (
        f"<b>{number:g}</b><br><small>percentile " in strip[0]
        and f"title='lactate: {interval}\npercentile " in strip[0]
    )
    assert strip[0].count("given the others") == 1 and "given the others</small>" not in strip[0]
    assert "<b>A</b>" not in strip[0]


def test_a_number_far_from_all_others_is_named_and_leads_the_strip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its interval holds a third of all rows, so no P says it; a number that a normal tail reaches is not named."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({f"x{i}": rng.normal(0, 1, 400).round(2) for i in range(10)})
    frame.loc[3, "x9"], frame.loc[4, "x9"] = -8.5, 2.9
    data = Dataset.from_frame(frame)
    result = InstanceSpecific().run(data, 3)
    assert [(item.name, item.value, item.as_far) for item in result.extremes] == [("x9", -8.5, 1)]
    assert result.headline() == (
        "Extreme: x9 \N{MINUS SIGN}8.5, below 99.8\u00a0% of all rows, and of patients like this one."
    )
    open_ = InstanceSpecific().run(data, 4)  # 2.9 of ten normal numbers: P = .010, p = .097
    assert (
        open_.headline().startswith("Inconclusive whether x9 = 2.9 is unusual for this patient") and not open_.extremes
    )
    usual = InstanceSpecific().run(data, dict(result.patient))
    assert usual.headline().startswith("No value is seen to be unusual for this ")
    strip: list[str] = []
    monkeypatch.setattr(patient_cards.st, "html", strip.append)
    patient_cards.show_strip(result, data)
    assert strip[0].index("title='x9:") < strip[0].index("title='x0:")
