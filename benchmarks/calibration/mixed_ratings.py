"""Ordinal networks of numbers and ratings: intervals of lines where answers are missing, and networks of uncut numbers.

    python -m benchmarks.calibration.mixed_ratings                       100 tables a cell, 20 of networks
    python -m benchmarks.calibration.mixed_ratings --only gaps --tables 40 --jobs 2

Bars, written before any table was drawn: where gaps depend on an observed item, 95 % intervals of lines by full
information hold the true partial correlation in .92 to .98; pairwise deletion is told. The mean distance (SHD of
patterns) of a mixed Gaussian table of 4 numbers and 8 ratings is at most that of the same table with its numbers cut
into ten. Of tables of unrelated variables at most 7 % have a clear line.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from zlib import crc32

import networkx as nx
import numpy as np
import pandas as pd

import engine
from benchmarks.calibration.cell import Bar
from engine import execution
from engine.data.dataset import Dataset
from engine.graphs.pdag import cpdag
from engine.measures.structure import patterns

SEED = 50
Counted = dict[str, tuple[float, int]]
FULL, PAIRS = "full information", "pairwise deletion"
BARS = {
    FULL: Bar(low=0.92, high=0.98),
    f"{FULL}, pairs of items with gaps": Bar(low=0.92, high=0.98),
    "any clear line": Bar(high=0.07),
}
NETWORK = "networks of 12 variables"


def correlations(variables: int, generator: np.random.Generator) -> np.ndarray:
    """Of one factor with loadings of .5 to .85, and two pairs that share something more."""
    loadings = generator.uniform(0.5, 0.85, variables)
    result = np.outer(loadings, loadings)
    np.fill_diagonal(result, 1.0)
    for i, j in ((0, 2), (variables - 3, variables - 1)):
        left = np.sqrt((1 - loadings[i] ** 2) * (1 - loadings[j] ** 2))
        result[i, j] = result[j, i] = result[i, j] + 0.4 * left
    return result


def coded(values: np.ndarray, numbers: int, generator: np.random.Generator) -> pd.DataFrame:
    """(n, p) normal values: the first columns as numbers on scales of their own, the others cut into 3 to 5 levels."""
    columns = {}
    for k, own in enumerate(values.T):
        if k < numbers:
            columns[f"n{k:02d}"] = [np.exp(0.6 * own) * 40, own * 3 + 120, np.expm1(np.abs(own)) * np.sign(own)][k % 3]
        else:
            levels = int(generator.integers(3, 6))
            shares = generator.dirichlet(np.full(levels, 6.0))
            columns[f"r{k:02d}"] = np.searchsorted(np.quantile(own, np.cumsum(shares)[:-1]), own).astype(float)
    return pd.DataFrame(columns)


def dataset(table: pd.DataFrame, bins: int | None = None) -> Dataset:
    """Numbers kept, or cut into so many levels that have an order."""
    kinds = {name: "continuous" if name.startswith("n") else "ordinal" for name in table}
    if bins is not None:
        for name in (name for name, kind in kinds.items() if kind == "continuous"):
            table = table.assign(**{name: pd.qcut(table[name], bins, labels=False, duplicates="drop").astype(float)})
            kinds[name] = "ordinal"
    return Dataset.from_frame(table, kinds=kinds, missing="level")


def gaps(rows: int, numbers: int, generator: np.random.Generator) -> Counted:
    """8 variables; three lose most answers where the last, which is always there, is high, and few elsewhere."""
    under = correlations(8, generator)
    values = generator.multivariate_normal(np.zeros(8), under, rows)
    precision = np.linalg.inv(under)
    root = np.sqrt(np.diag(precision))
    truth = -precision / np.outer(root, root)
    table, holes = coded(values, numbers, generator), [0, 2, 5]
    high = table["r07"] >= table["r07"].median()
    for k in holes:
        lost = generator.random(rows) < np.where(high, 0.75, 0.03)
        table.loc[lost, table.columns[k]] = np.nan
    data, counted = dataset(table), {}
    for name, missing in ((FULL, "latent"), (PAIRS, "pairwise")):
        lines = engine.Ordinal(missing=missing).partial_network(data)
        held = (lines.low <= truth) & (truth <= lines.high)
        every, own = np.triu_indices(8, 1), [(i, j) for j in holes for i in holes if i < j] + [(i, 7) for i in holes]
        counted[name] = (float(held[every].sum()), len(every[0]))
        counted[f"{name}, pairs of items with gaps"] = (float(sum(held[pair] for pair in own)), len(own))
    return counted


def null(numbers: int, generator: np.random.Generator) -> Counted:
    """8 unrelated variables, 300 rows."""
    table = coded(generator.standard_normal((300, 8)), numbers, generator)
    lines = engine.Ordinal().partial_network(dataset(table))
    return {"any clear line": (float((lines.p[np.triu_indices(8, 1)] <= 0.05).any()), 1)}


def network(rows: int, generator: np.random.Generator) -> Counted:
    """A random network of 12 normal variables, about 1.5 arcs each: distances to its pattern, uncut and cut."""
    p = 12
    weights = np.triu(generator.random((p, p)) < 3.0 / (p - 1), 1) * generator.uniform(0.4, 0.9, (p, p))
    weights *= generator.choice([-1.0, 1.0], (p, p))
    values = generator.standard_normal((rows, p))
    for child in range(p):
        values[:, child] += values @ weights[:, child]
    order = generator.permutation(p)
    table = coded(values[:, order] / values[:, order].std(axis=0), 4, generator)
    truth = nx.DiGraph()
    truth.add_nodes_from(table.columns)
    place = np.argsort(order)
    truth.add_edges_from((table.columns[place[i]], table.columns[place[j]]) for i, j in np.argwhere(weights))
    found = {}
    for name, bins in (("distance, numbers uncut", None), ("distance, numbers cut into ten", 10)):
        result = engine.Ordinal().run(dataset(table, bins))
        found[name] = (patterns(result.graph, cpdag(truth)).distance, 1)
    return found


CELLS: dict[str, Callable[[np.random.Generator], Counted]] = {
    "gaps, 8 ratings, 400 rows": partial(gaps, 400, 0),
    "gaps, 3 numbers and 5 ratings, 400 rows": partial(gaps, 400, 3),
    "gaps, 8 ratings, 1,000 rows": partial(gaps, 1000, 0),
    "null, 4 numbers and 4 ratings": partial(null, 4),
    f"{NETWORK}, 500 rows": partial(network, 500),
}


def measure(cell: str, number: int) -> Counted:
    """What one table gives; it depends on the cell's name and its number."""
    with execution.using(1):
        return CELLS[cell](np.random.default_rng([SEED, crc32(cell.encode()), number]))


def main() -> None:
    """Draw, measure, print one line a quantity."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--only", default="", help="cells whose name begins so")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    for cell in (name for name in CELLS if name.startswith(asked.only)):
        tables, begun = min(asked.tables, 20) if cell.startswith(NETWORK) else asked.tables, time.perf_counter()
        given = execution.map(partial(measure, cell), range(tables), jobs=asked.jobs)
        print(f"{cell}: {tables} tables, {time.perf_counter() - begun:.0f} s")
        for quantity in given[0]:
            hits, of = (sum(item[quantity][k] for item in given) for k in (0, 1))
            bar = BARS.get(quantity)
            verdict = "" if bar is None else f"   bar {bar.words()}: {'met' if bar.holds(hits / of) else 'MISSED'}"
            print(f"  {quantity:52} {hits / of:7.3f} of {of:,}{verdict}", flush=True)


if __name__ == "__main__":
    main()
