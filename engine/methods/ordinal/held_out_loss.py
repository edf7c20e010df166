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
from engine.errors import DataError, SettingsError, check_number
from engine.execution import Progress, part, silent
from engine.lazy import pd, special
from engine.measures.structure import patterns
from engine.methods import frames
from engine.methods.ordinal.answers import answer_levels, read
from engine.methods.ordinal.evidence import OrdinalEvidence
from engine.methods.ordinal.learn import analyse
from engine.methods.ordinal.settings import APPROACHES, BY_TEST, LATENT, OrdinalSettings
from engine.models.latent_normal import Boxes, log_probabilities
from engine.models.network import Network
from engine.resampling import check_runs

POINTS = 64
"""Of the lattice that held-out probabilities are computed on, eight times shifted."""


def log_loss(network: OrdinalEvidence, test: Dataset) -> np.ndarray:
    """(n,) minus the natural logarithm of the probability of every row.

    By the fitted normal values and their thresholds; of an approach without an order by its tables of shares.

    Parameters
    ----------
    network : learned from other rows
    test : rows with the same variables and levels

    Returns
    -------
    nats, above 0

    Raises
    ------
    DataError : other variables or levels
    """
    if set(test.names) != set(network.names):
        raise DataError("The rows have other variables than the network; give a table with the same columns.")
    names = sorted(network.names)
    levels = answer_levels(test)
    for name in names:
        if levels[name] != network.levels[name]:
            raise DataError(
                f"'{name}' has other levels here than in the network; code the rows by its recipe.", column=name
            )
    answers = read(test, "refuse" if network.predicting else "latent", strict=False)
    losses = np.empty(test.n_rows)
    where = [network.names.index(name) for name in names]
    if network.predicting:
        parents = [sorted(names.index(network.names[x]) for x in network.parents[child]) for child in where]
        own = tuple(levels[name] for name in names)
        by_tables = Network(tuple(names), own, tuple(map(tuple, parents)), network.predicting)
        losses[answers.rows] = -by_tables.log_probability(answers.codes)
        return losses
    cuts = tuple(np.concatenate([[-np.inf], network.cuts[name], [np.inf]]) for name in names)
    fitted = network.matrices["fitted"][np.ix_(where, where)]
    losses[answers.rows] = -log_probabilities(Boxes(answers.codes, cuts), fitted, points=POINTS)[0]
    return losses


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
    check_number("share", share, above=0, below=1)
    methods = [replace(method, bootstrap=0), *(_rival(method, rival) for rival in against)]
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
    share = 1 / (1 + repeats)
    own_progress = part(progress, 0.0, share)
    task = partial(analyse, data=data, progress=silent)
    networks = execution.map(task, runs, jobs=jobs, progress=own_progress, words="penalties")
    frame = frames.data_frame(
        {
            "setting": name,
            "penalty": [float(value) for value in values],
            "links": [learned.n_links for learned in networks[1:]],
            "distance": [patterns(learned.graph, networks[0].graph).distance for learned in networks[1:]],
            "log_loss": math.nan,
            "low": math.nan,
            "high": math.nan,
        }
    )
    if repeats:
        losses = compared(runs[0], data, methods, repeats, 0.2, jobs, part(progress, share, 1.0))
        frame["log_loss"] = losses["log_loss"].to_numpy()[1:]
        first = float(losses["log_loss"].iloc[0])
        frame["low"], frame["high"] = first + losses["low"].to_numpy()[1:], first + losses["high"].to_numpy()[1:]
    return frame


def _tuned(method: OrdinalSettings, name: str, value: float) -> OrdinalSettings:
    changes: dict[str, Any] = {name: float(value), "bootstrap": 0}
    return replace(method, **changes)
