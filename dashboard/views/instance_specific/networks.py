"""The population's network and the patient's as panels on one layout, or both in one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.network.panel import Edge, Node, Panel
from dashboard.text import capital, short
from engine.words import count, percent

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.methods.instance_specific.result import InstanceSpecificResult

STATUS = {"kept": "kept", "dropped": "dropped", "added": "added", "reversed": "turned"}
"""Status of an arc in the engine -> its style in the theme."""
MARKS = {"dropped": "✕", "added": "＋", "reversed": "⟲"}
"""What stands on an arc that differs; the legend says the word."""
SHORT_NAMES = 20
"""Up to so many variables a box has room for the patient's value below its name."""


def side_by_side(result: InstanceSpecificResult, title: str) -> list[Panel]:
    """The population's network, dropped arcs marked in it, and the patient's, with what is new marked."""
    changes = result.arc_changes
    graphs = result.graphs()
    return [
        Panel(
            "The population",
            f"{result.n_rows:,} rows, {_arcs(changes['status'] != 'added')}",
            _nodes(result, values=False),
            _edges_of(graphs["population"], changes),
        ),
        Panel(
            capital(title),
            _arcs(changes["status"] != "dropped"),
            _nodes(result, values=True),
            _edges_of(graphs["patient"], changes),
        ),
    ]


def in_one(result: InstanceSpecificResult, title: str) -> list[Panel]:
    """Every arc of either network in one picture."""
    changes = result.arc_changes
    return [
        Panel(
            f"The population and {title}",
            f"{result.n_rows:,} rows, {_arcs(changes['status'] != '')}",
            _nodes(result, values=True),
            _edges(changes),
        )
    ]


def changes_words() -> dict[str, str]:
    """What the legend calls each kind of arc."""
    return {
        "kept": "in both",
        "dropped": "✕ dropped: not for this patient",
        "added": "＋ added: only for this patient",
        "turned": "⟲ reversed or lost its direction",
    }


def _arcs(flags: pd.Series) -> str:
    return count(len(flags[flags]), "arc")


def _nodes(result: InstanceSpecificResult, *, values: bool) -> list[Node]:
    changed, known = set(result.relinked()), result.patient
    found = []
    for name in result.names:
        own = f"= {short(known[name], 14)}" if name in known else ""
        if values and name == result.target:
            own = "= to predict"
        words = f"this patient: {known[name]}" if name in known else "this patient: unknown"
        found.append(
            Node(
                name,
                words=words + ("\nother links than in the population" if name in changed else ""),
                value=own if values and len(result.names) <= SHORT_NAMES else "",
                changed=name in changed,
            )
        )
    return found


def _edges(changes: pd.DataFrame) -> list[Edge]:
    return [_edge(row.source, row.target, bool(row.directed), row) for row in changes.itertuples()]


def _edges_of(graph: nx.DiGraph, changes: pd.DataFrame) -> list[Edge]:
    """The edges as one network has them; arcs both ways are one line without a direction."""
    about = {frozenset((row.source, row.target)): row for row in changes.itertuples()}
    drawn: set[frozenset[str]] = set()
    edges = []
    for source, target in graph.edges:
        pair = frozenset((source, target))
        if pair not in drawn:
            drawn.add(pair)
            edges.append(_edge(source, target, not graph.has_edge(target, source), about[pair]))
    return edges


def _edge(source: str, target: str, directed: bool, row: Any) -> Edge:
    return Edge(
        source,
        target,
        STATUS[row.status],
        words=_arc_words(row),
        directed=directed,
        weight=0.4 if row.status == "kept" else 0.7,
        mark=MARKS.get(row.status, ""),
    )


def _arc_words(row: Any) -> str:
    """Status, probability, context and cases of an arc."""
    said = [
        {
            "kept": "applies to this patient too",
            "dropped": "does not apply to this patient",
            "added": "only for this patient",
            "reversed": "its direction is another than in the population",
        }[row.status]
    ]
    probability = row.probability
    if probability == probability:
        said.append(f"probability that it applies {percent(probability)}")
    if not row.known:
        said.append("the patient's value is unknown, so the link is taken over from the population")
    if row.context:
        said.append(f"judged on {row.cases:,} cases with {row.context}")
    if not row.compelled and row.directed:
        said.append("its direction could as well be the other")
    return "; ".join(said)
