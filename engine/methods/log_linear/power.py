"""Before anything runs: whether a table can be analysed, how weak an edge it could show, and what its levels cost."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.data.dataset import Dataset
from engine.lazy import pd, special
from engine.methods import frames
from engine.methods.log_linear.criteria import graph_term
from engine.methods.log_linear.message import data_length, entropy_sum
from engine.methods.unfit import lone_column

TABLE = Path(__file__).parent / "false_links.csv"


@cache
def measured() -> tuple[Any, ...]:
    """The lines of the table.

    Each has criterion (" joint" behind it where two edges at once were tried too); rows, variables and levels of the
    tables drawn; any_link, the share of them with a false link; mean_links, false links a table; and tables, how many
    were drawn.
    """
    return tuple(pd.read_csv(TABLE).itertuples(index=False, name="FalseLinks"))


def nearest(criterion: str, joint: bool, rows: int, variables: int, levels: float) -> Any:
    """The line of the table nearest to this size, on logarithmic scales; None where the criterion was not measured.

    Parameters
    ----------
    criterion, joint : as the settings have them
    rows, variables : of the table at hand
    levels : of its variables, their geometric mean
    """
    wanted = f"{criterion} joint" if joint else criterion
    lines = [line for line in measured() if line.criterion == wanted]
    if not lines or min(rows, variables, levels) <= 0:
        return None

    def distance(false_links: Any) -> float:
        pairs = ((false_links.rows, rows), (false_links.variables, variables), (false_links.levels, levels))
        return sum(math.log(mine / other) ** 2 for mine, other in pairs)

    return min(lines, key=distance)


MOST_VARIABLES = 8_000
"""The ranks of all pairs of so many variables take half a gigabyte."""
POWER = 0.8
PRICED = ("mml", "bic", "smt", "chi2")
"""Criteria for which it is known how strong a first link must be."""

ASKED = 6
"""Variables, from the easiest to the hardest, whose pairs are asked how strong a link must be."""
Margins = tuple[str, Sequence[str], np.ndarray]
"""Name, levels and their counts, of one variable."""


def refusal(data: Dataset) -> str:
    """Why a table cannot be analysed, "" where it can."""
    if refused := lone_column(data):
        return refused
    if data.n_rows < 1:
        return "The table has no rows; choose another."
    if data.n_variables > MOST_VARIABLES:
        return too_many(data.n_variables)
    return ""


def too_many(variables: int) -> str:
    """Why so many variables cannot be analysed."""
    return (
        f"{variables:,} variables are more than the {MOST_VARIABLES:,} whose pairs are ranked in half a gigabyte of "
        "memory; choose fewer."
    )


def shifts_needed(
    margins: Sequence[Margins], criterion: str = "mml", alpha: float = 0.05
) -> list[tuple[float, Margins, Margins]]:
    """The shifts from which links of some pairs, easy and hard ones, show in 8 of 10 tables like this one.

    Parameters
    ----------
    margins : of every variable
    criterion, alpha : as `LogLinear` takes them

    Returns
    -------
    `smallest_shift` and the two, the least first; none where the criterion has no such limit
    """
    hard = sorted((margin for margin in margins if np.count_nonzero(margin[2]) > 1), key=_difficulty)
    if criterion not in PRICED or len(hard) < 2:
        return []
    pairs = len(margins) * (len(margins) - 1) // 2
    some = [hard[i] for i in sorted(set(np.linspace(0, len(hard) - 1, ASKED).round().astype(int).tolist()))]
    result = [
        (smallest_shift(first[2], second[2], pairs, criterion, alpha), first, second)
        for second, first in itertools.combinations(some, 2)  # the shift is that of the easier one's shares
    ]
    return sorted(result, key=lambda line: line[0])


def share_of_yes(odds_ratio: float) -> float:
    """The share p that, beside 1 - p in the other half of the rows, makes this odds ratio: (p / (1 - p)) squared."""
    return math.sqrt(odds_ratio) / (1 + math.sqrt(odds_ratio))


def smallest_shift(first: np.ndarray, second: np.ndarray, pairs: int, criterion: str, alpha: float = 0.05) -> float:
    """The shift of a share from which a first link between two variables shows with `POWER`.

    The commonest level of either goes along with that of the other, all margins as they are; the shift is how much more
    common the one is with the other than without. G is then noncentral chi-squared with G of the expected counts.

    Parameters
    ----------
    first, second : counts of the levels of either variable, declared ones that do not occur as 0
    pairs : of variables in the table
    criterion, alpha : as `LogLinear` takes them

    Returns
    -------
    a difference of shares from 0 to 1; infinite where no link is strong enough
    """
    rows, df = float(first.sum()), (len(first) - 1.0) * (len(second) - 1.0)
    own, its = (np.sort(x[x > 0])[::-1] / x.sum() for x in (first, second))
    p, q = float(own[0]), float(its[0])
    places = np.ix_(*(np.minimum(np.arange(len(x)), 1) for x in (own, its)))
    within = np.outer(*(np.concatenate([[1.0], x[1:] / x[1:].sum()]) for x in (own, its)))
    margins = rows * own, rows * its
    expected = entropy_sum(margins[0]) + entropy_sum(margins[1]) - entropy_sum(np.array([rows]))
    if criterion == "mml":
        parameters = math.log(rows + 1) * df + graph_term(pairs, 0) - sum(map(data_length, margins))
    elif criterion == "bic":
        needed = df * math.log(rows)
    else:
        needed = float(special.chdtri(df, alpha / pairs / (2 if criterion == "chi2" else 1)))

    def reached(delta: float) -> bool:
        """True where the first link pays with `POWER` if the commonest cell holds `delta` more than chance has it."""
        block = np.array([[p * q + delta, p * (1 - q) - delta], [(1 - p) * q - delta, (1 - p) * (1 - q) + delta]])
        cells = rows * block[places] * within
        g = 2 * (entropy_sum(cells) - expected)
        bar = 2 * (parameters + data_length(cells)) + g if criterion == "mml" else needed
        power = 1.0 - float(special.chndtr(max(bar, 0.0), (len(own) - 1) * (len(its) - 1), max(g, 1e-9)))
        return power >= POWER

    for sign, most in ((1, min(p * (1 - q), (1 - p) * q)), (-1, min(p * q, (1 - p) * (1 - q)))):
        low, high = 0.0, most * (1 - 1e-9)
        if not reached(sign * high):
            continue
        for _ in range(20):
            middle = (low + high) / 2
            low, high = (low, middle) if reached(sign * middle) else (middle, high)
        return high / (p * (1 - p))
    return math.inf


def _difficulty(margin: Margins) -> tuple[float, str]:
    """Variables with many levels or one common level show their links last."""
    name, levels, counts = margin
    share = float(counts.max()) / float(counts.sum())
    return (len(levels) - 1) / (share * (1 - share)), name


def level_table(data: Dataset) -> pd.DataFrame:
    """Every variable with its levels: declared, observed, and the share of rows of the most frequent one."""
    rows = []
    for name in data.names:
        counts = np.bincount(data.column(name), minlength=len(data.levels[name]))
        share = float(counts.max(initial=0)) / max(data.n_rows, 1)
        rows.append((name, len(data.levels[name]), int((counts > 0).sum()), share))
    return frames.data_frame(rows, columns=["variable", "levels declared", "levels observed", "most frequent"])
