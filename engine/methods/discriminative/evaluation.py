"""Held-out verdicts: beside chance, beside other methods and covariates on the same folds, and as probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from engine.data.rows.relations import count_subjects
from engine.errors import SettingsError
from engine.lazy import pd
from engine.measures.comparing import AreaComparison, compare_curves, swap_test
from engine.methods import frames
from engine.methods.discriminative.classification import Classification
from engine.methods.discriminative.effect import SIGNIFICANCE
from engine.methods.discriminative.pipeline import class_weights, verdicts
from engine.methods.discriminative.points import FEWEST
from engine.methods.storing import storable, storable_as

FEW, FEW_OF_A_CLASS = 50, 10
"""Subjects in all, and of either class, below which no probabilities are given."""


def accuracy_and_area(scores: np.ndarray, labels: np.ndarray, classes: int) -> tuple[float, float]:
    """Balanced accuracy, and the area under the curve (of more than two classes the mean, each against all others)."""
    share = float(((verdicts(scores) == labels) * class_weights(labels, classes)).sum())
    areas = []
    for c in range(scores.shape[1]):
        truth = labels == (1 if classes == 2 else c)
        order = np.sort(scores[~truth, c])
        below = np.searchsorted(order, scores[truth, c], "left") + np.searchsorted(order, scores[truth, c], "right")
        areas.append(float(below.mean()) / (2 * max(len(order), 1)) if truth.any() else 0.5)
    return share, float(np.mean(areas))


@storable
@dataclass(frozen=True, eq=False)
class ComparedMethod:
    """Another method on the same folds.

    Attributes
    ----------
    key : of a baseline, "settings 1" and so on, or "covariates" (alone) and "added" (with the networks' score)
    title : what it is called
    scores : (repeats, S, C) held out
    chosen : of the best single variable its name, fold by fold
    """

    key: str
    title: str
    scores: np.ndarray
    chosen: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Evaluation(Classification):
    """Verdicts on points that nothing was learned from.

    Attributes
    ----------
    choose : settings that an inner loop chose
    chosen : what it chose, fold by fold
    likelihoods : (repeats, S, C, 2) mean log-likelihoods by the others' network and by the class's
    folds : (repeats, S) who was held out together
    null : (B, 2) balanced accuracy and area where classes were permuted; see `accuracy_and_area`
    recurrence : (C, 2, p, p) share of folds whose network has an arc to a child (third axis) from a parent (fourth)
    probabilities : (S,) of the second class, not numbers where points are few or classes more than two
    others : other methods on the same folds
    covariates : the columns that two of them used
    """

    choose: tuple[str, ...]
    chosen: tuple[Any, ...]
    likelihoods: np.ndarray
    folds: np.ndarray
    null: np.ndarray
    recurrence: np.ndarray
    probabilities: np.ndarray
    others: tuple[ComparedMethod, ...] = ()
    covariates: tuple[str, ...] = ()

    @property
    def subjects(self) -> np.ndarray:
        """(K,) subjects of each class; of rows without subjects their number."""
        pairs = np.unique(np.stack([self.units, self.labels]), axis=1)
        return np.bincount(pairs[1], minlength=len(self.classes))

    @property
    def too_few(self) -> bool:
        """True of no verdict on links or classes: a class has too few subjects, or a few have nearly all."""
        return bool(self.subjects.min() < FEWEST) or self.uneven is not None

    @property
    def uneven(self) -> str | None:
        """The first class of which a few subjects have nearly all points."""
        for label, name in enumerate(self.classes):
            units = np.unique(self.units[self.labels == label], return_inverse=True)[1]
            if count_subjects(units, np.ones(len(units), dtype=bool)).uneven:
                return name
        return None

    @property
    def p(self) -> float:
        """Share of dealings at random that do as well as the first repeat, itself counted; NaN for none.

        By balanced accuracy, and where that is equal by the area under the curve: accuracies of a few points are often
        equal, and would make p too large.
        """
        return float((1 + self.as_well) / (1 + len(self.null))) if len(self.null) else float("nan")

    @property
    def as_well(self) -> int:
        """The number of permutations of the classes that are classified as well as the first repeat."""
        share, area = accuracy_and_area(self.scores[0], self.labels, len(self.classes))
        more, equal = self.null[:, 0] > share + 1e-12, np.abs(self.null[:, 0] - share) <= 1e-12
        return int((more | (equal & (self.null[:, 1] >= area - 1e-12))).sum())

    @property
    def separates(self) -> bool:
        """True of classes that are said to be separated: p is small, and the leading accuracy's interval above chance.

        Both are asked, since p is of accuracy and area together, and the interval of the accuracy that is shown.
        """
        low = (self.balanced_interval if self.leads_balanced else self.interval)[0]
        return not self.too_few and self.p <= SIGNIFICANCE and low > 1 / len(self.classes)

    # -- beside other methods -----------------------------------------------------------------------------------------

    @cached_property
    def compared(self) -> Mapping[str, Classification]:
        """Key of another method -> its classification of the same points."""
        same = {name: getattr(self, name) for name in Classification.__dataclass_fields__}
        return {other.key: Classification(**{**same, "scores": other.scores}) for other in self.others}

    def _other(self, key: str | None) -> Classification:
        """The classification of one of the other methods, of the first where `key` is None."""
        if not self.compared:
            raise SettingsError("There is no other method; evaluate with others='bde', for one.")
        if key is not None and key not in self.compared:
            raise SettingsError(f"There is no method {key!r}; there are {', '.join(map(repr, self.compared))}.")
        return next(iter(self.compared.values())) if key is None else self.compared[key]

    def mcnemar(self, other: str | None = None) -> tuple[int, int, float]:
        """Points only this method classifies correctly, points only another does, and p of the exact test (binomial).

        Where subjects have several points, p is of a permutation that exchanges both methods within whole subjects.

        Parameters
        ----------
        other : key of the other method; the first where None
        """
        from scipy.stats import binomtest

        theirs = self._other(other).right
        only, only_other = int((self.right & ~theirs).sum()), int((~self.right & theirs).sum())
        if not only + only_other:
            return 0, 0, 1.0
        if self.clusters is None:
            return only, only_other, float(binomtest(only, only + only_other).pvalue)
        of_subjects = np.bincount(self.clusters, self.right.astype(float) - theirs).astype(np.int64)
        return only, only_other, swap_test(of_subjects)[0]

    def gain_over(self, other: str | None = None) -> tuple[float, float, float]:
        """The leading accuracy less that of another method on the same points, and the ends of its 95 % interval.

        To each class two points are added that the methods disagree on by half (Agresti & Min 2005); what one subject
        adds to the difference is taken together.

        Parameters
        ----------
        other : key of the other method; the first where None
        """
        gains = self.right.astype(int) - self._other(other).right
        units = np.unique(self.units, return_inverse=True)[1]
        groups = self.labels if self.leads_balanced else np.zeros_like(self.labels)
        sizes, sums = np.zeros((2, int(units.max()) + 1, int(groups.max()) + 1))
        np.add.at(sizes, (units, groups), 1.0)
        np.add.at(sums, (units, groups), gains)
        usual = sizes.sum(axis=0) / (sizes > 0).sum(axis=0)  # points of a subject
        many = sizes.sum(axis=0) + 2 * usual
        means = sums.sum(axis=0) / many
        variance = (((sums - means * sizes) / many).sum(axis=1) ** 2).sum() + ((usual / many) ** 2).sum()
        centre, reach = float(means.mean()), 1.959964 * float(np.sqrt(variance)) / len(means)
        return float((sums.sum(axis=0) / sizes.sum(axis=0)).mean()), centre - reach, centre + reach

    def compare_areas(self, of: str | None = None, other: str | None = None) -> AreaComparison:
        """The difference of both areas on the same points, tested as their number allows (DeLong or exact).

        Parameters
        ----------
        of : the class; the second where None
        other : key of the other method; the first where None
        """
        return compare_curves(self.score(of), self._other(other).score(of), self.truth(of), clusters=self.clusters)

    def comparison_table(self) -> pd.DataFrame:
        """One row a method on the same folds, this one first: accuracies and area, with intervals, and p.

        Returns
        -------
        pandas.DataFrame: method; accuracy, balanced accuracy and AUC (of the class looked for) with 95 % intervals;
        p accuracy (exact McNemar) and p AUC (DeLong or permutation), both against the class networks
        """
        rows = [self._figures("class networks", self)]
        for other in self.others:
            p = {"p accuracy": self.mcnemar(other.key)[2], "p AUC": self.compare_areas(self.case, other.key).p}
            rows.append(self._figures(other.title, self.compared[other.key]) | p)
        return frames.data_frame(rows)

    def _figures(self, title: str, of: Classification) -> dict[str, Any]:
        area = of.auc(self.case)
        figures = {
            "accuracy": (of.accuracy, *of.interval),
            "balanced accuracy": (of.balanced_accuracy, *of.balanced_interval),
            "AUC": (area.value, area.low, area.high),
        }
        ends = ("{}", "{} low", "{} high")
        return {"method": title} | {
            end.format(name): value for name, values in figures.items() for end, value in zip(ends, values, strict=True)
        }

    # -- probabilities ------------------------------------------------------------------------------------------------

    @property
    def has_probabilities(self) -> bool:
        """True where there are enough points for them."""
        return bool(np.isfinite(self.probabilities).all())

    def net_benefit(self) -> pd.DataFrame:
        """Net benefit of acting on the probability of the second class, by the probability from which one acts.

        Returns
        -------
        pandas.DataFrame: threshold, method, everybody (Vickers and Elkin 2006; nobody is 0)

        Raises
        ------
        SettingsError : there are too few points for probabilities
        """
        if not self.has_probabilities:
            raise SettingsError(f"Probabilities need two classes and {FEW} points; there are {self.n}.")
        truth, share = self.truth(), float(self.truth().mean())
        at = np.arange(0.01, 1.0, 0.01)
        called = self.probabilities[None] >= at[:, None]
        odds = at / (1 - at)
        gain = (called & truth).mean(axis=1) - odds * (called & ~truth).mean(axis=1)
        return frames.data_frame({"threshold": at, "method": gain, "everybody": share - odds * (1 - share)})

    def chosen_table(self) -> pd.DataFrame:
        """The choices of the inner loop, a row a fold."""
        rows = [
            ["all" if (item := getattr(each, name)) is None else str(item) for name in self.choose]
            for each in self.chosen
        ]
        result = frames.data_frame(rows, columns=list(self.choose))
        result.insert(0, "fold", np.arange(1, len(rows) + 1))
        return result

    def _columns(self) -> pd.DataFrame:
        """With the probability of the second class, where there is one."""
        result = super()._columns()
        if self.has_probabilities:
            result[f"probability {self.classes[1]}"] = self.probabilities
        return result


def _read(second: None = None, **parts: Any) -> Evaluation:
    """The evaluation of a file; `second` stands in files from before several methods could be compared."""
    return Evaluation(**parts)


storable_as(
    Evaluation,
    lambda evaluation: {
        name: getattr(evaluation, name) for name in Evaluation.__dataclass_fields__ if name != "covariates"
    },
    _read,
)
