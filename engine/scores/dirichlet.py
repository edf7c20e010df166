"""Bayesian Dirichlet scores of discrete families: K2, BDeu, and BDeu with a cost for every parent.

Cooper & Herskovits 1992; Heckerman, Geiger & Chickering 1995; equation 3 of Sverchkov & Cooper 2015: with N_jk rows
that have child level k under parent configuration j, and pseudo-counts alpha_jk,

    local = sum_j [ lnG(alpha_j) - lnG(alpha_j + N_j) + sum_k ( lnG(alpha_jk + N_jk) - lnG(alpha_jk) ) ]
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from engine.counting.backend import kernels, worth_compiling
from engine.counting.requests import (
    Additions,
    Request,
    addition_counts,
    family_counts,
    many_addition_counts,
    many_family_counts,
    sparse_additions,
)
from engine.counting.walk_state import Rows, new_rows
from engine.data.dataset import Dataset
from engine.errors import check_number
from engine.lazy import special
from engine.scores.local import Family, FamilyByName, Weighed

_NOTHING = np.empty(0)
_ESS_WORDS = {
    "label": "Equivalent sample size",
    "help": "How many imaginary rows the prior is worth; they are spread evenly over all cells.",
}
_MOST_LOOKED_UP = 1 << 18  # entries of a pair of lookup tables: 2 MiB
_MOST_CELLS = 1 << 22
"""Cells of tables that are counted at once: 32 MiB."""
_MOST_CLIMBED = 4_000_000
"""Rows times variables up to which the climber counts by itself: beyond, threads and stores are worth more."""


def row_scores(counts: np.ndarray, alpha: float | np.ndarray) -> np.ndarray:
    """Share of every row of (..., r) counts in `local`, with the pseudo-counts `alpha` (...) in each of its cells."""
    cell, r = np.asarray(alpha, dtype=float), counts.shape[-1]
    cells = (special.gammaln(cell[..., None] + counts) - special.gammaln(cell[..., None])).sum(axis=-1)
    return np.asarray(cells + special.gammaln(r * cell) - special.gammaln(r * cell + counts.sum(axis=-1)))


class _Dirichlet(FamilyByName):
    """The common part of K2 and BDeu: everything but the pseudo-count of a cell, and what a parent costs."""

    parent_cost: ClassVar[float] = 0.0

    @abstractmethod
    def cell_prior(self, configurations: float, levels: int) -> float:
        """alpha_jk, the pseudo-count of every cell of a family."""

    def bind(self, data: Dataset) -> BoundDirichlet:
        """This score with its data, as a search wants it.

        Parameters
        ----------
        data : the rows that are explained

        Returns
        -------
        what answers `local(child, parents)` and `additions(child, parents)`, by position
        """
        return BoundDirichlet(self, data)


@dataclass(frozen=True)
class K2(_Dirichlet):
    """Uniform prior, alpha_jk = 1 in every cell (Cooper & Herskovits 1992). Natural log.

    Equivalent DAGs can score differently, so the directions of arcs are the score's own choice.

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 1, 1, 1] * 9], [2, 2], ["smoking", "cough"])
    >>> round(engine.K2().family(data, "cough", ["smoking"]), 3)
    -16.681
    """

    equivalent: ClassVar[bool] = False

    def cell_prior(self, configurations: float, levels: int) -> float:
        """1 in every cell.

        Parameters
        ----------
        configurations, levels : how many parent configurations and child levels there can be
        """
        return 1.0


@dataclass(frozen=True)
class BDeu(_Dirichlet):
    """Equivalent uniform prior, alpha_jk = ess / (q r) (Heckerman et al. 1995). Natural log; score-equivalent.

    Parameters
    ----------
    ess : equivalent sample size, above 0: how many imagined rows the uniform prior is worth

    Raises
    ------
    SettingsError : ess is not a number above 0

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 1, 1, 1] * 9], [2, 2], ["smoking", "cough"])
    >>> round(engine.BDeu(ess=1.0).family(data, "cough", ["smoking"]), 3)
    -16.097
    """

    ess: float = field(default=1.0, metadata=_ESS_WORDS)
    equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_number("ess", self.ess, above=0)

    def cell_prior(self, configurations: float, levels: int) -> float:
        """ess / (q r).

        Parameters
        ----------
        configurations, levels : how many parent configurations and child levels there can be
        """
        return self.ess / (configurations * levels)


@dataclass(frozen=True)
class BDe(BDeu):
    """BDeu less ln 2 for every parent, the "BDe" of Luo, Moffa & Kuipers 2021. Natural log; score-equivalent.

    BiDAG's score of categorical data, whose default halves the prior for every arc (`edgepf = 2`).

    Parameters
    ----------
    ess : equivalent sample size, above 0 (chi in the paper; BiDAG's default is 0.5)

    Raises
    ------
    SettingsError : ess is not a number above 0

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 1, 1, 1] * 9], [2, 2], ["smoking", "cough"])
    >>> round(engine.BDe(ess=1.0).family(data, "cough", ["smoking"]), 3)
    -16.79
    """

    ess: float = field(default=0.5, metadata=_ESS_WORDS)
    parent_cost: ClassVar[float] = math.log(2.0)


class BoundDirichlet:
    """A Dirichlet score bound to a data set; remembers single families."""

    def __init__(self, score: _Dirichlet, data: Dataset) -> None:
        self.score = score
        self.data = data
        self.n_variables = data.n_variables
        self._memo: dict[tuple[int, tuple[int, ...]], float] = {}
        self._gammas: dict[tuple[float, int], tuple[int, np.ndarray, np.ndarray]] = {}

    def configurations(self, parents: Sequence[int]) -> float:
        """Number of possible parent configurations; a float, since it can pass any integer type."""
        return math.prod(float(self.data.arity[x]) for x in parents)

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family; `parents` in ascending order."""
        key = (child, parents)
        if key not in self._memo:
            self._memo[key] = self._score(child, parents, family_counts(self.data, child, parents))
        return self._memo[key]

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of `parents + (x,)` for every x, counted in one pass; -inf where x is in the family.

        `among` (p,) bool: the x that are asked about, all where None; the others are -inf too.
        """
        scores = np.full(self.n_variables, -np.inf)
        wanted = np.ones(self.n_variables, dtype=bool) if among is None else among.copy()
        wanted[[child, *parents]] = False
        candidates = np.flatnonzero(wanted)
        if not len(candidates):
            return scores
        counts = addition_counts(self.data, child, parents, candidates)
        scores[candidates] = self._addition_scores(child, parents, candidates, counts)
        return scores

    def _addition_scores(
        self, child: int, parents: tuple[int, ...], candidates: np.ndarray, counts: Additions | None
    ) -> np.ndarray:
        """(m,) scores of the families with one candidate more; those that are too sparse are counted here."""
        r, levels = int(self.data.arity[child]), self.data.arity[candidates]
        cost, whole = self.score.parent_cost * (len(parents) + 1), self.configurations(parents)
        scores = np.empty(len(candidates))
        if counts is None:
            tables = sparse_additions(self.data, child, parents, candidates)
            for m, (s, table) in enumerate(zip(levels.tolist(), tables, strict=True)):
                scores[m] = kernels().dirichlet_family(table, self.score.cell_prior(whole * s, r))
            return scores - cost
        q = counts.configurations
        for s in set(levels.tolist()):
            members = np.flatnonzero(levels == s)
            alpha = self.score.cell_prior(whole * s, r)
            cells, rows = self._lookups(alpha, r, q * r * s * len(members))
            kernels().dirichlet_additions(counts.tables, members, s, q, r, alpha, cells, rows, scores)
        return scores - cost

    def weigh(self, families: Iterable[Family]) -> Iterator[Weighed]:
        """Score each family and every change of it; rows are passed once for many families."""
        batch: list[tuple[Family, np.ndarray]] = []
        cells = 0.0
        for family in families:
            wanted = np.zeros(self.n_variables, dtype=bool) if family.among is None else family.among.copy()
            wanted[[family.child, *family.parents]] = False
            candidates = np.flatnonzero(wanted)
            arity = self.data.arity
            size = self.configurations((family.child, *family.parents)) * float(arity[candidates].sum() or 1)
            if batch and cells + size > _MOST_CELLS:
                yield from self._weigh_batch(batch)
                batch, cells = [], 0.0
            batch.append((family, candidates))
            cells += size
        yield from self._weigh_batch(batch)

    def _weigh_batch(self, batch: Sequence[tuple[Family, np.ndarray]]) -> Iterator[Weighed]:
        """A candidate's table, summed over the candidate, is the family's own."""
        growing = [Request(item.child, item.parents, candidates) for item, candidates in batch if len(candidates)]
        added = iter(many_addition_counts(self.data, growing) if growing else [])
        alone = [(entry.child, entry.parents) for entry, candidates in batch if not len(candidates)]
        counted = iter(many_family_counts(self.data, alone) if alone else [])
        for (child, parents, required, _), candidates in batch:
            r, additions = int(self.data.arity[child]), np.full(self.n_variables, -np.inf)
            table: np.ndarray | None = None
            if not len(candidates):
                table = next(counted)
            elif (counts := next(added)) is not None:
                q, s = counts.configurations, int(self.data.arity[candidates[0]])
                table = counts.tables[0, : q * r * s].reshape(q, r, s).sum(axis=2)
            local = self._score(child, parents, table)
            if len(candidates):
                additions[candidates] = self._addition_scores(child, parents, candidates, counts) - local
            removals = np.full(len(parents), -np.inf)
            whole = table is not None and len(table) == self.configurations(parents)
            shape = (*self.data.arity[list(parents)].tolist(), r)
            for i, x in enumerate(parents):
                if x not in required:
                    rest = table.reshape(shape).sum(axis=i).reshape(-1, r) if whole and table is not None else None
                    removals[i] = self._score(child, parents[:i] + parents[i + 1 :], rest) - local
            yield Weighed(local, removals, additions)

    def _score(self, child: int, parents: tuple[int, ...], table: np.ndarray | None) -> float:
        """Score of one family from its (J, r) counts, or as `local` finds it."""
        if table is None:
            return self.local(child, parents)
        alpha = self.score.cell_prior(self.configurations(parents), table.shape[1])
        return float(kernels().dirichlet_family(table, alpha)) - self.score.parent_cost * len(parents)

    def climbing_rows(self, by_size: np.ndarray | None = None) -> Rows | None:
        """For the compiled climber; None for a score of one's own, far or many rows, and before compiling pays."""
        n, p = self.data.n_rows, self.n_variables
        widest = int(self.data.arity.max(initial=1))
        fits = self.data.in_memory and 0 < n * p <= _MOST_CLIMBED and n * widest <= 1 << 26 and widest <= 256
        if type(self.score) not in (K2, BDeu, BDe) or not fits or not worth_compiling(n * p * p):
            return None
        costs = -self.score.parent_cost * np.arange(p + 1.0)
        if by_size is not None:
            costs[: len(by_size)] += by_size
        return new_rows(self.data.planes, self.data.codes, getattr(self.score, "ess", 0.0), costs)

    def _lookups(self, alpha: float, r: int, calls: int) -> tuple[np.ndarray, np.ndarray]:
        """lnGamma by count for a cell and for a row, or empty tables as long as the calls do not repay making them."""
        key = (alpha, r)
        n_calls, cells, rows = self._gammas.get(key, (0, _NOTHING, _NOTHING))
        n_calls += calls
        if not len(cells) and 2 * self.data.n_rows < min(n_calls, _MOST_LOOKED_UP):
            cells, rows = np.empty(self.data.n_rows + 1), np.empty(self.data.n_rows + 1)
            kernels().lgamma_rise(alpha, cells)
            kernels().lgamma_rise(alpha * r, rows)
        self._gammas[key] = (n_calls, cells, rows)
        return cells, rows
