"""Which lesson the address asks for, and the menu with addresses and sheets to hand out."""

from __future__ import annotations

import secrets
from functools import partial
from typing import NamedTuple

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.text import plain
from dashboard.views.shared.downloads import download, file_name
from engine.classroom.lesson import MOST_SEED, OpenedLesson, open_lesson
from engine.classroom.sheet import to_sheet
from engine.errors import SettingsError

PAGE = "learn"
USUAL_SEEDS = 9999
"""Seeds that are drawn go up to here: short enough to be read out."""


class RequestedLesson(NamedTuple):
    """The lesson of the address, and whether the teacher's view is asked for."""

    lesson: OpenedLesson
    teacher: bool


@st.cache_data(show_spinner=False, max_entries=64)
def opened(slug: str, seed: int) -> OpenedLesson:
    """The lesson of a seed, drawn once for all who open it."""
    return open_lesson(slug, seed)


def requested_lesson() -> RequestedLesson | None:
    """The lesson that the address names; None where it names none, or one that there is not."""
    slug = st.query_params.get("lesson", "")
    if not slug:
        return None
    seed = st.query_params.get("seed", "")
    if not seed:
        seed = st.query_params["seed"] = new_seed()
    number = int(seed) if seed.isascii() and seed.isdecimal() and len(seed) <= len(str(MOST_SEED)) else -1
    try:
        return RequestedLesson(opened(slug, number), st.query_params.get("view") == "teacher")
    except SettingsError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def new_seed() -> str:
    """A seed for one student."""
    return str(secrets.randbelow(USUAL_SEEDS) + 1)


def go_to(slug: str, seed: str, *, teacher: bool = False) -> None:
    """Let the address name this lesson, and draw the page anew."""
    st.query_params.from_dict({"lesson": slug, "seed": seed} | ({"view": PAGE_OF_TEACHER} if teacher else {}))


PAGE_OF_TEACHER = "teacher"


def show_menu(lesson: OpenedLesson, *, teacher: bool) -> None:
    """What can be done with a lesson: another exercise, its address, the other view, sheets to print."""
    slug, seed = lesson.template.slug, str(lesson.seed)
    key = partial(widget_key, PAGE, "menu")
    with st.container(horizontal=True, gap="small", width="content"):
        if st.button("All lessons", key=key("all"), type="tertiary", icon=":material/arrow_back:"):
            st.query_params.clear()
            st.rerun()
        with st.popover("Hand out", icon=":material/share:", width="content"):
            address = (st.context.url or "").partition("?")[0]
            st.markdown(f"**Exercise {seed}**: who opens this address gets the same numbers.")
            st.code(f"{address}?lesson={slug}&seed={seed}", language=None, wrap_lines=True)
            if st.button("Draw a new exercise", key=key("new"), icon=":material/casino:"):
                go_to(slug, new_seed(), teacher=teacher)
                st.rerun()
            other = "Student's view" if teacher else "For teachers: all steps with solutions"
            if st.button(other, key=key("view"), icon=":material/school:"):
                go_to(slug, seed, teacher=not teacher)
                st.rerun()
            st.markdown("**Sheets to print** (A4)")
            for solutions, label in ((False, "Without solutions"), (True, "For teachers: with solutions")):
                content = partial(to_sheet, lesson, solutions=solutions)
                name = file_name(f"{slug}-{seed}{'-solutions' if solutions else ''}", "html")
                download(content, name, "text/html", label, masked=True)
