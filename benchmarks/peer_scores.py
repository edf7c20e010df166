"""What `benchmarks.peers` leaves to processes of their own, so that it stays small.

A child process starts out with its parent's peak memory on record, so a large parent would spoil the figures.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def save_table(size: str, folder: Path) -> None:
    """Make a table and leave its codes and numbers of levels in a folder."""
    _run("save", size, str(folder))


def graph_score(folder: Path, arcs: list[list[str]], search: str) -> float:
    """The exact natural-log score of a graph: K2 for thick thinning, BDeu(1) for hill climbing."""
    return float(_run("score", search, str(folder), given=json.dumps(arcs)))


def _run(*words: str, given: str = "") -> str:
    command = [sys.executable, "-m", "benchmarks.peer_scores", *words]
    return subprocess.run(command, cwd=ROOT, input=given, capture_output=True, text=True, check=True).stdout


def _save(size: str, folder: Path) -> None:
    import numpy as np

    from benchmarks.tables import make_snv_table, make_table

    codes, arity = make_snv_table() if size == "snv" else make_table(size)
    np.save(folder / "codes.npy", codes)
    np.save(folder / "arity.npy", arity)


def _score(search: str, folder: Path) -> float:
    import networkx as nx
    import numpy as np

    import engine
    from benchmarks.tables import dataset

    data = dataset(np.load(folder / "codes.npy"), np.load(folder / "arity.npy"))
    graph = nx.DiGraph()
    graph.add_nodes_from(data.names)
    graph.add_edges_from(json.load(sys.stdin))
    score = engine.K2() if search == "thick_thinning" else engine.BDeu(1.0)
    return float(engine.log_score(data, graph, score).sum())


if __name__ == "__main__":
    what, one, path = sys.argv[1:4]
    if what == "save":
        _save(one, Path(path))
    else:
        print(_score(one, Path(path)))
