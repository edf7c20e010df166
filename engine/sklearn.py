"""Class networks as an estimator of scikit-learn, for its pipelines, folds and grids; loaded when it is imported."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from engine.data.dataset import Dataset
from engine.methods.discriminative.families import pushes_of
from engine.methods.discriminative.method import Discriminative

TARGET = "class"
_FOLDS = 2
"""Of the held-out verdicts that every result has, and that nobody asks of an estimator."""


class ClassNetworks(ClassifierMixin, BaseEstimator):
    """Classes told apart by a network each (Burge & Lane 2005): `engine.Discriminative` for numeric arrays.

    A column of at most `levels` different numbers keeps them as its levels. Every other column is cut at quantiles of
    the rows that are fitted into at most `levels` intervals, closed on the left. Cut points are learned by `fit`
    alone, so folds of scikit-learn stay held out. A number that was not seen falls into the interval that it lies in,
    or to the nearest level.

    Parameters
    ----------
    levels : most levels of a column, 2 to 12
    criterion : "acl", "ccl", "ccl_single" or "bde", the `score` of `engine.Discriminative`; here `score` is accuracy
    max_parents : most parents of a variable, 0 to 4
    top_families : how many of each network's best families decide; None for all
    balance : whether classes weigh alike
    random_state : seed of what is random, a whole number; None is 0

    Attributes
    ----------
    classes_ : (C,) the classes
    n_features_in_ : columns
    cuts_ : for each column its cut points
    result_ : the `DiscriminativeResult`; its held-out verdicts are of two folds, so let scikit-learn make yours

    Notes
    -----
    There is no `predict_proba`: a score is no probability. `decision_function` gives the score.

    Examples
    --------
    >>> from engine.sklearn import ClassNetworks
    >>> X = [[0, 1.5], [1, 0.2], [0, 1.7], [1, 0.1]] * 10
    >>> ClassNetworks().fit(X, ["ill", "well"] * 20).predict([[0, 1.6], [1, 0.0]]).tolist()
    ['ill', 'well']
    """

    def __init__(
        self,
        *,
        levels: int = 4,
        criterion: Literal["acl", "ccl", "ccl_single", "bde"] = "acl",
        max_parents: int = 1,
        top_families: int | None = None,
        balance: bool = True,
        random_state: int | None = None,
    ) -> None:
        self.levels = levels
        self.criterion = criterion
        self.max_parents = max_parents
        self.top_families = top_families
        self.balance = balance
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn cut points and networks.

        Parameters
        ----------
        X : (n, p) numbers, none missing
        y : (n,) classes, two rows of each at least

        Returns
        -------
        the estimator

        Raises
        ------
        ValueError : something else; among it one class alone
        """
        table, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("y has one class only; class networks need two classes or more.")
        self.cuts_ = [_cut_points(column, self.levels) for column in table.T]
        method = Discriminative(
            TARGET,
            score=self.criterion,
            max_parents=self.max_parents,
            top_families=self.top_families,
            balance=self.balance,
            discretise="given",
            levels=self.levels,
            folds=_FOLDS,
            shuffles=0,
            seed=0 if self.random_state is None else self.random_state,
        )
        self.result_ = method.run(self._coded(table, codes))
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of rows: of two classes one, above 0 for the second; of more one a class, the largest of which wins.

        Parameters
        ----------
        X : (n, p) numbers, none missing

        Returns
        -------
        (n,) or (n, C) scores
        """
        check_is_fitted(self)
        table = validate_data(self, X, dtype=np.float64, reset=False)
        found = pushes_of(self.result_, self._coded(table))
        scores: np.ndarray = found.scores[np.argsort(found.points.positions, kind="stable")]
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> np.ndarray:
        """The class of every row.

        Parameters
        ----------
        X : (n, p) numbers, none missing

        Returns
        -------
        (n,) classes
        """
        scores = self.decision_function(X)
        return np.asarray(self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)])

    def _coded(self, table: np.ndarray, classes: np.ndarray | None = None) -> Dataset:
        """Rows as a data set, with their classes where they are known."""
        names = [f"x{number}" for number in range(table.shape[1])]
        codes = [np.searchsorted(cuts, column, side="right") for cuts, column in zip(self.cuts_, table.T, strict=True)]
        levels: list[Any] = [len(cuts) + 1 for cuts in self.cuts_]
        kinds = dict.fromkeys(names, "ordinal")
        if classes is not None:
            names, codes, levels = [*names, TARGET], [*codes, classes], [*levels, len(self.classes_)]
        return Dataset.from_codes(np.array(codes), levels, names, kinds=kinds)


def _cut_points(column: np.ndarray, levels: int) -> np.ndarray:
    """Where a column is cut: half-way between its values where these are few, else at quantiles."""
    values = np.unique(column)
    if len(values) <= levels:
        return np.asarray(values[:-1] + np.diff(values) / 2)
    return np.unique(np.quantile(column, np.arange(1, levels) / levels))
