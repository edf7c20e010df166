"""Tables of two or more groups, and what a comparison says of them, for the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pandas as pd

import engine
from engine.comparison.result import ComparisonResult


def grouped(
    codes: np.ndarray,
    levels: Sequence[int] | Sequence[Sequence[str]],
    names: Sequence[str],
    group: np.ndarray,
    labels: Sequence[str] = ("left", "right"),
    kinds: Mapping[str, str] | None = None,
    subject: np.ndarray | None = None,
) -> list[engine.Dataset]:
    """The rows of each group of one table; with subjects, their numbers in a column of that role."""
    table, sizes, called = [*codes, group], [*levels, list(labels)], [*names, "arm"]
    roles = {}
    if subject is not None:
        table, sizes, called = [*table, subject], [*sizes, int(subject.max()) + 1], [*called, "subject"]
        roles["subject"] = "subject"
    whole = engine.Dataset.from_codes(np.array(table), sizes, called, kinds=kinds, roles=roles)
    return list(engine.by_group(whole, "arm").values())


def drawn(seed: int, rows: int, slope: float = 1.5, chance: float = 0.5) -> np.ndarray:
    """(4, rows) codes of two levels: b follows a by a log odds ratio, c follows b, d is alone."""
    generator = np.random.default_rng(seed)
    a = generator.random(rows) < chance
    b = generator.random(rows) < 1 / (1 + np.exp(-slope * (a - 0.5)))
    c = generator.random(rows) < 1 / (1 + np.exp(-1.5 * (b - 0.5)))
    return np.array([a, b, c, generator.random(rows) < chance]).astype(int)


def two(seed: int, rows: tuple[int, int], slopes: tuple[float, float] = (1.5, 1.5)) -> list[engine.Dataset]:
    """Two groups of `drawn`, alike or not in how b follows a."""
    codes = np.concatenate(
        [drawn(seed + i, n, slope) for i, (n, slope) in enumerate(zip(rows, slopes, strict=True))], 1
    )
    return grouped(codes, [2] * 4, "abcd", np.repeat([0, 1], rows))


def chain(names: Sequence[str] = "abcd", nodes: Sequence[str] | None = None) -> nx.Graph:
    """A network in which each is linked with the next."""
    graph = nx.Graph()
    graph.add_nodes_from(nodes or names)
    graph.add_edges_from(pairwise(names))
    return graph


def random_parts(seed: int, rows: int, groups: int = 2) -> tuple[list[engine.Dataset], list[nx.Graph]]:
    """Groups of two nominal, one ordered and two binary variables that hang together, and a network for each."""
    generator = np.random.default_rng(seed)
    n = rows * groups
    hidden = generator.normal(size=n)
    sizes, names = [3, 2, 4, 3, 2], ["nom", "bin", "ord", "ordinary", "other"]
    codes = np.array([np.digitize(hidden + generator.normal(size=n), np.linspace(-1, 1, k - 1)) for k in sizes])
    kinds = {"ord": "ordinal", "nom": "nominal", "ordinary": "nominal"}
    labels = [f"group {number}" for number in range(groups)]
    parts = grouped(codes, sizes, names, np.arange(n) % groups, labels, kinds)
    graphs = []
    for _ in range(groups):
        graph = nx.Graph()
        graph.add_nodes_from(names)
        graph.add_edges_from(pair for pair in combinations(names, 2) if generator.random() < 0.4)
        graphs.append(graph)
    return parts, graphs


def by_ends(found: ComparisonResult) -> dict[frozenset[str], pd.Series]:
    """The rows of `links` by their two variables; of two groups."""
    return {frozenset((row["source"], row["target"])): row for _, row in found.links().iterrows()}
