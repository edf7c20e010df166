"""The whole analysis: start graph, selection, and everything the result keeps so that it needs the rows no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.errors import DataError, SettingsError
from engine.execution import Progress, part
from engine.graphs.chordal import DecomposableGraph, Edge
from engine.graphs.dag import bits
from engine.methods.log_linear.counts import Counts, Margin
from engine.methods.log_linear.criteria import CRITERIA
from engine.methods.log_linear.message import rows_needed
from engine.methods.log_linear.result import LogLinearResult, Refusal
from engine.methods.log_linear.search import MOST_CLIQUE_KL, Search, Step

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.log_linear.settings import LogLinear

MOST_REFUSED = 20
"""The best candidates that were not taken and are kept to be shown."""


def analyse(method: LogLinear, data: Dataset, progress: Progress) -> LogLinearResult:
    """Select a model from the data."""
    counts = counted(data)
    begun, filled = start_graph(method, counts)
    graph = begun.copy()
    limit = MOST_CLIQUE_KL if method.criterion == "kl" and method.max_clique is None else method.max_clique
    criterion = CRITERIA[method.criterion](counts, method.alpha)
    forbidden = positions(counts, method.forbidden)
    search = Search(counts, criterion, graph, forbidden, limit, part(progress, 0.0, 0.5))
    search.run(method.joint, part(progress, 0.5, 0.95))
    progress(0.95, "the edges that were not taken")
    moment = search.moment()
    refused = [Refusal(one, rows_needed(one, criterion, moment)) for one in search.refused(MOST_REFUSED)]
    result = describe(method, data, counts, graph, begun, filled, search.steps, refused)
    progress(1.0, "done")
    return result


def counted(data: Dataset) -> Counts:
    """The counts of a table; `DataError` where there is nothing to count."""
    if not data.n_variables:
        raise DataError("The table has no variables to relate.")
    if not data.n_rows:
        raise DataError("The table has no rows to count.")
    return Counts(data)


def describe(
    method: LogLinear,
    data: Dataset,
    counts: Counts,
    graph: DecomposableGraph,
    begun: DecomposableGraph,
    filled: Sequence[Edge],
    steps: Sequence[Step] = (),
    refused: Sequence[Refusal] = (),
    counted_before: Sequence[Margin] = (),
) -> LogLinearResult:
    """The result that belongs to a graph; tables that are among those `counted_before` are not counted again."""
    cliques, separators = graph.clique_tree()
    known = {margin.variables: margin for margin in counted_before}

    def margin(variables: tuple[int, ...]) -> Margin:
        return known.get(variables) or counts.margin(variables)

    return LogLinearResult(
        method=method,
        names=data.names,
        levels=data.levels,
        n_rows=data.n_rows,
        fingerprint=data.fingerprint,
        sorted_names=counts.names,
        chosen=graph,
        begun=begun,
        filled=tuple(filled),
        accepted=tuple(steps),
        declined=tuple(refused),
        margins=tuple(margin(tuple(bits(clique))) for clique in cliques),
        separator_sets=tuple(separators),
        singles=tuple(margin((x,)) for x in range(len(counts.names))),
    )


def start_graph(method: LogLinear, counts: Counts) -> tuple[DecomposableGraph, list[Edge]]:
    """The graph to start from (start and forced edges), and the edges that had to be filled in to make it chordal."""
    edges = positions(counts, (*method.start, *method.forced))
    empty = DecomposableGraph(len(counts.names))
    if not edges:
        return empty, []
    filled = empty.fill_in(edges)
    forbidden = {tuple(sorted(pair)) for pair in positions(counts, method.forbidden)}
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
    found = []
    for pair in pairs:
        for name in pair:
            if name not in place:
                raise SettingsError(f"There is no variable {name!r} in this table to draw an edge to.")
        a, b = sorted(place[name] for name in pair)
        found.append((a, b))
    return found
