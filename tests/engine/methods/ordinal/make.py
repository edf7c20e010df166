"""Small tables with a known network behind them."""

from __future__ import annotations

import networkx as nx
import numpy as np

import engine
from engine.simulation.ordinal import LatentModel, cut_graph, full_sample, random_latent_model


def chain(rows: int = 400, levels: int = 4, seed: int = 0) -> engine.Dataset:
    """a -> b -> c <- d, strongly tied."""
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("d", "c")])
    return cut_graph(graph, levels).sample(rows, np.random.default_rng(seed))


def random_case(variables: int, seed: int, rows: int = 500) -> tuple[LatentModel, engine.Dataset]:
    """The paper's recipe, with four expected neighbours and two to four levels."""
    generator = np.random.default_rng(1000 + seed)
    return full_sample(random_latent_model(variables, generator, neighbours=4.0), rows, generator)


def turned(data: engine.Dataset, seed: int = 5) -> engine.Dataset:
    """The same table with columns and rows in another order."""
    codes = data.codes[:, np.random.default_rng(seed).permutation(data.n_rows)]
    other = engine.Dataset.from_codes(codes, data.levels, data.names, kinds=data.kinds)
    return other.select(list(reversed(data.names)))
