"""Class networks as scikit-learn takes them: its own checks, and the same verdicts as the method gives."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import engine
from engine.sklearn import TARGET, ClassNetworks

SKIPPED = {"check_array_api_input": "scikit-learn asks it only where SCIPY_ARRAY_API is set"}


def test_it_keeps_the_promises_of_an_estimator() -> None:
    """Every check of scikit-learn is passed, but for the one that it skips itself."""
    checks = check_estimator(ClassNetworks(), on_fail=None, on_skip=None)
    assert len(checks) > 40
    other = {one["check_name"]: repr(one["exception"]) for one in checks if one["status"] != "passed"}
    assert set(other) <= set(SKIPPED), other


@pytest.mark.parametrize("classes", [2, 3])
def test_it_says_what_the_method_says(classes: int) -> None:
    """Columns of few numbers are taken as they are, so that verdicts and scores are the method's own."""
    generator = np.random.default_rng(classes)
    codes = generator.integers(0, 3, (4, 200))
    labels = (codes[0] + (generator.random(200) < 0.2)) % classes
    estimator = ClassNetworks().fit(codes.T, labels)
    names = ["x0", "x1", "x2", "x3"]
    data = engine.Dataset.from_codes(np.array([*codes, labels]), [3, 3, 3, 3, classes], [*names, TARGET])
    method = engine.Discriminative(TARGET, discretise="given", folds=2, shuffles=0)
    table = method.run(data).predict(data)
    assert table["class"].astype(int).tolist() == estimator.predict(codes.T).tolist()
    scores = estimator.decision_function(codes.T)
    assert (scores if classes == 2 else scores.max(axis=1)) == pytest.approx(table["score"].to_numpy())


def test_cut_points_are_learned_from_the_rows_fitted_alone() -> None:
    """In a pipeline with a grid every fold has its own; new numbers beyond all others fall to the outermost level."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(300, 5))
    y = np.where(X[:, 0] + 0.5 * generator.normal(size=300) > 0, "ill", "well")
    pipeline = make_pipeline(StandardScaler(), ClassNetworks())
    grid = GridSearchCV(pipeline, {"classnetworks__levels": [2, 4], "classnetworks__max_parents": [0, 1]}, cv=3).fit(
        X, y
    )
    assert grid.best_score_ > 0.8
    fitted = ClassNetworks(levels=3).fit(X, y)
    assert fitted.cuts_[0] == pytest.approx(np.quantile(X[:, 0], [1 / 3, 2 / 3]))
    assert fitted.predict(np.full((1, 5), 1e9)).tolist() == fitted.predict(X.max(axis=0)[None]).tolist()
