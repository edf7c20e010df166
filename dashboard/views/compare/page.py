"""The page from its first line to its drawers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.pages import COMPARE, address, method_pages
from dashboard.session.cards import Card
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.compare.drawers import show_details, show_tables
from dashboard.views.compare.exports import export_menu
from dashboard.views.compare.pictures import show_pictures
from dashboard.views.compare.shuffles import show_shared, show_shuffles
from engine.words import count

if TYPE_CHECKING:
    from dashboard.views.compare.request import ComparisonRequest


def show_comparison(request: ComparisonRequest) -> None:
    """The sentence, how sure it is, the pictures, and the rest in drawers."""
    result = request.result
    with st.sidebar:
        _offer_to_keep(request)
    crumb = widget_key("crumb", COMPARE.slug)
    with st.container(key=crumb, horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(f"**Compare** :gray[{plain(_about(request))}]", width="content")
        export_menu(request)
    with st.container(key=widget_key("sentence", COMPARE.slug), gap="small"):
        st.title(plain(result.headline()), anchor=False)
        st.caption(plain(result.sentences()[0] if result.test is not None else result.no_test))
    show_pictures(request)
    notes = result.notes() if result.test is not None else result.notes()[1:]
    if notes:
        st.caption(plain(" ".join(notes)))
    if result.test is not None:
        show_shared(request)
        show_shuffles(request)
    show_tables(request)
    show_details(request)


def _about(request: ComparisonRequest) -> str:
    """What is compared, in a few words."""
    result = request.result
    kinds = {type(answer.method).title.lower() for answer in result.answers if hasattr(answer, "method")}
    kind = kinds.pop() if len(kinds) == 1 else "networks"
    source = f", {request.source}" if request.source else ""
    return f"{kind} of {count(len(result.names), 'variable')}{source}"


def _offer_to_keep(request: ComparisonRequest) -> None:
    """A button that makes a result of the comparison, with a star; where it is one, what it is called."""
    cards = session().cards
    card = request.card
    if card is not None and card in cards:
        if card.result is not request.result:
            cards.change(card, result=request.result)
        if card.starred:
            st.caption(f":material/star: In the report as *{plain(card.name())}*")
        return
    if st.button("Keep this comparison", icon=":material/star:", width="stretch", key=widget_key(COMPARE.slug, "keep")):
        cards.add(_card(request))
        st.rerun()


def _card(request: ComparisonRequest) -> Card:
    whole = session().dataset
    result = request.result
    data = whole if whole is not None and result.test is not None and whole.is_of(result.fingerprint) else None
    return Card(request.key, result, data, request.source, title=name_of(request), starred=True, pressed=False)


def name_of(request: ComparisonRequest) -> str:
    """What a comparison is called among the results: what is compared, not how."""
    result = request.result
    if not result.group:
        return " v ".join(request.names)
    title = type(result.answers[0].method).title
    levels = " v ".join(result.levels)
    words = all(level.isalpha() and len(level) > 3 for level in result.levels)
    return f"{title}: {levels}" if words else f"{title}: {result.group} = {levels}"


def invite() -> None:
    """What the page is for, and where results come from."""
    st.title("Which links differ between two networks?")
    st.markdown(
        "Learn a network on one of the pages below and choose a column under *Also by group* there; the groups are "
        "then compared here. Any two results can be compared, and one with a network from a file."
    )
    for page in method_pages():
        st.page_link(address(page), label=page.title, icon=page.icon)
