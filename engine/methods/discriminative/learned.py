"""What was learned of a contrast, as an answer keeps it: parents, counts of both sides, boundary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.methods.storing import storable
from engine.scores.discriminative import log_parameters


def no_shifts(parents: Sequence[Sequence[int]]) -> np.ndarray:
    """(p, m, 2, 3) shifts that are not known, m the most parents that a variable has."""
    return np.full((len(parents), max(map(len, parents), default=0), 2, 3), np.nan)


@storable
@dataclass(frozen=True, eq=False)
class LearnedNetwork:
    """One network: of a class, or of all others together.

    Attributes
    ----------
    parents : of every variable, by position
    pacl : (p,) PACL of every family
    alone : (p,) PACL of every variable without parents
    added : (p,) parameters that its parents add
    kept : (p,) which families are used to tell
    counts : of every family (2, q, r): of the data that the network is not of, and of those that it is of
    weight : what the former are multiplied by
    effects : (p, 5) largest difference of a share, its interval, configuration and level; see `effect_of`
    shifts : (p, m, 2, 3) how far each parent shifts its child, with the interval, in the data that the network is not
        of and in those that it is of; not numbers behind the last parent; see `shifts_of`
    """

    parents: tuple[tuple[int, ...], ...]
    pacl: np.ndarray
    alone: np.ndarray
    added: np.ndarray
    kept: np.ndarray
    counts: tuple[np.ndarray, ...]
    weight: float
    effects: np.ndarray
    shifts: np.ndarray

    @property
    def worth(self) -> np.ndarray:
        """(p,) PACL minus added parameters."""
        return self.pacl - self.added

    @property
    def gain(self) -> np.ndarray:
        """(p,) what the parents add to PACL, less their parameters."""
        return self.pacl - self.alone - self.added

    def log_theta(self, child: int, parameters: str, eps: float) -> np.ndarray:
        """(q, r) log probabilities of a child's levels by configuration of its parents."""
        extra, intra = self.counts[child]
        return log_parameters(intra, self.weight * extra, parameters, eps)


@storable
@dataclass(frozen=True, eq=False)
class Learned:
    """A class against the others.

    Attributes
    ----------
    others, own : the two networks
    boundary : c1, c2, c3 of c1 + c2 l(own) + c3 l(others), which is above 0 for the class
    usual : (p,) what each family pushes a point half-way between the classes, which every push is told beside
    """

    others: LearnedNetwork
    own: LearnedNetwork
    boundary: np.ndarray
    usual: np.ndarray

    @property
    def networks(self) -> tuple[LearnedNetwork, LearnedNetwork]:
        """Others first."""
        return self.others, self.own
