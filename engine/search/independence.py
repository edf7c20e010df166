"""Tests of conditional independence: is x still tied to y within the strata of some other variables?

A test answers for many sets of other variables at once, since that is how a constraint-based search asks.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, Protocol, get_args

import numpy as np

from engine.counting.backend import kernels
from engine.counting.requests import family_table, strata_counts
from engine.data.dataset import Dataset
from engine.errors import SettingsError, check_choice
from engine.lazy import pd, special
from engine.models.copula import concordance, copula_correlation, rank_correlation
from engine.scores.gaussian import BoundGaussian, code_correlation
from engine.scores.local import BoundScore
from engine.scores.parts import ScoreParts
from engine.search.ordinal_regression import OrdinalRegression
from engine.words import count, p_value

TestName = Literal[
    "auto", "chi_squared", "g_squared", "jonckheere", "fisher_z", "kendall", "copula", "ordinal_regression"
]
TESTS: tuple[TestName, ...] = get_args(TestName)
"""The short names of the tests; "auto" is Fisher's z where the score has correlations, else chi-squared."""

FewRows = Literal["tested", "independent"]
FEW: tuple[FewRows, ...] = get_args(FewRows)
"""What becomes of a table with few rows for its degrees of freedom."""
ENOUGH_ROWS = 10
"""Rows for each degree of freedom below which pcalg does not test."""
CHI_SQUARED = r"\chi^2 = \sum_j \sum_{x,y} \frac{(N_{jxy} - E_{jxy})^2}{E_{jxy}}"
G_SQUARED = r"G^2 = 2 \sum_j \sum_{x,y} N_{jxy} \ln\frac{N_{jxy}}{E_{jxy}}"
EXPECTED = r"E_{jxy} = \frac{N_{jx} N_{jy}}{N_j}"
_MOST_TOGETHER = 1 << 20
"""Cells of the tables that are counted in one pass."""


class IndependenceTest(Protocol):
    """A test with its data: what a constraint-based search sees."""

    n_variables: int

    def p_values(self, x: int, y: int, groups: np.ndarray) -> np.ndarray:
        """(m,) p-values of "x and y are independent given these", for each row of (m, l) other variables."""
        ...


class FisherZ:
    """Fisher's z of partial correlations: sqrt(N - l - 3) atanh(r) is standard normal under independence."""

    def __init__(self, correlation: np.ndarray, n_rows: int) -> None:
        self.n_variables = len(correlation)
        self.n_rows = n_rows
        self._correlation = np.ascontiguousarray(correlation, dtype=float)

    def p_values(self, x: int, y: int, groups: np.ndarray) -> np.ndarray:
        """(m,) two-sided p-values given each row of (m, l) other variables; 1 where the rows are too few."""
        left = self.n_rows - groups.shape[1] - 3
        if left <= 0:
            return np.ones(len(groups))
        result = np.empty(len(groups))
        kernels().partial_correlations(self._correlation, x, y, groups, result)
        bounded = np.clip(np.abs(result), 0.0, 1 - 1e-15)
        z = math.sqrt(left) * np.arctanh(bounded)
        return np.array([math.erfc(item / math.sqrt(2)) for item in z.tolist()])


class _Stratified(ABC):
    """Base of tests on tables: those of x and y, one for each configuration of the others that occurs."""

    def __init__(self, data: Dataset) -> None:
        self.n_variables = data.n_variables
        self.data = data

    def p_values(self, x: int, y: int, groups: np.ndarray) -> np.ndarray:
        """(m,) p-values given each row of (m, l) other variables."""
        wanted = [(*group, x, y) for group in groups.tolist()]
        result: list[float] = []
        while wanted:
            many = self._together(wanted)
            result += map(self.p_value, strata_counts(self.data, wanted[:many]))
            wanted = wanted[many:]
        return np.array(result)

    @abstractmethod
    def p_value(self, tables: np.ndarray) -> float:
        """The p-value of (J, r, s) counts, one table of x by y for each stratum."""

    def _together(self, wanted: list[tuple[int, ...]]) -> int:
        """Number of the first tables counted in one pass over the rows: what memory allows, at least one."""
        cells = 0
        for many, group in enumerate(wanted):
            r, s = (int(self.data.arity[x]) for x in group[-2:])
            strata = math.prod(int(self.data.arity[x]) for x in group[:-2])
            cells += min(strata, max(self.data.n_rows, 1)) * r * s
            if many and cells > _MOST_TOGETHER:
                return many
        return len(wanted)


