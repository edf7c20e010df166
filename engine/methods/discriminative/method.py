"""The method: `engine.Discriminative`, which column says the classes, and how long a run takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from engine.data.dataset import Dataset
from engine.data.preparing.binning import interval_labels
from engine.data.preparing.roles import names_like
from engine.data.reading.demographic_words import is_demographic
from engine.errors import DataError, SettingsError, check_number
from engine.execution import Progress, part, silent
from engine.methods.cost import Cost, Size
from engine.methods.discriminative.baselines import BASELINES, KERNELS, MOST_KERNEL_POINTS, SINGLE
from engine.methods.discriminative.coding import Coding, Counted, as_given, prepared_points
from engine.methods.discriminative.effect import learned_networks
from engine.methods.discriminative.evaluate import EvaluationTask, as_names, evaluate_task
from engine.methods.discriminative.evaluation import Evaluation
from engine.methods.discriminative.pipeline import (
    MOST_FOLDS,
    MOST_MOVES,
    Contrast,
    coding_of,
    counted_by,
    fit_contrasts,
    known_of,
    moves_of,
    same_for_all,
    sides,
)
from engine.methods.discriminative.points import Dealer, Points, points_of
from engine.methods.discriminative.result import SLUG, DiscriminativeResult
from engine.methods.discriminative.settings import DiscriminativeSettings, check_folds
from engine.methods.discriminative.structure import Learned, fit_pair
from engine.methods.evidence import RunRecord
from engine.methods.method import Method
from engine.methods.storing import storable
from engine.methods.unfit import left_out, lone_column
from engine.words import short


def shuffled_best(
    points: Points, counted: Counted, method: DiscriminativeSettings, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """(B,) the most that any link gains, and that any variable's levels are worth, with classes dealt at random.

    Links chosen by CCL or by each class alone are held against the same: the best that ACL finds by chance.
    """
    known = known_of(points, method)
    if method.score != "acl":
        method = replace(method, score="acl", parameters="ml")
    generator = np.random.default_rng(np.random.SeedSequence([method.seed, 2]))
    dealer = Dealer(points)
    gains, levels = np.empty(method.shuffles), np.empty(method.shuffles)
    for b in range(method.shuffles):
        if b % 10 == 0:
            progress(b / method.shuffles, f"part 1 of 2, permutations of the classes: {b} of {method.shuffles}")
        dealt = sides(dealer.deal(generator), len(points.classes))
        pairs = [fit_pair(counted, side, method, known) for side in dealt]
        networks = [net for pair in pairs for net in (pair.others, pair.own)]
        gains[b] = max(float(net.gain.max()) for net in networks)
        levels[b] = max(float(net.alone.max()) for net in networks)
    progress(1.0, f"part 1 of 2, permutations of the classes: {method.shuffles} of {method.shuffles}")
    return gains, levels


def _learned(
    points: Points, counted: Counted, contrast: Contrast, side: np.ndarray, method: DiscriminativeSettings
) -> Learned:
    used = contrast.pair.used(method.top_families, shared=method.shared)
    units = points.units if not points.series and len(np.unique(points.units)) < points.n_points else None
    networks = learned_networks(counted, contrast.pair, side, method, units)
    return Learned(*networks, contrast.boundary, _usual(contrast, used, side, method))


def _usual(
    contrast: Contrast, used: tuple[np.ndarray, np.ndarray], side: np.ndarray, method: DiscriminativeSettings
) -> np.ndarray:
    """(p,) mean over both classes of what each family pushes; 0 for a likelihood ratio, which has its own zero.

    Both likelihoods of a family are large and nearly alike, so that what they add means little but beside the usual.
    """
    both = contrast.pair.others.log_likelihood * used[0], contrast.pair.own.log_likelihood * used[1]
    pushes = contrast.boundary[2] * both[0] + contrast.boundary[1] * both[1]
    if method.by_ratio:
        return np.zeros(pushes.shape[1])
    return np.asarray((pushes[side == 0].mean(axis=0) + pushes[side == 1].mean(axis=0)) / 2)


def _level_names(points: Points, coding: Coding) -> tuple[tuple[str, ...], ...]:
    """The names of the codes of each variable."""
    result, given = [], as_given(points, coding.way)
    for i in range(len(points.names)):
        r = int(coding.arity[i] - coding.absent[i])
        nothing = ("missing",) if coding.absent[i] else ()
        if given[i]:
            result.append(points.levels[i] or tuple(str(code) for code in range(r)))
        elif coding.way == "series":
            result.append((*(f"{code + 1} of {r} of its own" for code in range(r)), *nothing))
        else:
            prefix = "change " if coding.way == "differences" else ""
            result.append((*(prefix + label for label in _labels(coding.cuts[i])), *nothing))
    return tuple(result)


def _labels(cuts: np.ndarray) -> tuple[str, ...]:
    return tuple(interval_labels(tuple(cuts.tolist()), whole=False)) if len(cuts) else ("any",)


FOLDS = 10
"""As many as "subject" means in most tables."""
_FIT, _VARIABLE, _PAIR = 4e-4, 1.65e-4, 5.5e-7  # seconds of one fit, and in it of a variable and of a pair of them
_ROW, _CELL = 3e-8, 4e-11  # of a row and variable, and of a row and cell of the tables of all pairs
_BYTES = 900.0  # of a variable in a row


COVARIATES = ("age", "sex", "gender", "site", "centre", "center", "hospital", "clinic", "scanner", "batch", "school")
"""Words in the names of columns that are rarely what a study is about, but may separate its classes."""
MOST_PROPOSED = 4
WORDS = (
    *("class", "diagnos-", "outcome", "died", "dead", "death", "mortality", "surviv-", "relapse", "group", "disease"),
    *("status", "label", "case", "arm", "treat-", "target", "region"),
)
"""Words of a class column's name as `names_like` takes them, in order of preference."""
MOST_CLASSES = 6


