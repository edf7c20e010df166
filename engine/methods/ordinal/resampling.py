"""The same analysis again: with the rows drawn again, and with other seeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from engine import execution
from engine.counting.design_effect import design_effect_of
from engine.errors import SettingsError
from engine.execution import Progress, silent
from engine.graphs.pdag import Pdag
from engine.methods.ordinal.learn import class_of
from engine.methods.ordinal.recurrence import EdgeStrength, HalfSamples, SeedStability, origin_of
from engine.methods.ordinal.settings import LATENT, OrdinalSettings
from engine.resampling import bootstrap, check_runs, half

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


def edge_strength(
    method: OrdinalSettings, data: Dataset, runs: int, jobs: int, so_far: EdgeStrength | None, progress: Progress
) -> EdgeStrength:
    """See `engine.Ordinal.edge_strength`."""
    check_runs(runs)
    origin = origin_of(method, data.fingerprint)
    begun = 0
    if so_far is not None:
        if so_far.origin != origin or so_far.seed != method.seed:
            raise SettingsError("so_far is of other data, settings or another seed; leave it out.")
        if so_far.runs >= runs:
            return so_far
        begun = so_far.runs
    seeds = np.random.SeedSequence(method.seed).spawn(runs)[begun:]
    task = partial(_learn_resampled, method, *_sorted(data), data.names, bootstrap)
    result = execution.map(
        task, seeds, jobs=jobs, threaded=method.approach in LATENT, progress=progress, words="tables drawn again"
    )
    fresh = EdgeStrength.of(data.names, result, method.seed, origin)
    return fresh if so_far is None else _joined(so_far, fresh)


def half_samples(method: OrdinalSettings, data: Dataset, runs: int, jobs: int, progress: Progress) -> HalfSamples:
    """See `engine.Ordinal.half_samples`."""
    check_runs(runs)
    seeds = np.random.SeedSequence(method.seed).spawn(runs)
    task = partial(_learn_resampled, method, *_sorted(data), data.names, half)
    result = execution.map(
        task, seeds, jobs=jobs, threaded=method.approach in LATENT, progress=progress, words="half samples"
    )
    return HalfSamples.of(data.names, result, method.seed, origin_of(method, data.fingerprint))


def _sorted(data: Dataset) -> tuple[Dataset, float]:
    """The table with its variables by name and its rows by their answers, so that no order matters; and its effect."""
    ordered = data.select(sorted(data.names))
    return ordered.rows(np.lexsort(ordered.codes[::-1])), design_effect_of(ordered)


def _learn_resampled(
    method: OrdinalSettings,
    data: Dataset,
    effect: float,
    names: tuple[str, ...],
    draw: Callable[[int, np.random.Generator, np.ndarray | None], np.ndarray],
    seed: np.random.SeedSequence,
) -> Pdag:
    """The network of some rows of a table; of whole subjects where rows belong together."""
    rows = draw(data.n_rows, np.random.default_rng(seed), data.clusters)
    return class_of(method, data.rows(rows).select(names), silent, effect)


def monte_carlo(method: OrdinalSettings, data: Dataset, seeds: int, jobs: int, progress: Progress) -> SeedStability:
    """See `engine.Ordinal.monte_carlo`."""
    check_runs(seeds)
    if seeds < 2:
        raise SettingsError("seeds is 1; one seed tells nothing of others, give 2 at least.", setting="seeds")
    others = [replace(method, seed=method.seed + number) for number in range(seeds)]
    result = execution.map(
        partial(_under, data),
        others,
        jobs=jobs,
        threaded=method.approach in LATENT,
        progress=progress,
        words="other seeds",
    )
    return SeedStability.of(data.names, result, method.seed, origin_of(method, data.fingerprint))


def _under(data: Dataset, method: OrdinalSettings) -> Pdag:
    return class_of(method, data, silent)


def _joined(edge_strength: EdgeStrength, other: EdgeStrength) -> EdgeStrength:
    """The runs of both; of two sets the number of different networks is not known, and its least is told."""
    return replace(
        edge_strength,
        runs=edge_strength.runs + other.runs,
        links=edge_strength.links + other.links,
        directed=edge_strength.directed + other.directed,
        classes=max(edge_strength.classes, other.classes),
    )
