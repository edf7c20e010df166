"""Everything that is learned from training points, choices in an inner loop among it, and the scores of all points.

One function serves the final networks, every fold and every shuffle, so that nothing can be learned outside a fold.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DataError
from engine.methods.discriminative.coding import MOST_CELLS, Coding, Counted, coded, fit_coding
from engine.methods.discriminative.points import Points, units_by_class
from engine.methods.discriminative.structure import Pair, fit_pair
from engine.resampling import stratified_folds
from engine.search.constraints import Constraints

if TYPE_CHECKING:
    from engine.methods.discriminative.settings import DiscriminativeSettings


RATIO = np.array([0.0, 1.0, -1.0])


def fit_boundary(likelihoods: np.ndarray, side: np.ndarray, way: str, *, balance: bool) -> np.ndarray:
    """c1, c2, c3.

    Least squares of +1 and -1 on both log-likelihoods, which are large and nearly collinear and so standardised first.
    Where classes are balanced, both weigh alike, however many points they have.
    """
    if way == "ratio":
        return RATIO
    inside = side >= 0
    others, own = likelihoods[inside].T
    of = side[inside] == 1
    if way == "midpoint":
        gap = own - others
        return np.array([-(gap[of].mean() + gap[~of].mean()) / 2, 1.0, -1.0])
    weight = (
        np.where(of, 0.5 / max(of.sum(), 1), 0.5 / max((~of).sum(), 1)) if balance else np.full(len(of), 1 / len(of))
    )
    both = np.stack([own, others], axis=1)
    centre = weight @ both
    spread = np.sqrt(weight @ (both - centre) ** 2)
    spread = np.where(spread > 1e-12 * np.maximum(1.0, np.abs(centre)), spread, 1.0)
    design = np.column_stack([np.ones(len(of)), (both - centre) / spread])
    root = np.sqrt(weight)
    result = np.linalg.lstsq(design * root[:, None], np.where(of, 1.0, -1.0) * root, rcond=1e-9)[0]
    slopes = result[1:] / spread
    return np.array([result[0] - slopes @ centre, *slopes])


def scores_of(likelihoods: np.ndarray, boundary: np.ndarray) -> np.ndarray:
    """(S,) c1 + c2 l(own) + c3 l(others); above 0 for the class."""
    return np.asarray(boundary[0] + likelihoods @ boundary[[2, 1]])


MOST_FOLDS = 10
GRID = {"max_parents": (1, 2), "parameters": ("ml", "mid", "max"), "eps": (0.1, 1.0, 10.0)}
MOST_MOVES = 8_000_000
"""Numbers that CCL may look at for each link it adds, of rows."""
NOTHING = 1e-12
"""A score this near to 0 is 0: likelihoods that are equal but for rounding."""
TOPS = (1, 2, 3, 5, 10, 20)
"""Numbers of families that are tried, and all of them."""


@dataclass(frozen=True, eq=False)
class Contrast:
    """A class against the others, learned.

    Attributes
    ----------
    pair : the two networks
    likelihoods : (S, 2) of every point by the families that are used, of the others' network and of the class's
    boundary : c1, c2, c3
    """

    pair: Pair
    likelihoods: np.ndarray
    boundary: np.ndarray

    @property
    def scores(self) -> np.ndarray:
        """(S,) above 0 for the class."""
        return scores_of(self.likelihoods, self.boundary)


def coding_of(points: Points, training: np.ndarray, method: DiscriminativeSettings) -> Coding:
    """Cut points from the training points."""
    return fit_coding(points, training, method.discretise, method.levels)


def counted_by(points: Points, coding: Coding, method: DiscriminativeSettings) -> Counted:
    """All points, coded and ready to be counted; refuses more than can be counted, or climbed to by CCL."""
    cells = points.n_points * int(coding.arity.sum()) ** 2 if points.series else 0
    if cells > MOST_CELLS:
        raise DataError(
            f"Counting {points.n_points:,} series of {len(points.names):,} variables would take "
            f"{4 * cells / 1e9:.1f} GB of memory; take fewer variables or fewer levels than {int(coding.arity.max())}."
        )
    moves = moves_of(points)
    if not points.series and method.score.startswith("ccl") and moves > MOST_MOVES:
        raise DataError(
            f"CCL looks at every row for every link, {moves:,} numbers at each step here, which would take hours; "
            "choose 'acl', or take fewer variables or rows."
        )
    slices, point = coded(points, coding)
    return Counted(slices, point, points.n_points)


def moves_of(points: Points) -> int:
    """Numbers that CCL looks at for each link it adds, of rows."""
    return 2 * len(points.names) ** 2 * points.n_points


def same_for_all(points: Points, method: DiscriminativeSettings) -> bool:
    """True where the codes do not depend on who is in the training part, so that they are counted once."""
    return method.discretise in ("given", "series") or not any(number is not None for number in points.numbers)


def known_of(points: Points, method: DiscriminativeSettings) -> Constraints:
    """The limits of the search; in a series a variable may follow itself."""
    known = method.knowledge.without([method.target]).constraints(points.names)
    if not points.series:
        return known
    return replace(known, allowed=known.allowed | np.eye(len(points.names), dtype=bool))


def sides(labels: np.ndarray, classes: int) -> list[np.ndarray]:
    """(S,) of each contrast: 1 for the class, 0 for the others, -1 where there is no label; of two classes one."""
    codes = [1] if classes == 2 else list(range(classes))
    return [np.where(labels < 0, -1, (labels == code).astype(np.int64)) for code in codes]


def fit_contrasts(
    counted: Counted, labels: np.ndarray, classes: int, method: DiscriminativeSettings, known: Constraints
) -> list[Contrast]:
    """Learn from the labelled points."""
    return [_finished(fit_pair(counted, side, method, known), side, method) for side in sides(labels, classes)]


def _finished(pair: Pair, side: np.ndarray, method: DiscriminativeSettings) -> Contrast:
    likelihoods = pair.summed(method.top_families, shared=method.shared)
    way = "ratio" if method.by_ratio else method.boundary
    both = (side == 0).any() and (side == 1).any()
    boundary = fit_boundary(likelihoods, side, way, balance=method.balance) if both else RATIO
    return Contrast(pair, likelihoods, boundary)


def stacked(contrasts: Sequence[Contrast]) -> np.ndarray:
    """(S, C) scores of every point in every contrast."""
    return np.stack([contrast.scores for contrast in contrasts], axis=1)


def verdicts(scores: np.ndarray) -> np.ndarray:
    """(S,) class of each point: of two the second where the score is above 0, of more the largest score."""
    if scores.shape[1] == 1:
        return (scores[:, 0] > NOTHING).astype(np.int64)
    return scores.argmax(axis=1)


def folds_of(points: Points, labels: np.ndarray, folds: int | str, generator: np.random.Generator) -> np.ndarray:
    """(S,) the fold of every labelled point, -1 for the others; whole subjects, classes spread evenly.

    Where labels are exchanged among series of like length only, these are spread evenly in place of classes, so that
    folds know nothing of labels and a dealing is as likely as what was observed.
    """
    inside = np.flatnonzero(labels >= 0)
    result = np.full(len(labels), -1)
    units = points.units[inside]
    if folds == "leave_one_out":
        result[inside] = np.unique(units, return_inverse=True)[1]
        return result
    sizes = units_by_class(points, labels)
    most = MOST_FOLDS if folds == "subject" else int(folds)
    k = max(2, min(most, int(sizes[sizes > 0].min())))
    spread = labels if points.strata is None else points.strata
    result[inside] = stratified_folds(spread[inside], k, generator, subjects=units)
    return result


def variants(method: DiscriminativeSettings, choose: Sequence[str]) -> Iterator[DiscriminativeSettings]:
    """Every setting that the inner loop tries, but for the number of families used; simplest first."""
    names = [name for name in GRID if name in choose]
    for values in itertools.product(*(GRID[name] for name in names)):
        given: dict[str, Any] = dict(zip(names, values, strict=True))
        yield replace(method, **given)


def tops(method: DiscriminativeSettings, choose: Sequence[str], variables: int) -> list[int | None]:
    """The numbers of families that are tried."""
    if "top_families" not in choose:
        return [method.top_families]
    return [top for top in TOPS if top < variables] + [None]


def chosen(
    points: Points,
    counted: Counted,
    labels: np.ndarray,
    method: DiscriminativeSettings,
    known: Constraints,
    choose: Sequence[str],
    generator: np.random.Generator,
) -> DiscriminativeSettings:
    """The settings that tell held-out points of an inner loop best; the simplest among equals."""
    if not choose:
        return method
    classes, p = len(points.classes), len(points.names)
    fold = folds_of(points, labels, method.folds, generator)
    tried = list(variants(method, choose))
    kappas = tops(method, choose, p)
    right = np.zeros((len(tried), len(kappas), len(labels)))
    for f in range(int(fold.max()) + 1):
        inner = np.where(fold == f, -1, labels)
        for v, item in enumerate(tried):
            pairs = [(fit_pair(counted, side, item, known), side) for side in sides(inner, classes)]
            for k, top in enumerate(kappas):
                finished = [_finished(pair, side, replace(item, top_families=top)) for pair, side in pairs]
                right[v, k] += (verdicts(stacked(finished)) == labels) & (fold == f)
    weight = class_weights(labels, classes)
    share = (right * weight).sum(axis=2).ravel()
    best = int(np.flatnonzero(share >= share.max() - 1e-12)[0])
    v, k = divmod(best, len(kappas))
    return replace(tried[v], top_families=kappas[k])


def class_weights(labels: np.ndarray, classes: int) -> np.ndarray:
    """(S,) such that every class weighs alike and all sum to 1; 0 where there is no label."""
    sizes = np.bincount(labels[labels >= 0], minlength=classes)
    weight = np.where(sizes > 0, 1 / np.maximum(sizes, 1), 0.0) / max((sizes > 0).sum(), 1)
    return np.where(labels >= 0, weight[np.maximum(labels, 0)], 0.0)
