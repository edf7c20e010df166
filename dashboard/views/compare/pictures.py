"""The networks and the rows of a comparison: one link is looked at in all of them at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.compared import choosable, chosen_link
from dashboard.network.compared import (
    difference_title,
    difference_words,
    least_sizes,
    link_at,
    link_name,
    link_panels,
    links_of,
    said,
    structure_panels,
)
from dashboard.pages import COMPARE
from dashboard.session.comparing import Comparisons
from dashboard.session.keys import of_names, set_value, value_of, widget_key
from dashboard.session.session import session
from dashboard.text import capital, plain
from dashboard.views.shared.downloads import draw_figure
from dashboard.views.shared.neighbourhood import part_view
from dashboard.views.shared.network_view import positions_of
from engine.comparison.scales import ODDS
from engine.words import p_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from dashboard.network.component import NetworkEvent
    from dashboard.network.panel import Panel, Point
    from dashboard.views.compare.asked import Asked

Link = tuple[str, str]

SHOWN = 12
"""Rows before all of them are asked for."""
ROOM = 400.0
"""Width of a picture, one of three in a row, whose letters can still be read."""
WORDS = {
    "positive": "positive",
    "negative": "negative",
    "same": "in both",
    "only_a": "in A only",
    "only_b": "in B only",
    "reversed": "turned, or directed in one only",
}


@st.fragment
def show_pictures(asked: Asked) -> None:
    """Networks, reading and rows."""
    if asked.found.test is None:
        _show_structure(asked)
        return
    least = float(value_of(_key(asked, "least"), 0.0))
    rows = links_of(asked.found, asked.pair, least)
    row = link_at(rows, _looked_at(asked, rows))
    with st.container(border=True, gap="small"):
        _show_networks(asked, rows, row)
    with st.container(border=True, gap="small"):
        _show_choice(asked, rows, row)
        if len(rows):
            _show_rows(asked, rows, row)


def _looked_at(asked: Asked, rows: pd.DataFrame) -> Link | None:
    """The link that was chosen; before, the one that differs most clearly."""
    links = session().state(Comparisons).links
    if asked.key not in links and len(rows):
        return str(rows["source"].iloc[0]), str(rows["target"].iloc[0])
    return links.get(asked.key)


def _look_at(asked: Asked, link: Link | None) -> None:
    session().state(Comparisons).links[asked.key] = link


def _show_networks(asked: Asked, rows: pd.DataFrame, row: Any | None) -> None:
    result = asked.found
    link = None if row is None else (row.source, row.target)
    graph = result.graphs()[difference_title(result, asked.pair)]
    panels = link_panels(result, asked.pair, asked.heads(), rows, link)
    _draw(asked, panels, lambda some: positions_of(some, [graph], room=ROOM), partial(_clicked, asked))


def _draw(asked: Asked, panels: Sequence[Panel], places: Any, clicked: Any) -> None:
    names = list(asked.found.names)
    part_view(
        _key(asked, "networks"),
        panels,
        names,
        places,
        _key(asked, "panels"),
        picked=session().picked.get(COMPARE.slug),
        words=WORDS,
        clicked=clicked,
        small=True,
    )


def _clicked(asked: Asked, event: NetworkEvent) -> bool:
    """A click on a link looks at it, one on a box puts that into the spotlight."""
    picked = session().picked
    if event.edge is not None:
        _look_at(asked, event.edge[:2])
        return True
    if event.node is None and not event.cleared:
        return False
    before = picked.get(COMPARE.slug)
    picked[COMPARE.slug] = event.node
    return event.node != before


def _show_choice(asked: Asked, rows: pd.DataFrame, row: Any | None) -> None:
    """What is looked at in words; which link that is, and how large links must be to be shown."""
    reading, choice, size = st.columns([6, 3, 3], gap="medium")
    with reading:
        st.markdown(_reading(asked, row))
    links = [(row_value.source, row_value.target) for row_value in rows.itertuples()]
    names = {link: link_name(one) for link, one in zip(links, rows.itertuples(), strict=True)}
    key = _key(asked, "link")
    set_value(key, None if row is None else (row.source, row.target))
    with choice:
        st.selectbox(
            "Link",
            links,
            format_func=lambda link: names.get(link, str(link)),
            placeholder="none",
            key=key,
            on_change=lambda: _look_at(asked, value_of(key)),
        )
    with size:
        scale = asked.found.scale
        words = least_sizes(scale)
        st.select_slider(
            f"Links of at least ({'odds ratio' if scale.name == ODDS else 'correlation'})",
            list(words),
            format_func=lambda item: words.get(item, str(item)),
            key=_key(asked, "least"),
            help="In either group, and of either sign. Smaller links leave the networks and the rows.",
        )


def _reading(asked: Asked, row: Any | None) -> str:
    """The link that is looked at, as Markdown."""
    if row is None:
        return ":gray[Click a link or a row to read it.]"
    scale = asked.found.scale
    ends = ((row.group_a, (row.a, row.a_low, row.a_high)), (row.group_b, (row.b, row.b_low, row.b_high)))
    sides = [f"{plain(scale.interval(*numbers))} in {plain(label)}" for label, numbers in ends]
    chance = f"{p_value(row.p)} (corrected)"
    search = {"both": "Both searches found it.", "": "Neither search found it."}.get(
        row.drawn, f"Only the search in {row.drawn} found it."
    )
    levels = f" ({row.levels})" if row.levels else ""
    return (
        f"**{plain(link_name(row))}**{plain(levels)} **{plain(said(row))}.** {capital(scale.short)} "
        f"{', '.join(sides)}. {plain(capital(difference_words(scale, row)))}, {plain(chance)}. :gray[{plain(search)}]"
    )


def _show_rows(asked: Asked, rows: pd.DataFrame, row: Any | None) -> None:
    every = len(rows) > SHOWN and bool(value_of(_key(asked, "all")))
    shown = rows if every else rows.head(SHOWN)
    links = [(row_value.source, row_value.target) for row_value in shown.itertuples()]
    looked = None if row is None else (row.source, row.target)
    if looked is not None and looked not in links:
        links = [*links, looked]
    figure = choosable(asked.found.plot(links, looked, asked.pair), links)
    key = _key(asked, "rows", of_names("-".join(link) for link in links), of_names(looked or ()))
    with st.container(key=widget_key("wide", COMPARE.slug)):
        draw_figure(
            figure,
            "comparison",
            alt=f"Both estimates and the difference of {len(links)} links",
            key=key,
            toolbar=False,
            on_select=lambda: _chosen_row(asked, key),
            selection_mode="points",
        )
    if len(rows) > SHOWN:
        st.toggle(f"All {len(rows)} links", key=_key(asked, "all"))


def _chosen_row(asked: Asked, key: str) -> None:
    link = chosen_link(value_of(key))
    if link is not None:
        _look_at(asked, link)


def _show_structure(asked: Asked) -> None:
    """The networks where no link is tested."""
    result = asked.found
    titles = result.structure().titles()
    if not titles:
        return
    with st.container(border=True, gap="small"):
        title = titles[0]
        if len(titles) > 1:
            title = str(st.selectbox("Network", titles, key=_key(asked, "title")))
        graph = result.structure().graph(title)

        def places(some: Sequence[str]) -> dict[str, Point]:
            return positions_of(some, [graph], room=ROOM)

        _draw(asked, structure_panels(result, asked.heads(), title), places, partial(_clicked_box, asked))


def _clicked_box(asked: Asked, event: NetworkEvent) -> bool:
    return event.edge is None and _clicked(asked, event)


def _key(asked: Asked, *parts: object) -> str:
    """A key of this comparison's own, of these two groups."""
    return widget_key(COMPARE.slug, *parts, of_names(map(str, (*map(repr, (asked.key,)), *asked.pair))))
