"""Standardised differences against the formula by hand, the network's own do(x), and a regression."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from engine.errors import DataError
from engine.models import adjusted_effect, fitted, intervene

ROWS = 4_000


def table(seed: int = 0, rows: int = ROWS) -> pd.DataFrame:
    """A confounder with three levels and one that is a number, a treatment, an outcome of each kind."""
    rng = np.random.default_rng(seed)
    stage, age = rng.integers(0, 3, rows), rng.normal(60, 8, rows)
    treated = rng.random(rows) < 1 / (1 + np.exp(-(stage - 1 + (age - 60) / 8)))
    died = rng.random(rows) < 0.1 + 0.15 * treated + 0.2 * stage
    score = 2.0 * treated + 1.5 * stage + 0.25 * (age - 60) + rng.normal(size=rows)
    words = np.array(["no", "yes"])
    return pd.DataFrame(
        {"stage": np.array(["I", "II", "III"])[stage], "age": age, "drug": words[treated * 1],
         "death": words[died * 1], "score": score}
    )  # fmt: skip


def test_levels_that_are_held_equal_the_formula_and_do() -> None:
    """Sum over stages of P(stage) P(death | drug, stage), which the fitted network's do(drug) is too."""
    frame = table()
    data = engine.Dataset.from_frame(frame[["stage", "drug", "death"]])
    rates = frame.assign(death=frame["death"] == "yes").groupby(["drug", "stage"])["death"].mean()
    shares = frame["stage"].value_counts(normalize=True)
    effect = adjusted_effect(data, "drug", "death", ["stage"])
    by_hand = [float((rates[level] * shares).sum()) for level in ("no", "yes")]
    assert effect.means == pytest.approx(by_hand, abs=1e-12)
    network = fitted(data, [(), (0,), (0, 1)], alpha=1e-9)
    done = [intervene(network, {"drug": level}).query("death")[1] for level in ("no", "yes")]
    assert effect.means == pytest.approx(done, abs=1e-8)
    plain = adjusted_effect(data, "drug", "death")
    assert plain.estimate > effect.estimate + 0.05
    # one sample's spread within its strata, and of the strata themselves
    n, variance = len(frame), 0.0
    strata = {stage: frame[frame["stage"] == stage] for stage in shares.index}
    for stage, rows in strata.items():
        gap = rates["yes"][stage] - rates["no"][stage]
        variance += shares[stage] * (gap - effect.estimate) ** 2 / n
        for level in ("no", "yes"):
            p, own = rates[level][stage], (rows["drug"] == level).sum()
            variance += shares[stage] ** 2 * p * (1 - p) / own
    assert (effect.high - effect.low) / 2 == pytest.approx(1.959964 * variance**0.5, rel=1e-3)


def test_numbers_that_are_held_are_regressed_on() -> None:
    """The truth is 2 points of score; with age held as a number the interval holds it; .15 of the share that die."""
    kinds = {"age": "continuous", "score": "continuous"}
    data = engine.Dataset.from_frame(table(3), kinds=kinds)
    effect = adjusted_effect(data, "drug", "score", ["stage", "age"])
    assert effect.low < 2.0 < effect.high
    assert effect.high - effect.low < 0.3
    shares = adjusted_effect(data, "drug", "death", ["stage", "age"])
    assert shares.low < 0.15 < shares.high
    assert not adjusted_effect(data, "drug", "death").low < 0.15


def test_rows_without_a_counterpart_are_left_out_and_counted() -> None:
    """Nobody at stage III is without the drug: these rows say nothing of it."""
    frame = table()
    frame.loc[frame["stage"] == "III", "drug"] = "yes"
    data = engine.Dataset.from_frame(frame[["stage", "drug", "death"]])
    effect = adjusted_effect(data, "drug", "death", ["stage"])
    assert effect.left_out == (frame["stage"] == "III").sum()
    assert effect.rows + effect.left_out == ROWS
    rest = engine.Dataset.from_frame(frame[frame["stage"] != "III"][["stage", "drug", "death"]])
    assert effect.estimate == pytest.approx(adjusted_effect(rest, "drug", "death", ["stage"]).estimate)


def test_what_cannot_be_asked_is_refused() -> None:
    """X held, no such variable, no such level, and fewer rows than terms."""
    data = engine.Dataset.from_frame(table(rows=60)[["stage", "drug", "death"]])
    for x, y, given in (("drug", "death", ["drug"]), ("pill", "death", []), ("drug", "death", ["pill"])):
        with pytest.raises(DataError):
            adjusted_effect(data, x, y, given)
    with pytest.raises(DataError):
        adjusted_effect(data, "drug", "death", levels=("no", "much"))
    with pytest.raises(DataError):
        adjusted_effect(
            engine.Dataset.from_frame(table(rows=4)[["stage", "drug", "death"]]), "drug", "death", ["stage"]
        )
