"""The networks and the rows of a comparison: one link is looked at in all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.compared import choosable, chosen_link
from dashboard.network.compared import (
    difference_phrase,
    difference_title,
    difference_words,
    differing_ends,
    least_sizes,
    link_at,
    link_name,
    link_panels,
    link_sizes,
    links_of,
    structure_panels,
)
from dashboard.network.panel import Node, drawn_sizes, drawn_span
from dashboard.network.rings import MANY_ITEMS, panel_pictures, show_rings
from dashboard.pages import COMPARE
from dashboard.session.comparing import Comparisons
from dashboard.session.keys import of_names, set_value, value_of, widget_key
from dashboard.session.labels import shown_names
from dashboard.session.session import session
from dashboard.text import capital, plain
from dashboard.views.shared.downloads import show_figure
from dashboard.views.shared.neighbourhood import choose_part, part_of, strengths
from dashboard.views.shared.network_view import network_view, positions_of
from engine.comparison.scales import MIXED, SCALES
from engine.telling.comparison.wording import (
    chance_words,
    chart_words,
    direction_words,
    drawn_words,
    level_note,
    searches_words,
    unit_words,
)
from engine.words import p_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    import pandas as pd
    from streamlit.delta_generator import DeltaGenerator

    from dashboard.network.component import NetworkEvent
    from dashboard.network.panel import Panel
    from dashboard.views.compare.request import ComparisonRequest

Link = tuple[str, str]

HEIGHT = 240
"""Pixels of the networks, so that the first rows below them are seen too; half as much again where twelve boxes in two
columns, of which three pictures stand in a row on a small screen, are whole then."""
RINGS_HEIGHT = 560
MOST_RINGS = 40
"""Variables up to which all of them are drawn as rings."""
FIRST_ROWS = 12
"""Rows before all of them are asked for."""
FEW, ROOM = 12, 400.0
"""Variables that are drawn at once, and the width of a picture of more of them, one of three in a row."""
ROOM_OF_FEW = 280.0
"""Width of a picture of few variables, of which three stand in a row on a small screen."""
MOST_OF_PART, MOST_WIDE, WIDE_BOX = 8, 5, 110.0
"""Boxes of which three pictures leave room for the rows at 1,024 pixels; where one is wider than this, fewer."""
WORDS = {
    "positive": "positive",
    "negative": "negative",
    "unsure": "sign not clear",
    "same": "in both",
    "only_a": "in A only",
    "only_b": "in B only",
    "reversed": "turned, or directed in one only",
}
COLOURS = {
    True: "Blue: positive; pink, dashed: negative; orange: it differs, or probably does. Grey, dotted: sign not clear.",
    False: "Grey: in both; blue, dashed: in A only; green, dotted: in B only; purple: turned, or directed in one only.",
}
"""What colours say where links were tested, and where structures alone are compared."""


MIXED_SIZES = " Sizes are correlations; differences in SD count half, and ln odds ratios times .28."


@st.fragment
def show_pictures(request: ComparisonRequest) -> None:
    """Networks, the reading of the link that is looked at, and rows."""
    if request.result.test is None:
        _show_structure(request)
        return
    least = float(value_of(_key(request, "least"), 0.0))
    rows = links_of(request.result, request.pair, least)
    row = link_at(rows, _selected_link(request, rows))
    networks = st.container(border=True, gap="xsmall", key=_key(request, "card", "networks"))
    with st.container(border=True, gap="xsmall", key=_key(request, "card", "rows")):
        st.markdown(_reading(request, row))
        if len(rows):
            _show_rows(request, rows, row)
        _show_choice(request, rows, row)
        _show_networks(request, rows, row, networks)


def _selected_link(request: ComparisonRequest, rows: pd.DataFrame) -> Link | None:
    """The link that was chosen; before, the one that the headline names, else the one that differs most clearly."""
    links = session().state(Comparisons).links
    if request.key not in links and len(rows):
        named = request.result.leading()
        link = None if named is None else (str(named["source"]), str(named["target"]))
        return link if link_at(rows, link) is not None else (str(rows["source"].iloc[0]), str(rows["target"].iloc[0]))
    return links.get(request.key)


def _select_link(request: ComparisonRequest, link: Link | None) -> None:
    session().state(Comparisons).links[request.key] = link


def _show_networks(request: ComparisonRequest, rows: pd.DataFrame, row: Any | None, place: DeltaGenerator) -> None:
    """The networks in their place, and here which of many variables they are drawn of."""
    result = request.result
    if not result.union_and_called():
        place.markdown("Neither search found a link, so no network is drawn. The pairs of least p are below.")
        return
    link = None if row is None else (row.source, row.target)
    graph = result.graphs()[difference_title(result, request.pair)]
    drawn_ends = result.union_and_called()
    shown = rows.loc[[frozenset(ends) in drawn_ends for ends in link_sizes(rows)]]  # the others are rows alone
    linked = {name for ends in link_sizes(shown) for name in ends}
    drawn = [name for name in result.names if name in linked]
    names = choose_part(
        _key(request, "networks"), drawn or result.names, lambda: link_sizes(shown), start=differing_ends(shown),
        spotlight=link if link and linked.issuperset(link) else (), few=FEW, most=_most_of_part(drawn or result.names),
    )  # fmt: skip
    panels = link_panels(result, request.pair, request.heads(), shown, link)
    if drawn:
        panels = [replace(panel, nodes=[node for node in panel.nodes if node.name in linked]) for panel in panels]
    with place:
        _draw(request, panels, names, graph, partial(_clicked, request), link)
        if drawn:
            unsure = any(edge.status == "unsure" for panel in panels for edge in panel.edges)
            st.caption(plain(drawn_words(result, len(shown), unsure)))


def _draw(
    request: ComparisonRequest,
    panels: Sequence[Panel],
    names: Sequence[str],
    graph: nx.Graph,
    clicked: Any,
    link: Link | None = None,
) -> None:
    """Three networks of these variables; where they do not fit in a row that of the difference comes first."""
    some = [replace(part_of(panel, names), subtitle=panel.subtitle) for panel in panels]
    turned = [some[-1], *some[:-1]]
    if MANY_ITEMS < len(names) <= MOST_RINGS:
        _draw_rings(request, turned, names, clicked, link)
        return
    few, nodes = len(names) <= FEW, some[0].nodes
    positions = positions_of(names, [graph], nodes=nodes, room=ROOM_OF_FEW if few else ROOM, clear=True)
    network_view(
        some if few and drawn_span(positions, drawn_sizes(nodes)) <= ROOM_OF_FEW else turned,
        positions,
        _key(request, "panels"),
        picked=session().picked.get(COMPARE.slug),
        words=WORDS,
        clicked=clicked,
        small=True,
        height=HEIGHT if few else 0,
    )


def _most_of_part(names: Sequence[str]) -> int:
    """Boxes that are drawn of many, by how wide they are."""
    sizes = drawn_sizes([Node(name, narrow=True) for name in names])
    return MOST_OF_PART if max(sizes.values()) <= WIDE_BOX else MOST_WIDE


def _draw_rings(
    request: ComparisonRequest, panels: Sequence[Panel], names: Sequence[str], clicked: Any, link: Link | None
) -> None:
    """Many variables: rings with labels beside them, all three networks on one layout."""
    event = show_rings(
        {"spring": {"lines": panel_pictures(panels, names, shown_names())}},
        names,
        key=_key(request, "rings"),
        least=None,
        height=RINGS_HEIGHT,
        picked=link or (),
        file="diptych-comparison",
    )
    st.caption(COLOURS[request.result.test is not None])
    if clicked(event):
        st.rerun(scope="fragment")


def _clicked(request: ComparisonRequest, event: NetworkEvent) -> bool:
    """A click on a link looks at it, one on a box puts that into the spotlight."""
    picked = session().picked
    if event.edge is not None:
        _select_link(request, event.edge[:2])
        return True
    if event.node is None and not event.cleared:
        return False
    picked_before = picked.get(COMPARE.slug)
    picked[COMPARE.slug] = event.node
    return event.node != picked_before


def _show_choice(request: ComparisonRequest, rows: pd.DataFrame, row: Any | None) -> None:
    """Which link is looked at, and how large links must be to be shown."""
    choice, size, _ = st.columns([4, 3, 4], gap="medium")
    links = [(item.source, item.target) for item in rows.itertuples()]
    names = {link: link_name(item) for link, item in zip(links, rows.itertuples(), strict=True)}
    key = _key(request, "link")
    set_value(key, None if row is None else (row.source, row.target))
    choice.selectbox(
        "Link",
        links,
        format_func=lambda link: names.get(link, str(link)),
        placeholder="none",
        key=key,
        on_change=lambda: _select_link(request, value_of(key)),
    )
    with size:
        scale = request.result.scale
        words = least_sizes(scale)
        st.select_slider(
            "Links of at least"
            + ("" if scale.name == MIXED else f" ({'odds ratio' if scale.ratios else 'correlation'})"),
            list(words),
            format_func=lambda item: words.get(item, str(item)),
            key=_key(request, "least"),
            help="In either group, and of either sign. Smaller links leave the networks and the rows."
            + (MIXED_SIZES if scale.name == MIXED else ""),
        )


def _reading(request: ComparisonRequest, row: Any | None) -> str:
    """The link that is looked at, as Markdown."""
    if row is None:
        return ":gray[Click a link or a row to read it.]"
    scale = SCALES[row.scale]
    ends = ((row.group_a, (row.a, row.a_low, row.a_high)), (row.group_b, (row.b, row.b_low, row.b_high)))
    sides = [f"{plain(scale.interval(*numbers))} in {plain(label)}" for label, numbers in ends]
    scaled = f"{capital(scale.short)} (95 % interval): {', '.join(sides)}."
    chance = f"{p_value(row.p)} (corrected); {chance_words(row)}"
    found = " ".join(filter(None, [direction_words(row), searches_words(request.result, row), unit_words(row)]))
    note = plain(level_note(row.source, row.target, row.levels))
    name, colon = f"**{plain(link_name(row))}**{note and f' {note}'}", "" if row.what else ":"
    return (
        f"{name}{colon} **{plain(difference_phrase(row))}.** {scaled} "
        f"{plain(capital(difference_words(scale, row)))}, {plain(chance)}. :gray[{plain(found)}]"
    )


def _show_rows(request: ComparisonRequest, rows: pd.DataFrame, row: Any | None) -> None:
    every = len(rows) > FIRST_ROWS and bool(value_of(_key(request, "all")))
    visible_rows = rows if every else rows.head(FIRST_ROWS)
    links = [(item.source, item.target) for item in visible_rows.itertuples()]
    looked = None if row is None else (row.source, row.target)
    if looked is not None and looked not in links:
        links = [*links, looked]
    figure = choosable(request.result.plot_links(links, looked, request.pair), links)
    key = _key(request, "rows", of_names("-".join(link) for link in links), of_names(looked or ()))
    with st.container(key=widget_key("wide", COMPARE.slug)):
        show_figure(
            figure,
            "comparison",
            alt=f"Both estimates and the difference of {len(links)} links",
            key=key,
            on_select=lambda: _chosen_row(request, key),
            selection_mode="points",
        )
    if len(rows) > 1:
        st.caption(plain(chart_words(request.result)))
    if len(rows) > FIRST_ROWS:
        st.toggle(f"All {len(rows)} links that are drawn", key=_key(request, "all"))


def _chosen_row(request: ComparisonRequest, key: str) -> None:
    link = chosen_link(value_of(key))
    if link is not None:
        _select_link(request, link)


def _show_structure(request: ComparisonRequest) -> None:
    """The networks where no link is tested."""
    result = request.result
    titles = result.structure().titles()
    if not titles:
        return
    with st.container(border=True, gap="small"):
        title = titles[0]
        if len(titles) > 1:
            title = str(st.selectbox("Network", titles, key=_key(request, "title")))
        graph = result.structure().graph(title)

        panels = structure_panels(result, request.heads(), title)
        names = choose_part(
            _key(request, "networks"), result.names, lambda: strengths(panels), few=FEW,
            most=_most_of_part(result.names),
        )  # fmt: skip
        _draw(request, panels, names, graph, partial(_clicked_box, request))


def _clicked_box(request: ComparisonRequest, event: NetworkEvent) -> bool:
    return event.edge is None and _clicked(request, event)


def _key(request: ComparisonRequest, *parts: object) -> str:
    """A key of this comparison's own, of these two groups."""
    return widget_key(COMPARE.slug, *parts, of_names(map(str, (*map(repr, (request.key,)), *request.pair))))
