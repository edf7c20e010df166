"""How probable rows are that the network was not learned from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.errors import DataError
from engine.methods.ordinal.answers import read
from engine.models.latent_normal import Boxes, log_probabilities
from engine.models.network import Network

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.ordinal.result import OrdinalResult


POINTS = 64
"""Of the lattice that held-out probabilities are computed on, eight times shifted."""


def log_loss(result: OrdinalResult, test: Dataset) -> np.ndarray:
    """(n,) minus the natural logarithm of the probability of every row.

    By the fitted normal values and their thresholds; of an approach without an order by its tables of shares.

    Parameters
    ----------
    result : learned from other rows
    test : rows with the same variables and levels

    Returns
    -------
    nats, above 0

    Raises
    ------
    DataError : other variables or levels
    """
    if set(test.names) != set(result.names):
        raise DataError("The rows have other variables than the network; give a table with the same columns.")
    names = sorted(result.names)
    gap = {column.name: column.missing for column in test.recipe.columns}
    for name in names:
        if tuple(level for level in test.levels[name] if not gap[name] or level != gap[name]) != result.levels[name]:
            raise DataError(
                f"'{name}' has other levels here than in the network; code the rows by its recipe.", column=name
            )
    answers = read(test, "refuse" if result.predicting else "latent", strict=False)
    matches = np.empty(test.n_rows)
    if result.predicting:
        place = {name: i for i, name in enumerate(names)}
        levels = tuple(result.levels[name] for name in names)
        network = Network(tuple(names), levels, _sorted_parents(result, place), result.predicting)
        matches[answers.rows] = -network.log_probability(answers.codes)
        return matches
    cuts = tuple(np.concatenate([[-np.inf], result.cuts[name], [np.inf]]) for name in names)
    where = [result.names.index(name) for name in names]
    fitted = result.matrices["fitted"][np.ix_(where, where)]
    matches[answers.rows] = -log_probabilities(Boxes(answers.codes, cuts), fitted, points=POINTS)[0]
    return matches


def _sorted_parents(result: OrdinalResult, place: dict[str, int]) -> tuple[tuple[int, ...], ...]:
    matches: list[tuple[int, ...]] = [()] * len(place)
    for child, family in zip(result.names, result.parents, strict=True):
        matches[place[child]] = tuple(sorted(place[result.names[x]] for x in family))
    return tuple(matches)
