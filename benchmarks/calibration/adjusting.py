"""Adjusted differences: whether intervals hold what X does, on tables whose truth is known.

    python -m benchmarks.calibration.adjusting                          1,000 tables a cell, every cell
    python -m benchmarks.calibration.adjusting --tables 200

Three shapes: a confounder that is held, a mediator and a collider that the back-door criterion leaves alone. Outcomes
are shares or numbers, what is held has levels or is a number. The set is the first of `engine.graphs.adjustment_sets`,
the truth a mean over a million draws in which X is set. Bar, set before any table was drawn: 95 % intervals hold the
truth in .92 to .98 of tables. Beside it stands how often the interval of the wrong set does: nothing in place of the
confounder, the mediator or the collider as well.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from zlib import crc32

import networkx as nx
import numpy as np
import pandas as pd

import engine
from benchmarks.calibration.cell import Bar
from engine.data.dataset import Dataset
from engine.graphs import adjustment_sets
from engine.models import adjusted_effect

BAR = Bar(0.92, 0.98)
SHAPES = {
    "confounder": [("Z", "X"), ("Z", "Y"), ("X", "Y")],
    "mediator": [("X", "Z"), ("Z", "Y"), ("X", "Y")],
    "collider": [("X", "Z"), ("Y", "Z"), ("X", "Y")],
}
ROWS = (200, 1_000)
TRUTH_ROWS = 1_000_000


def drawn(
    shape: str, number_y: bool, number_z: bool, rows: int, rng: np.random.Generator, x: int | None = None
) -> dict:  # type: ignore[type-arg]
    """Name -> values of a table; with `x` everybody has that level."""

    def level(middle: np.ndarray) -> np.ndarray:
        return rng.random(rows) < 1 / (1 + np.exp(-middle))

    def third(middle: np.ndarray) -> np.ndarray:
        value = middle + rng.normal(size=rows)
        return value if number_z else np.digitize(value, [-0.5, 0.8]) - 1.0

    def outcome(middle: np.ndarray) -> np.ndarray:
        return middle + rng.normal(size=rows) if number_y else level(middle)

    z = third(np.zeros(rows))
    treated = level(0.9 * z * (shape == "confounder")) if x is None else np.full(rows, bool(x))
    if shape == "mediator":
        z = third(0.9 * treated)
    y = outcome(-0.4 + 0.6 * treated + 0.8 * z * (shape != "collider"))
    if shape == "collider":
        z = third(0.9 * treated + 0.9 * y - 0.5)
    return {"X": treated, "Y": y, "Z": z}


def as_dataset(table: dict[str, np.ndarray], number_y: bool, number_z: bool) -> Dataset:
    """The table with words for levels."""
    frame = pd.DataFrame({"X": np.where(table["X"], "yes", "no")})
    frame["Z"] = table["Z"] if number_z else np.array(["low", "mid", "top"])[(table["Z"] + 1).astype(int)]
    frame["Y"] = table["Y"] if number_y else np.where(table["Y"], "yes", "no")
    numbers = [name for name, one in (("Y", number_y), ("Z", number_z)) if one]
    return Dataset.from_frame(frame, kinds=dict.fromkeys(numbers, "continuous"))


def cell(shape: str, number_y: bool, number_z: bool, rows: int, tables: int) -> tuple[float, float]:
    """Shares of tables whose interval holds the truth: by a set that adjusts, and by one that does not."""
    rng = np.random.default_rng([54, crc32(f"{shape} {number_y} {number_z} {rows}".encode())])
    draw = partial(drawn, shape, number_y, number_z)
    truth = float(np.mean(draw(TRUTH_ROWS, rng, 1)["Y"]) - np.mean(draw(TRUTH_ROWS, rng, 0)["Y"]))
    right = sorted(adjustment_sets(nx.DiGraph(SHAPES[shape]), "X", "Y")[0])
    wrong = [] if right else ["Z"]
    held = np.zeros(2)
    for _ in range(tables):
        data = as_dataset(draw(rows, rng), number_y, number_z)
        for place, given in enumerate((right, wrong)):
            effect = adjusted_effect(data, "X", "Y", given)
            held[place] += effect.low <= truth <= effect.high
    return tuple(held / tables)  # type: ignore[return-value]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1_000)
    tables = parser.parse_args().tables
    print(f"engine {engine.__version__}; {tables} tables a cell; bar: {BAR.words()}")
    missed = 0
    for shape in SHAPES:
        for number_y in (False, True):
            for number_z in (False, True):
                for rows in ROWS:
                    share, other = cell(shape, number_y, number_z, rows, tables)
                    missed += not BAR.holds(share)
                    kinds = f"{'number' if number_y else 'share'}, Z {'number' if number_z else 'levels'}"
                    words = "met" if BAR.holds(share) else "missed"
                    print(f"{shape:<10} {kinds:<18} {rows:>5} rows: {share:.3f} {words}; the wrong set {other:.3f}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
