"""Networks on a page: one layout kept over pages, and one answer to what the user does to them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import streamlit as st

from dashboard.network.boxes import node_height, node_sizes
from dashboard.network.component import NetworkEvent, network_panels
from dashboard.network.panel import drawn_height, drawn_sizes, drawn_span
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.views.shared.page_parts import projected
from engine.graphs.drawing.layout import clear_layout, layout, remove_overlaps, runs_behind

if TYPE_CHECKING:
    import networkx as nx

    from dashboard.network.panel import Node, Panel
    from dashboard.session.caches import Point

Scope = Literal["app", "fragment"]
Clicked = Callable[[NetworkEvent], bool]
"""What a page does with a click; whether it has to be drawn again."""


SCREEN = 1080.0
"""Pixels of picture that a projector's screen is wide, letters being as large as its last row needs."""


def positions_of(
    names: Sequence[str],
    graphs: Sequence[nx.Graph],
    below: str | Mapping[str, str] = "",
    nodes: Sequence[Node] | None = None,
    room: float = 0.0,
    clear: bool = False,
) -> dict[str, Point]:
    """Where these variables stand: as on other pages, or laid out by these networks; no box covers another.

    Parameters
    ----------
    names : the variables
    graphs : the networks, with these and perhaps more
    below : the longest text that may stand below a name, of all of them or of each
    nodes : the boxes, where they show something other than the names
    room : width that the picture may take, at its own size, where it has less than a page; a wider one that other pages
        show, and a pair of variables, is then laid out anew for this one
    clear : laid out anew, too, where another page's places would let a line run behind a box
    """
    sizes = node_sizes(names, below) if nodes is None else drawn_sizes(nodes)
    height = node_height(names, below) if nodes is None else drawn_height(nodes)
    graphs = [_within(graph, set(names)) for graph in graphs]
    if projected():
        return _own_positions("projector", names, graphs, sizes, height, SCREEN)
    layouts = session().layouts
    elsewhere = layouts.has(names)
    if room and elsewhere and (len(names) < 3 or drawn_span(layouts.of(names, {}), sizes) > room):
        return _own_positions(widget_key("room", room), names, graphs, sizes, height, room, clear)
    if clear and elsewhere and runs_behind(layouts.of(names, {}), graphs, sizes, height):
        return _own_positions(
            widget_key("clear", str(sorted(graphs[0].edges))), names, graphs, sizes, height, room, clear
        )
    if not elsewhere:  # kept with the session's others, so that a project and a report have them as well
        layouts.of(
            names, (clear_layout if clear else layout)(list(graphs), sizes=sizes, height=height, room=room or None)
        )
    positions = layouts.of(names, {})
    positions.update(remove_overlaps(positions, sizes, height))  # another page may have laid them out for smaller boxes
    return positions


def _within(graph: nx.Graph, names: Collection[str]) -> nx.Graph:
    """A network without what is not drawn; a view of networkx would have its nodes in another order every time."""
    if all(name in names for name in graph):
        return graph
    some = type(graph)()
    some.add_nodes_from(name for name in graph if name in names)
    some.add_edges_from((a, b) for a, b in graph.edges if a in names and b in names)
    return some


def _own_positions(
    place: str,
    names: Sequence[str],
    graphs: Sequence[nx.Graph],
    sizes: Mapping[str, float],
    height: float,
    room: float,
    clear: bool = False,
) -> dict[str, Point]:
    """Places for a picture that has a whole screen, or less room than a page; those of other pages stay as they are."""
    stored = session().choices.setdefault(widget_key(place, "places"), {})
    if stored.get("of") != frozenset(names):
        stored["of"] = frozenset(names)
        stored["places"] = (clear_layout if clear else layout)(list(graphs), sizes=sizes, height=height, room=room)
    positions: dict[str, Point] = stored["places"]
    positions.update(remove_overlaps(positions, sizes, height))
    return positions


def network_view(
    panels: Sequence[Panel],
    positions: dict[str, Point],
    key: str,
    *,
    picked: str | None = None,
    words: Mapping[str, str] | None = None,
    evidence: str = "",
    clicked: Clicked | None = None,
    scope: Scope = "fragment",
    small: bool = False,
    height: int = 0,
    least: Sequence[float] = (),
) -> NetworkEvent:
    """Show networks side by side; drags are kept, clicks are answered, and the page is drawn again where it must be.

    Parameters
    ----------
    panels : what to show
    positions : where each variable stands; what is dragged is kept in it
    key : of this place on the page
    picked : the variable in the spotlight
    words : status, shape or fill -> what the legend calls it
    evidence : what the legend calls the colours of nodes
    clicked : what a click does; without it clicks only show what the component shows by itself
    scope : what is drawn again, "app" outside a fragment
    small : the buttons stand beside the legend, in one line
    height : pixels of the picture at most, where the page has no more
    least : probabilities from which links are drawn, for the reader to choose from at once
    """
    event = network_panels(
        panels,
        positions,
        picked,
        key=key,
        words=words,
        evidence=evidence,
        small=small,
        height=height,
        least=least,
    )
    if event.moved:
        positions.update({name: point for name, point in event.moved.items() if name in positions})
        st.rerun(scope=scope)
    if clicked is not None and clicked(event):
        st.rerun(scope=scope)
    return event


def pick_clicked(page: str, arcs: bool = True) -> Clicked:
    """A click on a box, or on an arc's head, puts that variable into the page's spotlight; one beside clears it."""

    def clicked(event: NetworkEvent) -> bool:
        picked = session().picked
        earlier = picked.get(page)
        wanted = event.node or (event.edge[1] if arcs and event.edge else None)
        if wanted is not None or event.cleared:
            picked[page] = None if event.cleared else wanted
        return picked.get(page) != earlier

    return clicked


def pick_node(page: str) -> Clicked:
    """A click on a box puts it into the spotlight, one beside everything clears it; arcs do nothing."""
    return pick_clicked(page, arcs=False)
