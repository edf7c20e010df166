"""What two answers share: which settings, claims and edges agree, differ, or stand in one of them only."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine import words
from engine.comparison.sides import Side
from engine.errors import DataError
from engine.graphs.pdag import compelled
from engine.methods.result import Provenance

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

AGREE, DIFFER, ONLY_A, ONLY_B = "agree", "differ", "only in a", "only in b"
"""What a setting, a claim or an edge is to the two answers."""
DRAWN = {AGREE: "same", DIFFER: "reversed", ONLY_A: "only_a", ONLY_B: "only_b"}
"""The same as statuses of an arc that is drawn."""
ROWS = ("what", "a", "b", "status")
_ENDS = re.compile(" (?:->|--) ")
"""Between the variables of a claim about two; a name may hold spaces itself."""
_LONGEST = 200
"""Characters of a choice as the table of rows shows it."""


class Structure:
    """How two answers stand to each other, over the variables that both have. Each table is made when it is asked for.

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
        return _settings(self._a, self._b)

    @cached_property
    def claims(self) -> pd.DataFrame:
        """About, kind, verdict_a, verdict_b, probability_a, probability_b, status."""
        return _claims(self._a, self._b)

    @cached_property
    def edges(self) -> pd.DataFrame:
        """Network, source, target, mark_a, mark_b, status, network_b (its title in the second).

        An arc turned round, or with a direction in one answer only, differs.
        """
        return _edges(self._a, self._b, self.variables, self._pairs)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """What, a, b, status: rows, data, choices of the table that differ, versions; empty beside a bare network."""
        return _rows(self._a, self._b)

    @cached_property
    def loose(self) -> int:
        """Arcs that are turned round, but that equivalent networks on either side may have either way."""
        return _loose(self._a, self._b, self.edges)

    def titles(self) -> tuple[str, ...]:
        """Titles of the networks that were compared, as the first answer has them."""
        return tuple(self._pairs)

    def graph(self, title: str | None = None) -> nx.DiGraph:
        """The difference of two networks as one."""
        import networkx as nx

        title = next(iter(self._pairs), "") if title is None else title
        if title not in self._pairs:
            known = ", ".join(repr(pair) for pair in self._pairs) or "none"
            raise DataError(f"There is no pair of networks {title!r}; there are {known}.")
        graph = nx.DiGraph()
        graph.add_nodes_from(self.variables)
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

    def sentences(self) -> list[str]:
        """The comparison in plain words; that of the edges is the last."""
        result = []
        if self.loose:
            result.append(
                f"{words.count(self.loose, 'arc')} turned round could run either way in both networks without any "
                "of them saying something else; such a turn is no difference that rows could show."
            )
        for noun, table in (("setting", self.settings), ("claim", self.claims), ("edge", self.edges)):
            number = {status: int((table["status"] == status).sum()) for status in (AGREE, DIFFER, ONLY_A, ONLY_B)}
            result.append(_said(noun, number, len(table)))
        return result

    def __repr__(self) -> str:
        return f"<Structure of {words.count(len(self.variables), 'variable')}: {self.sentences()[-1]}>"[:199]


def count_shared(a: Side, b: Side) -> tuple[int, int]:
    """How many edges the first two networks share, whatever their directions, and how many either has."""
    first, second = ({frozenset(edge) for edge in next(iter(side.graphs.values())).edges} for side in (a, b))
    return len(first & second), len(first | second)


def _said(noun: str, number: Mapping[str, int], whole: int) -> str:
    """How many agree, and what becomes of the others."""
    if not whole:
        return f"There are no {noun}s to compare."
    if number[AGREE] == whole:
        return f"The one {noun} agrees." if whole == 1 else f"All {whole} {noun}s agree."
    rest = (
        f"{number[DIFFER]} {'differs' if number[DIFFER] == 1 else 'differ'}",
        f"{number[ONLY_A]} {'is' if number[ONLY_A] == 1 else 'are'} in the first only",
        f"{number[ONLY_B]} {'is' if number[ONLY_B] == 1 else 'are'} in the second only",
    )
    kinds = zip((DIFFER, ONLY_A, ONLY_B), rest, strict=True)
    others = words.listed(sentence for status, sentence in kinds if number[status])
    return f"{number[AGREE]} of {words.count(whole, noun)} {'agrees' if number[AGREE] == 1 else 'agree'}; {others}."


