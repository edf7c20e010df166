"""How probable every link is: DAGs drawn by order MCMC with BGe on the polychoric correlations.

An arrow link of two items is there where they are adjacent; a line where they are adjacent or parents of one child,
since that alone makes their partial correlation given all others differ from 0. The score takes the polychoric
correlations for those of as many rows of latent values as the levels are worth, so the figures are approximate. A DAG
counts once for every order that it allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from engine.execution import Progress, part, silent
from engine.lazy import pd
from engine.methods import frames
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
NO_ROWS = 1e-9
"""Rows of a table that says nothing."""
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
    prior_arrows, prior_lines : (p, p) the same before the rows were seen, from chains like these without data; one
        figure for all pairs that are alike by what is known of the arcs
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
    prior_arrows: np.ndarray
    prior_lines: np.ndarray
    prior: str
    r_hat: float
    networks: int
    seed: int
    origin: str

    def bayes_factors(self, probability: np.ndarray, prior: np.ndarray) -> np.ndarray:
        """Posterior over prior odds; of 0 or all of the networks those of half a network.

        Parameters
        ----------
        probability, prior : of links, of equal shape
        """
        least = 0.5 / self.networks
        after, before = (np.clip(p, least, 1.0 - least) for p in (probability, prior))
        return np.asarray(after / (1.0 - after) * (1.0 - before) / before)

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
        kinds = (("line", self.lines, self.prior_lines), ("arrow", self.arrows, self.prior_arrows))
        for name, matrix, prior in kinds:
            factor = self.bayes_factors(matrix[first, second], prior[first, second])
            columns[name] = matrix[first, second]
            columns[f"{name}_bayes_factor"] = factor
            columns[f"{name}_state"] = np.where(factor >= DECISIVE, IN, np.where(factor <= 1 / DECISIVE, OUT, OPEN))
        columns["forward"], columns["backward"] = self.directed[first, second], self.directed[second, first]
        return frames.data_frame(pd.DataFrame(columns).sort_values("line", ascending=False, kind="stable"))

    def _check_read(self) -> None:
        for matrix in (self.arrows, self.lines, self.directed, self.prior_arrows, self.prior_lines):
            check_shape(matrix, len(self.names), len(self.names))
            check_that(bool(((matrix >= 0) & (matrix <= 1)).all()), "a probability is none")


def log_prior_odds(prior: Prior, p: int) -> float:
    """Natural logarithm of the prior odds of an arc between two variables in a given order.

    Parameters
    ----------
    prior : "sparse" expects as many arcs as there are variables, "dense" half of all
    p : how many variables there are
    """
    share = min(2.0 / (p - 1), 0.5) if prior == "sparse" else 0.5
    return float(np.log(share / (1.0 - share)))


def link_shares(arcs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(p, p) shares of networks in which two are adjacent, and in which they are that or parents of one child.

    Parameters
    ----------
    arcs : (n, p, p) whether a network has the arc [source, target]
    """
    adjacent = arcs | arcs.transpose(0, 2, 1)
    counts = arcs.astype(np.float32)
    wed = (counts @ counts.transpose(0, 2, 1)) > 0
    off = ~np.eye(arcs.shape[1], dtype=bool)
    return adjacent.mean(axis=0) * off, (adjacent | wed).mean(axis=0) * off


def averaged_alike(shares: np.ndarray, constraints: Constraints) -> np.ndarray:
    """(p, p) shares, each the mean over all pairs that are alike by what is known of the arcs.

    Parameters
    ----------
    shares : (p, p)
    constraints : of the same variables
    """
    allowed, p = constraints.allowed, len(shares)
    room = list(
        zip(allowed.sum(axis=0).tolist(), allowed.sum(axis=1).tolist(), map(len, constraints.required), strict=True)
    )
    alike: dict[object, list[tuple[int, int]]] = {}
    for i in range(p):
        for j in range(i):
            must = i in constraints.required[j] or j in constraints.required[i]
            key = (int(allowed[i, j]) + int(allowed[j, i]), must, *sorted((room[i], room[j])))
            alike.setdefault(key, []).append((i, j))
    result = np.zeros((p, p))
    for pairs in alike.values():
        rows, columns = np.array(pairs).T
        result[rows, columns] = result[columns, rows] = shares[rows, columns].mean()
    return result


def estimate_inclusion(
    answers: Answers,
    names: Sequence[str],
    constraints: Constraints,
    prior: Prior,
    seed: int,
    origin: str,
    progress: Progress = silent,
    missing: str = "latent",
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
    missing : of gaps, "latent" (full information) or "pairwise"
    """
    boxes = answers.boxes()
    tables = answers.tables(missing, seed) if answers.gaps else [boxes]
    correlation, _ = lifted(np.mean([polychoric(table) for table in tables], axis=0))
    rows = answers.size * information(boxes)
    odds = log_prior_odds(prior, len(names))
    score = ExpectedBGe(correlation, answers.data.names, rows, odds)
    search = OrderMCMC(steps=STEPS, chains=CHAINS, seed=seed)
    problem = Problem(answers.data, score, constraints)
    sample = draw_dags(search, replace(problem, progress=part(progress, 0.0, 0.7)))
    nothing = ExpectedBGe(np.eye(len(names)), answers.data.names, NO_ROWS, odds)
    before = draw_dags(search, replace(problem, score=nothing, progress=part(progress, 0.7, 1.0)))
    arcs, prior_arcs = (item.arcs.reshape(-1, len(names), len(names)) for item in (sample, before))
    column = np.array([answers.data.names.index(name) for name in names])
    square = np.ix_(column, column)
    arrows, lines = link_shares(arcs)
    prior_arrows, prior_lines = (averaged_alike(shares, constraints) for shares in link_shares(prior_arcs))
    return Inclusion(
        names=tuple(names),
        arrows=arrows[square],
        lines=lines[square],
        directed=arcs.mean(axis=0)[square],
        prior_arrows=prior_arrows[square],
        prior_lines=prior_lines[square],
        prior=prior,
        r_hat=sample.r_hat,
        networks=len(arcs),
        seed=seed,
        origin=origin,
    )
