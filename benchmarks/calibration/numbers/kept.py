"""What every table gave at one commit: written as it comes, read again to go on, and set beside another commit's."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scipy.stats import beta

from benchmarks.calibration.group_differences import Counted
from benchmarks.calibration.numbers.measuring import KEPT, SLACK, NumberShare
from benchmarks.calibration.related_rows import SURELY
from benchmarks.calibration.shares import CHANCE, HEAD, MET, MISSED

COMPARE = "COMPARE "
"""How the names of COMPARE's cells begin."""


@dataclass(eq=False)
class Kept:
    """The tables of one commit.

    Attributes
    ----------
    commit, seed : of the engine, and of the tables
    tables : cell -> number of a table -> (a number that tells whether two tables were drawn alike, what it gave)
    seconds : CPU time by cell
    """

    commit: str
    seed: int
    tables: dict[str, dict[int, tuple[int, Counted]]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> Kept:
        """What `write` wrote."""
        told = json.loads(file.read_text(encoding="utf-8"))
        tables = {
            cell: {
                int(t): (mark, {name: tuple(values) for name, values in given.items()})
                for t, (mark, given) in own.items()
            }
            for cell, own in told["tables"].items()
        }
        return cls(told["commit"], told["seed"], tables, told["seconds"])

    def write(self, file: Path) -> None:
        """As JSON; the file is whole at every moment."""
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        part.write_text(json.dumps(vars(self), ensure_ascii=False), encoding="utf-8")
        part.replace(file)

    def shares(self, cell: str, number: int, held: bool) -> list[NumberShare]:
        """Every quantity of the first `number` tables of a cell."""
        total: dict[str, list[float]] = {}
        for t, (_, given) in sorted(self.tables.get(cell, {}).items()):
            for quantity, values in given.items() if t < number else ():
                place = total.setdefault(quantity, [0, 0, 0.0])
                for k, value in enumerate(values):
                    place[k] += value
        seconds = self.seconds.get(cell, 0.0)
        ordered = sorted(total.items(), key=lambda item: item[0] if item[0].startswith("P(") else "")
        return [
            NumberShare(cell, quantity, int(hits), int(of), expected, held, seconds)
            for quantity, (hits, of, expected) in ordered
            if of
        ]


def beside(new: Kept, old: Kept, cells: list[str]) -> Iterator[str]:
    """Rows of a table: every quantity of these cells on the tables that both commits drew."""
    yield f"| cell | quantity | tables | {old.commit} | {new.commit} | lost | won | change, 95 % | verdict |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for cell in cells:
        both = sorted(set(new.tables[cell]) & set(old.tables.get(cell, {})))
        alike = [t for t in both if new.tables[cell][t][0] == old.tables[cell][t][0]]
        if len(alike) < len(both):
            yield f"| {cell} | {len(both) - len(alike)} tables were drawn otherwise | | | | | | | |"
        names = {name for t in alike for one in (new, old) for name in one.tables[cell][t][1]}
        for quantity in sorted(names):
            pairs = [(old.tables[cell][t][1].get(quantity), new.tables[cell][t][1].get(quantity)) for t in alike]
            yield _row(cell, quantity, [(a, b) for a, b in pairs if a is not None and b is not None])


def _row(cell: str, quantity: str, pairs: list[tuple]) -> str:
    """One quantity at both commits; where a table is one item, with the tables in which it changed."""
    was, now = (_share([pair[k] for pair in pairs]) for k in range(2))
    if not all(pair[k][1] == 1 for pair in pairs for k in range(2)) or not pairs:
        return f"| {cell} | {quantity} | {len(pairs)} | {was:.3f} | {now:.3f} | | | | |"
    lost = sum(a[0] > b[0] for a, b in pairs)
    won = sum(b[0] > a[0] for a, b in pairs)
    low, high = change(lost, won, len(pairs))
    verdict = _verdict(cell, quantity, (won - lost) / len(pairs), low, high)
    return (
        f"| {cell} | {quantity} | {len(pairs)} | {was:.3f} | {now:.3f} | {lost} | {won} | "
        f"{low:+.3f} to {high:+.3f} | {verdict} |"
    )


def _share(rows: list[Mapping]) -> float:
    of = sum(row[1] for row in rows)
    return sum(row[0] for row in rows) / of if of else math.nan


def change(lost: int, won: int, of: int) -> tuple[float, float]:
    """Interval (95 %) of a change of a share on the same tables: Clopper and Pearson's of those that changed."""
    changed = lost + won
    if not changed:
        return 0.0, 0.0
    low = float(beta.ppf(0.025, won, lost + 1)) if won else 0.0
    high = float(beta.ppf(0.975, won + 1, lost)) if lost else 1.0
    return (2 * low - 1) * changed / of, (2 * high - 1) * changed / of


def _verdict(cell: str, quantity: str, change: float, low: float, high: float) -> str:
    """Whether what may not get worse did, beyond its slack and beyond chance."""
    bar = NumberShare(cell, quantity, 0, 1).bar
    if not (cell.startswith(COMPARE) or quantity in KEPT) or (bar is None and quantity not in (HEAD, SURELY, *KEPT)):
        return ""
    if bar is not None and bar.low is None:  # the fewer the better
        change, high = -change, -low
    slack = KEPT.get(quantity, SLACK)
    return MET if change >= -slack else MISSED if high < -slack else CHANCE
