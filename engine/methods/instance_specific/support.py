"""How sure the population's links are: the share of tables drawn again from this one in which each is found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.counting.design_effect import design_effect_of
from engine.errors import DataError, SettingsError
from engine.execution import Progress
from engine.graphs.pdag import Pdag
from engine.methods.instance_specific.population import Population, ordered, origin_of
from engine.methods.instance_specific.settings import InstanceSpecificSettings
from engine.methods.instance_specific.subjects import score_of_rows
from engine.methods.storing import storable
from engine.resampling import bootstrap, repeat
from engine.search.best import Best
from engine.search.equivalence import GES
from engine.search.problem import Problem

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset

RUNS = 50
"""Tables drawn again, where nobody says otherwise."""


@storable
@dataclass(frozen=True, eq=False)
class LinkSupport:
    """In how many of the tables drawn again each pair of variables is linked, whatever the direction.

    Attributes
    ----------
    names : the variables, in alphabetical order
    runs : how many tables were drawn;  hits : (p, p) in how many of them a pair is linked
    origin : the data and settings that it belongs to
    """

    names: tuple[str, ...]
    runs: int
    hits: np.ndarray
    origin: tuple[Any, ...]

    def share(self, name: str, other: str) -> float:
        """The share of the tables in which two variables are linked."""
        return float(self.hits[self.names.index(name), self.names.index(other)] / self.runs)

    def probability(self, name: str, other: str) -> float:
        """The probability that a link which the population's network has is there: the root of the share.

        A table drawn again carries the chance of drawing twice, so a true link is missed in it more often than in the
        table itself: on simulated networks links found in half of the tables were true in 75 of 100 cases. The root of
        the share came nearest to the truth; it never reaches 1 (half a table more counts on either side).
        """
        hits = float(self.hits[self.names.index(name), self.names.index(other)])
        return float(np.sqrt((hits + 0.5) / (self.runs + 1)))

    def table(self) -> pd.DataFrame:
        """Every pair that was linked in any of the tables."""
        import pandas as pd

        pairs = [(i, j) for i in range(len(self.names)) for j in range(i + 1, len(self.names)) if self.hits[i, j]]
        rows = [
            (self.names[i], self.names[j], int(self.hits[i, j]), self.runs, float(self.hits[i, j] / self.runs))
            for i, j in sorted(pairs, key=lambda pair: -self.hits[pair])
        ]
        return pd.DataFrame(rows, columns=["one", "other", "tables", "of", "share"])

    def check(self, population: Population) -> None:
        """Nothing where this belongs to a population network of the same data and settings."""
        if self.origin != population.origin[: len(self.origin)]:
            raise SettingsError("These probabilities of links were worked out for other data or with other settings.")


def link_support(
    method: InstanceSpecificSettings, data: Dataset, runs: int, jobs: int, progress: Progress
) -> LinkSupport:
    """The population's network learned again from tables whose rows, or whole subjects, are drawn with replacement."""
    rows = ordered(data, None)
    if rows.n_variables < 2 or not rows.n_rows:
        raise DataError("Links between variables need at least two variables and some rows; this table has fewer.")
    result = repeat(
        partial(_learned_again, method, rows, design_effect_of(rows)),
        runs,
        method.seed,
        jobs=jobs,
        progress=progress,
        words="tables drawn again",
    )
    return LinkSupport(rows.names, runs, np.sum(result, axis=0), origin_of(method, data, None)[:-1])


def _learned_again(
    method: InstanceSpecificSettings, rows: Dataset, by: float, seed: np.random.SeedSequence
) -> np.ndarray:
    """(p, p) 1 where a pair is linked in the network of one table drawn again."""
    drawn = rows.rows(bootstrap(rows.n_rows, np.random.default_rng(seed), rows.clusters))
    problem = Problem(drawn, score_of_rows(method.ess, by), method.known().constraints(rows.names))
    prior = method.structure_prior
    search = GES(prior) if method.search == "ges" else Best(prior, tabu=10, restarts=0, exact_up_to=0)
    result = search.find(problem).cpdag
    if result is None:
        raise RuntimeError("BDeu treats equivalent networks alike, so the searches answer with a class")
    return linked(result)


def linked(graph: Pdag) -> np.ndarray:
    """(p, p) 1 where a pair is linked, whatever the direction."""
    p = graph.n_variables
    return np.array([[graph.adjacent(i) >> j & 1 for j in range(p)] for i in range(p)], dtype=np.int64)
