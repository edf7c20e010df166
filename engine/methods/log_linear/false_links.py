"""How often a criterion finds a link in tables that have none, as measured: `false_links.csv` beside this file.

The table is made by `benchmarks.calibration.methods.log_linear`: unrelated variables with even shares, tests at
alpha .05.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine import words

TABLE = Path(__file__).parent / "false_links.csv"
MANY = 0.1
"""From this share of tables with a false link on, the answer is said to be unsafe."""
FAR = 10
"""From so many times the pairs of what was measured on, that is said too."""
_NAMES = {"chi2": "chi-squared"}


@dataclass(frozen=True)
class FalseLinks:
    """One line of the table.

    Attributes
    ----------
    criterion : with " joint" behind it where two edges at once were tried too
    rows, variables, levels : of the tables drawn
    any_link : share of them with a false link;  mean_links : false links a table
    tables : how many were drawn
    """

    criterion: str
    rows: int
    variables: int
    levels: int
    any_link: float
    mean_links: float
    tables: int


@cache
def measured() -> tuple[FalseLinks, ...]:
    """The whole table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            FalseLinks(
                row["criterion"],
                int(row["rows"]),
                int(row["variables"]),
                int(row["levels"]),
                float(row["any_link"]),
                float(row["mean_links"]),
                int(row["tables"]),
            )
            for row in csv.DictReader(file)
        )


def nearest(criterion: str, joint: bool, rows: int, variables: int, levels: float) -> FalseLinks | None:
    """The line of the table nearest to this size, on logarithmic scales; None where the criterion was not measured.

    Parameters
    ----------
    criterion, joint : as the settings have them
    rows, variables : of the table at hand
    levels : of its variables, their geometric mean
    """
    wanted = f"{criterion} joint" if joint else criterion
    lines = [item for item in measured() if item.criterion == wanted]
    if not lines or min(rows, variables, levels) <= 0:
        return None

    def distance(false_links: FalseLinks) -> float:
        pairs = ((false_links.rows, rows), (false_links.variables, variables), (false_links.levels, levels))
        return sum(math.log(mine / other) ** 2 for mine, other in pairs)

    return min(lines, key=distance)


def false_links_sentence(criterion: str, joint: bool, rows: int, variables: int, levels: float) -> str:
    """The measured rate of false links nearest to this size, as a sentence; "" where there is none.

    Parameters
    ----------
    criterion, joint, rows, variables, levels : as `nearest` takes them
    """
    item = nearest(criterion, joint, rows, variables, levels)
    if item is None:
        return ""
    name = f"{_NAMES.get(criterion, criterion.upper())}{' with two links at once' if joint else ''}"
    often = f"{item.any_link:.0%}" if item.any_link >= 0.01 else "fewer than 1%" if item.any_link else "none"
    text = (
        f"Of {item.tables} tables of {words.count(item.rows, 'row')} and {item.variables} unrelated variables of "
        f"{item.levels} levels, the nearest size that was measured, {often} had a link by {name}"
    )
    pairs = variables * (variables - 1) / (item.variables * (item.variables - 1))
    beyond = (
        f" This table has some {words.count(round(pairs), 'time')} as many pairs of variables; how often chance shows "
        "a link among so many was not measured."
        if pairs >= FAR
        else ""
    )
    if item.any_link <= MANY:
        return f"{text}.{beyond}"
    each = f", {item.mean_links:.1f} on average" if item.mean_links >= 1 else ""
    size = f"{words.count(rows, 'row')} and {words.count(variables, 'variable')}"
    return f"With {size} a link may well be chance. {text}{each}.{beyond}"
