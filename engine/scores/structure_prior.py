"""A prior over structures that expects few parents: equation 11 of Jabbari, Visweswaran & Cooper 2018.

Every possible parent of a variable is one with probability p = e / (n - 1), independently, where n is the number of
variables and e the number of parents that a variable is expected to have:

    ln P(parents) = |parents| ln p + (n - 1 - |parents|) ln(1 - p)

It depends on the number of arcs alone, so a score-equivalent score stays score-equivalent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import tee

import numpy as np

from engine.counting.walk_state import Rows
from engine.errors import SettingsError
from engine.scores.local import BoundScore, ClimbingScore, Family, Weighed, weigh


class WithStructurePrior:
    """A bound score plus the logarithm of the prior probability of each family."""

    def __init__(self, score: BoundScore, expected_parents: float) -> None:
        self.score = score
        self.n_variables = score.n_variables
        others = self.n_variables - 1
        # one half at most: with few variables e / (n - 1) reaches 1, and beyond one half the prior would ask for arcs
        p = min(expected_parents / others, 0.5) if others else 0.5
        self._log_priors = [k * math.log(p) + (others - k) * math.log1p(-p) for k in range(others + 1)]

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family, its prior included."""
        return self.score.local(child, parents) + self._log_priors[len(parents)]

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of `parents + (x,)` for every x, priors included; -inf where x is in the family."""
        scores = self.score.additions(child, parents, among)
        if len(parents) + 1 < len(self._log_priors):
            scores = scores + self._log_priors[len(parents) + 1]
        return scores

    def weigh(self, families: Iterable[Family]) -> Iterator[Weighed]:
        """Score each family and every change of it, priors included."""
        first, second = tee(families)
        for family, (local, removals, additions) in zip(first, weigh(self.score, second), strict=True):
            k, priors = len(family.parents), self._log_priors
            if k:
                removals = removals + (priors[k - 1] - priors[k])
            if k + 1 < len(priors):
                additions = additions + (priors[k + 1] - priors[k])
            yield Weighed(local + priors[k], removals, additions)

    def climbing_rows(self, by_size: np.ndarray | None = None) -> Rows | None:
        """For the compiled climber, priors included."""
        if by_size is not None or not isinstance(self.score, ClimbingScore):
            return None
        return self.score.climbing_rows(np.array(self._log_priors))


def with_structure_prior(score: BoundScore, expected_parents: float) -> BoundScore:
    """A score whose families also carry their prior probability."""
    number = isinstance(expected_parents, int | float | np.number) and not isinstance(expected_parents, bool)
    if not (number and 0 < expected_parents < math.inf):
        raise SettingsError(
            f"structure_prior is {expected_parents!r}; the expected number of parents must be a number above 0."
        )
    return WithStructurePrior(score, float(expected_parents))
