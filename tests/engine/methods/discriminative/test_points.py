"""What is classified: series of subjects or rows, their classes, and cut points that see the training points only."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from engine.methods.discriminative.coding import coded, fit_coding, observed
from engine.methods.discriminative.points import CHANGE, points_of
from tests.engine.methods.discriminative.make import dataset, points, row_frame, series_frame


def test_transitions_stay_inside_subjects_and_pass_over_gaps() -> None:
    """Shuffled rows and a lost step: the same steps follow each other as in a walk over each subject."""
    frame = series_frame(steps=10)
    lost = frame[(frame["who"] == "s03") & (frame["time"] == 4)].index
    mixed = frame.drop(lost).sample(frac=1, random_state=0)
    found = points(mixed)
    assert found.ids == tuple(sorted(frame["who"].unique()))
    slow = frame.drop(lost).groupby("who")["time"].apply(lambda t: int((np.diff(np.sort(t)) == 1).sum()))
    assert found.lengths.tolist() == slow.tolist()
    kept = mixed.reset_index(drop=True)
    for b, a, s in zip(found.before, found.after, found.point, strict=True):
        one, other = (kept.iloc[found.rows[x]] for x in (b, a))
        assert one["who"] == other["who"] == found.ids[s]
        assert other["time"] == one["time"] + 1
    assert any("1 gap inside the series" in words for words in found.words)


def test_a_subject_of_one_step_is_named_and_left_out() -> None:
    """The others are used."""
    frame = series_frame(steps=8)
    short = frame[(frame["who"] != "s02") | (frame["time"] == 3)]
    found = points(short)
    assert "s02" not in found.ids
    assert any("'s02'" in words and words.startswith("Left out") for words in found.words)


def test_a_subject_of_two_classes_is_named() -> None:
    """And so are both classes."""
    frame = series_frame(steps=6)
    frame.loc[frame[frame["who"] == "s04"].index[2], "class"] = "ill"
    with pytest.raises(engine.DataError, match="'s04' is 'ill' and 'well' in 'class'"):
        points(frame)


def test_classes_must_be_two_and_hold_two_each() -> None:
    """One class, or one subject of a class, is refused in a sentence."""
    frame = series_frame(steps=6)
    with pytest.raises(engine.DataError, match="has 'well' only"):
        points(frame[frame["class"] == "well"], kinds={"class": "nominal"})
    with pytest.raises(engine.DataError, match="'ill' of 'class' has 1 subject; at least two"):
        points(frame[(frame["class"] == "well") | (frame["who"] == "s01")])
    with pytest.raises(engine.DataError, match="no variable beside the classes"):
        points_of(engine.Dataset.from_frame(row_frame()[["class"]]), "class")
    with pytest.raises(engine.DataError, match="No step follows another"):
        points(frame[frame["time"] == 2])


def test_rows_without_time_are_points_and_subjects_stay_together() -> None:
    """The order of the table does not matter; rows of a subject are a unit."""
    frame = row_frame(30)
    frame["who"] = [f"p{i // 3}" for i in range(30)]
    data = engine.Dataset.from_frame(frame, roles={"who": "subject"})
    found = points_of(data, "class")
    assert not found.series
    assert found.n_points == 30
    assert len(np.unique(found.units)) == 10
    assert sorted(found.rows.tolist()) == list(range(30))
    assert found.before is found.after
    one = points_of(engine.Dataset.from_frame(row_frame(30)), "class")
    other = points_of(engine.Dataset.from_frame(row_frame(30).iloc[::-1]), "class")
    assert np.array_equal(one.codes, other.codes)
    assert np.array_equal(one.labels, other.labels)


def test_a_series_of_one_variable_gets_its_change_as_a_second() -> None:
    """Steps without one before them are not predicted from."""
    frame = series_frame(steps=12, variables=2, numbers=True)[["who", "time", "v0", "class"]]
    found = points(frame, kinds={"v0": "continuous"})
    assert found.names == ("v0", CHANGE.format("v0"))
    row = frame.iloc[found.rows[found.before[0]]]
    before = frame[(frame["who"] == row["who"]) & (frame["time"] == row["time"] - 1)]["v0"].item()
    assert found.column(1)[found.before[0]] == pytest.approx(row["v0"] - before)
    assert any("change since the step before" in words for words in found.words)


def numeric() -> engine.Dataset:
    """Series of numbers."""
    return dataset(series_frame(numbers=True), kinds={f"v{i}": "continuous" for i in range(4)})


def test_cut_points_see_the_training_points_only() -> None:
    """Another world in the held-out subject changes no cut point."""
    frame = series_frame(numbers=True)
    strange = frame.copy()
    strange.loc[strange["who"] == "s05", ["v0", "v1"]] *= 1000
    kinds = {f"v{i}": "continuous" for i in range(4)}
    cuts = []
    for one in (frame, strange):
        found = points(one, kinds=kinds)
        training = np.array([name != "s05" for name in found.ids])
        cuts.append(fit_coding(found, training, "quantiles", 4))
    assert [x.tolist() for x in cuts[0].cuts] == [x.tolist() for x in cuts[1].cuts]
    assert cuts[0].arity.tolist() == [4] * 4


@pytest.mark.parametrize("way", ["quantiles", "series", "differences", "given"])
def test_codes_are_those_of_pandas(way: str) -> None:
    """Quantiles over all, of each subject, of changes; or the data set's own."""
    data = numeric()
    found = observed(points_of(data, "class"), way)
    slices, point = coded(found, fit_coding(found, np.ones(found.n_points, dtype=bool), way, 4))
    table = pd.DataFrame({"who": found.row_point, "x": found.column(0)})
    if way == "given":
        assert np.array_equal(slices.before[0], found.codes[0][found.before])
        return
    column = table.groupby("who")["x"].diff() if way == "differences" else table["x"]
    by = (
        [column.iloc[np.flatnonzero(table["who"] == s)] for s in range(found.n_points)] if way == "series" else [column]
    )
    expected = pd.concat([pd.qcut(one, 4, labels=False) for one in by]).sort_index().to_numpy()
    keep = np.isfinite(expected[found.before])
    assert len(point) == keep.sum()
    seen = expected[found.before[keep]]
    assert (slices.before[0] == seen).mean() > 0.97  # cut points go between values, pandas' on them
    assert np.bincount(slices.before[0]).min() > 0.2 * len(seen)


