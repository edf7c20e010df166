"""How many decimals numbers have, and a headline that says on how few rows it rests."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine import words
from engine.text import People, decapitalized, told


def decimal(numbers: Sequence[float], spread: float, fewest: bool = True) -> list[str]:
    """Numbers with as many decimals as a range of this width has meaning for.

    Parameters
    ----------
    numbers : that stand beside each other
    spread : the range
    fewest : whether zeros that all of them end with are left out

    Returns
    -------
    their texts

    Examples
    --------
    >>> decimal([63.21, 61.9], 12.4), decimal([1.849, 2.0], 0.6)
    (['63', '62'], ['1.85', '2.00'])
    """
    most = 1 - math.floor(math.log10(spread)) if spread > 0 and math.isfinite(spread) else 2
    rounded = [round(number, min(max(most, 0), 12)) + 0.0 for number in numbers]  # no minus before 0
    if any(abs(number) >= 1e7 or 0 < abs(number) < 1e-4 for number in rounded) or most > 12:
        return [words.with_minus(f"{number:.3g}") for number in numbers]
    needed = (d for d in range(13) if d == 12 or all(round(number, d) == number for number in rounded))
    decimals = next(needed) if fewest else max(most, 0)
    return [words.with_minus(f"{number:,.{decimals}f}") for number in rounded]


FEW_ROWS = 30
"""Rows below which a headline says that they are few."""


def of_rows(headline: str, rows: int) -> str:
    """A headline that says so where it rests on few rows.

    Parameters
    ----------
    headline : one sentence
    rows : how many it rests on

    Returns
    -------
    the sentence

    Examples
    --------
    >>> of_rows("No variable is seen to differ.", 12)
    'With only 12 rows, no variable is seen to differ.'
    """
    if rows >= FEW_ROWS:
        return headline
    begins = headline.startswith(("No ", "All ", "Every ", "The "))
    return told("With only {}, {}", People(rows, "row"), decapitalized(headline) if begins else headline)
