"""Which part of a wide network is drawn: the strongest links and what they touch, or what lies around a variable."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.keys import of_names, widget_key
from dashboard.session.labels import full_name
from dashboard.session.session import session
from dashboard.text import plain, short, visible
from dashboard.views.shared.network_view import network_view
from engine.graphs.neighbourhood import Pair, neighbourhood
from engine.words import first

if TYPE_CHECKING:
    from dashboard.network.component import NetworkEvent
    from dashboard.network.panel import Panel
    from dashboard.session.caches import Point

Links = Callable[[], Mapping[Pair, float]]
"""Gives how strong the link of each pair is; asked only of a wide network."""

WIDE = 24
"""Boxes up to which a network is drawn whole."""
MOST_WHOLE = 300
"""Boxes up to which it can be asked for whole."""
MOST = 20
"""Boxes of a part."""
NAMED = 5
"""Variables in the middle of it that are named."""


@dataclass
class PartsDrawn:
    """What was drawn last of wide networks.

    Attributes
    ----------
    names : page -> variables
    """

    names: dict[str, tuple[str, ...]] = field(default_factory=dict)


def is_wide(names: Sequence[str]) -> bool:
    """Whether a network of these variables is drawn in parts."""
    return len(names) > WIDE


def choose_part(
    page: str,
    names: Sequence[str],
    links: Links,
    *,
    start: Collection[str] = (),
    spotlight: Collection[str] = (),
    by: str = "",
    among: str = "variables",
    few: int | None = None,
    most: int | None = None,
) -> tuple[str, ...]:
    """The variables to draw: all of them where they are few; else a part, what it is in words, and a way to another.

    Parameters
    ----------
    page : begins the keys of the widgets
    names : the variables of the network
    links : their links
    start : what the part is drawn around at first; the strongest links where it is empty
    spotlight : what the page has in its spotlight; where the part would lack it, it is drawn around it
    by : what the strongest links are, in words of this page
    among : what `names` are called
    few, most : boxes up to which all are drawn, and of a part; `WIDE` and `MOST` where nothing is said
    """
    part = tuple(names)
    if len(part) > (few or WIDE):
        part = _choose(page, part, links, start, spotlight, by or "with the strongest links", among, most or MOST)
    session().state(PartsDrawn).names[page] = part
    return part


def part_drawn(page: str, names: Sequence[str], links: Links) -> tuple[str, ...]:
    """What `choose_part` gave last, for other pictures of the same network and for files; nothing is drawn.

    Parameters
    ----------
    page, names, links : as for `choose_part`
    """
    if not is_wide(names):
        return tuple(names)
    drawn = session().state(PartsDrawn).names.get(page, ())
    return drawn if drawn and set(drawn) <= set(names) else _in_order(names, neighbourhood(links(), (), MOST))


def _choose(
    page: str,
    names: tuple[str, ...],
    links: Links,
    start: Collection[str],
    spotlight: Collection[str],
    by: str,
    among: str,
    most: int,
) -> tuple[str, ...]:
    place, whole = st.columns([5, 2], vertical_alignment="center")
    centre = place.selectbox(
        "Draw what lies around",
        names,
        index=None,
        placeholder="Choose a variable to draw what lies around it",
        label_visibility="collapsed",
        key=widget_key(page, "centre", of_names(names)),
        persist_state="session",
        help="A picture of everything could not be read. Choose a variable to see what it is linked with, and what "
        "that is linked with, the strongest links first.",
    )
    if len(names) <= MOST_WHOLE:
        with whole:
            if st.toggle(f"All {len(names)} variables", key=widget_key(page, "whole", of_names(names))):
                return names
    around = list(start) if centre is None else [centre]
    part = neighbourhood(links(), around, most)
    if centre is None and not set(part).issuperset(spotlight):
        around = list(spotlight)
        part = neighbourhood(links(), around, most)
    st.caption(part_words(part, around, f"{len(names):,} {among}", by, most))
    return _in_order(names, part)


def _in_order(names: Sequence[str], part: Collection[str]) -> tuple[str, ...]:
    members = set(part)
    return tuple(name for name in names if name in members)


def part_view(
    page: str,
    panels: Sequence[Panel],
    names: Sequence[str],
    place: Callable[[Sequence[str]], dict[str, Point]],
    key: str,
    *,
    by: str = "",
    **more: Any,
) -> NetworkEvent:
    """`network_view` of these panels; of a wide network of a part of it, its links being as strong as they are wide.

    Parameters
    ----------
    page, names, by : as for `choose_part`
    panels, key, more : as for `network_view`
    place : gives the places of the variables that are drawn
    """
    part = choose_part(page, names, lambda: strengths(panels), by=by)
    return network_view([part_of(panel, part) for panel in panels], place(part), key, **more)


def part_words(part: Sequence[str], around: Sequence[str], total: str, by: str, most: int = MOST) -> str:
    """What is drawn of a wide network, as a sentence.

    Parameters
    ----------
    part : what is drawn
    around : what it is drawn around
    total : how many there are, in words
    by : what the strongest links are, where it is drawn around nothing
    most : boxes of a part
    """
    rest = "Tables and files have all of it."
    if not part:
        return f"Nothing is drawn: no two of {total} are linked. Choose one to see it by itself. {rest}"
    if not around:
        return f"Drawn: {len(part)} of {total}, those {by} and what they touch. {rest}"
    members = set(part)
    drawn = [name for name in around if name in members]
    names, more = first((plain(short(visible(full_name(name)), 48)) for name in drawn), NAMED), len(part) - len(drawn)
    it = "it" if len(drawn) == 1 else "them"
    if len(drawn) < len(around):
        return f"Drawn: {len(drawn)} of the {len(around):,} that were asked for, {names}, of {total}. {rest}"
    if more:
        near = f"all that is connected with {it}" if len(part) < most else "the strongest links first"
        return f"Drawn: {names} and {more} more around {it}, {near}, of {total}. {rest}"
    alone = f"; nothing else is linked with {it}" if len(part) < most else ""
    return f"Drawn: {names}, of {total}{alone}. {rest}"


def part_of(panel: Panel, names: Collection[str]) -> Panel:
    """A panel with these boxes only, and what runs between them."""
    members = set(names)
    nodes = [node for node in panel.nodes if node.name in members]
    edges = [edge for edge in panel.edges if edge.source in members and edge.target in members]
    if len(nodes) == len(panel.nodes) and len(edges) == len(panel.edges):
        return panel
    groups = [group for group in panel.groups if members.issuperset(group.members)]
    subtitle = f"{panel.subtitle}; {len(edges):,} drawn" if panel.subtitle else ""  # else the picture counts them
    return replace(panel, subtitle=subtitle, nodes=nodes, edges=edges, groups=groups)


def strengths(panels: Sequence[Panel]) -> dict[Pair, float]:
    """How strong each link of some panels is, by how wide it is drawn; either way round it is one link."""
    result: dict[Pair, float] = {}
    for panel in panels:
        for edge in panel.edges:
            pair = (edge.target, edge.source) if (edge.target, edge.source) in result else (edge.source, edge.target)
            result[pair] = max(edge.weight, result.get(pair, 0.0))
    return result
