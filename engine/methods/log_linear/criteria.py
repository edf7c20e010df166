"""When an edge pays: message length, significance, or likelihood with a penalty.

Every criterion ranks candidates by one number, larger is better, from the information of the edge (see
`engine.counting.numba_pairs`) and its degrees of freedom, and says whether the best one is taken.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from engine.graphs.chordal import DecomposableGraph
from engine.graphs.dag import bits
from engine.measures.tails import log_chi2_tail
from engine.methods.log_linear.counts import Counts, Weights
from engine.methods.log_linear.thin_tables import drawn_log_p, is_thin, seed_of, strata, thin_pairs

LN2 = math.log(2.0)


@dataclass(frozen=True)
class SearchState:
    """Where a search stands when it asks whether to go on.

    Attributes
    ----------
    step : 1 for the first edge;  candidates : edges that could be added now
    pairs, edges : M, all pairs of variables, and |E|, the edges there are
    spent : significance spent so far (of "smt")
    """

    step: int
    candidates: int
    pairs: int
    edges: int
    spent: float = 0.0


class Criterion(ABC):
    """Base of the criteria: weights of counts, a rank, and the decision."""

    joint: ClassVar[bool] = False
    """True where two edges at once can be ranked as one edge is."""
    local: ClassVar[bool] = True
    """True where an edge costs (r_a - 1)(r_b - 1) prod r_S degrees of freedom, whatever the rest of the graph."""

    def __init__(self, counts: Counts, alpha: float, seed: int | None = None) -> None:
        self.counts, self.alpha, self.seed = counts, alpha, seed
        self.weights = self._weights()

    def _weights(self) -> Weights:
        return self.counts.entropy_terms

    @abstractmethod
    def rank(self, information: np.ndarray, degrees: np.ndarray) -> np.ndarray:
        """Natural-log worth of candidates, the stopping term left out: it is the same for all."""

    def costs(self, graph: DecomposableGraph, a: int, others: np.ndarray, separator: int) -> np.ndarray:
        """The degrees of freedom that `rank` is given for edges between `a` and several others with this separator."""
        arity = self.counts.arity
        configurations = math.prod(float(arity[x]) for x in bits(separator))
        return np.asarray((arity[a] - 1.0) * (arity[others] - 1.0) * configurations)

    def settled(self, a: int, b: int, separator: int) -> float | None:
        """The rank of an edge worked out with more care than `rank` can; None where that is good enough."""
        return None

    @abstractmethod
    def margin(self, rank: float, state: SearchState) -> float:
        """By how much (natural log) the best candidate is worth taking; above 0 it is taken."""

    def spend(self, rank: float, state: SearchState) -> float:
        """Significance used up by taking it."""
        return 0.0


class MML(Criterion):
    """Minimum message length (equations 13 to 18): -dI, natural log."""

    joint = True

    def _weights(self) -> Weights:
        return self.counts.log_factorials

    def rank(self, information: np.ndarray, degrees: np.ndarray) -> np.ndarray:
        return np.asarray(information - math.log(self.counts.size + 1) * degrees)

    def margin(self, rank: float, state: SearchState) -> float:
        return rank - graph_term(state.pairs, state.edges)


class BIC(Criterion):
    """Schwarz's criterion: log-likelihood gained minus half of ln N a parameter."""

    joint = True

    def rank(self, information: np.ndarray, degrees: np.ndarray) -> np.ndarray:
        return np.asarray(information - math.log(max(self.counts.size, 1)) / 2 * degrees)

    def margin(self, rank: float, state: SearchState) -> float:
        return rank


class KL(Criterion):
    """Largest fall of Kullback-Leibler divergence first (KL 2001); nothing stops it but the largest clique allowed."""

    def rank(self, information: np.ndarray, degrees: np.ndarray) -> np.ndarray:
        return np.asarray(information, dtype=float)

    def margin(self, rank: float, state: SearchState) -> float:
        return rank - 1e-12 * max(1.0, float(self.weights[-1]))  # more than rounding