class ChiSquared(_Stratified):
    """Pearson's chi-squared or, with `likelihood`, G-squared, summed over the strata.

    A stratum has (rows that occur - 1)(columns that occur - 1) degrees of freedom. Without any the p-value is 1.
    """

    def __init__(self, data: Dataset, *, likelihood: bool = False) -> None:
        super().__init__(data)
        self.likelihood = likelihood

    def p_value(self, tables: np.ndarray) -> float:
        """The p-value of (J, r, s) counts, one table of x by y for each stratum."""
        degrees = self.degrees_of(tables)
        return float(special.chdtrc(degrees, self.statistic(tables))) if degrees else 1.0

    def degrees_of(self, tables: np.ndarray) -> int:
        """Degrees of freedom of (J, r, s) counts."""
        rows, columns = tables.sum(axis=2) > 0, tables.sum(axis=1) > 0
        return int(np.sum(np.maximum(rows.sum(axis=1) - 1, 0) * np.maximum(columns.sum(axis=1) - 1, 0)))

    def statistic(self, tables: np.ndarray) -> float:
        """Chi-squared or G-squared of (J, r, s) counts."""
        rows, columns, whole = tables.sum(axis=2), tables.sum(axis=1), tables.sum(axis=(1, 2))
        expected = rows[:, :, None] * columns[:, None, :] / np.maximum(whole, 1)[:, None, None]
        there = expected > 0
        counts, expected = tables[there], expected[there]
        if not self.likelihood:
            return float(np.sum((counts - expected) ** 2 / expected))
        seen = counts > 0
        return max(2 * float(np.sum(counts[seen] * np.log(counts[seen] / expected[seen]))), 0.0)


def chi_squared_parts(data: Dataset, pair: tuple[str, str], given: Sequence[str], test: str) -> ScoreParts:
    """The counts behind a test of two variables given others, and what every stratum adds to the statistic.

    Parameters
    ----------
    data : the rows
    pair, given : names of the variables
    test : "chi_squared" or "g_squared"

    Returns
    -------
    `ScoreParts`, whose terms sum to the statistic; the source has degrees of freedom and p

    Examples
    --------
    >>> from engine.search.independence import chi_squared_parts
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 1, 1, 1] * 9], [2, 2], ["smoking", "cough"])
    >>> round(chi_squared_parts(data, ("smoking", "cough"), [], "chi_squared").total, 3)
    12.0
    """
    x, y, *others = (data.index(name) for name in (*pair, *given))
    bound = ChiSquared(data, likelihood=test == "g_squared")
    (tables,) = strata_counts(data, [(*others, x, y)])
    tables = tables[tables.sum(axis=(1, 2)) > 0]
    configurations, counts = family_table(data, y, [*others, x])
    columns = [*given, pair[0]]
    levels = {f"{z} =": [data.levels[z][code] for code in configurations[:, i]] for i, z in enumerate(columns)}
    found = {f"{pair[1]} = {level}": counts[:, code] for code, level in enumerate(data.levels[pair[1]])}
    terms = [
        (f"stratum {number}: {int(table.sum()):,} rows", bound.statistic(table[None]))
        for number, table in enumerate(tables, 1)
    ]
    degrees, p = bound.degrees_of(tables), bound.p_value(tables)
    source = f"{count(degrees, 'degree')} of freedom, {p_value(p)}; only levels that occur count"
    equation = G_SQUARED if bound.likelihood else CHI_SQUARED
    return ScoreParts(equation, EXPECTED, source, pd.DataFrame(levels | found), tuple(terms), "statistic")