def likely_target(data: Dataset) -> str | None:
    """The likeliest class column; None where none can be one."""
    if not data.in_memory:
        return None
    fit = [name for name in data.names if _fits(data, name)]
    for role in ("outcome", "group"):
        for name in fit:
            if data.roles.get(name) == role:
                return name
    two = {name for name in fit if len(np.unique(data.column(name))) == 2}
    ordered = sorted(fit, key=lambda name: (name not in two, is_demographic(name), name))
    for word in WORDS:
        for name in ordered:
            if names_like(name, word):
                return name
    return ordered[0] if ordered else None


def likely_covariates(data: Dataset, target: str) -> tuple[str, ...]:
    """Variables beside the classes that are named like a covariate, such as age and site, or part the rows."""
    named = [
        name
        for name in data.names
        if name != target
        and (data.roles.get(name) == "group" or set(re.findall("[a-z]+", name.lower())).intersection(COVARIATES))
    ]
    return tuple(named[:MOST_PROPOSED])


def conflicting_target(data: Dataset) -> str:
    """The column that looks like the classes and gives a subject two of them; empty where there is none."""
    if data.steps is None:
        return ""
    named = [name for name in data.names if data.roles.get(name) in ("outcome", "group")]
    named += [name for word in WORDS for name in data.names if names_like(name, word)]
    return next((name for name in named if 2 <= len(data.levels[name]) <= MOST_CLASSES), "")


def _fits(data: Dataset, name: str) -> bool:
    """True of a column with two to six levels in use, two subjects each, and one a subject; two of rows elsewhere."""
    if data.kinds[name] == "continuous":
        return False
    column = data.column(name).astype(np.int64)
    if data.steps is None or "time" not in data.roles.values():
        counts = np.bincount(column)
    else:
        inside = data.steps.subject >= 0
        pairs = np.unique(np.stack([data.steps.subject[inside], column[inside]]), axis=1)
        if len(np.unique(pairs[0])) < pairs.shape[1]:
            return False
        counts = np.bincount(pairs[1])
    counts = counts[counts > 0]
    return bool(2 <= len(counts) <= MOST_CLASSES and counts.min() >= 2)