@pytest.mark.parametrize("way", ["quantiles", "series", "differences", "given"])
def test_a_series_of_one_variable_and_gaps_as_a_level_are_learned_from(way: str) -> None:
    """The first step has no change; a cell without a number has a level of its own."""
    method = engine.Discriminative("class", shuffles=0, discretise=way)
    frame = series_frame(subjects=8, steps=20, variables=2, numbers=True)
    result = method.run(dataset(frame[["who", "time", "v0", "class"]], kinds={"v0": "continuous"}))
    assert result.names == ("v0", CHANGE.format("v0"))
    data = dataset(frame[["who", "time", "v0", "class"]], kinds={"v0": "continuous"})
    assert len(result.predict(data)) == 8
    frame.loc[::7, "v0"] = np.nan
    data = dataset(frame, kinds={"v0": "continuous", "v1": "continuous"}, missing={"v0": "level"})
    result = method.run(data)
    levels = dict(zip(result.variables_in_order, result.levels, strict=True))
    assert (levels["v0"][-1] == "missing") == (way != "differences")
    assert result.held_out.n == 8


@pytest.mark.parametrize("way", ["series", "differences"])
def test_ways_for_series_are_refused_of_rows(way: str) -> None:
    """In a sentence that says what to take."""
    with pytest.raises(engine.SettingsError, match="take 'quantiles'"):
        engine.Discriminative("class", discretise=way).run(engine.Dataset.from_frame(row_frame(40)))


def test_a_subject_without_a_usable_step_is_left_out_by_name() -> None:
    """Two steps have one change and no step from one change to the next."""
    frame = series_frame(subjects=9, numbers=True)
    frame = frame[(frame["who"] != "s03") | (frame["time"] < 2)]
    result = engine.Discriminative("class", discretise="differences", shuffles=0).run(
        dataset(frame, kinds={f"v{i}": "continuous" for i in range(4)})
    )
    assert result.held_out.n == 8
    assert any("'s03'" in note for note in result.notes())
    assert result.held_out.observations.min() > 1


def test_rows_without_a_neighbour_count_for_the_class_too() -> None:
    """A subject of two classes is refused wherever the second one stands; an unknown class is none."""
    frame = series_frame(subjects=8, steps=12)
    lonely = frame[frame["who"] == "s02"].iloc[[0]].assign(time=40)
    torn = pd.concat([frame, lonely.assign(**{"class": "ill"})])
    with pytest.raises(engine.DataError, match="'s02' is 'ill' and 'well'"):
        points(torn)
    frame.loc[frame["who"] == "s04", "class"] = None
    data = dataset(frame, missing={"class": "level"})
    result = engine.Discriminative("class", shuffles=0).run(data)
    assert result.classes == ("ill", "well")
    assert "s04" not in result.held_out.ids


def test_a_constant_column_is_one_level() -> None:
    """And makes no trouble."""
    frame = series_frame(numbers=True)
    frame["v3"] = 1.5
    found = points_of(dataset(frame, kinds={f"v{i}": "continuous" for i in range(4)}), "class")
    coding = fit_coding(found, np.ones(found.n_points, dtype=bool), "quantiles", 4)
    assert coding.arity[3] == 1
    assert coded(found, coding)[0].after[3].max() == 0
