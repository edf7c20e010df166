"""Held-out log loss, and what the tuning of an approach does to structure and to prediction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from engine import execution
from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError
from engine.execution import Progress, part, silent
from engine.lazy import pd, special
from engine.measures.structure import patterns
from engine.methods import frames
from engine.methods.ordinal.answers import log_loss
from engine.methods.ordinal.learn import analyse
from engine.methods.ordinal.settings import APPROACHES, BY_TEST, LATENT, OrdinalSettings
from engine.resampling import check_runs


def compared(
    method: OrdinalSettings,
    data: Dataset,
    against: Sequence[str | OrdinalSettings],
    repeats: int,
    share: float,
    jobs: int,
    progress: Progress,
) -> pd.DataFrame:
    """See `engine.Ordinal.log_loss`."""
    check_runs(repeats)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        raise SettingsError(f"share is {share!r}; it must be a number between 0 and 1.", setting="share")
    methods = [replace(method, bootstrap=0), *(_rival(method, item) for item in against)]
    n_held_out = max(1, round(share * data.n_rows))
    if data.n_rows - n_held_out < 2:
        raise DataError(f"{data.n_rows} rows are too few to hold some out; give more.")
    if data.clusters is not None and data.clusters.max() < 1:
        raise DataError("All rows belong to one subject, so none can be held out.")
    seeds = np.random.SeedSequence(method.seed).spawn(repeats)
    task = partial(_split, methods, data, n_held_out)
    losses = np.array(execution.map(task, seeds, jobs=jobs, progress=progress, words="random splits of the rows"))
    rows = []
    for place, rival in enumerate(methods):
        worse = losses[:, place] - losses[:, 0]
        low, high = corrected(worse, n_held_out / (data.n_rows - n_held_out)) if place else (0.0, 0.0)
        better = int((worse > 0).sum())
        loss = float(losses[:, place].mean())
        rows.append((rival.approach, loss, float(worse.mean()), low, high, better, n_held_out))
    columns = ["approach", "log_loss", "difference", "low", "high", "better", "n"]
    return frames.data_frame(rows, columns=columns)


def _rival(method: OrdinalSettings, rival: str | OrdinalSettings) -> OrdinalSettings:
    if isinstance(rival, OrdinalSettings):
        return replace(rival, bootstrap=0)
    if rival not in APPROACHES:
        raise SettingsError(f"against has {rival!r}; it can be {', '.join(map(repr, APPROACHES))}.", setting="against")
    if method.missing != "refuse" and rival not in LATENT:
        raise SettingsError(
            f"{rival!r} cannot leave missing answers open; drop the rows with gaps, or set against=[].",
            setting="against",
        )
    return method.set_params(approach=rival, bootstrap=0)


def _split(methods: list[OrdinalSettings], data: Dataset, n_held_out: int, seed: np.random.SeedSequence) -> list[float]:
    """Mean loss of every method on the same rows held out; of whole subjects where rows belong together."""
    rows, n_held_out = held_out_rows(data, n_held_out, np.random.default_rng(seed))
    train, test = data.rows(np.sort(rows[n_held_out:])), data.rows(np.sort(rows[:n_held_out]))
    return [float(log_loss(analyse(method, train, silent, strict=False), test).mean()) for method in methods]


def held_out_rows(data: Dataset, n_held_out: int, generator: np.random.Generator) -> tuple[np.ndarray, int]:
    """Rows in random order of which the first are held out, and how many.

    Parameters
    ----------
    data : the rows
    n_held_out : how many are to be held out; of rows that belong together as many whole subjects as come nearest,
        one at least and not all
    generator : all randomness comes from it

    Returns
    -------
    (n,) row numbers, how many of them
    """
    clusters = data.clusters
    if clusters is None:
        return generator.permutation(data.n_rows), n_held_out
    place = np.argsort(generator.permutation(int(clusters.max()) + 1))
    sizes = np.bincount(place[clusters])
    subjects = min(max(int(np.abs(np.cumsum(sizes) - n_held_out).argmin()) + 1, 1), len(sizes) - 1)
    return np.argsort(place[clusters], kind="stable"), int(sizes[:subjects].sum())


def corrected(differences: np.ndarray, ratio: float) -> tuple[float, float]:
    """95 % interval of a mean difference over splits that share rows (Nadeau & Bengio 2003).

    Parameters
    ----------
    differences : (runs,) of one split each
    ratio : rows held out over rows learned from

    Returns
    -------
    low, high; not numbers for a single split
    """
    n = len(differences)
    if n < 2:
        return math.nan, math.nan
    spread = math.sqrt((1 / n + ratio) * float(differences.var(ddof=1)))
    reach = float(special.stdtrit(n - 1, 0.975)) * spread
    return float(differences.mean()) - reach, float(differences.mean()) + reach


def tuning(method: OrdinalSettings) -> str:
    """The setting that decides how many links an approach finds."""
    if method.approach in BY_TEST:
        return "alpha"
    return {"osem": "penalty", "bic": "penalty", "bge": "am", "bde": "ess"}[method.approach]


def path(
    method: OrdinalSettings, data: Dataset, values: Sequence[float], repeats: int, jobs: int, progress: Progress
) -> pd.DataFrame:
    """See `engine.Ordinal.lambda_path`."""
    name = tuning(method)
    methods = [_tuned(method, name, value) for value in values]
    runs = [replace(method, bootstrap=0), *methods]
    learned = 1 / (1 + repeats)
    own_progress = part(progress, 0.0, learned)
    task = partial(analyse, data=data, progress=silent)
    result = execution.map(task, runs, jobs=jobs, progress=own_progress, words="penalties")
    frame = frames.data_frame(
        {
            "setting": name,
            "penalty": [float(value) for value in values],
            "links": [item.n_links for item in result[1:]],
            "distance": [patterns(entry.graph, result[0].graph).distance for entry in result[1:]],
            "log_loss": math.nan,
            "low": math.nan,
            "high": math.nan,
        }
    )
    if repeats:
        losses = compared(runs[0], data, methods, repeats, 0.2, jobs, part(progress, learned, 1.0))
        frame["log_loss"] = losses["log_loss"].to_numpy()[1:]
        first = float(losses["log_loss"].iloc[0])
        frame["low"], frame["high"] = first + losses["low"].to_numpy()[1:], first + losses["high"].to_numpy()[1:]
    return frame


def _tuned(method: OrdinalSettings, name: str, value: float) -> OrdinalSettings:
    changes: dict[str, Any] = {name: float(value), "bootstrap": 0}
    return replace(method, **changes)