@storable
@dataclass(frozen=True)
class Discriminative(DiscriminativeSettings, Method):
    """Which links tell classes apart, and how well (Burge & Lane 2005).

    A network for each class, chosen to explain the class's own data well and the others' badly, family by family. Where
    the data have the roles subject and time a subject's whole series is one data point, and arcs run from one step to
    the next; else every row is one. Of more than two classes each is held against all others.

    Parameters
    ----------
    target : the variable that says which class a subject or a row is of
    score : "acl" (approximate conditional likelihood, the paper's), "ccl" (conditional likelihood, links added to both
        networks at once), "ccl_single" (to one at a time, as published), "bde" (each class by itself)
    parameters : of "acl": "ml", "mid" (equation 8) or "max" (equation 7)
    max_parents : most parents of a variable, 0 to 4
    top_families : how many of each network's best families decide on a class; None for all
    balance : whether the other class's counts are rescaled to this class's
    eps : count that no cell has less than, above 0
    ess : of "bde", the equivalent sample size
    shared : one structure for both classes (an extension), compared by likelihood ratio
    boundary : of "acl": "least_squares" (the paper's), "midpoint" or "ratio"
    discretise : how numbers become levels, inside every fold: "quantiles" over subjects, "series" (each one's own),
        "differences" from step to step, or "given" (as the data set has them)
    levels : how many levels numbers are cut into, 2 to 12
    folds : "subject" (ten, or as many as the smallest class has), "leave_one_out", or a number
    shuffles : how often the classes are dealt at random, to see what chance alone would show
    knowledge : what is known of the arcs, an `engine.Knowledge`
    seed : of folds and permutations

    Raises
    ------
    SettingsError : a setting has a value that it cannot have

    Examples
    --------
    >>> data = sample_data.dataset("two_hospitals")
    >>> result = engine.Discriminative("hospital", shuffles=0).run(data)
    >>> result.held_out.n, sorted(result.networks)
    (1200, ['North', 'South'])
    """

    slug: ClassVar[str] = SLUG
    title: ClassVar[str] = "Class networks"
    question: ClassVar[str] = "What tells classes apart: ill or not?"
    paper: ClassVar[str] = "Burge & Lane 2005"

    @classmethod
    def propose(cls, data: Dataset) -> Self:
        """The likeliest class column.

        Parameters
        ----------
        data : the table

        Returns
        -------
        settings to begin with

        Raises
        ------
        SettingsError : no column could be one
        """
        target = likely_target(data)
        if target is None:
            raise SettingsError(cls.unfit(data))
        return cls(target=target)

    @classmethod
    def why_proposed(cls, data: Dataset) -> str:
        """Why this column is the class.

        Parameters
        ----------
        data : the table

        Returns
        -------
        a sentence; empty where a role says so
        """
        target = likely_target(data)
        if target is None or data.roles.get(target) in ("outcome", "group"):
            return ""
        if any(names_like(target, word) for word in WORDS):
            return f"'{short(target, 60)}' is taken for the class, by its name."
        return f"no column has the role of an outcome, so '{short(target, 60)}' is taken for the class."

    @classmethod
    def unfit(cls, data: Dataset) -> str:
        """Why no classes can be told apart in this table.

        Parameters
        ----------
        data : the table

        Returns
        -------
        a sentence; empty where they can
        """
        if refused := cls._unfit_rows(data):
            return refused
        if refused := lone_column(data):
            return refused
        if likely_target(data) is None:
            if column := conflicting_target(data):
                try:
                    points_of(data, column)
                except DataError as error:
                    return str(error)
            series = data.steps is not None and "time" in data.roles.values()
            enough = "with at least 2 subjects each, and one value a subject" if series else "each on at least 2 rows"
            needed = f"it needs 2 to {MOST_CLASSES} different values, {enough}"
            return f"No column can be the class: {needed}.{left_out(data, WORDS)}"
        return ""

    def cost(self, size: Size) -> Cost:
        """About what `run` takes with these settings: everything is learned again for each fold and each shuffle.

        Parameters
        ----------
        size : of the table

        Returns
        -------
        seconds of one core, bytes, and what makes it less
        """
        folds = self._most_folds(size.rows)
        # of two classes probabilities are fitted in every fold
        inner = 2 * MOST_FOLDS * folds if size.classes == 2 else 0
        fits = (1 if size.classes == 2 else size.classes) * (self.shuffles + 1) * (folds + 1) + inner
        pairs = size.variables**2
        fit = _FIT + (_VARIABLE + _ROW * size.rows) * size.variables
        fit += pairs * (_PAIR + _CELL * size.rows * size.levels**2)
        fewer = (["permutations"] if self.shuffles else []) + (["folds"] if folds > FOLDS else [])
        quicker = f"fewer {' or '.join(fewer)}" if fewer else ""
        return Cost(fits * fit, _BYTES * size.variables * size.rows, quicker=quicker)

    def cost_of(self, data: Dataset) -> Cost:
        """About what `run` takes on a table: with more than two classes each is learned for itself.

        Parameters
        ----------
        data : the table

        Returns
        -------
        see `cost`
        """
        known = self.target in data and data.in_memory
        classes = len(np.unique(data.column(self.target))) if known else 2
        return self.cost(replace(Size.of(data), classes=max(classes, 2)))

    def expected(self, data: Dataset) -> str:
        """Say what to expect of `run` on a large table.

        Parameters
        ----------
        data : the table

        Returns
        -------
        sentences; empty where it is quick
        """
        return super().expected(data) if data.in_memory else self.unfit(data)

    def _most_folds(self, points: int) -> int:
        """The number of folds in which so many subjects or rows are held out."""
        return self.folds if isinstance(self.folds, int) else FOLDS if self.folds == "subject" else points

    def run(self, data: Dataset, progress: Progress = silent) -> DiscriminativeResult:
        """Learn the classes' networks, and hold out every subject once.

        Parameters
        ----------
        data : with the target; with roles subject and time a set of series
        progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`. True logs it (`engine`)

        Returns
        -------
        `DiscriminativeResult`

        Raises
        ------
        DataError : no such target, a subject of two classes, fewer than two classes or subjects of one
        SettingsError : knowledge that does not fit the variables

        Examples
        --------
        >>> result = engine.Discriminative("hospital", shuffles=19).run(sample_data.dataset("two_hospitals"))
        >>> result.families()[["child", "network"]].iloc[0].tolist()
        ['severity', 'North']
        """
        data, progress = self._asked(data, progress)
        progress(0.0, "reading the classes")
        points = prepared_points(data, self)
        known = known_of(points, self)
        everyone = points.labels >= 0
        derived = tuple(name for name in points.names if name not in data.names)
        coding = coding_of(points, everyone, self)
        progress(0.02, "learning the networks of the classes")
        counted = counted_by(points, coding, self)
        contrasts = fit_contrasts(counted, points.labels, len(points.classes), self, known)
        shuffled = 0.02 + 0.96 / (self._most_folds(points.n_points) + 1)
        gains, levels = shuffled_best(points, counted, self, part(progress, 0.02, shuffled))
        shared = counted if same_for_all(points, self) else None
        task = EvaluationTask(points, self, others=(SINGLE,) if len(points.classes) == 2 else ())
        held_out = evaluate_task(task, 1, self.shuffles, part(progress, shuffled, 0.98), shared)
        learned = tuple(
            _learned(points, counted, contrast, side, self)
            for contrast, side in zip(contrasts, sides(points.labels, len(points.classes)), strict=True)
        )
        progress(1.0, "done")
        return DiscriminativeResult(
            method=self,
            names=(*(name for name in data.names if name != self.target), *derived),
            derived=derived,
            fingerprint=data.fingerprint,
            made=RunRecord.of(data, self.target),
            digest=data.numbers_digest,
            classes=points.classes,
            series=points.series,
            variables_in_order=points.names,
            levels=_level_names(points, coding),
            coding=coding,
            cut=~as_given(points, coding.way),
            learned=learned,
            likelihoods=np.stack([contrast.likelihoods for contrast in contrasts], axis=1),
            chance=gains,
            chance_levels=levels,
            held_out=held_out,
            words=points.words,
            block=points.block,
        )

    def other_methods(self, data: Dataset) -> tuple[str, ...]:
        """The names that `evaluate` takes as `others` and that say something new here, without those that take hours.

        Parameters
        ----------
        data : as `run` takes it
        """
        points = prepared_points(data, self)
        left_out: set[str] = {self.score}
        if not points.series and moves_of(points) > MOST_MOVES:
            left_out.add("ccl")
        if points.n_points > MOST_KERNEL_POINTS:
            left_out.update(KERNELS)
        return tuple(name for name in BASELINES if name not in left_out)

    def evaluate(
        self,
        data: Dataset,
        folds: int | Literal["subject", "leave_one_out"] | None = None,
        repeats: int = 1,
        choose: Sequence[str] | str = (),
        others: Sequence[str | Self] | str | Self = (),
        covariates: Sequence[str] | str = (),
        shuffles: int | None = None,
        progress: Progress = silent,
    ) -> Evaluation:
        """Held-out verdicts; whatever is learned or chosen is learned and chosen again inside every fold.

        Parameters
        ----------
        data : as `run` takes it
        folds : as the setting of this name, which serves where None
        repeats : how often the subjects are dealt into folds; scores are means over the repeats
        choose : settings that an inner loop over the training subjects chooses in every fold: "max_parents",
            "top_families", "parameters", "eps"
        others : other methods on the same folds: "acl", "ccl", "bde", "naive_bayes", "svm", "svm_gaussian",
            "svm_quadratic", "majority", or settings
        covariates : variables such as age and site, whose own accuracy by logistic regression is asked, and that of the
            networks' score added to them
        shuffles : how often the classes are dealt at random, the inner loop included; the setting where None
        progress : as for `run`

        Returns
        -------
        `Evaluation`: `roc()`, `auc()`, `confusion()`, `p`, `comparison_table()`, `mcnemar()` and more

        Raises
        ------
        DataError, SettingsError : as `run`; a choice, another method, covariate or number that cannot be

        Examples
        --------
        >>> found = engine.Discriminative("hospital").evaluate(sample_data.dataset("two_hospitals"), shuffles=0)
        >>> found.confusion().shape
        (2, 2)
        """
        data, progress = self._asked(data, progress, "evaluate")
        if folds is not None:
            check_folds(folds)
        method = self if folds is None else replace(self, folds=folds)
        dealt = self.shuffles if shuffles is None else shuffles
        check_number("repeats", repeats, least=1, whole=True)
        check_number("shuffles", dealt, least=0, whole=True)
        several = tuple(others) if isinstance(others, list | tuple) else (others,)
        if any(isinstance(other, Discriminative) and other.target != self.target for other in several):
            raise SettingsError("others has another target; compare methods on the same classes.", setting="others")
        task = EvaluationTask(
            prepared_points(data, method),
            method,
            as_names(choose, "choose"),
            several,
            as_names(covariates, "covariates"),
        )
        return evaluate_task(task, 1 if method.folds == "leave_one_out" else repeats, dealt, progress)
