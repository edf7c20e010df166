"""The whole analysis: start graph, selection, what the result keeps so that it needs the rows no more; and the analysis
of rows drawn again, to see how often an edge comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import DataError, SettingsError
from engine.execution import Progress, part, silent
from engine.graphs.chordal import DecomposableGraph, Edge
from engine.measures.intervals import share_interval
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import CRITERIA, Criterion
from engine.methods.log_linear.joint_moves import JointMoves
from engine.methods.log_linear.message import rows_needed
from engine.methods.log_linear.pair_screening import screen_pairs
from engine.methods.log_linear.power import MOST_VARIABLES, too_many
from engine.methods.log_linear.result import LogLinearResult
from engine.methods.log_linear.search import MOST_CLIQUE_KL, Refusal, Search
from engine.methods.log_linear.settings import LogLinearSettings
from engine.methods.log_linear.what_if import build_result
from engine.resampling import bootstrap, check_runs, repeat

if TYPE_CHECKING:
    import pandas as pd

    from engine.data.dataset import Dataset

MOST_REFUSED = 20
"""The best candidates that were not taken and are kept to be shown."""


def analyse(
    method: LogLinearSettings, data: Dataset, progress: Progress, effect: float | None = None
) -> LogLinearResult:
    """Select a model from the data.

    Parameters
    ----------
    method, data : the settings and the rows
    progress : told how far it is
    effect : the design effect; the table's own where None

    Returns
    -------
    `LogLinearResult`

    Raises
    ------
    DataError : no rows or no variables
    SettingsError : as `start_graph`; too many variables for the criterion
    """
    counts = counted(data, effect)
    if len(counts.names) > MOST_VARIABLES:
        raise DataError(too_many(len(counts.names)))
    begun, filled = start_graph(method, counts)
    graph = begun.copy()
    limit = MOST_CLIQUE_KL if method.criterion == "kl" and method.max_clique is None else method.max_clique
    criterion = criterion_of(method, counts)
    forbidden = positions(counts, method.barred)
    search = Search(counts, criterion, graph, forbidden, limit, part(progress, 0.0, 0.5))
    together = JointMoves(search).take_best if method.joint and criterion.joint else None
    search.run(together, part(progress, 0.5, 0.95))
    progress(0.95, "every pair by itself")
    screening = screen_pairs(counts, method.drawing_seed)
    progress(0.98, "the edges that were not taken")
    state = search.state()
    refused = [Refusal(item, rows_needed(item, criterion, state)) for item in search.refused(MOST_REFUSED)]
    result = build_result(
        LogLinearResult, method, data, counts, graph, begun, filled, search.steps, refused, screening=screening
    )
    progress(1.0, "done")
    return result


def criterion_of(method: LogLinearSettings, counts: Counts) -> Criterion:
    """The criterion of these settings, for this table."""
    return CRITERIA[method.criterion](counts, method.alpha, method.drawing_seed)


def counted(data: Dataset, effect: float | None = None) -> Counts:
    """The counts of a table; `DataError` where there is nothing to count."""
    if not data.n_variables:
        raise DataError("The table has no variables to relate.")
    if not data.n_rows:
        raise DataError("The table has no rows to count.")
    return Counts(data, effect)


def start_graph(method: LogLinearSettings, counts: Counts) -> tuple[DecomposableGraph, list[Edge]]:
    """The graph to start from (start and forced edges), and the edges that had to be filled in to make it chordal.

    Parameters
    ----------
    method, counts : the settings and the table

    Returns
    -------
    the graph, and the edges filled in

    Raises
    ------
    SettingsError : an edge between variables that do not exist, or one that has to be filled in is forbidden
    """
    edges = positions(counts, (*method.start, *method.must))
    empty = DecomposableGraph(len(counts.names))
    if not edges:
        return empty, []
    filled = empty.fill_in(edges)
    forbidden = {tuple(sorted(pair)) for pair in positions(counts, method.barred)}
    clash = [pair for pair in filled if pair in forbidden]
    if clash:
        a, b = (counts.names[x] for x in clash[0])
        raise SettingsError(
            f"The edges to start from make a circle that needs {a!r} - {b!r} as a chord, which is forbidden; "
            "allow it or take an edge away."
        )
    return DecomposableGraph(len(counts.names), [*edges, *filled]), filled


def positions(counts: Counts, pairs: Iterable[tuple[str, str]]) -> list[Edge]:
    """Pairs of names as positions, low first; `SettingsError` for a name that is not a variable."""
    place = {name: i for i, name in enumerate(counts.names)}
    result = []
    for pair in pairs:
        for name in pair:
            if name not in place:
                raise SettingsError(f"There is no variable {name!r} in this table to draw an edge to.")
        a, b = sorted(place[name] for name in pair)
        result.append((a, b))
    return result


def stability(method: LogLinearSettings, data: Dataset, progress: Progress, runs: int, jobs: int) -> pd.DataFrame:
    """See `LogLinear.stability`."""
    import pandas as pd

    check_runs(runs)
    whole = analyse(method, data, part(progress, 0.0, 0.1))
    model = whole.graph
    afresh = replace(method, start=())  # what a search begins with is never lost: it would come back every time
    task = partial(_once, afresh, data, whole.effect)
    result = repeat(task, runs, method.seed, jobs=jobs, progress=part(progress, 0.1, 1.0), words="samples drawn again")
    counts = Counter(edge for edges in result for edge in edges)
    place = {name: i for i, name in enumerate(data.names)}
    edges = sorted({*counts, *(_sorted(place, edge) for edge in model.edges)}, key=lambda e: (place[e[0]], place[e[1]]))
    k = np.array([counts[edge] for edge in edges], dtype=float)
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


def least_stable(table: pd.DataFrame) -> pd.Series:
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
