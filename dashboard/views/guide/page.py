"""The guide on screen: a page of it beside the list of all pages, and the way to it from every page of the program."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboard.guide import CONTENTS, FIRST, Illustration, blocks, contents, page_files, part_of
from dashboard.network.component import guide_links, nothing
from dashboard.session.keys import widget_key
from dashboard.text import plain, short

GUIDE = "app_pages/guide.py"
PLACE = "guide"
"""The name of the guide's own page in an address."""
OPEN_SECTIONS = 2
"""Sections of the list of pages that are open whatever page is shown."""


def show_help(place: str) -> None:
    """The link from a page of the program to its part of the guide; and links anywhere to the guide are followed."""
    with st.container(key=widget_key("guide", "help"), width="content"):
        if place != PLACE:
            link_page("Help", part_of(place), icon=":material/help:", help="This page in the guide")
        result = guide_links()(
            key=widget_key("guide", "links"),
            data={"page": wanted_page() if place == PLACE else ""},
            height=1,
            on_followed_change=nothing,
        )
    followed = followed_page(getattr(result, "followed", None))
    if followed:
        st.switch_page(GUIDE, query_params={"page": followed})


def followed_page(raw: Any) -> str:
    """The page of the guide that a link was pressed to; "" where there was none, or one to nowhere."""
    name = raw.get("page") if isinstance(raw, Mapping) else None
    return name if isinstance(name, str) and name in page_files() else ""


def wanted_page() -> str:
    """The page that the address names; the first one where it names none that there is."""
    name = st.query_params.get("page", FIRST)
    return name if name in page_files() else FIRST


def show_guide() -> None:
    """The page that the address names, and beside it the list of all."""
    name = wanted_page()
    with st.container(key=widget_key("guide", "page")):
        text, pages = st.columns([11, 4], gap="large")
    with text:
        if (asked := st.query_params.get("page", name)) != name:
            st.warning(f"The guide has no page '{plain(short(asked, 40))}'; this is its first.")
        for block in blocks(name):
            if isinstance(block, Illustration):
                st.html(f"<img alt='{html.escape(block.words)}' src='{block.address}'>")
            else:
                st.markdown(block)
        _show_next(name)
    with pages, st.container(key=widget_key("guide", "contents"), gap="xsmall"):
        _show_contents(name)


def _show_contents(name: str) -> None:
    for number, (section, titles) in enumerate(contents().items()):
        with st.expander(section, expanded=number < OPEN_SECTIONS or name in titles):
            for page, title in titles.items():
                if page == name:
                    st.markdown(f"**{title}**")
                else:
                    link_page(title, page)


def _show_next(name: str) -> None:
    """The way on at the end of a page; from one that the list does not have, to the list."""
    titles = {page: title for section in contents().values() for page, title in section.items()}
    order = list(titles)
    on = order[order.index(name) + 1 :][:1] if name in order else [CONTENTS]
    st.divider()
    for page in on:
        link_page(f"Next: {titles[page]}" if page in titles else "Contents", page, icon=":material/arrow_forward:")


def link_page(label: str, page: str, icon: str = "", **words: str) -> None:
    """A link to a page of the guide."""
    st.page_link(GUIDE, label=label, icon=icon, query_params={"page": page}, **words)  # type: ignore[arg-type]
