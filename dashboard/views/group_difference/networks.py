"""A group comparison as three network panels, and the small things the page says about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.network.panel import Edge, Node, Panel
from dashboard.text import short
from engine.words import count, probability

if TYPE_CHECKING:
    from engine.methods.group_difference.result import GroupDifferenceResult

EVIDENCE = "node colour: log10 odds, -2 (same, blue) to +2 (different, orange)"


def status_words(result: GroupDifferenceResult) -> dict[str, str]:
    """What the legend calls each kind of arc, with the groups' own names."""
    first, second = (short(label, 18) for label in result.labels)
    return {
        "same": "in both groups",
        "only_a": f"only in {first}",
        "only_b": f"only in {second}",
        "reversed": "in both, turned round",
        "neither": "only in both together",
    }


def panels(result: GroupDifferenceResult) -> list[Panel]:
    """The first group's network, the second's and the pooled one, nodes coloured by evidence."""
    words = status_words(result)
    rows = (*result.n, result.n_rows)
    found = []
    titles = (*result.labels, "both together")
    for title, graph, n in zip(titles, result.graphs().values(), rows, strict=True):
        nodes = [
            Node(name, about["log10_odds"], f"P(different) {probability(about['p_different'])}, {about['verdict']}")
            for name, about in graph.nodes(data=True)
        ]
        edges = [
            Edge(
                source,
                target,
                about["status"],
                words=words[about["status"]]
                + ("" if about["compelled"] else "; its direction could as well be the other"),
            )
            for source, target, about in graph.edges(data=True)
        ]
        found.append(Panel(title, f"{count(n, 'row')}, {count(len(edges), 'arc')}", nodes, edges))
    return found
