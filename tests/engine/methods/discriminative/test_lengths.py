"""Series of unlike length: cut or shuffled among their like, whole subjects dealt, few subjects without a verdict."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import engine
from engine.methods.discriminative.pipeline import folds_of
from engine.methods.discriminative.points import (
    ALIKE,
    Dealer,
    Points,
    common_length,
    compared_alike,
    exchangeable,
    points_of,
    strata_of,
    unlike,
)
from engine.methods.discriminative.result import DiscriminativeResult
from engine.telling.discriminative.wording import too_few_words
from tests.engine.methods.discriminative.make import METHOD, dataset, points, row_frame

KINDS = {f"v{i}": "continuous" for i in range(3)}


def frame_of(well: list[int], ill: list[int], seed: int = 0) -> pd.DataFrame:
    """Noise in series of these lengths; numbers with a digit of their own, so that each row is known again."""
    generator = np.random.default_rng(seed)
    parts = []
    for s, steps in enumerate([*well, *ill]):
        part = pd.DataFrame(generator.random((steps, 3)), columns=[f"v{i}" for i in range(3)])
        parts.append(
            part.assign(who=f"s{s:02d}", time=np.arange(steps), **{"class": "well" if s < len(well) else "ill"})
        )
    return pd.concat(parts, ignore_index=True)


def series(well: list[int], ill: list[int]) -> Points:
    """Their points."""
    return points(frame_of(well, ill), kinds=KINDS)


def test_series_that_do_not_overlap_are_compared_over_their_first_steps() -> None:
    """Every subject keeps its first 20 steps, in their order; all that is read of the points is of these."""
    frame = frame_of([20] * 7, [50, 80, 60, 55, 70, 90])
    given = points(frame.sample(frac=1, random_state=1), kinds=KINDS)
    found = compared_alike(given)
    assert found.block == 19
    assert found.strata is None
    assert found.lengths.tolist() == [19] * 13
    kept = [frame[(frame["who"] == name) & (frame["time"] < 20)] for name in found.ids]
    for s, one in enumerate(kept):
        here = found.point == s
        for i in range(3):
            assert found.column(i)[found.before[here]].tolist() == one[f"v{i}"].tolist()[:-1]
            assert found.column(i)[found.after[here]].tolist() == one[f"v{i}"].tolist()[1:]
    assert len(found.rows) == 13 * 20  # cut points are made of these alone
    change = found.change(1)[found.after]
    assert change == pytest.approx(found.column(1)[found.after] - found.column(1)[found.before])
    assert found.words[-1] == (
        "Series are 20 to 90 steps long, unlike between classes; compared over the first 20 steps of each."
    )


def test_a_single_short_series_does_not_shorten_all() -> None:
    """It is left out by name where there are ten others of its class; of few it counts."""
    assert common_length(np.array([5] + [30] * 10 + [90] * 8), np.repeat([0, 1], [11, 8])) == 30
    assert common_length(np.array([5] + [30] * 5 + [90] * 8), np.repeat([0, 1], [6, 8])) == 5
    assert common_length(np.array([27] + [30] * 10 + [90] * 8), np.repeat([0, 1], [11, 8])) == 27
    found = compared_alike(series([8] + [30] * 10, [90] * 8))
    assert "s00" not in found.ids
    assert found.lengths.tolist() == [29] * 18
    assert any("'s00'" in words for words in found.words)


def test_series_that_overlap_are_shuffled_among_their_like() -> None:
    """No stratum holds series of which one is much longer; dealings keep every stratum's classes, folds its numbers."""
    generator = np.random.default_rng(3)
    well, ill = (np.exp(generator.uniform(np.log(low), np.log(4 * low), 24)).astype(int) for low in (20, 32))
    found = compared_alike(series(well.tolist(), ill.tolist()))
    assert found.block == 0
    assert found.strata is not None
    assert "permuted among series of like length only" in found.words[-1]
    for stratum in np.unique(found.strata):
        here = found.lengths[found.strata == stratum]
        assert here.max() <= ALIKE * here.min()
    fold = folds_of(found, found.labels, "subject", np.random.default_rng(0))
    parts = np.array(
        [np.bincount(fold[found.strata == one], minlength=fold.max() + 1) for one in np.unique(found.strata)]
    )
    assert np.ptp(parts, axis=1).max() <= 1
    dealer = Dealer(found, fold)
    dealt = np.array([dealer.deal(generator) for _ in range(40)])
    for stratum in np.unique(found.strata):
        here = found.strata == stratum
        assert (dealt[:, here].sum(axis=1) == found.labels[here].sum()).all()
    assert len(np.unique(dealt, axis=0)) > 30
    fewer = np.bincount(fold, found.labels)
    assert any((np.bincount(fold, one) != fewer).any() for one in dealt)  # the folds know nothing of classes


def test_strata_serve_only_where_most_of_each_class_may_change_place() -> None:
    """Half of either class, and six at least."""
    labels = np.repeat([0, 1], [12, 12])
    assert exchangeable(np.repeat([0, 1, 0, 2], [6, 6, 6, 6]), labels)
    assert not exchangeable(np.repeat([0, 1, 0, 2], [5, 7, 7, 5]), labels)
    assert not exchangeable(np.repeat([0, 0, 2], [8, 8, 12]), np.repeat([0, 1], [8, 20]))
    assert strata_of(np.array([100, 60, 75, 76, 126, 61])).tolist() == [2, 0, 0, 1, 3, 0]


