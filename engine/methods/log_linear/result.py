"""What a log-linear analysis found: the model, how it was built, and what every group of variables shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import DataError
from engine.graphs.chordal import DecomposableGraph, Edge
from engine.graphs.dag import bits
from engine.methods.log_linear import tables
from engine.methods.log_linear import tell as words
from engine.methods.log_linear.message import Evidence, Message, edge_evidence, model_message

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.data.dataset import Dataset
    from engine.methods.log_linear.counts import Margin
    from engine.methods.log_linear.search import Step
    from engine.methods.log_linear.settings import LogLinear
    from engine.methods.log_linear.what_if import WhatIf


@dataclass(frozen=True)
class Refusal:
    """A candidate that did not pay, and how many times the rows it would need."""

    step: Step
    rows_factor: float


@dataclass(frozen=True, eq=False)
class LogLinearResult:
    """The answer to "which variables hang together directly?"

    Attributes
    ----------
    method : the settings
    names, levels : the variables in column order, and their levels
    n_rows, fingerprint : of the data set
    """

    method: LogLinear
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

    @cached_property
    def message_length(self) -> Message:
        """Message length of this model, in nats by its parts."""
        separators = [self.margin_of(tuple(bits(mask))) for mask in self.separator_sets if mask]
        return model_message(self.margins, separators, self.arity, self.n_rows, self.chosen.n_edges)

    # -- how it was built ---------------------------------------------------------------------------------------------

    @property
    def steps(self) -> pd.DataFrame:
        """The accepted edges in order.

        Columns: step, a, b, saving_bits (its parts graph_bits, parameter_bits, data_bits; positive saves), total_bits
        (of the model after it), separator (names, at entry), df, G, log10_p, joint (came as one of two).
        """
        return tables.steps(self)

    @property
    def refused(self) -> pd.DataFrame:
        """The best edges that were not taken, best first: a, b, separator, short_by_bits, rows_factor (about how many
        times the rows it would need), saving_bits, df, G, log10_p. `short_by_bits` is under the criterion used."""
        return tables.refused(self)

    def replay(self, step: int) -> nx.Graph:
        """The graph after so many steps (0: the start)."""
        import networkx as nx

        if not 0 <= step <= len(self.accepted):
            raise DataError(f"There is no step {step}; steps are numbered 0 to {len(self.accepted)}.")
        graph = nx.Graph()
        graph.add_nodes_from(self.names)
        edges = [*self.begun.edges(), *((one.a, one.b) for one in self.accepted[:step])]
        graph.add_edges_from(self.pair(edge) for edge in edges)
        return graph

    # -- counts -------------------------------------------------------------------------------------------------------

    def expected(self, variables: Sequence[str]) -> pd.Series:
        """Expected counts of all cells of some variables under the model, by their levels; they sum to the rows.

        A product over cliques divided by one over separators.

        Raises
        ------
        DataError : an unknown variable, none or one twice, a table of more than a million cells
        """
        return tables.expected(self, variables)

    def residuals(self, clique: Sequence[str], without: tuple[str, str] | None = None) -> pd.DataFrame:
        """Observed and expected counts of a group of variables, with Pearson and adjusted residuals.

        Inside a group the model reproduces the observed counts. With `without` the two variables of that edge are taken
        as independent given the others of the group (for a whole clique and an edge of no other one, that is the model
        that lacks the edge), so the residuals show what the edge explains. The adjusted ones are Pearson's divided by
        their standard error. Columns: the variables, observed, expected, pearson, adjusted, small (expected below 5).

        Raises
        ------
        DataError : an unknown variable or one twice, variables that are not together in one clique, an edge that is not
            between two of them, a table of more than a million cells
        """
        return tables.residuals(self, clique, without)

    def independence(self, a: str, b: str) -> str:
        """For two variables without an edge: "a and b are independent given S"; with one: what it is worth.

        S is the smallest part of a's neighbours that separates the two. Raises `DataError` for an unknown variable or
        one twice.
        """
        return words.independence(self, a, b)

    # -- what if ------------------------------------------------------------------------------------------------------

    def what_if(self, data: Dataset, a: str, b: str) -> WhatIf:
        """What adding an edge would cost, or taking it away; where that needs further edges, which.

        Raises
        ------
        DataError : other data than those of this result, an unknown variable, one variable twice
        """
        from engine.methods.log_linear.what_if import what_if

        return what_if(self, data, a, b)

    def edited(
        self, data: Dataset, add: Sequence[tuple[str, str]] = (), remove: Sequence[tuple[str, str]] = ()
    ) -> LogLinearResult:
        """A model made by hand: this one with some edges fewer and then some more.

        Where a removal or an addition alone would leave a cycle without a chord, further edges go or come with it (as
        `what_if` names them). The method of the answer has all its edges as `start`, none as forced, and forbids what
        was forbidden but for edges added here: its `run` goes on searching from this model.

        Raises
        ------
        DataError : other data than those of this result, an unknown variable, one variable twice
        """
        from engine.methods.log_linear.what_if import edited

        return edited(self, data, add, remove)

    def compare(self, other: LogLinearResult) -> pd.DataFrame:
        """The edges of either model: a, b, in_this, in_other, and their evidence in bits in both."""
        return tables.compare(self, other)

    def directed(self) -> nx.DiGraph:
        """An equivalent directed network, along the order in which the graph can be taken apart."""
        import networkx as nx

        order = self.chosen.elimination_order() or []
        place = {x: i for i, x in enumerate(reversed(order))}
        graph = nx.DiGraph()
        graph.add_nodes_from(self.names)
        for a, b in self.chosen.edges():
            first, second = (a, b) if place[a] < place[b] else (b, a)
            graph.add_edge(self.sorted_names[first], self.sorted_names[second])
        return graph

    # -- words --------------------------------------------------------------------------------------------------------

    def headline(self) -> str:
        """The one-sentence answer."""
        return words.headline(self)

    def summary(self) -> str:
        """The answer in plain sentences."""
        return words.summary(self)

    def notes(self) -> list[str]:
        """What limits the answer, one sentence each."""
        return words.notes(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """{title: table}, each as `table(title)` gives it."""
        return {title: self.table(title) for title in words.TABLES}

    def table(self, title: str) -> pd.DataFrame:
        """ "Edges", "Steps", "Not taken", "Groups", "Message" or "Settings"."""
        return words.table(self, title)

    def graphs(self) -> dict[str, nx.Graph]:
        """{"associations": the model}."""
        return {"associations": self.graph}

    def to_json(self) -> str:
        """Everything, versioned: settings, model, steps, refused edges, message lengths."""
        return words.to_json(self)

    def settings(self) -> dict[str, Any]:
        """The settings by name."""
        from dataclasses import asdict

        return asdict(self.method)

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
        """Where a variable stands in alphabetical order; `DataError` where there is none."""
        if name not in self._places:
            raise DataError(f"There is no variable {name!r} in this analysis.")
        return self._places[name]

    def edge(self, a: str, b: str) -> Edge:
        """Positions of the two ends of an edge, low first; `DataError` for one variable twice or an unknown one."""
        x, y = sorted((self.position(a), self.position(b)))
        if x == y:
            raise DataError("An edge needs two different variables.")
        return x, y

    def pair(self, edge: Edge) -> tuple[str, str]:
        """Names of the two ends of an edge, in column order."""
        a, b = self.in_order(edge)
        return a, b

    def in_order(self, positions: Any) -> tuple[str, ...]:
        """Names of some positions, in column order."""
        chosen = {self.sorted_names[x] for x in positions}
        return tuple(sorted(chosen, key=self._columns.__getitem__))

    def check_data(self, data: Dataset) -> None:
        """`DataError` for other data than those of this result."""
        if data.fingerprint != self.fingerprint:
            raise DataError("These are not the data of this result; ask with the data it was made from.")

    def margin_of(self, variables: Sequence[int]) -> Margin:
        """The counts of one or more variables that lie in one clique; `DataError` where they do not."""
        wanted = set(variables)
        for margin in self._holding[variables[0]]:
            if wanted <= set(margin.variables):
                return margin.over(variables)
        raise DataError("These variables are not together in one group of the model.")

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.sorted_names)}

    @cached_property
    def entries(self) -> tuple[Evidence, ...]:
        """What every accepted edge was worth when it came."""
        return tuple(tables.step_evidence(self, step) for step in self.accepted)

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
        found = {}
        for a, b in self.chosen.edges():
            clique = self.chosen.clique_of(a, b)
            if clique is not None:
                table = self.margin_of((*bits(clique & ~(1 << a) & ~(1 << b)), a, b))
                found[a, b] = edge_evidence(table, self.arity, self.pairs, self.chosen.n_edges - 1)
        return found

    @cached_property
    def _empty_message(self) -> Message:
        return model_message(self.singles, (), self.arity, self.n_rows, 0)
