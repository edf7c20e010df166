"""Start: drop a table, or see the worked example; the questions; the sample tables."""

from __future__ import annotations

import streamlit as st

from dashboard.charts.start_pictures import DIFFERING, diptych, example_words, question_picture
from dashboard.pages import MethodPage, address, method_pages
from dashboard.session.keys import widget_key
from dashboard.text import capital, plain
from dashboard.theme import is_dark
from dashboard.views.data.samples import open_sample, page_of, sample_shape
from dashboard.views.data.source import take_table
from dashboard.views.shared.foot import host_words
from dashboard.views.shared.page_parts import how_large, show_svg
from engine.words import probability
from sample_data.catalog import CATALOG, Sample
from sample_data.worked_examples import EXAMPLE, first_answer

FIRST_SAMPLES = 4
"""Sample tables that stand in the line; the others behind a button."""


def show_example() -> None:
    """The worked example as two networks side by side, and its answer in a sentence."""
    result = first_answer()
    show_svg(diptych(result, is_dark()), example_words(result))
    words, button = st.columns([5, 2], vertical_alignment="center")
    words.markdown(plain(capital(result.headline())))
    sure = probability(float(result.verdicts.loc[DIFFERING, "probability"]), "differs (orange):")
    words.caption(f"Invented patients. Probability that lactate {sure}. Lines: links in that hospital.")
    if button.button("Open example", key=widget_key("start", "open", EXAMPLE), width="stretch"):
        open_sample_page(CATALOG[EXAMPLE])


def open_sample_page(sample: Sample) -> None:
    """Open a sample on the page that answers its question."""
    open_sample(sample.key)
    page = page_of(sample)
    st.switch_page("app_pages/data.py" if page is None else address(page))


def show_question(page: MethodPage) -> None:
    """A card: a small picture, the question, and the page that answers it."""
    picture = question_picture(page.picture, is_dark())
    if picture:
        show_svg(picture, "", "116px")
    st.markdown(f"**{plain(page.question)}**")
    st.page_link(address(page), label=f"{page.title} →", help=f"{page.detail} {page.paper}".strip())


def show_samples() -> None:
    """The sample tables in a line; the last ones behind a button, each with its story."""
    samples = [sample for sample in CATALOG.values() if sample.key != EXAMPLE]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=widget_key("start", "samples")):
        st.markdown("**Sample tables**", width="content")
        for sample in samples[:FIRST_SAMPLES]:
            _chip(sample)
        with st.popover(f"{len(samples) - FIRST_SAMPLES} more", width="content"):
            for sample in samples[FIRST_SAMPLES:]:
                _chip(sample)
                st.caption(f"{sample.question} {sample.source}")


def _chip(sample: Sample) -> None:
    rows, _ = sample_shape(sample.key)
    label = f"{sample.title} :gray[:small[{rows:,}]]"
    if st.button(label, key=widget_key("start", "open", sample.key), help=sample.story):
        open_sample_page(sample)


with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=widget_key("start", "name")):
    st.title("Diptych", anchor=False, width="content")
    st.markdown(
        "From a table of patients or answers: what differs, what is linked, and who is unusual.", width="content"
    )
drop, example = st.columns([38, 62], gap="small")
with drop, st.container(key=widget_key("start", "drop"), height="stretch"):
    if take_table("Drop a table here: CSV, Excel, SPSS, Stata, SAS or Parquet", label_visibility="collapsed"):
        st.switch_page("app_pages/data.py")
    st.caption(f":material/lock: Stays in the memory of {host_words()}; sent nowhere else. {capital(how_large())}.")
with example.container(border=True, height="stretch", vertical_alignment="distribute"):
    show_example()
st.markdown("## What do you want to know?")
pages = method_pages()
for place, question in zip(st.columns(len(pages), gap="small"), pages, strict=True):
    with place.container(
        border=True,
        height="stretch",
        gap="small",
        key=widget_key("start", "question", question.slug),
    ):
        show_question(question)
show_samples()
