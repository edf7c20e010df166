"""The picture of the page: items as rings, with lines or arrows between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.network.rings import show_rings
from dashboard.session.keys import value_of, widget_key
from dashboard.session.labels import LETTERS, labelled, shown_names
from dashboard.session.masking import sentences_shown
from dashboard.session.session import session
from dashboard.text import visible
from dashboard.views.ordinal.card import A_LINK, CARD, LINK, clicked
from dashboard.views.ordinal.networks import label_of, scales
from dashboard.views.shared.neighbourhood import choose_part
from engine.graphs.dag import each_edge
from engine.graphs.drawing.rings import RingLink, draw_rings
from engine.methods.ordinal.result import SLUG
from engine.telling.ordinal.figures import networks
from engine.words import count, in_percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.methods.ordinal.result import OrdinalResult

HEIGHT = 520
"""Pixels of the picture's height, so that the first screen has it whole."""
MOST_WHOLE = 40
"""Items up to which the picture has all of them."""
IN_PICTURE = 80
"""Letters of a label there, which has several lines."""


@dataclass
class DrawnPictures:
    """What was drawn last.

    Attributes
    ----------
    of : what it was drawn from
    pictures : layout -> kind -> SVG
    """

    of: Any = None
    pictures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass
class SidePanel:
    """Whether what stands beside the picture has to follow a click."""

    clicked: bool = False


def averaged_links(result: OrdinalResult, threshold: float) -> list[RingLink]:
    """The links that came back in a larger share of the bootstrap samples than this."""
    return [
        RingLink(
            a,
            b,
            result.link(a, b).partial,
            directed,
            words=f"{a} {'→' if directed else '–'} {b}\nin {in_percent(result.strength.share(a, b))} of "
            f"{count(result.strength.runs, 'bootstrap sample')}",
        )
        for a, b, directed, _ in each_edge(result.averaged(threshold))
        if result.strength is not None
    ]


def item_labels(names: Sequence[str], letters: int = LETTERS) -> dict[str, str]:
    """Name -> its label from the file or the dictionary, else the name without the scale it begins with.

    Where items of two scales would be called alike, all keep their scale's name, so that labels look alike.
    """
    scale, labels = scales(names), shown_names(letters)
    result = {name: labels.get(name) or (label_of(name, scale) or name).replace("_", " ") for name in names}
    if len(set(result.values())) < len(names):
        return {name: labels.get(name, name) for name in names}
    return result


def show_picture(result: OrdinalResult, averaged: Sequence[RingLink] | None = None) -> None:
    """The rings, and what a click on them changes.

    Parameters
    ----------
    result : what to show
    averaged : arrows in place of the lines and of the network's own
    """
    names: tuple[str, ...] = result.names
    if len(names) > MOST_WHOLE:
        names = choose_part(SLUG, names, lambda: _sizes(result))
    drawn = _draw(result, names, averaged)
    event = show_rings(
        drawn.pictures,
        names,
        key=widget_key(SLUG, "rings"),
        least=networks.threshold(result),
        height=HEIGHT,
        picked=picked_items(),
        warning=" ".join(map(visible, map(labelled, sentences_shown(result, result.how_sure()[1:])))),
    )
    if clicked(result, event):
        session().state(SidePanel).clicked = event.node is not None or event.edge is not None
        st.rerun(scope="fragment")


def picked_items() -> tuple[str, ...]:
    """The ends of the link that is looked at, or the item."""
    if value_of(CARD) == A_LINK and value_of(LINK):
        return tuple(value_of(LINK))
    picked = session().picked.get(SLUG)
    return (picked,) if picked else ()


def _sizes(result: OrdinalResult) -> dict[tuple[str, str], float]:
    """How strong the link of each pair is."""
    links = networks.links_of(result, "lines", result.names) or networks.links_of(result, "arrows", result.names)
    return {(link.source, link.target): abs(link.value) for link in links if not link.pale}


def _draw(result: OrdinalResult, names: Sequence[str], averaged: Sequence[RingLink] | None) -> DrawnPictures:
    """The pictures of all layouts, drawn once."""
    state, labels = session().state(DrawnPictures), item_labels(result.names, IN_PICTURE)
    made_of = (result, tuple(names), labels, averaged)
    if state.of is not None and state.of[0] is result and state.of[1:] == made_of[1:]:
        return state
    rings, scale, title = networks.rings_of(result, names, labels), networks.scale_names(result), result.headline()
    kinds = {kind: networks.links_of(result, kind, names) for kind in networks.kinds_of(result)}
    if averaged is not None:
        kinds = {"arrows": [link for link in averaged if {link.source, link.target} <= set(names)]}
    kinds = {kind: links for kind, links in kinds.items() if links or kind == "arrows"}
    least = networks.threshold(result)
    pictures: dict[str, dict[str, str]] = {
        layout: {
            kind: draw_rings(
                rings,
                links,
                places,
                ident=f"{layout}-{kind}",
                title=title,
                scales=scale,
                legend=True,
                least=0.0 if kind == "arrows" else least,
                pale=networks.pale_words(result, kind),
            )
            for kind, links in kinds.items()
        }
        for layout in networks.LAYOUTS
        for places in (networks.place(rings, result, layout),)
    }
    state.of, state.pictures = made_of, pictures
    return state
