"""The evidence of a log-linear analysis: the model with its counts, how it was built, and what follows in numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine.errors import DataError
from engine.graphs.chordal import DecomposableGraph, Edge
from engine.graphs.dag import bits
from engine.lazy import nx, pd
from engine.methods import frames
from engine.methods.fitting import check_codes, check_positions, check_that, checked_edges
from engine.methods.links_evidence import LinksEvidence
from engine.methods.log_linear.counts import Margin
from engine.methods.log_linear.criteria import LN2
from engine.methods.log_linear.message import (
    EdgeEvidence,
    EdgeSupport,
    EdgeValue,
    Message,
    edge_evidence,
    edge_support,
    model_message,
)
from engine.methods.log_linear.number_checks import NumberCheck
from engine.methods.log_linear.pair_screening import NOT_SCREENED, PairScreening, beyond_chance, gaps_of
from engine.methods.log_linear.search import Refusal, Step
from engine.methods.storing import storable_as

storable_as(
    DecomposableGraph,
    lambda graph: {"n": len(graph.neighbours), "edges": graph.edges()},
    lambda n, edges: DecomposableGraph(n, checked_edges(n, edges)),
)


@dataclass(frozen=True, eq=False, repr=False)
class LogLinearEvidence(LinksEvidence):
    """The decomposable model of a table, and the counts that it rests on.

    Attributes
    ----------
    method : the settings
    names, fingerprint : of the data set; `LinksEvidence` has its levels, rows and subjects
    made : what it was computed from and with
    screening : what every pair shows by itself, and columns that follow from another
    missing : variable with a link -> its level that stands for missing values, where it has one
    checks : what the numbers say of the links, and of links that were refused, of two numbers or found through one
    cut : the numbers with more values than levels
    ordered : the variables of three levels and more that have an order
    """

    sorted_names: tuple[str, ...]
    chosen: DecomposableGraph
    begun: DecomposableGraph
    filled: tuple[Edge, ...]
    accepted: tuple[Step, ...]
    declined: tuple[Refusal, ...]
    margins: tuple[Margin, ...]
    separator_sets: tuple[int, ...]
    singles: tuple[Margin, ...]
    screening: PairScreening = NOT_SCREENED
    missing: Mapping[str, str] = field(default_factory=dict)
    checks: tuple[NumberCheck, ...] = ()
    cut: tuple[str, ...] = ()
    ordered: tuple[str, ...] = ()

    @property
    def graph(self) -> nx.Graph:
        """The model: an edge wherever two variables hang together directly.

        Edges carry `evidence_bits` (what taking the edge away would cost; NaN where it cannot go alone), `removable`,
        `cliques` (in how many it lies), `entry_bits`, what it saved when it came (NaN for edges of the start), and
        `from_the_cut` where only the levels of numbers show it.
        """
        entered = {(step.a, step.b): entry.saving_bits for step, entry in zip(self.accepted, self.entries, strict=True)}
        graph = nx.empty_graph(self.names)
        for a, b in self.chosen.edges():
            evidence = self._present.get((a, b))
            graph.add_edge(
                *self.pair((a, b)),
                evidence_bits=math.nan if evidence is None else evidence.saving_bits,
                removable=evidence is not None,
                cliques=sum(b in margin.variables for margin in self._holding[a]),
                entry_bits=entered.get((a, b), math.nan),
                **({"from_the_cut": True} if self.from_the_cut(self.pair((a, b))) else {}),
            )
        return graph

    @cached_property
    def edge_values(self) -> Mapping[tuple[str, str], EdgeValue]:
        """The value of every edge, the strongest first; ends in column order."""
        result = {(a, b): EdgeValue(**about) for a, b, about in self.graph.edges(data=True)}
        return dict(sorted(result.items(), key=lambda item: -item[1].strength))

    @cached_property
    def supports(self) -> Mapping[tuple[str, str], EdgeSupport]:
        """The support of every edge given what else its group holds; of one in several groups, when it came."""
        tables = {pair: self.edge_table(pair) for pair in self.edge_values}
        return {pair: self.support_of(table) for pair, table in tables.items() if table is not None}

    @cached_property
    def gap_supports(self) -> Mapping[tuple[str, str], EdgeSupport]:
        """Of links whose ends are missing together what the rows without those gaps say of them."""
        result, names = {}, self.sorted_names
        for pair in self.edge_values:
            table = self.edge_table(pair) or self.margin_of(self.edge(*pair))
            a, b = table.variables[-2:]
            if gaps := gaps_of((names[a], names[b]), table, self.arity, self.levels, self.missing):
                given, seed = self.in_order(table.variables[:-2]), self.method.drawing_seed
                result[pair] = edge_support(gaps.table, names, gaps.arity, seed, given, self.effect)
        return result

    def number_check(self, a: str, b: str) -> NumberCheck | None:
        """The check by numbers of a link, or of one that was refused; None where they were not asked.

        Parameters
        ----------
        a, b : names of the two variables
        """
        return self._checked.get(frozenset((a, b)))

    @cached_property
    def _checked(self) -> Mapping[frozenset[str], NumberCheck]:
        return {frozenset((check.a, check.b)): check for check in self.checks}

    def from_the_cut(self, pair: tuple[str, str]) -> bool:
        """True of a link that levels show and their numbers do not.

        Parameters
        ----------
        pair : names of its ends
        """
        check = self.number_check(*pair)
        return check is not None and check.from_the_cut

    def edge_table(self, pair: tuple[str, str]) -> Margin | None:
        """Counts that an edge rests on, its ends last: of its one group, else as it came; None for one of the start.

        Parameters
        ----------
        pair : names of the two variables
        """
        edge = self.edge(*pair)
        return self._removable_table(edge) or next((s.table for s in self.accepted if (s.a, s.b) == edge), None)

    def support_of(self, table: Margin) -> EdgeSupport:
        """The probability that the population has a link.

        Parameters
        ----------
        table : one of `links`
        """
        if table.variables not in self._supports:
            given, seed = self.in_order(table.variables[:-2]), self.method.drawing_seed
            support = edge_support(table, self.sorted_names, self.arity, seed, given, self.effect)
            self._supports[table.variables] = support
        return self._supports[table.variables]

    @property
    def cliques(self) -> list[tuple[str, ...]]:
        """The maximal cliques, whose variables are all linked to each other: largest first, each in column order."""
        groups = [self.in_order(margin.variables) for margin in self.margins]
        return sorted(groups, key=lambda group: (-len(group), [self._columns[name] for name in group]))

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
        parts = {
            "no edges": model_message(self.singles, (), self.arity, self.n_rows, 0, self.effect).bits(),
            "this model": self.message_length.bits(),
        }
        return frames.data_frame(parts).T

    @property
    def start_bits(self) -> float:
        """Message length in bits of what the search began with."""
        return self.message_length.total / LN2 + sum(entry.saving_bits for entry in self.entries)

    @cached_property
    def message_length(self) -> Message:
        """Message length of this model, in nats by its parts."""
        separators = [self.margin_of(tuple(bits(mask))) for mask in self.separator_sets if mask]
        return model_message(self.margins, separators, self.arity, self.n_rows, self.chosen.n_edges, self.effect)

    def doubtful_links(self) -> list[tuple[str, str]]:
        """The links that chance alone could show among so many pairs, or that were given; weakest first."""
        supports, pairs = self.supports, self.pairs
        return [
            pair
            for pair in reversed(list(self.edge_values))
            if self.undecided or pair not in supports or not beyond_chance(supports[pair].log10_p, pairs)
        ]

    @cached_property
    def linked_cliques(self) -> list[tuple[str, ...]]:
        """The cliques of two variables and more, largest first."""
        return [clique for clique in self.cliques if len(clique) > 1]

    def _check_read(self) -> None:
        super()._check_read()
        n = len(self.names)
        check_that(self.sorted_names == tuple(sorted(self.names)), "its network stands over other variables")
        check_that(len(self.chosen.neighbours) == len(self.begun.neighbours) == n, "its networks differ in size")
        ends = {name for check in self.checks for name in (check.a, check.b, *check.given)}
        check_that({*ends, *self.cut, *self.ordered} <= set(self.names), "a check of numbers is of other variables")
        check_that(all(entry in self.levels[name] for name, entry in self.missing.items()), "a level is not there")
        arity = [len(self.levels[name]) for name in self.sorted_names]
        steps = [*self.accepted, *(element.step for element in self.declined)]
        check_that(len(self.singles) == n, "a variable has no counts")
        for item in (*self.margins, *self.singles, *(step.table for step in steps)):
            check_positions(item.variables, n)
            check_codes(item.cells.T, [arity[x] for x in item.variables])
            check_that(int(item.counts.sum()) == self.n_rows, "a table counts other rows than the answer")
        for step in steps:
            check_positions((step.a, step.b), n)
            check_that(0 <= step.separator < 1 << n, "a set of variables holds none of them")
        check_that(all(0 <= mask < 1 << n for mask in self.separator_sets), "a set of variables holds none of them")

    # -- inside -------------------------------------------------------------------------------------------------------

    @cached_property
    def arity(self) -> np.ndarray:
        """(p,) numbers of levels, variables in alphabetical order."""
        return np.array([len(self.levels[name]) for name in self.sorted_names], dtype=np.int64)

    @property
    def n_links(self) -> int:
        """The number of links."""
        return self.chosen.n_edges

    @property
    def pairs(self) -> int:
        """M, the number of pairs of variables."""
        return len(self.names) * (len(self.names) - 1) // 2

    def position(self, name: str) -> int:
        """Where a variable stands in alphabetical order, from 0.

        Parameters
        ----------
        name : of the variable
        """
        if name not in self._places:
            raise DataError(f"There is no variable {name!r} in this analysis.")
        return self._places[name]

    def edge(self, a: str, b: str) -> Edge:
        """The two positions of an edge's ends in alphabetical order, low first.

        Parameters
        ----------
        a, b : names of two variables
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
        """
        wanted = set(variables)
        for margin in self._holding[variables[0]]:
            if wanted <= set(margin.variables):
                return margin.over(variables)
        raise DataError("These variables are not together in one group of the model.")

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.sorted_names)}

    def evidence(self, step: Step) -> EdgeEvidence:
        """The worth of an edge when it came, or was refused: the message it saves by its parts, and its G test.

        Parameters
        ----------
        step : one of `accepted`, or of a refusal
        """
        return edge_evidence(step.table, self.arity, self.pairs, step.edges, self.effect)

    @cached_property
    def entries(self) -> tuple[EdgeEvidence, ...]:
        """The worth of every accepted edge when it came."""
        return tuple(self.evidence(step) for step in self.accepted)

    @cached_property
    def _holding(self) -> list[list[Margin]]:
        """For every variable the cliques that it is in."""
        result: list[list[Margin]] = [[] for _ in self.names]
        for margin in self.margins:
            for x in margin.variables:
                result[x].append(margin)
        return result

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def _present(self) -> dict[Edge, EdgeEvidence]:
        """The worth now of every edge that can go alone: the score of adding it again."""
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
    def _supports(self) -> dict[tuple[int, ...], EdgeSupport]:
        return {}