def test_classes_of_like_length_are_left_alone() -> None:
    """Lengths that vary alike in both, or by a quarter: the very same points."""
    mixed = series([20, 40, 60, 80, 100, 30], [22, 38, 62, 78, 99, 31])
    assert compared_alike(mixed) is mixed
    assert not unlike(np.array([100] * 6 + [124] * 6), np.repeat([0, 1], 6))
    assert unlike(np.array([100] * 6 + [126] * 6), np.repeat([0, 1], 6))
    assert unlike(np.array([100] * 6 + [20, 180] * 3), np.repeat([0, 1], 6))  # means alike, most steps in few series


def test_the_answer_says_what_was_compared_and_new_series_are_cut_alike() -> None:
    """The note stands with the others; a subject gets the same score whatever it did later."""
    frame = frame_of([24] * 6, [60] * 6)
    result = METHOD.run(dataset(frame, kinds=KINDS))
    assert result.block == 23
    assert result.held_out.observations.tolist() == [23] * 12
    assert any("compared over the first 24 steps of each" in note for note in result.notes())
    later = frame.copy()
    later.loc[later["time"] >= 24, ["v0", "v1", "v2"]] = 0.5
    scores = [result.predict(dataset(one, kinds=KINDS))["score"].tolist() for one in (frame, later)]
    assert scores[0] == scores[1]
    assert result.likelihoods[:, 0, 1] == pytest.approx(
        result.predict(dataset(frame, kinds=KINDS))["log_likelihood well"].to_numpy()
    )


def rows_of(frame: pd.DataFrame, who: list[str | None]) -> Points:
    """Rows of subjects without a time."""
    return points_of(engine.Dataset.from_frame(frame.assign(who=who), roles={"who": "subject"}), "class")


def test_a_row_without_a_subject_is_its_own() -> None:
    """And never one of a crowd that moves together."""
    found = rows_of(row_frame(30), [None if i % 3 == 0 else f"p{i // 3}" for i in range(30)])
    by_place = found.units[np.argsort(found.rows)]
    assert len(np.unique(found.units)) == 20
    assert len(np.unique(by_place[::3])) == 10
    assert (by_place[1::3] == by_place[2::3]).all()


def test_labels_move_with_subjects_or_inside_them() -> None:
    """Whole subjects where each is of one class; a few of both count as two; inside where it varies in most."""
    frame, who = row_frame(60), [f"p{i // 4:02d}" for i in range(60)]
    frame["class"] = np.where(np.arange(60) // 4 < 6, "ill", "well")
    generator = np.random.default_rng(0)
    of = rows_of(frame, who)
    for _ in range(20):
        dealt = Dealer(of).deal(generator)
        assert all(len(np.unique(dealt[of.units == unit])) == 1 for unit in np.unique(of.units))
        assert dealt.sum() == of.labels.sum()
    frame.loc[0, "class"] = "well"  # one miscoded row: the other subjects move as before
    of = rows_of(frame, who)
    torn = of.units[np.flatnonzero(of.rows == 0)[0]]
    for _ in range(20):
        dealt = Dealer(of).deal(generator)
        assert all(len(np.unique(dealt[of.units == unit])) == 1 for unit in np.unique(of.units) if unit != torn)
    frame["class"] = np.where(np.arange(60) % 4 == 0, "ill", "well")
    of = rows_of(frame, who)
    dealt = np.array([Dealer(of).deal(generator) for _ in range(20)])
    for unit in np.unique(of.units):
        assert (dealt[:, of.units == unit] == 0).sum(axis=1).tolist() == [1] * 20
    assert len(np.unique(dealt, axis=0)) == 20


@pytest.mark.parametrize("ill", [5, 6])
def test_fewer_than_six_subjects_of_a_class_give_no_verdict(ill: int) -> None:
    """Whatever the difference: in the headline, in the sentence of links, in the claims; the reason is given."""
    frame = frame_of([40] * 8, [40] * ill).round(0)
    sick = frame["class"] == "ill"
    frame.loc[sick, "v1"] = frame.loc[sick, "v0"].shift(1, fill_value=0.0)
    levels = frame.astype({f"v{i}": int for i in range(3)}).astype({f"v{i}": str for i in range(3)})
    result: DiscriminativeResult = replace(METHOD, shuffles=39).run(dataset(levels))
    said = "class = ill has 5 subjects, and at least 6 of each are needed"
    assert result.held_out.too_few == (ill < 6)
    assert result.headline().startswith(f"No verdict: {said}.") == (ill < 6)
    assert (result.claims()["verdict"] == "yes").any() == (ill == 6)
    assert ("no verdict" in " ".join(result.sentences()).lower()) == (ill < 6)
    assert " p\u00a0" not in result.headline() or ill == 6


def test_subjects_of_rows_are_counted_not_their_rows() -> None:
    """Forty rows of five people are five."""
    frame = row_frame(80)
    frame["who"] = [f"p{i % 10}" for i in range(80)]
    frame["class"] = np.where(np.arange(80) % 10 < 5, "ill", "well")
    held = METHOD.run(engine.Dataset.from_frame(frame, roles={"who": "subject"})).held_out
    assert held.subjects.tolist() == [5, 5]
    assert held.too_few and "has 5 subjects" in too_few_words(held)
    assert not METHOD.run(engine.Dataset.from_frame(row_frame(80))).held_out.too_few


def test_rows_without_a_subject_are_in_no_series_and_are_counted() -> None:
    """The series of the others are what they were without them."""
    frame = frame_of([12] * 6, [12] * 6)
    lost = pd.concat([frame, frame.iloc[:3].assign(who=None, time=[3, 4, 5])])
    found = points(lost, kinds=KINDS)
    assert found.lengths.tolist() == series([12] * 6, [12] * 6).lengths.tolist()
    assert any(words.startswith("3 rows without a subject or a time") for words in found.words)
