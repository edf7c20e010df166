"""Held-out verdicts as they are counted: twelve points whose scores, classes and subjects are written down here."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import engine
from engine.measures.bootstrap import area_interval, mean_share_interval, share_interval_of
from engine.methods.discriminative import evaluate
from engine.methods.discriminative.evaluate import enough_for_probabilities, fitted_probability
from engine.methods.discriminative.evaluation import ComparedMethod, Evaluation
from engine.methods.discriminative.pipeline import class_weights
from engine.methods.discriminative.points import compared_alike, exchangeable, points_of, unlike
from engine.methods.storing import decode, encode
from engine.telling.discriminative.accuracy import class_figures
from engine.telling.discriminative.families import Apart, family_sentence
from engine.telling.discriminative.wording import (
    afterwards_words,
    class_sentence,
    cost_sentence,
    covariates_sentences,
    share,
)
from engine.text import told
from tests.engine.methods.discriminative.make import METHOD, dataset, row_frame, series_frame

SCORES = [3.0, 2.0, 1.0, 0.5, -1.0, 2.5, 0.2, -0.5, -1.5, -2.0, -2.5, -3.0]
ILL = [True] * 5 + [False] * 7
SAME = np.array(SCORES)[None, :, None]


def written(scores: list[float] = SCORES, ill: list[bool] = ILL, **more: Any) -> Evaluation:
    """Verdicts of two classes, each point a subject of its own."""
    n = len(scores)
    plain: dict[str, Any] = {
        "method": METHOD,
        "choose": (),
        "chosen": (),
        "classes": ("well", "ill"),
        "ids": tuple(f"s{i}" for i in range(n)),
        "labels": np.array(ill).astype(int),
        "noun": "subject",
        "positions": np.arange(n)[::-1],
        "observations": np.arange(n) + 10,
        "units": np.arange(n),
        "scores": np.array(scores)[None, :, None],
        "likelihoods": np.zeros((1, n, 1, 2)),
        "folds": np.arange(n)[None] % 3,
        "null": np.zeros((0, 2)),
        "recurrence": np.zeros((1, 2, 4, 4)),
        "probabilities": np.full(n, np.nan),
    }
    return Evaluation(**(plain | more))


def test_what_is_right_is_counted_by_class() -> None:
    """Four of five ill and five of seven well are above and below 0."""
    found = written()
    assert (found.n, found.hits, found.accuracy) == (12, 9, 9 / 12)
    assert found.by_class.tolist() == [5, 4]
    assert found.sizes.tolist() == [7, 5]
    assert found.balanced_accuracy == pytest.approx((5 / 7 + 4 / 5) / 2)
    assert found.majority == 7 / 12
    assert found.interval == pytest.approx(stats.binomtest(9, 12).proportion_ci(method="wilson"))
    assert found.confusion().to_numpy().tolist() == [[5, 2], [1, 4]]
    assert found.auc().value == pytest.approx(stats.mannwhitneyu(SCORES[:5], SCORES[5:]).statistic / 35)
    assert (found.share(), found.share("well")) == (5 / 12, 7 / 12)
    table = found.table()
    assert table["subject"].tolist() == [f"s{i}" for i in range(11, -1, -1)]
    assert table["observations"].tolist() == list(range(21, 9, -1))
    assert table["right"].tolist() == found.right[::-1].tolist()


@pytest.mark.parametrize(("well", "expected"), [(10, False), (14, False), (15, True)])
def test_classes_are_unequal_beyond_seven_to_five(well: int, expected: bool) -> None:
    """14 and 10 are not, 15 and 10 are; whichever is the larger."""
    for ill in ([False] * well + [True] * 10, [True] * well + [False] * 10):
        assert written([0.0] * len(ill), ill).unequal is expected


def test_points_of_the_same_subjects_have_intervals_over_subjects() -> None:
    """Of shares and of areas; where each is its own there are none to draw."""
    units = np.array([0, 0, 1, 2, 2, 3, 3, 4, 5, 5, 6, 7])
    found = written(units=units)
    assert written().clusters is None
    assert found.clusters is units
    assert found.interval == share_interval_of(found.right, units)
    area = found.auc("ill")
    assert (area.low, area.high) == area_interval(found.score("ill"), found.truth("ill"), units)
    assert area.value == written().auc("ill").value
    assert found.subjects.tolist() == [5, 3]


@pytest.mark.parametrize("of", ["ill", "well"])
def test_the_cheapest_threshold_is_the_first_of_those(of: str) -> None:
    """By trying every score and none; and what telling from there up does, here and at another prevalence."""
    found = written()
    score, truth = found.score(of), found.truth(of)
    for missed, false, prevalence in ((1.0, 1.0, 0.5), (5.0, 1.0, 0.3), (1.0, 3.0, 0.6), (1.0, 9.0, 0.01)):
        thresholds = [math.inf, *sorted(score, reverse=True)]
        costs = [
            missed * prevalence * (score[truth] < t).mean() + false * (1 - prevalence) * (score[~truth] >= t).mean()
            for t in thresholds
        ]
        at = thresholds[int(np.argmax(np.array(costs) <= min(costs) + 1e-12))]
        assert found.best_threshold(missed, false, prevalence, of) == at
        calls = found.called_from(at, of)
        called = score >= at
        assert (calls.found, calls.missed) == ((called & truth).sum(), (~called & truth).sum())
        assert (calls.alarms, calls.spared) == ((called & ~truth).sum(), (~called & ~truth).sum())
        value = found.predictive_value(at, prevalence, of)
        right, wrong = prevalence * called[truth].mean(), (1 - prevalence) * called[~truth].mean()
        assert math.isnan(value) if not called.any() else value == pytest.approx(right / (right + wrong))
    turned = written([-value for value in SCORES])
    assert cost_sentence(turned, of, 1.0, 9.0, 0.01).startswith(
        f"At these costs it is cheapest to classify nobody as {of}."
    )
    assert f"classify as {of} from a score of" in cost_sentence(found, of, 5.0, 1.0, 0.3)


def test_other_methods_are_compared_point_by_point() -> None:
    """Which of two points only one is right about; a row a method; p by SciPy, and by subjects where they repeat."""
    others = [-value if i in (0, 5, 6) else value for i, value in enumerate(SCORES)]
    methods = ComparedMethod("bde", "BDeu", np.array(others)[None, :, None]), ComparedMethod("svm", "SVM", -SAME)
    found = written(others=methods)
    assert found.mcnemar() == (1, 2, stats.binomtest(1, 3).pvalue)
    assert found.mcnemar("svm") == (9, 3, pytest.approx(stats.binomtest(9, 12).pvalue))
    assert found.compared["bde"].hits == 10
    assert found.compared["bde"].score("well").tolist() == [-value for value in others]
    area = found.auc("ill").value - stats.mannwhitneyu(others[:5], others[5:]).statistic / 35
    assert found.compare_areas("ill", "bde").difference == pytest.approx(area)
    table = found.comparison_table().set_index("method")
    assert table.index.tolist() == ["class networks", "BDeu", "SVM"]
    assert table["accuracy"].tolist() == pytest.approx([9 / 12, 10 / 12, 3 / 12])
    assert table["p accuracy"].tolist()[1:] == [found.mcnemar("bde")[2], found.mcnemar("svm")[2]]
    assert table.loc["SVM", "AUC"] == pytest.approx(1 - found.auc("ill").value)
    with pytest.raises(engine.SettingsError, match="no method 'odd'"):
        found.mcnemar("odd")
    units = np.array([0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10])  # the two that only BDeu is right about are of one subject
    assert written(units=units, others=methods).mcnemar() == (1, 2, 1.0)  # two subjects: each way is as far from 0


def test_covariates_stand_beside_the_networks_in_sentences() -> None:
    """Alone, beside, and with the score added; the p of each is that of the paired test of areas."""
    alone = ComparedMethod("covariates", "age alone", -SAME)
    found = written(others=(alone, ComparedMethod("added", "age and score", SAME)), covariates=("age",))
    first, second, third = covariates_sentences(found)
    assert first.startswith("Age alone: balanced accuracy 24\u00a0% (95 %: 11 to 52), AUC 0.")
    assert second.startswith("Class networks: balanced accuracy 76\u00a0% (48 to 89), AUC ")
    assert f"difference of AUC {found.compare_areas('ill').difference:+.2f}, p\u00a0" in second
    assert third.startswith(f"With the networks' score added to age: AUC {found.auc('ill').value:.2f}; difference +")
    assert max(len(sentence.split()) for sentence in (first, second, third)) <= 25


def test_shares_of_a_class_are_those_of_scikit_learn_and_scipy() -> None:
    """Sensitivity, specificity, their intervals, and what the sentence says of them."""
    from sklearn.metrics import balanced_accuracy_score, recall_score

    found = written()
    ill, predicted = np.array(ILL), found.predicted == 1
    for name, truth, called in (("ill", ill, predicted), ("well", ~ill, ~predicted)):
        sensitivity, specificity = found.sensitivity(name), found.specificity(name)
        assert sensitivity.value == pytest.approx(recall_score(truth, called))
        assert specificity.value == pytest.approx(recall_score(~truth, ~called))
        wilson = stats.binomtest(sensitivity.hits, sensitivity.of).proportion_ci(method="wilson")
        assert (sensitivity.low, sensitivity.high) == pytest.approx((wilson.low, wilson.high))
    assert found.balanced_accuracy == pytest.approx(balanced_accuracy_score(ill, predicted))
    ends = [stats.binomtest(*pair).proportion_ci(method="wilson") for pair in ((4, 5), (5, 7))]
    below = math.hypot(4 / 5 - ends[0].low, 5 / 7 - ends[1].low) / 2
    above = math.hypot(ends[0].high - 4 / 5, ends[1].high - 5 / 7) / 2
    middle = found.balanced_accuracy
    assert found.balanced_interval == pytest.approx((middle - below, middle + above))
    area, (ill_ends, well_ends) = found.auc("ill"), (f"{100 * end.low:.0f} to {100 * end.high:.0f}" for end in ends)
    called = stats.binomtest(4, 6).proportion_ci(method="wilson")
    assert class_sentence(found) == (
        f"1 of 5 with class = ill is missed: sensitivity 80\u00a0% (95 %: {ill_ends}). "
        f"Specificity 71\u00a0% ({well_ends}) on 7 with class = well; "
        f"over all thresholds AUC {area.value:.2f} ({area.low:.2f} to {area.high:.2f}). "
        f"Positive predictive value 67\u00a0% (4 of 6; {called.low * 100:.0f} to {called.high * 100:.0f}), "
        "at the share of class = ill in this table."
    )
    assert dict(class_figures(found)) == {
        "Sensitivity": f"80\u00a0% ({ill_ends}), 4 of 5",
        "Specificity": f"71\u00a0% ({well_ends}), 5 of 7",
        "AUC": f"{area.value:.2f} ({area.low:.2f} to {area.high:.2f})",
        "Positive predictive value where 42\u00a0% are ill": (
            f"67\u00a0% ({called.low * 100:.0f} to {called.high * 100:.0f}), 4 of 6"
        ),
    }
    nobody = written([-1.0] * 12)
    assert "predictive" not in class_sentence(nobody)
    assert class_figures(nobody)[-1][1] == "nobody called ill"


def test_of_several_classes_each_has_its_sensitivity() -> None:
    """And one against the others its specificity, by hand."""
    scores, labels = np.eye(3)[[0, 0, 1, 1, 2, 2, 0]], np.array([0, 0, 1, 1, 2, 2, 2])
    found = replace(written(SCORES[:7], ILL[:7]), classes=("a", "b", "c"), labels=labels, scores=scores[None])
    assert [(found.sensitivity(name).hits, found.sensitivity(name).of) for name in "abc"] == [(2, 2), (2, 2), (2, 3)]
    assert [(found.specificity(name).hits, found.specificity(name).of) for name in "abc"] == [(4, 5), (5, 5), (4, 4)]
    assert class_sentence(found).count(" on ") == 3
    rows = [(what, size.rpartition(", ")[2]) for what, size in class_figures(found)]
    assert rows == [("Sensitivity, a", "2 of 2"), ("Sensitivity, b", "2 of 2"), ("Sensitivity, c", "2 of 3")]


def test_balanced_accuracy_of_repeated_subjects_resamples_them() -> None:
    """Wider than by rows; where subjects are of one class each the classes are put together, else drawn together."""
    rng = np.random.default_rng(0)
    right = np.repeat(rng.random(30) < 0.7, 5)
    ill = np.repeat(np.arange(30) < 12, 5)
    scores = np.where(right == ill, 1.0, -1.0).tolist()
    rows, units = written(scores, ill.tolist()), np.repeat(np.arange(30), 5)
    subjects = written(scores, ill.tolist(), units=units)
    crossed = written(scores, ill.tolist(), units=np.arange(150) % 30)
    for found in (subjects, crossed):
        low, high = found.balanced_interval
        assert low < found.balanced_accuracy < high
    assert np.diff(subjects.balanced_interval)[0] > 1.7 * np.diff(rows.balanced_interval)[0]
    assert crossed.balanced_interval == mean_share_interval(crossed.right, crossed.labels, crossed.units)
    sensitivity = subjects.sensitivity("ill")
    assert (sensitivity.low, sensitivity.high) == share_interval_of(subjects.right[ill], units[ill])


def test_chance_is_the_share_of_dealings_that_do_as_well() -> None:
    """More classified correctly, or as many with as large an area; the observed one is counted."""
    found = written()
    share, area = found.balanced_accuracy, found.auc().value
    null = [[share + 0.1, 0.0], [share, area], [share, area + 0.1], [share, area - 0.1], [share - 0.1, 1.0]]
    assert replace(found, null=np.array(null)).p == 4 / 6
    assert math.isnan(found.p)


def test_an_area_without_a_width_has_no_interval() -> None:
    """All classified correctly is no certainty."""
    assert class_sentence(written([1.0] * 5 + [-1.0] * 7)).count("; over all thresholds AUC 1.00 (no interval).") == 1


def test_every_class_weighs_alike() -> None:
    """Of points without a label none; a class without points takes nothing."""
    labels = np.array([0, 0, 0, 1, -1, -1, 3])
    expected = [1 / 9] * 3 + [1 / 3, 0, 0, 1 / 3]
    assert class_weights(labels, 4) == pytest.approx(expected)


def test_lengths_are_unlike_where_a_mean_is_a_quarter_larger() -> None:
    """Over series, or over observations; by hand."""
    labels = np.array([0, 0, 1, 1])
    assert not unlike(np.array([10, 10, 10, 13]), labels)
    assert unlike(np.array([10, 10, 10, 16]), labels)
    assert not unlike(np.array([10, 13, 10, 10]), labels)
    assert unlike(np.array([10, 10, 1, 19]), labels)  # the same mean over series; 18.1 over observations


def test_classes_are_exchangeable_where_half_have_their_like() -> None:
    """And six at least; in a stratum of one class nobody has."""
    strata = np.repeat([0, 1, 2], [14, 6, 8])
    assert exchangeable(strata, np.array([0, 1] * 7 + [0] * 6 + [1] * 8)) is False  # 7 of 15
    assert exchangeable(strata, np.array([0, 1] * 7 + [0] * 6 + [0] * 8)) is False  # 7 of 21
    assert exchangeable(strata, np.array([0, 1] * 7 + [0, 0, 0, 1, 1, 1] + [1] * 8)) is True
    assert exchangeable(np.repeat([0, 1], [10, 10]), np.array([0, 1] * 5 + [0] * 5 + [1] * 5)) is True
    assert exchangeable(np.zeros(10, dtype=int), np.array([0, 1] * 5)) is False  # 5 of each
    assert exchangeable(np.arange(12) // 2, np.array([0, 1] * 6)) is True  # six pairs


def test_rows_are_compared_as_they_are() -> None:
    """They have no length; nor is anything changed where lengths are alike."""
    rows = points_of(engine.Dataset.from_frame(row_frame(30)), "class")
    assert compared_alike(rows) is rows
    series = points_of(dataset(series_frame()), "class")
    assert compared_alike(series) is series


def test_probabilities_need_fifty_points_and_ten_of_a_class() -> None:
    """Of different subjects; and scores of both classes."""
    frame = row_frame(400)
    ill = frame[frame["class"] == "ill"]
    well = frame[frame["class"] == "well"]

    def enough(many_ill: int, many_well: int, **roles: str) -> bool:
        import pandas as pd

        both = pd.concat([ill[:many_ill], well[:many_well]]).assign(
            who=[f"p{i // 2}" for i in range(many_ill + many_well)]
        )
        used = both if roles else both.drop(columns="who")
        return enough_for_probabilities(points_of(engine.Dataset.from_frame(used, roles=roles), "class"))

    assert [enough(10, 40), enough(10, 39), enough(9, 60), enough(20, 80, who="subject")] == [True, False, False, True]
    assert not enough(20, 78, who="subject")
    truth, scores = np.array(ILL), np.array(SCORES)
    assert np.isnan(fitted_probability(scores, truth & False, scores)).all()
    assert np.isnan(fitted_probability(scores, truth | True, scores)).all()
    fitted = fitted_probability(scores, truth, np.array([-1.0, 0.0, 1.0]))
    assert (np.diff(fitted) > 0).all()
    assert fitted_probability(10 + 3 * scores, truth, 10 + 3 * np.array([-1.0, 0.0, 1.0])) == pytest.approx(fitted)
    assert fitted_probability(scores, truth, scores).mean() == pytest.approx(5 / 12, abs=0.01)


def test_an_answer_whose_parts_do_not_fit_is_not_read() -> None:
    """Verdicts of other classes, points or networks; a network without counts, or of another size."""
    result = METHOD.run(dataset(series_frame(steps=12)))
    rows = METHOD.run(engine.Dataset.from_frame(row_frame()))
    assert {len(parents) for parents in rows.learned[0].own.parents} == {0, 1}
    for whole in (result, rows):
        assert decode(encode(whole)).headline() == whole.headline()
    held, (learned,) = result.held_out, result.learned
    for changes in (
        {"held_out": replace(held, classes=("ill", "odd"))},
        {"held_out": replace(held, ids=held.ids[:5])},
        {"held_out": replace(held, labels=held.labels + 1)},
        {"held_out": replace(held, scores=held.scores[:, :, :0])},
        {"held_out": replace(held, recurrence=held.recurrence[:, :1])},
        {"learned": (learned, learned)},
        {"learned": (replace(learned, own=replace(learned.own, pacl=learned.own.pacl[:3])),)},
        {"learned": (replace(learned, own=replace(learned.own, counts=learned.own.counts[:3])),)},
        {"learned": (replace(learned, others=replace(learned.others, shifts=learned.others.shifts[..., :2])),)},
        {"levels": result.levels[:3]},
        {"classes": ("ill", "ill")},
    ):
        with pytest.raises(engine.DiptychError):
            decode(encode(replace(result, **changes)))  # type: ignore[arg-type]


def test_probabilities_are_fitted_on_scores_of_points_that_were_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other point has one, by networks that it had no say in: with its class turned, its own stays."""
    data = engine.Dataset.from_frame(row_frame(60))
    seen: list[tuple[np.ndarray, np.ndarray]] = []

    def spy(scores: np.ndarray, truth: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        seen.append((scores, truth))
        return np.full(len(wanted), 0.25 * len(seen))

    monkeypatch.setattr(evaluate, "fitted_probability", spy)
    found = METHOD.evaluate(data, folds=3)
    assert [len(scores) for scores, _ in seen] == [60 - n for n in np.bincount(found.folds[0])]
    for fold, (scores, truth) in enumerate(seen):
        assert (scores != 0).all()
        assert ((scores > 0) == truth).mean() > 0.6
        assert truth.tolist() == found.truth()[found.folds[0] != fold].tolist()
        assert (found.probabilities[found.folds[0] == fold] == 0.25 * (fold + 1)).all()


def test_what_an_inner_loop_chose_is_a_table() -> None:
    """A row a fold; no limit of the families reads "all"."""
    chosen = (replace(METHOD, top_families=None, max_parents=1), replace(METHOD, top_families=3, max_parents=2))
    table = written(choose=("top_families", "max_parents"), chosen=chosen).chosen_table()
    assert table.to_dict("list") == {"fold": [1, 2], "top_families": ["all", "3"], "max_parents": ["1", "2"]}


def test_a_familys_sentence_has_its_verdict_and_how_far_the_classes_are_apart() -> None:
    """p, the largest difference with its interval, which class has more, and where; less where it is below 0."""
    row = {
        "network": "ill",
        "parents": ("a",),
        "chance": 0.03,
        "levels": False,
        "effect": 0.25,
        "low": 0.1,
        "high": 0.4,
        "used": True,
    }

    def said(where: str = "b = yes where a = no", **change: object) -> str:
        whole = row | change
        difference = whole["effect"], whole["low"], whole["high"]
        found = Apart(told(where), (told("in ill"), told("in well")), difference)  # type: ignore[arg-type]
        return family_sentence(whole, found).replace("\u00a0", " ")

    known = "(p = .030 after correction for all links)"
    apart = "b = yes where a = no is 25 pp more common in ill than in well (95 %: 10 to 40)."
    assert said() == f"Beyond chance {known}: {apart}"
    less = "b = yes where a = no is 25 pp less common in ill than in well (95 %: 40 less to 3 more)."
    single = "Its largest single difference is inconclusive"  # a p of all of them is no doubt of this one
    assert said(effect=-0.25, low=-0.4, high=0.03) == f"Beyond chance {known}, as a whole. {single}: {less}"
    assert (
        said(effect=-0.25, low=-0.4, high=-0.03)
        == f"Beyond chance {known}: {less.replace('40 less to 3 more', '3 to 40')}"
    )
    assert single not in said(low=-0.1, chance=0.3)
    assert single not in said(low=-0.1, levels=True)
    alone = " The levels of its variables separate the classes by themselves."
    assert said(levels=True) == f"Inconclusive {known}: {apart}{alone}"
    unclear = said(levels=True, chance=0.3)
    assert unclear.startswith("Not beyond chance (p = .30 ") and "inconclusive" not in unclear.lower()
    assert said(low=math.nan, used=False).endswith(
        "b = yes where a = no is 25 pp more common in ill than in well. Verdicts are made without it."
    )
    assert said(parents=(), levels=True) == f"By itself beyond chance {known}: {apart}"
    assert said(chance=math.nan, where="") == "Not tested."


def test_a_share_is_never_rounded_to_all_or_none() -> None:
    """One decimal below half a percent of either end; all and none are whole."""
    shown = [share(hits, 1000).replace("\u00a0", " ") for hits in (0, 4, 7, 993, 996, 1000)]
    assert shown == ["0 %", "0.4 %", "1 %", "99 %", "99.6 %", "100 %"]


def test_what_a_name_says_is_known_late_is_named_beside_the_accuracy() -> None:
    """And where no name says so, that nobody but the reader knows it."""

    def said(*names: str) -> str:
        return afterwards_words(SimpleNamespace(method=SimpleNamespace(target="ICU"), names_of_table=names))

    after = "may be known only after the class (ICU), which flatters this accuracy: if so, leave"
    assert said("age", "length of stay (days)") == f"length of stay (days) {after} it out."
    assert said("died", "age", "futime") == f"died and futime {after} them out."
    early = said("age", "heart_failure", "previous hospital stay", "age at death", "pressure_os")
    assert early == "What is known only after the class (ICU) flatters this accuracy: you decide what that is."
