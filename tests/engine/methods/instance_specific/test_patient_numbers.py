"""A patient's numbers: extremes come first, a prediction from an outer level says so, kinds of patients by values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine

LAB = ("SBP (mmHg)", "Lactate (mmol/L)", "Potassium (mmol/L)")


def ward(rows: int = 300, seed: int = 1) -> pd.DataFrame:
    """Laboratory values, a rating and an outcome that follow how ill one is; row 7 is of the design's first table."""
    generator = np.random.default_rng(seed)
    ill, noise = generator.normal(size=rows), generator.normal(size=(4, rows))
    pain = np.array(["none", "mild", "severe"])[np.clip(np.round(1 + 0.6 * ill + 0.6 * noise[3]), 0, 2).astype(int)]
    frame = pd.DataFrame(
        {
            LAB[0]: np.round(122 - 9 * ill + 13 * noise[0]),
            LAB[1]: np.round(np.exp(0.6 + 0.35 * ill + 0.3 * noise[1]), 1),
            LAB[2]: np.round(4.2 + 0.25 * ill + 0.4 * noise[2], 1),
            "pain": pd.Categorical(pain, ["none", "mild", "severe"], ordered=True),
            "sex": generator.choice(["female", "male"], rows),
            "died": np.where(generator.random(rows) < 1 / (1 + np.exp(1.8 - 1.3 * ill)), "yes", "no"),
        }
    )
    frame.loc[7, list(LAB)] = [62, 17.4, 7.9]
    return frame


@pytest.fixture(scope="module")
def data() -> engine.Dataset:
    return engine.Dataset.from_frame(ward())


def test_the_patient_of_the_first_table_is_named_as_extreme(data: engine.Dataset) -> None:
    """Above and below all, in the headline and in a sentence each; nobody says that nothing is unusual."""
    result = engine.InstanceSpecific(search="ges").run(data, 7)
    assert [item.name for item in result.numbers if item.extreme] == [item.name for item in result.extremes]
    assert {item.name for item in result.extremes} == set(LAB)
    headline = result.headline()
    assert headline.startswith("Extreme: ") and len(headline.split()) <= 25
    for said in ("SBP 62 mmHg", "Lactate 17.4 mmol/L", "Potassium 7.9 mmol/L"):
        assert said in headline and any(text.startswith(said) for text in result.sentences())
    table = result.table("Numbers").set_index("variable")
    assert table.at[LAB[1], "overall"] > 0.99 > 0.01 > table.at[LAB[0], "overall"] and table.at[LAB[1], "given"] > 0.9
    assert [row["name"] for row in result.document()["numbers"]] == [item.name for item in result.numbers]
    typed = engine.InstanceSpecific(search="ges").run(data, {LAB[1]: 17.4, "sex": "male"})
    assert [item.name for item in typed.numbers] == [LAB[1]] and typed.headline().startswith("Extreme: Lactate 17.4")


def test_a_prediction_from_an_outer_level_has_logistic_regression_beside_it(data: engine.Dataset) -> None:
    """Networks know the outer third, the regression the number: it says more; without an extreme it is not asked."""
    method = engine.InstanceSpecific(search="ges")
    result = method.run(data, 7, target="died")
    assert result.regressed is not None and result.prediction is not None
    assert (
        result.regressed.sum() == pytest.approx(1) and result.regressed[1] > result.prediction["instance"].iloc[1] + 0.1
    )
    assert "by levels" in result.headline() and len(result.headline().split()) <= 25
    assert any("know" in text and "only" in text and "logistic regression" in text for text in result.sentences())
    usual = next(row for row in range(20) if row != 7 and not method.run(data, row).extremes)
    assert method.run(data, usual, target="died").regressed is None


def test_it_is_said_beforehand_that_nothing_will_be_compared(data: engine.Dataset) -> None:
    method = engine.InstanceSpecific(search="ges")
    assert method.compares_nothing(data) == ""
    assert "takes 40 rows, and there are 30" in method.compares_nothing(data.rows(np.arange(30)))
    assert "three variables" in method.compares_nothing(data.select(["sex", "died"]))
    pair = data.select(["sex", "pain", "died"])
    assert "no variable has two links into it and rows enough" in method.compares_nothing(
        pair, method.learn_population(pair)
    )


def test_kinds_of_patients_are_described_by_their_values() -> None:
    """Medians in units beside those of the others, and shares of the level that one speaks of."""
    generator = np.random.default_rng(3)
    frame = ward(800)
    switch = generator.choice(["on", "off"], 800)
    frame["switch"] = switch
    frame[LAB[1]] = np.where(switch == "on", frame[LAB[1]] + 2.0, frame[LAB[1]])
    ill = frame[LAB[0]] < 118
    frame["fever"] = np.where(generator.random(800) < np.where((switch == "on") & ill, 0.9, 0.1), "yes", "no")
    data = engine.Dataset.from_frame(frame)
    cohort = engine.InstanceSpecific(kappa=1.0).run_cohort(data)
    kinds = cohort.clusters
    assert len(kinds) > 1
    assert kinds["values"].str.contains(r"Lactate \d\.\d+ mmol/L \(\d").any(), kinds["values"].tolist()


def test_a_patient_high_throughout_is_told_so_though_the_values_fit_each_other() -> None:
    """Numbers and ratings among the highest 15 % are counted, by pandas' ranks too; half of them or more are told."""
    generator = np.random.default_rng(4)
    trait = generator.normal(size=300)
    frame = pd.DataFrame(
        {f"q{i}": np.digitize(trait + 0.5 * generator.normal(size=300), [-1, 0, 1.4]) for i in range(5)}
    )
    frame = frame.assign(age=(50 + 10 * trait + 5 * generator.normal(size=300)).round(1), sex=["f", "m"] * 150)
    table = engine.Dataset.from_frame(frame, kinds=dict.fromkeys([f"q{i}" for i in range(5)], "ordinal"))
    row, method = int(frame.drop(columns="sex").rank().sum(axis=1).argmax()), engine.InstanceSpecific(search="ges")
    for place in (row, 0):
        ordered = frame.drop(columns="sex")
        high, low = (int(((sign * ordered >= sign * ordered.iloc[place]).mean() <= 0.15).sum()) for sign in (1, -1))
        found = method.run(table, place)
        assert found.outer == (high, low, 6)
        far = (ordered >= ordered.iloc[place]) if high >= low else (ordered <= ordered.iloc[place])
        assert sorted(found.outermost) == sorted(ordered.columns[far.mean() <= 0.15])
    result = method.run(table, row)
    told = f"{result.outer[0]} of 6 numbers and ratings are among the highest 15\u00a0% of patients"
    assert result.outer[0] >= 3 and any(text.startswith(told) for text in [result.headline(), *result.how_sure()])
    assert told + "." in result.sentences()
    assert "are among" not in " ".join([method.run(table, 0).headline(), *method.run(table, 0).how_sure()])
