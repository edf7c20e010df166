"""Held-out verdicts: nothing of a fold is learned from, shuffles are fair, numbers are those of SciPy and by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import engine
from engine.counting.by_group import Slices
from engine.execution import silent
from engine.methods.discriminative import evaluate
from engine.methods.discriminative.baselines import BASELINES, covariate_values, features
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.evaluate import EvaluationTask, evaluate_task
from engine.methods.discriminative.evaluation import ComparedMethod, Evaluation, accuracy_and_area
from engine.methods.discriminative.method import likely_covariates
from engine.methods.discriminative.pipeline import coding_of, counted_by, fit_contrasts, folds_of, variants
from engine.methods.discriminative.points import Dealer, Points, points_of
from engine.search.constraints import Constraints
from engine.simulation.series import four_nodes
from tests.engine.methods.discriminative.make import METHOD, dataset, points, row_frame, series_frame

KINDS = {f"v{i}": "continuous" for i in range(4)}
ALONE = replace(METHOD, folds="leave_one_out")


def run(frame: object = None, method: engine.Discriminative = METHOD, **more: object) -> Evaluation:
    """Held-out verdicts of small series."""
    data = dataset(series_frame() if frame is None else frame)  # type: ignore[arg-type]
    return method.evaluate(data, **more)  # type: ignore[arg-type]


def test_a_held_out_subject_has_no_say_in_its_own_verdict() -> None:
    """Another class, other numbers: cut points, networks and boundary stay, so its class changes no score of it."""
    frame = series_frame(subjects=10, steps=25, numbers=True)
    turned = frame.copy()
    turned.loc[turned["who"] == "s03", "class"] = "well"
    one, other = (ALONE.evaluate(dataset(each, kinds=KINDS)) for each in (frame, turned))
    at = one.ids.index("s03")
    assert one.scores[0, at] == pytest.approx(other.scores[0, at], rel=1e-12)
    assert one.labels[at] != other.labels[at]
    others = [s for s in range(10) if s != at]
    assert not np.allclose(one.scores[0, others], other.scores[0, others])


def test_choices_are_made_without_the_held_out_subject() -> None:
    """The inner loop too."""
    frame = series_frame(subjects=10, steps=20)
    turned = frame.copy()
    turned.loc[turned["who"] == "s03", "class"] = "well"
    one, other = (run(each, ALONE, choose=("top_families", "parameters")) for each in (frame, turned))
    at = one.ids.index("s03")
    assert one.scores[0, at] == pytest.approx(other.scores[0, at], rel=1e-12)
    assert one.chosen[at] == other.chosen[at]
    assert len(one.chosen) == 10


def test_folds_hold_whole_subjects_and_spread_classes() -> None:
    """Rows of a subject without a time; as many folds as the smallest class has, ten at most."""
    frame = row_frame(90)
    frame["who"] = [f"p{i // 3}" for i in range(90)]
    of = points_of(engine.Dataset.from_frame(frame, roles={"who": "subject"}), "class")
    fold = folds_of(of, of.labels, 5, np.random.default_rng(0))
    assert all(len(np.unique(fold[of.units == unit])) == 1 for unit in np.unique(of.units))
    of = points(series_frame(subjects=15, steps=6))
    fold = folds_of(of, of.labels, "subject", np.random.default_rng(0))
    assert fold.max() == 6
    for code in (0, 1):
        many = np.bincount(fold[of.labels == code], minlength=7)
        assert many.max() - many.min() <= 1
    assert folds_of(of, of.labels, "leave_one_out", np.random.default_rng(0)).tolist() == list(range(15))


def dealt(of: Points, fold: np.ndarray) -> np.ndarray:
    """Thirty dealings of the classes."""
    dealer, generator = Dealer(of, fold), np.random.default_rng(1)
    return np.array([dealer.deal(generator) for _ in range(30)])


def test_shuffles_keep_what_each_fold_has_of_each_class() -> None:
    """Whole subjects change classes; where each is a fold of its own all change places."""
    of = points(series_frame(subjects=15, steps=6))
    fold = folds_of(of, of.labels, 3, np.random.default_rng(0))
    mixed = dealt(of, fold)
    for f in range(3):
        assert (mixed[:, fold == f].sum(axis=1) == of.labels[fold == f].sum()).all()
    assert len(np.unique(mixed, axis=0)) > 20
    alone = dealt(of, np.arange(15))
    assert (alone.sum(axis=1) == of.labels.sum()).all()
    assert len(np.unique(alone, axis=0)) > 20


def test_a_clear_difference_is_told_and_p_says_so() -> None:
    """And equal seeds give equal bits."""
    found = run(shuffles=19)
    assert found.accuracy > 0.9
    assert found.p == pytest.approx(1 / 20)
    assert found.null.shape == (19, 2)
    assert found.interval[0] < found.accuracy <= found.interval[1]
    again = run(shuffles=19)
    assert np.array_equal(found.scores, again.scores)
    assert np.array_equal(found.null, again.null)
    assert found.recurrence[0, 0, 1, 0] == 1.0


def test_well_told_is_that_of_scikit_learn() -> None:
    """Balanced accuracy and area, ties counting half; several classes against all others."""
    from sklearn.metrics import balanced_accuracy_score, roc_auc_score

    rng = np.random.default_rng(0)
    labels, scores = rng.integers(0, 2, 40), rng.integers(-3, 4, 40).astype(float)[:, None]
    share, area = accuracy_and_area(scores, labels, 2)
    assert share == pytest.approx(balanced_accuracy_score(labels, scores[:, 0] > 0))
    assert area == pytest.approx(roc_auc_score(labels, scores[:, 0]))
    labels, scores = rng.integers(0, 3, 40), rng.normal(size=(40, 3))
    share, area = accuracy_and_area(scores, labels, 3)
    assert share == pytest.approx(balanced_accuracy_score(labels, scores.argmax(axis=1)))
    assert area == pytest.approx(np.mean([roc_auc_score(labels == c, scores[:, c]) for c in range(3)]))


@pytest.mark.parametrize("parameters", ["mid", "max"])
def test_unequal_classes_need_balance(parameters: str) -> None:
    """5 against 10 series of the paper's system: with raw counts verdicts are a coin's, with rescaled ones right."""
    shares: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(6):
        rng = np.random.default_rng(seed)
        one, two = four_nodes(0.17, rng)
        codes = np.concatenate([one.sample(10, 501, rng), two.sample(15, 501, rng)], axis=1)
        before, after = (np.ascontiguousarray(part).reshape(4, -1) for part in (codes[:, :, :-1], codes[:, :, 1:]))
        counted = Counted(Slices(before, after, np.full(4, 4)), np.repeat(np.arange(25), 500), 25)
        labels, truth = np.repeat([0, -1, 1, -1], [5, 5, 10, 5]), np.repeat([0, 1], [10, 15])
        for balance, found in shares.items():
            method = replace(METHOD, parameters=parameters, balance=balance)
            known = Constraints(np.ones((4, 4), dtype=bool), ((),) * 4, 4)
            scores = fit_contrasts(counted, labels, 2, method, known)[0].scores
            found.append(float(((scores > 0) == truth)[labels < 0].mean()))
    assert np.mean(shares[True]) >= 0.9
    assert np.mean(shares[False]) < 0.7


def test_costs_and_prevalence_move_the_threshold() -> None:
    """The cheapest threshold of all, by trying them; a rare and cheap class is told of nobody."""
    found = run(series_frame(strength=0.3, steps=15), ALONE)
    score, truth = found.score("ill"), found.truth("ill")
    at = found.best_threshold(5.0, 1.0, 0.3, "ill")

    def cost(threshold: float) -> float:
        told = score >= threshold
        return float(5 * 0.3 * (~told[truth]).mean() + 0.7 * told[~truth].mean())

    assert cost(at) == pytest.approx(min(cost(t) for t in [np.inf, *score]))
    assert found.best_threshold(1e-9, 1.0, 0.01, "ill") > score.max()
    assert found.score("well") == pytest.approx(-score)
    assert found.roc("ill").auc == pytest.approx(found.auc("ill").value)
    with pytest.raises(engine.SettingsError, match="no class 'odd'"):
        found.score("odd")


def test_other_methods_stand_on_the_same_folds() -> None:
    """McNemar by SciPy's binomial; the area by the measures; itself as second differs nowhere."""
    from scipy.stats import binomtest

    frame = series_frame(strength=0.35, steps=25)
    found = run(frame, others=list(BASELINES))
    assert [other.key for other in found.others] == list(BASELINES)
    alone = run(frame, others="majority")
    assert np.array_equal(alone.others[0].scores, found.others[-1].scores)
    found, other = alone, alone.compared["majority"].right
    only, only_other, p = found.mcnemar()
    assert (only, only_other) == (int((found.right & ~other).sum()), int((~found.right & other).sum()))
    assert p == pytest.approx(binomtest(only, only + only_other).pvalue)
    found = run(frame, others=replace(METHOD, seed=5))
    assert found.mcnemar() == (0, 0, 1.0)
    assert found.compare_areas().p == 1.0
    with pytest.raises(engine.SettingsError, match="no other method"):
        run(frame).mcnemar()


