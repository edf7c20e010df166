"""Draw tables from a network that is known, and see how much of it is found with more rows."""

import networkx as nx
import numpy as np

import engine
from engine.models import random_network

generator = np.random.default_rng(1)
parents = engine.simulation.random_dag(8, 10, generator)
truth = random_network(parents, [3] * 8, generator)
graph = nx.DiGraph(
    [(truth.names[i], child) for child, own in zip(truth.names, truth.parents, strict=True) for i in own]
)
graph.add_nodes_from(truth.names)

for rows in (100, 1_000, 10_000):
    found = engine.learn(truth.sample(rows, generator), search="ges")
    scores = engine.measures.adjacencies(found, graph).overall
    print(f"{rows} rows: {scores.right} links found, {scores.wrong} wrong, {scores.missed} missed")
