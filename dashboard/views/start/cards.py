"""The start page's cards: the questions Diptych answers, and the sample tables."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dashboard.views.data.samples import open_sample, page_of, sample_shape
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
        "Two networks side by side, and for every variable the odds that it behaves differently.",
        "Sverchkov and Cooper 2015",
        "app_pages/group_difference.py",
    ),
    Question(
        "What matters for this one patient?",
        "A network for one patient, next to the network for everybody.",
        "Jabbari, Visweswaran and Cooper 2018",
        "app_pages/instance_specific.py",
    ),
    Question(
        "Which links tell two classes apart?",
        "Two networks, chosen to tell the classes apart.",
        "Burge and Lane 2005",
    ),
    Question(
        "How do ordered ratings hang together?",
        "A network that uses the order of the steps.",
        "Luo, Moffa and Kuipers 2021",
    ),
    Question(
        "Which of many associations are direct?",
        "The few direct ones among hundreds of variables.",
        "Petitjean, Allison and Webb 2014",
        "app_pages/log_linear.py",
    ),
    Question(
        "Would a method have found the truth?",
        "Try it on made-up tables; see the papers' tables beside ours; bring your own truth.",
        "",
        "app_pages/evaluate.py",
    ),
)


def show_questions() -> None:
    """A line a question: those that can be asked today are links, the others say so."""
    for question in QUESTIONS:
        with st.container(gap=None):
            if question.page is not None:
                st.page_link(question.page, label=f"**{question.words}**", icon=":material/arrow_forward:")
            else:
                st.markdown(f"{question.words} :gray-badge[:small[not built yet]]")
            st.caption(f"{question.detail} {question.paper}")


def show_samples(across: int = 3) -> None:
    """A card a sample table, with a button that opens it where its question is answered."""
    samples = list(CATALOG.values())
    for start in range(0, len(samples), across):
        for place, sample in zip(st.columns(across), samples[start : start + across], strict=False):
            with place, st.container(border=True, height="stretch", vertical_alignment="distribute", gap="small"):
                _card(sample)


def _card(sample: Sample) -> None:
    rows, columns = sample_shape(sample.key)
    page = page_of(sample)
    with st.container(gap="xsmall"):
        st.markdown(f"**{sample.title}** :gray[:small[{rows:,} rows × {columns} columns]]")
        st.markdown(f":small[{sample.story}]")
        st.markdown(f":small[**To find out:** {sample.question}]")
    label = "Open" if page is not None else "Open the table"
    if st.button(label, key=f"start.open.{sample.key}", icon=":material/folder_open:"):
        open_sample(sample.key)
        st.switch_page(page or "app_pages/data.py")
