"""A log-linear model with its story: what was counted, and everything that follows from the counts alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from engine import words
from engine.errors import DataError
from engine.graphs.chordal import DecomposableGraph, Edge
from engine.graphs.dag import bits
from engine.methods.fitting import checked_edges
from engine.methods.log_linear.evidence.pair_screening import UNKNOWN, Before
from engine.methods.log_linear.evidence.artefacts import gap_note, gaps_of, level_note, missing_levels
from engine.methods.log_linear.evidence.edge_support import Standing, standing
from engine.methods.log_linear.counts import Counts, Margin
from engine.methods.log_linear.criteria import LN2
from engine.methods.log_linear.message import Evidence, Message, edge_evidence, model_message
from engine.methods.log_linear.search import Refusal, Step
from engine.methods.log_linear.settings import LogLinearSettings
from engine.methods.log_linear.worth import Worth
from engine.methods.result import Made
from engine.methods.storing import storable_as

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.data.dataset import Dataset


storable_as(
    DecomposableGraph,
    lambda graph: {"n": len(graph.neighbours), "edges": graph.edges()},
    lambda n, edges: DecomposableGraph(n, checked_edges(n, edges)),
)


@dataclass(frozen=True, eq=False, repr=False)
class LogLinearModel:
    """The answer to "which variables hang together directly?"

    Attributes
    ----------
    method : the settings
    names, levels : the variables in column order, and their levels
    n_rows, fingerprint : of the data set
    made : what it was computed from and with
    before : what every pair shows by itself, and columns that follow from another
    effect : the design effect that counts were divided by; 1 where every row is its own
    subject, subjects : the column that says which rows belong together, and how many it tells apart; "" and 0 for none
    alone, unjudged : rows without a subject, and whether the subjects are too few for anything to be said of links
    missing : variable with a link -> its level that stands for missing values, where it has one
    """

    method: LogLinearSettings
    names: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    n_rows: int
    fingerprint: str
    sorted_names: tuple[str, ...]
    chosen: DecomposableGraph
    begun: DecomposableGraph
    filled: tuple[Edge, ...]
    accepted: tuple[Step, ...]
    declined: tuple[Refusal, ...]
    margins: tuple[Margin, ...]
    separator_sets: tuple[int, ...]
    singles: tuple[Margin, ...]
    made: Made
    before: Before = UNKNOWN
    effect: float = 1.0
    subject: str = ""
    subjects: int = 0
    alone: int = 0
    unjudged: bool = False
    missing: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def described(
        cls,
        method: LogLinearSettings,
        data: Dataset,
        counts: Counts,
        graph: DecomposableGraph,
        begun: DecomposableGraph,
        filled: Sequence[Edge],
        steps: Sequence[Step] = (),
        refused: Sequence[Refusal] = (),
        counted_before: Sequence[Margin] = (),
        before: Before = UNKNOWN,
    ) -> Self:
        """The result that belongs to a graph.

        Parameters
        ----------
        method, data, counts : the settings, the rows, and their counts
        graph, begun, filled : the model, the graph that it began with, and edges that had to come with that
        steps, refused : how it was built, and what did not pay
        counted_before : tables that are not counted again where they are among those needed
        before : what every pair shows by itself

        Returns
        -------
        a result
        """
        cliques, separators = graph.clique_tree()
        groups = [tuple(bits(clique)) for clique in cliques]
        singles = [(x,) for x in range(len(counts.names))]
        known = [*counted_before, *(step.table for step in steps)]  # a group came with the counts of all of it
        tables = counts.known_or_counted([*groups, *singles], known)
        counted = data.subject_count
        return cls(
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
            made=Made.of(data),
            before=before,
            effect=counts.effect,
            subject=data.subject_column if counted is not None else "",
            subjects=0 if counted is None else counted.subjects,
            alone=0 if counted is None else counted.alone,
            unjudged=counted is not None and counted.too_few,
            missing=missing_levels(data, [name for x, name in enumerate(counts.names) if graph.neighbours[x]]),
        )

    # -- the model ----------------------------------------------------------------------------------------------------

    @property
    def graph(self) -> nx.Graph:
        """The model: an edge wherever two variables hang together directly.

        Edges carry `evidence_bits` (what taking the edge away would cost; NaN where it cannot go alone), `removable`,
        `cliques` (in how many it lies), and `entry_bits`, what it saved when it came (NaN for edges of the start).
        """
        import networkx as nx

        entered = {(step.a, step.b): found.saving_bits for step, found in zip(self.accepted, self.entries, strict=True)}
        graph = nx.Graph()
        graph.add_nodes_from(self.names)
        for a, b in self.chosen.edges():
            evidence = self._present.get((a, b))
            graph.add_edge(
                *self.pair((a, b)),
                evidence_bits=math.nan if evidence is None else evidence.saving_bits,
                removable=evidence is not None,
                cliques=sum(b in margin.variables for margin in self._holding[a]),
                entry_bits=entered.get((a, b), math.nan),
            )
        return graph

    @cached_property
    def worth(self) -> Mapping[tuple[str, str], Worth]:
        """What is known of every edge, the strongest first; ends in column order."""
        found = {(a, b): Worth(**about) for a, b, about in self.graph.edges(data=True)}
        return dict(sorted(found.items(), key=lambda one: -one[1].strength))

    @cached_property
    def standings(self) -> Mapping[tuple[str, str], Standing]:
        """What the rows say of every edge given what else its group holds; of one in several groups, when it came."""
        tables = {pair: self._edge_table(pair) for pair in self.worth}
        return {pair: self.standing(table) for pair, table in tables.items() if table is not None}

    @cached_property
    def link_notes(self) -> Mapping[tuple[str, str], str]:
        """What the way the table was made may explain of a link, as the end of a sentence; of most links nothing."""
        notes = {pair: self._link_note(pair) for pair in self.worth}
        return {pair: note if note.endswith("?") else f"{note}." for pair, note in notes.items() if note}

    def _link_note(self, pair: tuple[str, str]) -> str:
        table = self._edge_table(pair) or self.margin_of(self.edge(*pair))
        a, b = table.variables[-2:]
        ends = self.sorted_names[a], self.sorted_names[b]
        if gaps := gaps_of(ends, table, self.arity, self.levels, self.missing):
            given = self.in_order(table.variables[:-2])
            seed = self.method.drawing_seed
            without = standing(gaps.table, self.sorted_names, gaps.arity, seed, given, self.effect)
            return gap_note(without, words.p_value(10.0**without.log10_p))
        return level_note(pair, self.levels, self.margin_of([self.position(name) for name in pair]).dense(self.arity))

    def _edge_table(self, pair: tuple[str, str]) -> Margin | None:
        """Counts that an edge rests on, its ends last: of its one group, else as it came; None for one of the start."""
        edge = self.edge(*pair)
        return self._removable_table(edge) or next((s.table for s in self.accepted if (s.a, s.b) == edge), None)

    def standing(self, table: Margin) -> Standing:
        """What the rows say of the edge between the last two variables of a table, given its others.

        Parameters
        ----------
        table : counts, its ends last

        Returns
        -------
        `Standing`
        """
        if table.variables not in self._stands:
            given = self.in_order(table.variables[:-2])
            seed = self.method.drawing_seed
            found = standing(table, self.sorted_names, self.arity, seed, given, self.effect)
            self._stands[table.variables] = found
        return self._stands[table.variables]

    @property
    def cliques(self) -> list[tuple[str, ...]]:
        """The groups of variables that hang together whole (maximal cliques), largest first, each in column order."""
        groups = [self.in_order(margin.variables) for margin in self.margins]
        place = {name: i for i, name in enumerate(self.names)}
        return sorted(groups, key=lambda group: (-len(group), [place[name] for name in group]))

    @property
    def separators(self) -> list[tuple[str, ...]]:
        """The separators of a clique tree, as often as they occur; empty ones lie between unrelated parts."""
        return sorted((self.in_order(bits(mask)) for mask in self.separator_sets), key=lambda s: (-len(s), s))

    @property
    def isolated(self) -> tuple[str, ...]:
        """Variables without any edge."""
        return tuple(name for name in self.names if not self.chosen.neighbours[self.position(name)])

    @property
    def formula(self) -> str:
        """The model in the usual notation: "[age smoking cough] [sex]"."""
        return " ".join(f"[{' '.join(group)}]" for group in self.cliques)

    @property
    def message(self) -> pd.DataFrame:
        """Message length in bits of the empty model and of this one: graph, parameters, data, total."""
        import pandas as pd

        parts = {"no edges": self._empty_message.bits(), "this model": self.message_length.bits()}
        return pd.DataFrame(parts).T

    @property
    def start_bits(self) -> float:
        """Message length in bits of what the search began with."""
        return self.message_length.total / LN2 + sum(found.saving_bits for found in self.entries)

    @cached_property
    def message_length(self) -> Message:
        """Message length of this model, in nats by its parts."""
        separators = [self.margin_of(tuple(bits(mask))) for mask in self.separator_sets if mask]
        edges = self.chosen.n_edges
        return model_message(self.margins, separators, self.arity, self.n_rows, edges, self.effect)

    @property
    def size(self) -> float:
        """Rows by themselves that would tell as much as these."""
        return self.n_rows / self.effect

    @property
    def undecided(self) -> bool:
        """Whether rows belong to so few subjects that no link can be judged."""
        return self.unjudged

    # -- how it was built ---------------------------------------------------------------------------------------------

    def replay(self, step: int) -> nx.Graph:
        """The graph after so many steps.

        Parameters
        ----------
        step : from 0 (the start) to the number of steps

        Returns
        -------
        networkx.Graph

        Raises
        ------
        DataError : there is no such step
        """
        import networkx as nx

        if not 0 <= step <= len(self.accepted):
            raise DataError(f"There is no step {step}; steps are numbered 0 to {len(self.accepted)}.")
        graph = nx.Graph()
        graph.add_nodes_from(self.names)
        edges = [*self.begun.edges(), *((one.a, one.b) for one in self.accepted[:step])]
        graph.add_edges_from(self.pair(edge) for edge in edges)
        return graph

    def directed(self) -> nx.DiGraph:
        """An equivalent directed network, along the order in which the graph can be taken apart.

        Returns
        -------
        networkx.DiGraph without circles and without v-structures
        """
        import networkx as nx

        order = self.chosen.elimination_order() or []
        place = {x: i for i, x in enumerate(reversed(order))}
        graph = nx.DiGraph()
        graph.add_nodes_from(self.names)
        for a, b in self.chosen.edges():
            first, second = (a, b) if place[a] < place[b] else (b, a)
            graph.add_edge(self.sorted_names[first], self.sorted_names[second])
        return graph

    # -- inside -------------------------------------------------------------------------------------------------------

    @cached_property
    def arity(self) -> np.ndarray:
        """(p,) numbers of levels, variables in alphabetical order."""
        return np.array([len(self.levels[name]) for name in self.sorted_names], dtype=np.int64)

    @property
    def pairs(self) -> int:
        """M, the number of pairs of variables."""
        return len(self.names) * (len(self.names) - 1) // 2

    def position(self, name: str) -> int:
        """Where a variable stands in alphabetical order, from 0.

        Parameters
        ----------
        name : of the variable

        Raises
        ------
        DataError : there is no such variable
        """
        if name not in self._places:
            raise DataError(f"There is no variable {name!r} in this analysis.")
        return self._places[name]

    def edge(self, a: str, b: str) -> Edge:
        """The two positions of an edge's ends in alphabetical order, low first.

        Parameters
        ----------
        a, b : names of two variables

        Raises
        ------
        DataError : one variable twice, or an unknown one
        """
        x, y = sorted((self.position(a), self.position(b)))
        if x == y:
            raise DataError("An edge needs two different variables.")
        return x, y

    def pair(self, edge: Edge) -> tuple[str, str]:
        """Names of the two ends of an edge, in column order.

        Parameters
        ----------
        edge : two positions in alphabetical order
        """
        a, b = self.in_order(edge)
        return a, b

    def in_order(self, positions: Iterable[int]) -> tuple[str, ...]:
        """Names of some positions, in column order.

        Parameters
        ----------
        positions : in alphabetical order
        """
        chosen = {self.sorted_names[x] for x in positions}
        return tuple(sorted(chosen, key=self._columns.__getitem__))

    def margin_of(self, variables: Sequence[int]) -> Margin:
        """The `Margin` of one or more variables that lie in one clique: their counts.

        Parameters
        ----------
        variables : positions in alphabetical order

        Raises
        ------
        DataError : they do not lie in one clique
        """
        wanted = set(variables)
        for margin in self._holding[variables[0]]:
            if wanted <= set(margin.variables):
                return margin.over(variables)
        raise DataError("These variables are not together in one group of the model.")

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.sorted_names)}

    def evidence(self, step: Step) -> Evidence:
        """What an edge was worth when it came, or was refused: the message it saves by its parts, and its G test.

        Parameters
        ----------
        step : one of `accepted`, or of a refusal
        """
        return edge_evidence(step.table, self.arity, self.pairs, step.edges, self.effect)

    @cached_property
    def entries(self) -> tuple[Evidence, ...]:
        """What every accepted edge was worth when it came."""
        return tuple(self.evidence(step) for step in self.accepted)

    @cached_property
    def _holding(self) -> list[list[Margin]]:
        """For every variable the cliques that it is in."""
        found: list[list[Margin]] = [[] for _ in self.names]
        for margin in self.margins:
            for x in margin.variables:
                found[x].append(margin)
        return found

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def _present(self) -> dict[Edge, Evidence]:
        """What every edge that can go alone is worth now: the score of adding it again."""
        tables = {edge: self._removable_table(edge) for edge in self.chosen.edges()}
        edges = self.chosen.n_edges - 1
        known = {edge: table for edge, table in tables.items() if table is not None}
        return {edge: edge_evidence(table, self.arity, self.pairs, edges, self.effect) for edge, table in known.items()}

    def _removable_table(self, edge: Edge) -> Margin | None:
        """Counts of the one clique with this edge, its ends last; None where it lies in several."""
        a, b = edge
        clique = self.chosen.clique_of(a, b)
        return None if clique is None else self.margin_of((*bits(clique & ~(1 << a) & ~(1 << b)), a, b))

    @cached_property
    def _stands(self) -> dict[tuple[int, ...], Standing]:
        return {}

    @cached_property
    def _empty_message(self) -> Message:
        return model_message(self.singles, (), self.arity, self.n_rows, 0, self.effect)
