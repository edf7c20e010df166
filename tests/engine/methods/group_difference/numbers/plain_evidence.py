"""The evidence for a difference written out over plain rows: slow, obvious, and none of the kernels' code.

From NUMBERS (Evidence 1 to 7) and docstrings: `segments`, `score_sums`, `odds`, one block at a time; `Written` sums
them over parent sets and all orders.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from scipy.special import betaln, gammaln, logsumexp, ndtri
from scipy.stats import rankdata

import engine
from engine.counting.differences.common_kernels import LARGE

NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(31)
LOG_WEIGHTS = np.log(_WEIGHTS / _WEIGHTS.sum())


def worth(a: float, b: float) -> float:
    """ln of what a and b rows with one unknown share are worth: B(a + 1/2, b + 1/2) / B(1/2, 1/2)."""
    return float(betaln(a + 0.5, b + 0.5) - betaln(0.5, 0.5))


def partitions(cells: int, parts: int) -> Iterator[list[tuple[int, int]]]:
    """All ways to cut cells in a row into so many segments, each from one cell to before another."""
    for cuts in itertools.combinations(range(1, cells), parts - 1):
        yield list(itertools.pairwise((0, *cuts, cells)))


def enumerated_segments(first: np.ndarray, second: np.ndarray) -> float:
    """ln mean of P_2 .. P_8 over P_1, every partition written out."""
    cells = len(first)
    means = [
        logsumexp([sum(worth(first[i:j].sum(), second[i:j].sum()) for i, j in cut) for cut in partitions(cells, parts)])
        - math.log(math.comb(cells - 1, parts - 1))
        for parts in range(2, min(8, cells) + 1)
    ]
    return float(logsumexp(means) - math.log(len(means)) - worth(first.sum(), second.sum()))


def summed_segments(first: np.ndarray, second: np.ndarray) -> float:
    """The same by a sum over where the last segment begins, for many cells."""
    cells = len(first)
    one, two = np.append(0, np.cumsum(first)), np.append(0, np.cumsum(second))
    pair = np.full((cells + 1, cells + 1), -np.inf)
    for i, j in itertools.combinations(range(cells + 1), 2):
        pair[i, j] = worth(one[j] - one[i], two[j] - two[i])
    ahead, means = pair[0], []
    for parts in range(2, min(8, cells) + 1):
        ahead = logsumexp(ahead[:, None] + pair, axis=0)
        means.append(ahead[cells] - math.log(math.comb(cells - 1, parts - 1)))
    return float(logsumexp(means) - math.log(len(means)) - pair[0, cells])


def mean_over_labels(sizes: np.ndarray, a: int) -> float:
    """The mean of exp(segments) over all labels with `a` rows of the first group: ways are counted by polynomials."""
    cells, m = len(sizes), int(sizes.sum())
    ends = np.append(0, np.cumsum(sizes)).astype(int)

    def ways(s: int) -> np.ndarray:
        return np.array([math.comb(s, x) * math.exp(worth(x, s - x)) for x in range(s + 1)])

    ahead = {j: ways(ends[j]) for j in range(1, cells + 1)}
    total, most = 0.0, min(8, cells)
    for parts in range(2, most + 1):
        after = {}
        for j in range(parts, cells + 1):
            after[j] = sum(np.convolve(ahead[i], ways(ends[j] - ends[i])) for i in range(parts - 1, j))
        ahead = after
        total += ahead[cells][a] / math.comb(cells - 1, parts - 1) / (most - 1)
    return total / math.comb(m, a) / math.exp(worth(a, m - a))


def cut_cells(values: np.ndarray) -> np.ndarray:
    """The cell of each value: one a distinct value, else equally many rows; at most 32, at most one for four rows."""
    m = len(values)
    most = min(32, m // 4)
    if most < 2:
        return np.zeros(m, dtype=int)
    distinct, ordered = np.unique(values), np.sort(values)
    if len(distinct) <= most:
        return np.searchsorted(distinct, values)
    bounds = {ordered[i * m // most] for i in range(1, most)} - {ordered[0]}
    return np.searchsorted(np.array(sorted(bounds)), values, side="right")


def segments(values: np.ndarray, second: np.ndarray) -> float:
    """The evidence of one block from its values: in blocks under 104 rows over its mean over all labels."""
    cell = cut_cells(values)
    cells = cell.max() + 1
    if cells < 2 or second.all() or not second.any():
        return 0.0
    one, two = (np.bincount(cell[second == g], minlength=cells) for g in (False, True))
    result = summed_segments(one, two)
    return result - math.log(mean_over_labels(one + two, int(one.sum()))) if len(values) < 104 else result


@dataclass
class Line:
    """What the group and a child leave along a line, in one block.

    Attributes
    ----------
    rest : of the child;  share : 1 - R^2 of the group;  free : rows less what was fitted
    """

    rest: np.ndarray
    share: float
    free: float


def lines(y: np.ndarray, x: np.ndarray, group: np.ndarray, block: np.ndarray) -> dict[int, Line]:
    """Least squares inside each block, or by the slope of all blocks where one has at most 8 rows a coefficient."""
    wide = x.shape[1]
    inside = {q: np.flatnonzero(block == q) for q in np.unique(block).tolist()}
    centre = {q: (x[rows] - x[rows].mean(axis=0), group[rows] - group[rows].mean()) for q, rows in inside.items()}
    ridge = 1e-9 * np.eye(wide)
    every = sum(z.T @ z for z, _ in centre.values()) + ridge
    slopes = np.linalg.solve(every, sum(centre[q][0].T @ y[rows] for q, rows in inside.items()))
    to_group = np.linalg.solve(every, sum(z.T @ g for z, g in centre.values()))
    result = {}
    for q, rows in inside.items():
        z, g = centre[q]
        own = wide > 0 and len(rows) > 8 * (wide + 1)
        b = np.linalg.solve(z.T @ z + ridge, z.T @ y[rows]) if own else slopes
        c = np.linalg.solve(z.T @ z + ridge, z.T @ g) if own else to_group
        rest = y[rows] - y[rows].mean()
        for i in range(wide):
            rest = rest - b[i] * z[:, i]  # one after the other, so that equal rows leave equal rests
        left = ((g - z @ c) ** 2).sum() / (g**2).sum() if (g**2).sum() else 0.0
        result[q] = Line(rest, min(max(left, 0.0), 1.0), len(rows) - 1.0 - wide * own)
    return result


def draws(x: np.ndarray, second: int) -> tuple[float, float, float]:
    """Variance, third and fourth cumulant of the sum of `second` of the numbers x, dealt without replacement."""
    n = len(x)
    p = [1.0]
    for k in range(4):
        p.append(p[-1] * (second - k) / (n - k) if n > k else 0.0)
    s2, s3, s4 = ((x**k).sum() for k in (2, 3, 4))
    v = (p[1] - p[2]) * s2  # the numbers sum to nothing, so all sums over different rows are sums of powers
    third = s3 * (p[1] - 3 * p[2] + 2 * p[3])
    fourth = s4 * (p[1] - 7 * p[2] + 12 * p[3] - 6 * p[4]) + 3 * s2 * s2 * (p[2] - 2 * p[3] + p[4])
    return v, third, fourth - 3 * v * v


def score_forms(rest: np.ndarray) -> list[np.ndarray]:
    """Location, spread, shape of one block: z, z^2 to 9 at most, and |z| without its part along these."""
    z = rest / math.sqrt((rest**2).mean())
    spread = (np.minimum(z**2, 9) - np.minimum(z**2, 9).mean()) / math.sqrt(2)
    base = np.column_stack([np.ones(len(z)), z, spread])
    if np.linalg.det(base[:, 1:].T @ base[:, 1:] / len(z)) * 2 <= 1e-9:
        return [z, spread]
    shape = np.abs(z) - base @ np.linalg.lstsq(base, np.abs(z), rcond=None)[0]
    size = math.sqrt((shape**2).mean())
    return [z, spread, shape / size] if size > 0.01 else [z, spread]


def score_sums(
    left: dict[int, Line], x: np.ndarray, group: np.ndarray, block: np.ndarray, asked: list[int]
) -> np.ndarray:
    """(3, 4) by form: u, V, third and fourth cumulant over blocks; cumulants of those where a group has under 20 rows.

    Spread and shape are taken out along the parents as the child itself was.
    """
    result = np.zeros((3, 4))
    inside = {q: np.flatnonzero(block == q) for q in asked}
    forms = {q: score_forms(left[q].rest) for q in asked}
    for f in range(3):
        own = {q: forms[q][f] for q in asked if f < len(forms[q])}
        if f and x.shape[1] and asked:
            rows = np.concatenate([inside[q] for q in asked])
            values = np.concatenate([own.get(q, np.zeros(len(inside[q]))) for q in asked])
            own = {q: line.rest for q, line in lines(values, x[rows], group[rows], block[rows]).items()}
        for q, form in own.items():
            second = group[inside[q]] > 0
            n2, n = int(second.sum()), len(second)
            _, third, fourth = draws(form, n2)
            v = (form**2).sum() / left[q].free * n2 * (n - n2) / n * left[q].share
            few = min(n - n2, n2) < 20
            line = left[q]
            result[f] += form[second].sum(), v, few * third * line.share**1.5, few * fourth * line.share**2
    return result


def score_evidence(u: float, v: float, t: float, third: float = 0.0, fourth: float = 0.0) -> float:
    """ln N(u; 0, V + t^2 V^2) / N(u; 0, V), over its mean over labels as their Hermite series has it."""
    if v <= 1e-12:
        return 0.0
    wide = t * t * v
    rho = wide / (1 + wide)
    mean = 1 + rho**2 * fourth / v**2 / 8 + 10 * rho**3 * third**2 / v**3 / 48
    result = -0.5 * math.log1p(wide) + u * u / (2 * v) * rho - math.log(max(mean, 0.5))
    return min(result, 0.0) if mean > 1.25 else result


def hypergeometric(n1: int, n2: int, some: int) -> tuple[np.ndarray, np.ndarray]:
    """The values that a count of the second group can have, given both margins, and ln of their chances."""
    x = np.arange(max(0, some - n1), min(some, n2) + 1)

    def choose(n: float, k: np.ndarray) -> np.ndarray:
        return np.asarray(gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0))

    return x, choose(n2, x) + choose(n1, some - x) - choose(n1 + n2, np.array(some))


def log_likelihood(tables: list[tuple[int, int, int, int]], theta: np.ndarray) -> np.ndarray:
    """ln P(hits | margins, log odds ratio) less ln P(hits | margins), of blocks (hits, second, some, rows)."""
    result = np.zeros(len(theta))
    for hits, second, some, rows in tables:
        x, ways = hypergeometric(rows - second, second, some)
        result += hits * theta - logsumexp(ways + theta[:, None] * x, axis=1)
    return result


def information(tables: list[tuple[int, int, int, int]]) -> float:
    """The variance of all hits over deals of the groups."""
    return sum(s * (n - s) * b * (n - b) / (n * n * (n - 1)) for _, b, s, n in tables if n > 1)


def odds(tables: list[tuple[int, int, int, int]]) -> float:
    """ln Bayes factor of one log odds ratio, N(0, 1): over 31 nodes, or where these are too far apart a fine sum."""
    if information(tables) <= LARGE:
        return float(logsumexp(LOG_WEIGHTS + log_likelihood(tables, NODES)))
    theta = np.linspace(-6, 6, 2001)
    prior = -0.5 * theta**2 - 0.5 * math.log(2 * math.pi) + math.log(theta[1] - theta[0])
    return float(logsumexp(prior + log_likelihood(tables, theta)))


def dirichlet(counts: np.ndarray, alpha: float) -> float:
    """ln of the Dirichlet-multinomial likelihood of one row of a table."""
    whole = gammaln(alpha * len(counts)) - gammaln(alpha * len(counts) + counts.sum())
    return float(whole + (gammaln(alpha + counts) - gammaln(alpha)).sum())


def log_mean(values: list[float]) -> float:
    """ln of the mean of numbers whose logarithms are given."""
    return float(logsumexp(values) - math.log(len(values)))


def ranked(values: np.ndarray) -> np.ndarray:
    """Normal quantiles of (rank - .5) / n of the whole column, 0 where there is no value."""
    known = ~np.isnan(values)
    result = np.zeros(len(values))
    result[known] = ndtri((rankdata(values[known]) - 0.5) / known.sum())
    return result


@dataclass
class Column:
    """One variable: its levels' codes, and how it is compared.

    Attributes
    ----------
    kind : "number", "ordered" or "nominal";  values : numbers, or codes in order, NaN where missing
    """

    codes: np.ndarray
    levels: int
    kind: str
    values: np.ndarray

    @property
    def scores(self) -> np.ndarray:
        """Of the whole table."""
        return ranked(self.values)


@dataclass
class Written:
    """P(differs) from its definition: every order, every parent set, every possible block.

    Attributes
    ----------
    second : (N,) which rows are the second group's
    tiers : the tier of each variable, the earliest first;  outcome : the variable with a prior of its own
    followed : whether an odds ratio had more information than the fixed nodes are good for
    """

    columns: dict[str, Column]
    second: np.ndarray
    p_none: float = 0.5
    most: int = 3
    tiers: dict[str, int] = field(default_factory=dict)
    outcome: str | None = None
    ess: float = 1.0
    followed: bool = False

    def odds(self, tables: list[tuple[int, int, int, int]]) -> float:
        """The same; notes where nodes of the kernel follow the likelihood, which is exact to five digits."""
        self.followed |= information(tables) > LARGE
        return odds(tables) if information(tables) > 0 else 0.0

    def log_same(self, name: str) -> float:
        """ln of the prior probability that a variable is the same everywhere."""
        if name == self.outcome:
            return math.log(0.5)
        return math.log(self.p_none) / (len(self.columns) - (self.outcome is not None))

    def evidence(self, child: str, parents: tuple[str, ...]) -> tuple[float, float, dict[int, float], float]:
        """ln P(all rows), ln Bayes factor of the common difference, of each block with both groups; possible blocks."""
        y = self.columns[child]
        block, possible = np.zeros(len(self.second), dtype=int), 1
        for name in parents:
            block = block * self.columns[name].levels + self.columns[name].codes
            possible *= self.columns[name].levels
        alpha = self.ess / (possible * y.levels)
        counts = {
            (q, g): np.bincount(y.codes[(block == q) & (self.second == g)], minlength=y.levels)
            for q in range(possible)
            for g in (False, True)
        }
        pooled = sum(dirichlet(counts[q, False] + counts[q, True], alpha) for q in range(possible))
        both = [q for q in range(possible) if counts[q, False].any() and counts[q, True].any()]
        x = [self.columns[name].scores for name in parents if self.columns[name].kind == "number"]
        x = np.column_stack([np.zeros((len(block), 0)), *x])
        one = self.nominal if y.kind == "nominal" else self.scaled
        common, factors = one(y, block, both, x, alpha)
        return pooled, common, factors, float(possible)

    def nominal(
        self, y: Column, block: np.ndarray, both: list[int], x: np.ndarray, alpha: float
    ) -> tuple[float, dict[int, float]]:
        """By odds of each level against the rest; along a line by its indicator, where 10 rows are expected."""
        if not x.shape[1]:
            factors = {}
            tables: list[list[tuple[int, int, int, int]]] = [[] for _ in range(y.levels)]
            for q in both:
                one, two = (np.bincount(y.codes[(block == q) & (self.second == g)], minlength=y.levels) for g in (0, 1))
                factors[q] = dirichlet(one, alpha) + dirichlet(two, alpha) - dirichlet(one + two, alpha)
                for k in range(y.levels):
                    tables[k].append((two[k], two.sum(), one[k] + two[k], one.sum() + two.sum()))
            return log_mean([self.odds(own) for own in tables]), factors
        sums, parts = np.zeros((y.levels, 2)), {q: [] for q in both}
        for k in range(y.levels):
            hit = (y.codes == k) * 1.0
            left = lines(hit, x, self.second * 1.0, block)
            for q in both:
                rows = block == q
                m, b, c = rows.sum(), self.second[rows].sum(), hit[rows].sum()
                if m > 3 and min(b, m - b) * min(c, m - c) / m >= 10:
                    own = left[q]
                    u = own.rest[self.second[rows]].sum()
                    v = (own.rest**2).sum() / own.free * own.share * b * (m - b) / m
                    sums[k] += u, v
                    parts[q].append(score_evidence(u, v, 1.0))
        common = log_mean([score_evidence(u, v, 1.0) for u, v in sums])
        return common, {q: log_mean(own) if own else 0.0 for q, own in parts.items()}

    def scaled(
        self, y: Column, block: np.ndarray, both: list[int], x: np.ndarray, alpha: float
    ) -> tuple[float, dict[int, float]]:
        """By segments in each block, and three scores over all; how often a value is missing beside them."""
        known = ~np.isnan(y.values)
        score, missing = y.scores, []
        left = lines(score[known], x[known], self.second[known] * 1.0, block[known])
        factors, asked = {}, []
        for q in both:
            rows = block == q
            there, second = rows & known, self.second[rows & known]
            lost, kept = (
                np.array([(rows & some & (self.second == g)).sum() for g in (False, True)]) for some in (~known, known)
            )
            factors[q] = 0.0
            if lost.any():
                own = alpha * y.levels / 2
                tables = np.column_stack([lost, kept])
                factors[q] = sum(dirichlet(table, own) for table in tables) - dirichlet(tables.sum(axis=0), own)
                if kept.any():
                    missing.append((lost[1], lost[1] + kept[1], lost.sum(), rows.sum()))
            least = 3 if y.kind == "number" or x.shape[1] else 1
            if kept.all() and there.sum() > least and math.sqrt((left[q].rest ** 2).mean()) >= 1e-3:
                asked.append(q)
                alike = np.unique(score[there], return_counts=True)[1].max()
                if x.shape[1] and alike > 2 * max(4, there.sum() // 32):  # the rest of equal values tells the parents
                    own = score_sums(left, x[known], self.second[known] * 1.0, block[known], [q])[0]
                    factors[q] += score_evidence(own[0], own[1], 0.5, own[2], own[3])
                else:
                    factors[q] += segments(left[q].rest, second)
        sums = score_sums(left, x[known], self.second[known] * 1.0, block[known], asked)
        forms = [score_evidence(u, v, 0.5, third, fourth) for u, v, third, fourth in sums]
        if missing:
            forms.append(self.odds(missing))
        return log_mean(forms), factors

    def family(self, child: str, parents: tuple[str, ...]) -> tuple[float, float, float]:
        """ln of prior x likelihood where the child may differ, where it is the same; and P(it differs | parents)."""
        pooled, common, factors, possible = self.evidence(child, parents)
        log_same = self.log_same(child)
        same, apart = log_same / possible, math.log(-math.expm1(log_same / possible))
        blocks = sum(np.logaddexp(same, apart + factor) for factor in factors.values())  # others are worth 1
        at_least_one = blocks + math.log(-math.expm1(log_same - blocks))
        differs = np.logaddexp(math.log(-math.expm1(log_same)) + common, at_least_one) - math.log(2)
        prior = pooled - math.log(math.comb(len(self.columns) - 1, len(parents)))
        mixed = np.logaddexp(log_same, differs)
        return float(prior + mixed), float(prior + log_same), float(math.exp(differs - mixed))

    def averaged(self) -> dict[str, float]:
        """P(differs) of each variable, over all orders that the tiers allow."""
        names = list(self.columns)
        families = {
            name: {
                parents: self.family(name, parents)
                for size in range(self.most + 1)
                for parents in itertools.combinations([other for other in names if other != name], size)
                if all(self.tiers.get(x, 0) <= self.tiers.get(name, 0) for x in parents)
            }
            for name in names
        }
        worths, differs = [], []
        for order in itertools.permutations(names):
            if any(self.tiers.get(a, 0) > self.tiers.get(b, 0) for a, b in itertools.combinations(order, 2)):
                continue
            whole, own = 0.0, []
            for name in names:
                before = set(order[: order.index(name)])
                allowed = [family for parents, family in families[name].items() if before.issuperset(parents)]
                mixed, same = (logsumexp([family[k] for family in allowed]) for k in (0, 1))
                whole += mixed
                own.append(-math.expm1(same - mixed))
            worths.append(whole)
            differs.append(own)
        weights = np.exp(np.array(worths) - logsumexp(worths))
        return dict(zip(names, weights @ np.array(differs), strict=True))


def written(data: engine.Dataset, group: str, ordered: tuple[str, ...] = (), **choices: object) -> Written:
    """The same of a data set in memory: codes and levels are its own, numbers and what is missing the table's."""
    groups = data.levels[group]
    label = data.column(group)
    codes = [data.levels[group].index(level) for level in groups]
    rows = np.isin(label, codes)
    columns = {}
    for name in data.names:
        if name == group:
            continue
        code, levels = data.column(name)[rows].astype(int), data.levels[name]
        gap = data.missing_level(name)
        absent = code == (levels.index(gap) if gap is not None else -1)
        numeric = data.kinds[name] == "continuous"
        kind = "number" if numeric else "ordered" if name in ordered else "nominal"
        values = data.values(name)[rows].astype(float) if numeric else np.where(absent, np.nan, code.astype(float))
        columns[name] = Column(code, len(levels), kind, values)
    return Written(columns, label[rows] == codes[1], **choices)  # type: ignore[arg-type]
