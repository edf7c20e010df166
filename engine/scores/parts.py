"""The score of one family taken apart: its counts, its prior, and the terms that sum to it, beside the equation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.counting.requests import family_table
from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.lazy import pd, special
from engine.scores.dirichlet import K2, BDe, BDeu, row_scores
from engine.scores.gaussian import BGe, GaussianBIC
from engine.scores.local import LocalScore

DIRICHLET = r"\sum_j \Big[ \ln\frac{\Gamma(\alpha_j)}{\Gamma(\alpha_j + N_j)}"
DIRICHLET += r" + \sum_k \ln\frac{\Gamma(\alpha_{jk} + N_{jk})}{\Gamma(\alpha_{jk})} \Big]"
GAUSSIAN_BIC = r"-\frac{N}{2} \big[ \ln v + 1 + \ln 2\pi \big] - \lambda \frac{\ln N}{2} m"
BGE = r"c_m - s_m \ln v - \tfrac{1}{2} \ln \det M_{\mathrm{parents}}"
PRIORS = {
    K2: r"\alpha_{jk} = 1",
    BDeu: r"\alpha_{jk} = \frac{\text{equivalent sample size}}{q\,r}",
    BDe: r"\alpha_{jk} = \frac{\text{equivalent sample size}}{q\,r},\ \text{less } \ln 2 \text{ for each parent}",
}


@dataclass(frozen=True, eq=False)
class ScoreParts:
    """The parts of a family's score.

    Attributes
    ----------
    equation, prior : in LaTeX; the prior is empty where there is none
    source : where the equation stands
    table : the numbers that go into it
    terms : (words, value); they sum to the score
    unit : of the terms
    """

    equation: str
    prior: str
    source: str
    table: pd.DataFrame
    terms: tuple[tuple[str, float], ...]
    unit: str = "nats"

    @property
    def total(self) -> float:
        """The score of the family."""
        return math.fsum(value for _, value in self.terms)

    def tabulate_terms(self) -> pd.DataFrame:
        """The terms and their sum.

        Returns
        -------
        pandas.DataFrame with `term` and a column named as the unit
        """
        return pd.DataFrame([*self.terms, ("sum", self.total)], columns=["term", self.unit])


def score_parts(data: Dataset, child: str, parents: Sequence[str], score: LocalScore) -> ScoreParts:
    """The terms of a family's score, with the counts and pseudo-counts that they are made of.

    Parameters
    ----------
    data : the rows that are explained
    child, parents : names of the family
    score : `K2`, `BDeu`, `BDe`, `GaussianBIC` or `BGe`

    Returns
    -------
    `ScoreParts`; its terms sum to `score.family(data, child, parents)`, in nats

    Raises
    ------
    DataError : the data have no such variable
    SettingsError : another score, whose equation is not known here

    Examples
    --------
    >>> from engine.scores.parts import score_parts
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 1, 1, 1] * 9], [2, 2], ["smoking", "cough"])
    >>> parts = score_parts(data, "cough", ["smoking"], engine.K2())
    >>> round(parts.total, 3)
    -16.681
    """
    group = sorted(parents, key=data.index)
    if isinstance(score, GaussianBIC | BGe):
        return _gaussian_parts(data, child, group, score)
    if type(score) not in PRIORS or not isinstance(score, K2 | BDeu):
        raise SettingsError(f"The parts of {score!r} are not known; choose K2, BDeu, BDe, GaussianBIC or BGe.")
    configurations, counts = family_table(data, data.index(child), [data.index(name) for name in group])
    q, r = math.prod(float(len(data.levels[name])) for name in group), len(data.levels[child])
    alpha = score.cell_prior(q, r)
    sums = counts.sum(axis=1)
    rows = {f"{x} =": [data.levels[x][code] for code in configurations[:, i]] for i, x in enumerate(group)}
    table = pd.DataFrame(rows, index=range(len(counts)))
    for code, level in enumerate(data.levels[child]):
        table[f"{child} = {level}"] = counts[:, code]
    table["N"] = sums
    table["α of a cell"], table["α of the row"] = alpha, alpha * r
    table["score"] = row_scores(counts, alpha)
    gamma = special.gammaln
    terms = [
        ("rows: ln Γ(α) − ln Γ(α + N)", len(sums) * gamma(alpha * r) - gamma(alpha * r + sums).sum()),
        ("cells: ln Γ(α + N) − ln Γ(α)", gamma(alpha + counts).sum() - counts.size * gamma(alpha)),
    ]
    if score.parent_cost:
        terms.append(("cost of the parents", -score.parent_cost * len(group)))
    symbols = "q configurations of the parents, r levels; " if score.equivalent else ""
    source = f"equation 3 of Sverchkov & Cooper 2015; {symbols}configurations without rows add 0"
    return ScoreParts(DIRICHLET, PRIORS[type(score)], source, table, _floats(terms))


def _gaussian_parts(data: Dataset, child: str, parents: list[str], score: GaussianBIC | BGe) -> ScoreParts:
    """Of a score of normal families, whose numbers are a matrix, the variance that is left, and constants."""
    target, group = data.index(child), [data.index(name) for name in parents]
    matrix, constants, slopes, share = score.bind(data).form()
    inside = matrix[np.ix_(group, group)]
    left = matrix[target, target]
    if group:
        left = left - matrix[target, group] @ np.linalg.solve(inside, matrix[group, target])
    m, n = len(group), data.n_rows
    table = pd.DataFrame(
        [("rows N", float(n)), ("parents m", float(m)), ("v, the variance that the parents leave", float(left))],
        columns=["quantity", "value"],
    )
    fit = -slopes[m] * math.log(left)
    if isinstance(score, GaussianBIC):
        penalty = -score.penalty * math.log(n) / 2 * m
        terms = [
            ("fit: −N/2 ln v", fit),
            ("constant: −N/2 (1 + ln 2π)", constants[m] - penalty),
            ("penalty: −λ ln(N)/2 m", penalty),
        ]
        return ScoreParts(GAUSSIAN_BIC, "", "Schwarz 1978, with a factor of the penalty", table, _floats(terms))
    determinant = float(np.linalg.slogdet(inside)[1]) if group else 0.0
    terms = [
        ("constant of m parents", constants[m]),
        ("fit: −s ln v", fit),
        ("parents: −1/2 ln det M", -share * determinant),
    ]
    source = "Geiger & Heckerman 2002, determinants as in Kuipers, Moffa & Heckerman 2014"
    return ScoreParts(BGE, r"M = t I + S", source, table, _floats(terms))


def _floats(terms: Sequence[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    return tuple((words, float(value)) for words, value in terms)
