"""Held-out verdicts: all that is learned is learned again without each fold, and with classes dealt at random."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.errors import SettingsError
from engine.execution import Progress, part
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.evaluation import FEW, FEW_OF_A_CLASS, ComparedMethod, Evaluation, accuracy_and_area
from engine.methods.discriminative.pipeline import (
    MOST_FOLDS,
    chosen,
    coding_of,
    counted_by,
    fit_contrasts,
    folds_of,
    known_of,
    same_for_all,
    stacked,
)
from engine.methods.discriminative.points import NO_LABEL, Dealer, Points, units_by_class
from engine.methods.discriminative.settings import CHOOSABLE, DiscriminativeSettings
from engine.search.constraints import Constraints

NETWORKS = ("acl", "ccl", "bde")
BASELINES = {
    "acl": "ACL networks",
    "ccl": "CCL networks",
    "bde": "Each class by itself (BDeu)",
    "naive_bayes": "Gaussian naive Bayes on features",
    "svm": "Linear support vector machine on features",
    "majority": "Always the larger class",
}


def baseline_scores(
    name: str, points: Points, counted: Counted, labels: np.ndarray, method: DiscriminativeSettings, known: Constraints
) -> np.ndarray:
    """(S, C) scores of every point, learned from the labelled ones."""
    classes = len(points.classes)
    if name in NETWORKS:
        other = replace(method, score=name, shared=False, top_families=None, parameters="ml", boundary="least_squares")
        return stacked(fit_contrasts(counted, labels, classes, other, known))
    if name == "majority":
        sizes = points.sizes  # of all: the largest class is no thing that a fold could learn
        if classes == 2:
            return np.full((len(labels), 1), float(sizes[1]) - float(sizes[0]))
        return np.tile(sizes.astype(float), (len(labels), 1))
    return _classifier(name, features(points, counted), labels, classes)


def _classifier(name: str, result: np.ndarray, labels: np.ndarray, classes: int) -> np.ndarray:
    from sklearn.naive_bayes import GaussianNB
    from sklearn.svm import LinearSVC

    inside = labels >= 0
    centre, spread = result[inside].mean(axis=0), result[inside].std(axis=0)
    scaled = (result - centre) / np.where(spread > 0, spread, 1.0)
    if name == "svm":
        machine = LinearSVC(C=0.1, class_weight="balanced", random_state=0, max_iter=5000)
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


@dataclass(frozen=True, eq=False)
class EvaluationTask:
    """What is evaluated.

    Attributes
    ----------
    points, method : the points and the settings
    choose : settings that an inner loop chooses
    second : a second method on the same folds, None for none
    known : what the search may do
    """

    points: Points
    method: DiscriminativeSettings
    choose: tuple[str, ...] = ()
    second: Any = None
    known: Constraints = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", known_of(self.points, self.method))
        strange = [name for name in self.choose if name not in CHOOSABLE]
        if strange:
            allowed = ", ".join(map(repr, CHOOSABLE))
            raise SettingsError(f"choose has {strange[0]!r}; what can be chosen is {allowed}.", setting="choose")
        if not (self.second in (None, *BASELINES) or isinstance(self.second, DiscriminativeSettings)):
            allowed = ", ".join(map(repr, BASELINES))
            raise SettingsError(f"second is {self.second!r}; it can be {allowed}, or settings.", setting="second")


def evaluate_task(
    task: EvaluationTask, repeats: int, shuffles: int, progress: Progress, shared: Counted | None = None
) -> Evaluation:
    """Held-out verdicts of every point, `repeats` times over, and of shuffled classes once."""
    points, method, labels = task.points, task.method, task.points.labels
    root = np.random.SeedSequence([method.seed, 1])
    seeds = root.spawn(repeats + 1)
    if same_for_all(points, method) and shared is None:
        shared = counted_by(points, coding_of(points, labels >= 0, method), method)
    runs = []
    null = np.zeros((0, 2))
    for r in range(repeats):
        generator = np.random.default_rng(seeds[r])
        fold = folds_of(points, labels, method.folds, generator)
        mixed = labels[None][:0]
        if r == 0 and shuffles:
            dealer, shuffler = Dealer(points, fold), np.random.default_rng(seeds[-1])
            mixed = np.array([dealer.deal(shuffler) for _ in range(shuffles)])
        run = _Run(task, fold, mixed, seeds[r], shared)
        fits = run.held_out_fits
        before, after = (shuffles + fits * r if r else 0), shuffles + fits * (r + 1)
        run.go(part(progress, before / (shuffles + fits * repeats), after / (shuffles + fits * repeats)))
        runs.append(run)
        if r == 0:
            dealt = zip(run.null_scores, mixed, strict=True)
            null = np.array([accuracy_and_area(scores, own, len(points.classes)) for scores, own in dealt])
    name = task.second if isinstance(task.second, str) else "settings"
    second = None if task.second is None else ComparedMethod(name, np.stack([run.second for run in runs]))
    return Evaluation(
        method=method,
        choose=task.choose,
        chosen=tuple(item for run in runs for item in run.chosen),
        classes=points.classes,
        ids=points.ids,
        labels=labels,
        noun=points.noun,
        positions=points.positions,
        observations=points.lengths,
        units=points.units,
        scores=np.stack([run.scores for run in runs]),
        likelihoods=np.stack([run.likelihoods for run in runs]),
        folds=np.stack([run.fold for run in runs]),
        null=null.reshape(-1, 2),
        recurrence=np.stack([run.recurrence for run in runs]).sum(axis=0) / sum(run.n_folds for run in runs),
        probabilities=np.stack([run.probabilities for run in runs]).mean(axis=0),
        second=second,
    )


class _Run:
    """One dealing into folds."""

    def __init__(
        self,
        task: EvaluationTask,
        fold: np.ndarray,
        mixed: np.ndarray,
        seed: np.random.SeedSequence,
        shared: Counted | None,
    ) -> None:
        self.task, self.fold, self.mixed, self.seed, self.shared = task, fold, mixed, seed, shared
        points = task.points
        self.classes = len(points.classes)
        contrasts = 1 if self.classes == 2 else self.classes
        p, s = len(points.names), points.n_points
        self.n_folds = int(fold.max()) + 1
        self.scores = np.zeros((s, contrasts))
        self.second = np.zeros((s, contrasts))
        self.likelihoods = np.zeros((s, contrasts, 2))
        self.probabilities = np.full(s, np.nan)
        self.null_scores = np.zeros((len(mixed), s, contrasts))
        self.recurrence = np.zeros((contrasts, 2, p, p))
        self.chosen: list[DiscriminativeSettings] = []

    @property
    def held_out_fits(self) -> int:
        """What a fold takes without shuffles, in shuffles: once, and twice as long in every fold of the inner loop."""
        return 1 + (2 * MOST_FOLDS if self.classes == 2 and enough_for_probabilities(self.task.points) else 0)

    def go(self, progress: Progress) -> None:
        """Fold by fold."""
        points, method = self.task.points, self.task.method
        for f in range(self.n_folds):
            words = f"cross-validation: fold {f + 1} of {self.n_folds}"
            progress(f / self.n_folds, words)
            out = self.fold == f
            labels = np.where(out, NO_LABEL, points.labels)
            counted = self.shared or counted_by(points, coding_of(points, labels >= 0, method), method)
            generator = np.random.default_rng(self.seed.spawn(1)[0])
            self._hold_out(counted, labels, out, generator)
            if self.task.second is not None:
                self.second[out] = self._other(counted, labels)[out]
            seeds = self.seed.spawn(len(self.mixed))
            for b, mixed in enumerate(self.mixed):
                if b % 20 == 0:
                    fits = self.held_out_fits
                    done = (f + (fits + b) / (fits + len(self.mixed))) / self.n_folds
                    progress(done, f"{words}, permutation {b + 1} of {len(self.mixed)}")
                generator = np.random.default_rng(seeds[b])
                self.null_scores[b, out] = self._dealt(counted, np.where(out, NO_LABEL, mixed), generator)[out]
        progress(1.0, f"cross-validation: {self.n_folds} of {self.n_folds} folds")

    def _hold_out(self, counted: Counted, labels: np.ndarray, out: np.ndarray, generator: np.random.Generator) -> None:
        task = self.task
        best = chosen(task.points, counted, labels, task.method, task.known, task.choose, generator)
        contrasts = fit_contrasts(counted, labels, self.classes, best, task.known)
        self.chosen.append(best)
        self.scores[out] = stacked(contrasts)[out]
        self.likelihoods[out] = np.stack([contrast_value.likelihoods for contrast_value in contrasts], axis=1)[out]
        for c, contrast in enumerate(contrasts):
            for net, network in enumerate((contrast.pair.others, contrast.pair.own)):
                for child, parents in enumerate(network.parents):
                    self.recurrence[c, net, child, list(parents)] += 1
        if self.classes == 2 and enough_for_probabilities(task.points):
            self.probabilities[out] = self._probability(counted, labels, best, generator, self.scores[out, 0])

    def _probability(
        self,
        counted: Counted,
        labels: np.ndarray,
        best: DiscriminativeSettings,
        generator: np.random.Generator,
        wanted: np.ndarray,
    ) -> np.ndarray:
        """Probabilities of the second class for the fold's scores, fitted to scores held out in an inner loop."""
        fold = folds_of(self.task.points, labels, "subject", generator)
        held_out_scores = np.zeros(len(labels))
        for f in range(int(fold.max()) + 1):
            inner = np.where(fold == f, NO_LABEL, labels)
            held_out_scores[fold == f] = stacked(fit_contrasts(counted, inner, 2, best, self.task.known))[fold == f, 0]
        inside = labels >= 0
        return fitted_probability(held_out_scores[inside], labels[inside] == 1, wanted)

    def _dealt(self, counted: Counted, labels: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        """(S, C) scores of everything again with classes dealt at random."""
        task = self.task
        best = chosen(task.points, counted, labels, task.method, task.known, task.choose, generator)
        return stacked(fit_contrasts(counted, labels, self.classes, best, task.known))

    def _other(self, counted: Counted, labels: np.ndarray) -> np.ndarray:
        """(S, C) scores of the second method."""
        task, second = self.task, self.task.second
        if isinstance(second, str):
            return baseline_scores(second, task.points, counted, labels, task.method, task.known)
        own = counted
        if (second.discretise, second.levels) != (task.method.discretise, task.method.levels):
            own = counted_by(task.points, coding_of(task.points, labels >= 0, second), second)
        return stacked(fit_contrasts(own, labels, self.classes, second, known_of(task.points, second)))


def check_whole(name: str, value: object, least: int) -> int:
    """A whole number that is large enough; `SettingsError` elsewhere."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise SettingsError(f"{name} is {value!r}; it must be a whole number from {least} up.", setting=name)
    return value


def as_choice(choose: object) -> tuple[str, ...]:
    """Names of settings as a tuple."""
    if isinstance(choose, str):
        return (choose,)
    if not isinstance(choose, Iterable):
        raise SettingsError(f"choose is {choose!r}; it is a name or a list of names of settings.", setting="choose")
    return tuple(map(str, choose))


def enough_for_probabilities(points: Points) -> bool:
    """Whether there are subjects enough, and enough of either class, to say how scores turn into probabilities."""
    return len(np.unique(points.units)) >= FEW and int(units_by_class(points, points.labels).min()) >= FEW_OF_A_CLASS


def fitted_probability(held_out_scores: np.ndarray, truth: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """P(second class) for some scores, by a logistic curve through held-out ones."""
    if truth.all() or not truth.any():
        return np.full(len(wanted), np.nan)
    from sklearn.linear_model import LogisticRegression

    centre, spread = float(held_out_scores.mean()), float(held_out_scores.std()) or 1.0
    curve = LogisticRegression(C=100.0).fit(((held_out_scores - centre) / spread)[:, None], truth)
    return np.asarray(curve.predict_proba(((wanted - centre) / spread)[:, None])[:, 1])
