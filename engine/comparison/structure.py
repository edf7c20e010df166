"""The sides of a comparison, answers or bare networks, and what two share: settings, claims, edges and rows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine import words
from engine.errors import DataError
from engine.graphs.dag import each_edge
from engine.graphs.pdag import compelled
from engine.lazy import nx, pd
from engine.methods.evidence import CLAIMS, Provenance
from engine.methods.fitting import check_names, check_that
from engine.methods.storing import storable
from engine.text import Count, Text, listed, told

BARE = "network"
"""Title of a network that comes alone."""


@storable
@dataclass(frozen=True)
class BareNetwork:
    """A network without an answer of a method: of another program, or somebody's drawing.

    Attributes
    ----------
    names : the variables
    edges : source and target; one that has no direction stands in it both ways where the network is directed
    directed : whether edges have directions
    """

    names: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    directed: bool

    @classmethod
    def of(cls, graph: nx.Graph) -> BareNetwork:
        """The network of a graph, its nodes by their names as texts."""
        edges = tuple((str(a), str(b)) for a, b in graph.edges if a != b)
        return cls(tuple(str(node) for node in graph.nodes), edges, bool(graph.is_directed()))

    def graph(self) -> nx.Graph:
        """The same as a networkx graph."""
        graph = nx.DiGraph() if self.directed else nx.Graph()
        graph.update(nodes=self.names, edges=self.edges)
        return graph

    def _check_read(self) -> None:
        check_names(self.names)
        check_that({name for edge in self.edges for name in edge} <= set(self.names), "an edge has no such end")


class Side:
    """One of two that are compared; what a bare network lacks is empty. Each part is made when it is asked for.

    Parameters
    ----------
    answer : a `Result` of a method, or a `BareNetwork`

    Attributes
    ----------
    names, bare : the variables, and whether it is a bare network
    provenance : where an answer comes from
    """

    def __init__(self, answer: Any) -> None:
        self.answer, self.names, self.bare = answer, answer.names, isinstance(answer, BareNetwork)
        self.provenance: Provenance | None = None if self.bare else answer.provenance

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """Method and settings, by name."""
        return {} if self.bare else {"method": self.answer.slug, **self.answer.settings()}

    @cached_property
    def claims(self) -> pd.DataFrame:
        """As `Result.claims`."""
        return pd.DataFrame(columns=list(CLAIMS)) if self.bare else self.answer.claims()

    @cached_property
    def graphs(self) -> Mapping[str, nx.Graph]:
        """Title -> network."""
        return {BARE: self.answer.graph()} if self.bare else self.answer.searched_graphs()

    @cached_property
    def links(self) -> set[frozenset[str]]:
        """The links of the first network, whatever their directions."""
        graph = next(iter(self.graphs.values()), nx.Graph())
        return {frozenset((source, target)) for source, target, *_ in each_edge(graph)}


AGREE, DIFFER, ONLY_A, ONLY_B = "agree", "differ", "only in a", "only in b"
"""The statuses of a setting, a claim or an edge in the two answers."""
DRAWN = {AGREE: "same", DIFFER: "reversed", ONLY_A: "only_a", ONLY_B: "only_b"}
"""The same as statuses of an arc that is drawn."""
ROWS = ("what", "a", "b", "status")
_ENDS = re.compile(" (?:->|--) ")
"""Between the variables of a claim about two; a name may hold spaces itself."""
_LONGEST = 200
"""Characters of a choice as the table of rows shows it."""


class Structure:
    """Two answers beside each other, over the variables that both have. Each table is made when it is asked for.

    Networks are compared under their titles; where no title is shared, in their order.

    Parameters
    ----------
    a, b : the two
    networks : title of a network in a -> title in b, for other pairs

    Attributes
    ----------
    variables : those that both have, in the order of the first

    Raises
    ------
    DataError : they share no variable, or a network that is named is not there
    """

    def __init__(self, a: Side, b: Side, networks: Mapping[str, str] | None = None) -> None:
        inside = set(b.names)
        self.variables = tuple(name for name in a.names if name in inside)
        if not self.variables:
            raise DataError("The two results share no variable, so there is nothing to compare.")
        self._a, self._b, self._pairs = a, b, _pairs(a, b, networks)

    @cached_property
    def settings(self) -> pd.DataFrame:
        """Setting, a, b, status."""
        ours, theirs = self._a.settings, self._b.settings
        rows = [
            (name, str(ours.get(name, "")), str(theirs.get(name, "")), _status(name, ours, theirs))
            for name in dict.fromkeys([*ours, *theirs])
        ]
        return pd.DataFrame(rows, columns=["setting", "a", "b", "status"])

    @cached_property
    def claims(self) -> pd.DataFrame:
        """About, kind, verdict_a, verdict_b, probability_a, probability_b, status."""
        others = set(self._a.names) ^ set(self._b.names)
        ours, theirs = (
            {
                (row.about, row.kind): row
                for row in side.claims.itertuples()
                if not others & set(_ENDS.split(str(row.about)))
            }
            for side in (self._a, self._b)
        )
        rows = []
        for key in dict.fromkeys([*ours, *theirs]):
            item, other = ours.get(key), theirs.get(key)
            verdicts = ["" if row is None else row.verdict for row in (item, other)]
            probabilities = [float("nan") if row is None else row.probability for row in (item, other)]
            status = ONLY_A if other is None else ONLY_B if item is None else AGREE if len({*verdicts}) == 1 else DIFFER
            rows.append((*key, *verdicts, *probabilities, status))
        columns = ["about", "kind", "verdict_a", "verdict_b", "probability_a", "probability_b", "status"]
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def edges(self) -> pd.DataFrame:
        """Network, source, target, mark_a, mark_b, status, network_b (its title in the second).

        An arc turned round, or with a direction in one answer only, differs.
        """
        ours, theirs = _by_ends(self._a, self.variables), _by_ends(self._b, self.variables)
        rows = []
        for title, other in self._pairs.items():
            for ends in dict.fromkeys([*ours[title], *theirs[other]]):
                here, there = ours[title].get(ends), theirs[other].get(ends)
                status = _status(ends, ours[title], theirs[other])
                known = here if here and (there is None or here[2] == "->" or there[2] != "->") else there
                source, target, _ = known or ("", "", "")
                rows.append((title, source, target, here[2] if here else "", there[2] if there else "", status, other))
        columns = ["network", "source", "target", "mark_a", "mark_b", "status", "network_b"]
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """Rows what, a, b, status: data, choices of the table that differ, versions; empty beside a bare network."""
        rows = []
        if self._a.provenance is not None and self._b.provenance is not None:
            ours, theirs = _facts(self._a.provenance), _facts(self._b.provenance)
            for key in dict.fromkeys([*ours, *theirs]):
                status = _status(key, ours, theirs)
                if status != AGREE or not key.startswith("choice"):  # there are many, and most agree
                    rows.append((key, ours.get(key, "")[:_LONGEST], theirs.get(key, "")[:_LONGEST], status))
        return pd.DataFrame(rows, columns=list(ROWS))

    @cached_property
    def loose(self) -> int:
        """Arcs turned round that equivalent networks on either side may have either way (Verma & Pearl 1990)."""
        edges, number = self.edges, 0
        turned = edges[(edges["status"] == DIFFER) & (edges["mark_a"] == "->") & (edges["mark_b"] == "->")]
        for (title, other), rows in turned.groupby(["network", "network_b"]):
            compelled_arcs = _compelled(self._a.graphs[title]), _compelled(self._b.graphs[other])
            if None not in compelled_arcs:
                fixed = {frozenset(ends) for arcs in compelled_arcs for ends in arcs or ()}
                number += sum(frozenset((row.source, row.target)) not in fixed for row in rows.itertuples())
        return number

    def titles(self) -> tuple[str, ...]:
        """Titles of the networks that were compared, as the first answer has them."""
        return tuple(self._pairs)

    def graph(self, title: str | None = None) -> nx.DiGraph:
        """The difference of two networks as one."""
        title = next(iter(self._pairs), "") if title is None else title
        if title not in self._pairs:
            known = ", ".join(repr(pair) for pair in self._pairs) or "none"
            raise DataError(f"There is no pair of networks {title!r}; there are {known}.")
        graph = nx.empty_graph(self.variables, nx.DiGraph)
        for row in self.edges[self.edges["network"] == title].itertuples():
            about = {"status": DRAWN[row.status], "mark_a": row.mark_a, "mark_b": row.mark_b}
            if row.status == DIFFER:
                same = row.mark_a == row.mark_b
                about["change"] = "turned" if same else f"directed in {'a' if row.mark_a == '->' else 'b'} only"
            graph.add_edge(row.source, row.target, **about)
            if "->" not in (row.mark_a, row.mark_b):
                graph.add_edge(row.target, row.source, **about)
        return graph

    def graphs(self) -> dict[str, nx.DiGraph]:
        """{title: difference network}, of every pair that was compared."""
        return {title: self.graph(title) for title in self._pairs}

    def sentences(self) -> list[Text]:
        """The comparison in plain words; that of the edges is the last."""
        result = []
        if self.loose:
            result.append(
                told(
                    "{} turned round could run either way in both networks without any of them saying something else; "
                    "such a turn is no difference that rows could show.",
                    Count(self.loose, "arc"),
                )
            )
        for noun, table in (("setting", self.settings), ("statement", self.claims), ("edge", self.edges)):
            number = {status: int((table["status"] == status).sum()) for status in (AGREE, DIFFER, ONLY_A, ONLY_B)}
            result.append(_said(noun, number, len(table)))
        return result

    def __repr__(self) -> str:
        return f"<Structure of {words.count(len(self.variables), 'variable')}: {self.sentences()[-1]}>"[:199]


def _said(noun: str, number: Mapping[str, int], whole: int) -> Text:
    """The number that agree, and the fate of the others."""
    if not whole:
        return told("There are no {}s to compare.", noun)
    if number[AGREE] == whole:
        return told("The one {} agrees.", noun) if whole == 1 else told("All {} agree.", Count(whole, noun))
    kinds = ((DIFFER, "differs", "differ"), (ONLY_A, *_in("first")), (ONLY_B, *_in("second")))
    others = listed(told("{}", Count(number[status], *verbs)) for status, *verbs in kinds if number[status])
    agree = "agrees" if number[AGREE] == 1 else "agree"
    return told("{} of {} {}; {}.", Count(number[AGREE]), Count(whole, noun), agree, others)


def _in(which: str) -> tuple[str, str]:
    return f"is in the {which} only", f"are in the {which} only"


def _compelled(graph: nx.Graph) -> set[tuple[Any, Any]] | None:
    """The arcs that every equivalent network has this way; None where the network is no DAG."""
    try:
        return compelled(graph) if graph.is_directed() else None
    except DataError:  # a circle, or edges without a direction
        return None


def _pairs(a: Side, b: Side, named: Mapping[str, str] | None) -> dict[str, str]:
    """Title in a -> title in b: as asked, of one name, else in their order."""
    if named is None:
        return {title: title for title in a.graphs if title in b.graphs} or dict(zip(a.graphs, b.graphs, strict=False))
    for title, side in [(item, a) for item in named] + [(entry, b) for entry in named.values()]:
        if title not in side.graphs:
            raise DataError(f"There is no network {title!r}; there are {', '.join(map(repr, side.graphs))}.")
    return dict(named)


def _status(key: Any, ours: Mapping[Any, Any], theirs: Mapping[Any, Any]) -> str:
    """The status of a key: in both with one value, in both, or in one of them."""
    if key not in theirs:
        return ONLY_A
    if key not in ours:
        return ONLY_B
    return AGREE if ours[key] == theirs[key] else DIFFER


def _by_ends(side: Side, shared: tuple[str, ...]) -> dict[str, dict[frozenset[str], tuple[str, str, str]]]:
    """Title -> the two ends of an edge -> source, target and mark; ends of an edge without a direction by name."""
    result: dict[str, dict[frozenset[str], tuple[str, str, str]]] = {title: {} for title in side.graphs}
    inside = set(shared)
    for network, graph in side.graphs.items():
        for source, target, directed, _ in each_edge(graph):
            if {source, target} <= inside:
                ends = (source, target) if directed else tuple(sorted((source, target)))
                result[network][frozenset(ends)] = (ends[0], ends[1], "->" if directed else "--")
    return result


def _facts(provenance: Provenance) -> dict[str, str]:
    """What -> as text: rows, data, every choice by column where it is made so, and versions."""
    result = {
        "rows used": f"{provenance.rows_used:,}",
        "rows of the table": f"{provenance.rows_given:,}",
        "data (fingerprint)": provenance.fingerprint,
    }
    for choice, value in provenance.recipe.items():
        if choice == "columns":
            for column in value:
                facts = {name: item for name, item in column.items() if name != "name"}
                result |= {f"choice {name} of '{column['name']}'": _text(fact) for name, fact in facts.items() if fact}
        elif isinstance(value, Mapping):
            result |= {f"choice {choice} of '{name}'": _text(entry) for name, entry in value.items()}
        else:
            result[f"choice {choice}"] = _text(value)
    return result | {f"version of {name}": str(version) for name, version in provenance.versions.items()}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
