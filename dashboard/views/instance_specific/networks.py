"""The population's network and the patient's as panels on one layout, or both in one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.network.panel import Edge, Node, Panel
from dashboard.text import capital, short
from dashboard.theme import CHANGED
from engine.graphs.drawing.labels import text_width
from engine.methods.instance_specific.links import LinkWord
from engine.telling.instance_specific.links import link_sentence
from engine.words import count

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from engine.methods.instance_specific.result import InstanceSpecificResult

STATUS = {"kept": "kept", "dropped": "dropped", "added": "added", "reversed": "turned"}
"""Status of an arc in the engine -> its style in the theme."""
MARKS = {"dropped": "✕", "added": "＋", "reversed": "⟲"}
"""What stands on an arc that differs by the published search; the legend says the word."""
JUDGED = {LinkWord.NO_LONGER: "✕", LinkWord.LESS: "−", LinkWord.MORE: "+", LinkWord.TURNED: "⇄", LinkWord.ALSO: "＋"}
"""What stands on an arc that is sure to be different; on one that the patient's network leaves out, a question mark."""
TO_PREDICT = "= to predict"
SHORT_NAMES = 20
"""Up to so many variables a box has room for the patient's value below its name."""


def side_by_side(result: InstanceSpecificResult, title: str) -> list[Panel]:
    """The population's network, dropped arcs marked in it, and the patient's, with what is new marked."""
    changes = result.arc_changes
    graphs, published = result.graphs(), result.network.cpdag is not None
    stays = changes["status"] != "dropped" if published else changes["word"] != LinkWord.NO_LONGER
    return [
        Panel(
            "The population",
            f"{result.n_rows:,} rows, {_arcs(changes['status'] != 'added')}",
            _nodes(result, values=False),
            _edges_of(graphs["population"], changes, result),
        ),
        Panel(
            capital(title),
            _arcs(stays),
            _nodes(result, values=True),
            _edges_of(graphs["patient"], changes, result) if published else _edges(changes[stays], result),
        ),
    ]


def overlaid(result: InstanceSpecificResult, title: str) -> list[Panel]:
    """Every arc of either network in one picture."""
    changes = result.arc_changes
    return [
        Panel(
            f"The population and {title}",
            f"{result.n_rows:,} rows, {_arcs(changes['status'] != '')}",
            _nodes(result, values=True),
            _edges(changes, result),
        )
    ]


def changes_words(*, published: bool = True) -> dict[str, str]:
    """What the legend calls each kind of arc: by the published search as they changed, else as they are judged."""
    if published:
        return {
            CHANGED: "other links than in the population",
            "kept": "in both",
            "dropped": "✕ left out for this patient",
            "added": "＋ added for this patient",
            "turned": "⟲ reversed or lost its direction",
        }
    return {
        CHANGED: "other links than in the population",
        "kept": "no difference seen  ? not in this patient's network",
        "dropped": "✕ no longer matters",
        "added": "＋ also matters",
        "turned": "+ more  − less  ⇄ the other way round",
    }


def _style(row: Any, result: InstanceSpecificResult) -> str:
    """The style of an arc in the theme."""
    if result.network.cpdag is not None:
        return STATUS[row.status]
    return {LinkWord.NO_LONGER: "dropped", LinkWord.ALSO: "added"}.get(
        row.word, "turned" if row.word in JUDGED else "kept"
    )


def longest_values(result: InstanceSpecificResult) -> dict[str, str]:
    """The longest line that may stand below each name, whoever the patient is: places stay from one to the next."""
    if len(result.names) > SHORT_NAMES:
        return {}
    return {name: max((TO_PREDICT, *map(_value, result.levels[name])), key=text_width) for name in result.names}


def _value(level: str) -> str:
    return f"= {short(level, 14)}"


def _arcs(flags: pd.Series) -> str:
    return count(len(flags[flags]), "arc")


def _nodes(result: InstanceSpecificResult, *, values: bool) -> list[Node]:
    changed, known = set(result.relinked()), result.patient
    nodes = []
    for name in result.names:
        own = _value(known[name]) if name in known else ""
        if values and name == result.target:
            own = TO_PREDICT
        words = f"this patient: {known[name]}" if name in known else "this patient: unknown"
        nodes.append(
            Node(
                name,
                words=words + ("\nother links than in the population" if name in changed else ""),
                value=own if values and len(result.names) <= SHORT_NAMES else "",
                changed=name in changed,
            )
        )
    return nodes


def _edges(changes: pd.DataFrame, result: InstanceSpecificResult) -> list[Edge]:
    return [_edge(row.source, row.target, bool(row.directed), row, result) for row in changes.itertuples()]


def _edges_of(graph: nx.DiGraph, changes: pd.DataFrame, result: InstanceSpecificResult) -> list[Edge]:
    """The edges as one network has them; arcs both ways are one line without a direction."""
    about = {frozenset((row.source, row.target)): row for row in changes.itertuples()}
    drawn: set[frozenset[str]] = set()
    edges = []
    for source, target in graph.edges:
        pair = frozenset((source, target))
        if pair not in drawn:
            drawn.add(pair)
            edges.append(_edge(source, target, not graph.has_edge(target, source), about[pair], result))
    return edges


def _edge(source: str, target: str, directed: bool, row: Any, result: InstanceSpecificResult) -> Edge:
    return Edge(
        source,
        target,
        _style(row, result),
        words=_arc_words(row, result),
        directed=directed,
        weight=0.7 if _mark(row, result) else 0.4,
        mark=_mark(row, result),
    )


def _mark(row: Any, result: InstanceSpecificResult) -> str:
    if result.network.cpdag is not None:
        return MARKS.get(row.status, "")
    return JUDGED.get(row.word, "" if row.status == "kept" else "?")


def _arc_words(row: Any, result: InstanceSpecificResult) -> str:
    """What is said of an arc; in published mode its status."""
    link = result.link(row.source, row.target)
    if link is not None:
        sentences = [link_sentence(result, link).rstrip(".")]
    else:
        sentences = [f"by the published search {STATUS[row.status]} for this patient"]
    if not row.compelled:
        sentences.append("its direction could as well be the other")
    return "; ".join(sentences)
