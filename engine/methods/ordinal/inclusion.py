"""How probable every link is: DAGs drawn by order MCMC with BGe on the polychoric correlations.

An arrow link of two items is there where they are adjacent; a line where they are adjacent or parents of one child,
since that alone makes their partial correlation given all others differ from 0. The score takes the polychoric
correlations for those of as many rows of latent values as the levels are worth, so the figures are approximate. A DAG
counts once for every order that it allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.execution import Progress, silent
from engine.lazy import pd
from engine.methods import report
from engine.methods.fitting import check_shape, check_that
from engine.methods.ordinal.answers import Answers
from engine.methods.storing import storable
from engine.models.latent_normal import information, lifted
from engine.models.polychoric import polychoric
from engine.scores.ordinal import ExpectedBGe
from engine.search.constraints import Constraints
from engine.search.orders.dags import draw_dags
from engine.search.orders.mcmc import OrderMCMC
from engine.search.problem import Problem

Prior = Literal["sparse", "dense"]
PRIORS: tuple[Prior, ...] = ("sparse", "dense")
STEPS, CHAINS = 20_000, 4
DECISIVE = 10.0
"""Bayes factor from which a link is said to be there, and its inverse for absent."""
AGREEING = 1.05
"""R-hat up to which chains agree."""
IN, OUT, OPEN = "included", "excluded", "inconclusive"


@storable
@dataclass(frozen=True, eq=False)
class Inclusion:
    """Probabilities of links; see `engine.Ordinal.inclusion`.

    Attributes
    ----------
    names : the variables, in column order
    arrows : (p, p) probability that two are adjacent
    lines : (p, p) probability that they are adjacent or parents of one child
    directed : (p, p) probability of the arc [source, target]
    prior_arrow, prior_line : the same of every pair before the rows were seen
    prior : "sparse" (as many arcs as variables are expected) or "dense" (every arc as likely as not)
    r_hat : of the chains
    networks : DAGs drawn
    seed : of the draws
    origin : fingerprint of the data
    """

    names: tuple[str, ...]
    arrows: np.ndarray
    lines: np.ndarray
    directed: np.ndarray
    prior_arrow: float
    prior_line: float
    prior: str
    r_hat: float
    networks: int
    seed: int
    origin: str

    def bayes_factors(self, probability: np.ndarray, prior: float) -> np.ndarray:
        """Posterior over prior odds; of 0 or all of the networks those of half a network.

        Parameters
        ----------
        probability : of links
        prior : of one
        """
        least = 0.5 / self.networks
        p = np.clip(probability, least, 1.0 - least)
        return np.asarray(p / (1.0 - p) * (1.0 - prior) / prior)

    def frame(self) -> pd.DataFrame:
        """One row a pair, the most probable line first.

        Returns
        -------
        pandas.DataFrame: a, b; line (probability), line_bayes_factor, line_state ("included" from a Bayes factor of 10
        on, "excluded" below 1/10, else "inconclusive"); arrow, arrow_bayes_factor, arrow_state; forward (probability of
        the arc from a to b), backward
        """
        first, second = np.triu_indices(len(self.names), 1)
        table = {"a": [self.names[i] for i in first], "b": [self.names[j] for j in second]}
        columns: dict[str, object] = dict(table)
        for name, matrix, prior in (("line", self.lines, self.prior_line), ("arrow", self.arrows, self.prior_arrow)):
            factor = self.bayes_factors(matrix[first, second], prior)
            columns[name] = matrix[first, second]
            columns[f"{name}_bayes_factor"] = factor
            columns[f"{name}_state"] = np.where(factor >= DECISIVE, IN, np.where(factor <= 1 / DECISIVE, OUT, OPEN))
        columns["forward"], columns["backward"] = self.directed[first, second], self.directed[second, first]
        return report.data_frame(pd.DataFrame(columns).sort_values("line", ascending=False, kind="stable"))

    def _check_read(self) -> None:
        for matrix in (self.arrows, self.lines, self.directed):
            check_shape(matrix, len(self.names), len(self.names))
        check_that(0 < self.prior_arrow < 1 and 0 < self.prior_line < 1, "a prior is no probability")


def log_prior_odds(prior: Prior, p: int) -> float:
    """Natural logarithm of the prior odds of an arc between two variables in a given order.

    Parameters
    ----------
    prior : "sparse" expects as many arcs as there are variables, "dense" half of all
    p : how many variables there are
    """
    share = min(2.0 / (p - 1), 0.5) if prior == "sparse" else 0.5
    return float(np.log(share / (1.0 - share)))


def prior_line(share: float, p: int) -> float:
    """Prior probability of a line, every arc being there with a probability whatever the order, all orders alike.

    Of two variables m come behind both with probability 2 (p - 1 - m) / (p (p - 1)); each of these is a child of both
    with probability share^2.

    Parameters
    ----------
    share : probability of an arc
    p : how many variables there are
    """
    m = np.arange(p - 1)
    behind = 2.0 * (p - 1 - m) / (p * (p - 1))
    return float(1.0 - (1.0 - share) * (behind * (1.0 - share**2) ** m).sum())


def estimate_inclusion(
    answers: Answers,
    names: Sequence[str],
    constraints: Constraints,
    prior: Prior,
    seed: int,
    origin: str,
    progress: Progress = silent,
) -> Inclusion:
    """Draw networks and count links.

    Parameters
    ----------
    answers : the rows
    names : the variables in column order
    constraints : what is known of the arcs, variables as in the answers
    prior : of arcs
    seed : of the draws
    origin : fingerprint of the data
    progress : as for `engine.Ordinal.run`
    """
    boxes = answers.boxes()
    correlation, _ = lifted(polychoric(boxes))
    rows = answers.size * information(boxes)
    odds = log_prior_odds(prior, len(names))
    score = ExpectedBGe(correlation, answers.data.names, rows, odds)
    search = OrderMCMC(steps=STEPS, chains=CHAINS, seed=seed)
    problem = Problem(answers.data, score, constraints, progress=progress)
    sample = draw_dags(search, problem)
    arcs = sample.arcs.reshape(-1, len(names), len(names))
    adjacent = arcs | arcs.transpose(0, 2, 1)
    counts = arcs.astype(np.float32)
    wed = (counts @ counts.transpose(0, 2, 1)) > 0  # two parents of one child
    column = np.array([answers.data.names.index(name) for name in names])
    square = np.ix_(column, column)
    share = float(1.0 / (1.0 + np.exp(-odds)))
    off = ~np.eye(len(names), dtype=bool)
    return Inclusion(
        names=tuple(names),
        arrows=(adjacent.mean(axis=0) * off)[square],
        lines=((adjacent | wed).mean(axis=0) * off)[square],
        directed=arcs.mean(axis=0)[square],
        prior_arrow=share,
        prior_line=prior_line(share, len(names)),
        prior=prior,
        r_hat=sample.r_hat,
        networks=len(arcs),
        seed=seed,
        origin=origin,
    )
