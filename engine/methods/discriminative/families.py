"""The families of an answer: which leads, the tables of both classes in one, and what each adds to a score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.data.dataset import Dataset
from engine.data.store import remote_refusal
from engine.errors import DataError, SettingsError
from engine.lazy import pd
from engine.methods import frames
from engine.methods.discriminative.coding import Counted, coded, observed
from engine.methods.discriminative.effect import SIGNIFICANCE, chance_of, clear
from engine.methods.discriminative.evidence import DiscriminativeEvidence
from engine.methods.discriminative.pipeline import verdicts
from engine.methods.discriminative.points import Points, cut_to, points_of
from engine.methods.discriminative.structure import Learned
from engine.models.network import Network
from engine.words import short


def beyond_chance(ranked: pd.DataFrame) -> pd.Series:
    """(families,) whether a link is said to be beyond chance: it gains more than shuffled classes show, and the levels
    of its variables do not tell the classes apart by themselves, since then even a link with noise seems to gain."""
    return (ranked["chance"] <= SIGNIFICANCE) & ~ranked["levels"].astype(bool)


def leading_family(result: DiscriminativeEvidence) -> pd.Series | None:
    """The family that a headline names; None unless the classes are separated beyond chance.

    The link beyond chance that gains most. Without one the variable without parents whose levels are worth most, where
    they separate the classes beyond chance and have a difference whose interval leaves 0 out.
    """
    if not result.held_out.separates:
        return None
    ranked = result.ranked
    links = ranked[(ranked["parents"].map(len) > 0) & beyond_chance(ranked)]
    if len(links):
        return links.iloc[0]
    separates = [
        not row.parents
        and clear(row.low, row.high)
        and chance_of(result.chance_levels, row.worth - row.gain) <= SIGNIFICANCE
        for row in ranked.itertuples()
    ]
    levels = ranked[np.array(separates, dtype=bool)]
    return levels.loc[(levels["worth"] - levels["gain"]).idxmax()] if len(levels) else None


def shares_of_best(ranked: pd.DataFrame) -> list[float]:
    """The gain of each link beside the largest, from 0 to 1."""
    gain = ranked["gain"].clip(lower=0.0).to_numpy()
    return (gain / max(float(gain.max(initial=0.0)), 1e-9)).tolist()


def cpt(result: DiscriminativeEvidence, network: str, child: str) -> pd.DataFrame:
    """The tables of a family: shares and counts of both classes, and the probability used.

    Parameters
    ----------
    network : title of a network, such as a class
    child : a variable

    Returns
    -------
    pandas.DataFrame, a row a configuration of the parents and a level

    Raises
    ------
    SettingsError : there is no such network or variable
    """
    c, net = result.place_of(network)
    if child not in result.variables_in_order:
        raise SettingsError(f"There is no variable {child!r} in these networks.")
    i = result.variables_in_order.index(child)
    learned = result.learned[c].networks[net]
    counts, parents = learned.counts[i], learned.parents[i]
    theta = np.exp(learned.log_theta(i, result.parameters, result.method.eps))
    totals = counts.sum(axis=2, keepdims=True)
    shares = counts / np.where(totals > 0, totals, np.nan)
    own, other = result.titles_of(c, net)
    rows = []
    for j in range(counts.shape[1]):
        given = result.configuration(parents, j)
        for k, level in enumerate(result.levels[i]):
            rows.append(
                {
                    **{result.earlier(name): value for name, value in given.items()},
                    result.later(child): level,
                    f"share {own}": shares[1, j, k],
                    f"share {other}": shares[0, j, k],
                    "difference": shares[1, j, k] - shares[0, j, k],
                    f"count {own}": int(counts[1, j, k]),
                    f"count {other}": int(counts[0, j, k]),
                    "probability used": theta[j, k],
                }
            )
    return frames.data_frame(rows)


def fitted(result: DiscriminativeEvidence, network: str) -> Network:
    """A network with the probabilities that it uses; of series over both steps, the first with the class's shares.

    Parameters
    ----------
    network : title of a network, such as a class

    Returns
    -------
    `engine.models.Network`, for BIF (`engine.exchange.network_to_bif`), sampling and queries

    Raises
    ------
    SettingsError : there is no such network
    """
    c, net = result.place_of(network)
    learned, names = result.learned[c].networks[net], result.variables_in_order
    p = len(names)
    tables = []
    for i in range(p):
        theta = np.exp(learned.log_theta(i, result.parameters, result.method.eps))
        tables.append(theta / theta.sum(axis=1, keepdims=True))
    if not result.series:
        return Network(names, result.levels, learned.parents, tuple(tables))
    first = [learned.counts[i][1].sum(axis=0) + result.method.eps for i in range(p)]
    first_step = tuple((counts / counts.sum())[None] for counts in first)
    both = (*map(result.earlier, names), *map(result.later, names))
    return Network(both, result.levels * 2, ((),) * p + learned.parents, (*first_step, *tables))


START = "start"
"""The part of a score that the boundary adds before anything was seen of a point."""


@dataclass(frozen=True, eq=False)
class Pushes:
    """The parts of the scores of some points, family by family.

    Attributes
    ----------
    points : whose
    likelihoods : (S, C, 2) mean log-likelihoods by the others' network and by the class's, over the families used
    pushes : (S, C, p) of every child's families in both networks together, less what they push half-way between
    start : (C,) the score half-way between the classes; scores are the pushes summed, and this
    """

    points: Points
    likelihoods: np.ndarray
    pushes: np.ndarray
    start: np.ndarray

    @property
    def scores(self) -> np.ndarray:
        """(S, C)."""
        return np.asarray(self.pushes.sum(axis=2) + self.start)


def check_variables(result: DiscriminativeEvidence, data: Dataset) -> list[str]:
    """The variables that a table needs for the networks; `DataError` where one is not there."""
    wanted = [name for name in result.variables_in_order if name in result.names_of_table]
    absent = [name for name in wanted if name not in data]
    if absent:
        raise DataError(
            f"The table has no variable '{short(absent[0], 60)}', which the networks use.", column=absent[0]
        )
    return wanted


def pushes_of(result: DiscriminativeEvidence, data: Dataset) -> Pushes:
    """Score the points of a data set, family by family."""
    if not data.in_memory:
        raise remote_refusal(data.store, "What every family adds to a score")
    wanted = check_variables(result, data)
    keep = [name for name in data.names if name in wanted or name == result.method.target]
    points = points_of(data.select(keep), result.method.target, result.classes)
    if points.series != result.series:
        kind = "series of subjects" if result.series else "single rows"
        raise DataError(f"The networks were learned from {kind}; give the new table the same roles.")
    if points.names != result.variables_in_order:
        raise DataError("The new table's variables are not those of the networks; prepare it by the same recipe.")
    points = observed(points, result.coding.way)
    if result.block:  # what was learned from the first steps of every series is asked of as many
        points = cut_to(points, result.block)
    _check_levels(result, points)
    slices, point = coded(points, result.coding)
    counted = Counted(slices, point, points.n_points)
    both = [_of(result, contrast, counted) for contrast in result.learned]
    return Pushes(
        points,
        np.stack([entry[0] for entry in both], axis=1),
        np.stack([pushes - learned.usual for (_, pushes), learned in zip(both, result.learned, strict=True)], axis=1),
        np.array([element.boundary[0] + element.usual.sum() for element in result.learned]),
    )


def _check_levels(result: DiscriminativeEvidence, points: Points) -> None:
    """Refuse what would be coded otherwise than what was learned from."""
    for i, name in enumerate(points.names):
        numeric = result.cut[i]
        if numeric and points.numbers[i] is None:
            raise DataError(
                f"'{short(name, 60)}' has no numbers here; prepare the table by the same recipe.", column=name
            )
        if not numeric and points.levels[i] != result.levels[i]:
            raise DataError(
                f"'{short(name, 60)}' has other levels here than those learned from; prepare the table by the same "
                f"recipe.",
                column=name,
            )
        gaps = numeric and not result.coding.absent[i]
        if gaps and not np.isfinite(points.column(i)[np.union1d(points.before, points.after)]).all():
            raise DataError(f"'{short(name, 60)}' lacks numbers here, which nothing was learned from.", column=name)


def _of(result: DiscriminativeEvidence, learned: Learned, counted: Counted) -> tuple[np.ndarray, np.ndarray]:
    """Log-likelihoods by both networks and the push of every child."""
    method, p = result.method, len(result.variables_in_order)
    parameters = method.parameters if method.score == "acl" else "ml"
    single = np.zeros((2, counted.n_points, p))
    for net, network in enumerate(learned.networks):
        for child in np.flatnonzero(network.used).tolist():
            theta = network.log_theta(child, parameters, method.eps)
            single[net, :, child] = counted.log_likelihood(child, network.parents[child], theta)
    single /= np.maximum(counted.lengths, 1)[:, None]
    pushes = learned.boundary[2] * single[0] + learned.boundary[1] * single[1]
    return single.sum(axis=2).T, pushes


def predicted(result: DiscriminativeEvidence, data: Dataset) -> pd.DataFrame:
    """See `DiscriminativeResult.predict`."""
    pushes = pushes_of(result, data)
    scores, text = pushes.scores, verdicts(pushes.scores)
    at = np.zeros(len(text), dtype=np.int64) if len(result.classes) == 2 else text
    rows = np.arange(len(text))
    columns: dict[str, object] = {
        pushes.points.noun: list(pushes.points.ids),
        "score": scores[rows, at],
        "class": [result.classes[code] for code in text],
    }
    for net, side in enumerate(result.sides):
        columns[f"log_likelihood {side}"] = pushes.likelihoods[rows, at, net]
    columns["observations"] = pushes.points.lengths
    columns[START] = pushes.start[at]
    for i, name in enumerate(result.variables_in_order):
        if any(network.used[i] for item in result.learned for network in item.networks):
            columns[f"push {name}"] = pushes.pushes[rows, at, i]
    return frames.data_frame(columns).iloc[np.argsort(pushes.points.positions, kind="stable")].reset_index(drop=True)
