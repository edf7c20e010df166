"""Cut points by classes: of training rows alone, and found anew for every dealing of the classes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from engine.execution import silent
from engine.methods.discriminative.coding import prepared_points
from engine.methods.discriminative.evaluate import EvaluationTask, _Run
from engine.methods.discriminative.pipeline import coding_of, counted_by

METHOD = engine.Discriminative("class", shuffles=39, folds=3, max_parents=0)


def table(seed: int, rows: int = 48, variables: int = 12) -> pd.DataFrame:
    """Numbers that say nothing of the classes."""
    generator = np.random.default_rng(seed)
    frame = pd.DataFrame(generator.normal(size=(rows, variables)), columns=[f"v{i:02d}" for i in range(variables)])
    return frame.assign(**{"class": np.where(generator.permutation(rows) % 2, "ill", "well")})


def test_cuts_stand_where_shares_change_and_else_at_thirds() -> None:
    """A share that changes once along v00 is cut there; what is held out, values and class, moves no cut."""
    frame = table(1, 200)
    frame["class"] = np.where((frame["v00"] > 1) ^ (np.arange(200) % 20 == 0), "ill", "well")
    of = prepared_points(engine.Dataset.from_frame(frame), METHOD)
    out = np.arange(of.n_points) % 4 == 0
    labels = np.where(out, -1, of.labels)
    coding = coding_of(of, labels, METHOD)
    assert [len(cuts) for cuts in coding.cuts[:2]] == [1, 2]
    assert coding.cuts[0][0] == pytest.approx(1, abs=0.15)
    strange = frame.copy()
    rows = of.rows[out]
    strange.loc[rows, "v00"] *= 50
    strange.loc[rows, "class"] = np.where(strange.loc[rows, "class"] == "ill", "well", "ill")
    other = prepared_points(engine.Dataset.from_frame(strange), METHOD)
    held = np.where(np.isin(other.rows, rows), -1, other.labels)
    again = coding_of(other, held, METHOD)
    assert [cuts.tolist() for cuts in again.cuts] == [cuts.tolist() for cuts in coding.cuts]


def test_held_out_classes_move_no_held_out_score() -> None:
    """A fold's points are scored alike whatever their own classes are, which cuts by all classes would change."""
    of = prepared_points(engine.Dataset.from_frame(table(3)), METHOD)
    fold = np.arange(of.n_points) % 3
    turned = np.where(fold == 0, (of.numbers[0].values[of.numbers[0].places] > 0).astype(int), of.labels)
    scores = []
    for labels in (of.labels, turned):
        task = EvaluationTask(replace(of, labels=labels), METHOD)
        run = _Run(task, fold, labels[None][:0], np.random.SeedSequence(0), None)
        run.go(silent)
        scores.append(run.scores[fold == 0])
    assert np.array_equal(*scores)


def test_noise_is_classified_by_chance_and_no_level_separates() -> None:
    """Permutations that kept the observed cuts would call levels of noise."""
    areas, called = [], 0
    for seed in range(8):
        result = METHOD.run(engine.Dataset.from_frame(table(seed)))
        areas.append(result.held_out.auc("ill").value)
        called += any(note.startswith("The levels of") for note in result.notes())
    assert np.mean(areas) < 0.58
    assert called <= 1


def test_every_labelling_has_its_own_cuts() -> None:
    """Dealt classes are counted as if they were those of the table; quantiles are counted once."""
    of = prepared_points(engine.Dataset.from_frame(table(2)), METHOD)
    counted = counted_by(of, coding_of(of, of.labels, METHOD), METHOD)
    dealt = np.random.default_rng(0).permutation(of.labels)
    fresh = counted_by(of, coding_of(of, dealt, METHOD), METHOD)
    again = counted.cut_for(dealt)
    assert np.array_equal(again.slices.before, fresh.slices.before)
    assert np.array_equal(again.cut_for(of.labels).slices.before, counted.slices.before)
    thirds = replace(METHOD, discretise="quantiles")
    once = counted_by(of, coding_of(of, of.labels, thirds), thirds)
    assert once.cut_for(dealt) is once
