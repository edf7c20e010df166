"""What held-out verdicts say: how many are right, beside chance, with intervals; curves, costs and calibration."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from engine.data.rows.relations import count_subjects
from engine.errors import SettingsError
from engine.lazy import pd
from engine.measures.bootstrap import area_interval, share_interval_of
from engine.measures.comparing import AreaComparison, compare_curves
from engine.measures.curves import Auc, Called, Curve, auc, called_at, curve
from engine.measures.shifts import wilson_interval
from engine.methods import report
from engine.methods.discriminative.pipeline import class_weights, verdicts
from engine.methods.discriminative.points import FEWEST
from engine.methods.storing import storable
from engine.words import count

BARE = ("yes", "no", "true", "false", "positive", "negative")
"""Names of classes that say nothing by themselves."""
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
    """A second method on the same folds.

    Attributes
    ----------
    name : of a baseline, or "settings"
    scores : (repeats, S, C) held out
    """

    name: str
    scores: np.ndarray


@storable
@dataclass(frozen=True, eq=False)
class Evaluation:
    """Verdicts on points that nothing was learned from.

    Attributes
    ----------
    method, choose : the settings, and those that an inner loop chose
    chosen : what it chose, fold by fold
    classes, ids, labels : of the target; names of the points; (S,) the class of each
    noun : what a point is called
    positions : (S,) where each stands in tables
    observations : (S,) of each
    units : (S,) which subject it is of; points of one subject are no independent verdicts
    scores : (repeats, S, C) held out: of two classes one, above 0 for the second; of more one a class
    likelihoods : (repeats, S, C, 2) mean log-likelihoods by the others' network and by the class's
    folds : (repeats, S) who was held out together
    null : (B, 2) balanced accuracy and area where classes were dealt at random; see `accuracy_and_area`
    recurrence : (C, 2, p, p) share of folds whose network has an arc to a child (third axis) from a parent (fourth)
    probabilities : (S,) of the second class, not numbers where points are few or classes more than two
    second : a second method on the same folds
    """

    method: Any
    choose: tuple[str, ...]
    chosen: tuple[Any, ...]
    classes: tuple[str, ...]
    ids: tuple[str, ...]
    labels: np.ndarray
    noun: str
    positions: np.ndarray
    observations: np.ndarray
    units: np.ndarray
    scores: np.ndarray
    likelihoods: np.ndarray
    folds: np.ndarray
    null: np.ndarray
    recurrence: np.ndarray
    probabilities: np.ndarray
    second: ComparedMethod | None = field(default=None)

    @cached_property
    def mean_scores(self) -> np.ndarray:
        """(S, C) over the repeats."""
        return np.asarray(self.scores.mean(axis=0))

    @cached_property
    def predicted(self) -> np.ndarray:
        """(S,) the class that each point is told to be."""
        return verdicts(self.mean_scores)

    @property
    def right(self) -> np.ndarray:
        """(S,) whether that is true."""
        return np.asarray(self.predicted == self.labels)

    @property
    def n(self) -> int:
        """Points."""
        return len(self.labels)

    @property
    def hits(self) -> int:
        """How many are rightly told."""
        return int(self.right.sum())

    @property
    def accuracy(self) -> float:
        """Share of points rightly told."""
        return self.hits / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of it: Wilson's, or of whole subjects drawn again where they have several points."""
        if self.clusters is not None:
            return share_interval_of(self.right, self.clusters)
        low, high = wilson_interval(self.hits, self.n)
        return float(low), float(high)

    @property
    def clusters(self) -> np.ndarray | None:
        """(S,) what belongs together; None where every point is a subject of its own."""
        return self.units if len(np.unique(self.units)) < self.n else None

    @property
    def sizes(self) -> np.ndarray:
        """(K,) points of each class."""
        return np.bincount(self.labels, minlength=len(self.classes))

    @property
    def subjects(self) -> np.ndarray:
        """(K,) subjects of each class; of rows without subjects their number."""
        pairs = np.unique(np.stack([self.units, self.labels]), axis=1)
        return np.bincount(pairs[1], minlength=len(self.classes))

    @property
    def too_few(self) -> str:
        """Why there is no verdict on links or classes, as the end of a sentence; empty where there is one."""
        few = int(self.subjects.argmin())
        if self.subjects[few] >= FEWEST:
            return self._uneven
        noun = self.noun if self.clusters is None else "subject"
        name = self.display_name(self.classes[few])[:40]
        return f"class '{name}' has {count(int(self.subjects[few]), noun)}, and at least {FEWEST} of each are needed"

    @property
    def _uneven(self) -> str:
        """Whether a few subjects of a class have nearly all its points, as the end of a sentence."""
        for label in range(len(self.classes)):
            units = np.unique(self.units[self.labels == label], return_inverse=True)[1]
            if count_subjects(units, np.ones(len(units), dtype=bool)).uneven:
                return (
                    f"a few subjects of class '{self.display_name(self.classes[label])[:40]}' have nearly all its rows"
                )
        return ""

    @property
    def by_class(self) -> np.ndarray:
        """(K,) how many of each class are rightly told."""
        return np.bincount(self.labels[self.right], minlength=len(self.classes))

    @property
    def balanced_accuracy(self) -> float:
        """Mean over classes of the share rightly told."""
        return float((self.right * class_weights(self.labels, len(self.classes))).sum())

    @property
    def majority(self) -> float:
        """Share that is right when all are told to be of the largest class: what knowing nothing gives."""
        return float(self.sizes.max()) / self.n

    @property
    def unequal(self) -> bool:
        """Whether the largest class is so much larger that counting all alike would mislead."""
        return bool(self.sizes.max() > 1.4 * self.sizes.min())

    def display_name(self, name: str) -> str:
        """A class as one says it: "relapse yes" where its own name alone would say nothing."""
        bare = name.strip().lower() in BARE or name.strip().replace(".", "").isdigit()
        return f"{self.method.target} {name}" if bare else name

    @property
    def p(self) -> float:
        """Share of dealings at random that do as well as the first repeat, itself counted; NaN for none.

        By balanced accuracy, and where that is equal by the area under the curve: accuracies of a few points are often
        equal, and would make p too large.
        """
        if not len(self.null):
            return float("nan")
        share, area = accuracy_and_area(self.scores[0], self.labels, len(self.classes))
        more, equal = self.null[:, 0] > share + 1e-12, np.abs(self.null[:, 0] - share) <= 1e-12
        as_well = more | (equal & (self.null[:, 1] >= area - 1e-12))
        return float((1 + as_well.sum()) / (1 + len(self.null)))

    # -- one class against the others ---------------------------------------------------------------------------------

    def score(self, of: str | None = None) -> np.ndarray:
        """(S,) held-out scores for a class, the larger the more likely.

        Parameters
        ----------
        of : a class; the second where None

        Raises
        ------
        SettingsError : there is no such class
        """
        return self._oriented(self.mean_scores, of)

    def _oriented(self, scores: np.ndarray, of: str | None) -> np.ndarray:
        """(S,) of (S, C) scores those for a class."""
        code = self.code(of)
        if len(self.classes) == 2:
            return np.asarray(scores[:, 0] * (1 if code == 1 else -1))
        return np.asarray(scores[:, code])

    def code(self, of: str | None) -> int:
        """Place of a class."""
        if of is None:
            return 1
        if of not in self.classes:
            raise SettingsError(f"There is no class {of!r}; there are {', '.join(map(repr, self.classes))}.")
        return self.classes.index(of)

    def truth(self, of: str | None = None) -> np.ndarray:
        """(S,) which points are of a class."""
        return np.asarray(self.labels == self.code(of))

    def share(self, of: str | None = None) -> float:
        """Share of the points that are of a class."""
        return float(self.truth(of).mean())

    def roc(self, of: str | None = None) -> Curve:
        """The ROC curve of the held-out scores for a class against all others."""
        return curve(self.score(of), self.truth(of))

    def auc(self, of: str | None = None) -> Auc:
        """Its area with DeLong's interval, or that of whole subjects drawn again where they have several points."""
        result = auc(self.score(of), self.truth(of))
        if self.clusters is None:
            return result
        low, high = area_interval(self.score(of), self.truth(of), self.clusters)
        return replace(result, low=low, high=high)

    def confusion(self) -> pd.DataFrame:
        """Counts: a row a true class, a column what it was told to be."""
        k = len(self.classes)
        counts = np.bincount(self.labels * k + self.predicted, minlength=k * k).reshape(k, k)
        return report.data_frame(counts, names=self.classes, of="is", columns=list(self.classes))

    def best_threshold(self, cost_missed: float, cost_false: float, prevalence: float, of: str | None = None) -> float:
        """The threshold on the score that costs least among these points, at the costs and prevalence of a place.

        Parameters
        ----------
        cost_missed, cost_false : of one of the class that is missed, and of another that is taken for one
        prevalence : share of the class where it shall be used
        of : the class

        Returns
        -------
        points with a score from here up are told to be of the class; infinite where telling nobody costs least
        """
        result = self.roc(of)
        missed, falsely = cost_missed * prevalence, cost_false * (1 - prevalence)
        cost = missed * (1 - result.sensitivity) + falsely * result.false_positive_rate
        return float(result.thresholds[int(np.flatnonzero(cost <= cost.min() + 1e-12)[0])])

    def called_from(self, threshold: float, of: str | None = None) -> Called:
        """Who is told to be of a class from this score up, by what they are."""
        result = self.roc(of)
        return called_at(result, max(0, int(np.sum(result.thresholds >= threshold)) - 1))

    def predictive_value(self, threshold: float, prevalence: float, of: str | None = None) -> float:
        """Of those told to be of a class from this score up, the share that are, at this prevalence of it."""
        calls = self.called_from(threshold, of)
        rightly = prevalence * calls.found / max(calls.found + calls.missed, 1)
        falsely = (1 - prevalence) * calls.alarms / max(calls.alarms + calls.spared, 1)
        return rightly / (rightly + falsely) if rightly + falsely > 0 else float("nan")

    # -- beside a second method ---------------------------------------------------------------------------------------

    @cached_property
    def other_predicted(self) -> np.ndarray:
        """(S,) the class that the second method tells."""
        return verdicts(self._other_scores)

    @property
    def _other_scores(self) -> np.ndarray:
        """(S, C) of the second method, over the repeats."""
        if self.second is None:
            raise SettingsError("There is no second method; evaluate with second='bde', for one.")
        return np.asarray(self.second.scores.mean(axis=0))

    def mcnemar(self) -> tuple[int, int, float]:
        """Points only this method tells rightly, points only the second does, and p of the exact test (binomial)."""
        from scipy.stats import binomtest

        other = self.other_predicted == self.labels
        only, only_other = int((self.right & ~other).sum()), int((~self.right & other).sum())
        many = only + only_other
        return only, only_other, float(binomtest(only, many).pvalue) if many else 1.0

    def compare_areas(self, of: str | None = None) -> AreaComparison:
        """The difference of both areas on the same points, tested as their number allows (DeLong or exact)."""
        return compare_curves(self.score(of), self.other_score(of), self.truth(of), clusters=self.clusters)

    def other_score(self, of: str | None = None) -> np.ndarray:
        """(S,) the second method's held-out scores for a class."""
        return self._oriented(self._other_scores, of)

    # -- probabilities ------------------------------------------------------------------------------------------------

    @property
    def has_probabilities(self) -> bool:
        """Whether there are enough points for them."""
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
        return report.data_frame({"threshold": at, "method": gain, "everybody": share - odds * (1 - share)})

    def chosen_table(self) -> pd.DataFrame:
        """What the inner loop chose, a row a fold."""
        rows = [
            ["all" if (item := getattr(each, name)) is None else str(item) for name in self.choose]
            for each in self.chosen
        ]
        result = report.data_frame(rows, columns=list(self.choose))
        result.insert(0, "fold", np.arange(1, len(rows) + 1))
        return result

    def table(self) -> pd.DataFrame:
        """One row a point: name, its class, what it was told to be, right, score(s), observations, probability."""
        result = report.data_frame(
            {
                self.noun: self.ids,
                "class": [self.classes[code] for code in self.labels],
                "told": [self.classes[code] for code in self.predicted],
                "right": self.right,
            }
        )
        if len(self.classes) == 2:
            result["score"] = self.mean_scores[:, 0]
        else:
            for c, name in enumerate(self.classes):
                result[f"score {name}"] = self.mean_scores[:, c]
        result["observations"] = self.observations
        if self.has_probabilities:
            result[f"probability {self.classes[1]}"] = self.probabilities
        return result.iloc[np.argsort(self.positions, kind="stable")].reset_index(drop=True)


def comparison_sentence(evaluation: Evaluation) -> str:
    """Both methods in a sentence: counts, the exact test on verdicts, and that on areas."""
    low, high = evaluation.interval
    own = (
        f"{evaluation.hits:,} of {evaluation.n:,} {evaluation.noun}s classified correctly ({100 * low:.0f} to "
        f"{100 * high:.0f} %)"
    )
    own += f", {evaluation.balanced_accuracy:.0%} counted class by class" if evaluation.unequal else ""
    if evaluation.second is None:
        return f"{own}."
    only, only_other, p = evaluation.mcnemar()
    other = int((evaluation.other_predicted == evaluation.labels).sum())
    gap = evaluation.compare_areas(evaluation.classes[int(evaluation.sizes.argmin())])
    verdict = "more than chance would" if p <= 0.05 else "no more than chance may"
    return (
        f"{own}; the second method {other:,}. They part on {only + only_other:,}, {only:,} for the first: {verdict} "
        f"(exact McNemar p {_p(p)}; areas differ by {gap.difference:+.2f}, p {_p(gap.p)})."
    )


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}" if p < 0.1 else f"= {p:.2f}"
