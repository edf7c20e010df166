"""Cells of numbers: margins moved under one copula, tables of numbers, ratings and names, and nodes that differ."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from scipy.stats import norm

from benchmarks.calibration.links import generators as draw
from benchmarks.calibration.links.generators import Random
from benchmarks.calibration.links.measuring import (
    ANOTHER,
    MOVED,
    NODE_FOUND,
    TURNED,
    Answers,
    Cell,
    Compared,
    Counted,
    associations,
    null,
    of_parts,
    ordinal,
    told,
    turned,
)
from engine.data.dataset import Dataset

COPULAS = ("Clayton", "Gumbel", "Gaussian")
ROWS = 400
VARIABLES = 6
TAU = 0.4
"""Kendall's of every pair of a copula."""


def cells() -> list[Cell]:
    """Every cell with numbers."""
    by = {"associations": associations, "ordinal networks": ordinal}
    moved = [
        Cell(
            f"{copula}, 6 numbers, margins moved by 1 SD and bent, 400 + 400, {name}", partial(_moved, copula, answers)
        )
        for copula in COPULAS
        for name, answers in by.items()
    ]
    cut = [
        Cell(f"{kind}, 6 ratings, margins moved by .7 SD, 400 + 400, {name}", partial(_ratings, kind, answers))
        for kind in COPULAS
        for name, answers in by.items()
    ]
    return [
        *moved,
        *cut,
        Cell("halves of 4 numbers, 4 ratings and 3 names, 400 + 400", partial(_mixed, (800, 400))),
        Cell("halves of 4 numbers, 4 ratings and 3 names, 300 + 100", partial(_mixed, (400, 100))),
        Cell("halves of 5 numbers and 5 ratings in ordinal networks, 300 + 300", _mixed_ratings),
        Cell("turned sign, numbers r = .5 and -.5, 300 + 300, 8 variables, associations",
             partial(_turned, associations)),
        Cell("turned sign, numbers r = .5 and -.5, 300 + 300, 8 variables, ordinal networks",
             partial(_turned, ordinal)),
        *(
            Cell(f"a node whose seven links are .15 and .30, 500 + 500, {kind}", partial(_node, kind))
            for kind in ("numbers", "ratings")
        ),
    ]  # fmt: skip


def copula(kind: str, rows: int, generator: Random, variables: int = VARIABLES) -> np.ndarray:
    """(p, rows) uniform margins with Kendall's tau `TAU` between every two."""
    if kind == "Gaussian":
        r = np.sin(np.pi * TAU / 2)
        shared = generator.normal(size=rows)
        return np.asarray(norm.cdf(np.sqrt(r) * shared + np.sqrt(1 - r) * generator.normal(size=(variables, rows))))
    waits = generator.exponential(size=(variables, rows))
    if kind == "Clayton":
        theta = 2 * TAU / (1 - TAU)
        return np.asarray((1 + waits / generator.gamma(1 / theta, size=rows)) ** (-1 / theta))
    a = 1 - TAU  # 1 / theta; a positive stable frailty (Kanter 1975)
    angle, wait = generator.uniform(0, np.pi, rows), generator.exponential(size=rows)
    frailty = np.sin(a * angle) / np.sin(angle) ** (1 / a) * (np.sin((1 - a) * angle) / wait) ** ((1 - a) / a)
    return np.asarray(np.exp(-((waits / frailty) ** a)))


def framed(
    numbers: np.ndarray, ratings: np.ndarray, levels: np.ndarray, label: np.ndarray, generator: Random
) -> tuple[Dataset, tuple[str, ...]]:
    """A data set of numbers, ordered and unordered levels in a random order of names; "group" parts it."""
    columns = [*numbers, *ratings, *levels]
    names = tuple(f"v{k:02d}" for k in generator.permutation(len(columns)))
    kinds = ["continuous"] * len(numbers) + ["ordinal"] * len(ratings) + ["nominal"] * len(levels)
    table = pd.DataFrame(dict(zip(names, columns, strict=True)) | {"group": [f"g{k}" for k in label]})
    order = generator.permutation(len(label))
    frame = table.iloc[order].reset_index(drop=True)
    return Dataset.from_frame(frame, kinds=dict(zip(names, kinds, strict=True)) | {"group": "nominal"}), names


def _none(n: int) -> np.ndarray:
    return np.empty((0, n))


