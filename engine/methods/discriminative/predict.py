"""Verdicts on new points, and what every family adds to each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import DataError
from engine.methods.discriminative.coding import Counted, coded, observed
from engine.methods.discriminative.pipeline import verdicts
from engine.methods.discriminative.points import Points, cut_to, points_of
from engine.methods.discriminative.structure import Learned

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.discriminative.result import DiscriminativeResult

START = "start"
"""What the boundary adds before anything was seen of a point."""


@dataclass(frozen=True, eq=False)
class Pushes:
    """What every family adds to the scores of some points.

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


def pushes_of(result: DiscriminativeResult, data: Dataset) -> Pushes:
    """Score the points of a data set, family by family."""
    wanted = [name for name in result.variables_in_order if name in result.names_of_table]
    absent = [name for name in wanted if name not in data]
    if absent:
        raise DataError(f"The table has no variable '{absent[0][:60]}', which the networks use.", column=absent[0])
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
    both = [_of(result, item, counted) for item in result.learned]
    return Pushes(
        points,
        np.stack([entry[0] for entry in both], axis=1),
        np.stack([pushes - learned.usual for (_, pushes), learned in zip(both, result.learned, strict=True)], axis=1),
        np.array([element.boundary[0] + element.usual.sum() for element in result.learned]),
    )


def _check_levels(result: DiscriminativeResult, points: Points) -> None:
    """Refuse what would be coded otherwise than what was learned from."""
    for i, name in enumerate(points.names):
        numeric = result.cut[i]
        if numeric and points.numbers[i] is None:
            raise DataError(f"'{name[:60]}' has no numbers here; prepare the table by the same recipe.", column=name)
        if not numeric and points.levels[i] != result.levels[i]:
            raise DataError(
                f"'{name[:60]}' has other levels here than those learned from; prepare the table by the same recipe.",
                column=name,
            )
        gaps = numeric and not result.coding.absent[i]
        if gaps and not np.isfinite(points.column(i)[np.union1d(points.before, points.after)]).all():
            raise DataError(f"'{name[:60]}' lacks numbers here, which nothing was learned from.", column=name)


def _of(result: DiscriminativeResult, learned: Learned, counted: Counted) -> tuple[np.ndarray, np.ndarray]:
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


def predicted(result: DiscriminativeResult, data: Dataset) -> pd.DataFrame:
    """See `DiscriminativeResult.predict`."""
    import pandas as pd

    matches = pushes_of(result, data)
    scores, text = matches.scores, verdicts(matches.scores)
    at = np.zeros(len(text), dtype=np.int64) if len(result.classes) == 2 else text
    rows = np.arange(len(text))
    columns: dict[str, object] = {
        matches.points.noun: list(matches.points.ids),
        "score": scores[rows, at],
        "class": [result.classes[code] for code in text],
    }
    for net, side in enumerate(result.sides):
        columns[f"log_likelihood {side}"] = matches.likelihoods[rows, at, net]
    columns["observations"] = matches.points.lengths
    columns[START] = matches.start[at]
    for i, name in enumerate(result.variables_in_order):
        if any(network.used[i] for item in result.learned for network in item.networks):
            columns[f"push {name}"] = matches.pushes[rows, at, i]
    return pd.DataFrame(columns).iloc[np.argsort(matches.points.positions, kind="stable")].reset_index(drop=True)
