"""Points classified by scores that nothing was learned from: how many are right, with intervals; curves and costs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from engine import words
from engine.data.preparing.roles import propose_direction
from engine.errors import SettingsError
from engine.lazy import pd
from engine.measures.bootstrap import area_interval, mean_share_interval, share_interval_of
from engine.measures.curves import Auc, Called, Curve, auc, called_at, curve
from engine.measures.intervals import mean_interval
from engine.measures.shifts import wilson_interval
from engine.methods import frames
from engine.methods.discriminative.pipeline import class_weights, verdicts


class ClassShare(NamedTuple):
    """A share of some points: hits, of how many, and the ends of its 95 % interval."""

    hits: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """Hits of tries."""
        return self.hits / self.of


@dataclass(frozen=True, eq=False)
class Classification:
    """Points with their classes, and the scores that classify them.

    Rows that are only counted stand together: one entry for all of a class whose scores are nearly equal.

    Attributes
    ----------
    method : the settings
    classes, ids, labels : of the target; names of the points; (S,) the class of each
    noun : what a point is called
    positions : (S,) where each stands in tables
    observations : (S,) of each
    units : (S,) which subject it is of; points of one subject are no independent verdicts
    scores : (repeats, S, C): of two classes one, above 0 for the second; of more one a class
    """

    method: Any
    classes: tuple[str, ...]
    ids: tuple[str, ...]
    labels: np.ndarray
    noun: str
    positions: np.ndarray
    observations: np.ndarray
    units: np.ndarray
    scores: np.ndarray

    @cached_property
    def mean_scores(self) -> np.ndarray:
        """(S, C) over the repeats."""
        return np.asarray(self.scores.mean(axis=0))

    @cached_property
    def predicted(self) -> np.ndarray:
        """(S,) the class that each point is classified as."""
        return verdicts(self.mean_scores)

    @property
    def right(self) -> np.ndarray:
        """(S,) whether that is its class."""
        return np.asarray(self.predicted == self.labels)

    @property
    def n(self) -> int:
        """Points."""
        return len(self.labels)

    @property
    def hits(self) -> int:
        """The number that are classified correctly."""
        return int(self.right.sum())

    @property
    def accuracy(self) -> float:
        """Share of points classified correctly."""
        return self.hits / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of it: Wilson's, or of resampled subjects where they have several points."""
        result = self._share(self.right, np.ones(len(self.labels), dtype=bool))
        return result.low, result.high

    @property
    def clusters(self) -> np.ndarray | None:
        """(S,) what belongs together; None where every point is a subject of its own."""
        return self.units if len(np.unique(self.units)) < len(self.units) else None

    @property
    def sizes(self) -> np.ndarray:
        """(K,) points of each class."""
        return np.bincount(self.labels, minlength=len(self.classes))

    @property
    def by_class(self) -> np.ndarray:
        """(K,) how many of each class are classified correctly."""
        return np.bincount(self.labels[self.right], minlength=len(self.classes))

    @property
    def balanced_accuracy(self) -> float:
        """Mean over classes of their sensitivities."""
        return float((self.right * class_weights(self.labels, len(self.classes))).sum())

    @cached_property
    def balanced_interval(self) -> tuple[float, float]:
        """95 % interval of it.

        Classes without a common subject are independent, and the intervals of their shares are put together (see
        `mean_interval`); else whole subjects are resampled.
        """
        if self.clusters is not None and self._subjects_of_several_classes:
            return mean_share_interval(self.right, self.labels, self.clusters)
        shares = [self.sensitivity(name) for name in self.classes]
        return mean_interval(*zip(*((share.value, share.low, share.high) for share in shares), strict=True))

    @property
    def _subjects_of_several_classes(self) -> bool:
        pairs = np.unique(np.stack([self.units, self.labels]), axis=1)
        return pairs.shape[1] > len(np.unique(self.units))

    @property
    def majority(self) -> float:
        """Accuracy of classifying every point as the largest class."""
        return float(self.sizes.max()) / self.n

    @property
    def unequal(self) -> bool:
        """True where the largest class is so much larger that counting all alike would mislead."""
        return bool(self.sizes.max() > 1.4 * self.sizes.min())

    @property
    def leads_balanced(self) -> bool:
        """True where balanced accuracy is the figure to look at, as p does: classes are unequal, or more than two."""
        return len(self.classes) > 2 or len(set(self.sizes.tolist())) > 1

    def display_name(self, name: str) -> str:
        """A class as one says it: "relapse = yes" where its own name alone would say nothing."""
        return f"{self.method.target} = {name}" if words.is_bare(name) else name

    @property
    def case(self) -> str:
        """The class looked for unless another is named: of two the one compared with a control; of more the rarest."""
        if len(self.classes) > 2:
            return self.classes[int(self.sizes.argmin())]
        return (propose_direction(self.classes)[0] or self.classes)[1]

    # -- one class against the others ---------------------------------------------------------------------------------

    def score(self, of: str | None = None) -> np.ndarray:
        """(S,) scores for a class, the larger the more likely.

        Parameters
        ----------
        of : a class; the second where None

        Raises
        ------
        SettingsError : there is no such class
        """
        code = self.code(of)
        if len(self.classes) == 2:
            return np.asarray(self.mean_scores[:, 0] * (1 if code == 1 else -1))
        return np.asarray(self.mean_scores[:, code])

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
        return int(self.truth(of).sum()) / self.n

    def sensitivity(self, of: str | None = None) -> ClassShare:
        """Share of the points of a class that are classified as it, with its 95 % interval."""
        return self._share(self.right, self.truth(of))

    def specificity(self, of: str | None = None) -> ClassShare:
        """Share of the points of other classes that are not classified as this one, with its 95 % interval."""
        return self._share(self.predicted != self.code(of), ~self.truth(of))

    def precision(self, of: str | None = None) -> ClassShare:
        """Share of the points classified as a class that are of it, its positive predictive value."""
        return self._share(self.right, self.predicted == self.code(of))

    def _share(self, hits: np.ndarray, among: np.ndarray) -> ClassShare:
        """A share among some points; its interval is Wilson's, or that of resampled subjects."""
        many, of = int((hits & among).sum()), int(among.sum())
        if self.clusters is not None:
            return ClassShare(many, of, *share_interval_of(hits[among], self.clusters[among]))
        low, high = wilson_interval(many, of)
        return ClassShare(many, of, float(low), float(high))

    def roc(self, of: str | None = None) -> Curve:
        """The ROC curve of the scores for a class against all others."""
        return curve(self.score(of), self.truth(of))

    def auc(self, of: str | None = None) -> Auc:
        """Its area with DeLong's interval, or that of resampled subjects where they have several points."""
        result = auc(self.score(of), self.truth(of))
        if self.clusters is None:
            return result
        low, high = area_interval(self.score(of), self.truth(of), self.clusters)
        return replace(result, low=low, high=high)

    def confusion(self) -> pd.DataFrame:
        """Counts: a row a true class, a column the class it was classified as."""
        k = len(self.classes)
        counts = np.bincount(self.labels * k + self.predicted, minlength=k * k).reshape(k, k)
        return frames.data_frame(counts, names=self.classes, of="class", columns=list(self.classes))

    def best_threshold(self, cost_missed: float, cost_false: float, prevalence: float, of: str | None = None) -> float:
        """The threshold on the score that costs least among these points, at the costs and prevalence of a place.

        Parameters
        ----------
        cost_missed, cost_false : of one of the class that is missed, and of another that is taken for one
        prevalence : share of the class where it shall be used
        of : the class

        Returns
        -------
        points with a score from here up are classified as the class; infinite where classifying none so costs least
        """
        result = self.roc(of)
        missed, falsely = cost_missed * prevalence, cost_false * (1 - prevalence)
        cost = missed * (1 - result.sensitivity) + falsely * result.false_positive_rate
        return float(result.thresholds[int(np.flatnonzero(cost <= cost.min() + 1e-12)[0])])

    def called_from(self, threshold: float, of: str | None = None) -> Called:
        """The points that are classified as a class from this score up, by what they are."""
        result = self.roc(of)
        return called_at(result, max(0, int(np.sum(result.thresholds >= threshold)) - 1))

    def predictive_value(self, threshold: float, prevalence: float, of: str | None = None) -> float:
        """Of those classified as a class from this score up, the share that are of it, at this prevalence."""
        calls = self.called_from(threshold, of)
        rightly = prevalence * calls.found / max(calls.found + calls.missed, 1)
        falsely = (1 - prevalence) * calls.alarms / max(calls.alarms + calls.spared, 1)
        return rightly / (rightly + falsely) if rightly + falsely > 0 else float("nan")

    def table(self) -> pd.DataFrame:
        """One row a point: name, its class, the class it was classified as, right, score(s), observations."""
        result = self._columns()
        return result.iloc[np.argsort(self.positions, kind="stable")].reset_index(drop=True)

    def _columns(self) -> pd.DataFrame:
        """The same in the order of the points."""
        result = frames.data_frame(
            {
                self.noun: self.ids,
                "class": [self.classes[code] for code in self.labels],
                "classified as": [self.classes[code] for code in self.predicted],
                "right": self.right,
            }
        )
        if len(self.classes) == 2:
            result["score"] = self.mean_scores[:, 0]
        else:
            for c, name in enumerate(self.classes):
                result[f"score {name}"] = self.mean_scores[:, c]
        result["observations"] = self.observations
        return result
