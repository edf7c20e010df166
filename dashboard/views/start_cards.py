"""The start page's cards: the questions Diptych answers, and the sample tables."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dashboard.views.data_samples import open_sample, page_of, sample_table
from sample_data.catalog import CATALOG, Sample


@dataclass(frozen=True)
class Question:
    """One question in plain words, the paper behind its answer, and its page, None while it is not built."""

    words: str
    detail: str
    paper: str
    page: str | None = None


QUESTIONS = (
    Question(
        "What behaves differently in two groups?",
        "For every variable the odds that it depends on the others in another way in one group than in the other.",
        "Sverchkov and Cooper 2015",
        "app_pages/group_differences.py",
    ),
    Question(
        "What matters for this one patient?",
        "A network for one patient, next to the network for everybody.",
        "Jabbari, Visweswaran and Cooper 2018",
    ),
    Question(
        "Which links tell two classes apart?",
        "Two networks, chosen so that together they tell the classes apart.",
        "Burge and Lane 2005",
    ),
    Question(
        "How do ratings on ordered scales hang together?",
        "A network that uses the order of the steps, next to one that ignores it.",
        "Luo, Moffa and Kuipers 2021",
    ),
    Question(
        "Which of many associations are direct?",
        "The few direct associations among hundreds of variables, next to the many pairs that go together.",
        "Petitjean, Allison and Webb 2014",
    ),
)


def show_questions() -> None:
    """A line a question: those that can be asked today are links, the others say so."""
    for question in QUESTIONS:
        with st.container(gap=None):
            if question.page is not None:
                st.page_link(question.page, label=f"**{question.words}**", icon=":material/arrow_forward:")
            else:
                st.markdown(f"{question.words} :gray-badge[not built yet]")
            st.caption(f"{question.detail} ({question.paper})")


def show_samples(across: int = 3) -> None:
    """A card a sample table, with a button that opens it where its question is answered."""
    samples = list(CATALOG.values())
    for start in range(0, len(samples), across):
        for place, sample in zip(st.columns(across), samples[start : start + across], strict=False):
            with place, st.container(border=True, height="stretch", gap="small"):
                _card(sample)


def _card(sample: Sample) -> None:
    table = sample_table(sample.key)
    st.markdown(f"**{sample.title}**")
    st.caption(f"{len(table):,} rows × {table.shape[1]} columns")
    st.markdown(sample.story)
    page = page_of(sample)
    st.markdown(f"*{sample.question}*")
    label = "Open" if page is not None else "Open its table"
    if st.button(label, key=f"start.open.{sample.key}", icon=":material/folder_open:"):
        open_sample(sample.key)
        st.switch_page(page or "app_pages/data.py")