def test_the_best_single_variable_is_chosen_without_the_held_out_rows() -> None:
    """As accurate as the variable that stands out; its own class changes no score of a row; said with the answer."""
    frame = row_frame(90)
    frame["v3"] = np.where(np.arange(90) % 7 == 0, "0", np.where(frame["class"] == "ill", "1", "0"))
    data, method = engine.Dataset.from_frame(frame), replace(METHOD, folds=5, shuffles=0)
    alone = method.evaluate(data, others="single").compared["single"]
    ill = frame["class"] == "ill"
    assert alone.by_class.tolist() == [int((ill & (frame["v3"] == "1")).sum()), int((~ill).sum())]
    left, turned = replace(METHOD, folds="leave_one_out"), frame.copy()
    turned.loc[3, "class"] = "well"
    each = (left.evaluate(engine.Dataset.from_frame(one), others="single") for one in (frame, turned))
    one, other = (found.others[0].scores[0, found.ids.index("row 4")] for found in each)
    assert one == pytest.approx(other, rel=1e-12)
    found = method.run(data)
    assert "variable, chosen without held-out rows (v3 in 5 of 5 folds): " in found.sentences()[1]
    assert "; v3 alone 9" in found.headline()  # above the networks, so it stands beside them
    value, low, high = found.held_out.gain_over("single")
    assert value == pytest.approx(found.held_out.balanced_accuracy - alone.balanced_accuracy) and low < value < high
    said = "Whether the networks beat v3 alone is inconclusive: balanced accuracy −"
    assert low < 0 < high and found.sentences()[0].startswith(said)
    worse = replace(found, held_out=replace(found.held_out, scores=-found.held_out.scores))
    better = "v3 alone classifies class better than the networks: balanced accuracy 9"
    assert worse.held_out.gain_over("single")[2] < 0 and worse.headline().startswith(better)
    assert len(worse.headline().split()) <= 25


