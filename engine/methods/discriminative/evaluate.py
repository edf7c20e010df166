"""Held-out verdicts: all that is learned is learned again without each fold, and with classes dealt at random."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from engine.errors import SettingsError
from engine.execution import Progress, part
from engine.methods.discriminative.baselines import (
    BASELINES,
    SINGLE,
    baseline_scores,
    best_single,
    covariate_values,
    logistic_scores,
)
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
    sides,
    stacked,
)
from engine.methods.discriminative.points import NO_LABEL, Dealer, Points, units_by_class
from engine.methods.discriminative.settings import CHOOSABLE, DiscriminativeSettings
from engine.search.constraints import Constraints
from engine.words import listed

ALONE, ADDED = "covariates", "added"
"""Keys of the covariates alone, and of them with the networks' score."""


@dataclass(frozen=True, eq=False)
class EvaluationTask:
    """The evaluation asked for.

    Attributes
    ----------
    points, method : the points and the settings
    choose : settings that an inner loop chooses
    others : other methods on the same folds: names of baselines, or settings
    covariates : variables whose own accuracy is asked, alone and beside the networks' score
    known : what the search may do
    """

    points: Points
    method: DiscriminativeSettings
    choose: tuple[str, ...] = ()
    others: tuple[Any, ...] = ()
    covariates: tuple[str, ...] = ()
    known: Constraints = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", known_of(self.points, self.method))
        strange = [name for name in self.choose if name not in CHOOSABLE]
        if strange:
            allowed = ", ".join(map(repr, CHOOSABLE))
            raise SettingsError(f"choose has {strange[0]!r}; what can be chosen is {allowed}.", setting="choose")
        named = [other for other in self.others if not isinstance(other, DiscriminativeSettings)]
        if odd := [other for other in named if not isinstance(other, str) or other not in BASELINES]:
            allowed = ", ".join(map(repr, BASELINES))
            raise SettingsError(f"others has {odd[0]!r}; it can have {allowed}, or settings.", setting="others")
        if absent := [name for name in self.covariates if name not in self.points.names]:
            raise SettingsError(
                f"covariates has {absent[0]!r}, which is no variable beside the classes.", setting="covariates"
            )

    @cached_property
    def compared(self) -> tuple[tuple[str, str], ...]:
        """Key and title of every other method."""
        result: list[tuple[str, str]] = []
        for other in self.others:
            if isinstance(other, str):
                result.append((other, BASELINES[other]))
            else:
                number = 1 + sum(key.startswith("settings") for key, _ in result)
                result.append((f"settings {number}", f"Settings {number}"))
        if self.covariates:
            names = listed(self.covariates)
            result += [(ALONE, f"{names} alone"), (ADDED, f"{names} and the networks' score")]
        return tuple(result)


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
    others = tuple(
        ComparedMethod(
            key,
            title,
            np.stack([run.others[i] for run in runs]),
            tuple(name for run in runs for name in run.singles) if key == SINGLE else (),
        )
        for i, (key, title) in enumerate(task.compared)
    )
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
        others=others,
        covariates=task.covariates,
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
        self.others = np.zeros((len(task.compared), s, contrasts))
        self.likelihoods = np.zeros((s, contrasts, 2))
        self.probabilities = np.full(s, np.nan)
        self.null_scores = np.zeros((len(mixed), s, contrasts))
        self.recurrence = np.zeros((contrasts, 2, p, p))
        self.chosen: list[DiscriminativeSettings] = []
        self.singles: list[str] = []

    @property
    def held_out_fits(self) -> int:
        """Work of a fold without shuffles, in shuffles: once, and twice as long in every fold of the inner loop."""
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
        self.likelihoods[out] = np.stack([contrast.likelihoods for contrast in contrasts], axis=1)[out]
        for c, contrast in enumerate(contrasts):
            for net, network in enumerate((contrast.pair.others, contrast.pair.own)):
                for child, parents in enumerate(network.parents):
                    self.recurrence[c, net, child, list(parents)] += 1
        probable = self.classes == 2 and enough_for_probabilities(task.points)
        if not probable and not task.others and not task.covariates:
            return
        inner = self._inner_scores(counted, labels, best, generator) if probable or task.covariates else None
        if probable and inner is not None:
            inside = labels >= 0
            self.probabilities[out] = fitted_probability(inner[inside, 0], labels[inside] == 1, self.scores[out, 0])
        scores = [self._other(counted, labels, other) for other in task.others]
        if inner is not None and task.covariates:
            inner[out] = self.scores[out]
            values = covariate_values(task.points, task.covariates)
            scores += [logistic_scores(each, labels) for each in (values, np.hstack([values, inner]))]
        for i, of in enumerate(scores):
            self.others[i][out] = of[out]

    def _inner_scores(
        self, counted: Counted, labels: np.ndarray, best: DiscriminativeSettings, generator: np.random.Generator
    ) -> np.ndarray:
        """(S, C) scores of the points that a fold learns from, each held out in an inner loop."""
        fold = folds_of(self.task.points, labels, "subject", generator)
        result = np.zeros((len(labels), self.scores.shape[1]))
        for f in range(int(fold.max()) + 1):
            inner = np.where(fold == f, NO_LABEL, labels)
            contrasts = fit_contrasts(counted, inner, self.classes, best, self.task.known)
            result[fold == f] = stacked(contrasts)[fold == f]
        return result

    def _dealt(self, counted: Counted, labels: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        """(S, C) scores of everything again with classes dealt at random."""
        task = self.task
        best = chosen(task.points, counted, labels, task.method, task.known, task.choose, generator)
        return stacked(fit_contrasts(counted, labels, self.classes, best, task.known))

    def _other(self, counted: Counted, labels: np.ndarray, other: str | DiscriminativeSettings) -> np.ndarray:
        """(S, C) scores of another method."""
        task, own = self.task, counted
        if other == SINGLE and self.classes == 2:
            child, scores = best_single(counted, next(iter(sides(labels, 2))))
            self.singles.append(task.points.names[child])
            return scores[:, None]
        if isinstance(other, str):
            return baseline_scores(other, task.points, counted, labels, task.method, task.known)
        if (other.discretise, other.levels) != (task.method.discretise, task.method.levels):
            own = counted_by(task.points, coding_of(task.points, labels >= 0, other), other)
        return stacked(fit_contrasts(own, labels, self.classes, other, known_of(task.points, other)))


def as_names(names: object, setting: str) -> tuple[str, ...]:
    """A name or several as a tuple."""
    if isinstance(names, str):
        return (names,)
    if not isinstance(names, Iterable):
        raise SettingsError(f"{setting} is {names!r}; it is a name or a list of names.", setting=setting)
    return tuple(map(str, names))


def enough_for_probabilities(points: Points) -> bool:
    """True where there are subjects enough, and enough of either class, to say how scores turn into probabilities."""
    return len(np.unique(points.units)) >= FEW and int(units_by_class(points, points.labels).min()) >= FEW_OF_A_CLASS


def fitted_probability(held_out_scores: np.ndarray, truth: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """P(second class) for some scores, by a logistic curve through held-out ones."""
    if truth.all() or not truth.any():
        return np.full(len(wanted), np.nan)
    from sklearn.linear_model import LogisticRegression

    centre, spread = float(held_out_scores.mean()), float(held_out_scores.std()) or 1.0
    curve = LogisticRegression(C=100.0).fit(((held_out_scores - centre) / spread)[:, None], truth)
    return np.asarray(curve.predict_proba(((wanted - centre) / spread)[:, None])[:, 1])
