"""One library's GES on the random network of 50 variables, in a process of its own: what `benchmarks.ges_peers` starts.

Prints one line of JSON: CPU seconds of the search, edges, the exact scores of the graph found, peak memory in MiB,
versions.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import time
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peer_worker import peak_mib, peer_frame, stored, timed

Answer = dict[str, Any]
EXPECTED_PARENTS = 1.0
AFTERWARDS = 60  # seconds for scoring the graph, which are not the peer's


def ours(path: Path, **options: Any) -> Answer:
    """Diptych with warm kernels; a new data set in every round."""
    import engine
    from benchmarks.tables import dataset

    def learn(data: engine.Dataset) -> Any:
        return engine.learn(data, engine.BDeu(1.0), search="ges", **options)

    learn(dataset(*stored(path)))
    graph, seconds = timed(lambda: dataset(*stored(path)), learn)
    return {
        "learn": seconds,
        "arcs": sorted(map(list, graph.edges)),
        "versions": {name: version(name) for name in ("numpy", "numba")},
    }


def causal_learn(path: Path) -> Answer:
    """causal-learn's GES; its BDeu has equivalent sample size 1 and a structure prior of 1 built in."""
    from causallearn.search.ScoreBased.GES import ges  # type: ignore[import-not-found, import-untyped, unused-ignore]

    codes, _ = stored(path)
    names = columns(len(codes))
    start = time.process_time()
    graph = ges(np.ascontiguousarray(codes.T), score_func="local_score_BDeu", node_names=names)["G"].graph
    seconds = time.process_time() - start
    arcs = [[names[i], names[j]] for i, j in zip(*np.nonzero(graph == -1), strict=True)]  # i -> j or i - j
    return {"learn": seconds, "arcs": sorted(arcs), "versions": {"causal-learn": version("causal-learn")}}


def ges_package(path: Path) -> Answer:
    """The `ges` package, forward and backward phases; it has no discrete score, so this hands it a NumPy BDeu."""
    import ges  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from ges.scores.decomposable_score import (  # type: ignore[import-not-found, import-untyped, unused-ignore]
        DecomposableScore,
    )
    from scipy.special import gammaln

    codes, arity = stored(path)
    p = len(codes)

    class BDeu(DecomposableScore):
        def __init__(self) -> None:
            super().__init__(codes.T)
            self.p = p

        def _compute_local_score(self, x: int, pa: Iterable[int]) -> float:
            parents = sorted(pa)
            code, q, r = np.zeros(codes.shape[1], dtype=np.int64), 1, int(arity[x])
            for y in parents:
                code = code * int(arity[y]) + codes[y]
                q *= int(arity[y])
            _, dense = np.unique(code, return_inverse=True)
            counts = np.bincount(dense * r + codes[x], minlength=(dense.max() + 1) * r).reshape(-1, r)
            cells = gammaln(counts + 1 / (q * r)) - math.lgamma(1 / (q * r))
            rows = math.lgamma(1 / q) - gammaln(counts.sum(axis=1) + 1 / q)
            return float(cells.sum() + rows.sum()) + log_prior(len(parents), p)

        def full_score(self, graph: np.ndarray) -> float:  # asked for the empty graph it starts from
            return sum(self.local_score(child, set(np.flatnonzero(graph[:, child]))) for child in range(p))

    start = time.process_time()
    found, _ = ges.fit(BDeu(), phases=["forward", "backward"])
    seconds = time.process_time() - start
    names = columns(p)
    arcs = [[names[i], names[j]] for i, j in zip(*np.nonzero(found), strict=True)]
    return {"learn": seconds, "arcs": sorted(arcs), "versions": {"ges": version("ges")}}


def pgmpy(path: Path) -> Answer:
    """pgmpy's GES (it has a turning phase too) with BDeu(1), which has no structure prior."""
    from pgmpy.causal_discovery import GES  # type: ignore[import-untyped]
    from pgmpy.structure_score import BDeu  # type: ignore[import-untyped]

    frame, levels = peer_frame(path)
    score = BDeu(frame, equivalent_sample_size=1, state_names=levels)
    start = time.process_time()
    found = GES(scoring_method=score, return_type="pdag").fit(frame).adjacency_matrix_
    seconds = time.process_time() - start
    arcs = [[found.index[i], found.columns[j]] for i, j in zip(*np.nonzero(found.to_numpy()), strict=True)]
    return {"learn": seconds, "arcs": sorted(arcs), "versions": {"pgmpy": version("pgmpy")}}


def columns(p: int) -> list[str]:
    """The names of the variables, as our data sets have them."""
    from benchmarks.tables import names

    return names(p)


def log_prior(parents: int, p: int) -> float:
    """Equation 11 of Jabbari et al. 2018 for one variable."""
    chance = EXPECTED_PARENTS / (p - 1)
    return parents * math.log(chance) + (p - 1 - parents) * math.log1p(-chance)


def exact_scores(path: Path, arcs: list[list[str]]) -> dict[str, Any]:
    """BDeu(1) of a DAG in the class found, the same with the structure prior, and the numbers of edges."""
    import networkx as nx

    import engine
    from benchmarks.tables import dataset
    from engine.graphs.pdag import consistent_extension

    data = dataset(*stored(path))
    graph = nx.DiGraph()
    graph.add_nodes_from(data.names)
    graph.add_edges_from(arcs)
    undirected = sum(graph.has_edge(b, a) for a, b in graph.edges) // 2
    dag = consistent_extension(graph)
    plain = float(engine.log_score(data, dag, engine.BDeu(1.0)).sum())
    prior = sum(log_prior(count, data.n_variables) for _, count in dag.in_degree())
    edges = graph.number_of_edges() - undirected
    return {"bdeu": plain, "with_prior": plain + prior, "edges": edges, "undirected": undirected}


LIBRARIES = {
    "ours, prior": lambda path: ours(path, structure_prior=EXPECTED_PARENTS),
    "ours, prior, fast": lambda path: ours(path, structure_prior=EXPECTED_PARENTS, fast=True),
    "ours": ours,
    "causal-learn": causal_learn,
    "ges": ges_package,
    "pgmpy": pgmpy,
}


def main() -> None:
    """Run one peer and print its answer; exit code 3 where it is not installed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("library", choices=list(LIBRARIES))
    parser.add_argument("path", type=Path)
    parser.add_argument("seconds", type=int)
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CPU, (given.seconds, given.seconds + AFTERWARDS))
    try:
        answer = LIBRARIES[given.library](given.path)
    except ModuleNotFoundError as missing:
        raise SystemExit(3) from missing
    answer["peak"] = peak_mib()
    resource.setrlimit(resource.RLIMIT_CPU, (given.seconds + AFTERWARDS, given.seconds + AFTERWARDS))
    print(json.dumps({**answer, **exact_scores(given.path, answer["arcs"])}))


if __name__ == "__main__":
    main()
