"""The model as a picture: links by strength, groups as outlines, lone variables in a list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from dashboard.network.outlines import Outline
from dashboard.network.panel import Edge, Node, Panel
from dashboard.network.widths import widths
from dashboard.session.layouts import Point
from dashboard.text import short
from dashboard.views.log_linear.edge_words import Pair, edge_words
from dashboard.views.shared.neighbourhood import is_wide
from dashboard.views.shared.network_view import places_of
from engine.words import count

if TYPE_CHECKING:
    from engine.methods.log_linear.result import LogLinearResult

OUTLINED = 3
"""Variables from which a group gets an outline; two are a group that the line between them shows."""
MOST_EDGES = 250
"""Links that a picture shows unless it is asked for more."""
CROWD = 30
MOST_OUTLINES = 40
WORDS = {"link": "a link: the wider, the stronger", "held": "in several groups, cannot go alone"}


def positions_of(result: LogLinearResult, drawn: Collection[str] = ()) -> dict[str, Point]:
    """Where every variable stands: as on other pages, or laid out by this model; of a wide one only those drawn."""
    return places_of(list(drawn) if is_wide(result.names) else result.names, [result.graph])


def linked(result: LogLinearResult) -> tuple[str, ...]:
    """The variables that have a link, in column order."""
    alone = set(result.isolated)
    return tuple(name for name in result.names if name not in alone)


def strengths(result: LogLinearResult) -> dict[Pair, float]:
    """What each link is worth."""
    return {edge: value.strength for edge, value in result.edge_values.items()}


def within(edges: Collection[Pair], names: Collection[str]) -> list[Pair]:
    """The links between these variables."""
    inside = set(names)
    return [(a, b) for a, b in edges if a in inside and b in inside]


def crowded(result: LogLinearResult) -> bool:
    """Whether the picture needs the whole width of the page."""
    return len(result.names) > CROWD + len(result.isolated)


def strongest_edges(result: LogLinearResult, strongest: int) -> list[Pair]:
    """The strongest links."""
    return list(result.edge_values)[:strongest]


def outlined(result: LogLinearResult, edges: Collection[Pair]) -> list[tuple[str, ...]]:
    """Groups of three and more whose links are all on screen."""
    there = {frozenset(edge) for edge in edges}
    return [
        clique
        for clique in result.linked_cliques
        if len(clique) >= OUTLINED and all(frozenset((a, b)) in there for a in clique for b in clique if a != b)
    ]


def clique_number(result: LogLinearResult, clique: tuple[str, ...]) -> int:
    """The number of a group on the page, from 1."""
    return result.linked_cliques.index(clique) + 1


def weights(result: LogLinearResult) -> dict[Pair, float]:
    """Widths of all links, by what they are worth."""
    return widths(strengths(result))


def model_panel(result: LogLinearResult, edges: Sequence[Pair], chosen: tuple[str, ...] | None) -> Panel:
    """The model with its strongest links and its groups."""
    width, edge_values = weights(result), result.edge_values
    cliques = outlined(result, edges)[:MOST_OUTLINES]
    drawn = [
        Edge(
            *edge,
            "link" if edge_values[edge].removable else "held",
            width[edge],
            edge_words(result, *edge),
            directed=False,
        )
        for edge in edges
    ]
    hulls = [
        Outline(clique, str(clique_number(result, clique)), clique == chosen) for clique in cliques[:MOST_OUTLINES]
    ]
    return Panel("The model", subtitle(result, edges), nodes(result, edges, members=chosen or ()), drawn, hulls)


def subtitle(result: LogLinearResult, edges: Collection[Pair]) -> str:
    """How much of the model is on screen."""
    total = len(result.edge_values)
    if len(edges) == total:
        return count(total, "link")
    strongest = list(edges) == list(result.edge_values)[: len(edges)]
    return f"{'the ' if strongest else ''}{len(edges)}{' strongest' if strongest else ''} of {total:,} links"


def nodes(result: LogLinearResult, *lists: Collection[Pair], members: Collection[str] = ()) -> list[Node]:
    """The variables that have a link on screen, in column order.

    Those of the chosen group stand out: an outline may run over boxes that do not belong to it.
    """
    linked = {name for edges in lists for edge in edges for name in edge}
    graph = result.graph
    matches = []
    for name in result.names:
        if name in linked:
            neighbours = ", ".join(short(other, 24) for other in graph[name])
            words = f"linked directly with {neighbours}" if neighbours else "no link in the model"
            inside = name in members
            matches.append(Node(name, words=f"in the chosen group; {words}" if inside else words, changed=inside))
    return matches
