"""Other methods on the same folds: networks learned otherwise, classifiers on features, and covariates alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.pipeline import fit_contrasts, sides, stacked
from engine.methods.discriminative.points import Points
from engine.methods.discriminative.settings import DiscriminativeSettings
from engine.search.constraints import Constraints

SINGLE = "single"
"""Key of one variable by itself."""
NETWORKS = ("acl", "ccl", "bde")
BASELINES = {
    "acl": "ACL networks",
    "ccl": "CCL networks",
    "bde": "Each class by itself (BDeu)",
    "naive_bayes": "Gaussian naive Bayes on features",
    "svm": "Linear SVM on features",
    "svm_gaussian": "Gaussian SVM on features",
    "svm_quadratic": "Quadratic SVM on features",
    SINGLE: "Best single variable, chosen in each fold",
    "majority": "Always the larger class",
}
KERNELS: Mapping[str, Mapping[str, Any]] = {
    "svm_gaussian": {"kernel": "rbf"},
    "svm_quadratic": {"kernel": "poly", "degree": 2, "coef0": 1.0},
}
"""Kernels of the support vector machines that are not linear, with scikit-learn's usual width and C = 1."""
MOST_KERNEL_POINTS = 5_000
"""More would take a support vector machine with a kernel hours: every pair of points is looked at in every fold."""


def baseline_scores(
    name: str, points: Points, counted: Counted, labels: np.ndarray, method: DiscriminativeSettings, known: Constraints
) -> np.ndarray:
    """(S, C) scores of every point, learned from the labelled ones."""
    classes = len(points.classes)
    if name in NETWORKS:
        usual = {"shared": False, "top_families": None, "parameters": "ml", "boundary": "least_squares"}
        other = method.set_params(score=name, **usual)
        return stacked(fit_contrasts(counted, labels, classes, other, known))
    if name == "majority":
        sizes = points.sizes  # of all: the largest class is no thing that a fold could learn
        if classes == 2:
            return np.full((len(labels), 1), float(sizes[1]) - float(sizes[0]))
        return np.tile(sizes.astype(float), (len(labels), 1))
    if name == SINGLE:
        return np.stack([best_single(counted, side)[1] for side in sides(labels, classes)], axis=1)
    return _classifier(name, features(points, counted), labels, classes)


def best_single(counted: Counted, side: np.ndarray) -> tuple[int, np.ndarray]:
    """The variable whose levels alone classify both sides best, the first of equals; (S,) its log-likelihood ratios.

    Parameters
    ----------
    counted : the levels of all variables
    side : (S,) 0 or 1; -1 of points that are held out
    """
    found = np.zeros((len(counted.slices.arity), len(side)))
    for child in range(len(found)):
        shares = counted.family(child, (), side)[:, 0] + 1.0
        logs = np.log(shares / shares.sum(axis=1, keepdims=True))
        found[child] = counted.log_likelihood(child, (), (logs[1] - logs[0])[None])
    accuracy = sum(((found > 0) == of)[:, side == of].mean(axis=1) for of in (0, 1))
    best = int(np.argmax(accuracy))
    return best, np.asarray(found[best])


def _classifier(name: str, result: np.ndarray, labels: np.ndarray, classes: int) -> np.ndarray:
    from sklearn.naive_bayes import GaussianNB
    from sklearn.svm import SVC, LinearSVC

    inside = labels >= 0
    centre, spread = result[inside].mean(axis=0), result[inside].std(axis=0)
    scaled = (result - centre) / np.where(spread > 0, spread, 1.0)
    if name != "naive_bayes":
        if name == "svm":
            machine = LinearSVC(C=0.1, class_weight="balanced", random_state=0, max_iter=5000)
        else:
            machine = SVC(class_weight="balanced", **KERNELS[name])
        scores = machine.fit(scaled[inside], labels[inside]).decision_function(scaled)
        return np.asarray(scores).reshape(len(labels), -1)
    log = GaussianNB(priors=np.full(classes, 1 / classes)).fit(scaled[inside], labels[inside]).predict_log_proba(scaled)
    log = np.maximum(log, -1e300)
    return (log[:, 1] - log[:, 0])[:, None] if classes == 2 else np.asarray(log)


def features(points: Points, counted: Counted) -> np.ndarray:
    """(S, d) of a series the means and lag-1 cross-correlations, of a row its values (levels as indicators).

    Numbers are taken as they are, before they were cut; of the rest each level is a column.
    """
    columns = []
    for i, numbers in enumerate(points.numbers):
        if numbers is not None:
            columns.append(np.nan_to_num(numbers.column))
        elif points.ordered[i]:
            columns.append(points.codes[i].astype(float))
        else:
            columns += [(points.codes[i] == level).astype(float) for level in range(1, max(2, len(points.levels[i])))]
    values = np.array(columns)
    if not points.series:
        return values.T
    return np.array([_of_series(values, points, item) for item in range(points.n_points)])


def _of_series(values: np.ndarray, points: Points, number: int) -> np.ndarray:
    here = points.point == number
    before, after = values[:, points.before[here]], values[:, points.after[here]]
    own = values[:, points.row_point == number]

    def standard(part: np.ndarray) -> np.ndarray:
        spread = part.std(axis=1, keepdims=True)
        return (part - part.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0)

    crossed = standard(before) @ standard(after).T / max(int(here.sum()), 1)
    return np.concatenate([own.mean(axis=1), crossed.ravel()])


def covariate_values(points: Points, names: Sequence[str]) -> np.ndarray:
    """(S, d) of some variables: numbers (not a number where missing, with a column that says so), levels as indicators.

    Of a series they are means over its rows.
    """
    columns = []
    for i in map(points.names.index, names):
        if (numbers := points.numbers[i]) is not None:
            columns.append(numbers.column)
            if not np.isfinite(numbers.column).all():
                columns.append((~np.isfinite(numbers.column)).astype(float))
        else:
            columns += [(points.codes[i] == level).astype(float) for level in range(max(2, len(points.levels[i])))]
    known = np.isfinite(columns)
    sums, many = np.zeros((2, points.n_points, len(columns)))
    np.add.at(sums, points.row_point, np.where(known, columns, 0.0).T)
    np.add.at(many, points.row_point, known.T)
    return np.where(many > 0, sums / np.maximum(many, 1), np.nan)


def logistic_scores(values: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """(S, C) scores by logistic regression on standardised values, a missing one at the mean; classes weigh alike."""
    from sklearn.linear_model import LogisticRegression

    inside = labels >= 0
    centre, spread = np.nanmean(values[inside], axis=0), np.nanstd(values[inside], axis=0)
    scaled = np.nan_to_num((values - centre) / np.where(spread > 0, spread, 1.0))
    model = LogisticRegression(class_weight="balanced", max_iter=1000).fit(scaled[inside], labels[inside])
    return np.asarray(model.decision_function(scaled)).reshape(len(labels), -1)