def test_the_interval_of_a_gain_over_another_method_holds_the_truth() -> None:
    """Of 400 tables of paired verdicts, unequal classes: 95 % of the intervals, by points and by whole subjects."""
    random, labels, held = np.random.default_rng(1), np.repeat([0, 1], [150, 40]), run(series_frame())
    inside = np.zeros((400, 2), dtype=bool)
    for turn in range(len(inside)):
        for of, many in enumerate((1, 2)):
            at = random.random(len(labels) // many).repeat(many)
            first, second = (np.where(at < share, 1.0, -1.0) * np.where(labels, 1.0, -1.0) for share in (0.8, 0.7))
            other = ComparedMethod("other", "another", second[None, :, None])
            part = replace(
                held,
                labels=labels,
                units=np.arange(len(labels)) // many,
                scores=first[None, :, None],
                others=(other,),
            )
            _, low, high = part.gain_over("other")
            inside[turn, of] = low <= 0.1 <= high
    assert (abs(inside.mean(axis=0) - 0.95) < 0.03).all()


def test_other_settings_are_numbered_from_one() -> None:
    """Whatever baselines stand between them; covariates come last."""
    others = (replace(METHOD, seed=5), "majority", replace(METHOD, seed=6))
    task = EvaluationTask(points(series_frame(steps=6)), METHOD, others=others, covariates=("v0",))
    keys, titles = zip(*task.compared, strict=True)
    assert keys == ("settings 1", "majority", "settings 2", "covariates", "added")
    assert titles[::2] == ("Settings 1", "Settings 2", "v0 and the networks' score")


def test_the_larger_class_is_the_same_in_every_fold() -> None:
    """Leaving one out of 6 and 6 makes its class no minority."""
    found = run(method=ALONE, others="majority")
    assert found.compared["majority"].accuracy == 0.5
    assert len(np.unique(found.others[0].scores)) == 1


def test_rows_of_few_subjects_are_no_independent_verdicts() -> None:
    """Two subjects cannot be held out; of twenty intervals draw whole subjects, and no probabilities are given."""
    frame = row_frame(120)
    frame["who"] = [f"p{i % 2}" for i in range(120)]
    frame["class"] = np.where(frame["who"] == "p0", "ill", "well")
    with pytest.raises(engine.DataError, match="'ill' of 'class' has 1 subject"):
        METHOD.evaluate(engine.Dataset.from_frame(frame, roles={"who": "subject"}))
    frame["who"] = [f"p{i % 20}" for i in range(120)]
    frame["class"] = np.where(np.arange(120) % 2 == 0, "ill", "well")
    found = METHOD.evaluate(engine.Dataset.from_frame(frame, roles={"who": "subject"}))
    assert found.clusters is not None
    assert not found.has_probabilities
    low, high = found.interval
    assert low < 0.5 < high
    assert found.auc().low < 0.5 < found.auc().high


def test_features_are_means_and_crossed_steps() -> None:
    """By hand for one subject."""
    frame = series_frame(subjects=4, numbers=True)
    of = points_of(dataset(frame, kinds=KINDS), "class")
    found = features(of, counted_by(of, coding_of(of, of.labels >= 0, METHOD), METHOD))
    one = frame[frame["who"] == "s02"][["v0", "v1", "v2", "v3"]].to_numpy()
    assert found[2, :4] == pytest.approx(one.mean(axis=0))
    crossed = np.corrcoef(one[:-1, 0], one[1:, 1])[0, 1]
    assert found[2, 4 + 1] == pytest.approx(crossed)


def test_probabilities_only_where_there_are_enough() -> None:
    """Fifty points; they sum to about the truth, and the net benefit is by hand."""
    assert not run().has_probabilities
    data = engine.Dataset.from_frame(row_frame(120))
    found = METHOD.evaluate(data, folds=4)
    assert found.has_probabilities
    assert found.probabilities.mean() == pytest.approx(found.truth().mean(), abs=0.1)
    gain = found.net_benefit().set_index("threshold")["method"]
    told, truth = found.probabilities >= 0.2, found.truth()
    assert gain.loc[0.2] == pytest.approx((told & truth).mean() - 0.25 * (told & ~truth).mean())
    with pytest.raises(engine.SettingsError, match="Probabilities need two classes and 50"):
        run().net_benefit()


def test_repeats_and_choices_are_checked() -> None:
    """Each in a sentence."""
    with pytest.raises(engine.SettingsError, match="repeats is 0"):
        run(repeats=0)
    with pytest.raises(engine.SettingsError, match="choose has 'seed'"):
        run(choose="seed")
    with pytest.raises(engine.SettingsError, match="others has 'luck'"):
        run(others="luck")
    with pytest.raises(engine.SettingsError, match="folds is 1"):
        run(folds=1)
    with pytest.raises(engine.SettingsError, match="others has 3"):
        run(others=3)
    with pytest.raises(engine.SettingsError, match="shuffles is -3"):
        run(shuffles=-3)
    with pytest.raises(engine.SettingsError, match="choose is None"):
        run(choose=None)
    with pytest.raises(engine.SettingsError, match="covariates has 'class'"):
        run(covariates="class")
    with pytest.raises(engine.SettingsError, match="another target"):
        run(others=engine.Discriminative("v0"))
    assert run(folds=3, repeats=2).scores.shape == (2, 12, 1)
    assert run(folds="leave_one_out", repeats=5).scores.shape == (1, 12, 1)
    assert len(list(variants(METHOD, ("parameters", "eps")))) == 9


def test_progress_rises_and_cancelling_comes_out() -> None:
    """Through folds and shuffles."""
    told: list[float] = []
    of = points(series_frame(steps=10))
    evaluate_task(EvaluationTask(of, METHOD), 2, 30, lambda fraction, words: told.append(fraction))
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert evaluate_task(EvaluationTask(of, METHOD), 1, 0, silent).null.shape == (0, 2)

    def stop(fraction: float, words: str) -> None:
        raise engine.Cancelled("enough")

    with pytest.raises(engine.Cancelled):
        run(progress=stop)


def test_baselines_are_scikit_learns_own() -> None:
    """Naive Bayes on standardised features, fold by fold, by hand."""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.preprocessing import StandardScaler

    data = dataset(series_frame(numbers=True), kinds=KINDS)
    found = METHOD.evaluate(data, others="naive_bayes")
    of = points_of(data, "class")
    given = features(of, counted_by(of, coding_of(of, of.labels >= 0, METHOD), METHOD))
    for fold in np.unique(found.folds[0]):
        out = found.folds[0] == fold
        scale = StandardScaler().fit(given[~out])
        log = GaussianNB(priors=[0.5, 0.5]).fit(scale.transform(given[~out]), of.labels[~out])
        theirs = log.predict_log_proba(scale.transform(given[out]))
        assert found.others[0].scores[0, out, 0] == pytest.approx(theirs[:, 1] - theirs[:, 0], rel=1e-6)


@pytest.mark.parametrize(
    "name, kernel",
    [("svm_gaussian", {"kernel": "rbf"}), ("svm_quadratic", {"kernel": "poly", "degree": 2, "coef0": 1.0})],
)
def test_support_vector_machines_with_a_kernel_are_scikit_learns(name: str, kernel: dict[str, Any]) -> None:
    """On features standardised by the training part, fold by fold, by hand; classes weigh alike."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    data = dataset(series_frame(numbers=True), kinds=KINDS)
    found = METHOD.evaluate(data, others=name)
    of = points_of(data, "class")
    given = features(of, counted_by(of, coding_of(of, of.labels >= 0, METHOD), METHOD))
    for fold in np.unique(found.folds[0]):
        out = found.folds[0] == fold
        machine = make_pipeline(StandardScaler(), SVC(class_weight="balanced", **kernel))
        theirs = machine.fit(given[~out], of.labels[~out]).decision_function(given[out])
        assert found.others[0].scores[0, out, 0] == pytest.approx(theirs, rel=1e-6)


def test_machines_with_a_kernel_are_not_offered_for_many_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """They look at every pair of points; by name they can still be asked for."""
    data = dataset(series_frame(numbers=True), kinds=KINDS)
    assert {"svm_gaussian", "svm_quadratic"} <= set(METHOD.other_methods(data))
    monkeypatch.setattr("engine.methods.discriminative.method.MOST_KERNEL_POINTS", 10)
    assert not {"svm_gaussian", "svm_quadratic"} & set(METHOD.other_methods(data))


def test_covariates_alone_are_scikit_learns_regression_fold_by_fold() -> None:
    """On a number with gaps and a column of three levels, by hand; the other folds' own mean fills a gap."""
    from sklearn.linear_model import LogisticRegression

    frame = row_frame(150)
    rng = np.random.default_rng(0)
    frame["age"] = rng.normal(50, 10, 150) + 8 * (frame["class"] == "ill")
    frame.loc[:9, "age"] = np.nan
    frame["site"] = rng.choice(["A", "B", "C"], 150)
    data = engine.Dataset.from_frame(frame, missing={"age": "level"})
    found = METHOD.evaluate(data, covariates=["age", "site"], folds=5)
    assert [(other.key, other.title) for other in found.others] == [
        ("covariates", "age and site alone"),
        ("added", "age and site and the networks' score"),
    ]
    order = [int(name.removeprefix("row ")) - 1 for name in found.ids]
    age = frame["age"].to_numpy()[order]
    site = frame["site"].to_numpy()[order]
    values = np.column_stack([age, np.isnan(age), *((site == level) for level in "ABC")]).astype(float)
    assert np.array_equal(
        covariate_values(points_of(data, "class"), ("age", "site"))[:, :2], values[:, :2], equal_nan=True
    )
    for fold in range(5):
        out = found.folds[0] == fold
        centre, spread = np.nanmean(values[~out], axis=0), np.nanstd(values[~out], axis=0)
        scaled = np.nan_to_num((values - centre) / np.where(spread > 0, spread, 1))
        model = LogisticRegression(class_weight="balanced", max_iter=1000).fit(scaled[~out], found.labels[~out])
        assert found.others[0].scores[0, out, 0] == pytest.approx(model.decision_function(scaled[out]), abs=1e-6)
    assert found.compared["covariates"].auc("ill").value > 0.6
    assert found.compared["added"].auc("ill").value > found.compared["covariates"].auc("ill").value


def test_the_score_that_is_added_to_covariates_was_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a fold's own points the score is that of the evaluation; of the others one of networks without them."""
    seen: list[tuple[np.ndarray, np.ndarray]] = []

    def spy(values: np.ndarray, labels: np.ndarray) -> np.ndarray:
        seen.append((values, labels))
        return np.zeros((len(labels), 1))

    monkeypatch.setattr(evaluate, "logistic_scores", spy)
    data = engine.Dataset.from_frame(row_frame(60))
    found = METHOD.evaluate(data, covariates="v3", folds=3)
    of = points_of(data, "class")
    counts = counted_by(of, coding_of(of, of.labels >= 0, METHOD), METHOD)
    for fold, (values, labels) in enumerate(seen[1::2]):
        out = found.folds[0] == fold
        assert values[out, -1].tolist() == found.scores[0, out, 0].tolist()
        known = Constraints(np.ones((4, 4), dtype=bool), ((),) * 4, 1)
        learned = fit_contrasts(counts, labels, 2, METHOD, known)[0].scores
        assert learned[out] == pytest.approx(found.scores[0, out, 0])
        assert not np.isclose(values[~out, -1], learned[~out]).any()


def test_covariates_of_series_are_means_and_proposed_by_name() -> None:
    """Of a subject's rows; 'stage' is no age."""
    data = dataset(series_frame(subjects=4).assign(age=1.0), kinds=KINDS)
    of = points_of(data, "class")
    frame = series_frame(subjects=4)
    means = frame.groupby("who")["v0"].mean().to_numpy()
    assert covariate_values(of, ("v0",))[:, 0] == pytest.approx(means, abs=0.05)
    names = ["Age (years)", "stage", "site_id", "image", "class"]
    rows = engine.Dataset.from_codes(np.zeros((5, 4), dtype=int), [2] * 5, names)
    assert likely_covariates(rows, "class") == ("Age (years)", "site_id")
