"""Evidence of tables whose labels are dealt at random: what it may be where nothing differs.

`python -m tests.engine.methods.group_difference.numbers.permuted [TABLES [PART]]` prints every cell.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from engine.counting.differences import difference_kernels as kernels
from engine.counting.differences.clustered_kernels import clustered_families
from engine.counting.differences.forms import FORMS, NOMINAL, NUMBER, ChildComparison
from engine.methods.group_difference.numbers.scales import nodes, tables
from engine.models.latent_normal import normal_scores

SHAPES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "skewed": lambda rng, n: rng.exponential(size=n),
    "heavy": lambda rng, n: rng.standard_t(2, n),
    "tied": lambda rng, n: rng.poisson(0.8, n) * 1.0,
    "zeros": lambda rng, n: np.where(rng.random(n) < 0.8, 0.0, rng.normal(size=n) + 3.0),
}
"""Numbers of the rows of one block; blocks lie two apart, and a line has ten times the spread of these beside it.
Scores of the whole table are normal; what blocks and lines leave of them is as skewed, heavy and tied as these are."""


class Cell(NamedTuple):
    """Permuted tables of one sort.

    Attributes
    ----------
    first, second : rows of either group;  shape : see `SHAPES`, or "levels" of a nominal variable
    shares : of the levels of a nominal variable;  blocks : how many blocks of so many rows
    line : whether a number is taken out
    """

    first: int
    second: int
    shape: str
    blocks: int = 1
    line: bool = False
    shares: tuple[float, ...] = ()


def named(cell: Cell) -> str:
    """In words."""
    blocks = f" in each of {cell.blocks} blocks" if cell.blocks > 1 else ""
    return f"{cell.shape}, {cell.first} + {cell.second}{blocks}{', a line' if cell.line else ''}"


NUMBERS = [
    Cell(first, second, shape, blocks, line)
    for first, second, blocks, line in (
        (12, 12, 1, False),
        (25, 12, 1, False),
        (25, 25, 1, False),
        (20, 3, 1, False),
        (50, 50, 1, False),
        (300, 15, 1, False),
        (1000, 50, 1, False),
        (12, 12, 4, False),
        (60, 3, 4, False),
        (12, 12, 1, True),
        (50, 50, 1, True),
        (300, 15, 1, True),
        (500, 25, 3, True),
    )
    for shape in SHAPES
]
CELLS = {named(cell): cell for cell in NUMBERS}
CELLS |= {
    "rare levels, 25 + 25": Cell(25, 25, "levels", shares=(0.9, 0.06, 0.04)),
    "rare levels, 20:1": Cell(400, 20, "levels", shares=(0.94, 0.03, 0.02, 0.01)),
    "rare levels, 20:1 in each of 4 blocks": Cell(200, 10, "levels", 4, shares=(0.9, 0.05, 0.05)),
    "even levels": Cell(100, 100, "levels", shares=(0.4, 0.3, 0.3)),
    "a line, even": Cell(60, 60, "levels", 1, True, (0.5, 0.5)),
    "a line, a rare level": Cell(200, 200, "levels", 1, True, (0.94, 0.06)),
    "a line, three levels, a rare one": Cell(150, 150, "levels", 1, True, (0.6, 0.3, 0.1)),
    "a line, 20:1": Cell(1000, 50, "levels", 1, True, (0.75, 0.25)),
    "a line, 10:1, expected just above 10": Cell(300, 30, "levels", 1, True, (0.62, 0.38)),
    "a line, 20:1 in each of 3 blocks": Cell(600, 30, "levels", 3, True, (0.6, 0.4)),
}


def permuted(cell: Cell, many: int, seed: int) -> dict[str, np.ndarray]:
    """ln evidence of so many tables: of the common difference and its forms, and of the blocks one by one."""
    rng = np.random.default_rng(seed)
    size = cell.first + cell.second
    rows, nominal = cell.blocks * size, cell.shape == "levels"
    levels = len(cell.shares) if nominal else 2
    scores, codes = np.zeros((2, rows)), np.zeros(rows, np.uint8)
    logs, effects, factors = np.empty(levels + 4), np.empty(levels + 4), np.empty(cell.blocks)
    kind = NOMINAL if nominal else NUMBER
    looked_up, line = tables(rows), np.zeros(int(cell.line), np.int64)
    common, blocks, forms = np.empty(many), np.empty((many, cell.blocks)), np.empty((many, FORMS))
    split = cell.blocks * cell.first
    key = np.repeat(np.tile(np.arange(cell.blocks), 2), np.repeat([cell.first, cell.second], cell.blocks))
    for t in range(many):  # rows are drawn alike, so that any labels are dealt at random
        for q in range(cell.blocks):
            scores[0, key == q] = rng.normal(size=size)
            if not nominal:
                scores[1, key == q] = SHAPES[cell.shape](rng, size) + 10.0 * cell.line * scores[0, key == q] + 2.0 * q
        if not nominal:
            scores[1] = normal_scores(scores[1])
        if nominal:
            tilted = 0.8 * scores[0] + rng.normal(size=rows) * 0.6
            cuts = np.quantile(tilted, np.cumsum(cell.shares)[:-1])
            codes = (
                np.searchsorted(cuts, tilted).astype(np.uint8) if cell.line else rng.choice(levels, rows, p=cell.shares)
            )
            codes = codes.astype(np.uint8)
        if nominal and not cell.line:
            first, second = np.zeros((2, cell.blocks * levels), np.int64)
            np.add.at(first, key[:split] * levels + codes[:split], 1)
            np.add.at(second, key[split:] * levels + codes[split:], 1)
            how = ChildComparison(kind, np.zeros(levels), -1, looked_up, nodes())
            about = cell.blocks, levels, 0.5, factors, 0, logs, effects
            common[t] = kernels.compare_counts(how, first, second, *about)
        else:
            order = np.arange(rows) if nominal else np.argsort(scores[1], kind="stable")
            how = ChildComparison(kind, order, -1, looked_up, nodes())
            about = key, cell.blocks, split, scores[1], codes, levels, line, scores, 0.5
            out = factors, 0, np.empty(rows), logs, effects
            common[t], _ = kernels.compare_values(how, *about, *out)
            blocks[t] = factors
        forms[t] = logs[:FORMS]
    result = {"common": common}
    if not nominal:
        result |= {"location": forms[:, 0], "spread": forms[:, 1], "shape": forms[:, 2], "segments": blocks.ravel()}
    elif cell.line:
        result["blocks"] = blocks.ravel()
    return result


def clustered(icc: float, crossing: bool, many: int, seed: int) -> np.ndarray:
    """ln evidence of a common difference of so many null tables: 40 subjects of 3 to 12 rows that are alike."""
    rng = np.random.default_rng(seed)
    result, logs, effects = np.empty(many), np.empty(8), np.empty(8)
    nothing = np.zeros((1, 0), np.int64), np.zeros(1, np.int64)
    for t in range(many):
        subject = np.repeat(np.arange(40), rng.integers(3, 13, 40))
        second = rng.random(len(subject)) < 0.5 if crossing else rng.permutation(40)[subject] < 20
        subject, split = subject[np.argsort(second, kind="stable")], int((~second).sum())
        value = np.sqrt(icc) * rng.normal(size=40)[subject] + np.sqrt(1 - icc) * rng.normal(size=len(subject))
        scores, codes = normal_scores(value)[None], np.zeros((1, len(subject)), np.uint8)
        inside = np.arange(len(subject)) >= split
        unit = np.unique(inside * 40 + subject, return_inverse=True)[1]
        units = np.zeros((2, int(unit.max()) + 1), np.int64)
        units[0, unit[inside]] = 1
        units[1, unit] = subject
        how = ChildComparison(NUMBER, np.zeros(1), -1, tables(1000), nodes())
        about = np.array([1]), 0, *nothing, how, np.array([True]), scores
        clustered_families(codes, split, *about, unit, (*units, crossing), result[t : t + 1], logs, effects)
    return result


def followers(power: float, many: int, seed: int) -> np.ndarray:
    """ln evidence of a common difference of a number whose spread follows one that moves, as exp(power x).

    500 rows a group; given x, in its thirds and along a line, nothing differs.
    """
    rng = np.random.default_rng(seed)
    result, logs, effects = np.empty(many), np.empty(6), np.empty(6)
    for t in range(many):
        x = rng.normal(size=1000) + 0.8 * (np.arange(1000) >= 500)
        key = np.searchsorted(np.quantile(x, [1 / 3, 2 / 3]), x, side="right")
        scores = np.array([normal_scores(x), normal_scores(np.exp(power * x) * rng.normal(size=1000))])
        order = np.argsort(scores[1], kind="stable")
        how = ChildComparison(NUMBER, order, -1, tables(1000), nodes())
        about = scores[1], np.zeros(1000, np.uint8), 2, np.zeros(1, np.int64), scores, 0.5
        out = np.empty(3), 0, np.empty(1000), logs, effects
        result[t] = kernels.compare_values(how, key, 3, 500, *about, *out)[0]
    return result


def bounded_mean(logs: np.ndarray) -> tuple[float, float]:
    """Mean of min(evidence, 20) and its standard error."""
    values = np.minimum(np.exp(np.minimum(logs, 10.0)), 20.0)
    return float(values.mean()), float(values.std() / np.sqrt(len(values)))


def main(many: int, part: str) -> None:
    """Print every cell whose name has this part."""
    for icc, crossing in ((0.1, False), (0.2, False), (0.3, False), (0.3, True)):
        name = f"subjects of ICC {icc}, {'labels vary inside' if crossing else 'dealt whole'}"
        if part in name:
            logs = clustered(icc, crossing, many, 1)
            print(f"{name:45s} {bounded_mean(logs)[0]:.3f} {(logs > np.log(19)).mean():.3%}", flush=True)  # noqa: T201
    for name, cell in CELLS.items():
        if part not in name:
            continue
        said = []
        for what, logs in permuted(cell, many, 1).items():
            mean, error = bounded_mean(logs)
            above = f"{(logs > np.log(19)).mean():.3%} {(logs > np.log(266)).mean():.3%}"
            whole = np.exp(logsumexp(logs) - np.log(len(logs)))
            said.append(f"{what} {mean:.3f}±{error:.3f}{'!' if mean > 1 + 3 * error else ''} ({whole:.2f}) {above}")
        print(f"{name:45s}", " | ".join(said), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000, sys.argv[2] if len(sys.argv) > 2 else "")
