"""Small seeded tables for the tests: random networks, forward sampling, and the balance-scale rule."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

import engine


def random_data(rows: int, variables: int, arcs: int, seed: int, levels: tuple[int, int] = (2, 4)) -> engine.Dataset:
    """Rows drawn from a random DAG with Dirichlet(0.5) tables mixed with 4 % uniform."""
    rng = np.random.default_rng(seed)
    arity = rng.integers(levels[0], levels[1] + 1, size=variables)
    pairs = [(x, child) for child in range(variables) for x in range(child)]
    parents: list[list[int]] = [[] for _ in range(variables)]
    for t in rng.permutation(len(pairs)):
        x, child = pairs[t]
        if len(parents[child]) < 3 and sum(map(len, parents)) < arcs:
            parents[child].append(x)
    codes = np.zeros((variables, rows), dtype=np.uint8)
    for child in range(variables):
        code = np.zeros(rows, dtype=np.int64)
        for x in parents[child]:
            code = code * arity[x] + codes[x]
        q = int(np.prod([arity[x] for x in parents[child]], dtype=int))
        table = rng.dirichlet(np.full(arity[child], 0.5), size=q) * 0.96 + 0.04 / arity[child]
        codes[child] = (rng.random(rows)[:, None] > table.cumsum(axis=1)[code][:, :-1]).sum(axis=1)
    names = [f"v{i:02d}" for i in range(variables)]
    return engine.Dataset.from_codes(codes, [int(a) for a in arity], names)


def balance_scale() -> engine.Dataset:
    """The 625 rows of balance-scale from its rule: the class is the side with the larger weight times distance."""
    rows = []
    for lw, ld, rw, rd in itertools.product(range(1, 6), repeat=4):
        left, right = lw * ld, rw * rd
        rows.append([0 if left == right else 1 if left > right else 2, lw - 1, ld - 1, rw - 1, rd - 1])
    sizes = ["1", "2", "3", "4", "5"]
    names = ["class", "left_weight", "left_distance", "right_weight", "right_distance"]
    return engine.Dataset.from_codes(np.array(rows).T, [["B", "L", "R"], *[sizes] * 4], names)


def two_groups(rows: int, variables: int, arcs: int, seed: int, changed: bool = False) -> engine.Dataset:
    """Two equal groups "a" and "b" of a random network; with `changed` the last variable is shuffled in "b"."""
    data = random_data(2 * rows, variables, arcs, seed)
    codes = np.vstack([data.codes, np.repeat([0, 1], rows)[None, :].astype(np.uint8)])
    if changed:
        codes[variables - 1, rows:] = np.random.default_rng(seed).permutation(codes[variables - 1, rows:])
    levels = [*[data.levels[name] for name in data.names], ("a", "b")]
    return engine.Dataset.from_codes(codes, levels, [*data.names, "group"])


def paper(**settings: object) -> engine.GroupDifference:
    """A comparison as in Sverchkov & Cooper 2015: K2 and one order."""
    return engine.GroupDifference(**{"average": "none", "score": engine.K2(), **settings})  # type: ignore[arg-type]


def nominal_table(seed: int) -> engine.Dataset:
    """180 rows of six variables with two or three levels."""
    rng = np.random.default_rng(seed)
    levels = [int(item) for item in rng.integers(2, 4, 6)]
    codes = np.array([rng.integers(0, level, 180) for level in levels])
    for child, parent in ((1, 0), (2, 1), (3, 1), (4, 3), (5, 4), (5, 0)):
        copied = rng.random(180) < 0.75
        codes[child, copied] = codes[parent, copied] % levels[child]
    return engine.Dataset.from_codes(codes, levels, [*"abcdef"])


ARMS = ("placebo", "10 mg", "20 mg")


def trial(rows: int = 360, seed: int = 4) -> engine.Dataset:
    """A trial of three arms: cure rises with the dose, pain (three steps) falls, sex and ward are unmoved."""
    rng = np.random.default_rng(seed)
    dose = rng.integers(0, 3, rows)
    frame = {
        "arm": np.array(ARMS)[dose],
        "cure": np.where(rng.random(rows) < 0.25 + 0.2 * dose, "yes", "no"),
        "pain": np.array(["mild", "moderate", "severe"])[np.clip(rng.integers(0, 4, rows) - (dose > 1), 0, 2)],
        "sex": rng.choice(["f", "m"], rows),
        "ward": rng.choice(["A", "B", "C"], rows),
    }
    return engine.Dataset.from_frame(pd.DataFrame(frame))
