"""The answer that belongs to a graph, and edges by hand: what one would cost, the model with it or without it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from engine.data.dataset import Dataset, same_data
from engine.graphs.chordal import DecomposableGraph, Edge
from engine.graphs.dag import bits
from engine.methods.evidence import RunRecord
from engine.methods.links_evidence import subject_fields
from engine.methods.log_linear.counts import Counts, Margin
from engine.methods.log_linear.evidence import LogLinearEvidence
from engine.methods.log_linear.message import Message, edge_evidence, model_message
from engine.methods.log_linear.number_checks import NumberChecks
from engine.methods.log_linear.pair_screening import NOT_SCREENED, PairScreening, missing_levels
from engine.methods.log_linear.search import Refusal, Step
from engine.methods.log_linear.settings import LogLinearSettings
from engine.search.knowledge import Knowledge

Model = TypeVar("Model", bound=LogLinearEvidence)


@dataclass(frozen=True)
class WhatIf:
    """The price of changing one edge.

    Attributes
    ----------
    a, b : the two variables;  action : "add" or "remove"
    saving_bits : bits the change saves, below 0 it costs them; its parts graph_bits, parameter_bits, data_bits
    fill_in : further edges that have to come, or go, with it so that the graph stays decomposable
    separator : given which the edge counts; empty where several edges change at once
    degrees, statistic, log10_p : G test of the edge itself; NaN where several edges change at once
    """

    a: str
    b: str
    action: str
    saving_bits: float
    graph_bits: float
    parameter_bits: float
    data_bits: float
    fill_in: tuple[tuple[str, str], ...] = ()
    separator: tuple[str, ...] = ()
    degrees: float = math.nan
    statistic: float = math.nan
    log10_p: float = math.nan


def what_if(result: LogLinearEvidence, data: Dataset, a: str, b: str) -> WhatIf:
    """The price of adding an edge, or of taking it away; where that needs further edges, which.

    Parameters
    ----------
    data : the data of this result
    a, b : names of two variables

    Returns
    -------
    `WhatIf`: the bits that the change saves, by their parts, and the G test of the edge

    Raises
    ------
    DataError : other data than those of this result, an unknown variable, one variable twice
    """
    same_data(data, result.fingerprint)
    x, y = result.edge(a, b)
    graph, counts = result.chosen, Counts(data, result.effect)
    removing = graph.has(x, y)
    if removing:
        clique = graph.clique_of(x, y)
        separator = None if clique is None else clique & ~(1 << x) & ~(1 << y)
    else:
        separator = graph.separator(x, y)
    if separator is None:
        return _several(result, counts, (x, y), removing)
    edges = graph.n_edges - removing
    table = counts.margin((*bits(separator), x, y))
    evidence = edge_evidence(table, result.arity, result.pairs, edges, result.effect)
    log10_p = result.support_of(table).log10_p
    test = {"degrees": evidence.degrees, "statistic": evidence.statistic, "log10_p": log10_p}
    change = -evidence.message if removing else evidence.message
    return _priced(result, (x, y), removing, change, separator=result.in_order(bits(separator)), **test)


def _priced(result: LogLinearEvidence, edge: Edge, removing: bool, change: Message, **more: Any) -> WhatIf:
    """The price of a change, from what it adds to the message."""
    saved = change.saved()
    a, b = result.pair(edge)
    return WhatIf(a, b, "remove" if removing else "add", sum(saved.values()), **saved, **more)


def _several(result: LogLinearEvidence, counts: Counts, edge: Edge, removing: bool) -> WhatIf:
    """The price where one edge takes others with it: the difference of the whole messages.

    It rests on the cliques and separators that one of the two graphs has and the other has not; those of the model at
    hand are counted already.
    """
    changed, others = result.chosen.without(*edge) if removing else _with(result.chosen, [edge])
    lengths = []
    known, new = (result.chosen, changed, result.margin_of), (changed, result.chosen, counts.margin)
    for graph, compared, margin in (known, new):
        cliques, separators = [Counter(sets) for sets in graph.clique_tree()]
        same_cliques, same_separators = [Counter(sets) for sets in compared.clique_tree()]
        own = [
            [margin(tuple(bits(mask))) for mask in difference.elements() if mask]
            for difference in (cliques - same_cliques, separators - same_separators)
        ]
        lengths.append(model_message(own[0], own[1], result.arity, result.n_rows, graph.n_edges, result.effect))
    old, after = lengths
    change = Message(after.graph - old.graph, after.parameters - old.parameters, after.data - old.data)
    return _priced(result, edge, removing, change, fill_in=tuple(map(result.pair, others)))


def build_result(
    kind: type[Model],
    method: LogLinearSettings,
    data: Dataset,
    counts: Counts,
    graph: DecomposableGraph,
    begun: DecomposableGraph,
    filled: Sequence[Edge],
    steps: Sequence[Step] = (),
    refused: Sequence[Refusal] = (),
    counted_already: Sequence[Margin] = (),
    screening: PairScreening = NOT_SCREENED,
) -> Model:
    """The result that belongs to a graph. Tables in `counted_already` are not counted again."""
    cliques, separators = graph.clique_tree()
    groups = [tuple(bits(clique)) for clique in cliques]
    singles = [(x,) for x in range(len(counts.names))]
    known = [*counted_already, *(step.table for step in steps)]  # a group came with the counts of all of it
    tables = counts.known_or_counted([*groups, *singles], known)
    numbers, order = NumberChecks(data, counts.effect), {name: i for i, name in enumerate(data.names)}

    def named(edge: Edge, given: int) -> tuple[str, str, list[str]]:
        a, b = sorted((counts.names[x] for x in edge), key=order.__getitem__)
        return a, b, sorted((counts.names[x] for x in bits(given)), key=order.__getitem__)

    asked = [named(pair, graph.neighbours[pair[0]] & graph.neighbours[pair[1]]) for pair in graph.edges()]
    asked += [named((item.step.a, item.step.b), item.step.separator) for item in refused]
    return kind(
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
        margins=tuple(tables[: len(groups)]),
        separator_sets=tuple(separators),
        singles=tuple(tables[len(groups) :]),
        made=RunRecord.of(data),
        screening=screening,
        effect=counts.effect,
        checks=numbers.of(asked),
        cut=tuple(name for name in data.names if name in numbers.cut),
        ordered=tuple(name for name in data.names if data.kinds[name] == "ordinal" and len(data.levels[name]) > 2),
        **subject_fields(data),
        missing=missing_levels(data, [name for x, name in enumerate(counts.names) if graph.neighbours[x]]),
    )


def edited(
    result: Model, data: Dataset, add: Sequence[tuple[str, str]] = (), remove: Sequence[tuple[str, str]] = ()
) -> Model:
    """A model made by hand: this one with some edges fewer and then some more.

    Where a removal or an addition alone would leave a cycle without a chord, further edges go or come with it (as
    `what_if` names them). The method of the answer has all its edges as `start`, none as forced, and forbids what was
    forbidden but for edges added here: its `run` goes on searching from this model.

    Parameters
    ----------
    data : the data of this result
    add, remove : pairs of names

    Returns
    -------
    a result with this model

    Raises
    ------
    DataError : other data than those of this result, an unknown variable, one variable twice
    """
    same_data(data, result.fingerprint)
    graph = result.chosen
    for a, b in remove:
        pair = result.edge(a, b)
        if graph.has(*pair):
            graph, _ = graph.without(*pair)
    graph, filled = _with(graph, [result.edge(a, b) for a, b in add])
    edges = tuple(map(result.pair, graph.edges()))
    here = {frozenset(pair) for pair in edges}
    forbidden = tuple(pair for pair in result.method.barred if frozenset(pair) not in here)
    method = replace(result.method, start=edges, forced=(), forbidden=forbidden, knowledge=Knowledge())
    known, counts = (*result.margins, *result.singles), Counts(data, result.effect)
    kind, screening = type(result), result.screening
    return build_result(kind, method, data, counts, graph, graph, filled, counted_already=known, screening=screening)


def _with(graph: DecomposableGraph, edges: Sequence[Edge]) -> tuple[DecomposableGraph, list[Edge]]:
    """The graph with some more edges, and those that had to be filled in."""
    filled = graph.fill_in(edges)
    return DecomposableGraph(len(graph.neighbours), [*graph.edges(), *edges, *filled]), filled
