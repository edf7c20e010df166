"""Small tables with known structure, and the model's totals written again without the engine's own code."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable
from string import ascii_lowercase

import networkx as nx
import numpy as np

import engine


def named(codes: np.ndarray, levels: list[int], names: Iterable[str] = ascii_lowercase) -> engine.Dataset:
    """A data set of codes; variables a, b, c ... unless named."""
    return engine.Dataset.from_codes(np.asarray(codes), levels, list(names)[: len(levels)])


def chain(rows: int = 600, variables: int = 5, seed: int = 0, keep: float = 0.6, levels: int = 3) -> engine.Dataset:
    """a - b - c - ...: every variable copies the one before it with probability `keep`."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, levels, (variables, rows))
    for i in range(1, variables):
        codes[i] = np.where(rng.random(rows) < keep, codes[i - 1], codes[i])
    return named(codes, [levels] * variables)


def exclusive_or(rows: int = 1000, seed: int = 0) -> engine.Dataset:
    """a uniform, c uneven and independent of a, g = (2a + c) mod 3: g leans on a, and on c only together with a."""
    rng = np.random.default_rng(seed)
    a, c = rng.integers(0, 3, rows), rng.choice(3, rows, p=[0.6, 0.3, 0.1])
    return named(np.array([a, c, (2 * a + c) % 3]), [3, 3, 3], "acg")


def groups(rows: int, variables: int, seed: int) -> engine.Dataset:
    """Mixed levels 2 to 3; every variable leans on up to two earlier ones."""
    rng = np.random.default_rng(seed)
    levels = rng.integers(2, 4, variables)
    codes = np.zeros((variables, rows), dtype=int)
    for i in range(variables):
        parents = rng.permutation(i)[: int(rng.integers(0, 3))]
        code = np.zeros(rows, dtype=int)
        for x in parents:
            code = code * int(levels[x]) + codes[x]
        shares = rng.dirichlet(np.ones(levels[i]), 9)
        codes[i] = (rng.random(rows)[:, None] > shares.cumsum(axis=1)[code][:, :-1]).sum(axis=1)
    return named(codes, levels.tolist())


def counter(data: engine.Dataset, names: Iterable[str]) -> Counter:
    """How often every combination occurs, by a walk over the rows."""
    columns = [data.column(name).tolist() for name in names]
    return Counter(zip(*columns, strict=True)) if columns else Counter({(): data.n_rows})


def tree_of(graph: nx.Graph) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """Maximal cliques and the separators of a maximum spanning tree of them, by networkx."""
    cliques = [frozenset(clique) for clique in nx.find_cliques(graph)]
    meeting = nx.Graph()
    meeting.add_nodes_from(cliques)
    meeting.add_weighted_edges_from((c, d, len(c & d)) for c, d in itertools.combinations(cliques, 2))
    return cliques, [c & d for c, d in nx.maximum_spanning_tree(meeting).edges]


def parameters(data: engine.Dataset, names: Iterable[str]) -> int:
    """#P: free cells of the table of some variables."""
    return math.prod(len(data.levels[name]) for name in names) - 1


def entropy_length(data: engine.Dataset, names: frozenset[str]) -> float:
    """N H of some variables, natural log."""
    return data.n_rows * math.log(data.n_rows) - sum(k * math.log(k) for k in counter(data, sorted(names)).values())


def total_mml(data: engine.Dataset, graph: nx.Graph) -> float:
    """Equations 9 to 12 in nats, from scratch."""
    n, pairs, edges = data.n_rows, math.comb(len(graph), 2), graph.number_of_edges()
    total = math.log(1 + pairs) + math.log(math.comb(pairs, edges))
    cliques, separators = tree_of(graph)
    for sign, sets in ((1, cliques), (-1, separators)):
        for names in sets:
            if names:
                total += sign * math.log(n + 1) * parameters(data, names)
                cells = counter(data, sorted(names)).values()
                total += sign * (math.lgamma(n + 1) - sum(math.lgamma(k + 1) for k in cells))
    return total


def total_entropy(data: engine.Dataset, graph: nx.Graph) -> float:
    """N H(M): minus the largest log-likelihood of the model."""
    cliques, separators = tree_of(graph)
    return sum(entropy_length(data, c) for c in cliques) - sum(entropy_length(data, s) for s in separators)


def total_bic(data: engine.Dataset, graph: nx.Graph) -> float:
    """N H(M) and half of ln N a parameter."""
    cliques, separators = tree_of(graph)
    free = sum(parameters(data, c) for c in cliques) - sum(parameters(data, s) for s in separators)
    return total_entropy(data, graph) + math.log(data.n_rows) / 2 * free


def total_ah(data: engine.Dataset, graph: nx.Graph) -> float:
    """As AH is described: every maximal clique pays its parameters and the name of the clique it hangs on."""
    cliques, _ = tree_of(graph)
    cost = [math.log(data.n_rows) / 2 * parameters(data, c) + math.log(len(graph)) for c in cliques]
    return total_entropy(data, graph) + sum(cost)


TOTALS = {"mml": total_mml, "bic": total_bic, "kl": total_entropy, "ah": total_ah}


def edge_set(graph: nx.Graph) -> set[frozenset[str]]:
    """Edges without a direction."""
    return {frozenset(edge) for edge in graph.edges}