def _moved(kind: str, answers: Answers, generator: Random, number: int) -> Counted:
    """The second group is moved, and each variable bent in a way of its own."""
    first, second = (norm.ppf(copula(kind, ROWS, generator)) for _ in range(2))
    bent = [np.exp(second + 1), second * 3 + 1, (second + 1) ** 3, second + 1, np.sinh(second), 10 ** (second / 2)]
    second = np.array([own[i] for i, own in enumerate(bent)])
    data, names = framed(np.hstack([first, second]), _none(2 * ROWS), _none(2 * ROWS), _label(ROWS, ROWS), generator)
    return null(of_parts(data, names, answers), MOVED)


def _ratings(kind: str, answers: Answers, generator: Random, number: int) -> Counted:
    """The same copulas, cut at thresholds that are moved in the second group."""
    cuts = draw.some_cuts(VARIABLES, 5, generator)
    values = [norm.ppf(copula(kind, ROWS, generator)) for _ in range(2)]
    codes = np.hstack([draw.cut(values[0], cuts), draw.cut(values[1], cuts - 0.7)])
    data, names = framed(_none(2 * ROWS), codes, _none(2 * ROWS), _label(ROWS, ROWS), generator)
    return told(null(of_parts(data, names, answers), MOVED))


def _label(*rows: int) -> np.ndarray:
    return np.repeat(np.arange(len(rows)), rows)


def _mixed(rows: tuple[int, int], generator: Random, number: int) -> Counted:
    """One table of three kinds, dealt to two groups."""
    n, first = rows
    pairs = draw.random_pairs(11, 14, generator, most=4)
    values = draw.signs(14, generator) * generator.uniform(0.15, 0.4, 14)
    hidden = draw.hidden(draw.from_partial(11, pairs, values), n, generator)
    numbers = np.round(np.array([np.exp(hidden[0]), hidden[1] * 7, hidden[2] ** 3, hidden[3] + 20]), 3)
    ratings = draw.cut(hidden[4:8], draw.some_cuts(4, 5, generator))
    levels = draw.cut(hidden[8:], np.array([[-0.4, 0.5], [0.1, 9], [-0.6, 0.3]]))
    label = generator.permutation((np.arange(n) >= first).astype(int))
    data, names = framed(numbers, ratings, levels, label, generator)
    return null(of_parts(data, names, associations))


def _mixed_ratings(generator: Random, number: int) -> Counted:
    pairs = draw.random_pairs(10, 12, generator, most=4)
    values = draw.signs(12, generator) * generator.uniform(0.15, 0.4, 12)
    hidden = draw.hidden(draw.from_partial(10, pairs, values), 600, generator)
    ratings = draw.cut(hidden[5:], draw.some_cuts(5, 5, generator))
    label = generator.permutation(_label(300, 300))
    data, names = framed(np.exp(hidden[:5]), ratings, _none(600), label, generator)
    return null(of_parts(data, names, ordinal))


def _turned(answers: Answers, generator: Random, number: int) -> Counted:
    """A leaf of seven others turns its sign; all other partial correlations are the same."""
    pairs = draw.random_pairs(7, 7, generator)
    others = draw.from_partial(7, pairs, draw.signs(7, generator) * generator.uniform(0.15, 0.4, 7))
    on = int(generator.integers(7))
    hidden = np.hstack([draw.hidden(draw.with_leaf(others, on, r), 300, generator) for r in (0.5, -0.5)])
    data, names = framed(np.exp(hidden), _none(600), _none(600), _label(300, 300), generator)
    found = turned(of_parts(data, names, answers), on, 7, number)
    return {key: value for key, value in found.items() if key in (TURNED, ANOTHER)}


def _node(kind: str, generator: Random, number: int) -> Counted:
    """Node 0 of eight: partial correlations .15 with all others in one group, .30 in the other."""
    pairs = [(0, other) for other in range(1, 8)]
    hidden = np.hstack([draw.hidden(draw.from_partial(8, pairs, np.full(7, r)), 500, generator) for r in (0.15, 0.3)])
    numbers, ratings = (np.exp(hidden), _none(1000)) if kind == "numbers" else (_none(1000), hidden)
    if kind == "ratings":
        ratings = draw.cut(hidden, draw.some_cuts(8, 5, generator))
    data, names = framed(numbers, ratings, _none(1000), _label(500, 500), generator)
    return _found(of_parts(data, names, ordinal), 0)


def _found(one: Compared, node: int) -> Counted:
    nodes = one.found.nodes()
    own = nodes[nodes["node"] == one.names[node]]
    return {
        NODE_FOUND: (int((own["p"] < 0.05).any()), 1),
        "found in strength": (int((own["p"][own["measure"] == "strength"] < 0.05).any()), 1),
        "a link called": (int(bool(one.called())), 1),
    }
