"""How often an edge comes back when the rows are drawn again."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from engine.execution import Progress, part, silent
from engine.measures.intervals import share_interval
from engine.methods.log_linear.learn import analyse
from engine.methods.log_linear.settings import LogLinearSettings
from engine.resampling import bootstrap, check_runs, repeat

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset


def stability(method: LogLinearSettings, data: Dataset, progress: Progress, runs: int, jobs: int) -> pd.DataFrame:
    """See `LogLinear.stability`."""
    import pandas as pd

    check_runs(runs)
    whole = analyse(method, data, part(progress, 0.0, 0.1))
    model = whole.graph
    afresh = replace(method, start=())  # what a search begins with is never lost: it would come back every time
    task = partial(_once, afresh, data, whole.effect)
    result = repeat(task, runs, method.seed, jobs=jobs, progress=part(progress, 0.1, 1.0), words="samples drawn again")
    counts: dict[tuple[str, str], int] = {}
    for edges in result:
        for edge in edges:
            counts[edge] = counts.get(edge, 0) + 1
    place = {name: i for i, name in enumerate(data.names)}
    edges = sorted({*counts, *(_sorted(place, edge) for edge in model.edges)}, key=lambda e: (place[e[0]], place[e[1]]))
    k = np.array([counts.get(edge, 0) for edge in edges], dtype=float)
    low, high = share_interval(k, runs)
    frame = pd.DataFrame(
        {
            "a": [a for a, _ in edges],
            "b": [b for _, b in edges],
            "share": k / runs,
            "low": low,
            "high": high,
            "in_model": [model.has_edge(*edge) for edge in edges],
        }
    )
    return frame.sort_values("share", ascending=False, kind="stable", ignore_index=True)


def least_sure(table: pd.DataFrame) -> pd.Series:
    """The edge of the model that came back least often, of a table as `stability` gives it; there must be one."""
    model = table[table["in_model"]]
    return model.loc[model["share"].idxmin()]


def _once(
    method: LogLinearSettings, data: Dataset, effect: float, seed: np.random.SeedSequence
) -> list[tuple[str, str]]:
    """The edges of one bootstrap sample, ends in column order.

    Of whole subjects where rows belong together; the design effect is the table's, since copies of a subject would
    raise their own.
    """
    drawn = bootstrap(data.n_rows, np.random.default_rng(seed), data.clusters)
    place = {name: i for i, name in enumerate(data.names)}
    return [_sorted(place, edge) for edge in analyse(method, data.rows(drawn), silent, effect).graph.edges]


def _sorted(place: dict[str, int], edge: tuple[str, str]) -> tuple[str, str]:
    a, b = sorted(edge, key=place.__getitem__)
    return a, b
