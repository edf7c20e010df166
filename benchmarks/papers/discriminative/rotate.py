"""A second generator of changed tables: a link that leans another way besides being weaker."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from engine.errors import SettingsError
from engine.simulation.nmis import CLOSE, LEAST, TOLERANCE, centre, fit_pairs, listed, nmi, nmis, pair_of, with_margin

ROTATION = np.deg2rad(55)
"""Angle by which a link of which nothing is left would be rotated. With it the divergence of a 0.22 link's pair from
the weakened one is as large as what the weakened one tells where it has lost 0.11 (median of drawn tables of 4 levels):
there a link in one network alone ceases to help, as Burge & Lane print it."""
_REDRAWS = 8


def rotate_table(
    table: np.ndarray, parents: np.ndarray, place: int, strength: float, generator: np.random.Generator
) -> np.ndarray:
    """A table with one weaker link that also leans another way; the other pairs of parent and child stay.

    The lean of a pair is what its logarithms hold beside both margins. It is rotated towards a random lean at right
    angles, by an angle that grows with the strength that is lost, from nothing to `ROTATION`.

    Parameters
    ----------
    table : (*arities of the parents, r) probabilities
    parents : joint distribution of the parents
    place : which parent's link is weakened
    strength : of that link afterwards, no more than before
    generator : draws the other lean

    Returns
    -------
    A table of the same shape.

    Raises
    ------
    SettingsError : the strength is larger than it was, or no such table was found

    Examples
    --------
    >>> from engine.simulation.nmis import draw_table
    >>> even, rng = np.full((4, 4), 1 / 16), np.random.default_rng(0)
    >>> table = draw_table((0.3, 0.22), even, np.full(4, 0.25), rng)
    >>> nmis(rotate_table(table, even, 1, 0.11, rng), even).round(6).tolist()
    [0.3, 0.11]
    """
    wanted = nmis(table, parents)
    before, wanted[place] = float(wanted[place]), strength
    if not 0 <= strength <= before + CLOSE:
        raise SettingsError(f"strength is {strength:g}; it can be 0 to {before:g}, what the link has.")
    if strength >= before - TOLERANCE:
        return table
    joint = parents[..., None] * table
    fixed = [(other, pair_of(joint, other)) for other in range(parents.ndim) if other != place]
    for _ in range(_REDRAWS):
        pair = _rotated(pair_of(joint, place), strength, before, generator)
        fitted = fit_pairs(joint, parents, [*fixed, (place, pair)])
        result = np.where(parents[..., None] > 0, fitted / np.maximum(parents[..., None], LEAST), table)
        if np.abs(nmis(result, parents) - wanted).max() <= CLOSE:
            return np.asarray(result)
    raise SettingsError(f"No rotated table has the strengths {listed(wanted)} beside these parents.")


def _rotated(pair: np.ndarray, strength: float, before: float, generator: np.random.Generator) -> np.ndarray:
    """A pair's joint with the same margins, another lean, and less strength."""
    own, its = pair.sum(axis=1), pair.sum(axis=0)
    lean = centre(np.log(np.maximum(pair, LEAST)))
    other = centre(generator.normal(size=pair.shape))
    other -= lean * (other * lean).sum() / (lean * lean).sum()
    other *= np.sqrt((lean * lean).sum() / (other * other).sum())
    angle = ROTATION * (1 - strength / before)
    mixed = np.cos(angle) * lean + np.sin(angle) * other

    def scaled(scale: float) -> np.ndarray:
        return own[:, None] * with_margin(scale * mixed, own, its, its.copy())[0]

    if strength == 0:
        return np.outer(own, its)
    most = 1.0
    while nmi(scaled(most)) < strength:  # large scales are slow to fit
        most *= 1.5
    return scaled(brentq(lambda scale: nmi(scaled(scale)) - strength, 0.0, most, xtol=1e-14))
