"""Forward selection begun anew many times, each step drawn among the best candidates: does a better model come out?

    python -m benchmarks.papers.log_linear.restarts

The paper searches once, greedily, and names randomised search as what its score makes possible (section VI): a message
has a length by itself, so models of different runs can be compared. A restart takes, at every step, one of the
candidates that pay and are worth nearly as much as the best one, drawn evenly (Feo & Resende 1995, GRASP: nearly is
within a share of the distance from the best worth to the worth at which an edge just pays). The first run is the plain
search; of all runs the shortest message is kept. Only for message length: the tests' p-values of different runs are of
different questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

import sample_data
from benchmarks.papers.study import rows_of
from engine.data.dataset import Dataset
from engine.graphs.chordal import DecomposableGraph
from engine.methods.log_linear.criteria import MML
from engine.methods.log_linear.method import counted
from engine.methods.log_linear.search import JointMoves, Search
from engine.simulation.associations import LEVELS, many_variables

RESTARTS = 20
SHARES = (0.2, 0.5)
"""How far below the best a candidate may be and still be drawn, of the distance to what just pays."""
SIZES = (10_000, 30_000, 100_000)
MODELS = 3
NEARLY = 1e-6
"""Nats by which savings may differ and be equal."""

Edges = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Run:
    """One forward selection: its edges, pairs of names, and by how many nats they shorten the message."""

    edges: Edges
    saving: float


def search_once(data: Dataset, share: float, generator: np.random.Generator, *, joint: bool = False) -> Run:
    """Forward selection by message length, each edge drawn among those worth nearly as much as the best.

    Parameters
    ----------
    data : the rows
    share : of the distance from the best worth to what just pays; 0 is the plain search
    generator : of the draws
    joint : two edges at once where no single one pays

    Returns
    -------
    `Run`
    """
    counts = counted(data)
    search = Search(counts, MML(counts, 0.05), DecomposableGraph(len(counts.names)))
    together = JointMoves(search).take_best if joint else None
    while share > 0 and (best := search.best()) is not None:
        state = search.state()
        least = best.rank - search.criterion.margin(best.rank, state)
        if best.rank - least <= search.tolerance:
            break
        low, high = np.nonzero(np.triu(search.candidates.ranks >= best.rank - share * (best.rank - least)))
        drawn = int(generator.integers(len(low)))
        a, b = int(low[drawn]), int(high[drawn])
        search.add(a, b, float(search.candidates.ranks[a, b]) - least)
    search.run(together)
    edges = frozenset((counts.names[a], counts.names[b]) for a, b in search.graph.edges())
    savings = [item.margin for item in search.additions]
    pairs = [item.margin for item in search.additions if item.joint]
    return Run(edges, sum(savings) - sum(pairs) / 2)  # both edges of a pair carry the saving of the two


def search_with_restarts(data: Dataset, restarts: int, share: float, generator: np.random.Generator) -> list[Run]:
    """The plain search, then as many drawn ones.

    Parameters
    ----------
    data : the rows
    restarts : runs after the first
    share, generator : as of `search_once`

    Returns
    -------
    runs in order; the one with the largest saving has the shortest message
    """
    return [search_once(data, 0.0, generator), *(search_once(data, share, generator) for _ in range(restarts))]


def compare(data: Dataset, restarts: int, shares: Sequence[float], true: Edges | None) -> Iterator[dict[str, object]]:
    """A row a way of searching: nats that it saves beyond the plain search, edges, of these false, and in which run.

    Parameters
    ----------
    data : the rows
    restarts, shares : of the drawn searches
    true : the edges there are, where that is known
    """
    plain = search_once(data, 0.0, np.random.default_rng(0))
    found = {"plain": [plain], "two edges at once": [search_once(data, 0.0, np.random.default_rng(0), joint=True)]}
    for share in shares:
        found[f"restarts, {share:g}"] = search_with_restarts(data, restarts, share, np.random.default_rng(1))
    for search, runs in found.items():
        savings = np.array([run.saving for run in runs])
        first = int(np.argmax(savings > savings.max() - NEARLY))
        edges = runs[first].edges
        yield {
            "search": search,
            "gain": runs[first].saving - plain.saving,
            "edges": len(edges),
            "right": len(edges & true) if true is not None else np.nan,
            "false": len(edges - true) if true is not None else np.nan,
            "first run with it": first,
            "better runs": int((savings > plain.saving + NEARLY).sum()),
        }


def measure(models: int = MODELS, sizes: Sequence[int] = SIZES, restarts: int = RESTARTS) -> pd.DataFrame:
    """All ways of searching over tables of D3, and over the sample table that stands in for the paper's.

    Parameters
    ----------
    models : of each kind of levels
    sizes, restarts : rows, and searches after the first

    Returns
    -------
    pandas.DataFrame : a row a table and search
    """
    rows = [
        {"data": "health_survey", "rows": size, "set": 0, **row}
        for data in [sample_data.dataset("health_survey")]
        for size in [data.n_rows]
        for row in compare(data, restarts, SHARES, None)
    ]
    for levels, number in ((levels, number) for levels in LEVELS for number in range(models)):
        generator = np.random.default_rng([3, list(LEVELS).index(levels), number])
        model = many_variables(levels, generator)
        codes = model.sample_codes(max(sizes), generator)
        for size in sizes:
            data = Dataset.from_codes(codes[:, :size], [int(arity) for arity in model.arities], model.names)
            key = {"data": f"D3, {levels}", "rows": size, "set": number}
            rows += [{**key, **row} for row in compare(data, restarts, SHARES, model.edges)]
    return pd.DataFrame(rows)


def summarise(rows: pd.DataFrame) -> pd.DataFrame:
    """Means over the models of every kind of table; tables on which a shorter message was found."""
    groups = rows.groupby(["data", "rows", "search"], sort=False)
    means = groups[["gain", "edges", "right", "false", "better runs"]].mean()
    means["better tables"] = groups["gain"].apply(lambda gain: int((gain > NEARLY).sum()))
    means["tables"] = groups.size()
    means["last run that helped"] = groups["first run with it"].max()
    return means.reset_index()


if __name__ == "__main__":
    print("\n".join(rows_of(summarise(measure()).round(1))))