class FullGSquared(ChiSquared):
    """G-squared as pcalg's `disCItest`: all degrees of freedom, and independence where the rows are few.

    Every stratum that the levels allow has (r - 1)(s - 1) degrees, whether rows are in it or not. With fewer than
    `ENOUGH_ROWS` rows for each degree nothing is tested, and the p-value is 1.
    """

    def __init__(self, data: Dataset, n_rows: float | None = None) -> None:
        super().__init__(data, likelihood=True)
        self._n_rows = data.n_rows if n_rows is None else n_rows

    def p_values(self, x: int, y: int, groups: np.ndarray) -> np.ndarray:
        """(m,) p-values given each row of (m, l) other variables."""
        degrees, result = self.degrees(x, y, groups), np.ones(len(groups))
        for k in np.flatnonzero((degrees > 0) & (self._n_rows >= ENOUGH_ROWS * degrees)):
            (tables,) = strata_counts(self.data, [(*groups[k].tolist(), x, y)])
            result[k] = special.chdtrc(degrees[k], self.statistic(tables))
        return result

    def degrees(self, x: int, y: int, groups: np.ndarray) -> np.ndarray:
        """(m,) degrees of freedom of all strata, a float since they may be very many."""
        arity = self.data.arity.astype(float)
        return np.asarray((arity[x] - 1) * (arity[y] - 1) * arity[groups].prod(axis=1))


class Jonckheere(_Stratified):
    """Test of a trend between ordered variables (Jonckheere 1954; Terpstra 1952), as bnlearn's "jt".

    The statistics of the strata, each less its mean, are added and divided by the root of the sum of their variances,
    which are corrected for ties; the result is standard normal under independence. Two-sided; 1 without any variance.
    """

    def p_value(self, tables: np.ndarray) -> float:
        """The p-value of (J, r, s) counts, one table of x by y for each stratum."""
        variance = float(_jonckheere_variance(tables.astype(float)).sum())
        if variance <= 0:
            return 1.0
        return math.erfc(abs(concordance(tables)) / 2 / math.sqrt(2 * variance))


def _jonckheere_variance(counts: np.ndarray) -> np.ndarray:
    """(J,) variances of the statistic in (J, r, s) tables; the statistic less its mean is half the `concordance`."""
    n = counts.sum(axis=(1, 2))
    rows, columns = counts.sum(axis=2), counts.sum(axis=1)

    def sums(of: Any) -> np.ndarray:
        return np.asarray(of.sum(axis=1))

    first = n * (n - 1) * (2 * n + 5)
    first = first - sums(rows * (rows - 1) * (2 * rows + 5)) - sums(columns * (columns - 1) * (2 * columns + 5))
    second = sums(rows * (rows - 1) * (rows - 2)) * sums(columns * (columns - 1) * (columns - 2))
    third = sums(rows * (rows - 1)) * sums(columns * (columns - 1))
    pairs, triples = n * (n - 1), n * (n - 1) * (n - 2)
    second = np.divide(second, 36 * triples, out=np.zeros_like(n), where=triples > 0)
    third = np.divide(third, 8 * pairs, out=np.zeros_like(n), where=pairs > 0)
    return np.asarray(first / 72 + second + third)


def bound_test(
    test: TestName, data: Dataset, score: BoundScore, few: FewRows = "tested", seed: int = 0
) -> IndependenceTest:
    """A test with its data; the seed is of what "copula" draws."""
    check_test(test, few)
    if isinstance(score, BoundGaussian) and test in ("fisher_z", "auto"):
        return FisherZ(score.correlation, int(score.n_rows))
    if test == "fisher_z":
        return FisherZ(code_correlation(data), data.n_rows)
    if test == "kendall":
        return FisherZ(rank_correlation(data), data.n_rows)
    if test == "copula":
        return FisherZ(copula_correlation(data.codes, seed), data.n_rows)
    if test == "ordinal_regression":
        return OrdinalRegression(data)
    if test == "jonckheere":
        return Jonckheere(data)
    if few == "independent":
        return FullGSquared(data)
    return ChiSquared(data, likelihood=test == "g_squared")


def check_test(test: object, few: object = "tested") -> None:
    """Refuse what is no test."""
    check_choice("test", test, TESTS)
    check_choice("few", few, FEW)
    if few == "independent" and test != "g_squared":
        raise SettingsError(f"few='independent' is for the test 'g_squared', not for {test!r}.", setting="few")