def _loose(a: Side, b: Side, edges: pd.DataFrame) -> int:
    """How many of the arcs turned round are compelled on neither side (Verma & Pearl 1990)."""
    turned = edges[(edges["status"] == DIFFER) & (edges["mark_a"] == "->") & (edges["mark_b"] == "->")]
    number = 0
    for (title, other), rows in turned.groupby(["network", "network_b"]):
        compelled = [_compelled(side.graphs[name]) for side, name in ((a, title), (b, other))]
        if None not in compelled:
            fixed = {frozenset(ends) for item in compelled for ends in item or ()}
            number += sum(frozenset((row.source, row.target)) not in fixed for row in rows.itertuples())
    return number


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
    """Whether both have a key, and the same under it."""
    if key not in theirs:
        return ONLY_A
    if key not in ours:
        return ONLY_B
    return AGREE if ours[key] == theirs[key] else DIFFER


def _settings(a: Side, b: Side) -> pd.DataFrame:
    import pandas as pd

    ours, theirs = a.settings, b.settings
    rows = []
    for name in dict.fromkeys([*ours, *theirs]):
        rows.append((name, str(ours.get(name, "")), str(theirs.get(name, "")), _status(name, ours, theirs)))
    return pd.DataFrame(rows, columns=["setting", "a", "b", "status"])


def _claims(a: Side, b: Side) -> pd.DataFrame:
    import pandas as pd

    others = set(a.names) ^ set(b.names)

    def kept(side: Side) -> dict[tuple[str, str], Any]:
        rows = side.claims.itertuples()
        return {(row.about, row.kind): row for row in rows if not others & set(_ENDS.split(str(row.about)))}

    ours, theirs = kept(a), kept(b)
    rows = []
    for key in dict.fromkeys([*ours, *theirs]):
        item, other = ours.get(key), theirs.get(key)
        verdicts = ["" if row is None else row.verdict for row in (item, other)]
        probabilities = [float("nan") if row is None else row.probability for row in (item, other)]
        status = ONLY_A if other is None else ONLY_B if item is None else AGREE if len({*verdicts}) == 1 else DIFFER
        rows.append((*key, *verdicts, *probabilities, status))
    columns = ["about", "kind", "verdict_a", "verdict_b", "probability_a", "probability_b", "status"]
    return pd.DataFrame(rows, columns=columns)


def _edges(a: Side, b: Side, shared: tuple[str, ...], pairs: Mapping[str, str]) -> pd.DataFrame:
    import pandas as pd

    ours, theirs = _by_ends(a, shared), _by_ends(b, shared)
    rows = []
    for title, other in pairs.items():
        for ends in dict.fromkeys([*ours[title], *theirs[other]]):
            here, there = ours[title].get(ends), theirs[other].get(ends)
            status = _status(ends, ours[title], theirs[other])
            known = here if here and (there is None or here[2] == "->" or there[2] != "->") else there
            source, target, _ = known or ("", "", "")
            rows.append((title, source, target, here[2] if here else "", there[2] if there else "", status, other))
    columns = ["network", "source", "target", "mark_a", "mark_b", "status", "network_b"]
    return pd.DataFrame(rows, columns=columns)


def _by_ends(side: Side, shared: tuple[str, ...]) -> dict[str, dict[frozenset[str], tuple[str, str, str]]]:
    """Title -> the two ends of an edge -> source, target and mark; ends of an edge without a direction by name."""
    result: dict[str, dict[frozenset[str], tuple[str, str, str]]] = {title: {} for title in side.graphs}
    inside = set(shared)
    for network, source, target, mark in side.edges():
        if {source, target} <= inside:
            ends = (source, target) if mark == "->" else tuple(sorted((source, target)))
            result[network][frozenset(ends)] = (ends[0], ends[1], mark)
    return result


def _rows(a: Side, b: Side) -> pd.DataFrame:
    """Rows, data, choices of the table that differ, and versions; nothing beside a network without a table."""
    import pandas as pd

    if a.provenance is None or b.provenance is None:
        return pd.DataFrame(columns=list(ROWS))
    ours, theirs = _facts(a.provenance), _facts(b.provenance)
    rows = []
    for key in dict.fromkeys([*ours, *theirs]):
        item, other = ours.get(key), theirs.get(key)
        status = _status(key, ours, theirs)
        if status != AGREE or not key.startswith("choice"):  # there are many, and most agree
            rows.append((key, (item or "")[:_LONGEST], (other or "")[:_LONGEST], status))
    return pd.DataFrame(rows, columns=list(ROWS))


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
