"""The work of `run`: networks from all points, what shuffled classes would show, and held-out verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.data.preparing.binning import interval_labels
from engine.execution import Progress, part
from engine.methods.discriminative.coding import Coding, Counted, as_given, prepared_points
from engine.methods.discriminative.effect import effect_of, shifts_of
from engine.methods.discriminative.evaluate import EvaluationTask, evaluate_task
from engine.methods.discriminative.pipeline import (
    Contrast,
    coding_of,
    counted_by,
    fit_contrasts,
    known_of,
    same_for_all,
    sides,
)
from engine.methods.discriminative.points import Dealer, Points
from engine.methods.discriminative.result import DiscriminativeResult
from engine.methods.discriminative.structure import Learned, LearnedNetwork, Network, fit_pair, no_shifts, weights_of
from engine.methods.result import RunRecord

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.discriminative.settings import DiscriminativeSettings


def analyse(method: DiscriminativeSettings, data: Dataset, progress: Progress) -> DiscriminativeResult:
    """Learn the classes' networks, and find out how well they tell."""
    progress(0.0, "looking at the classes")
    points = prepared_points(data, method)
    known = known_of(points, method)
    everyone = points.labels >= 0
    derived = tuple(name for name in points.names if name not in data.names)
    coding = coding_of(points, everyone, method)
    progress(0.02, "counting")
    counted = counted_by(points, coding, method)
    contrasts = fit_contrasts(counted, points.labels, len(points.classes), method, known)
    gains, levels = shuffled_best(points, counted, method, part(progress, 0.05, 0.3))
    shared = counted if same_for_all(points, method) else None
    held_out = evaluate_task(EvaluationTask(points, method), 1, method.shuffles, part(progress, 0.3, 0.98), shared)
    learned = tuple(
        _learned(points, counted, contrast, side, method)
        for contrast, side in zip(contrasts, sides(points.labels, len(points.classes)), strict=True)
    )
    progress(1.0, "done")
    return DiscriminativeResult(
        method=method,
        names=(*(name for name in data.names if name != method.target), *derived),
        derived=derived,
        fingerprint=data.fingerprint,
        made=RunRecord.of(data, method.target),
        digest=data.numbers_digest,
        classes=points.classes,
        series=points.series,
        variables_in_order=points.names,
        levels=_level_names(points, coding),
        coding=coding,
        cut=~as_given(points, coding.way),
        learned=learned,
        likelihoods=np.stack([contrast_value.likelihoods for contrast_value in contrasts], axis=1),
        chance=gains,
        chance_levels=levels,
        held_out=held_out,
        words=points.words,
        block=points.block,
    )


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
            progress(b / method.shuffles, f"links that chance would show: shuffle {b + 1} of {method.shuffles}")
        dealt = sides(dealer.deal(generator), len(points.classes))
        pairs = [fit_pair(counted, side, method, known) for side in dealt]
        networks = [net for pair in pairs for net in (pair.others, pair.own)]
        gains[b] = max(float(net.gain.max()) for net in networks)
        levels[b] = max(float(net.alone.max()) for net in networks)
    progress(1.0, "links that chance would show: done")
    return gains, levels


def _learned(
    points: Points, counted: Counted, contrast: Contrast, side: np.ndarray, method: DiscriminativeSettings
) -> Learned:
    used = contrast.pair.used(method.top_families, shared=method.shared)
    weights = weights_of(counted, side, method)
    units = points.units if not points.series and len(np.unique(points.units)) < points.n_points else None
    nets = []
    for net, network in enumerate((contrast.pair.others, contrast.pair.own)):
        own = side if net == 1 else np.where(side >= 0, 1 - side, side)
        nets.append(_network(counted, network, own, used[net], weights[1 - net], units))
    return Learned(nets[0], nets[1], contrast.boundary, _usual(contrast, used, side, method))


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


def _network(
    counted: Counted,
    network: Network,
    side: np.ndarray,
    used: np.ndarray,
    weight: float,
    units: np.ndarray | None,
) -> LearnedNetwork:
    counts = tuple(counted.family(child, parents, side) for child, parents in enumerate(network.parents))
    effects = [effect_of(counted, child, parents, side, units) for child, parents in enumerate(network.parents)]
    shifts = no_shifts(network.parents)
    for child, parents in enumerate(network.parents):
        shifts[child, : len(parents)] = shifts_of(counted, child, parents, side, units)
    return LearnedNetwork(
        network.parents,
        network.pacl,
        network.alone,
        network.added,
        used,
        counts,
        weight,
        np.array(effects, dtype=float),
        shifts,
    )


def _level_names(points: Points, coding: Coding) -> tuple[tuple[str, ...], ...]:
    """What the codes of each variable are called."""
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