class _Significance(Criterion):
    """G test of conditional independence; candidates are ranked by exact log p, which does not underflow.

    With a seed, p of a thin table comes from draws with fixed margins (see `thin`); without one, as published, from the
    chi-squared distribution whatever the table.
    """

    def __init__(self, counts: Counts, alpha: float, seed: int | None = None) -> None:
        super().__init__(counts, alpha, seed)
        self._drawn: dict[tuple[int, int, int], float] = {}

    def rank(self, information: np.ndarray, degrees: np.ndarray) -> np.ndarray:
        return -log_chi2_tail(2 * np.asarray(information), np.asarray(degrees))

    def settled(self, a: int, b: int, separator: int) -> float | None:
        if self.seed is None or (not separator and not self._thin(a, b)):
            return None
        key = (min(a, b), max(a, b), separator)
        if key not in self._drawn:
            self._drawn[key] = self._log_p(*key)
        log_p = self._drawn[key]
        return None if math.isnan(log_p) else -log_p

    def _thin(self, a: int, b: int) -> bool:
        """True where the table of two variables is thin, by the counts of their levels."""
        margins = [self.counts.margins[self.counts.column[x]] for x in (a, b)]
        return bool(thin_pairs(margins, self.counts.n_rows, self.counts.effect)[0, 1])

    def _log_p(self, a: int, b: int, separator: int) -> float:
        """By draws; NaN where the table is not thin."""
        given = list(bits(separator))
        tables = strata(self.counts.margin((*given, a, b)))
        effect = self.counts.effect
        if not is_thin(tables, effect):
            return math.nan
        rng = seed_of(self.seed or 0, [self.counts.names[x] for x in (a, b, *given)])
        return drawn_log_p(tables, rng, effect=effect)


class Chi2(_Significance):
    """Chordalysis-chi-squared: step i is taken while p < alpha / 2^i / candidates (Petitjean et al. 2013)."""

    def margin(self, rank: float, state: SearchState) -> float:
        return rank + math.log(self.alpha) - state.step * LN2 - math.log(max(state.candidates, 1))


class SMT(_Significance):
    """Subfamilywise multiple testing (Webb & Petitjean 2016): p < what is left of alpha / candidates."""

    def margin(self, rank: float, state: SearchState) -> float:
        left = self.alpha - state.spent
        return rank + math.log(left) - math.log(max(state.candidates, 1)) if left > 0 else -math.inf

    def spend(self, rank: float, state: SearchState) -> float:
        return math.exp(-rank) * state.candidates


class AH(Criterion):
    """Description length after Altmueller & Haralick 2004, reconstructed: the original is a short conference paper
    whose code is not public, and only what Petitjean et al. say of it (sections III and V.A) is known here.

    They say that it counts the parameters of every maximal clique without taking off the overlap, codes the data with
    N H(M), favours complex structures, spends far more than a bit on an edge, and needs a spanning tree of the cliques
    and their topological order. So, with C the maximal cliques: parameters ln N / 2 for each of sum over C of
    (prod r - 1), data N H(M), and the graph stated as its clique tree in topological order: every clique names the
    clique it hangs on, ln V each, and the variables that are new, V in all and so the same for every graph. Joining two
    cliques into one then makes the graph cheaper, whatever its size.

    Of the readings tried on D3 with two levels this one has the paper's shape (about a tenth of the edges false from
    2 x 10^5 to 10^6 rows, 20 or 21 false ones at 10^6 where the paper has 21). Cliques that list all their members,
    |C| ln V each, have a false edge in a hundred there at most. On D1 it does find edges in 100 rows or fewer.
    """

    local = False

    def rank(self, information: np.ndarray, degrees: np.ndarray) -> np.ndarray:
        return np.asarray(information - degrees)

    def costs(self, graph: DecomposableGraph, a: int, others: np.ndarray, separator: int) -> np.ndarray:
        """Of each edge what `_cost` says."""
        return np.array([self._cost(graph, a, b, separator) for b in others.tolist()])

    def _cost(self, graph: DecomposableGraph, a: int, b: int, separator: int) -> float:
        """The cost of the new clique S+a+b, less what S+a and S+b cost where they are maximal cliques now."""
        arity, n = self.counts.arity, max(self.counts.size, 1)

        def clique(members: int) -> float:
            inside = [float(arity[x]) for x in bits(members)]
            return math.log(n) / 2 * (math.prod(inside) - 1) + math.log(len(arity))

        result = clique(separator | 1 << a | 1 << b)
        for x in (a, b):
            common = graph.neighbours[x]
            for y in bits(separator):
                common &= graph.neighbours[y]
            if not common:  # nothing touches all of S+x, so it is maximal
                result -= clique(separator | 1 << x)
        return result

    def margin(self, rank: float, state: SearchState) -> float:
        return rank


def graph_term(pairs: int, edges: int) -> float:
    """ln((M - E) / (E + 1)): what stating one more edge adds to the message; negative in a dense graph."""
    return math.log((pairs - edges) / (edges + 1))


CRITERIA: dict[str, type[Criterion]] = {"mml": MML, "smt": SMT, "chi2": Chi2, "bic": BIC, "kl": KL, "ah": AH}
